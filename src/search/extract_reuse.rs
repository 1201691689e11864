//! Parts of a plan that answer other positions as well.
//!
//! A strategy below a position keeps the existential rows as long as the moves before leave enough
//! room in each; a refutation below it holds as long as they fill the rows that it leans on. So each
//! part of a plan carries what it *needs*: for some rows, the largest sum before it (in a strategy)
//! or the smallest (in a refutation). A position that meets the needs of a part that is there
//! already is answered by it and not walked through.
//!
//! These are the demands that the checker computes, with the universal rows left as they were.
//! Measured on public instances, walks visit a tenth of the positions, and certificates shrink.
//!
//! **Invariant:** a part that is taken over keeps the target from the present position.

use super::extract::{Built, Extraction};
use super::worth::Worth;
use crate::program::{Id, IdVec, Program, Quantifier, VarId};
use crate::propagate::{Inequalities, InequalityId};
use crate::strategy::NodeId;

/// For some rows, sorted: how large the sum before may be in a strategy, how small in a refutation.
pub(super) type Rooms = Vec<(InequalityId, i64)>;

/// A list of rooms; see [`Reuse`].
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) struct Needs(u32);

impl Needs {
    /// Those of a part that is for its own position only.
    pub const UNKNOWN: Self = Self(u32::MAX);
}

/// How many parts are looked at for one position.
const LOOKS: usize = 12;

struct Part {
    node: NodeId,
    to_go: Worth,
    needs: Needs,
    /// What was in the universal rows.
    universal: Vec<i64>,
}

/// The parts that may be taken over.
pub(super) struct Reuse {
    lists: Vec<Rooms>,
    /// For each place, those that were useful last at the end.
    parts: Vec<Vec<Part>>,
    /// For each row and each of its terms, what the terms before can add up to: least and most.
    before: IdVec<InequalityId, Vec<(i64, i64)>>,
    universal: Vec<InequalityId>,
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
        let theirs = heads
            .ids()
            .filter(|id| heads[*id].owner == Quantifier::Forall);
        Self {
            lists: Vec::new(),
            parts: (0..=program.variables().len())
                .map(|_| Vec::new())
                .collect(),
            before: IdVec::from_vec(heads.ids().map(sums).collect()),
            universal: theirs.collect(),
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
        let keeps = |(id, room): &(InequalityId, i64)| match self.owner {
            Quantifier::Exists => self.sums[*id] <= *room,
            Quantifier::Forall => self.sums[*id] >= *room,
        };
        let rows = self.reuse.universal.iter();
        self.fits(part.to_go)
            && self.reuse.lists[part.needs.0 as usize].iter().all(keeps)
            && rows.map(|id| &self.sums[*id]).eq(&part.universal)
    }

    /// Lets later positions take a part over that was built for the present one.
    pub(super) fn share(&mut self, built: Built) {
        if built.needs == Needs::UNKNOWN {
            return;
        }
        let rows = self.reuse.universal.iter();
        let universal = rows.map(|id| self.sums[*id]).collect();
        self.reuse.parts[self.place].push(Part {
            node: built.node,
            to_go: built.to_go,
            needs: built.needs,
            universal,
        });
    }

    /// The needs of a refutation's end that leans on what these rows hold at its place; none where
    /// an existential move may decide the game.
    pub(super) fn end_needs(&mut self, rooms: Rooms) -> Needs {
        if self.contested {
            return Needs::UNKNOWN;
        }
        self.reuse.add(rooms)
    }

    /// The needs before a variable took one of some values; `None` if they are not known.
    pub(super) fn needs_before(
        &self,
        needs: Needs,
        var: VarId,
        (from, to): (i64, i64),
    ) -> Option<Rooms> {
        if needs == Needs::UNKNOWN {
            return None;
        }
        let inequalities = &self.search.inequalities;
        let column = inequalities.column(var).iter();
        let mut column = column
            .filter(|entry| {
                let owner = inequalities.heads()[entry.at].owner;
                owner == Quantifier::Exists && entry.at != inequalities.objective()
            })
            .peekable();
        let mut after = self.reuse.lists[needs.0 as usize].iter().peekable();
        let mut rooms = Vec::with_capacity(after.len());
        while let Some(entry) = column.peek() {
            if let Some(kept) = after.next_if(|kept| kept.0 < entry.at) {
                rooms.push(*kept);
                continue;
            }
            let known = after.next_if(|kept| kept.0 == entry.at);
            let (id, coefficient) = (entry.at, entry.coefficient);
            column.next();
            let terms = inequalities.terms(id);
            let ends = terms.last().is_some_and(|last| last.at == var);
            let room = match (known, self.owner) {
                (Some((_, room)), _) => *room,
                (None, Quantifier::Exists) if ends => inequalities.heads()[id].rhs,
                _ => continue,
            };
            let added = [coefficient * from, coefficient * to];
            let term = terms.partition_point(|term| term.at.index() < var.index());
            let (least, most) = self.reuse.before[id][term];
            let (room, binds) = match self.owner {
                Quantifier::Exists => {
                    let room = room - added[0].max(added[1]);
                    (room, room < most)
                }
                Quantifier::Forall => {
                    let room = room - added[0].min(added[1]);
                    (room, room > least)
                }
            };
            if binds {
                rooms.push((id, room));
            }
        }
        rooms.extend(after);
        Some(rooms)
    }

    /// What meets both needs.
    pub(super) fn both_needs(&self, left: Option<Rooms>, right: Option<Rooms>) -> Option<Rooms> {
        let (left, right) = (left?, right?);
        if left.is_empty() {
            return Some(right);
        }
        let mut joined = Vec::with_capacity(left.len().max(right.len()));
        let mut right = right.into_iter().peekable();
        for (id, room) in left {
            while let Some(other) = right.next_if(|other| other.0 < id) {
                joined.push(other);
            }
            let other = right.next_if(|other| other.0 == id);
            let tighter = match (other, self.owner) {
                (None, _) => room,
                (Some((_, other)), Quantifier::Exists) => room.min(other),
                (Some((_, other)), Quantifier::Forall) => room.max(other),
            };
            joined.push((id, tighter));
        }
        joined.extend(right);
        Some(joined)
    }
}
