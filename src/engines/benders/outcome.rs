//! From what was proved to what the user is told.

use itertools::Itertools;

use super::Engine;
use super::visit::{Verdict, Window};
use crate::budget::Budget;
use crate::num::{Rational, Sum};
use crate::outcome::{Effort, Move, Outcome, Score, Stop, cost_of_objective};
use crate::program::{Program, Quantifier, VarId};

impl Engine<'_> {
    /// The outcome of a program whose first stage was solved to the end.
    pub(super) fn proved(mut self: Box<Self>, budget: &mut Budget) -> Outcome {
        let Some((value, _)) = self.reached.clone() else {
            let lost = Outcome {
                principal_variation: self.losing_opening(budget),
                ..Outcome::proved(self.program, &Score::Lost)
            };
            return self.with_effort(lost, budget);
        };
        let score = if self.endless {
            Score::Unbounded
        } else {
            Score::Cost(&value + &self.constant)
        };
        let first = self.best[0].clone();
        let play = self.principal_variation(first.clone(), value, budget);
        let outcome = Outcome {
            first_stage: first_stage(self.program, first),
            principal_variation: play,
            ..Outcome::proved(self.program, &score)
        };
        self.with_effort(outcome, budget)
    }

    /// The outcome of a program that was stopped: the last bound and the best first stage count.
    pub(super) fn interrupted(self: Box<Self>, stop: Stop, budget: &Budget) -> Outcome {
        let objective = |cost: &Rational| {
            let told = self.program.objective().is_some() && !self.endless;
            told.then(|| cost_of_objective(self.program, cost + &self.constant))
        };
        let outcome = Outcome {
            bound: self.bound.as_ref().and_then(objective),
            ..Outcome::interrupted(stop)
        };
        let outcome = match &self.reached {
            Some((value, first)) => Outcome {
                objective: objective(value),
                first_stage: first_stage(self.program, first.clone()),
                principal_variation: first.clone(),
                ..outcome
            },
            None => outcome,
        };
        self.with_effort(outcome, budget)
    }

    fn with_effort(&self, outcome: Outcome, budget: &Budget) -> Outcome {
        Outcome {
            effort: Effort {
                nodes: budget.nodes(),
                lps: self.lps(),
                learnt: self.learnt(),
            },
            ..outcome
        }
    }

    /// Best play of both sides, which costs `value`; only its beginning if a limit ends the walk.
    fn principal_variation(
        &mut self,
        first: Vec<Move>,
        value: Rational,
        budget: &mut Budget,
    ) -> Vec<Move> {
        let mut play = first;
        let mut left = value - self.cost_of(0, &play);
        for stage in 1..self.stages.len() {
            for (var, value) in &play {
                self.values[*var] = value.clone();
            }
            match self.worst_corner(stage, &left, budget) {
                Ok(moves) => {
                    left -= self.cost_of(stage, &moves);
                    play.extend(moves);
                }
                Err(_) => return play,
            }
        }
        let ruled = |var: VarId| {
            let mut rows = self.program.universal_rows().iter();
            rows.any(|row| row.terms.iter().any(|(other, _)| *other == var))
        };
        for var in self.program.variables().ids().skip(play.len()) {
            // What the opponent's rows leave it was not looked at: the play ends before.
            if ruled(var) {
                break;
            }
            play.push((var, self.worst_end(var)));
        }
        play
    }

    /// The universal moves that open a lost game and leave nothing to answer, where the universal
    /// player opens it; none if a limit ends the walk.
    fn losing_opening(&mut self, budget: &mut Budget) -> Vec<Move> {
        let opens = self.stages.len() > 1 && self.stages[0].columns.is_empty();
        for corner in 0..if opens { self.counts[1] } else { 0 } {
            self.take_corner(1, corner);
            match self.visit(1, &Window::default(), budget) {
                Ok(Verdict::Infeasible(_)) => {
                    let variables = self.stages[1].corners.variables().iter();
                    let moves = variables.map(|var| (*var, self.values[*var].clone()));
                    return moves.sorted_by_key(|(var, _)| *var).collect();
                }
                Ok(_) => {}
                Err(_) => break,
            }
        }
        Vec::new()
    }

    /// What the moves of a stage and of the universal block before it cost.
    pub(super) fn cost_of(&self, stage: usize, moves: &[Move]) -> Rational {
        let here = &self.stages[stage];
        let universal = here.corners.variables().iter().zip(&here.corner_costs);
        let existential = here.columns.iter().zip(&here.costs);
        let mut sum = Sum::default();
        for (var, cost) in universal.chain(existential) {
            if let Some((_, value)) = moves.iter().find(|(other, _)| other == var) {
                sum.add_product(cost, value);
            }
        }
        sum.finish()
    }

    /// The worst corner before a stage, where the rest of the play costs `expected`, and the best
    /// answer to it.
    fn worst_corner(
        &mut self,
        stage: usize,
        expected: &Rational,
        budget: &mut Budget,
    ) -> Result<Vec<Move>, Stop> {
        let mut worst: Option<(Rational, Vec<Move>)> = None;
        for corner in self.corner_order(stage) {
            let extra = self.take_corner(stage, corner);
            let alpha = worst.as_ref().map(|(value, _)| value - &extra);
            // Nothing is known, so that a larger value is not handed back before it is exact.
            let window = Window {
                alpha,
                ..Window::default()
            };
            if let Verdict::Exact(value, _) = self.visit(stage, &window, budget)? {
                let universal = self.stages[stage].corners.variables().iter();
                let moves = universal.map(|var| (*var, self.values[*var].clone()));
                let moves = moves.sorted_by_key(|(var, _)| *var);
                let moves = moves.chain(self.best[stage].iter().cloned()).collect();
                let value = value + extra;
                let is_expected = value == *expected;
                worst = Some((value, moves));
                if is_expected {
                    break;
                }
            }
        }
        Ok(worst.map_or_else(Vec::new, |(_, moves)| moves))
    }

    /// What the universal player does with a variable that nothing answers any more.
    fn worst_end(&self, var: VarId) -> Rational {
        let domain = self.program.variables()[var].domain();
        let cost = self.program.objective().and_then(|objective| {
            let term = objective.terms.iter().find(|(other, _)| *other == var);
            term.map(|(_, factor)| cost_of_objective(self.program, factor.clone()))
        });
        let rises = cost.is_some_and(|cost| cost > Rational::default());
        let end = if rises { domain.upper } else { domain.lower };
        end.unwrap_or_default()
    }
}

/// What the existential player decides before the universal player moves.
fn first_stage(program: &Program, moves: Vec<Move>) -> Vec<Move> {
    match program.blocks().iter().next() {
        Some(block) if block.quantifier == Quantifier::Exists => moves,
        _ => Vec::new(),
    }
}
