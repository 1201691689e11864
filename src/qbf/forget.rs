//! Restarts, and forgetting of what was learnt but is not used.

use super::Engine;

/// How often to restart and how much to remember.
#[derive(Copy, Clone, Debug)]
pub(super) struct Pace {
    /// Conflicts before the first restart; the sequence of Luby, Sinclair and Zuckerman (1993)
    /// follows.
    pub restart_unit: u64,
    /// Learnt constraints that are kept in any case, besides one for every two clauses.
    pub kept_at_least: usize,
}

impl Default for Pace {
    fn default() -> Self {
        Self {
            restart_unit: 128,
            kept_at_least: 4_000,
        }
    }
}

/// The `index`-th number of the sequence 1 1 2 1 1 2 4 …, counted from 0.
pub(super) fn luby(mut index: u64) -> u64 {
    loop {
        let size = (index + 2).next_power_of_two();
        if size == index + 2 {
            return size / 2;
        }
        index -= size / 2 - 1;
    }
}

impl Engine<'_> {
    pub(super) fn restarting(&self) -> bool {
        self.conflicts_since_restart >= self.pace.restart_unit * luby(self.restarts)
    }

    /// Takes all decisions back; what was learnt and the activities remain.
    pub(super) fn restart(&mut self) {
        self.restarts += 1;
        self.conflicts_since_restart = 0;
        self.return_to(0);
    }

    pub(super) fn forgetting(&self) -> bool {
        self.trail.depth() == 0 && self.learnt > self.learnt_limit
    }

    /// Drops the older half of the learnt constraints, by their last use.
    ///
    /// Pre: no decision is open. Reasons of level 0 stay.
    pub(super) fn forget(&mut self) {
        let mut uses: Vec<u64> = self
            .store
            .iter()
            .filter(|it| it.learnt)
            .map(|it| it.used)
            .collect();
        uses.sort_unstable();
        let median = uses.get(uses.len() / 2).copied().unwrap_or(0);
        let mut is_reason = vec![false; self.store.ids().count()];
        for &literal in self.trail.literals() {
            if let Some(reason) = self.trail.reason(literal) {
                is_reason[reason.index()] = true;
            }
        }
        for (id, needed) in self.store.ids().zip(is_reason) {
            if needed {
                self.store.touch(id, self.conflicts);
            }
        }
        let now = self.conflicts;
        let keep = |it: &super::store::Constraint| {
            !it.learnt || it.used > median || it.used == now || it.literals.len() <= 3
        };
        let moved = self.store.retain(keep);
        self.trail.move_reasons(|id| moved[id.index()]);
        self.learnt = self.store.iter().filter(|it| it.learnt).count();
        self.learnt_limit = (self.learnt_limit + self.learnt_limit / 10).max(2 * self.learnt);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sequence_doubles_after_two_runs() {
        let begin: Vec<_> = (0..15).map(luby).collect();
        assert_eq!(begin, [1, 1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8]);
    }
}
