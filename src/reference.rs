//! The definition, executed.

use crate::budget::Budget;
use crate::outcome::{Outcome, SolveError};
use crate::program::Program;

/// Solves by enumeration.
pub fn solve(_program: &Program, _budget: &mut Budget) -> Result<Outcome, SolveError> {
    Err(SolveError::Unsupported {
        engine: "reference",
        reason: "it is being written".into(),
    })
}
