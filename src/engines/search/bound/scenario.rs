//! The scenario that the universal player commits to when a relaxation is asked.
//!
//! **Soundness.** A committed scenario must stay legal whatever the existential player does from
//! here on. So every universal row is checked with the existential variables at their worst and
//! the universal ones at their committed or fixed values. Variables that cannot be committed are
//! left open, which only weakens the bound.

use crate::program::{Id, IdVec, Program, Quantifier, VarId};
use crate::propagate::{End, Entry, InequalityId, Store};

/// The values that last refuted the existential player, and what it takes to commit to them.
#[derive(Debug)]
pub(in crate::search) struct Killer {
    values: IdVec<VarId, i64>,
    /// Universal variables of universal rows, with the end that hurts none of those rows.
    restricted: Vec<(VarId, Option<End>)>,
    free: Vec<VarId>,
    rows: Vec<InequalityId>,
    sums: Vec<i64>,
    committed: Vec<(VarId, i64)>,
    proposed: IdVec<VarId, Option<i64>>,
}

impl Killer {
    pub(in crate::search) fn new(program: &Program, store: &Store) -> Self {
        let heads = store.inequalities().heads();
        let universal = |var: &VarId| store.owner(*var) == Quantifier::Forall;
        let (free, restricted): (Vec<_>, Vec<_>) = program
            .variables()
            .ids()
            .filter(universal)
            .partition(|&var| store.presses(var));
        let harmless = restricted
            .iter()
            .map(|&var| (var, harmless_end(var, store)));
        Self {
            values: IdVec::from_vec(
                program
                    .variables()
                    .ids()
                    .map(|var| store.upper(var))
                    .collect(),
            ),
            restricted: harmless.collect(),
            free,
            rows: heads
                .ids()
                .filter(|&id| heads[id].owner == Quantifier::Forall)
                .collect(),
            sums: vec![0; heads.len()],
            committed: Vec::new(),
            proposed: IdVec::filled(program.variables().len(), None),
        }
    }

    /// Remembers what refuted the existential player.
    pub(in crate::search) fn remember(&mut self, var: VarId, value: i64) {
        self.values[var] = value;
    }

    /// The values of all universal variables.
    pub(in crate::search) fn scenario(&self) -> Vec<(usize, i64)> {
        let restricted = self.restricted.iter().map(|(var, _)| *var);
        let all = self.free.iter().copied().chain(restricted);
        all.map(|var| (var.index(), self.values[var])).collect()
    }

    /// The universal variables that are not fixed and may be committed, with their values.
    pub(in crate::search) fn commit(&mut self, store: &Store) -> &[(VarId, i64)] {
        self.committed.clear();
        for &var in self.free.iter().filter(|&&var| !store.is_fixed(var)) {
            let value = self.values[var].clamp(store.lower(var), store.upper(var));
            self.committed.push((var, value));
        }
        if !self.restricted.is_empty() {
            let free = self.committed.len();
            self.commit_restricted(store);
            if !self.is_legal(store) {
                self.committed.truncate(free);
            }
        }
        &self.committed
    }

    /// Proposes the killer's values as far as the rows allow, harmless ones elsewhere.
    fn commit_restricted(&mut self, store: &Store) {
        let open = self
            .restricted
            .iter()
            .filter(|(var, _)| !store.is_fixed(*var));
        let start = self.committed.len();
        for &(var, harmless) in open {
            let killer = self.values[var].clamp(store.lower(var), store.upper(var));
            let value = match harmless {
                Some(End::Lower) => store.lower(var),
                Some(End::Upper) => store.upper(var),
                None => killer,
            };
            self.committed.push((var, value));
        }
        if self.is_legal(store) {
            for place in start..self.committed.len() {
                self.raise(place, store);
            }
        }
    }

    /// Replaces a harmless value by the killer's if every row still holds.
    fn raise(&mut self, place: usize, store: &Store) {
        let (var, value) = self.committed[place];
        let killer = self.values[var].clamp(store.lower(var), store.upper(var));
        let column = || {
            let rows = store.inequalities().column(var).iter();
            let heads = store.inequalities().heads();
            rows.filter(move |entry| heads[entry.at].owner == Quantifier::Forall)
        };
        let change = killer - value;
        let fits = |entry: &&Entry<InequalityId>| {
            self.sums[entry.at.index()] + entry.coefficient * change <= store.rhs(entry.at)
        };
        if column().all(|entry| fits(&entry)) {
            for entry in column() {
                self.sums[entry.at.index()] += entry.coefficient * change;
            }
            self.committed[place].1 = killer;
        }
    }

    /// Whether every universal row holds whatever the existential player does; sums them anew.
    fn is_legal(&mut self, store: &Store) -> bool {
        for (var, value) in &self.committed {
            self.proposed[*var] = Some(*value);
        }
        for &id in &self.rows {
            let terms = store.inequalities().terms(id).iter();
            let worst = |entry: &Entry<VarId>| {
                let ends = [store.lower(entry.at), store.upper(entry.at)];
                let values = self.proposed[entry.at].map_or(ends, |value| [value, value]);
                values
                    .map(|value| value * entry.coefficient)
                    .into_iter()
                    .max()
                    .unwrap_or(0)
            };
            self.sums[id.index()] = terms.map(worst).sum();
        }
        for (var, _) in &self.committed {
            self.proposed[*var] = None;
        }
        self.rows
            .iter()
            .all(|&id| self.sums[id.index()] <= store.rhs(id))
    }
}

/// The end of a universal variable that is best for every universal row, if there is one.
fn harmless_end(var: VarId, store: &Store) -> Option<End> {
    let heads = store.inequalities().heads();
    let column = store.inequalities().column(var).iter();
    let mut ends = column
        .filter(|entry| heads[entry.at].owner == Quantifier::Forall)
        .map(|entry| {
            if entry.coefficient > 0 {
                End::Lower
            } else {
                End::Upper
            }
        });
    let first = ends.next()?;
    ends.all(|end| end == first).then_some(first)
}
