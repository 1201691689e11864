//! Parts of a plan that answer other positions as well.
//!
//! A plan keeps its owner's rows as long as the moves before leave enough room in each, and its
//! proofs hold as long as they fill the opponent's rows that these lean on. So each part of a plan
//! carries what it *needs*: for some rows of the owner the largest sum before it, for some of the
//! opponent the smallest. A position that meets the needs of a part that is there already is
//! answered by it and not walked through. These are the demands that the checker computes.
//!
//! Measured on public instances (positions of the walks, before and now): 237,000 and 2,300,
//! 76,000 and 5,300, 35,000 and 4,600 on artificial ones, 28,000 and 1,600 or 47,000 and 42,000 on
//! interdiction; a third less on lot-sizing and knapsacks. Certificates shrink alike.
//!
//! **Invariant:** a part that is taken over keeps the target from the present position.

use rustc_hash::FxHashMap;

use super::extract::{Built, Extraction};
use super::extract_leaf::side;
use super::worth::Worth;
use crate::program::{Id, IdVec, Program, VarId};
use crate::propagate::{Inequalities, InequalityId};
use crate::strategy::{NodeId, Proof, SideRef, Step};

/// For some rows, sorted: how large the sum before may be in one of the owner, how small in another.
pub(super) type Rooms = Vec<(InequalityId, i64)>;

/// A list of rooms; see [`Reuse`].
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) struct Needs(u32);

/// How many parts are looked at for one position.
const LOOKS: usize = 12;

struct Part {
    node: NodeId,
    to_go: Worth,
    needs: Needs,
}

/// The parts that may be taken over.
pub(super) struct Reuse {
    lists: Vec<Rooms>,
    /// For each place, those that were useful last at the end.
    parts: Vec<Vec<Part>>,
    /// For each row and each of its terms, what the terms before can add up to: least and most.
    before: IdVec<InequalityId, Vec<(i64, i64)>>,
    names: FxHashMap<SideRef, InequalityId>,
}

impl Reuse {
    pub fn new(
        program: &Program,
        inequalities: &Inequalities,
        domain: impl Fn(VarId) -> (i64, i64),
    ) -> Self {
        let sums = |id: InequalityId| {
            let mut sum = (0, 0);
            let mut sums = vec![sum];
            for term in inequalities.terms(id) {
                let (lower, upper) = domain(term.at);
                let ends = [lower * term.coefficient, upper * term.coefficient];
                sum = (sum.0 + ends[0].min(ends[1]), sum.1 + ends[0].max(ends[1]));
                sums.push(sum);
            }
            sums
        };
        let heads = inequalities.heads();
        Self {
            lists: Vec::new(),
            parts: (0..=program.variables().len())
                .map(|_| Vec::new())
                .collect(),
            before: IdVec::from_vec(heads.ids().map(sums).collect()),
            names: heads.ids().map(|id| (side(inequalities, id), id)).collect(),
        }
    }

    pub fn add(&mut self, rooms: Rooms) -> Needs {
        self.lists.push(rooms);
        Needs(self.lists.len() as u32 - 1)
    }
}

impl Extraction<'_, '_> {
    /// A part of the plan that answers the present position as well.
    pub(super) fn taken_over(&mut self) -> Option<Built> {
        let place = self.place;
        let parts = &self.reuse.parts[place];
        let found = (0..parts.len()).rev().take(LOOKS);
        let found = { found }.find(|&index| self.answers_here(&self.reuse.parts[place][index]))?;
        let parts = &mut self.reuse.parts[place];
        let last = parts.len() - 1;
        parts.swap(found, last);
        let part = &parts[last];
        Some(Built {
            node: part.node,
            to_go: part.to_go,
            needs: part.needs,
        })
    }

    fn answers_here(&self, part: &Part) -> bool {
        let keeps = |(id, room): &(InequalityId, i64)| match self.owns(*id) {
            true => self.sums[*id] <= *room,
            false => self.sums[*id] >= *room,
        };
        let rooms = &self.reuse.lists[part.needs.0 as usize];
        self.fits(part.to_go) && rooms.iter().all(keeps)
    }

    fn owns(&self, id: InequalityId) -> bool {
        self.search.inequalities.heads()[id].owner == self.owner
    }

    /// Lets later positions take a part over that was built for the present one.
    pub(super) fn share(&mut self, built: Built) {
        self.reuse.parts[self.place].push(Part {
            node: built.node,
            to_go: built.to_go,
            needs: built.needs,
        });
    }

    /// The needs of an end that leans on all rows as they are.
    pub(super) fn all_needs(&mut self) -> Needs {
        let rooms = self.begun(self.place, |_| true);
        self.reuse.add(rooms)
    }

    /// The needs of a refutation's end that leans on some existential rows, and on the universal
    /// ones as they are. If `next` is told, the end stands behind these values of that variable.
    pub(super) fn end_needs(
        &mut self,
        mut rooms: Rooms,
        next: Option<(VarId, (i64, i64))>,
    ) -> Needs {
        let mut own = self.begun(self.place + usize::from(next.is_some()), |id| self.owns(id));
        if let Some((var, (from, to))) = next {
            for entry in self.search.inequalities.column(var) {
                if let Some(room) = own.iter_mut().find(|room| room.0 == entry.at) {
                    room.1 += (entry.coefficient * from).max(entry.coefficient * to);
                }
            }
        }
        rooms.extend(own);
        rooms.sort_unstable();
        self.reuse.add(rooms)
    }

    /// The sums of rows that begin before a place.
    fn begun(&self, place: usize, test: impl Fn(InequalityId) -> bool) -> Rooms {
        let inequalities = &self.search.inequalities;
        let begins = |id: &InequalityId| {
            let first = inequalities.terms(*id).first();
            *id != inequalities.objective()
                && first.is_some_and(|term| term.at.index() < place)
                && test(*id)
        };
        let rows = inequalities.heads().ids().filter(begins);
        rows.map(|id| (id, self.sums[id])).collect()
    }

    /// What the proof that the opponent may not play a value needs before the value.
    pub(super) fn illegal_needs(&self, proof: &Proof, var: VarId, value: i64) -> Rooms {
        let mut rooms = Vec::new();
        let inequalities = &self.search.inequalities;
        for step in &proof.steps {
            let (Step::Row(side) | Step::Cut(side, _)) = step else {
                continue;
            };
            let Some(&id) = self.reuse.names.get(side) else {
                continue;
            };
            let terms = inequalities.terms(id);
            let before = terms.partition_point(|term| term.at.index() < var.index());
            if before == 0 {
                continue;
            }
            let mut room = self.sums[id];
            if proof.steps.len() == 1 {
                // By the sight of the row alone: it need not be as full as it is.
                let own = terms[before..].first().filter(|term| term.at == var);
                let rest = before + usize::from(own.is_some());
                let added = own.map_or(0, |term| term.coefficient * value);
                let sums = &self.reuse.before[id];
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
        let mut after = self.reuse.lists[needs.0 as usize].iter().peekable();
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
            let (least, most) = self.reuse.before[id][term];
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
