//! Running the inequalities until nothing moves.

use super::inequality::{Entry, InequalityId};
use super::store::{Reason, Store};
use crate::program::{Id, Quantifier, VarId};

/// A system that no play can satisfy any more, by the sight of one inequality.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Death {
    /// Whose system it is.
    pub owner: Quantifier,
    /// The inequality that cannot hold.
    pub inequality: InequalityId,
}

/// How much is concluded.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Strength {
    /// Dead inequalities are noticed; no bound moves.
    Notice,
    /// Bounds are narrowed until nothing changes.
    Narrow,
}

impl Store {
    /// Looks at every inequality of `owner` whose sums rose, and at those that follow.
    ///
    /// `horizon` is the first variable that is not fixed among the free universals: existential
    /// variables before it answer to nothing that is still to come.
    pub fn propagate(
        &mut self,
        owner: Quantifier,
        horizon: VarId,
        strength: Strength,
    ) -> Result<(), Death> {
        #[cfg(feature = "paranoid")]
        let twin = super::twin::Twin::run(self, owner, horizon, strength);
        let result = self.run(owner, horizon, strength);
        #[cfg(feature = "paranoid")]
        {
            twin.assert_not_surpassed(self, result.is_err());
            self.assert_sums();
        }
        result
    }

    fn run(&mut self, owner: Quantifier, horizon: VarId, strength: Strength) -> Result<(), Death> {
        while let Some(id) = self.dequeue(owner) {
            let surplus = self.surplus(id);
            let slack = self.rhs(id) - self.pressed(id) - surplus;
            if slack < 0 {
                return Err(Death {
                    owner,
                    inequality: id,
                });
            }
            if strength == Strength::Narrow && slack < self.widest(id) {
                self.narrow_by(id, owner, horizon, surplus);
                if id == self.inequalities().objective() {
                    self.leave_what_is_too_dear(horizon, surplus);
                }
            }
        }
        Ok(())
    }

    /// Takes from the owner's variables the values that the inequality forbids.
    fn narrow_by(&mut self, id: InequalityId, owner: Quantifier, horizon: VarId, surplus: i64) {
        let rhs = self.rhs(id) - surplus;
        let is_cost = id == self.inequalities().objective();
        for place in 0..self.inequalities().terms(id).len() {
            let Entry {
                at: var,
                coefficient,
            } = self.inequalities().terms(id)[place];
            if self.is_fixed(var) || self.owner(var) != owner {
                continue;
            }
            if is_cost && self.choices().holds(var) {
                continue;
            }
            let (rest, reason) = if var.index() < horizon.index() {
                (self.pressed(id), Reason::Pressed(id))
            } else {
                (self.least(id), Reason::Inequality(id))
            };
            let room = (rhs - rest) / coefficient.abs();
            if room >= self.upper(var) - self.lower(var) {
                continue;
            }
            // `rest` counts the variable itself at its best end, so it may move `room` from there.
            if coefficient > 0 {
                self.cut_upper(var, self.lower(var) + room, reason);
            } else {
                self.raise_lower(var, self.upper(var) - room, reason);
            }
        }
    }

    /// Leaves the members of a choice that cost more above its cheapest than there is room for.
    fn leave_what_is_too_dear(&mut self, horizon: VarId, surplus: i64) {
        let objective = self.inequalities().objective();
        let pressed = self.rhs(objective) - self.pressed(objective) - surplus;
        let relaxed = self.rhs(objective) - self.least(objective) - surplus;
        let dear = self.choices().too_dear(pressed, &|var| self.ends(var));
        for (var, above) in dear {
            if var.index() < horizon.index() {
                self.cut_upper(var, 0, Reason::Pressed(objective));
            } else if above > relaxed {
                self.cut_upper(var, 0, Reason::Inequality(objective));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::super::inequality::Inequalities;
    use super::super::twin::Twin;
    use super::*;
    use crate::games::random::{RandomShape, random_program};

    /// Random moves on random programs, each compared with the twin.
    #[test]
    fn propagation_never_claims_more_than_its_slow_twin() {
        let mut narrowed = 0;
        for seed in 0..2000 {
            let program = random_program(seed, &RandomShape::small());
            if program.first_empty_domain().is_some() {
                continue;
            }
            let inequalities = Arc::new(Inequalities::new(&program).expect("small numbers fit"));
            let mut store = Store::new(&program, inequalities, seed % 2 == 0);
            for (place, var) in program.variables().ids().enumerate() {
                let value = store.lower(var) + (seed as i64 + place as i64) % 2;
                let value = value.min(store.upper(var));
                store.narrow(var, value, value);
                let owner = store.owner(var);
                let twin = Twin::run(&store, owner, var, Strength::Narrow);
                let before = store.mark();
                let result = store.propagate(owner, var, Strength::Narrow);
                twin.assert_not_surpassed(&store, result.is_err());
                store.assert_sums();
                narrowed += usize::from(store.mark() != before);
                if result.is_err() {
                    break;
                }
            }
            let start = store.trail().len();
            store.undo_all();
            store.assert_sums();
            assert!(start == 0 || store.trail().is_empty());
        }
        assert!(
            narrowed > 500,
            "only {narrowed} propagations narrowed anything"
        );
    }
}
