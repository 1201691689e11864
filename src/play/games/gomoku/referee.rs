//! The rules of five in a row on small boards, played directly. Knows boards, not programs.

use rustc_hash::FxHashMap;

use crate::games::board::{Board, Stone};

/// How a game ends. Moves are counted from the empty board.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// Black has the first row, at this move.
    BlackWins(usize),
    /// Nobody gets a row.
    Draw,
    /// White has the first row, at this move.
    WhiteWins(usize),
}

/// A judge for one board size, row length and number of moves.
#[derive(Clone, Debug)]
pub struct Referee {
    size: usize,
    rows: Vec<u64>,
    last: usize,
    known: FxHashMap<(u64, u64), Verdict>,
}

impl Referee {
    /// A judge of boards of `size`, at most [`LARGEST_IN_A_WORD`](crate::games::board::LARGEST_IN_A_WORD), where `row` stones in a row win, until move `last`.
    pub fn new(size: usize, row: usize, last: usize) -> Self {
        Self {
            size,
            rows: rows(size, row),
            last,
            known: FxHashMap::default(),
        }
    }

    /// Whether the stones of one colour contain a row.
    pub fn has_row(&self, board: &Board, stone: Stone) -> bool {
        self.completes(self.mask(board, stone))
    }

    /// The end of the game from here under best play: Black hurries to win and delays to lose.
    pub fn verdict(&mut self, board: &Board) -> Verdict {
        let black = self.mask(board, Stone::Black);
        let white = self.mask(board, Stone::White);
        self.best(black, white, board.stones())
    }

    /// Plays of `depth` more moves when a row does not end the game.
    pub fn plays(&self, board: &Board, depth: usize) -> u64 {
        let free = self.size * self.size - board.stones();
        (0..depth).map(|done| (free - done) as u64).product()
    }

    /// Positions looked at so far.
    pub fn positions(&self) -> usize {
        self.known.len()
    }

    fn best(&mut self, black: u64, white: u64, placed: usize) -> Verdict {
        if placed >= self.last || placed >= self.size * self.size {
            return Verdict::Draw;
        }
        if let Some(&verdict) = self.known.get(&(black, white)) {
            return verdict;
        }
        let black_moves = placed.is_multiple_of(2);
        let mut best = None;
        for cell in 0..self.size * self.size {
            let stone = 1 << cell;
            if (black | white) & stone != 0 {
                continue;
            }
            let verdict = self.after(black, white, stone, placed + 1);
            if best.is_none_or(|best| {
                let better = rank(verdict) < rank(best);
                let worse = rank(verdict) > rank(best);
                if black_moves { better } else { worse }
            }) {
                best = Some(verdict);
            }
        }
        let best = best.unwrap_or(Verdict::Draw);
        self.known.insert((black, white), best);
        best
    }

    fn after(&mut self, black: u64, white: u64, stone: u64, placed: usize) -> Verdict {
        if placed % 2 == 1 {
            match self.completes(black | stone) {
                true => Verdict::BlackWins(placed),
                false => self.best(black | stone, white, placed),
            }
        } else {
            match self.completes(white | stone) {
                true => Verdict::WhiteWins(placed),
                false => self.best(black, white | stone, placed),
            }
        }
    }

    fn completes(&self, stones: u64) -> bool {
        self.rows.iter().any(|row| stones & row == *row)
    }

    fn mask(&self, board: &Board, stone: Stone) -> u64 {
        let cells = (0..self.size * self.size).filter(|&cell| board.at(cell) == Some(stone));
        cells.map(|cell| 1 << cell).sum()
    }
}

/// Black's preference: smaller is better.
fn rank(verdict: Verdict) -> i64 {
    match verdict {
        Verdict::BlackWins(at) => at as i64 - 1000,
        Verdict::Draw => 0,
        Verdict::WhiteWins(at) => 1000 - at as i64,
    }
}

/// Every straight row, by walking from each intersection in four directions.
fn rows(size: usize, length: usize) -> Vec<u64> {
    let side = size as i64;
    let mut rows = Vec::new();
    for start in 0..side * side {
        for (down, right) in [(0, 1), (1, 0), (1, 1), (1, -1)] {
            let steps = (0..length as i64).map(|step| {
                let (row, column) = (start / side + step * down, start % side + step * right);
                let inside = (0..side).contains(&row) && (0..side).contains(&column);
                inside.then(|| 1_u64 << (row * side + column))
            });
            if let Some(cells) = steps.collect::<Option<Vec<u64>>>() {
                rows.push(cells.iter().fold(0, |mask, cell| mask | cell));
            }
        }
    }
    rows.sort_unstable();
    rows.dedup();
    rows
}
