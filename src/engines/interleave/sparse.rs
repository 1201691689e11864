//! The same game, state by state, where a table of all states would be too large.
//!
//! Prices bound every state from both sides ([`prices`](super::prices)); the bounds are close to each other, so that few
//! states have to be looked into to find out whether the value of one reaches a target. What was found is kept.
//!
//! **Invariant:** "reaches" is proved of the value; "does not" is of a game that may be worth less, as in
//! [`table`](super::table): an existential row counts as broken only where the universal player can keep its own.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::board::{Board, Reply, SUMS};
use super::descent::{Bounds, End};
use super::front::Member;
use super::prices::Priced;
use super::table::{LOST, WON};
use crate::budget::Budget;
use crate::outcome::Stop;
use crate::program::Quantifier;

/// What is known of a state: its value is at least and at most this.
type Known = (i64, i64);

/// See the module.
pub(super) struct Sparse<'a> {
    board: &'a Board,
    lower: Vec<Priced>,
    upper: Vec<Priced>,
    /// By level.
    known: Vec<FxHashMap<[i64; SUMS], Known>>,
    /// How many more states may be looked into.
    work: u64,
}

/// Where a reply leads.
struct Step {
    next: Member,
    /// A bound from below, the cost before it included.
    least: i64,
}

impl<'a> Sparse<'a> {
    /// Nothing is known yet but the prices, from tables of so many cells.
    pub(super) fn new(
        board: &'a Board,
        cells: usize,
        work: u64,
        budget: &mut Budget,
    ) -> Result<Self, Stop> {
        Ok(Self {
            lower: Priced::several(board, Quantifier::Exists, cells, budget)?,
            upper: Priced::several(board, Quantifier::Forall, cells, budget)?,
            known: vec![FxHashMap::default(); board.groups.len()],
            board,
            work,
        })
    }

    /// Whether there is a bound at all.
    pub(super) fn has_prices(&self) -> bool {
        !self.lower.is_empty()
    }

    /// The largest number that the value is proved to reach, and whether there was enough work to find it.
    pub(super) fn value(&mut self, budget: &mut Budget) -> (i64, Result<(), End>) {
        let start = self.board.start();
        let mut least = self.bound(0, &start);
        let most = self.most(0, &start);
        let mut step = 1;
        let mut beyond = most.saturating_add(1);
        while least + 1 < beyond {
            let target = least.saturating_add(step).min(beyond - 1);
            match self.reaches(0, &start, target, budget) {
                Ok(true) => (least, step) = (target, step.saturating_mul(2)),
                Ok(false) => (beyond, step) = (target, ((target - least) / 2).max(1)),
                Err(end) => return (least, Err(end)),
            }
        }
        (least, Ok(()))
    }

    /// At most so much is a state worth in this game.
    fn most(&self, level: usize, left: &[i64; SUMS]) -> i64 {
        let bounds = self.upper.iter().map(|priced| priced.bound(level, left));
        bounds.min().unwrap_or(i64::from(LOST))
    }

    /// Where a reply leads; nothing if it breaks a universal sum.
    fn step(&self, member: &Member, reply: &Reply, level: usize) -> Option<Step> {
        let next = member.replied(self.board, reply, level)?;
        let least = match (next.breaks, level == self.board.groups.len()) {
            (true, _) if self.board.is_safe(level, &next.left) => i64::from(LOST),
            (true, _) => return None,
            (false, true) => next.cost,
            (false, false) => match self.bound(level, &next.left) {
                value if value <= i64::from(WON) => i64::from(WON),
                value if value >= i64::from(LOST) => i64::from(LOST),
                value => value + next.cost,
            },
        };
        Some(Step { next, least })
    }

    /// Whether some reply to each move reaches the target.
    fn look_into(
        &mut self,
        level: usize,
        left: &[i64; SUMS],
        target: i64,
        budget: &mut Budget,
    ) -> Result<bool, End> {
        let member = Member {
            left: *left,
            breaks: false,
            cost: 0,
        };
        let board = self.board;
        let mut open: SmallVec<[SmallVec<[Step; 2]>; 2]> = SmallVec::new();
        for made in &board.groups[level].moves {
            let steps = { made.replies.iter() }.filter_map(|it| self.step(&member, it, level + 1));
            let mut steps: SmallVec<[Step; 2]> = steps.collect();
            steps.sort_by_key(|step| -step.least);
            if steps.first().is_none_or(|best| best.least < target) {
                open.push(steps);
            }
        }
        open.sort_by_key(|steps| steps.first().map_or(i64::MIN, |best| best.least));
        for steps in open {
            let mut reached = false;
            for step in steps {
                let rest = target - step.next.cost;
                if level + 1 < board.groups.len()
                    && self.reaches(level + 1, &step.next.left, rest, budget)?
                {
                    reached = true;
                    break;
                }
            }
            if !reached {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

impl Bounds for Sparse<'_> {
    const ASKED: usize = 4;

    fn bound(&self, level: usize, left: &[i64; SUMS]) -> i64 {
        if level == self.board.groups.len() {
            return 0;
        }
        let bounds = self.lower.iter().map(|priced| priced.bound(level, left));
        bounds.max().unwrap_or(i64::from(WON))
    }

    fn reaches(
        &mut self,
        level: usize,
        left: &[i64; SUMS],
        target: i64,
        budget: &mut Budget,
    ) -> Result<bool, End> {
        if self.bound(level, left) >= target {
            return Ok(true);
        }
        if level == self.board.groups.len() || self.most(level, left) < target {
            return Ok(false);
        }
        if let Some(known) = self.known[level].get(left) {
            if known.0 >= target {
                return Ok(true);
            }
            if known.1 < target {
                return Ok(false);
            }
        }
        self.work = self.work.checked_sub(1).ok_or(End::Work)?;
        if self.work.is_multiple_of(1024) {
            budget.look().map_err(End::Stopped)?;
        }
        let reached = self.look_into(level, left, target, budget)?;
        let nothing = (i64::MIN, i64::MAX);
        let known = self.known[level].entry(*left).or_insert(nothing);
        match reached {
            true => known.0 = known.0.max(target),
            false => known.1 = known.1.min(target - 1),
        }
        Ok(reached)
    }
}
