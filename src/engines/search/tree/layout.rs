//! What a key consists of: what the past has left that the future can still feel.
//!
//! At a place of the prefix, an inequality with variables on both sides of it is *open*: its future
//! depends on the sum of its past. Inequalities of one player whose pasts are the same up to sign
//! share that sum: both sides of an equation, and all rows that speak of the same square. A sum that leaves all its
//! inequalities satisfied whatever follows is clipped, since it does not matter any more.
//!
//! **Invariant:** two positions at a place with the same sums, clipped, have the same future.

use rustc_hash::FxHashMap;

use crate::program::{Id, Program, Quantifier, VarId};
use crate::propagate::{Entry, InequalityId, Store};

/// Stands for a sum that does not matter any more; sums stay far below it.
pub const CLIPPED: i64 = i64::MAX;

/// A sum of passed variables on which inequalities depend.
#[derive(Copy, Clone, Debug)]
pub struct Open {
    /// One of the inequalities: its passed variables have this sum.
    pub id: InequalityId,
    /// Or the negative of it.
    pub negated: bool,
    past: (u32, bool),
    /// From here to `most` all the inequalities are satisfied whatever follows.
    least: i64,
    most: i64,
}

/// For each place in the prefix, the sums that make up its key.
#[derive(Debug)]
pub struct Layout {
    starts: Vec<usize>,
    open: Vec<Open>,
    usable: Vec<bool>,
    pasts: Pasts,
}

/// More entries than this would cost more memory than the table is worth.
const MAX_OPEN: usize = 4_000_000;

impl Layout {
    /// Keys at every position if that is affordable, else at the beginnings of blocks.
    pub fn new(program: &Program, store: &Store) -> Self {
        let count = program.variables().len();
        let everywhere = vec![true; count];
        let mut block_starts = vec![false; count];
        for block in program.blocks() {
            block_starts[block.range().start] = true;
        }
        let nowhere = vec![false; count];
        [everywhere, block_starts, nowhere]
            .into_iter()
            .find_map(|usable| Self::at(usable, store))
            .expect("invariant: a layout without positions is small")
    }

    fn at(mut usable: Vec<bool>, store: &Store) -> Option<Self> {
        // The empty prefix is visited once.
        if let Some(first) = usable.first_mut() {
            *first = false;
        }
        let inequalities = store.inequalities();
        let mut pasts = Pasts::default();
        let mut open_at: Vec<Vec<Open>> = vec![Vec::new(); usable.len()];
        let mut total = 0_usize;
        for id in inequalities.heads().ids() {
            let terms = inequalities.terms(id);
            pasts.add(terms, inequalities.heads()[id].owner);
            let (Some(first), Some(last)) = (terms.first(), terms.last()) else {
                continue;
            };
            if id == inequalities.objective() {
                continue;
            }
            let rhs = inequalities.heads()[id].rhs;
            let mut most: i64 = 0;
            let mut passed = terms.len();
            for place in (first.at.index() + 1..=last.at.index()).rev() {
                while terms[passed - 1].at.index() >= place {
                    passed -= 1;
                    most += largest(store, terms[passed]);
                }
                if usable[place] {
                    open_at[place].push(pasts.open(id, passed, rhs - most));
                    total += 1;
                }
            }
            if total > MAX_OPEN {
                return None;
            }
        }
        let mut layout = Self {
            starts: vec![0],
            open: Vec::new(),
            usable,
            pasts,
        };
        open_at.into_iter().for_each(|open| layout.add_place(open));
        Some(layout)
    }

    /// Adds a place with its sums, each once.
    fn add_place(&mut self, mut open: Vec<Open>) {
        open.sort_by_key(|open| open.past);
        for same in open.chunk_by(|one, two| one.past == two.past) {
            let lowest = same.iter().filter(|open| open.negated);
            let lowest = lowest.max_by_key(|open| open.least);
            let highest = same.iter().filter(|open| !open.negated);
            let highest = highest.min_by_key(|open| open.most);
            self.open.push(Open {
                least: lowest.map_or(i64::MIN, |open| open.least),
                most: highest.map_or(i64::MAX, |open| open.most),
                ..same[0]
            });
        }
        self.starts.push(self.open.len());
    }

    /// Whether positions after `passed` variables have keys.
    pub fn is_usable(&self, passed: usize) -> bool {
        self.usable.get(passed).copied().unwrap_or(false)
    }

    /// How many variables there are, and with it places in the prefix.
    pub fn places(&self) -> usize {
        self.usable.len()
    }

    /// The sums of a place, in the order of its key.
    pub fn open(&self, place: usize) -> std::slice::Iter<'_, Open> {
        self.open[self.starts[place]..self.starts[place + 1]].iter()
    }

    /// Where the past of an inequality stands in the key of a place, and whether negated.
    pub fn seat(&self, place: usize, id: InequalityId) -> Option<(usize, bool)> {
        let row = &self.pasts.rows[id.index()];
        let passed = row.places.partition_point(|&at| (at as usize) < place);
        let past = (row.pasts[passed.checked_sub(1)?], row.universal);
        let open = &self.open[self.starts[place]..self.starts[place + 1]];
        let at = open.binary_search_by_key(&past, |open| open.past).ok()?;
        Some((at, row.negated))
    }

    /// The sums of the key after `passed` variables, of which `done` are the sums by inequality.
    pub fn sums(
        &self,
        passed: usize,
        done: impl Fn(InequalityId) -> i64,
    ) -> impl Iterator<Item = i64> {
        self.open(passed).map(move |open| {
            let sum = done(open.id);
            let sum = if open.negated { -sum } else { sum };
            match (open.least..=open.most).contains(&sum) {
                true => CLIPPED,
                false => sum,
            }
        })
    }
}

/// The most that a term can add.
fn largest(store: &Store, term: Entry<VarId>) -> i64 {
    let ends = [store.lower(term.at), store.upper(term.at)];
    let [one, two] = ends.map(|end| end * term.coefficient);
    one.max(two)
}

/// Beginnings of left-hand sides: those that are the same up to sign have the same number.
#[derive(Debug, Default)]
struct Pasts {
    rows: Vec<Beginnings>,
    longer: FxHashMap<(u32, VarId, i64), u32>,
}

/// The beginnings of one inequality, by the number of their terms.
#[derive(Debug)]
struct Beginnings {
    universal: bool,
    negated: bool,
    pasts: Vec<u32>,
    places: Vec<u32>,
}

impl Pasts {
    fn add(&mut self, terms: &[Entry<VarId>], owner: Quantifier) {
        let negated = terms.first().is_some_and(|first| first.coefficient < 0);
        let mut pasts = Vec::with_capacity(terms.len());
        let mut past = u32::MAX;
        for term in terms {
            let coefficient = if negated {
                -term.coefficient
            } else {
                term.coefficient
            };
            let next = self.longer.len() as u32;
            past = *self
                .longer
                .entry((past, term.at, coefficient))
                .or_insert(next);
            pasts.push(past);
        }
        self.rows.push(Beginnings {
            universal: owner == Quantifier::Forall,
            negated,
            pasts,
            places: terms.iter().map(|term| term.at.index() as u32).collect(),
        });
    }

    /// The sum of the first `passed` terms, which leaves the inequality satisfied up to `room`.
    fn open(&self, id: InequalityId, passed: usize, room: i64) -> Open {
        let row = &self.rows[id.index()];
        let (least, most) = match row.negated {
            false => (i64::MIN, room),
            true => (-room, i64::MAX),
        };
        Open {
            id,
            negated: row.negated,
            past: (row.pasts[passed - 1], row.universal),
            least,
            most,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::format::parse_qip;
    use crate::propagate::Inequalities;

    fn layout(text: &str) -> (Layout, Arc<Inequalities>) {
        let program = parse_qip(text).expect("the test's model is well formed");
        let inequalities = Inequalities::new(&program).expect("the numbers are small");
        let inequalities = Arc::new(inequalities);
        let store = Store::new(&program, Arc::clone(&inequalities), true);
        (Layout::new(&program, &store), inequalities)
    }

    const MODEL: &str = "subject to
           both: x - 2 y + z = 1
           same: 2 y - x + z <= 7
           other: x + y + z >= 2
         prefix
           exists integer x in [0, 4]
           exists integer y in [0, 4]
           forall binary u
           exists integer z in [0, 3]
         end";

    #[test]
    fn equal_pasts_are_written_once() {
        let (layout, inequalities) = layout(MODEL);
        assert_eq!(inequalities.heads().len(), 5);
        assert_eq!(layout.open(2).len(), 2);
        let ids: Vec<InequalityId> = inequalities.heads().ids().collect();
        let (at, negated) = layout.seat(2, ids[0]).expect("it is open");
        assert_eq!(layout.seat(2, ids[1]), Some((at, !negated)));
        assert_eq!(layout.seat(2, ids[2]), Some((at, !negated)));
        assert_ne!(layout.seat(2, ids[3]).map(|seat| seat.0), Some(at));
    }

    #[test]
    fn a_sum_is_clipped_where_all_its_rows_hold_whatever_follows() {
        let rows = "subject to
               up: x + z <= 5
               down: x + z >= 1
             prefix
               exists integer x in [0, 9]
               exists integer z in [0, 3]
             end";
        let (layout, _) = layout(rows);
        let written = |x: i64| {
            // The second inequality is the row's other side.
            let done = |id: InequalityId| if id.index() == 0 { x } else { -x };
            layout.sums(1, done).next()
        };
        assert_eq!(
            (0..5).map(written).collect::<Vec<_>>(),
            [0, CLIPPED, CLIPPED, 3, 4].map(Some)
        );
    }
}
