//! Combinations of rows: what a linear program proved, kept as a row that speaks elsewhere.
//!
//! The multipliers of a linear program make one inequality of the existential rows and the cost:
//! for every play that keeps the rows, `constant + Σ step·x <= per_cost·cost`. It does not matter
//! where it was found: it holds in every play, and what it says at a position is found in one pass
//! over its terms, which is a small part of what a linear program takes.
//!
//! Like every row it is read with free universals that are open at their worst. What is above the
//! cost limit is lost, and values of the present existential block that would lift it above the limit
//! are taken away. A combination that has no part in the cost (a Farkas row) says the same at any limit.
//!
//! The store is bounded. When it is full, the one that served least makes room, unless the trail leans
//! on it. The ones that served last are asked first, and only a few.

use std::ops::Range;

use super::inequality::NO_LIMIT;
use super::store::{Reason, Store};
use crate::program::{Id, Quantifier, RowId, VarId};

/// A combination, by its place in the store.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct CombinationId(u32);

/// See the module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Combination {
    /// Variables with their steps, none of which is zero.
    pub terms: Vec<(VarId, i128)>,
    /// What it amounts to without them.
    pub constant: i128,
    /// How much a unit of cost allows; zero for rows that are not about cost.
    pub per_cost: i128,
    /// The rows it is made of, in scaled numbers, and how often each is taken: a positive number
    /// of times its lower side, a negative one its upper side.
    pub rows: Vec<(RowId, i64)>,
}

/// All that are kept.
#[derive(Clone, Debug, Default)]
pub struct Combinations {
    all: Vec<(Combination, u32)>,
    /// The ones that served last first.
    order: Vec<CombinationId>,
    capacity: usize,
}

/// What the combinations have to say.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Said {
    /// Nothing, or that bounds move.
    Alive,
    /// The position is lost.
    Lost,
}

/// Asked at one position.
const ASKED: usize = 4;

impl Store {
    /// Keeps combinations from now on, so many at a time.
    pub fn heed_combinations(&mut self, capacity: usize) {
        self.combinations.capacity = capacity;
    }

    /// Takes over what another store of the same program has kept.
    pub fn inherit_combinations(&mut self, other: &mut Self) {
        self.combinations = std::mem::take(&mut other.combinations);
    }

    /// The combinations that are kept, the ones that served last first.
    pub fn combinations(&self) -> impl Iterator<Item = &Combination> {
        let order = self.combinations.order.iter();
        order.map(|&id| self.combination(id))
    }

    /// How many combinations are kept.
    pub fn combination_count(&self) -> usize {
        self.combinations.all.len()
    }

    pub(super) fn combination(&self, id: CombinationId) -> &Combination {
        &self.combinations.all[id.0 as usize].0
    }

    /// Keeps a combination, unless it is known, too large or there is no room; tells whether it is
    /// new, and its place.
    pub fn keep_combination(&mut self, combination: Combination) -> Option<(bool, CombinationId)> {
        if self.combinations.capacity == 0 || !self.fits(&combination) {
            return None;
        }
        let mut known = self.combinations.all.iter();
        if let Some(at) = known.position(|(known, _)| *known == combination) {
            return Some((false, CombinationId(at as u32)));
        }
        let at = if self.combinations.all.len() < self.combinations.capacity {
            self.combinations.all.push((combination, 1));
            self.combinations.all.len() - 1
        } else {
            let at = self.least_useful()?;
            self.combinations.all[at] = (combination, 1);
            at
        };
        let id = CombinationId(at as u32);
        self.combinations.order.retain(|&other| other != id);
        self.combinations.order.insert(0, id);
        Some((true, id))
    }

    /// Whether its sums fit machine integers whatever the bounds.
    fn fits(&self, combination: &Combination) -> bool {
        let mut most = combination.constant.checked_abs();
        for &(var, step) in &combination.terms {
            let largest = i128::from(self.lower(var).abs().max(self.upper(var).abs()));
            let term = step.checked_abs().and_then(|it| it.checked_mul(largest));
            most = most.and_then(|most| most.checked_add(term?));
        }
        most.is_some_and(|most| most < i128::MAX / 4)
    }

    /// The one that served least of those that no bound leans on.
    fn least_useful(&mut self) -> Option<usize> {
        let mut is_needed = vec![false; self.combinations.all.len()];
        for change in &self.trail {
            if let Reason::Combination(id) = change.reason {
                is_needed[id.0 as usize] = true;
            }
        }
        let uses = |at: &usize| self.combinations.all[*at].1;
        let least = { 0..is_needed.len() }.filter(|&at| !is_needed[at]);
        let least = least.min_by_key(uses);
        for (_, uses) in &mut self.combinations.all {
            *uses /= 2;
        }
        least
    }

    /// Asks the combinations that served last. `block` has the open variables of the present
    /// existential block; it is empty if the universal player is to move.
    pub fn ask_combinations(&mut self, block: Range<usize>) -> Said {
        for place in 0..self.combinations.order.len().min(ASKED) {
            let id = self.combinations.order[place];
            let before = self.trail.len();
            let said = self.ask_combination(id, block.clone());
            if said != Said::Alive || self.trail.len() > before {
                self.combinations.order[..=place].rotate_right(1);
                let uses = &mut self.combinations.all[id.0 as usize].1;
                *uses = uses.saturating_add(1);
            }
            if said != Said::Alive {
                return said;
            }
        }
        Said::Alive
    }

    /// Asks one combination.
    pub fn ask_combination(&mut self, id: CombinationId, block: Range<usize>) -> Said {
        let limit = self.rhs(self.inequalities().objective());
        let combination = self.combination(id);
        if combination.per_cost > 0 && limit == NO_LIMIT {
            return Said::Alive;
        }
        let allowed = combination.per_cost * i128::from(limit);
        let room = allowed - self.pressed_combination(combination);
        if room < 0 {
            return Said::Lost;
        }
        for place in 0..self.combination(id).terms.len() {
            let (var, step) = self.combination(id).terms[place];
            let is_open = block.contains(&var.index()) && self.owner(var) == Quantifier::Exists;
            let (lower, upper) = (self.lower(var), self.upper(var));
            let steps = room / step.abs();
            if !is_open || steps >= i128::from(upper - lower) {
                continue;
            }
            let steps = steps as i64;
            if step > 0 {
                self.cut_upper(var, lower + steps, Reason::Combination(id));
            } else {
                self.raise_lower(var, upper - steps, Reason::Combination(id));
            }
        }
        Said::Alive
    }

    /// The sum with free universals at their worst.
    fn pressed_combination(&self, combination: &Combination) -> i128 {
        let mut sum = combination.constant;
        for &(var, step) in &combination.terms {
            let value = if (step > 0) != self.presses(var) {
                self.lower(var)
            } else {
                self.upper(var)
            };
            sum += step * i128::from(value);
        }
        sum
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::super::inequality::Inequalities;
    use super::*;
    use crate::format::parse_qip;

    /// Variables a, b, y, c; y is universal.
    fn store(capacity: usize) -> Store {
        let program = parse_qip(
            "minimize a + b + c
             subject to a + b + y + c >= 2
             prefix exists integer a b in [0, 3]  forall binary y  exists binary c end",
        );
        let program = program.expect("the test's model is well formed");
        let inequalities = Arc::new(Inequalities::new(&program).expect("small numbers fit"));
        let mut store = Store::new(&program, inequalities, true);
        store.heed_combinations(capacity);
        store
    }

    /// `constant + a + 2 b + 3 y <= per_cost · cost`.
    fn combination(constant: i128, per_cost: i128) -> Combination {
        Combination {
            terms: [(0, 1), (1, 2), (2, 3)]
                .map(|(var, step)| (VarId::new(var), step))
                .to_vec(),
            constant,
            per_cost,
            rows: Vec::new(),
        }
    }

    #[test]
    fn it_takes_values_of_the_present_block_by_the_worst_of_what_is_open() {
        let mut store = store(4);
        store.keep_combination(combination(0, 1)).expect("room");
        store.set_cost_limit(5);
        assert_eq!(store.ask_combinations(0..1), Said::Alive);
        // y may become 1, which leaves 2.
        assert_eq!(store.upper(VarId::new(0)), 2);
        assert_eq!(store.upper(VarId::new(1)), 3, "not of the block");
        store.set_cost_limit(2);
        assert_eq!(store.ask_combinations(0..0), Said::Lost);
    }

    #[test]
    fn a_farkas_row_needs_no_limit_and_a_row_of_costs_does() {
        let mut store = store(4);
        store.keep_combination(combination(0, 1)).expect("room");
        assert_eq!(store.ask_combinations(0..2), Said::Alive);
        assert!(store.trail().is_empty());
        store.keep_combination(combination(-4, 0)).expect("room");
        assert_eq!(store.ask_combinations(0..2), Said::Alive);
        assert_eq!(store.upper(VarId::new(0)), 1);
        assert_eq!(store.upper(VarId::new(1)), 0);
    }

    #[test]
    fn a_full_store_keeps_what_the_trail_leans_on() {
        let mut store = store(2);
        let kept = |store: &mut Store, constant| store.keep_combination(combination(constant, 0));
        let (_, first) = kept(&mut store, -4).expect("room");
        assert_eq!(kept(&mut store, -4), Some((false, first)));
        store.ask_combinations(0..2);
        kept(&mut store, -20).expect("room");
        let (_, third) = kept(&mut store, -30).expect("the second goes");
        assert_ne!(third, first);
        assert_eq!(store.combination_count(), 2);
        let huge = Combination {
            constant: i128::MAX / 2,
            ..combination(0, 0)
        };
        assert!(store.keep_combination(huge).is_none());
    }
}
