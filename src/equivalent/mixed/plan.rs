//! The strategy that a point of a tree spells out.

use std::ops::Range;

use super::stages::Stages;
use super::tree::Play;
use crate::num::{Rational, int};
use crate::program::{Kind, Quantifier, VarId};
use crate::strategy::{Branch, Ending, NodeId, Plan, PlanBuilder, PlanNode};

/// The plan whose replies are `value(variable, play)`; the plays are all that matter, in order.
///
/// `None` where universal rows restrict real variables: between two answered values the mixture of
/// the answers need not be one.
pub(super) fn strategy(
    stages: &Stages<'_>,
    plays: &[Play],
    value: &impl Fn(VarId, usize) -> Rational,
) -> Option<Plan> {
    let variables = stages.program.variables();
    let rows = stages.program.universal_rows().iter();
    let mut restricted = rows.flat_map(|row| &row.terms);
    if restricted.any(|(var, _)| variables[*var].kind == Kind::Real) {
        return None;
    }
    let mut maker = Maker {
        stages,
        plays,
        value,
        builder: PlanBuilder::default(),
    };
    let root = maker.node(0, 0..plays.len());
    Some(maker.builder.finish(Quantifier::Exists, root))
}

struct Maker<'a, 'p, Value> {
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
        let mut branches: Vec<Branch> = Vec::new();
        let mut first = range.start;
        while first < range.end {
            let value = self.plays[first][depth].clone();
            let rest = &self.plays[first..range.end];
            let behind = first + rest.partition_point(|play| play[depth] == value);
            let next = self.node(depth + 1, first..behind);
            match branches.last_mut() {
                Some(last)
                    if !is_real
                        && last.next == next
                        && last.to == &value - int(1) =>
                {
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
