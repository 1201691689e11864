//! Lists the moves and replies of one group of variables.

use super::board::{Connection, MOST_PAIRS, Move, Reply, SUMS, Side};
use crate::program::{Id, Program, Quantifier, VarId};

/// Lists the moves and replies of one group.
pub(super) struct Maker<'a> {
    pub program: &'a Program,
    pub domains: &'a [(i64, i64)],
    pub costs: &'a [i64],
    pub used: &'a [[i64; SUMS]],
    pub sums: &'a [Connection],
    /// The rows inside the group.
    pub rows: &'a [&'a Side],
    /// The first variable that is fixed after the replies.
    pub later: usize,
}

impl Maker<'_> {
    /// The moves of a group; nothing if they are too many, or what is fixed after a reply has no best values.
    pub(super) fn moves(&self, vars: &[VarId]) -> Option<Vec<Move>> {
        let (vars, later): (Vec<VarId>, Vec<VarId>) =
            vars.iter().partition(|var| var.index() < self.later);
        let is_own = |var: &VarId| self.program.variables()[*var].quantifier == Quantifier::Exists;
        let (own, theirs): (Vec<VarId>, Vec<VarId>) = vars.into_iter().partition(is_own);
        let (moves, replies) = (self.assignments(&own)?, self.assignments(&theirs)?);
        let later = self.assignments(&later)?;
        if moves.len() * replies.len() * later.len() > MOST_PAIRS {
            return None;
        }
        let mut made = Vec::new();
        for values in moves {
            let mut answers = Vec::new();
            for reply in &replies {
                let ends = later.iter().filter_map(|later| {
                    let reply = [&reply[..], later].concat();
                    self.reply(&values, &reply)
                });
                let ends: Vec<Reply> = ends.collect();
                if !ends.is_empty() {
                    answers.push(self.best(ends)?);
                }
            }
            made.push(Move {
                values,
                replies: self.undominated(answers),
            });
        }
        Some(made)
    }

    /// The one that the existential player prefers, whatever the other groups do.
    fn best(&self, ends: Vec<Reply>) -> Option<Reply> {
        let beats = |one: &Reply, two: &Reply| self.is_as_bad(two, one, Quantifier::Exists);
        let best = { ends.iter() }.position(|one| ends.iter().all(|two| beats(one, two)))?;
        ends.into_iter().nth(best)
    }

    /// The replies without those that the universal player never needs: another one costs as much, takes as much of
    /// the existential sums, and no more of its own.
    fn undominated(&self, replies: Vec<Reply>) -> Vec<Reply> {
        let mut kept: Vec<Reply> = Vec::new();
        for reply in replies {
            let beats = |one: &Reply, two: &Reply| {
                self.is_as_bad(one, two, Quantifier::Exists)
                    && self.is_as_bad(two, one, Quantifier::Forall)
            };
            if !kept.iter().any(|other| beats(other, &reply)) {
                kept.retain(|other| !beats(&reply, other));
                kept.push(reply);
            }
        }
        kept
    }

    /// Whether one reply is at least as bad as another for a player's own rows, and for its costs if they are its own.
    fn is_as_bad(&self, one: &Reply, two: &Reply, owner: Quantifier) -> bool {
        let mut sums = self.sums.iter().enumerate();
        let takes_more =
            sums.all(|(place, sum)| sum.owner != owner || one.used[place] >= two.used[place]);
        match owner {
            Quantifier::Forall => takes_more,
            Quantifier::Exists => one.breaks || !two.breaks && one.cost >= two.cost && takes_more,
        }
    }

    fn assignments(&self, vars: &[VarId]) -> Option<Vec<Vec<(VarId, i64)>>> {
        let mut all = vec![Vec::new()];
        for &var in vars {
            let (lower, upper) = self.domains[var.index()];
            let longer = |known: &Vec<(VarId, i64)>| {
                let known = known.clone();
                (lower..=upper).map(move |value| [&known[..], &[(var, value)]].concat())
            };
            all = all.iter().flat_map(longer).collect();
            if all.len() > MOST_PAIRS {
                return None;
            }
        }
        Some(all)
    }

    /// Move and reply together, unless they break a universal row of the group.
    fn reply(&self, made: &[(VarId, i64)], reply: &[(VarId, i64)]) -> Option<Reply> {
        let values = &[made, reply].concat()[..];
        let value = |var: VarId| values.iter().find(|it| it.0 == var).map_or(0, |it| it.1);
        let is_broken = |side: &&&Side| {
            let sum: i64 = side.terms.iter().map(|&(var, by)| by * value(var)).sum();
            sum > side.rhs
        };
        let mut broken = self.rows.iter().filter(is_broken).map(|side| side.owner);
        let breaks = broken.clone().next().is_some();
        if broken.any(|owner| owner == Quantifier::Forall) {
            return None;
        }
        let mut used = [0; SUMS];
        for &(var, value) in values {
            for (sum, by) in used.iter_mut().zip(self.used[var.index()]) {
                *sum += by * value;
            }
        }
        let costs = values
            .iter()
            .map(|&(var, value)| self.costs[var.index()] * value);
        Some(Reply {
            values: reply.to_vec(),
            cost: costs.sum(),
            used,
            breaks,
        })
    }
}
