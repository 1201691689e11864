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

use super::Search;
use super::worth::{WON, Worth};
use crate::program::{Program, Quantifier, VarId};
use crate::propagate::{Entry, InequalityId};

/// A complete play below the last universal variable.
#[derive(Debug)]
pub(super) struct Reply {
    value: i64,
    cost: Worth,
    /// For each existential row of the variable: its coefficient, and the room that is left.
    rooms: SmallVec<[(i64, i64); 8]>,
    cost_per_step: i64,
}

impl Reply {
    /// What the same moves cost if the variable has another value; nothing if a row breaks.
    pub(super) fn cost_under(&self, value: i64) -> Option<Worth> {
        let steps = value - self.value;
        let keeps = |(coefficient, room): &(i64, i64)| coefficient * steps <= *room;
        (self.rooms.iter().all(keeps)).then(|| self.cost + self.cost_per_step * steps)
    }

    /// Drops from the ends of a range the values that bring at most `worth`; tells the most that
    /// those may bring.
    pub(super) fn shorten(&self, (lower, upper): &mut (i64, i64), worth: Worth) -> Worth {
        let brings = |value| self.cost_under(value).filter(|cost| *cost <= worth);
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
}

/// The last universal variable, after which nobody answers.
pub(super) fn last_universal(program: &Program) -> Option<VarId> {
    let mut variables = program.variables().ids().rev();
    variables.find(|&var| program.variables()[var].quantifier == Quantifier::Forall)
}

impl Search<'_> {
    /// Shows the play that has just been completed to the frame of the last universal variable.
    pub(super) fn offer_copy(&mut self) {
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
