//! What the moves of a walk have added to the rows, one sum for all rows that saw the same moves.
//!
//! Rows with the same terms up to a place, the *past* of the place, have the same sum there. So a
//! need that such a row has is a need of its past, and of several rows with one past only the
//! tightest need counts. In lot-sizing models all rows of later periods have one past: needs of nine
//! rows become one, which is what a look at a part of a plan and its memory cost.
//!
//! Sums are signed so that small is good: the owner's rows want room, and the opponent's count
//! negated, because proofs want them full.

use rustc_hash::FxHashMap;

use super::derived::Derivations;
use super::leaf::Leaves;
use crate::program::{Id, IdVec, Quantifier, VarId};
use crate::propagate::{Entry, Inequalities, InequalityId};

/// The beginning of some rows.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(in crate::search) struct PastId(u32);

/// For some pasts, sorted: how large the signed sum may be.
pub(in crate::search) type Rooms = Vec<(PastId, i64)>;

impl PastId {
    /// The past of rows that have not begun. Its sum is zero.
    pub const NOTHING: Self = Self(0);
}

/// The last term of a past.
struct Link {
    earlier: PastId,
    step: i64,
    /// The largest sum that there can be.
    most: i64,
}

/// See the module.
///
/// **Invariant:** pasts that end with a later variable come later.
pub(in crate::search) struct Pasts {
    links: Vec<Link>,
    sums: Vec<i64>,
    /// Where the pasts begin that end with a variable.
    starts: Vec<usize>,
    /// For each row its past after each of its terms.
    of_row: IdVec<InequalityId, Vec<PastId>>,
    owned: IdVec<InequalityId, bool>,
    /// The owner's rows that end with a variable, and what they allow.
    ending: IdVec<VarId, Vec<(PastId, i64)>>,
}

impl Pasts {
    /// The rows of both players, and those derived from them, as the owner of a plan sees them.
    pub fn new(
        inequalities: &Inequalities,
        derived: &Derivations,
        leaves: &Leaves,
        owner: Quantifier,
    ) -> Self {
        let heads = inequalities.heads();
        let rows = heads.len() + derived.len();
        let owners = heads.iter().map(|head| head.owner);
        let owners = owners.chain(std::iter::repeat_n(Quantifier::Exists, derived.len()));
        let variables = leaves.count();
        let nothing = Link {
            earlier: PastId::NOTHING,
            step: 0,
            most: 0,
        };
        let mut pasts = Self {
            links: vec![nothing],
            sums: Vec::new(),
            starts: vec![1],
            of_row: IdVec::filled(rows, Vec::new()),
            owned: IdVec::from_vec(owners.map(|it| it == owner).collect()),
            ending: IdVec::filled(variables, Vec::new()),
        };
        for var in (0..variables).map(VarId::new) {
            let column = inequalities.column(var).iter().copied();
            let column = column.filter(|entry| entry.at != inequalities.objective());
            pasts.extend(column.chain(derived.column(var)), leaves.domain(var));
        }
        for id in heads.ids().filter(|&id| id != inequalities.objective()) {
            let ends = inequalities.terms(id).last().zip(pasts.of_row[id].last());
            if let Some((term, past)) = ends.filter(|_| pasts.owned[id]) {
                pasts.ending[term.at].push((*past, heads[id].rhs));
            }
        }
        pasts.sums = vec![0; pasts.links.len()];
        pasts
    }

    /// Adds the pasts that end with the variable of a column.
    fn extend(
        &mut self,
        column: impl Iterator<Item = Entry<InequalityId>>,
        (lower, upper): (i64, i64),
    ) {
        let mut known = FxHashMap::default();
        for entry in column {
            let owned = self.owned[entry.at];
            let earlier = self.of_row[entry.at].last().copied();
            let earlier = earlier.unwrap_or(PastId::NOTHING);
            let step = match owned {
                true => entry.coefficient,
                false => -entry.coefficient,
            };
            let past = *known.entry((earlier, owned, step)).or_insert_with(|| {
                let before = self.links[earlier.0 as usize].most;
                self.links.push(Link {
                    earlier,
                    step,
                    most: before + (step * lower).max(step * upper),
                });
                PastId(self.links.len() as u32 - 1)
            });
            self.of_row[entry.at].push(past);
        }
        self.starts.push(self.links.len());
    }

    /// Counts a move on a variable.
    ///
    /// Pre: all earlier variables are counted with the values they have now.
    pub fn count(&mut self, var: VarId, value: i64) {
        for past in self.starts[var.index()]..self.starts[var.index() + 1] {
            let link = &self.links[past];
            self.sums[past] = self.sums[link.earlier.0 as usize] + link.step * value;
        }
    }

    /// What a row has got in its first terms.
    pub fn sum(&self, id: InequalityId, terms: usize) -> i64 {
        let past = terms.checked_sub(1).map(|last| self.of_row[id][last]);
        let sum = past.map_or(0, |past| self.sums[past.0 as usize]);
        if self.owned[id] { sum } else { -sum }
    }

    /// Whether a room is kept.
    pub fn keeps(&self, (past, room): (PastId, i64)) -> bool {
        self.sums[past.0 as usize] <= room
    }

    /// Whether the owner's rows hold that end with a variable, the last one that was counted.
    pub fn keeps_ended_rows(&self, var: VarId) -> bool {
        self.ending[var].iter().all(|&ended| self.keeps(ended))
    }

    /// What it means that a row needs a sum in its first terms: at most that much in a row of the
    /// owner, at least in another. Nothing, if no play can fail to meet it.
    pub fn room(&self, id: InequalityId, terms: usize, sum: i64) -> Option<(PastId, i64)> {
        let past = *self.of_row[id].get(terms.checked_sub(1)?)?;
        let room = if self.owned[id] { sum } else { -sum };
        self.binds(past, room).then_some((past, room))
    }

    /// Whether a play could fail to keep a room.
    fn binds(&self, past: PastId, room: i64) -> bool {
        room < self.links[past.0 as usize].most
    }

    /// The rooms before a variable took one of some values.
    pub fn before(&self, rooms: &[(PastId, i64)], var: VarId, range: (i64, i64)) -> Rooms {
        let first = PastId(self.starts[var.index()] as u32);
        let (kept, moved) = rooms.split_at(rooms.partition_point(|room| room.0 < first));
        let mut earlier = Vec::with_capacity(rooms.len() + self.ending[var].len());
        earlier.extend_from_slice(kept);
        for &(past, room) in moved.iter().chain(&self.ending[var]) {
            let link = &self.links[past.0 as usize];
            let room = room - (link.step * range.0).max(link.step * range.1);
            if link.earlier == PastId::NOTHING || !self.binds(link.earlier, room) {
                continue;
            }
            match earlier.binary_search_by_key(&link.earlier, |it| it.0) {
                Ok(at) => earlier[at].1 = earlier[at].1.min(room),
                Err(at) => earlier.insert(at, (link.earlier, room)),
            }
        }
        earlier
    }
}

/// Sorts rooms, and keeps the tightest of each past.
pub(in crate::search) fn tidied(mut rooms: Rooms) -> Rooms {
    rooms.sort_unstable();
    rooms.dedup_by_key(|room| room.0);
    rooms
}

/// What meets both needs.
pub(in crate::search) fn both(left: Rooms, right: Rooms) -> Rooms {
    if left.is_empty() || left == right {
        return right;
    }
    let mut joined = Vec::with_capacity(left.len().max(right.len()));
    let mut right = right.into_iter().peekable();
    for (past, room) in left {
        while let Some(other) = right.next_if(|other| other.0 < past) {
            joined.push(other);
        }
        let other = right.next_if(|other| other.0 == past);
        joined.push((past, other.map_or(room, |(_, other)| room.min(other))));
    }
    joined.extend(right);
    joined
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::random::{RandomShape, random_program};

    #[test]
    fn pasts_add_up_what_their_rows_have_got() {
        for seed in 0..300 {
            let program = random_program(seed, &RandomShape::game());
            if program.first_empty_domain().is_some() {
                continue;
            }
            let inequalities = Inequalities::new(&program).expect("it fits");
            let leaves = Leaves::new(&program, &inequalities);
            let none = Derivations::default();
            let mut pasts = Pasts::new(&inequalities, &none, &leaves, Quantifier::Forall);
            let mut values = Vec::new();
            for var in (0..leaves.count()).map(VarId::new) {
                let (lower, upper) = leaves.domain(var);
                let value = lower + (seed as i64 * 7 + var.index() as i64) % (upper - lower + 1);
                pasts.count(var, value);
                values.push(value);
                for id in inequalities.heads().ids() {
                    let terms = inequalities.terms(id).iter();
                    let passed = |term: &&Entry<VarId>| term.at <= var;
                    let passed: Vec<_> = terms.take_while(passed).collect();
                    let add = |term: &&Entry<VarId>| term.coefficient * values[term.at.index()];
                    let sum: i64 = passed.iter().map(add).sum();
                    // The row has just what it needs, and one less is not enough.
                    if let Some((past, room)) = pasts.room(id, passed.len(), sum) {
                        assert!(pasts.keeps((past, room)) && !pasts.keeps((past, room - 1)));
                    }
                }
            }
        }
    }
}
