//! What a frame has learnt about the values that were looked at: the reasons of its losses, or of
//! its wins, and the values that those cover.

use smallvec::SmallVec;

use crate::program::VarId;
use crate::propagate::{Because, End, Literal};

/// Values still to try, as ranges, the next one last.
pub(super) type Ranges = SmallVec<[(i64, i64); 3]>;

/// See the module.
#[derive(Debug)]
pub(super) struct Lessons {
    /// The union of the reasons so far, without the frame's variable; nothing once a reason is missing.
    pub(super) because: Option<Because>,
    /// Reasons cover the values from here …
    pub(super) from: i64,
    /// … to here.
    pub(super) to: i64,
}

impl Lessons {
    /// No value was looked at.
    pub(super) fn none() -> Self {
        Self {
            because: Some(Because::default()),
            from: i64::MAX,
            to: i64::MIN,
        }
    }

    /// One reason covers every value.
    pub(super) fn whole(because: Because) -> Self {
        Self {
            because: Some(because),
            from: i64::MIN,
            to: i64::MAX,
        }
    }

    /// Takes a reason that covers the values `from ..= to` and drops those from what is still to be
    /// tried; tells how many ranges need no look now.
    pub(super) fn learn(
        &mut self,
        because: Because,
        (from, to): (i64, i64),
        ranges: &mut Ranges,
    ) -> u64 {
        let before = ranges.len();
        if (from, to) == (i64::MIN, i64::MAX) {
            *self = Self::whole(because);
            ranges.clear();
            return before as u64;
        }
        if let Some(known) = &mut self.because {
            unite(known, &because);
        }
        self.from = self.from.min(from);
        self.to = self.to.max(to);
        ranges.retain(|range| {
            if from <= range.0 && range.0 <= to {
                range.0 = to.saturating_add(1);
            }
            if from <= range.1 && range.1 <= to {
                range.1 = from.saturating_sub(1);
            }
            range.0 <= range.1
        });
        (before - ranges.len()) as u64
    }
}

/// Takes a variable's bounds out of a reason: the values that they allow.
pub(super) fn without(because: &mut Because, var: VarId) -> (i64, i64) {
    let (mut from, mut to) = (i64::MIN, i64::MAX);
    while let Some(literal) = because.literals.pop_if(|literal| literal.var == var) {
        match literal.end {
            End::Lower => from = literal.value,
            End::Upper => to = literal.value,
        }
    }
    (from, to)
}

/// Adds the bounds of another reason; of two at one end the tighter stays.
fn unite(known: &mut Because, more: &Because) {
    known.leans_on_cost |= more.leans_on_cost;
    if more.literals.is_empty() {
        return;
    }
    let own = std::mem::take(&mut known.literals);
    let order = |literal: &Literal| (literal.var, literal.end as u8);
    let (mut left, mut right) = (own.iter().peekable(), more.literals.iter().peekable());
    known.literals.reserve(own.len() + more.literals.len());
    loop {
        let next = match (left.peek(), right.peek()) {
            (None, None) => return,
            (Some(_), None) => left.next(),
            (None, Some(_)) => right.next(),
            (Some(a), Some(b)) if order(a) == order(b) => {
                let (a, b) = (left.next(), right.next());
                match (a, b) {
                    (Some(a), Some(b)) if a.follows_from(b.value) => Some(b),
                    _ => a,
                }
            }
            (Some(a), Some(b)) if order(a) < order(b) => left.next(),
            _ => right.next(),
        };
        known.literals.extend(next);
    }
}
