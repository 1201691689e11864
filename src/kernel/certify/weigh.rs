//! The end of a refutation by several scenarios: a weighing of them becomes sums, one inside the
//! other, that follow the universal player's moves.
//!
//! Scenarios that begin with the same moves share what the existential player decides in between,
//! so they are added up right after it: what his variables can do about the sum is counted there.

use itertools::Itertools;

use super::mixed::{added, weighted};
use crate::num::Rational;
use crate::outcome::Move;
use crate::program::{Program, Quantifier, VarId};
use crate::strategy::{
    EvidenceBuilder, EvidenceNode, Item, Mixture, NodeId, Proof, Scenario, SideRef, Step,
};

/// Scenarios from a place on.
pub(super) struct Weighing<'a> {
    pub program: &'a Program,
    pub order: &'a [VarId],
    /// The values of the variables before the place.
    pub fixed: &'a [(VarId, Rational)],
    pub built: &'a mut EvidenceBuilder,
}

impl Weighing<'_> {
    /// The bound that the scenarios prove.
    pub fn bound(&mut self, scenarios: &[Scenario]) -> EvidenceNode {
        let place = self.fixed.len();
        let all: Vec<&Scenario> = scenarios.iter().collect();
        let mixture = self.mixture(place, &all);
        let mut sides: Vec<SideRef> = scenarios.iter().flat_map(sides_of).map(|it| it.0).collect();
        sides.sort_unstable();
        sides.dedup();
        let value = |var: VarId| {
            let found = self.fixed.iter().find(|(other, _)| *other == var);
            found.map(|(_, value)| value.clone())
        };
        let stated = |side: SideRef| Some((side, added(self.program, side, value)?));
        let given = sides.into_iter().filter_map(stated).collect();
        let steps = vec![Step::Mix(mixture)];
        EvidenceNode::Bound {
            place,
            play: self.play(place, scenarios[0].moves.as_slice()),
            proof: Box::new(Proof { given, steps }),
        }
    }

    /// What is mixed at a place by scenarios that agree on all moves before it.
    fn mixture(&mut self, place: usize, scenarios: &[&Scenario]) -> Mixture {
        let moves_of = |from: usize, owner| {
            let rest = self.order[from..].iter();
            let run = rest.take_while(|var| self.program.variables()[**var].quantifier == owner);
            from + run.count()
        };
        let begin = moves_of(place, Quantifier::Exists);
        let end = moves_of(begin, Quantifier::Forall);
        if begin == self.order.len() {
            let sides = scenarios.iter().flat_map(|scenario| sides_of(scenario));
            return sides.map(|(side, by)| (Item::Side(side), by)).collect();
        }
        let block = self.order[begin..end].to_vec();
        let played = |scenario: &Scenario| -> Vec<Rational> {
            let value = |var: &VarId| {
                let found = scenario.moves.iter().find(|(other, _)| other == var);
                found.map_or_else(Rational::default, |(_, value)| value.clone())
            };
            block.iter().map(value).collect()
        };
        let groups = scenarios
            .iter()
            .into_group_map_by(|scenario| played(scenario));
        let groups = groups
            .into_iter()
            .sorted_by(|left, right| left.0.cmp(&right.0));
        let mut mixture = Vec::new();
        for (values, group) in groups {
            let group: Vec<&Scenario> = group.into_iter().copied().collect();
            let node = self.sum(end, &group);
            let moves = block.iter().zip(values).rev();
            let node = moves.fold(node, |next, (variable, value)| {
                self.built.add(EvidenceNode::Choose {
                    variable: *variable,
                    value: value.into(),
                    next,
                })
            });
            mixture.push((Item::Sum(node), Rational::from_integer(1.into())));
        }
        mixture
    }

    fn sum(&mut self, place: usize, scenarios: &[&Scenario]) -> NodeId {
        let mixture = self.mixture(place, scenarios);
        let play = self.play(place, &scenarios[0].moves);
        self.built.add(EvidenceNode::Sum {
            place,
            play,
            mixture,
        })
    }

    /// The moves from a place on that universal rows need.
    fn play(&self, place: usize, moves: &[Move]) -> Vec<Move> {
        let later = &self.order[place..];
        let rows = self.program.universal_rows();
        let is_bound = |var: &VarId| {
            let mut terms = rows.iter().flat_map(|row| &row.terms);
            later.contains(var) && terms.any(|(other, _)| other == var)
        };
        let needed = moves.iter().filter(|(var, _)| is_bound(var));
        needed.cloned().collect()
    }
}

/// The sides that a scenario counts, with their weights.
fn sides_of(scenario: &Scenario) -> Vec<(SideRef, Rational)> {
    let multipliers = scenario.multipliers.iter().map(|(row, by)| (*row, by));
    let rows = weighted(Quantifier::Exists, multipliers);
    let mut sides: Vec<(SideRef, Rational)> = Vec::new();
    if scenario.weight != Rational::default() {
        sides.push((SideRef::Objective, scenario.weight.clone()));
    }
    sides.extend(rows.into_iter().filter_map(|(item, by)| match item {
        Item::Side(side) => Some((side, by)),
        Item::Sum(_) => None,
    }));
    sides
}
