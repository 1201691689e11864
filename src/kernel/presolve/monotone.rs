//! Existential variables that pull every row and the objective one way are fixed at that end.
//!
//! *Why the value stays.* Let `x` be an existential variable of no universal row, and let no side
//! of an existential row and not the objective be hurt by raising it. Take any strategy and let it
//! play `x` at its upper end instead, all else alike. The universal system is alive in the same
//! positions, because no universal row mentions `x`. The existential system is alive wherever it
//! was, because what completed it still does. The objective is as good. So the end is at least as
//! good as any other value, whoever can kill whose system, and the other values may go.
//!
//! The same argument for universal variables would take moves from the universal player, to which a
//! strategy must have an answer; the search does without trying them instead.

use super::draft::Draft;
use crate::program::{IdVec, Quantifier, VarId};

/// Which ways of moving a variable can hurt the existential player.
#[derive(Copy, Clone, Default)]
struct Hurts {
    up: bool,
    down: bool,
}

/// Fixes monotone variables; tells how many.
pub(super) fn fix(draft: &mut Draft) -> usize {
    let restricted = draft.restricted();
    let hurts = directions(draft);
    let mut count = 0;
    for var in draft.domains.ids() {
        let domain = &mut draft.domains[var];
        let Hurts { up, down } = hurts[var];
        let both = up && down;
        if domain.owner == Quantifier::Forall || domain.is_fixed() || restricted[var] || both {
            continue;
        }
        let end = if down { domain.upper } else { domain.lower };
        domain.narrow(end, end);
        count += 1;
    }
    count
}

fn directions(draft: &Draft) -> IdVec<VarId, Hurts> {
    let mut hurts = IdVec::filled(draft.domains.len(), Hurts::default());
    for (var, &rank) in draft.cost_ranks.pairs() {
        hurts[var].up = rank > 0;
        hurts[var].down = rank < 0;
    }
    for line in draft.lines_of(Quantifier::Exists) {
        for &(var, coefficient) in &line.terms {
            let (toward_upper, toward_lower) = (line.upper.is_some(), line.lower.is_some());
            let rises = coefficient > 0;
            hurts[var].up |= if rises { toward_upper } else { toward_lower };
            hurts[var].down |= if rises { toward_lower } else { toward_upper };
        }
    }
    hurts
}
