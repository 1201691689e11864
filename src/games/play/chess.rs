//! Chess in K steps at the table.

use super::{End, Rules, mover};
use crate::games::GameError;
use crate::games::chess::{Chess, Colour, Kind, Position, referee};
use crate::num::Rational;
use crate::program::{Program, Quantifier};

/// Taking the black king within some steps. Options are `100 from + to`.
pub struct ChessRules {
    position: Position,
    steps: usize,
    game: Chess,
}

impl ChessRules {
    /// From a position, in an odd number of steps.
    pub fn new(position: Position, steps: usize) -> Result<Self, GameError> {
        Ok(Self {
            game: Chess::new(position.clone(), steps)?,
            position,
            steps,
        })
    }

    fn after(&self, history: &[usize]) -> Position {
        history
            .iter()
            .fold(self.position.clone(), |position, option| {
                referee::after(&position, (option / 100, option % 100))
            })
    }

    fn king_is_on(&self, position: &Position, colour: Colour) -> bool {
        let mut pieces = position.pieces().iter();
        pieces.any(|piece| piece.kind == Kind::King && piece.colour == colour && piece.place > 0)
    }

    fn square(&self, place: usize) -> String {
        let files = self.position.size().0;
        let file = char::from(b'a' + ((place - 1) % files) as u8);
        format!("{file}{}", (place - 1) / files + 1)
    }
}

impl Rules for ChessRules {
    fn sides(&self) -> [&'static str; 2] {
        ["White", "Black"]
    }

    fn how_to_move(&self) -> String {
        "a piece moves as in chess, from square to square such as a1b1; the king may be left in check and taken".to_owned()
    }

    fn options(&self, history: &[usize]) -> Vec<usize> {
        let colour = match mover(history) {
            Quantifier::Exists => Colour::White,
            Quantifier::Forall => Colour::Black,
        };
        let moves = referee::moves(&self.after(history), colour);
        moves
            .into_iter()
            .map(|(from, to)| 100 * from + to)
            .collect()
    }

    fn word(&self, option: usize) -> String {
        self.square(option / 100) + &self.square(option % 100)
    }

    fn end(&self, history: &[usize]) -> Option<End> {
        let position = self.after(history);
        let stuck = self.options(history).is_empty();
        if history.len() == self.steps {
            let won = self.king_is_on(&position, Colour::White)
                && !self.king_is_on(&position, Colour::Black);
            Some(if won { End::First } else { End::Second })
        } else {
            stuck.then(|| match mover(history) {
                Quantifier::Exists => End::Second,
                Quantifier::Forall => End::First,
            })
        }
    }

    fn draw(&self, history: &[usize]) -> String {
        let text = self.after(history).to_string();
        let (files, ranks) = self.position.size();
        let mut drawn = String::new();
        for (number, rank) in text.lines().enumerate() {
            let squares: Vec<String> = rank.chars().map(String::from).collect();
            drawn += &format!("{:3} {}\n", ranks - number, squares.join(" "));
        }
        let letters: Vec<String> = (0..files)
            .map(|file| char::from(b'a' + file as u8).to_string())
            .collect();
        format!(
            "{drawn}    {}\n{} of {} steps\n",
            letters.join(" "),
            history.len(),
            self.steps
        )
    }

    fn program(&self) -> Result<Program, GameError> {
        self.game.program()
    }

    fn assignment(&self, history: &[usize], option: usize) -> (String, i64) {
        let step = history.len();
        let (from, to) = (option / 100, option % 100);
        let position = self.after(history);
        let piece = position
            .pieces()
            .iter()
            .position(|piece| piece.place == from);
        let piece = piece.unwrap_or_default();
        match mover(history) {
            Quantifier::Exists => (format!("go[{step},{},{from},{to}]", piece + 1), 1),
            Quantifier::Forall => {
                let number = self.game.number_of_move(piece, from, to);
                (format!("m[{step}]"), number.unwrap_or_default() as i64)
            }
        }
    }

    fn meaning(&self, _: Option<&Rational>) -> String {
        "White takes the king".to_owned()
    }
}
