//! Depth-first search for the best first stage, one group after the other.
//!
//! The moves made so far are answered by all replies at once: a *front* holds what each of them
//! leaves of the sums, and the most it has cost. With the table as a bound on what follows, the worst
//! member of the front bounds everything that begins with these moves; when all groups are done, that
//! bound is what the first stage guarantees.

use super::board::{Board, Reply, SUMS};
use super::table::{LOST, Table, WON};
use crate::budget::Budget;
use crate::outcome::Stop;
use crate::program::Quantifier;

/// What some replies leave.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Member {
    left: [i64; SUMS],
    /// Whether they have broken an existential row; whether they keep their own is not known yet.
    breaks: bool,
    cost: i64,
}

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

/// See the module.
pub(super) struct Descent<'a, 'b> {
    board: &'a Board,
    table: &'a Table,
    budget: &'b mut Budget,
    /// What is left of the work, in members made.
    work: u64,
    moves: Vec<usize>,
    /// The best first stage so far.
    pub best: Option<Found>,
}

impl<'a, 'b> Descent<'a, 'b> {
    pub(super) fn new(
        board: &'a Board,
        table: &'a Table,
        work: u64,
        best: Option<Found>,
        budget: &'b mut Budget,
    ) -> Self {
        Self {
            board,
            table,
            budget,
            work,
            moves: Vec::new(),
            best,
        }
    }

    /// Looks for better first stages until there are none.
    pub(super) fn run(&mut self) -> End {
        match self.visit(&[self.root()], i64::from(WON)) {
            Ok(()) => End::Proved,
            Err(end) => end,
        }
    }

    /// The best first stage that begins with the moves made so far; nothing costs less than `bound`.
    fn visit(&mut self, front: &[Member], bound: i64) -> Result<(), End> {
        let level = self.moves.len();
        if level == self.board.groups.len() {
            self.best = Some((bound, self.moves.clone()));
            return Ok(());
        }
        self.budget.spend_node().map_err(End::Stopped)?;
        let mut children = Vec::new();
        for (number, made) in self.board.groups[level].moves.iter().enumerate() {
            let members = (front.len() * made.replies.len()) as u64;
            self.work = self.work.checked_sub(members).ok_or(End::Work)?;
            let Some(after) = self.after(front, &made.replies, level + 1) else {
                continue;
            };
            if after.is_empty() {
                return Err(End::Stuck);
            }
            let worst = after.iter().map(|member| self.worth(member, level + 1));
            let bound = worst.fold(bound, i64::max);
            if bound < self.limit() {
                children.push((bound, number, after));
            }
        }
        children.sort_by_key(|child| child.0);
        for (bound, number, after) in children {
            if bound >= self.limit() {
                break;
            }
            self.budget.look().map_err(End::Stopped)?;
            self.moves.push(number);
            let done = self.visit(&after, bound);
            self.moves.pop();
            done?;
        }
        Ok(())
    }

    /// A reply to a first stage, group by group, that makes it cost what it costs.
    pub(super) fn reply(&self, moves: &[usize]) -> Option<Vec<usize>> {
        let replies = |level: usize| &self.board.groups[level].moves[moves[level]].replies;
        let mut fronts = vec![vec![self.root()]];
        for level in 0..moves.len() {
            let front = self.after(&fronts[level], replies(level), level + 1)?;
            fronts.push(front);
        }
        let mut last = *fronts.last()?.iter().max_by_key(|member| member.cost)?;
        let mut found = Vec::new();
        for level in (0..moves.len()).rev() {
            let mut steps = fronts[level].iter().flat_map(|member| {
                let replies = replies(level).iter().enumerate();
                replies.map(move |(number, reply)| (member, number, reply))
            });
            let (before, number, _) = steps
                .find(|(member, _, reply)| self.replied(member, reply, level + 1) == Some(last))?;
            last = *before;
            found.push(number);
        }
        found.reverse();
        Some(found)
    }

    fn root(&self) -> Member {
        Member {
            left: self.board.start(),
            breaks: false,
            cost: 0,
        }
    }

    /// What a first stage must cost less than.
    fn limit(&self) -> i64 {
        self.best.as_ref().map_or(i64::from(LOST), |best| best.0)
    }

    /// At least so much does the universal player get with these replies.
    fn worth(&self, member: &Member, level: usize) -> i64 {
        let is_end = level == self.board.groups.len();
        match (member.breaks, is_end) {
            (true, true) => i64::from(LOST),
            (true, false) => i64::from(WON),
            (false, _) => match self.table.bound(self.board, level, &member.left) {
                value @ (WON | LOST) => i64::from(value),
                value => member.cost + i64::from(value),
            },
        }
    }

    /// What the replies of one more group leave; nothing if one of them certainly wins.
    fn after(&self, front: &[Member], replies: &[Reply], level: usize) -> Option<Vec<Member>> {
        let mut members = Vec::with_capacity(front.len() * replies.len());
        for member in front {
            for reply in replies {
                match self.replied(member, reply, level) {
                    Some(next) if next.breaks && self.board.is_safe(level, &next.left) => {
                        return None;
                    }
                    next => members.extend(next),
                }
            }
        }
        Some(self.undominated(members))
    }

    /// One member after one reply, unless that breaks a universal sum.
    fn replied(&self, member: &Member, reply: &Reply, level: usize) -> Option<Member> {
        let mut next = Member {
            left: member.left,
            breaks: member.breaks || reply.breaks,
            cost: member.cost + reply.cost,
        };
        for (place, sum) in self.board.sums.iter().enumerate() {
            let range = &self.board.ranges[level][place];
            let left = member.left[place] - reply.used[place];
            if left < range.least {
                match sum.owner {
                    Quantifier::Forall => return None,
                    Quantifier::Exists => next.breaks = true,
                }
            }
            next.left[place] = left.min(range.most);
        }
        if next.breaks {
            // Neither costs nor existential sums matter any more.
            next.cost = 0;
            for (left, sum) in next.left.iter_mut().zip(&self.board.sums) {
                if sum.owner == Quantifier::Exists {
                    *left = 0;
                }
            }
        }
        Some(next)
    }

    /// The members without those that another one is as good as, for the universal player.
    ///
    /// Equal states keep the largest cost. Where they differ in one sum only, more left of a
    /// universal sum, or less of an existential one, and no less cost is as good.
    fn undominated(&self, mut members: Vec<Member>) -> Vec<Member> {
        let Some(&first) = members.first() else {
            return members;
        };
        let differs = |place: &usize| {
            members
                .iter()
                .any(|it| it.left[*place] != first.left[*place])
        };
        let differing: Vec<usize> = (0..SUMS).filter(differs).collect();
        let same = members.iter().all(|it| it.breaks == first.breaks);
        if let (&[place], true) = (&differing[..], same) {
            let is_theirs = self.board.sums[place].owner == Quantifier::Forall;
            let wealth = |it: &Member| {
                if is_theirs {
                    -it.left[place]
                } else {
                    it.left[place]
                }
            };
            members.sort_unstable_by_key(|it| (wealth(it), -it.cost));
            let mut most = i64::MIN;
            members.retain(|it| {
                let is_better = it.cost > most;
                most = most.max(it.cost);
                is_better
            });
        } else {
            members.sort_unstable_by(|one, two| two.cmp(one));
            members.dedup_by_key(|it| (it.left, it.breaks));
        }
        members
    }
}
