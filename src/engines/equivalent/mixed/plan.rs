//! The strategy that a point of a tree spells out.

use std::ops::Range;

use super::moves::{Menu, harmful_ends, values};
use super::stages::Stages;
use super::tree::Play;
use crate::num::{Rational, int};
use crate::program::{IdVec, Kind, Quantifier, VarId};
use crate::strategy::{Branch, Budgets, Ending, NodeId, Plan, PlanBuilder, PlanNode};

/// The plan whose replies are `value(variable, play)`; the plays are all that matter, in order.
///
/// A variable of which only the harmful end matters is answered alike in its whole domain. `None`
/// where few values of a variable that universal rows hold stand for all, and no budgets count it.
pub(crate) fn strategy(
    stages: &Stages<'_>,
    plays: &[Play],
    value: &impl Fn(VarId, usize) -> Rational,
) -> Option<Plan> {
    let variables = stages.program.variables();
    let harmful = harmful_ends(stages);
    let values = values(stages).ok()?;
    let budgets = Budgets::new(stages.program);
    let mut held = IdVec::filled(variables.len(), false);
    for (var, _) in { stages.program.universal_rows().iter() }.flat_map(|row| &row.terms) {
        held[*var] = true;
    }
    for (number, few) in values.iter().enumerate() {
        let var = stages.universals[number];
        let domain = variables[var].domain();
        let width = domain.upper? - domain.lower?;
        let is_short = match few {
            Menu::All => variables[var].kind == Kind::Real,
            Menu::Few(few) => int(few.len() as i64) <= width || variables[var].kind == Kind::Real,
            Menu::Roots(_) => true,
        };
        if held[var] && is_short && !budgets.count(var) {
            return None;
        }
    }
    let mut maker = Maker {
        harmful,
        stages,
        plays,
        value,
        builder: PlanBuilder::default(),
    };
    let root = maker.node(0, 0..plays.len());
    Some(maker.builder.finish(Quantifier::Exists, root))
}

struct Maker<'a, 'p, Value> {
    harmful: Vec<Option<Rational>>,
    stages: &'a Stages<'p>,
    plays: &'a [Play],
    value: &'a Value,
    builder: PlanBuilder,
}

impl<Value: Fn(VarId, usize) -> Rational> Maker<'_, '_, Value> {
    /// What to do after the first `depth` universal values of the plays of the range.
    fn node(&mut self, depth: usize, range: Range<usize>) -> NodeId {
        let mut next = if depth == self.stages.universals.len() {
            self.builder.add(PlanNode::End(Ending::Complete))
        } else {
            let branches = self.branches(depth, range.clone());
            self.builder.add(PlanNode::Await {
                variable: self.stages.universals[depth],
                branches,
            })
        };
        let own: Vec<VarId> = self.stages.of_stage(depth).collect();
        for &variable in own.iter().rev() {
            next = self.builder.add(PlanNode::Choose {
                variable,
                value: (self.value)(variable, range.start),
                next,
            });
        }
        next
    }

    fn branches(&mut self, depth: usize, range: Range<usize>) -> Vec<Branch> {
        let variable = self.stages.universals[depth];
        let is_real = self.stages.program.variables()[variable].kind == Kind::Real;
        if self.harmful[depth].is_some() {
            let domain = self.stages.program.variables()[variable].domain();
            let end = |end: Option<Rational>| end.unwrap_or_default();
            return vec![Branch {
                from: end(domain.lower),
                to: end(domain.upper),
                next: self.node(depth + 1, range),
            }];
        }
        let mut branches: Vec<Branch> = Vec::new();
        let mut first = range.start;
        while first < range.end {
            let value = self.plays[first][depth].clone();
            let rest = &self.plays[first..range.end];
            let behind = first + rest.partition_point(|play| play[depth] == value);
            let next = self.node(depth + 1, first..behind);
            match branches.last_mut() {
                Some(last) if !is_real && last.next == next && last.to == &value - int(1) => {
                    last.to = value;
                }
                _ => branches.push(Branch {
                    from: value.clone(),
                    to: value,
                    next,
                }),
            }
            first = behind;
        }
        branches
    }
}
