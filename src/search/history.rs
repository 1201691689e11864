//! History: a value that refuted the opponent in one place often does so in another.
//!
//! For each variable the value that last cut a position off is remembered and tried first where
//! the table knows nothing better. Only the order of moves hangs on it.

use crate::program::{IdVec, VarId};

/// The last refuting value of each variable.
#[derive(Debug)]
pub(super) struct History(IdVec<VarId, Option<i64>>);

impl History {
    pub(super) fn new(variables: usize) -> Self {
        Self(IdVec::filled(variables, None))
    }

    pub(super) fn remember(&mut self, var: VarId, value: i64) {
        self.0[var] = Some(value);
    }

    pub(super) fn value(&self, var: VarId) -> Option<i64> {
        self.0[var]
    }
}
