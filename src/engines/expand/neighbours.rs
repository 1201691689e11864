//! First stages near the best one.
//!
//! A scan closes the first stage part by part and meets a better strategy where it happens to be;
//! until then every part is closed against a weak limit. So neighbours of the best first stage are
//! put to the adversary meanwhile: one step up, first where most answers to refutations are higher,
//! and one step down. On the critical node problem (n60_3-3-3_001) the scan alone meets the best
//! strategy at node 44,977 of 49,004; with neighbours it is done after 19,137.
//!
//! **Invariant:** a neighbour lies in the boxes and rows of the first stage; what it is worth, the
//! adversary says.

use std::cmp::Reverse;

use crate::equivalent::{Place, Skeleton, SystemRow};

/// Neighbours take one of so many nodes.
const SHARE: u64 = 4;

/// How many neighbours are looked at, and how many pairs of steps are tried to find them.
const MOST: usize = 400;
const MOST_PAIRS: usize = 4_000;

/// One place of the first stage goes up by one, and another one down.
type Steps = (usize, usize);

/// See the module.
#[derive(Debug, Default)]
pub struct Neighbours {
    /// What the first stage costs whose neighbours are meant.
    around: Option<i64>,
    /// What is still to be looked at, the most promising last.
    steps: Vec<Steps>,
    /// How many nodes neighbours have taken.
    pub spent: u64,
}

impl Neighbours {
    /// The next neighbour of the best first stage, if it is time for one. `wishes` says how many
    /// answers to refutations are higher at a place.
    pub fn next(
        &mut self,
        (cost, stage): (i64, &[i64]),
        nodes: u64,
        skeleton: &Skeleton,
        wishes: impl Fn(usize) -> usize,
    ) -> Option<Vec<i64>> {
        if self.around != Some(cost) {
            self.around = Some(cost);
            self.steps = steps(stage, skeleton, wishes);
        }
        if self.spent.saturating_mul(SHARE) > nodes {
            return None;
        }
        let taken = self.steps.pop()?;
        Some(after(stage, taken))
    }
}

fn after(stage: &[i64], (up, down): Steps) -> Vec<i64> {
    let mut point = stage.to_vec();
    point[up] += 1;
    point[down] -= 1;
    point
}

/// The neighbours that lie in the first stage, the most promising last.
fn steps(stage: &[i64], skeleton: &Skeleton, wishes: impl Fn(usize) -> usize) -> Vec<Steps> {
    let ends = |place: usize| skeleton.boxes[skeleton.stages[0][place]];
    let places = 0..stage.len();
    let mut ups: Vec<usize> = places
        .clone()
        .filter(|&at| stage[at] < ends(at).1)
        .collect();
    ups.sort_by_cached_key(|&at| Reverse((wishes(at), at)));
    let downs: Vec<usize> = places.filter(|&at| stage[at] > ends(at).0).collect();
    let pairs = ups
        .iter()
        .flat_map(|&up| downs.iter().map(move |&down| (up, down)));
    let inside = |pair: &Steps| {
        let point = after(stage, *pair);
        let mut rows = skeleton.rows[0].iter();
        pair.0 != pair.1 && rows.all(|row| holds(row, skeleton, &point))
    };
    let pairs = pairs.take(MOST_PAIRS).filter(inside);
    let mut steps: Vec<Steps> = pairs.take(MOST).collect();
    steps.reverse();
    steps
}

fn holds(row: &SystemRow, skeleton: &Skeleton, stage: &[i64]) -> bool {
    let term = |&(var, by): &(_, i64)| match skeleton.places[var] {
        Place::Existential(0, place) => i128::from(by) * i128::from(stage[place]),
        _ => unreachable!("invariant: rows of the first stage hold nothing else"),
    };
    let sum: i128 = row.terms.iter().map(term).sum();
    row.lower.is_none_or(|lower| i128::from(lower) <= sum)
        && row.upper.is_none_or(|upper| sum <= i128::from(upper))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::parse_qip;

    fn skeleton() -> Skeleton {
        let program = parse_qip(
            "subject to budget: a + b + c + 2 d <= 3
                        cover: z + a + b + c + d >= 2 y
             prefix exists binary a b c  exists integer d in [0, 2]  forall binary y  exists binary z end",
        );
        Skeleton::new(&program.expect("a program"), "test").expect("integers")
    }

    #[test]
    fn steps_stay_in_rows_and_boxes_and_begin_with_what_is_wished_most() {
        let skeleton = skeleton();
        let mut neighbours = Neighbours::default();
        let wishes = |place: usize| [0, 1, 0, 5][place];
        let mut around = |cost: i64, stage: &[i64]| {
            let next = || neighbours.next((cost, stage), 0, &skeleton, wishes);
            std::iter::from_fn(next).collect::<Vec<_>>()
        };
        let expected = [[0, 0, 1, 1], [1, 0, 0, 1], [0, 1, 1, 0], [1, 1, 0, 0]];
        assert_eq!(around(7, &[1, 0, 1, 0]), expected);
        // Once is enough, until there is something better.
        assert!(around(7, &[1, 0, 1, 0]).is_empty());
        // The budget is full: what goes up must not cost more than what goes down.
        assert_eq!(around(6, &[1, 0, 0, 1])[0], [0, 1, 0, 1]);
        assert!(around(5, &[1, 1, 1, 0]).is_empty());
    }

    #[test]
    fn neighbours_take_their_share_and_no_more() {
        let skeleton = skeleton();
        let mut neighbours = Neighbours {
            spent: 10,
            ..Neighbours::default()
        };
        let mut at = |nodes: u64| {
            let best = (7, [1, 0, 1, 0].as_slice());
            neighbours.next(best, nodes, &skeleton, |_| 0).is_some()
        };
        assert!(!at(10 * SHARE - 1));
        assert!(at(10 * SHARE));
    }
}
