//! Rows of the program with some variables known and the others as columns of a linear program.

use num_traits::Zero;

use crate::num::Rational;
use crate::program::{IdVec, Row, Term, VarId};

/// What stands for a variable.
#[derive(Clone, Debug)]
pub(super) enum Known {
    /// Its value.
    Value(Rational),
    /// A column.
    Column(VarId),
}

/// The variables of a program, each a value or a column.
pub(super) type Assignment = IdVec<VarId, Known>;

/// The columns' part of a sum, and the number that the known values add up to.
pub(super) fn split(terms: &[Term], assignment: &Assignment) -> (Vec<Term>, Rational) {
    let mut columns = Vec::new();
    let mut number = Rational::zero();
    for (var, factor) in terms {
        match &assignment[*var] {
            Known::Value(value) => number += factor * value,
            Known::Column(column) => columns.push((*column, factor.clone())),
        }
    }
    (columns, number)
}

/// The row over the columns.
pub(super) fn residual(row: &Row, assignment: &Assignment) -> Row {
    let (terms, number) = split(&row.terms, assignment);
    let shifted = |side: &Option<Rational>| side.as_ref().map(|side| side - &number);
    Row {
        name: None,
        terms,
        lower: shifted(&row.lower),
        upper: shifted(&row.upper),
    }
}
