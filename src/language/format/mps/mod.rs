//! MPS files: a program column by column, in fixed or free form.
//!
//! In free form blanks separate the fields; in fixed form fields stand in fixed columns and names may
//! contain blanks. A file is free unless only the fixed columns make sense of it.

mod card;
mod columns;
mod reader;
mod sides;
mod writer;

pub use writer::write_mps;

use super::diagnostic::Problems;
use super::plain::Plain;
use card::Layout;

/// How an MPS file gives a variable bounds.
pub(super) const REMEDY: &str = "give it bounds: ` UP BND {} 1000` below BOUNDS";

/// Reads a text in either form.
pub(super) fn read(text: &str) -> (Option<Plain>, Problems) {
    let (free, found) = reader::read(text, Layout::Free);
    if !found.has_errors() || text.contains('\t') {
        return (free, found);
    }
    let (fixed, also) = reader::read(text, Layout::Fixed);
    if also.has_errors() {
        (None, found)
    } else {
        (fixed, also)
    }
}
