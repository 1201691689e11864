//! Universal reduction: a row faces the worst of the universals that come after its existentials.
//!
//! *Pressing.* Let `u` be a free universal variable that stands behind every existential variable
//! of an existential row. When `u` is fixed, the existential player can no longer do anything for
//! the row, and the universal player may choose any value of `u`. A strategy that wins against all
//! of them satisfies the row for each, so it satisfies the row with `u` at its worst; and a row that
//! holds at the worst holds. Both sides of a row take their own worst value. The variable leaves the
//! row and stays in the program, where it may still matter to other rows and the objective.
//!
//! For clauses this is the universal reduction of Kleine Büning, Karpinski and Flögel (1995).

use super::draft::{Draft, Line};
use crate::program::{IdVec, Quantifier, VarId};

/// Reduces every existential row; tells how many terms went.
pub(super) fn reduce(draft: &mut Draft) -> usize {
    if !draft.may_press {
        return 0;
    }
    let restricted = draft.restricted();
    let mut lines = std::mem::take(&mut draft.lines);
    let existential = |line: &&mut Line| line.owner == Quantifier::Exists;
    let gone = lines
        .iter_mut()
        .filter(existential)
        .map(|line| reduce_line(line, draft, &restricted))
        .sum();
    draft.lines = lines;
    gone
}

fn reduce_line(line: &mut Line, draft: &Draft, restricted: &IdVec<VarId, bool>) -> usize {
    let is_existential = |(var, _): &(VarId, i64)| draft.domains[*var].owner == Quantifier::Exists;
    let tail = line
        .terms
        .iter()
        .rposition(is_existential)
        .map_or(0, |last| last + 1);
    let (mut least, mut greatest) = (0, 0);
    let mut place = 0;
    let before = line.terms.len();
    line.terms.retain(|&term| {
        let goes = place >= tail && !restricted[term.0];
        place += 1;
        if goes {
            let range = draft.term_range(term);
            (least, greatest) = (least + range.0, greatest + range.1);
        }
        !goes
    });
    let gone = before - line.terms.len();
    if gone > 0 {
        line.shift_sides(-least, -greatest);
        line.normalize();
    }
    gone
}
