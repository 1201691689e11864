//! QDIMACS: quantified Boolean formulas in clauses.
//!
//! Read as files in the wild are, written as the standard wants them. Variable 12 of a file is
//! called `x12` in the program, and the other way round.

mod reader;
mod words;
mod writer;

pub(super) use reader::read;
pub use writer::write_qdimacs;
