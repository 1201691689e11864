//! What all replies to the moves made so far leave, side by side.

use super::board::{Board, Move, Reply, SUMS};
use crate::program::Quantifier;

/// What some replies leave.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Member {
    pub left: [i64; SUMS],
    /// Whether they have broken an existential row; whether they keep their own is not known yet.
    pub breaks: bool,
    pub cost: i64,
}

impl Member {
    /// Before the first move.
    pub(super) fn root(board: &Board) -> Self {
        Self {
            left: board.start(),
            breaks: false,
            cost: 0,
        }
    }

    /// After one reply, unless that breaks a universal sum.
    pub(super) fn replied(&self, board: &Board, reply: &Reply, level: usize) -> Option<Self> {
        let mut next = Self {
            left: self.left,
            breaks: self.breaks || reply.breaks,
            cost: self.cost + reply.cost,
        };
        for (place, sum) in board.sums.iter().enumerate() {
            let range = &board.ranges[level][place];
            let left = self.left[place] - reply.used[place];
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
            for (left, sum) in next.left.iter_mut().zip(&board.sums) {
                if sum.owner == Quantifier::Exists {
                    *left = 0;
                }
            }
        }
        Some(next)
    }
}

/// What the replies of one more group leave; nothing if one of them certainly wins.
pub(super) fn after(
    board: &Board,
    front: &[Member],
    replies: &[Reply],
    level: usize,
) -> Option<Vec<Member>> {
    let mut members = Vec::with_capacity(front.len() * replies.len());
    for member in front {
        for reply in replies {
            match member.replied(board, reply, level) {
                Some(next) if next.breaks && board.is_safe(level, &next.left) => {
                    return None;
                }
                next => members.extend(next),
            }
        }
    }
    Some(undominated(board, members))
}

/// A reply to a first stage, group by group, that makes it cost the most, from its fronts.
pub(super) fn reply(board: &Board, made: &[&Move], fronts: &[Vec<Member>]) -> Option<Vec<usize>> {
    let mut last = *fronts.last()?.iter().max_by_key(|member| member.cost)?;
    let mut found = Vec::new();
    for level in (0..made.len()).rev() {
        let mut steps = fronts[level].iter().flat_map(|member| {
            let replies = made[level].replies.iter().enumerate();
            replies.map(move |(number, reply)| (member, number, reply))
        });
        let (before, number, _) = steps
            .find(|(member, _, reply)| member.replied(board, reply, level + 1) == Some(last))?;
        last = *before;
        found.push(number);
    }
    found.reverse();
    Some(found)
}

/// The members without those that another one is as good as, for the universal player.
///
/// Equal states keep the largest cost. Where they differ in one sum only, more left of a
/// universal sum, or less of an existential one, and no less cost is as good.
fn undominated(board: &Board, mut members: Vec<Member>) -> Vec<Member> {
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
        let is_theirs = board.sums[place].owner == Quantifier::Forall;
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
