//! Plays that another one outdoes.
//!
//! A universal variable *hurts upward* if a larger value loosens no existential row and lowers no
//! cost. A play is outdone by one that begins alike and whose moves of the last universal block are
//! at least as harmful, each in its direction: who answers the other answers it as well, by the
//! same replies.

use num_traits::Signed;

use super::stages::Stages;
use super::tree::Play;
use crate::program::Quantifier;

/// The direction in which a universal variable hurts the existential player.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Direction {
    /// It is in no existential row and costs nothing.
    None,
    Up,
    Down,
    Both,
}

impl Direction {
    fn and(self, upward: bool) -> Self {
        match (self, upward) {
            (Self::None | Self::Up, true) => Self::Up,
            (Self::None | Self::Down, false) => Self::Down,
            _ => Self::Both,
        }
    }
}

/// The direction of each universal variable.
pub(crate) fn directions(stages: &Stages<'_>) -> Vec<Direction> {
    let mut directions = vec![Direction::None; stages.universals.len()];
    let variables = stages.program.variables();
    for row in stages.program.rows() {
        for (var, by) in &row.terms {
            if variables[*var].quantifier == Quantifier::Forall {
                let direction = &mut directions[stages.seen[*var]];
                if row.upper.is_some() {
                    *direction = direction.and(by.is_positive());
                }
                if row.lower.is_some() {
                    *direction = direction.and(by.is_negative());
                }
            }
        }
    }
    for (var, by) in &stages.costs {
        if variables[*var].quantifier == Quantifier::Forall {
            let direction = &mut directions[stages.seen[*var]];
            *direction = direction.and(by.is_positive());
        }
    }
    directions
}

/// Plays with one beginning that are compared with each other; of more all are kept.
const MOST_COMPARED: usize = 6000;

/// For each play, which come in order, the one that answers it: itself if nothing outdoes it.
pub(crate) fn answered_by(stages: &Stages<'_>, plays: &[Play]) -> Vec<usize> {
    let count = stages.universals.len();
    let start = (0..count)
        .rev()
        .find(|&stage| stages.of_stage(stage).next().is_some());
    let start = start.unwrap_or(0);
    let directions = &directions(stages)[start..];
    let ranks = ranks(plays, start..count);
    let mut answered: Vec<usize> = (0..plays.len()).collect();
    let mut first = 0;
    while first < plays.len() {
        let rest = &plays[first..];
        let behind = first + rest.partition_point(|play| play[..start] == plays[first][..start]);
        if behind - first <= MOST_COMPARED {
            // Large values first: what outdoes a play usually comes later.
            let mut kept: Vec<usize> = Vec::new();
            for play in (first..behind).rev() {
                let outdone = kept
                    .iter()
                    .find(|&&other| outdoes(directions, &ranks[other], &ranks[play]));
                match outdone {
                    Some(&other) => answered[play] = other,
                    None => kept.push(play),
                }
            }
            // One that came earlier may be outdone by one that came later.
            for at in 0..kept.len() {
                let play = kept[at];
                let outdone = kept.iter().find(|&&other| {
                    other != play
                        && answered[other] == other
                        && outdoes(directions, &ranks[other], &ranks[play])
                });
                if let Some(&other) = outdone {
                    answered[play] = other;
                }
            }
        }
        first = behind;
    }
    // Follow to the one that is kept.
    for play in 0..plays.len() {
        while answered[answered[play]] != answered[play] {
            answered[play] = answered[answered[play]];
        }
    }
    answered
}

fn outdoes(directions: &[Direction], other: &[u32], play: &[u32]) -> bool {
    let pairs = directions.iter().zip(other.iter().zip(play));
    pairs
        .into_iter()
        .all(|(direction, (other, play))| match direction {
            Direction::None => true,
            Direction::Up => other >= play,
            Direction::Down => other <= play,
            Direction::Both => other == play,
        })
}

/// The values of the last block by their rank, which compares faster.
fn ranks(plays: &[Play], block: std::ops::Range<usize>) -> Vec<Vec<u32>> {
    let mut ranks = vec![Vec::with_capacity(block.len()); plays.len()];
    for number in block {
        let mut values: Vec<_> = plays.iter().map(|play| &play[number]).collect();
        values.sort();
        values.dedup();
        for (rank, play) in ranks.iter_mut().zip(plays) {
            let place = values.binary_search(&&play[number]);
            rank.push(place.map_or(0, |place| place as u32));
        }
    }
    ranks
}
