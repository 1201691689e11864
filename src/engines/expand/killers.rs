//! Moves that refuted something lately come first.
//!
//! What refutes one decision of the existential player often refutes the next. At the first stage
//! whole plays are remembered; at later stages the moves alone, because the same move refutes after
//! another beginning too. On the critical node problem with three rounds (n40_1-3-3_020) that halves
//! the nodes; selection over four stages (10 of 20) takes a seventh of the time.

use std::cmp::Reverse;
use std::collections::HashMap;

/// How many recent refutations are tried first.
const KEPT: usize = 64;

/// See the module.
#[derive(Debug, Default)]
pub struct Killers {
    /// Whether moves of later stages are put in order.
    later: bool,
    /// Plays that refuted at the first stage, the latest last.
    plays: Vec<usize>,
    /// By stage, the moves that refuted there, the latest last.
    moves: HashMap<usize, Vec<Vec<i64>>>,
}

impl Killers {
    /// Nothing has refuted anything yet.
    pub fn new(later: bool) -> Self {
        Self {
            later,
            ..Self::default()
        }
    }

    /// A play refuted at the first stage.
    pub fn remember_play(&mut self, play: usize) {
        bring_to_the_end(&mut self.plays, play);
    }

    /// Moves refuted at a later stage.
    pub fn remember_moves(&mut self, stage: usize, moves: &[i64]) {
        bring_to_the_end(self.moves.entry(stage).or_default(), moves.to_vec());
    }

    /// The plays that refuted at the first stage, the latest first.
    pub fn plays(&self) -> impl Iterator<Item = usize> + '_ {
        self.plays.iter().rev().copied()
    }

    /// Puts plays in the order of what their moves of a later stage refuted lately.
    pub fn sort<'a>(&self, stage: usize, plays: &mut [usize], moves: impl Fn(usize) -> &'a [i64]) {
        let Some(known) = self.moves.get(&stage).filter(|_| self.later) else {
            return;
        };
        let known = known.iter().enumerate();
        let known: HashMap<&[i64], usize> = known
            .map(|(place, moves)| (moves.as_slice(), place + 1))
            .collect();
        plays.sort_by_cached_key(|&play| {
            let place = known.get(moves(play));
            Reverse(place.copied().unwrap_or(0))
        });
    }
}

fn bring_to_the_end<T: PartialEq>(list: &mut Vec<T>, item: T) {
    list.retain(|other| *other != item);
    list.push(item);
    if list.len() > KEPT {
        list.remove(0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_refuted_last_comes_first_and_the_others_stay_in_order() {
        let moves = [[0, 0], [0, 1], [1, 0], [1, 1]];
        let mut killers = Killers::new(true);
        for latest in [[1, 1], [0, 1], [1, 1], [1, 0]] {
            killers.remember_moves(2, &latest);
        }
        let sorted = |killers: &Killers, stage: usize| {
            let mut plays = vec![0, 1, 2, 3];
            killers.sort(stage, &mut plays, |play| &moves[play]);
            plays
        };
        assert_eq!(sorted(&killers, 2), [2, 3, 1, 0]);
        assert_eq!(sorted(&killers, 1), [0, 1, 2, 3]);
        killers.later = false;
        assert_eq!(sorted(&killers, 2), [0, 1, 2, 3]);
    }
}
