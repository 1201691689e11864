//! Restarts, and forgetting of what was learnt but is not used.

use std::cmp::Reverse;

use super::engine::Engine;
use super::store::ConstraintId;

/// Constraints from so few levels are kept for good.
const FEW: u32 = 2;

/// How often to restart, how much to remember, and when the other engine has its first turn.
#[derive(Copy, Clone, Debug)]
pub(super) struct Pace {
    /// Conflicts before the first restart: rarely, as positions of games are not easily found again;
    /// the sequence of Luby, Sinclair and Zuckerman (1993)
    /// follows.
    pub restart_unit: u64,
    /// Learnt constraints that are kept in any case, besides one for every two clauses.
    pub kept_at_least: usize,
    /// The first slice of work: what learning needs for most formulas, a few tenths of a second.
    pub first_slice: u64,
}

impl Default for Pace {
    fn default() -> Self {
        Self {
            restart_unit: 512,
            kept_at_least: 20_000,
            first_slice: 1 << 20,
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

    /// Drops half of the learnt constraints: those whose literals came from many levels, and among
    /// equals those that were not used for longest.
    ///
    /// Pre: no decision is open. Reasons of level 0 stay, and so does what came from few levels.
    pub(super) fn forget(&mut self) {
        let mut needed = vec![false; self.store.ids().count()];
        for &literal in self.trail.literals() {
            if let Some(reason) = self.trail.reason(literal) {
                needed[reason.index()] = true;
            }
        }
        let learnt = self.store.ids().filter(|&id| self.store.get(id).learnt);
        let worth = |id: ConstraintId| {
            let constraint = self.store.get(id);
            (Reverse(constraint.spread), constraint.used)
        };
        let mut worst: Vec<ConstraintId> = learnt
            .filter(|&id| !needed[id.index()] && self.store.get(id).spread > FEW)
            .collect();
        worst.sort_by_key(|&id| worth(id));
        worst.truncate(self.learnt / 2);
        let mut dropped = vec![false; needed.len()];
        for id in worst {
            dropped[id.index()] = true;
        }
        let moved = self.store.retain(|id| !dropped[id.index()]);
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
