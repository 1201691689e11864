//! Which universal moves the decisions on the board allow, and whether the last decision ends it all.
//!
//! Behind a closed gate only the harmless value is legal (see [`Skeleton`]). Where there are
//! conditions a move is legal if some play goes on from it without breaking one, whatever is decided
//! later being decided well: that play is the *witness*. Every refutation holds a witness of each of
//! its moves, so that a tree over its plays cannot escape.

use std::ops::Range;

use super::Game;
use crate::budget::Budget;
use crate::equivalent::{Branching, Condition, Place, Skeleton};
use crate::lp::{LpProblem, LpRow};
use crate::outcome::Stop;
use crate::program::{Id, IdVec, VarId};

impl Game<'_> {
    /// Whether the moves of a play are legal. Plays from `last` on begin otherwise.
    pub(super) fn is_legal(&self, moves: Range<usize>, play: usize, last: usize) -> bool {
        let end = moves.end;
        self.gates_admit(moves, play)
            && (self.skeleton.conditions.is_empty() || {
                let mut group = self.group(end, play, last);
                group.any(|number| self.is_witness(end, number))
            })
    }

    fn is_witness(&self, stage: usize, play: usize) -> bool {
        let board = |var: VarId| self.board[var];
        self.skeleton.admits(stage, &self.plays[play], board)
    }

    /// A play of the range that shows that the moves before the stage are legal, unless one of those
    /// that are known does.
    pub(super) fn witness(
        &self,
        stage: usize,
        mut range: Range<usize>,
        known: &[usize],
    ) -> Option<usize> {
        let is_witness = |&number: &usize| self.is_witness(stage, number);
        if self.skeleton.conditions.is_empty() || known.iter().any(is_witness) {
            return None;
        }
        range.find(is_witness)
    }

    /// Whether the decisions on the board allow the play's values: behind a closed gate only the
    /// harmless one.
    fn gates_admit(&self, numbers: Range<usize>, play: usize) -> bool {
        numbers
            .into_iter()
            .all(|number| match &self.skeleton.gates[number] {
                Some(gate) => {
                    let is_open = |keeper: &VarId| self.board[*keeper] == gate.open_at;
                    self.plays[play][number] == gate.harmless || gate.keepers.iter().all(is_open)
                }
                None => true,
            })
    }
}

/// For every condition that the last stage can break, the program of an answer that breaks it.
pub(super) struct Kills(Vec<Branching>);

impl Kills {
    pub(super) fn new(skeleton: &Skeleton, problem: &LpProblem) -> Self {
        let last = skeleton.stages.len() - 1;
        let is_late = |&(var, _): &(VarId, i64)| matches!(skeleton.places[var], Place::Existential(stage, _) if stage == last);
        let conditions = skeleton.conditions.all.iter();
        let late = conditions.filter(|condition| condition.terms.iter().any(is_late));
        let program = |condition: &Condition| {
            let mut problem = problem.clone();
            let terms = condition.terms.iter();
            problem.rows.push(LpRow {
                terms: terms.map(|&(var, by)| (var.index(), by)).collect(),
                lower: Some(condition.bound + 1),
                upper: None,
            });
            Branching::new(&problem)
        };
        Self(late.map(program).collect())
    }

    /// Whether an answer to the board, which satisfies the existential rows, kills the universal
    /// system.
    pub(super) fn are_possible(
        &mut self,
        skeleton: &Skeleton,
        board: &IdVec<VarId, i64>,
        budget: &mut Budget,
    ) -> Result<bool, Stop> {
        let last = skeleton.stages.len() - 1;
        for program in &mut self.0 {
            for (var, &value) in board.pairs() {
                let (lower, upper) = match skeleton.places[var] {
                    Place::Existential(stage, _) if stage == last => skeleton.boxes[var],
                    _ => (value, value),
                };
                program.set_box(var.index(), lower, upper);
            }
            if program.any_point_below(None, budget)?.is_some() {
                return Ok(true);
            }
        }
        Ok(false)
    }
}
