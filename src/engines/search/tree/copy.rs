//! Strategic copies: a reply that also answers another universal value need not be looked for again.
//!
//! After the last universal variable only the existential player moves, so what he has found for
//! one value is a list of fixed moves. If the same moves keep every row under another value, and
//! cost no more than the universal player has already got from the values before, then that value
//! brings him nothing, and is not searched.
//!
//! **Soundness.** The copied play is complete and keeps all existential rows, so it bounds what the
//! other value is worth; an illegal value is worth nothing to its owner anyway. What the dropped
//! values may bring counts in the node's worth, so that a worth at or below alpha stays a bound.

use smallvec::SmallVec;

use crate::program::{Program, Quantifier, VarId};
use crate::propagate::{Entry, InequalityId};
use crate::search::Search;
use crate::search::worth::{WON, Worth};

/// A complete play below the last universal variable.
#[derive(Debug)]
pub(in crate::search) struct Reply {
    value: i64,
    cost: Worth,
    /// For each existential row of the variable: its coefficient, and the room that is left.
    rooms: SmallVec<[(i64, i64); 8]>,
    cost_per_step: i64,
}

impl Reply {
    /// What the same moves cost if the variable has another value.
    fn cost_at(&self, value: i64) -> i128 {
        i128::from(self.cost) + i128::from(self.cost_per_step) * self.steps(value)
    }

    fn steps(&self, value: i64) -> i128 {
        i128::from(value) - i128::from(self.value)
    }

    /// The values under which the same moves keep the rows and cost at most `worth`, as far from
    /// the reply's own as told on each side.
    fn answered(&self, (lower, upper): (i64, i64), worth: Worth) -> Option<(i64, i64)> {
        let (mut first, mut last) = (self.steps(lower), self.steps(upper));
        let rooms = self
            .rooms
            .iter()
            .map(|&(by, room)| (by.into(), room.into()));
        let dearer = i128::from(worth) - i128::from(self.cost);
        let limits = rooms.chain([(i128::from(self.cost_per_step), dearer)]);
        for (by, room) in limits {
            match by {
                0 if room < 0 => return None,
                0 => {}
                1.. => last = last.min(room.div_euclid(by)),
                // At least the quotient, rounded up: minus the rounded-down one of the opposite.
                _ => first = first.max(-room.div_euclid(-by)),
            }
        }
        let own = i128::from(self.value);
        let value = |steps: i128| i64::try_from(own + steps).ok();
        (first <= last).then_some((value(first)?, value(last)?))
    }

    /// Drops from the ends of a range the values that bring at most `worth`; tells the most that
    /// those may bring. It takes no longer for a wide range: such values lie side by side.
    pub(in crate::search) fn shorten(&self, range: &mut (i64, i64), worth: Worth) -> Worth {
        let Some((first, last)) = self.answered(*range, worth) else {
            return WON;
        };
        let (lower, upper) = *range;
        if first == lower {
            range.0 = last.saturating_add(1);
        } else if last == upper {
            range.1 = first.saturating_sub(1);
        } else {
            return WON;
        }
        let most = self.cost_at(first).max(self.cost_at(last));
        Worth::try_from(most).unwrap_or(worth)
    }
}

/// The last universal variable, after which nobody answers.
pub(in crate::search) fn last_universal(program: &Program) -> Option<VarId> {
    let mut variables = program.variables().ids().rev();
    variables.find(|&var| program.variables()[var].quantifier == Quantifier::Forall)
}

impl Search<'_> {
    /// Shows the play that has just been completed to the frame of the last universal variable.
    pub(in crate::search) fn offer_copy(&mut self) {
        let Some(last) = self.last_universal.filter(|_| self.settings.copies) else {
            return;
        };
        let frame = self.frames.iter_mut().rev();
        let Some(frame) = { frame }.find(|frame| frame.is_universal()) else {
            return;
        };
        let cost = self.position.spent();
        let is_cheaper = frame.reply.as_ref().is_none_or(|known| cost < known.cost);
        if frame.var() != last || !self.position.store.is_fixed(last) || !is_cheaper {
            return;
        }
        let inequalities = &self.inequalities;
        let objective = inequalities.objective();
        let column = inequalities.column(last).iter();
        let owned = column.clone().filter(|entry| {
            inequalities.heads()[entry.at].owner == Quantifier::Exists && entry.at != objective
        });
        let room = |entry: &Entry<InequalityId>| {
            let used = self.position.done(entry.at);
            (entry.coefficient, inequalities.heads()[entry.at].rhs - used)
        };
        let mut costs = column.filter(|entry| entry.at == objective);
        frame.reply = Some(Reply {
            value: self.position.store.lower(last),
            cost,
            rooms: owned.map(room).collect(),
            cost_per_step: costs.next().map_or(0, |entry| entry.coefficient),
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The same, value by value.
    fn walked(reply: &Reply, (lower, upper): &mut (i64, i64), worth: Worth) -> Worth {
        let brings = |value: i64| {
            let steps = value - reply.value;
            let keeps = |(by, room): &(i64, i64)| by * steps <= *room;
            let cost = reply.cost + reply.cost_per_step * steps;
            (reply.rooms.iter().all(keeps) && cost <= worth).then_some(cost)
        };
        let mut most = WON;
        while lower <= upper {
            if let Some(cost) = brings(*lower) {
                *lower += 1;
                most = most.max(cost);
            } else if let Some(cost) = brings(*upper) {
                *upper -= 1;
                most = most.max(cost);
            } else {
                break;
            }
        }
        most
    }

    #[test]
    fn an_interval_is_what_a_walk_would_drop() {
        let mut state = 1_u64;
        let mut number = |most: i64| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            (state >> 40) as i64 % (2 * most + 1) - most
        };
        for _ in 0..100_000 {
            let rooms = number(2).unsigned_abs() as usize;
            let reply = Reply {
                value: number(6),
                cost: number(5),
                rooms: (0..rooms).map(|_| (number(4), number(9) + 6)).collect(),
                cost_per_step: number(2),
            };
            let lower = number(9);
            let range = (lower, lower + number(6) + 5);
            let worth = number(9);
            let (mut quick, mut slow) = (range, range);
            let most = reply.shorten(&mut quick, worth);
            assert_eq!(
                most,
                walked(&reply, &mut slow, worth),
                "{reply:?} on {range:?}"
            );
            let left = |range: (i64, i64)| (range.0 <= range.1).then_some(range);
            assert_eq!(left(quick), left(slow), "{reply:?} on {range:?}");
        }
        let wide = Reply {
            value: 0,
            cost: 0,
            rooms: SmallVec::from_slice(&[(1 << 40, 1 << 62)]),
            cost_per_step: 1,
        };
        let mut range = (0, 1 << 60);
        assert_eq!(wide.shorten(&mut range, 1_000), 1_000);
        assert_eq!(range, (1_001, 1 << 60));
    }
}
