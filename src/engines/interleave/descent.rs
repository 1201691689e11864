//! Depth-first search for the best first stage, one group after the other.
//!
//! The moves made so far are answered by all replies at once: a *front* holds what each of them
//! leaves of the sums, and the most it has cost ([`front`](super::front)). With bounds on what follows, the worst
//! member of the front bounds everything that begins with these moves. Fronts may be cut to the members that
//! look worst: fewer replies are a bound as well. What a first stage guarantees is computed with all of them.

use super::board::{Board, SUMS};
use super::front::{Member, after, reply};
use super::table::{LOST, WON};
use crate::budget::Budget;
use crate::outcome::Stop;

/// How a descent ended.
pub(super) enum End {
    /// Every first stage was looked at or bounded.
    Proved,
    /// It took more than it may.
    Work,
    /// A limit stopped it.
    Stopped(Stop),
    /// A first stage leaves the universal player no legal reply: not for this engine.
    Stuck,
}

/// The best first stage: what it costs, and its move in each group.
pub(super) type Found = (i64, Vec<usize>);

/// What the groups to come cost at least.
pub(super) trait Bounds {
    /// How many members of a front are asked whether they prove that a move is no better.
    const ASKED: usize;

    /// At most the value of a state.
    fn bound(&self, level: usize, left: &[i64; SUMS]) -> i64;

    /// Whether the value of a state is found to be at least this, with more effort than a look.
    fn reaches(
        &mut self,
        level: usize,
        left: &[i64; SUMS],
        target: i64,
        budget: &mut Budget,
    ) -> Result<bool, End>;
}

/// See the module.
pub(super) struct Descent<'a, 'b, B> {
    pub board: &'a Board,
    pub bounds: &'a mut B,
    pub budget: &'b mut Budget,
    /// What is left of the work, in members made.
    pub work: u64,
    /// The most members of a front.
    pub members: usize,
    /// Only first stages that cost less than this are looked for.
    pub target: i64,
    pub moves: Vec<usize>,
    /// The best first stage so far.
    pub best: Option<Found>,
}

impl<B: Bounds> Descent<'_, '_, B> {
    /// Looks for better first stages until there are none.
    pub(super) fn run(&mut self) -> End {
        match self.visit(&[Member::root(self.board)], true, i64::from(WON)) {
            Ok(()) => End::Proved,
            Err(end) => end,
        }
    }

    /// The best first stage that begins with the moves made so far; nothing costs less than `bound`.
    ///
    /// The front is whole if no member was left out.
    fn visit(&mut self, front: &[Member], whole: bool, bound: i64) -> Result<(), End> {
        let level = self.moves.len();
        if level == self.board.groups.len() {
            let cost = if whole { bound } else { self.cost()? };
            if cost < self.limit() {
                self.best = Some((cost, self.moves.clone()));
            }
            return Ok(());
        }
        self.budget.spend_node().map_err(End::Stopped)?;
        let mut children = Vec::new();
        for (number, made) in self.board.groups[level].moves.iter().enumerate() {
            self.spend(front.len() * made.replies.len())?;
            let Some(after) = after(self.board, front, &made.replies, level + 1) else {
                continue;
            };
            if after.is_empty() && whole {
                return Err(End::Stuck);
            }
            let mut after = self.by_worth(after, level + 1);
            let worst = after.first().map_or(i64::from(WON), |first| first.0);
            let bound = bound.max(worst);
            if bound < self.limit() && !self.is_refuted(&after, level + 1)? {
                let is_whole = whole && after.len() <= self.members;
                after.truncate(self.members);
                let after: Vec<Member> = after.into_iter().map(|it| it.1).collect();
                children.push((bound, number, after, is_whole));
            }
        }
        children.sort_by_key(|child| child.0);
        for (bound, number, after, whole) in children {
            if bound >= self.limit() {
                break;
            }
            self.budget.look().map_err(End::Stopped)?;
            self.moves.push(number);
            let done = self.visit(&after, whole, bound);
            self.moves.pop();
            done?;
        }
        Ok(())
    }

    fn spend(&mut self, members: usize) -> Result<(), End> {
        self.work = self.work.checked_sub(members as u64).ok_or(End::Work)?;
        Ok(())
    }

    /// What a first stage must cost less than.
    fn limit(&self) -> i64 {
        let best = self.best.as_ref().map_or(i64::from(LOST), |best| best.0);
        best.min(self.target)
    }

    /// Members with what the universal player gets at least, the worst first.
    fn by_worth(&self, members: Vec<Member>, level: usize) -> Vec<(i64, Member)> {
        let worth = |member: Member| (self.worth(&member, level), member);
        let mut members: Vec<_> = members.into_iter().map(worth).collect();
        let sorted = match members.len() > self.members {
            true => members.len(),
            false => B::ASKED.max(1),
        };
        if sorted < members.len() {
            members.select_nth_unstable_by_key(sorted - 1, |it| -it.0);
            members[..sorted].sort_by_key(|it| -it.0);
        } else {
            members.sort_by_key(|it| -it.0);
        }
        members
    }

    /// At least so much does the universal player get with these replies.
    fn worth(&self, member: &Member, level: usize) -> i64 {
        let is_end = level == self.board.groups.len();
        match (member.breaks, is_end) {
            (true, true) => i64::from(LOST),
            (true, false) => i64::from(WON),
            (false, _) => match self.bounds.bound(level, &member.left) {
                value if value <= i64::from(WON) => i64::from(WON),
                value if value >= i64::from(LOST) => i64::from(LOST),
                value => member.cost + value,
            },
        }
    }

    /// Whether one of the first members is found to cost too much.
    fn is_refuted(&mut self, members: &[(i64, Member)], level: usize) -> Result<bool, End> {
        let limit = self.limit();
        for (_, member) in members.iter().filter(|it| !it.1.breaks).take(B::ASKED) {
            let rest = limit - member.cost;
            if self
                .bounds
                .reaches(level, &member.left, rest, self.budget)?
            {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// What the moves made so far cost, by all replies to them.
    fn cost(&mut self) -> Result<i64, End> {
        let mut front = vec![Member::root(self.board)];
        for level in 0..self.moves.len() {
            let made = &self.board.groups[level].moves[self.moves[level]];
            self.spend(front.len() * made.replies.len())?;
            self.budget.look().map_err(End::Stopped)?;
            match after(self.board, &front, &made.replies, level + 1) {
                None => return Ok(i64::from(LOST)),
                Some(next) if next.is_empty() => return Err(End::Stuck),
                Some(next) => front = next,
            }
        }
        let worst = front
            .iter()
            .map(|it| if it.breaks { i64::from(LOST) } else { it.cost });
        Ok(worst.max().unwrap_or(i64::from(WON)))
    }
}

/// A reply to a first stage, group by group, that makes it cost what it costs.
pub(super) fn worst_reply(board: &Board, moves: &[usize]) -> Option<Vec<usize>> {
    let pairs = board.groups.iter().zip(moves);
    let made: Vec<_> = pairs.map(|(group, &number)| &group.moves[number]).collect();
    let mut fronts = vec![vec![Member::root(board)]];
    for (level, made) in made.iter().enumerate() {
        let front = after(board, &fronts[level], &made.replies, level + 1)?;
        fronts.push(front);
    }
    reply(board, &made, &fronts)
}
