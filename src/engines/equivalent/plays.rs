//! The legal plays of the universal player, one after the other.
//!
//! **Definition:** values of all universal variables that satisfy the universal rows, gates left
//! out (see [`Skeleton`]) and conditions with all decisions at their best. They come in lexicographic order, so plays with a common beginning
//! are neighbours. Engines need only those that no other play outdoes (`Dominance`).

use std::rc::Rc;

use super::dominance::Dominance;
use super::skeleton::Skeleton;
use crate::budget::Budget;
use crate::outcome::Stop;

/// What became of counting.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Listing {
    /// All of them.
    Complete(Vec<Vec<i64>>),
    /// There are more than the limit, or finding them all takes too long.
    TooMany,
}

/// One universal row over the numbers of the universal variables, and the reach of what is left.
struct Watched {
    /// Coefficient of every universal variable.
    by: Vec<i64>,
    lower: Option<i64>,
    upper: Option<i64>,
    /// Smallest and largest sum of the variables from a number on.
    rest: Vec<(i64, i64)>,
}

/// Lists the legal plays, unless there are more than `limit`.
pub fn legal_plays(
    skeleton: &Skeleton,
    limit: usize,
    budget: &mut Budget,
) -> Result<Listing, Stop> {
    let all = vec![None; skeleton.universals.len()];
    list(skeleton, &all, limit, budget)
}

/// Lists the legal plays that no other one outdoes, unless there are more than `limit`.
pub fn hardest_plays(
    skeleton: &Skeleton,
    limit: usize,
    budget: &mut Budget,
) -> Result<Listing, Stop> {
    let count = skeleton.universals.len();
    let mut of_block = vec![None; count];
    let mut first = 0;
    for end in 1..=count {
        if end == count || !skeleton.stages[end].is_empty() {
            let block = Rc::new(Dominance::new(skeleton, first, end));
            of_block[first..end].fill(Some((block, end)));
            first = end;
        }
    }
    list(skeleton, &of_block, limit, budget)
}

/// How the moves of a block are compared, and where the block ends.
type Block = Option<(Rc<Dominance>, usize)>;

/// Whether the last value of a beginning is worth going on with.
fn is_needed(block: &Block, beginning: &[i64]) -> bool {
    block.as_ref().is_none_or(|(dominance, end)| {
        let is_whole = beginning.len() == *end;
        !(dominance.is_out_of_order(beginning) || is_whole && dominance.is_outdone(beginning))
    })
}

/// The legal plays whose every move is needed; the blocks are those of the universal variables.
fn list(
    skeleton: &Skeleton,
    blocks: &[Block],
    limit: usize,
    budget: &mut Budget,
) -> Result<Listing, Stop> {
    let count = skeleton.universals.len();
    let rows: Vec<_> = watched_rows(skeleton);
    let boxes: Vec<_> = skeleton
        .universals
        .iter()
        .map(|&var| skeleton.boxes[var])
        .collect();
    let mut plays = Vec::new();
    let mut play: Vec<i64> = Vec::with_capacity(count);
    let mut sums = vec![vec![0; rows.len()]];
    // Dead ends cost steps too: a row like `Σ 2y = 5` may have exponentially many.
    let mut steps_left = limit.saturating_mul(64).saturating_add(4096);
    let mut next = boxes.first().map_or(0, |&(low, _)| low);
    loop {
        budget.look_sometimes()?;
        let depth = play.len();
        if depth == count {
            if plays.len() == limit {
                return Ok(Listing::TooMany);
            }
            if rows
                .iter()
                .zip(&sums[depth])
                .all(|(row, sum)| row.may_hold(depth, *sum))
            {
                plays.push(play.clone());
            }
        } else if next <= boxes[depth].1 {
            let Some(left) = steps_left.checked_sub(1) else {
                return Ok(Listing::TooMany);
            };
            steps_left = left;
            let longer: Vec<i64> = rows
                .iter()
                .zip(&sums[depth])
                .map(|(row, sum)| sum + row.by[depth] * next)
                .collect();
            let alive = rows
                .iter()
                .zip(&longer)
                .all(|(row, sum)| row.may_hold(depth + 1, *sum));
            play.push(next);
            if alive && is_needed(&blocks[depth], &play) {
                sums.push(longer);
                next = boxes.get(depth + 1).map_or(0, |&(low, _)| low);
            } else {
                play.pop();
                next += 1;
            }
            continue;
        }
        // Backtrack.
        let Some(last) = play.pop() else {
            return Ok(Listing::Complete(plays));
        };
        sums.pop();
        next = last + 1;
    }
}

fn watched_rows(skeleton: &Skeleton) -> Vec<Watched> {
    let count = skeleton.universals.len();
    let number = |var| skeleton.universals.iter().position(|&other| other == var);
    let watch = |row: &super::skeleton::SystemRow| {
        let mut by = vec![0; count];
        for &(var, coefficient) in &row.terms {
            by[number(var).expect("invariant: universal rows have universal variables")] =
                coefficient;
        }
        let mut rest = vec![(0, 0); count + 1];
        for at in (0..count).rev() {
            let (low, up) = skeleton.boxes[skeleton.universals[at]];
            let (first, second) = (by[at] * low, by[at] * up);
            rest[at] = (
                rest[at + 1].0 + first.min(second),
                rest[at + 1].1 + first.max(second),
            );
        }
        Watched {
            by,
            lower: row.lower,
            upper: row.upper,
            rest,
        }
    };
    let rows = skeleton.universal_rows.iter().map(watch);
    let relaxed = skeleton.relaxed_conditions();
    rows.chain(relaxed.map(|row| watch(&row))).collect()
}

impl Watched {
    /// Whether some values of the variables from `depth` on may satisfy the row.
    fn may_hold(&self, depth: usize, sum: i64) -> bool {
        let (least, most) = self.rest[depth];
        self.upper.is_none_or(|upper| sum + least <= upper)
            && self.lower.is_none_or(|lower| sum + most >= lower)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::parse_qip;

    fn plays(text: &str) -> (usize, Vec<Vec<i64>>) {
        let program = parse_qip(text).expect("a program");
        let skeleton = Skeleton::new(&program, "test").expect("integers");
        let budget = &mut Budget::unlimited();
        let all = legal_plays(&skeleton, 100, budget).expect("no limit");
        let hardest = hardest_plays(&skeleton, 100, budget).expect("no limit");
        match (all, hardest) {
            (Listing::Complete(all), Listing::Complete(hardest)) => (all.len(), hardest),
            other => panic!("too many: {other:?}"),
        }
    }

    #[test]
    fn of_moves_that_leave_the_same_one_is_kept() {
        // What counts is a + b, and both directions matter.
        let (all, hardest) = plays(
            "subject to 2 <= a + b + x <= 3
             prefix forall binary a b  exists integer x in [0, 3] end",
        );
        assert_eq!(all, 4);
        assert_eq!(hardest, [[0, 0], [0, 1], [1, 1]]);
    }

    #[test]
    fn a_budget_is_used_up_to_the_last_step_that_matters() {
        // 3 t fits beside at most one of them. Two keep it out, and of two the cheapest pair.
        let (all, hardest) = plays(
            "minimize cost: x - 9 t
             subject to a + b + c + 3 t <= 4
                        x + 2 a + 3 b + 5 c >= 10
             prefix forall binary a b c  exists integer x in [0, 10]  exists binary t end",
        );
        assert_eq!(all, 8);
        assert_eq!(hardest, [[0, 0, 0], [1, 1, 0]]);
    }

    #[test]
    fn later_blocks_are_compared_after_the_same_beginning() {
        let (all, hardest) = plays(
            "subject to x + z >= a + b
             prefix forall binary a  exists binary x  forall binary b  exists binary z end",
        );
        assert_eq!(all, 4);
        assert_eq!(hardest, [[1, 1]]);
    }
}
