//! The rules of tic-tac-toe, played directly. Knows stones, not variables.

use rustc_hash::FxHashMap;

use super::Reading;

/// Whether X, moving first on an empty board that is always filled, can win.
///
/// ```
/// use quip::games::tictactoe::{Reading, referee};
/// assert!(!referee::x_wins(3, Reading::FirstLine));
/// assert!(referee::x_wins(3, Reading::FinalBoard));
/// ```
pub fn x_wins(size: usize, reading: Reading) -> bool {
    let judge = Judge {
        squares: (size * size) as u32,
        lines: lines(size),
        reading,
    };
    judge.wins(0, 0, &mut FxHashMap::default())
}

/// Whether `after` follows from `before` by a legal move. Boards are pairs of sets of squares, X
/// and O; X moves if `x_moves`.
pub fn is_step(before: (u64, u64), after: (u64, u64), x_moves: bool) -> bool {
    let ((own, other), (own_after, other_after)) = if x_moves {
        (before, after)
    } else {
        ((before.1, before.0), (after.1, after.0))
    };
    let new = own_after & !own;
    other == other_after && own & !own_after == 0 && new.count_ones() == 1 && new & other == 0
}

/// Whether a set of squares contains a line.
pub fn has_line(size: usize, stones: u64) -> bool {
    lines(size).iter().any(|line| stones & line == *line)
}

struct Judge {
    squares: u32,
    lines: Vec<u64>,
    reading: Reading,
}

impl Judge {
    fn wins(&self, x: u64, o: u64, known: &mut FxHashMap<(u64, u64), bool>) -> bool {
        if self.complete(x) {
            return true;
        }
        if self.reading == Reading::FirstLine && self.complete(o) {
            return false;
        }
        let placed = (x | o).count_ones();
        if placed == self.squares {
            return false;
        }
        if let Some(&answer) = known.get(&(x, o)) {
            return answer;
        }
        let mut free = (0..self.squares)
            .map(|square| 1_u64 << square)
            .filter(|square| (x | o) & square == 0);
        let answer = if placed.is_multiple_of(2) {
            free.any(|square| self.wins(x | square, o, known))
        } else {
            free.all(|square| self.wins(x, o | square, known))
        };
        known.insert((x, o), answer);
        answer
    }

    fn complete(&self, stones: u64) -> bool {
        self.lines.iter().any(|line| stones & line == *line)
    }
}

fn lines(size: usize) -> Vec<u64> {
    let set = |square: &dyn Fn(usize) -> (usize, usize)| {
        let squares = (0..size).map(square);
        squares
            .map(|(row, column)| 1_u64 << (row * size + column))
            .sum()
    };
    let mut lines: Vec<u64> = Vec::new();
    for fixed in 0..size {
        lines.push(set(&|free| (fixed, free)));
        lines.push(set(&|free| (free, fixed)));
    }
    lines.push(set(&|step| (step, step)));
    lines.push(set(&|step| (step, size - 1 - step)));
    lines
}
