//! Learnt rows: bounds that never hold together in a play that stays below a cost.
//!
//! A *nogood* says: whoever comes to a position in which all these bounds hold has to pay its
//! price, or has lost. If all hold but one, the existential player keeps out of that one, where the
//! variable is his. Two bounds of each nogood are watched that do not hold yet, so that nothing is
//! looked at before one of them does (Moskewicz and others 2001); going back needs no work at all.
//!
//! A nogood that was found under a cost limit counts only while the limit is no higher than then.
//!
//! The store is bounded. When it is full, the half that was used least goes, except for what the
//! trail leans on.

use super::literal::Literal;
use super::store::{End, Reason, Store};
use crate::program::{IdVec, Quantifier, VarId};

/// A nogood, by its place in the store.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct NogoodId(u32);

/// See the module.
#[derive(Clone, Debug)]
struct Nogood {
    /// The first two are watched.
    literals: Vec<Literal>,
    /// The positions cost at least this, in the objective's integers; the largest number: are lost.
    price: i64,
    /// How often it spoke, halved now and then.
    uses: u32,
}

/// All nogoods.
#[derive(Clone, Debug, Default)]
pub struct Nogoods {
    all: Vec<Nogood>,
    watches: IdVec<VarId, [Vec<NogoodId>; 2]>,
    capacity: usize,
    /// Changes of the trail that were looked at.
    pub(super) heard: usize,
    /// Whether nothing is looked at for the time being.
    is_silent: bool,
    /// How often one spoke since somebody asked.
    spoke: u64,
}

/// What the nogoods have to say.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Nothing new.
    Rest,
    /// A bound moved.
    Moved,
    /// All bounds of one hold: the position is lost.
    Lost(NogoodId),
}

impl Nogoods {
    /// Room for so many nogoods.
    pub fn with_capacity(variables: usize, capacity: usize) -> Self {
        Self {
            all: Vec::new(),
            watches: IdVec::filled(variables, Default::default()),
            capacity,
            ..Self::default()
        }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.all.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// The bounds of a nogood, and its price.
    pub(super) fn get(&self, id: NogoodId) -> (&[Literal], i64) {
        let nogood = &self.all[id.0 as usize];
        (&nogood.literals, nogood.price)
    }

    fn watch(&mut self, id: NogoodId, literal: Literal) {
        self.watches[literal.var][literal.end as usize].push(id);
    }
}

impl Store {
    /// Keeps nogoods from now on, so many at a time.
    pub fn heed_nogoods(&mut self, variables: usize, capacity: usize) {
        self.nogoods = Nogoods::with_capacity(variables, capacity);
        self.nogoods.heard = self.trail.len();
    }

    /// Ignores the nogoods for the time being, or heeds them again.
    pub fn silence_nogoods(&mut self, silent: bool) {
        self.nogoods.is_silent = silent;
    }

    /// How often a nogood spoke since this was last asked.
    pub fn nogood_uses(&mut self) -> u64 {
        std::mem::take(&mut self.nogoods.spoke)
    }

    /// The nogoods that are kept.
    pub fn nogoods(&self) -> &Nogoods {
        &self.nogoods
    }

    /// Whether the bound holds now.
    #[inline]
    fn holds(&self, literal: Literal) -> bool {
        literal.follows_from(match literal.end {
            End::Lower => self.lower(literal.var),
            End::Upper => self.upper(literal.var),
        })
    }

    /// Learns that positions in which all bounds hold cost at least `price`. Tells whether it was
    /// kept.
    ///
    /// The bounds that came to hold last are watched: they are the first to be given up.
    pub fn learn(&mut self, mut literals: Vec<Literal>, price: i64) -> bool {
        if literals.len() < 2 || self.nogoods.capacity == 0 {
            return false;
        }
        if self.nogoods.all.len() >= self.nogoods.capacity {
            self.forget();
            if self.nogoods.all.len() >= self.nogoods.capacity {
                return false;
            }
        }
        literals.sort_by_key(|&literal| std::cmp::Reverse(self.cause(literal)));
        let id = NogoodId(self.nogoods.all.len() as u32);
        self.nogoods.watch(id, literals[0]);
        self.nogoods.watch(id, literals[1]);
        self.nogoods.all.push(Nogood {
            literals,
            price,
            uses: 0,
        });
        true
    }

    /// Looks at the changes since last time. Pre: the existential rows are at rest.
    pub fn run_nogoods(&mut self) -> Verdict {
        if self.nogoods.is_silent || self.nogoods.all.is_empty() {
            return Verdict::Rest;
        }
        while self.nogoods.heard < self.trail.len() {
            let change = self.trail[self.nogoods.heard];
            self.nogoods.heard += 1;
            match self.look(change.var, change.end) {
                Verdict::Rest => {}
                verdict => return verdict,
            }
        }
        Verdict::Rest
    }

    /// Looks at the nogoods that watch an end which has moved.
    fn look(&mut self, var: VarId, end: End) -> Verdict {
        let objective = self.inequalities().objective();
        let limit = self.rhs(objective);
        let mut watching = std::mem::take(&mut self.nogoods.watches[var][end as usize]);
        let mut verdict = Verdict::Rest;
        let mut place = 0;
        while place < watching.len() {
            let id = watching[place];
            let nogood = &self.nogoods.all[id.0 as usize];
            // Either watch may be of this end; one that does not hold yet stays.
            let own = usize::from(nogood.literals[0].var != var || nogood.literals[0].end != end);
            place += 1;
            if !self.holds(nogood.literals[own]) || nogood.price <= limit {
                continue;
            }
            let open = (2..nogood.literals.len()).find(|&at| !self.holds(nogood.literals[at]));
            if let Some(open) = open {
                let nogood = &mut self.nogoods.all[id.0 as usize];
                nogood.literals.swap(own, open);
                let literal = nogood.literals[own];
                place -= 1;
                watching.swap_remove(place);
                self.nogoods.watch(id, literal);
                continue;
            }
            let other = nogood.literals[1 - own];
            if self.holds(other) {
                verdict = Verdict::Lost(id);
            } else if self.keep_out(other, id) {
                verdict = Verdict::Moved;
            } else {
                continue;
            }
            let uses = &mut self.nogoods.all[id.0 as usize].uses;
            *uses = uses.saturating_add(1);
            self.nogoods.spoke += 1;
            if verdict != Verdict::Moved {
                break;
            }
        }
        // What was moved here in the meantime watches another end: nothing was added to this list.
        debug_assert!(self.nogoods.watches[var][end as usize].is_empty());
        self.nogoods.watches[var][end as usize] = watching;
        if verdict != Verdict::Rest {
            // The rest of the list is looked at again.
            self.nogoods.heard -= usize::from(matches!(verdict, Verdict::Lost(_)));
        }
        verdict
    }

    /// Takes the values of a bound that must not hold from an existential variable.
    fn keep_out(&mut self, literal: Literal, id: NogoodId) -> bool {
        let var = literal.var;
        if self.owner(var) != Quantifier::Exists {
            return false;
        }
        let value = literal.first_excluded();
        let reason = Reason::Nogood(id);
        match literal.end {
            End::Lower if value < self.upper(var) => self.cut_upper(var, value, reason),
            End::Upper if value > self.lower(var) => self.raise_lower(var, value, reason),
            _ => return false,
        }
        true
    }

    /// Drops the half of the nogoods that was used least, except for what the trail leans on.
    pub fn forget(&mut self) {
        let mut needed = vec![false; self.nogoods.all.len()];
        for change in &self.trail {
            if let Reason::Nogood(id) = change.reason {
                needed[id.0 as usize] = true;
            }
        }
        let worth = |nogood: &Nogood| (nogood.uses, std::cmp::Reverse(nogood.literals.len()));
        let mut order: Vec<usize> = (0..needed.len()).filter(|&at| !needed[at]).collect();
        order.sort_by_key(|&at| worth(&self.nogoods.all[at]));
        let mut stays = vec![true; needed.len()];
        for &at in &order[..order.len().min(needed.len().div_ceil(2))] {
            stays[at] = false;
        }
        let mut next = 0;
        let place_of = |&stays: &bool| {
            next += u32::from(stays);
            NogoodId(if stays { next - 1 } else { u32::MAX })
        };
        let moved: Vec<NogoodId> = stays.iter().map(place_of).collect();
        let mut place = 0;
        self.nogoods.all.retain(|_| {
            place += 1;
            stays[place - 1]
        });
        for change in &mut self.trail {
            if let Reason::Nogood(id) = &mut change.reason {
                *id = moved[id.0 as usize];
            }
        }
        for var in self.nogoods.watches.ids() {
            for list in &mut self.nogoods.watches[var] {
                list.retain_mut(|id| {
                    *id = moved[id.0 as usize];
                    id.0 != u32::MAX
                });
            }
        }
        for nogood in &mut self.nogoods.all {
            nogood.uses /= 2;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::super::inequality::Inequalities;
    use super::*;
    use crate::format::parse_qip;
    use crate::program::Id;

    /// Ten existential binaries, the fourth of which is universal.
    fn store(capacity: usize) -> Store {
        let program = parse_qip(
            "minimize x0 + x1
             subject to x0 + x1 + x2 + x3 + x4 + x5 + x6 + x7 + x8 + x9 <= 10
             prefix exists binary x0 x1 x2  forall binary x3
               exists binary x4 x5 x6 x7 x8 x9 end",
        );
        let program = program.expect("the test's model is well formed");
        let inequalities = Arc::new(Inequalities::new(&program).expect("small numbers fit"));
        let mut store = Store::new(&program, inequalities, true);
        store.heed_nogoods(10, capacity);
        store
    }

    fn one(place: usize) -> Literal {
        Literal {
            var: VarId::new(place),
            end: End::Lower,
            value: 1,
        }
    }

    /// Learns in a position where the bounds hold, as the search does, and goes back.
    fn learn(store: &mut Store, places: &[usize], price: i64) -> bool {
        let mark = store.mark();
        for &place in places {
            store.narrow(VarId::new(place), 1, 1);
        }
        let kept = store.learn(places.iter().map(|&place| one(place)).collect(), price);
        store.undo_to(mark);
        kept
    }

    #[test]
    fn the_last_bound_is_kept_out_of() {
        let mut store = store(10);
        assert!(learn(&mut store, &[0, 2, 5], i64::MAX));
        store.narrow(VarId::new(5), 1, 1);
        assert_eq!(store.run_nogoods(), Verdict::Rest);
        store.narrow(VarId::new(0), 1, 1);
        assert_eq!(store.run_nogoods(), Verdict::Moved);
        assert_eq!(store.upper(VarId::new(2)), 0);
        assert_eq!(store.run_nogoods(), Verdict::Rest);
    }

    #[test]
    fn a_universal_variable_is_not_narrowed_but_may_lose() {
        let mut store = store(10);
        assert!(learn(&mut store, &[0, 3], i64::MAX));
        store.narrow(VarId::new(0), 1, 1);
        assert_eq!(store.run_nogoods(), Verdict::Rest);
        store.narrow(VarId::new(3), 1, 1);
        assert_eq!(store.run_nogoods(), Verdict::Lost(NogoodId(0)));
    }

    #[test]
    fn what_was_learnt_under_a_limit_is_silent_under_a_higher_one() {
        let mut store = store(10);
        assert!(learn(&mut store, &[0, 2], 5));
        store.narrow(VarId::new(0), 1, 1);
        let mark = store.mark();
        store.set_cost_limit(5);
        assert_eq!(store.run_nogoods(), Verdict::Rest);
        store.undo_to(mark);
        store.set_cost_limit(4);
        store.nogoods.heard = 0;
        assert_eq!(store.run_nogoods(), Verdict::Moved);
    }

    #[test]
    fn a_full_store_forgets_what_is_not_used_and_keeps_what_the_trail_leans_on() {
        let mut store = store(6);
        for place in 4..10 {
            assert!(learn(&mut store, &[0, place], i64::MAX));
        }
        store.narrow(VarId::new(9), 1, 1);
        assert_eq!(store.run_nogoods(), Verdict::Moved);
        let reason = |store: &Store| match store.trail().last().map(|change| change.reason) {
            Some(Reason::Nogood(id)) => store.nogoods().get(id).0.to_vec(),
            other => panic!("{other:?}"),
        };
        let before = reason(&store);
        assert!(learn(&mut store, &[1, 2], i64::MAX));
        assert_eq!(store.nogoods().len(), 4);
        assert_eq!(reason(&store), before);
        // What is left still speaks.
        store.narrow(VarId::new(1), 1, 1);
        assert_eq!(store.run_nogoods(), Verdict::Moved);
        assert_eq!(store.upper(VarId::new(2)), 0);
    }
}
