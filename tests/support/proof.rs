//! Checks the plans of programs with real variables: what both plans prove together is the value.
//!
//! Real universal moves are followed at their corners only; linearity does the rest.

use std::collections::BTreeMap;

use num_traits::{Signed, Zero};
use quip::num::{Rational, int};
use quip::outcome::{Score, cost_of_objective};
use quip::program::{Bounds, Kind, Program, Quantifier, Row, VarId};
use quip::strategy::{Ending, NodeId, Plan, PlanNode, Scenario};

use super::feasible::{Assignment, is_alive, whole_values};

/// Panics unless the plan keeps the claim for its owner.
pub fn check(program: &Program, plan: &Plan, claim: &Score) {
    let mut check = Check {
        program,
        plan,
        claim,
        rates: BTreeMap::new(),
    };
    let mut positions = vec![(plan.root(), Assignment::new())];
    while let Some((node, played)) = positions.pop() {
        check.visit(node, played, &mut positions);
    }
}

struct Check<'a> {
    program: &'a Program,
    plan: &'a Plan,
    claim: &'a Score,
    /// What rays do to a variable after a history; one value each.
    rates: BTreeMap<(VarId, Vec<(VarId, Rational)>), Rational>,
}

impl Check<'_> {
    fn visit(
        &mut self,
        node: NodeId,
        mut played: Assignment,
        positions: &mut Vec<(NodeId, Assignment)>,
    ) {
        let plan = self.plan;
        match plan.node(node) {
            PlanNode::Choose {
                variable,
                value,
                next,
            } => {
                let chosen = &self.program.variables()[*variable];
                assert_eq!(chosen.quantifier, plan.owner());
                assert!(chosen.admits(value), "{value} is outside the domain");
                assert!(played.insert(*variable, value.clone()).is_none());
                positions.push((*next, played));
            }
            PlanNode::Await { variable, branches } => {
                let awaited = &self.program.variables()[*variable];
                assert_eq!(awaited.quantifier, plan.owner().opponent());
                let values = match awaited.kind {
                    Kind::Integer => whole_values(self.program, *variable),
                    Kind::Real => {
                        let domain = awaited.domain();
                        vec![domain.lower.unwrap(), domain.upper.unwrap()]
                    }
                };
                for value in values {
                    let mut played = played.clone();
                    played.insert(*variable, value.clone());
                    let covers = |branch: &&quip::strategy::Branch| {
                        branch.from <= value && value <= branch.to
                    };
                    match branches.iter().find(covers) {
                        Some(branch) => positions.push((branch.next, played)),
                        None => assert!(!self.alive(awaited.quantifier, &played)),
                    }
                }
            }
            PlanNode::End(ending) => self.end(ending, &played),
        }
    }

    fn end(&mut self, ending: &Ending, played: &Assignment) {
        match ending {
            Ending::Complete => {
                self.rows_hold(Quantifier::Exists, played);
                self.rows_hold(Quantifier::Forall, played);
                let score = Score::Cost(self.cost(played));
                assert!(
                    !self.claim.is_better(&score, self.plan.owner()),
                    "{score:?}"
                );
            }
            Ending::OpponentDead => {
                let owner = self.plan.owner();
                assert!(!self.alive(owner.opponent(), played));
                let first = self.program.variables().iter().next();
                let beginner = first.map_or(Quantifier::Exists, |first| first.quantifier);
                let decided_by_rule = played.is_empty() && beginner == owner.opponent();
                assert!(decided_by_rule || self.alive(owner, played));
            }
            Ending::Ray(direction) => self.ray(direction, played),
            Ending::Bounded(scenarios) => self.weighing(scenarios, played),
        }
    }

    fn alive(&self, owner: Quantifier, played: &Assignment) -> bool {
        is_alive(self.program, owner, played)
    }

    fn rows_hold(&self, owner: Quantifier, played: &Assignment) {
        for row in self.program.system(owner) {
            assert!(
                row.admits(&row.activity(|var| &played[&var])),
                "{row:?} at {played:?}"
            );
        }
    }

    fn cost(&self, played: &Assignment) -> Rational {
        let Some(objective) = self.program.objective() else {
            return int(0);
        };
        let value = quip::program::evaluate(&objective.terms, |var| &played[&var]);
        cost_of_objective(self.program, value + &objective.constant)
    }

    fn ray(&mut self, direction: &[(VarId, Rational)], played: &Assignment) {
        assert!(matches!(self.claim, Score::Unbounded));
        self.rows_hold(Quantifier::Exists, played);
        let rate = |terms: &[(VarId, Rational)]| -> Rational {
            let of = |var: &VarId| direction.iter().find(|(other, _)| other == var);
            let parts = terms
                .iter()
                .filter_map(|(var, factor)| Some(factor * &of(var)?.1));
            parts.sum()
        };
        let stays = |lower: &Option<Rational>, upper: &Option<Rational>, rate: &Rational| {
            (lower.is_none() || !rate.is_negative()) && (upper.is_none() || !rate.is_positive())
        };
        for row in self.program.rows() {
            assert!(stays(&row.lower, &row.upper, &rate(&row.terms)));
        }
        for (var, step) in direction {
            let Bounds { lower, upper } = &self.program.variables()[*var].bounds;
            assert!(stays(lower, upper, step));
            let known = self.rates.entry((*var, self.history(*var, played.iter())));
            assert_eq!(known.or_insert(step.clone()), step);
        }
        let objective = self
            .program
            .objective()
            .expect("only an objective is unbounded");
        assert!(cost_of_objective(self.program, rate(&objective.terms)).is_negative());
    }

    /// The universal moves before the block of `var`.
    fn history<'m>(
        &self,
        var: VarId,
        moves: impl Iterator<Item = (&'m VarId, &'m Rational)>,
    ) -> Vec<(VarId, Rational)> {
        let mut blocks = self.program.blocks().iter();
        let start = blocks
            .find(|block| block.contains(var))
            .unwrap()
            .variables()
            .next();
        let universal =
            |other: VarId| self.program.variables()[other].quantifier == Quantifier::Forall;
        let before = moves.filter(|(other, _)| Some(**other) < start && universal(**other));
        before
            .map(|(other, value)| (*other, value.clone()))
            .collect()
    }

    /// Evaluates the inequality that the scenarios add up to.
    fn weighing(&self, scenarios: &[Scenario], played: &Assignment) {
        assert_eq!(self.plan.owner(), Quantifier::Forall);
        let mut unknowns: BTreeMap<(VarId, Vec<(VarId, Rational)>), Rational> = BTreeMap::new();
        let mut bound = int(0);
        for scenario in scenarios {
            assert!(!scenario.weight.is_negative());
            let mut known = played.clone();
            known.extend(scenario.moves.iter().cloned());
            self.rows_hold(Quantifier::Forall, &known);
            let mut add = |terms: &[(VarId, Rational)], scale: &Rational| {
                for (var, factor) in terms {
                    match known.get(var) {
                        Some(value) => bound += scale * factor * value,
                        None => {
                            let key = (*var, self.history(*var, known.iter()));
                            *unknowns.entry(key).or_insert_with(|| int(0)) += scale * factor;
                        }
                    }
                }
            };
            for (row, multiplier) in &scenario.multipliers {
                add(&self.program.rows()[*row].terms, &-multiplier);
            }
            let scale = cost_of_objective(self.program, scenario.weight.clone());
            if let Some(objective) = self.program.objective() {
                add(&objective.terms, &scale);
                bound += &scale * &objective.constant;
            }
            for (row, multiplier) in &scenario.multipliers {
                let Row { lower, upper, .. } = &self.program.rows()[*row];
                let side = if multiplier.is_positive() {
                    lower
                } else {
                    upper
                };
                bound += multiplier * side.as_ref().expect("only a side that is there counts");
            }
        }
        for ((var, _), factor) in &unknowns {
            let Bounds { lower, upper } = self.program.variables()[*var].domain();
            if !factor.is_zero() {
                let end = if factor.is_positive() { lower } else { upper };
                bound += factor * end.expect("an unbounded unknown cancels");
            }
        }
        let weights: Rational = scenarios.iter().map(|scenario| &scenario.weight).sum();
        if weights.is_zero() {
            assert!(bound.is_positive(), "the rows can hold");
        } else {
            assert_eq!(weights, int(1));
            assert!(*self.claim <= Score::Cost(bound), "the bound is too weak");
        }
    }
}
