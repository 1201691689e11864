//! When learning pauses: where it saves less than it costs.
//!
//! To explain a loss takes about as long as to find it. So learning is tried for a number of
//! positions, and what it saved is estimated: for every range of values that was dropped, the size
//! of the tree whose reason did that. If that is not several times what was visited (the table would
//! have spared much of it anyway), learning pauses for
//! many positions, and for twice as many after each further failure. Counted, not measured, so that
//! runs repeat.

/// Positions of a trial.
const TRIAL: u64 = 2048;

/// The first pause is this many trials long.
const PAUSE: u64 = 16;

/// What seems saved must be this many times what was visited.
const CAUTION: u64 = 4;

/// The longest pause, in positions.
const LONGEST: u64 = 1 << 24;

/// See the module.
#[derive(Clone, Debug)]
pub(super) struct Pace {
    is_paused: bool,
    /// When to weigh again, in positions.
    due: u64,
    began: u64,
    saved: u64,
    pause: u64,
}

impl Default for Pace {
    fn default() -> Self {
        Self {
            is_paused: false,
            due: TRIAL,
            began: 0,
            saved: 0,
            pause: TRIAL * PAUSE,
        }
    }
}

impl Pace {
    /// Whether nothing is explained at the moment.
    pub(super) fn is_paused(&self) -> bool {
        self.is_paused
    }

    /// Counts positions that needed no look.
    pub(super) fn save(&mut self, positions: u64) {
        self.saved = self.saved.saturating_add(positions);
    }

    /// Whether it is time to weigh.
    #[inline]
    pub(super) fn is_due(&self, nodes: u64) -> bool {
        nodes >= self.due
    }

    /// Weighs what was saved since the last time; a pause ends with a trial.
    pub(super) fn turn(&mut self, nodes: u64) {
        let visited = nodes - self.began;
        let has_paid = self.saved >= CAUTION * visited;
        (self.began, self.saved) = (nodes, 0);
        if self.is_paused || has_paid {
            if has_paid {
                self.pause = TRIAL * PAUSE;
            }
            self.is_paused = false;
            self.due = nodes + TRIAL;
        } else {
            self.is_paused = true;
            self.due = nodes + self.pause;
            self.pause = (2 * self.pause).min(LONGEST);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_does_not_pay_pauses_longer_and_longer() {
        let mut pace = Pace::default();
        let mut pauses = Vec::new();
        while pauses.len() < 3 {
            let nodes = pace.due;
            assert!(pace.is_due(nodes) && !pace.is_due(nodes - 1));
            pace.turn(nodes);
            if pace.is_paused() {
                pauses.push(pace.due - nodes);
            }
        }
        assert_eq!(pauses, [1, 2, 4].map(|times| times * TRIAL * PAUSE));
        pace.turn(pace.due);
        pace.save(CAUTION * TRIAL);
        pace.turn(pace.due);
        assert!(!pace.is_paused(), "it paid");
        pace.turn(pace.due);
        assert_eq!(pace.due - pace.began, TRIAL * PAUSE, "and counts afresh");
    }
}
