//! Ends for columns that have none of their own: what the rows leave of them.

use num_traits::Signed;

use super::MixedProgram;
use crate::num::Rational;
use crate::program::{Bounds, IdVec, Row, RowId, VarId};

/// Rows are gone through this often; chains of free columns are short in practice.
const PASSES: usize = 8;

/// The box of every column, integers rounded inward, `None` if a column stays without an end.
///
/// **Invariant:** every point of the program lies in the boxes.
/// The sides of rows that show ends are told.
pub(super) fn boxes(
    program: &MixedProgram,
    closed_by: &mut Vec<(RowId, bool, VarId)>,
) -> Option<IdVec<VarId, Bounds>> {
    let mut boxes = program.linear.bounds.clone();
    let is_closed = |range: &Bounds| range.lower.is_some() && range.upper.is_some();
    for _ in 0..PASSES {
        if boxes.iter().all(is_closed) {
            break;
        }
        for (id, row) in program.linear.rows.pairs() {
            for (place, (column, _)) in row.terms.iter().enumerate() {
                if !is_closed(&boxes[*column]) {
                    let [upper, lower] = close(row, place, &mut boxes);
                    closed_by.extend(upper.then_some((id, true, *column)));
                    closed_by.extend(lower.then_some((id, false, *column)));
                }
            }
        }
    }
    for (column, range) in boxes.pairs_mut() {
        if program.integer[column] {
            range.lower = range.lower.take().map(|end| end.ceil());
            range.upper = range.upper.take().map(|end| end.floor());
        }
    }
    boxes.iter().all(is_closed).then_some(boxes)
}

/// Gives a column the ends that a row shows: whether its upper side does, and its lower one.
fn close(row: &Row, place: usize, boxes: &mut IdVec<VarId, Bounds>) -> [bool; 2] {
    let (column, own) = &row.terms[place];
    // The least and the most of the others; `None` is without end.
    let rest = |most: bool| -> Option<Rational> {
        let others = row.terms.iter().enumerate();
        let others = others.filter(|(at, _)| *at != place);
        others
            .map(|(_, (other, by))| {
                let end = match by.is_positive() == most {
                    true => &boxes[*other].upper,
                    false => &boxes[*other].lower,
                };
                Some(end.as_ref()? * by)
            })
            .sum()
    };
    let above =
        |side: &Option<Rational>, rest: Option<Rational>| Some((side.as_ref()? - rest?) / own);
    let by_upper = above(&row.upper, rest(false));
    let by_lower = above(&row.lower, rest(true));
    let shown = [by_upper.is_some(), by_lower.is_some()];
    let (lower, upper) = match own.is_positive() {
        true => (by_lower, by_upper),
        false => (by_upper, by_lower),
    };
    let range = &mut boxes[*column];
    if range.lower.is_none() {
        range.lower = lower;
    }
    if range.upper.is_none() {
        range.upper = upper;
    }
    shown
}
