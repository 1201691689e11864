//! Restarts: the root is asked again, with all that was learnt in the meantime.
//!
//! The table, the history of refutations and the learnt rows remain, so that what was finished is
//! found again at once, and the first moves are tried in a better order (Gomes, Selman and Kautz
//! 1998). After each restart the next one is twice as far, so that every search ends.

use super::Search;
use super::worth::{Window, Worth};
use crate::outcome::Stop;

impl Search<'_> {
    /// Worth of the position inside `window`, with restarts.
    pub(super) fn worth_with_restarts(&mut self, window: Window) -> Result<Worth, Stop> {
        self.restart_after = self.settings.restart;
        loop {
            let result = self.worth(window);
            if result.is_err() && self.is_restarting() {
                self.restart_after = self.restart_after.saturating_mul(2);
                if let Some(learner) = &mut self.learner {
                    learner.losses = 0;
                }
                continue;
            }
            self.restart_after = 0;
            return result;
        }
    }

    /// Whether so many losses were explained that the root is asked again.
    pub(super) fn is_restarting(&self) -> bool {
        let losses = self.learner.as_ref().map_or(0, |learner| learner.losses);
        self.restart_after > 0 && losses >= self.restart_after
    }
}
