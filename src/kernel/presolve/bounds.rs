//! Values that lose by the sight of one row leave the domains of existential variables.
//!
//! For a value of `x` look at one side of an existential row with every other variable at its best
//! for the row.
//!
//! *The same plays*: if the row fails even so, it fails in every play with this value, so the value
//! kills its owner's system and is no legal move. The rows hold in the same plays without it.
//! Variables of universal rows are left alone: there the domain also decides whether the universal
//! system is alive.
//!
//! *Pressing*: free universals that come after `x` may be taken at their worst instead. If the row
//! then fails, the universal player wins against this value by choosing them so, and it may go.
//!
//! A domain never becomes empty: if no value is left, the game is lost for other reasons too, and
//! the engine says so.

use super::draft::{Domain, Draft, Line};
use crate::program::{IdVec, Quantifier, VarId};

/// Goes over every existential row once; tells how many domains shrank.
pub(super) fn tighten(draft: &mut Draft) -> usize {
    let restricted = draft.restricted();
    let lines = std::mem::take(&mut draft.lines);
    let mut count = 0;
    for line in lines.iter().filter(|line| line.owner == Quantifier::Exists) {
        for side in [Side::Upper, Side::Lower] {
            count += tighten_by(line, side, draft, &restricted);
        }
    }
    draft.lines = lines;
    count
}

#[derive(Copy, Clone)]
enum Side {
    Upper,
    Lower,
}

fn tighten_by(
    line: &Line,
    side: Side,
    draft: &mut Draft,
    restricted: &IdVec<VarId, bool>,
) -> usize {
    // Both sides are treated as `Σ a x <= rhs`.
    let (sign, rhs) = match (side, line.lower, line.upper) {
        (Side::Upper, _, Some(upper)) => (1, upper),
        (Side::Lower, Some(lower), _) => (-1, -lower),
        _ => return 0,
    };
    let least: i64 = line
        .terms
        .iter()
        .map(|&(var, a)| draft.term_range((var, sign * a)).0)
        .sum();
    let mut slack = rhs - least;
    let mut count = 0;
    for &(var, coefficient) in line.terms.iter().rev() {
        if slack < 0 {
            break;
        }
        let free = draft.may_press && !restricted[var];
        let term = (var, sign * coefficient);
        match draft.domains[var].owner {
            Quantifier::Forall if free => {
                let (low, high) = draft.term_range(term);
                slack -= high - low;
            }
            Quantifier::Exists if !restricted[var] => {
                count += usize::from(keep_within(&mut draft.domains[var], term.1, slack));
            }
            _ => {}
        }
    }
    count
}

/// Leaves the values that are at most `slack / |coefficient|` away from the best end.
fn keep_within(domain: &mut Domain, coefficient: i64, slack: i64) -> bool {
    let room = slack / coefficient.abs();
    if room >= domain.upper - domain.lower {
        return false;
    }
    if coefficient > 0 {
        domain.narrow(domain.lower, domain.lower + room);
    } else {
        domain.narrow(domain.upper - room, domain.upper);
    }
    true
}
