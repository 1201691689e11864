//! Answers that were good once, tried again before anything is solved.
//!
//! Most plays of the universal player are met by an answer that met another play. Putting it into
//! the rows costs a microsecond, a linear program a hundred.

use crate::lp::LpProblem;
use crate::program::{Id, VarId};

/// How many answers are kept; the one that worked last stands first.
const KEPT: usize = 200;

/// How many answers are repaired when none fits as it is.
const HINTS: usize = 6;

/// See the module.
#[derive(Debug)]
pub struct Pool {
    problem: LpProblem,
    answers: Vec<Vec<i64>>,
    play: Vec<i64>,
}

impl Pool {
    /// For answers in a program over all variables.
    pub fn new(problem: &LpProblem) -> Self {
        Self {
            problem: problem.clone(),
            answers: Vec::new(),
            play: Vec::new(),
        }
    }

    /// Whether a known answer, the values of `moves`, completes the board at no more than `target`.
    pub fn answers(&mut self, moves: &[VarId], board: &[i64], target: i64) -> bool {
        self.play.clear();
        self.play.extend_from_slice(board);
        for place in 0..self.answers.len() {
            for (var, &value) in moves.iter().zip(&self.answers[place]) {
                self.play[var.index()] = value;
            }
            let cost = self.problem.objective_at(&self.play);
            if cost.is_some_and(|cost| cost <= i128::from(target))
                && self.problem.contains(&self.play) == Some(true)
            {
                self.answers[..=place].rotate_right(1);
                return true;
            }
        }
        false
    }

    /// The answers that worked last, each in a copy of the board.
    pub fn hints(&self, moves: &[VarId], board: &[i64]) -> Vec<Vec<i64>> {
        let latest = self.answers.iter().take(HINTS);
        let filled = latest.map(|answer| {
            let mut hint = board.to_vec();
            for (var, &value) in moves.iter().zip(answer) {
                hint[var.index()] = value;
            }
            hint
        });
        filled.collect()
    }

    /// Keeps an answer.
    pub fn add(&mut self, answer: Vec<i64>) {
        self.answers.truncate(KEPT - 1);
        self.answers.insert(0, answer);
    }
}
