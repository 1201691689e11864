//! Games in which stones or marks are placed and stay.

use super::{End, Rules, mover, three_results};
use crate::games::board::{Board, Stone};
use crate::games::gomoku::referee::Referee;
use crate::games::gomoku::{AfterWin, Gomoku, Guard, Verdict, decode};
use crate::games::positional::{Positional, referee};
use crate::games::{GameError, hex};
use crate::num::Rational;
use crate::program::{Program, Quantifier};

/// `b3` for the second column and third row.
fn square(cell: usize, size: usize) -> String {
    let column = char::from(b'a' + (cell % size) as u8);
    format!("{column}{}", cell / size + 1)
}

/// A square board with letters above and numbers beside.
fn drawn(size: usize, indent: usize, mark: impl Fn(usize) -> char) -> String {
    let letters: Vec<String> = (0..size)
        .map(|column| char::from(b'a' + column as u8).to_string())
        .collect();
    let mut text = format!("    {}\n", letters.join(" "));
    for row in 0..size {
        let marks: Vec<String> = (0..size)
            .map(|column| mark(row * size + column).to_string())
            .collect();
        let shift = " ".repeat(indent * row);
        text += &format!("{:3} {shift}{}\n", row + 1, marks.join(" "));
    }
    text
}

/// Gomoku from the empty board.
pub struct GomokuRules {
    size: usize,
    referee: Referee,
    game: Gomoku,
}

impl GomokuRules {
    /// A board and what wins on it.
    pub fn new(size: usize, row: usize) -> Result<Self, GameError> {
        Ok(Self {
            game: Gomoku::new(size, row)?
                .guarded_by(Guard::Index)
                .after_win(AfterWin::Freeze),
            size,
            referee: Referee::new(size, row, size * size),
        })
    }

    fn board(&self, history: &[usize]) -> Board {
        let mut board = self.game.board().clone();
        for (placed, &cell) in history.iter().enumerate() {
            let stone = if placed % 2 == 0 {
                Stone::Black
            } else {
                Stone::White
            };
            board.set(cell, Some(stone));
        }
        board
    }
}

impl Rules for GomokuRules {
    fn sides(&self) -> [&'static str; 2] {
        ["black", "white"]
    }

    fn how_to_move(&self) -> String {
        "a stone is placed on a free intersection, column and row, such as a1".to_owned()
    }

    fn options(&self, history: &[usize]) -> Vec<usize> {
        (0..self.size * self.size)
            .filter(|cell| !history.contains(cell))
            .collect()
    }

    fn word(&self, option: usize) -> String {
        square(option, self.size)
    }

    fn end(&self, history: &[usize]) -> Option<End> {
        let board = self.board(history);
        if self.referee.has_row(&board, Stone::Black) {
            Some(End::First)
        } else if self.referee.has_row(&board, Stone::White) {
            Some(End::Second)
        } else {
            (history.len() == self.size * self.size).then_some(End::Tie)
        }
    }

    fn draw(&self, history: &[usize]) -> String {
        let board = self.board(history);
        drawn(self.size, 0, |cell| match board.at(cell) {
            None => '.',
            Some(Stone::Black) => 'b',
            Some(Stone::White) => 'w',
        })
    }

    fn program(&self) -> Result<Program, GameError> {
        self.game.program()
    }

    fn assignment(&self, history: &[usize], option: usize) -> (String, i64) {
        let time = history.len() + 1;
        match mover(history) {
            Quantifier::Exists => {
                let (row, column) = (option / self.size + 1, option % self.size + 1);
                (format!("xb[{time},{row},{column}]"), 1)
            }
            Quantifier::Forall => (format!("mw[{time}]"), option as i64 + 1),
        }
    }

    fn meaning(&self, value: Option<&Rational>) -> String {
        match value.and_then(|value| decode(self.size, value)) {
            Some(Verdict::BlackWins(at)) => format!("black wins at move {at}"),
            Some(Verdict::Draw) => "a draw".to_owned(),
            Some(Verdict::WhiteWins(at)) => format!("white wins at move {at}"),
            None => "black wins".to_owned(),
        }
    }
}

/// Any positional game, with words for its options and a picture.
pub struct PositionalRules {
    game: Positional,
    words: Vec<String>,
    /// Cells of the picture, line by line.
    picture: Vec<Vec<usize>>,
    what: &'static str,
}

impl PositionalRules {
    /// A game, the words for its options, the cells of its picture and what an option is.
    pub fn new(
        game: Positional,
        words: Vec<String>,
        picture: Vec<Vec<usize>>,
        what: &'static str,
    ) -> Self {
        Self {
            game,
            words,
            picture,
            what,
        }
    }

    fn board(&self, history: &[usize]) -> Vec<u8> {
        let mut board = vec![0; self.game.cells];
        for (place, &option) in history.iter().enumerate() {
            if let Some(cell) = self.cell(&board, option) {
                board[cell] = 1 + (place % 2) as u8;
            }
        }
        board
    }

    /// The cell that an option claims.
    fn cell(&self, board: &[u8], option: usize) -> Option<usize> {
        let cells = self.game.options[option].iter().copied();
        cells.into_iter().find(|&cell| board[cell] == 0)
    }
}

impl Rules for PositionalRules {
    fn sides(&self) -> [&'static str; 2] {
        ["player 1", "player 2"]
    }

    fn how_to_move(&self) -> String {
        format!(
            "name a {} that is not full, one of {}",
            self.what,
            self.words.join(" ")
        )
    }

    fn options(&self, history: &[usize]) -> Vec<usize> {
        let board = self.board(history);
        (0..self.game.options.len())
            .filter(|&option| self.cell(&board, option).is_some())
            .collect()
    }

    fn word(&self, option: usize) -> String {
        self.words[option].clone()
    }

    fn end(&self, history: &[usize]) -> Option<End> {
        let board = self.board(history);
        if referee::owns_a_set(&self.game, &board, 1) {
            Some(End::First)
        } else if referee::owns_a_set(&self.game, &board, 2) {
            Some(End::Second)
        } else {
            (history.len() >= self.game.moves).then_some(End::Tie)
        }
    }

    fn draw(&self, history: &[usize]) -> String {
        let board = self.board(history);
        let mut text = String::new();
        for line in &self.picture {
            let marks = line
                .iter()
                .map(|&cell| ['.', 'x', 'o'][usize::from(board[cell])]);
            text += &marks.map(String::from).collect::<Vec<_>>().join(" ");
            text.push('\n');
        }
        text + &self.words.join(" ") + "\n"
    }

    fn program(&self) -> Result<Program, GameError> {
        self.game.program()
    }

    fn assignment(&self, history: &[usize], option: usize) -> (String, i64) {
        let time = history.len() + 1;
        match mover(history) {
            Quantifier::Exists => {
                let cell = self.cell(&self.board(history), option).unwrap_or_default();
                (format!("c[{time},{}]", cell + 1), 1)
            }
            Quantifier::Forall => (format!("m[{time}]"), option as i64 + 1),
        }
    }

    fn meaning(&self, value: Option<&Rational>) -> String {
        three_results(self.sides(), value)
    }
}

/// Hex.
pub struct HexRules {
    size: usize,
}

impl HexRules {
    /// A rhombus of so many rows.
    pub fn new(size: usize) -> Self {
        Self { size }
    }

    fn board(&self, history: &[usize]) -> Vec<u8> {
        let mut board = vec![0; self.size * self.size];
        for (place, &cell) in history.iter().enumerate() {
            board[cell] = 1 + (place % 2) as u8;
        }
        board
    }
}

impl Rules for HexRules {
    fn sides(&self) -> [&'static str; 2] {
        ["player 1", "player 2"]
    }

    fn how_to_move(&self) -> String {
        "a free cell is claimed, column and row, such as a1".to_owned()
    }

    fn options(&self, history: &[usize]) -> Vec<usize> {
        (0..self.size * self.size)
            .filter(|cell| !history.contains(cell))
            .collect()
    }

    fn word(&self, option: usize) -> String {
        square(option, self.size)
    }

    fn end(&self, history: &[usize]) -> Option<End> {
        let board = self.board(history);
        if hex::referee::is_connected(&board, self.size) {
            return Some(End::First);
        }
        // The second player is connected if even all free cells would not help the first.
        let filled: Vec<u8> = board
            .iter()
            .map(|&owner| if owner == 0 { 1 } else { owner })
            .collect();
        (!hex::referee::is_connected(&filled, self.size)).then_some(End::Second)
    }

    fn draw(&self, history: &[usize]) -> String {
        let board = self.board(history);
        drawn(self.size, 1, |cell| {
            ['.', 'x', 'o'][usize::from(board[cell])]
        })
    }

    fn program(&self) -> Result<Program, GameError> {
        hex::program(self.size)
    }

    fn assignment(&self, history: &[usize], option: usize) -> (String, i64) {
        let time = history.len() + 1;
        match mover(history) {
            Quantifier::Exists => (format!("c[{time},{}]", option + 1), 1),
            Quantifier::Forall => (format!("m[{time}]"), option as i64 + 1),
        }
    }

    fn meaning(&self, value: Option<&Rational>) -> String {
        three_results(self.sides(), value)
    }
}
