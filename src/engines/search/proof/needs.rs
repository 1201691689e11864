//! What parts of a plan need of the moves before them; see `reuse.rs`.
//!
//! The ends of a plan say what they need: an owner's row that goes on behind an end needs room for
//! what it may still take there, the opponent's rows that a proof leans on need to be as full as the
//! proof says. From there needs are carried toward the root, move by move, and those that no play
//! can fail to meet are dropped. Where ends stated the sums of the owner's rows as they were, the
//! walks of one interdiction model took 31,000 positions; they take 1,800.

use rustc_hash::FxHashMap;

use super::extract::Extraction;
use super::leaf::{Leaves, side};
use super::past::{Rooms, tidied};
use crate::num::to_i64;
use crate::outcome::Move;
use crate::program::{Id, IdVec, Quantifier, VarId};
use crate::propagate::{Entry, Inequalities, InequalityId};
use crate::strategy::{Proof, SideRef, Step};

/// A list of rooms, by where it lies among all of them.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(in crate::search) struct Needs {
    pub from: u32,
    pub to: u32,
}

/// Facts of the rows by which needs are told.
pub(in crate::search) struct RowFacts {
    /// For each row and each of its terms, the least that the terms before can add up to.
    before: IdVec<InequalityId, Vec<i64>>,
    names: FxHashMap<SideRef, InequalityId>,
    /// The rows of the plan's owner.
    own: Vec<InequalityId>,
}

impl RowFacts {
    pub fn new(inequalities: &Inequalities, leaves: &Leaves, owner: Quantifier) -> Self {
        let sums = |id: InequalityId| {
            let mut sum = 0;
            let mut sums = vec![sum];
            for term in inequalities.terms(id) {
                let (lower, upper) = leaves.domain(term.at);
                sum += (lower * term.coefficient).min(upper * term.coefficient);
                sums.push(sum);
            }
            sums
        };
        let heads = inequalities.heads();
        let is_own =
            |&id: &InequalityId| id != inequalities.objective() && heads[id].owner == owner;
        Self {
            before: IdVec::from_vec(heads.ids().map(sums).collect()),
            names: heads.ids().map(|id| (side(inequalities, id), id)).collect(),
            own: heads.ids().filter(is_own).collect(),
        }
    }

    /// The inequality that was made from a side.
    pub fn inequality(&self, side: SideRef) -> Option<InequalityId> {
        self.names.get(&side).copied()
    }
}

impl Extraction<'_, '_> {
    /// The room that the owner's rows need at an end after `place` variables, if each later variable
    /// adds to a row what `rest` says.
    pub(in crate::search) fn own_needs(
        &self,
        place: usize,
        rest: impl Fn(&Entry<VarId>) -> i64,
    ) -> Rooms {
        let inequalities = &self.search.inequalities;
        let mut rooms = Vec::new();
        for &id in &self.facts.own {
            let terms = inequalities.terms(id);
            let later = terms.partition_point(|term| term.at.index() < place);
            if later == 0 || later == terms.len() {
                // It has not begun, or its last variable has demanded that it holds.
                continue;
            }
            let taken: i64 = terms[later..].iter().map(&rest).sum();
            let room = inequalities.heads()[id].rhs - taken;
            rooms.extend(self.pasts.room(id, later, room));
        }
        rooms
    }

    /// What a variable adds to a universal row at the end of a refutation: the universal player
    /// makes the moves of `play` and is at lower ends elsewhere, the existential one does his worst.
    pub(in crate::search) fn at_worst<'e>(
        &'e self,
        play: &'e [Move],
    ) -> impl Fn(&Entry<VarId>) -> i64 + 'e {
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
    pub(in crate::search) fn dead_needs(&self, proof: &Proof, alive: Option<&[Move]>) -> Rooms {
        let mut rooms = self.proof_needs(proof, None);
        if let Some(alive) = alive {
            rooms.extend(self.own_needs(self.place, |entry| {
                let lower = self.leaves.domain(entry.at).0 * entry.coefficient;
                named(alive, entry).unwrap_or(lower)
            }));
        }
        tidied(rooms)
    }

    /// What a proof that the opponent's system is dead needs of the variables before the present
    /// place; if a move is told, the system is dead after it.
    pub(in crate::search) fn proof_needs(
        &self,
        proof: &Proof,
        played: Option<(VarId, i64)>,
    ) -> Rooms {
        let inequalities = &self.search.inequalities;
        let of_step = |step: &Step| match step {
            Step::Row(side) | Step::Cut(side, _) => Some(*side),
            Step::Split(..) | Step::Mix(_) => None,
        };
        let given = proof.given.iter().map(|given| given.0);
        let sides = proof.steps.iter().filter_map(of_step).chain(given);
        let mut rooms = Vec::new();
        for id in sides.filter_map(|side| self.facts.inequality(side)) {
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
                let least = sums[terms.len()] - sums[rest];
                room = inequalities.heads()[id].rhs + 1 - least - added;
            }
            rooms.extend(self.pasts.room(id, before, room));
        }
        tidied(rooms)
    }

    /// The needs before a variable took one of some values.
    pub(in crate::search) fn needs_before(
        &self,
        needs: Needs,
        var: VarId,
        range: (i64, i64),
    ) -> Rooms {
        self.pasts.before(self.reuse.rooms(needs), var, range)
    }
}

/// What a variable adds to a row if these moves name it.
fn named(moves: &[Move], entry: &Entry<VarId>) -> Option<i64> {
    let (_, value) = moves.iter().find(|(var, _)| *var == entry.at)?;
    Some(entry.coefficient * to_i64(value)?)
}
