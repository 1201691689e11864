//! Variables with one value leave the rows, and their share moves to the sides.
//!
//! *The same plays*: a constant is a constant on either side. A universal row that loses its last
//! existential variable this way no longer depends on decisions, which makes the game simpler.

use super::draft::{Domain, Draft, Line};
use crate::program::{IdVec, VarId};

/// Takes fixed variables out of every row; tells how many terms went.
pub(super) fn leave_rows(draft: &mut Draft) -> usize {
    let Draft { domains, lines, .. } = draft;
    lines.iter_mut().map(|line| leave(line, domains)).sum()
}

fn leave(line: &mut Line, domains: &IdVec<VarId, Domain>) -> usize {
    let before = line.terms.len();
    let mut share = 0;
    line.terms.retain(|&(var, coefficient)| {
        let domain = &domains[var];
        if domain.is_fixed() {
            share += coefficient * domain.lower;
        }
        !domain.is_fixed()
    });
    let gone = before - line.terms.len();
    if gone > 0 {
        line.shift_sides(-share, -share);
        line.normalize();
    }
    gone
}
