//! What parts of a plan need of the moves before them; see `extract_reuse.rs`.
//!
//! The ends of a plan say what they need: an owner's row that goes on behind an end needs room for
//! what it may still take there, the opponent's rows that a proof leans on need to be as full as the
//! proof says. From there needs are carried toward the root, move by move, and those that no play
//! can fail to meet are dropped. Where ends stated the sums of the owner's rows as they were, the
//! walks of one interdiction model took 31,000 positions; they take 1,800.

use rustc_hash::FxHashMap;

use super::extract::Extraction;
use super::extract_leaf::{Leaves, side};
use crate::num::to_i64;
use crate::outcome::Move;
use crate::program::{Id, IdVec, Quantifier, VarId};
use crate::propagate::{Entry, Inequalities, InequalityId};
use crate::strategy::{Proof, SideRef, Step};

/// For some rows, sorted: how large the sum before may be in one of the owner, how small in another.
pub(super) type Rooms = Vec<(InequalityId, i64)>;

/// A list of rooms, by where it lies among all of them.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) struct Needs {
    pub from: u32,
    pub to: u32,
}

/// Facts of the rows by which needs are told.
pub(super) struct RowFacts {
    /// For each row and each of its terms, what the terms before can add up to: least and most.
    before: IdVec<InequalityId, Vec<(i64, i64)>>,
    names: FxHashMap<SideRef, InequalityId>,
}

impl RowFacts {
    pub fn new(inequalities: &Inequalities, leaves: &Leaves) -> Self {
        let sums = |id: InequalityId| {
            let mut sum = (0, 0);
            let mut sums = vec![sum];
            for term in inequalities.terms(id) {
                let (lower, upper) = leaves.domain(term.at);
                let ends = [lower * term.coefficient, upper * term.coefficient];
                sum = (sum.0 + ends[0].min(ends[1]), sum.1 + ends[0].max(ends[1]));
                sums.push(sum);
            }
            sums
        };
        let heads = inequalities.heads();
        Self {
            before: IdVec::from_vec(heads.ids().map(sums).collect()),
            names: heads.ids().map(|id| (side(inequalities, id), id)).collect(),
        }
    }
}

impl Extraction<'_, '_> {
    pub(super) fn owns(&self, id: InequalityId) -> bool {
        self.search.inequalities.heads()[id].owner == self.owner
    }

    /// The room that the owner's rows need at an end after `place` variables, if each later variable
    /// adds to a row what `rest` says.
    pub(super) fn own_needs(&self, place: usize, rest: impl Fn(&Entry<VarId>) -> i64) -> Rooms {
        let inequalities = &self.search.inequalities;
        let mut rooms = Vec::new();
        for id in inequalities.heads().ids() {
            if id == inequalities.objective() || !self.owns(id) {
                continue;
            }
            let terms = inequalities.terms(id);
            let later = terms.partition_point(|term| term.at.index() < place);
            if later == 0 || later == terms.len() {
                // It has not begun, or its last variable has demanded that it holds.
                continue;
            }
            let taken: i64 = terms[later..].iter().map(&rest).sum();
            let room = inequalities.heads()[id].rhs - taken;
            if room < self.facts.before[id][later].1 {
                rooms.push((id, room));
            }
        }
        rooms
    }

    /// What a variable adds to a universal row at the end of a refutation: the universal player
    /// makes the moves of `play` and is at lower ends elsewhere, the existential one does his worst.
    pub(super) fn at_worst<'e>(&'e self, play: &'e [Move]) -> impl Fn(&Entry<VarId>) -> i64 + 'e {
        move |entry| {
            let ends = self.leaves.domain(entry.at);
            let ends = [ends.0, ends.1].map(|value| value * entry.coefficient);
            match self.search.position.store.owner(entry.at) {
                Quantifier::Exists => ends[0].max(ends[1]),
                Quantifier::Forall => named(play, entry).unwrap_or(ends[0]),
            }
        }
    }

    /// The needs of an end where the opponent's system is dead and the owner's is completed by some
    /// values, and by lower ends elsewhere.
    pub(super) fn dead_needs(&self, proof: &Proof, alive: Option<&[Move]>) -> Rooms {
        let mut rooms = self.proof_needs(proof, None);
        if let Some(alive) = alive {
            rooms.extend(self.own_needs(self.place, |entry| {
                let lower = self.leaves.domain(entry.at).0 * entry.coefficient;
                named(alive, entry).unwrap_or(lower)
            }));
        }
        rooms.sort_unstable();
        rooms
    }
    /// What a proof that the opponent's system is dead needs of the variables before the present
    /// place; if a move is told, the system is dead after it.
    pub(super) fn proof_needs(&self, proof: &Proof, played: Option<(VarId, i64)>) -> Rooms {
        let inequalities = &self.search.inequalities;
        let of_step = |step: &Step| match step {
            Step::Row(side) | Step::Cut(side, _) => Some(*side),
            Step::Split(..) | Step::Mix(_) => None,
        };
        let given = proof.given.iter().map(|given| given.0);
        let sides = proof.steps.iter().filter_map(of_step).chain(given);
        let mut rooms = Vec::new();
        for id in sides.filter_map(|side| self.facts.names.get(&side).copied()) {
            let terms = inequalities.terms(id);
            let before = terms.partition_point(|term| term.at.index() < self.place);
            if before == 0 {
                continue;
            }
            let mut room = self.sums[id];
            if proof.steps.len() == 1 && proof.given.is_empty() {
                // By the sight of the row alone: it need not be as full as it is.
                let own = played.filter(|(var, _)| terms.get(before).map(|it| it.at) == Some(*var));
                let rest = before + usize::from(own.is_some());
                let added = own.map_or(0, |(_, value)| terms[before].coefficient * value);
                let sums = &self.facts.before[id];
                let least = sums[terms.len()].0 - sums[rest].0;
                room = inequalities.heads()[id].rhs + 1 - least - added;
            }
            rooms.push((id, room));
        }
        rooms.sort_unstable();
        rooms.dedup_by_key(|room| room.0);
        rooms
    }

    /// The needs before a variable took one of some values.
    pub(super) fn needs_before(&self, needs: Needs, var: VarId, (from, to): (i64, i64)) -> Rooms {
        let inequalities = &self.search.inequalities;
        let objective = inequalities.objective();
        let column = inequalities.column(var).iter();
        let mut column = column.filter(|entry| entry.at != objective).peekable();
        let mut after = self.reuse.rooms(needs).iter().peekable();
        let mut rooms = Vec::with_capacity(after.len());
        while let Some(entry) = column.peek() {
            if let Some(kept) = after.next_if(|kept| kept.0 < entry.at) {
                rooms.push(*kept);
                continue;
            }
            let known = after.next_if(|kept| kept.0 == entry.at);
            let (id, coefficient, own) = (entry.at, entry.coefficient, self.owns(entry.at));
            column.next();
            let terms = inequalities.terms(id);
            let ends = terms.last().is_some_and(|last| last.at == var);
            let room = match known {
                Some((_, room)) => *room,
                None if own && ends => inequalities.heads()[id].rhs,
                None => continue,
            };
            let added = [coefficient * from, coefficient * to];
            let term = terms.partition_point(|term| term.at.index() < var.index());
            let (least, most) = self.facts.before[id][term];
            let (room, binds) = if own {
                let room = room - added[0].max(added[1]);
                (room, room < most)
            } else {
                let room = room - added[0].min(added[1]);
                (room, room > least)
            };
            if binds {
                rooms.push((id, room));
            }
        }
        rooms.extend(after);
        rooms
    }

    /// What meets both needs.
    pub(super) fn both_needs(&self, left: Rooms, right: Rooms) -> Rooms {
        if left.is_empty() {
            return right;
        }
        let mut joined = Vec::with_capacity(left.len().max(right.len()));
        let mut right = right.into_iter().peekable();
        for (id, room) in left {
            while let Some(other) = right.next_if(|other| other.0 < id) {
                joined.push(other);
            }
            let other = right.next_if(|other| other.0 == id);
            let tighter = match other {
                None => room,
                Some((_, other)) if self.owns(id) => room.min(other),
                Some((_, other)) => room.max(other),
            };
            joined.push((id, tighter));
        }
        joined.extend(right);
        joined
    }
}

/// What a variable adds to a row if these moves name it.
fn named(moves: &[Move], entry: &Entry<VarId>) -> Option<i64> {
    let (_, value) = moves.iter().find(|(var, _)| *var == entry.at)?;
    Some(entry.coefficient * to_i64(value)?)
}
