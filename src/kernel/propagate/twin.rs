//! The slow twin of propagation: sums formed anew, rows scanned until nothing changes.
//!
//! With the feature `paranoid` every propagation is compared with it: the kept sums must be the
//! real ones, a death must be a death here too, and no bound may be narrower than here.

use super::fixpoint::Strength;
use super::inequality::InequalityId;
use super::store::Store;
use crate::program::{Id, Quantifier, VarId};

/// Bounds of all variables after the owner's inequalities were applied to the end.
#[derive(Clone, Debug)]
pub struct Twin {
    bounds: Vec<(i64, i64)>,
    is_dead: bool,
}

impl Twin {
    /// Starts from the store's present bounds and runs to the end.
    pub fn run(store: &Store, owner: Quantifier, horizon: VarId, strength: Strength) -> Self {
        let count = store.variable_count();
        let bounds = (0..count)
            .map(VarId::new)
            .map(|var| (store.lower(var), store.upper(var)));
        let mut twin = Self {
            bounds: bounds.collect(),
            is_dead: false,
        };
        let heads = store.inequalities().heads();
        let own: Vec<_> = heads.ids().filter(|&id| heads[id].owner == owner).collect();
        loop {
            let before = twin.bounds.clone();
            for &id in &own {
                twin.apply(store, id, horizon, strength);
            }
            if twin.is_dead || twin.bounds == before {
                return twin;
            }
        }
    }

    /// Panics unless the store, which ran the same inequalities, claims no more than the twin.
    pub fn assert_not_surpassed(&self, store: &Store, died: bool) {
        assert!(
            !died || self.is_dead,
            "invariant: a death is a death by definition"
        );
        if died || self.is_dead {
            return;
        }
        for (index, (lower, upper)) in self.bounds.iter().enumerate() {
            let var = VarId::new(index);
            assert!(
                store.lower(var) <= *lower && *upper <= store.upper(var),
                "invariant: a bound follows from the rows"
            );
        }
    }

    fn apply(&mut self, store: &Store, id: InequalityId, horizon: VarId, strength: Strength) {
        let surplus = self.surplus(store, id);
        let rhs = store.rhs(id) - surplus;
        if self.sum(store, id, None, true) > rhs {
            self.is_dead = true;
        }
        if self.is_dead || strength == Strength::Notice {
            return;
        }
        let owner = store.inequalities().heads()[id].owner;
        if id == store.inequalities().objective() {
            self.apply_choices(store, horizon);
        }
        for entry in store.inequalities().terms(id) {
            if store.owner(entry.at) != owner || surplus > 0 && store.choices().holds(entry.at) {
                continue;
            }
            let pressed = entry.at.index() < horizon.index();
            let fits = |value: i64| {
                let others = self.sum(store, id, Some(entry.at), pressed);
                others + entry.coefficient * value <= rhs
            };
            let (mut lower, mut upper) = self.bounds[entry.at.index()];
            while lower < upper && !fits(lower) {
                lower += 1;
            }
            while lower < upper && !fits(upper) {
                upper -= 1;
            }
            self.bounds[entry.at.index()] = (lower, upper);
        }
    }

    /// What the choices add to the objective.
    fn surplus(&self, store: &Store, id: InequalityId) -> i64 {
        if id != store.inequalities().objective() {
            return 0;
        }
        store.choices().surplus(&|var| self.bounds[var.index()])
    }

    /// Tries each member of a choice as the one that is taken.
    fn apply_choices(&mut self, store: &Store, horizon: VarId) {
        let objective = store.inequalities().objective();
        for var in (0..self.bounds.len()).map(VarId::new) {
            if !store.choices().holds(var) || self.bounds[var.index()] != (0, 1) {
                continue;
            }
            self.bounds[var.index()] = (1, 1);
            let least = self.sum(store, objective, None, var.index() < horizon.index());
            let cost = least + self.surplus(store, objective);
            let upper = i64::from(cost <= store.rhs(objective));
            self.bounds[var.index()] = (0, upper);
        }
    }

    /// The least sum without one variable; free universals at their worst if `pressed`.
    fn sum(&self, store: &Store, id: InequalityId, without: Option<VarId>, pressed: bool) -> i64 {
        let terms = store.inequalities().terms(id).iter();
        let contribution = |entry: &super::inequality::Entry<VarId>| {
            let (lower, upper) = self.bounds[entry.at.index()];
            let ends = [entry.coefficient * lower, entry.coefficient * upper];
            if pressed && store.presses(entry.at) {
                ends.into_iter().max()
            } else {
                ends.into_iter().min()
            }
        };
        terms
            .filter(|entry| Some(entry.at) != without)
            .filter_map(contribution)
            .sum()
    }
}
