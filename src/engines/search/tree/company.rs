//! News of an engine that works on the same program.
//!
//! Between two questions at the root the search hears what the other side of a race has proved and
//! which plays refuted its candidates; after each question it tells the play that lately refuted its own.
//! A proved bound raises the floor, a strategy lowers what is worth looking for, and a play becomes the
//! scenario that linear programs commit to. Before the first question the search has refuted nothing:
//! told as news, its first guess had abstraction refinement take a sixth more nodes on assignment.
//!
//! **Invariant:** only proved bounds cut; plays only change what is tried first.

use crate::num::Rational;
use crate::program::{Id, VarId};
use crate::search::Search;
use crate::search::worth::{LOST, Worth};

impl Search<'_> {
    /// Tells the play that lately refuted something.
    pub(in crate::search) fn tell_news(&mut self) {
        if let Some(guide) = self.guide.as_ref().filter(|_| self.budget.is_racing()) {
            self.budget.tell_scenario(guide.scenario());
        }
    }

    /// Hears what the other side has proved and refuted.
    pub(in crate::search) fn hear_news(&mut self) {
        if !self.budget.is_racing() {
            return;
        }
        let heard = self.budget.hear_scenarios();
        if let Some(guide) = &mut self.guide {
            for (var, value) in heard.into_iter().flatten() {
                guide.remember(VarId::new(var), value);
            }
        }
        if self.may_cut_by_cost
            && let Some(bound) = self.budget.rival_bound()
            && let Some(worth) = self.worth_of(&bound)
        {
            self.floor = self.floor.max(worth);
        }
    }

    /// What the other side's best strategy costs: nothing that is not cheaper is worth finding.
    pub(in crate::search) fn rival(&self) -> Worth {
        let cost = self.budget.rival_cost().filter(|_| self.may_cut_by_cost);
        cost.and_then(|cost| self.worth_of(&cost)).unwrap_or(LOST)
    }

    /// The least worth that costs no less.
    fn worth_of(&self, cost: &Rational) -> Option<Worth> {
        let floor = self.inequalities.scaled_cost_floor(cost)?;
        let exact = &self.inequalities.cost(floor) == cost;
        floor.checked_add(i64::from(!exact))
    }
}
