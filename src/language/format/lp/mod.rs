//! LP files as CPLEX writes them: a program row by row, without quantifiers.
//!
//! They look like Yasol's dialect, but names have other letters, a word at the beginning of a line
//! opens a section, and rows may break anywhere because their right-hand side is one number.

mod reader;
mod rows;
mod sections;
mod spell;
mod token;
mod writer;

pub(super) use reader::read;
pub(super) use spell::{Speller, plain_rows, refuse_opponent};
pub use writer::write_lp;

/// How an LP file gives a variable bounds.
pub(super) const REMEDY: &str = "give it bounds: `0 <= {} <= 1000` below `Bounds`";
