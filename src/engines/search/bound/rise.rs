//! The question at the root, asked from below in windows that widen, and dives for a strategy.
//!
//! "Can it be done for hardly more than the bound?" is answered soon, since nearly every line costs
//! too much. If it cannot, the bound has risen, and a wider window comes next; the table remembers.
//! In games this is deepening: short wins are looked for before long ones.
//!
//! As long as no strategy is known, every slice of work from below is followed by a smaller one that
//! looks for a strategy at any cost, so that a search that is stopped has something to show, and a program
//! that is lost is not asked about once for each window.

use crate::outcome::Stop;
use crate::search::Search;
use crate::search::worth::{LOST, WON, Window, Worth};

impl Search<'_> {
    /// Worth of the root, whose bound is `floor`.
    pub(in crate::search) fn worth_from_below(&mut self) -> Result<Worth, Stop> {
        let Some(mut width) = self.first_width() else {
            return self.worth(self.below(LOST));
        };
        let mut slice = FIRST_SLICE;
        let mut foreseen = None;
        while self.floor < self.dearest() {
            self.hear_news();
            let strategy = self.incumbent.as_ref().map(|found| found.worth);
            if strategy.is_none()
                && let Some(worth) = self.worth_within(slice / DIVES, self.below(LOST))?
            {
                return Ok(worth);
            }
            let ceiling = strategy.unwrap_or(LOST);
            let rival = self.rival();
            let beta = self.floor.saturating_add(width).min(ceiling).min(rival);
            // In a race there may be news after every slice.
            let is_alone = strategy.is_some() && !self.budget.is_racing();
            let positions = if is_alone { u64::MAX } else { slice };
            match self.worth_within(positions, self.below(beta))? {
                Some(worth) if worth < beta || beta == ceiling => return Ok(worth),
                Some(_) => {
                    self.floor = beta;
                    width = width.saturating_mul(2);
                    if beta == rival {
                        // The other side's strategy is optimal: the bound says so.
                        let progress = self.progress(false);
                        self.budget.report(&progress);
                        self.budget.look()?;
                    }
                }
                None => {}
            }
            self.tell_news();
            if foreseen.is_none() {
                foreseen = self.foreseen(self.budget.nodes());
                self.floor = self.floor.max(foreseen.unwrap_or(WON));
            }
            slice = slice.saturating_mul(4);
        }
        if self.floor == LOST {
            return Ok(LOST);
        }
        self.worth(self.below(LOST))
    }

    fn below(&self, beta: Worth) -> Window {
        Window {
            alpha: self.floor,
            beta,
        }
    }

    /// Worth of the position, if so many positions are enough to find it.
    fn worth_within(&mut self, positions: u64, window: Window) -> Result<Option<Worth>, Stop> {
        if window.is_empty() {
            return Ok(Some(window.beta));
        }
        self.pause_at = self.budget.nodes().saturating_add(positions);
        let result = self.worth(window);
        let is_paused = self.budget.nodes() >= self.pause_at;
        self.pause_at = u64::MAX;
        match result {
            Err(_) if is_paused => Ok(None),
            result => result.map(Some),
        }
    }

    /// How far above the bound to look first; `None`: everywhere at once.
    fn first_width(&self) -> Option<Worth> {
        let asks = self.settings.rise && self.may_cut_by_cost && self.floor != WON;
        let range = self.dearest() - self.floor;
        (asks && range > 1).then(|| (range / WINDOWS).max(1))
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
const WINDOWS: i64 = 256;

/// Positions of the first slice.
const FIRST_SLICE: u64 = 16_384;

/// A dive gets this part of a slice.
const DIVES: u64 = 4;
