//! Hex at the table.

use super::squares::{drawn, owned, square, vocabulary};
use super::{Effect, End, Read, Role, Rules, Scene, Shape, Term, Vocabulary};
use crate::games::{GameError, hex};
use crate::program::{Program, Quantifier};

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

    fn scene(&self) -> Scene {
        let size = self.size;
        let mut scene = Scene::squares(size, size, |cell| square(cell, size))
            .at_times(
                1..=size * size,
                |time| time % 2 == 1,
                |time| Read::chosen(&format!("c[{time},#]"), Effect::Put, "x", &[1, 0, -1]),
                |time| Read::chosen(&format!("c[{time},#]"), Effect::Put, "o", &[1, 0, -1]),
            )
            .reading(Read::named("m[#]", Effect::Put, "o", &[0, 1, -1]).in_role(Role::Announced));
        scene.shape = Shape::Hexes;
        scene
    }

    fn program(&self) -> Result<Program, GameError> {
        hex::program(self.size)
    }

    fn assignments(&self, history: &[usize], option: usize) -> Vec<(String, i64)> {
        let time = history.len() + 1;
        vec![match self.mover(history) {
            Quantifier::Exists => (format!("c[{time},{}]", option + 1), 1),
            Quantifier::Forall => (format!("m[{time}]"), option as i64 + 1),
        }]
    }

    fn vocabulary(&self) -> Vocabulary {
        vocabulary(self.size, [("n", self.size)])
    }

    fn facts(&self, history: &[usize]) -> Vec<Term> {
        let board = self.board(history);
        owned(self.size, |cell| match board[cell] {
            0 => None,
            owner => Some(usize::from(owner)),
        })
    }
}
