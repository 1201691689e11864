//! Bilevel programs whose follower is the leader's opponent, as MibS reads them: an MPS or LP file
//! and an auxiliary file that says which variables and rows are the follower's.
//!
//! The leader fixes his variables; the follower then answers with an optimum of his own program. If
//! the follower's objective is the opposite of what the leader's says about the follower's variables, the
//! answer is the worst one for the leader, and the follower is a universal player whose rows are the
//! follower's. Two things are not the same, and both are seen to:
//!
//! - A row of the leader that mentions the follower's variables chooses among the follower's
//!   optima in the optimistic reading of bilevel programs, while a universal player may break it.
//!   Such a file is refused.
//! - A leader who leaves the follower without an answer has no solution, while an existential player
//!   who kills the other system wins outright. So the leader also names one answer that keeps the follower's rows:
//!   copies of the follower's variables, called `…'`, in the first block, and copies of the rows.
//!
//! **Invariant:** the program has the bilevel program's value, or there is no program.

mod opposed;
mod reader;

use super::beside::Beside;
use super::diagnostic::Problems;
use super::plain::{program, settled};
use super::prefix::named;
use crate::program::Program;

/// Reads an auxiliary file and the model beside it. `name` is what the file is called.
pub(super) fn read(name: &str, text: &str, beside: &Beside) -> (Option<Program>, Problems) {
    let mut problems = Problems::default();
    let Some(file) = reader::read(name, text, &mut problems) else {
        return (None, problems);
    };
    let span = file.model_span.clone();
    let found = named(&file.model, &span, beside, &mut problems);
    let program = found.and_then(|(mut plain, remedy)| {
        let follower = file.follower(&plain, &mut problems)?;
        for column in &mut plain.columns {
            column.span = span.clone();
        }
        for (_, row) in &mut plain.rows {
            *row = span.clone();
        }
        settled(&mut plain, &mut problems);
        let arrangement = opposed::arranged(&mut plain, &follower, &span, &mut problems)?;
        program(plain, &arrangement, remedy, &mut problems)
    });
    (program.filter(|_| !problems.has_errors()), problems)
}
