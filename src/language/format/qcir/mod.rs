//! QCIR: quantified Boolean formulas as circuits.
//!
//! A text becomes a [`circuit`] of named gates, [`prenex`] pulls its quantifiers to the front and
//! leaves out what the output does not need, [`encode`] makes a program of the rest. Nothing here
//! recurses: a circuit may be as deep as it is large.

mod check;
mod circuit;
mod encode;
mod prenex;
mod reader;
mod token;
mod writer;

pub use writer::write_qcir;

use super::diagnostic::Problems;
use super::formula::Formula;
use crate::program::Program;

/// Reads a formula. There is a program only if there is no error.
pub(super) fn read(text: &str) -> (Option<(Program, Formula)>, Problems) {
    let (circuit, mut problems) = reader::read(text);
    let order = check::check(&circuit, &mut problems);
    if problems.has_errors() {
        return (None, problems);
    }
    match prenex::prenex(&circuit, &order) {
        Ok(flat) => (Some(encode::encode(&flat)), problems),
        Err(draft) => {
            problems.push(draft);
            (None, problems)
        }
    }
}
