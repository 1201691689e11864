//! The master of a later stage: what the existential player decides there, against the plays that
//! have mattered after the same beginning.
//!
//! It is kept from one candidate of the first stage to the next. Only the boxes of what was decided
//! before change; the plays stay, and so does the warm linear program.

use super::game::Plays;
use crate::equivalent::{Branching, Skeleton, Tree};
use crate::program::{IdVec, VarId};

/// See the module.
pub struct Later {
    stage: usize,
    tree: Tree,
    pub master: Branching,
    /// The plays of the tree.
    pub known: Plays,
}

impl Later {
    /// For the stage after the first `stage` values of the play of that number.
    pub fn new(skeleton: &Skeleton, stage: usize, number: usize, play: &[i64]) -> Self {
        let mut tree = Tree::new(skeleton);
        tree.add_play(skeleton, play);
        let master = Branching::new(tree.problem());
        let mut later = Self {
            stage,
            tree,
            master,
            known: vec![number],
        };
        later.rank(0);
        later
    }

    /// Adds a play.
    pub fn learn(&mut self, skeleton: &Skeleton, number: usize, play: &[i64]) {
        let before = self.tree.problem().columns.len();
        if self.tree.add_play(skeleton, play) {
            self.known.push(number);
            self.master.grow(self.tree.problem());
            self.rank(before);
        }
    }

    fn rank(&mut self, first: usize) {
        for column in first..self.tree.problem().columns.len() {
            self.master.set_rank(column, self.tree.rank(column));
        }
    }

    /// Fixes what was decided before the stage.
    pub fn hold_the_past(&mut self, board: &IdVec<VarId, i64>) {
        for column in 0..self.tree.problem().columns.len() {
            if let Some((var, seen)) = self.tree.copy_at(column)
                && seen.len() < self.stage
            {
                self.master.set_box(column, board[var], board[var]);
            }
        }
    }

    /// Where the decisions of the stage begin.
    pub fn first_column(&self, play: &[i64]) -> usize {
        let column = self.tree.column_of(&play[..self.stage]);
        column.expect("invariant: the past is in the tree")
    }
}
