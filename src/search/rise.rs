//! The question at the root, asked from below in windows that widen.
//!
//! "Can it be done for hardly more than the bound?" is answered soon, since nearly every line costs
//! too much. If it cannot, the bound has risen, and a wider window comes next; the table remembers.
//! In games this is deepening: short wins are looked for before long ones.

use super::Search;
use super::worth::{LOST, WON, Window, Worth};
use crate::outcome::Stop;

impl Search<'_> {
    /// Worth of the root, whose bound is `floor`.
    pub(super) fn worth_from_below(&mut self) -> Result<Worth, Stop> {
        let mut width = self.first_width();
        while let Some(step) = width {
            let beta = self.floor.saturating_add(step);
            let alpha = self.floor;
            let worth = self.worth(Window { alpha, beta })?;
            if worth < beta {
                return Ok(worth);
            }
            self.floor = beta;
            width = step.checked_mul(2).filter(|_| beta < self.dearest());
        }
        let alpha = self.floor;
        self.worth(Window { alpha, beta: LOST })
    }

    /// How far above the bound to look first; `None`: everywhere at once.
    fn first_width(&self) -> Option<Worth> {
        let asks = self.settings.rise && self.may_cut_by_cost && self.floor != WON;
        let range = self.dearest() - self.floor;
        (asks && range > 1).then(|| (range / STEPS).max(1))
    }

    /// No play costs more than this.
    fn dearest(&self) -> Worth {
        let store = &self.position.store;
        let terms = self.inequalities.terms(self.inequalities.objective());
        let ends = |var| [store.lower(var), store.upper(var)];
        let most = |term: &crate::propagate::Entry<_>| {
            let costs = ends(term.at).map(|value| value * term.coefficient);
            costs[0].max(costs[1])
        };
        terms.iter().map(most).sum()
    }
}

/// The first window holds this part of all worths.
const STEPS: i64 = 256;
