//! Which programs with real variables the enumeration takes, and what stands in the way of others.
//!
//! From the first real variable on, in playing order, is the *tail*. Its existential variables must
//! all be real, so that the tail is one linear program over its scenarios. Its universal moves must
//! be finitely many: universal rows mention neither its existential variables, whose values are not
//! enumerated, nor its real universal ones, for which the corners would not suffice.

use super::board::Board;
use super::unsupported;
use crate::outcome::SolveError;
use crate::program::{IdVec, Kind, Program, Quantifier, RowId, VarId};

/// Refuses a program that is outside the class, with a sentence that says why.
pub(super) fn admit(program: &Program, board: &Board) -> Result<(), SolveError> {
    let Some(first) = board.places.get(board.tail) else {
        return Ok(());
    };
    existential_tail_is_real(program, board, first.var)?;
    for (row, terms) in program.universal_rows().pairs() {
        for (var, _) in &terms.terms {
            universal_row_may_mention(program, row, *var)?;
        }
    }
    Ok(())
}

fn existential_tail_is_real(
    program: &Program,
    board: &Board,
    first: VarId,
) -> Result<(), SolveError> {
    let mut tail = board.places[board.tail..].iter();
    let whole = tail.find(|place| place.owner == Quantifier::Exists && place.range.is_some());
    match whole {
        None => Ok(()),
        Some(place) => Err(unsupported(format!(
            "the integer variable `{}` is chosen after the real variable `{}`; \
             it enumerates integers and cannot enumerate reals before them",
            name(program, place.var),
            name(program, first),
        ))),
    }
}

fn universal_row_may_mention(program: &Program, row: RowId, var: VarId) -> Result<(), SolveError> {
    let variable = &program.variables()[var];
    if variable.kind == Kind::Integer {
        return Ok(());
    }
    let label = program.row_label(Quantifier::Forall, row);
    Err(unsupported(match variable.quantifier {
        Quantifier::Exists => format!(
            "universal row {label} mentions the real existential variable `{}`; which universal \
             moves are legal would depend on a value that is not enumerated",
            variable.name
        ),
        Quantifier::Forall => format!(
            "the real universal variable `{}` is restricted by universal row {label}; its corners \
             are not enough then, and its other values cannot be enumerated",
            variable.name
        ),
    }))
}

fn name(program: &Program, var: VarId) -> &str {
    let variables: &IdVec<VarId, _> = program.variables();
    &variables[var].name
}
