//! The best first stage so far: what is left in hand when a solve is stopped.

use super::board::{Board, Place};
use super::game::Game;
use super::plans::Settled;
use crate::budget::{Budget, Progress};
use crate::num::Rational;
use crate::outcome::{Move, Score, cost_of_objective};
use crate::program::Quantifier;

/// The best complete choice for the first block so far, from its owner's view.
pub(super) struct Incumbent {
    pub values: Vec<i128>,
    pub settled: Settled,
}

impl Game<'_> {
    /// Keeps the best complete first stage, for the case that time runs out.
    pub fn remember(&mut self, settled: &Settled, budget: &mut Budget) {
        let Some(first) = self.program.blocks().iter().next() else {
            return;
        };
        if self.values.len() != first.len().min(self.board.tail) {
            return;
        }
        let known = self.incumbent.as_ref().map(|known| &known.settled.score);
        if known.is_none_or(|known| settled.score.is_better(known, first.quantifier)) {
            self.incumbent = Some(Incumbent {
                values: self.values.clone(),
                settled: settled.clone(),
            });
            let strategy = first.quantifier == Quantifier::Exists && settled.score != Score::Lost;
            if strategy {
                self.report(budget, true);
            }
        }
    }

    /// Hands a line to the log.
    pub fn report(&self, budget: &mut Budget, new_strategy: bool) {
        let mut progress = Progress {
            nodes: budget.nodes(),
            depth: self.values.len(),
            lps: self.lps(),
            new_strategy,
            ..Progress::default()
        };
        if let Some(incumbent) = &self.incumbent
            && let Score::Cost(cost) = &incumbent.settled.score
            && self.program.objective().is_some()
        {
            let value = Some(cost_of_objective(self.program, cost.clone()));
            match self.board.places[0].owner {
                Quantifier::Exists => progress.objective = value,
                Quantifier::Forall => progress.bound = value,
            }
        }
        budget.report(&progress);
    }
}

/// The moves of a line of values, in playing order.
pub(super) fn moves(board: &Board, values: &[i128]) -> Vec<Move> {
    let pair = |(place, &value): (&Place, &i128)| (place.var, Rational::from_integer(value.into()));
    board.places.iter().zip(values).map(pair).collect()
}
