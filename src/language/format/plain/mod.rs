//! Programs without quantifiers, as MPS and LP files hold them, on their way to quantified ones.
//!
//! Alone such a file is one existential block. A prefix file or the auxiliary file of a bilevel
//! program arranges its variables in blocks and gives rows to the opponent.
//!
//! **Invariant:** the terms of a [`Plain`] name columns by their place in the file; an
//! [`Arrangement`] lists every column once.

mod bounds;
mod finish;
mod names;

use std::ops::Range;

pub(super) use finish::program;
pub(super) use names::settled;

use crate::program::{Bounds, Kind, Objective, Quantifier, Row};

/// A column with all that the file says about it.
#[derive(Clone, Debug)]
pub(super) struct Column {
    /// As the file spells it, until [`settled`].
    pub name: String,
    pub span: Range<usize>,
    pub kind: Kind,
    pub bounds: Bounds,
}

/// A file's content.
#[derive(Clone, Debug, Default)]
pub(super) struct Plain {
    pub columns: Vec<Column>,
    /// Rows with the place where they stand.
    pub rows: Vec<(Row, Range<usize>)>,
    pub objective: Option<Objective>,
}

/// Who fixes which column when, and whose rule each row is.
#[derive(Clone, Debug)]
pub(super) struct Arrangement {
    pub order: Vec<(usize, Quantifier)>,
    pub universal_rows: Vec<bool>,
}

impl Plain {
    /// Everything in one existential block.
    pub fn alone(&self) -> Arrangement {
        let columns = 0..self.columns.len();
        Arrangement {
            order: columns.map(|column| (column, Quantifier::Exists)).collect(),
            universal_rows: vec![false; self.rows.len()],
        }
    }
}
