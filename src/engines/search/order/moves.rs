//! The values that a frame tries, and which of them first.
//!
//! A value that was best before or that refuted before goes first; what is left of a small domain
//! follows by what it has refuted, a wide one is halved, so that bounds can discard it whole.

use smallvec::SmallVec;

use crate::program::{Quantifier, VarId};
use crate::propagate::End;
use crate::search::Search;

/// Values still to try, as ranges, the next one last.
pub(in crate::search) type Ranges = SmallVec<[(i64, i64); 3]>;

impl Search<'_> {
    /// The values to try, as ranges, the first one last.
    pub(in crate::search) fn moves(
        &self,
        var: VarId,
        player: Quantifier,
        hint: Option<i64>,
    ) -> Ranges {
        let (lower, upper) = (
            self.position.store.lower(var),
            self.position.store.upper(var),
        );
        if let Some(end) = self.only_end(var) {
            let value = if end == End::Lower { lower } else { upper };
            return Ranges::from_slice(&[(value, value)]);
        }
        let guess = hint
            .unwrap_or_else(|| self.guess(var, player))
            .clamp(lower, upper);
        if let Some(count) = self.history.count(var).filter(|_| self.settings.history) {
            let mut values: SmallVec<[i64; 16]> = (lower..=upper).collect();
            values.sort_by_key(|&value| (value == guess, count(value)));
            return values.into_iter().map(|value| (value, value)).collect();
        }
        let middle = lower + (upper - lower) / 2;
        let rest_is_wide = self.position.is_decided(var) && upper - lower >= WIDE;
        // A wide rest is halved, so that bounds can discard it without enumerating it.
        let mut ranges: Ranges = if rest_is_wide {
            Ranges::from_slice(&[(middle + 1, upper), (lower, middle)])
        } else {
            let around = [(guess + 1, upper), (lower, guess - 1)];
            around
                .into_iter()
                .filter(|(lower, upper)| lower <= upper)
                .collect()
        };
        if guess > middle {
            ranges.reverse();
        }
        if !rest_is_wide {
            ranges.push((guess, guess));
        }
        ranges
    }

    pub(in crate::search) fn only_end(&self, var: VarId) -> Option<End> {
        if self.settings.monotone {
            self.only_ends[var]
        } else {
            None
        }
    }

    /// The end to try first when nothing better is known: cheap for the existential player, dear
    /// for the universal one.
    pub(in crate::search) fn guess(&self, var: VarId, player: Quantifier) -> i64 {
        let objective = self.inequalities.objective();
        let column = self.inequalities.column(var);
        let up_costs = column
            .last()
            .is_some_and(|entry| entry.at == objective && entry.coefficient > 0);
        let store = &self.position.store;
        let is_wide = store.upper(var) - store.lower(var) >= VERY_WIDE;
        let costs = column.last().is_some_and(|entry| entry.at == objective);
        // A wide domain begins where it hurts the rows: what answers that may answer all of it.
        if player == Quantifier::Forall && is_wide && !costs {
            let heads = self.inequalities.heads();
            let theirs = column
                .iter()
                .filter(|entry| heads[entry.at].owner == Quantifier::Exists);
            let upward = theirs.map(|entry| entry.coefficient.signum()).sum::<i64>() > 0;
            return if upward {
                store.upper(var)
            } else {
                store.lower(var)
            };
        }
        let upward = up_costs == (player == Quantifier::Forall);
        if upward {
            self.position.store.upper(var)
        } else {
            self.position.store.lower(var)
        }
    }
}

/// Domains at least this wide are not to be walked through.
pub(in crate::search) const VERY_WIDE: i64 = 256;

/// Ranges at least this wide are halved instead of tried value by value.
const WIDE: i64 = 8;
