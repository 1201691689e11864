//! Tic-tac-toe at the table.

use super::squares::{drawn, owned, square, vocabulary};
use super::{Effect, End, Promise, Read, Role, Rules, Scene, Term, Vocabulary, in_turns};
use crate::games::GameError;
use crate::games::tictactoe::{Guard, Player, Reading, TicTacToe, referee};
use crate::program::{Program, Quantifier};

/// Tic-tac-toe: whoever asks for a strategy is the existential player, and X moves first.
pub struct TicTacToeRules {
    game: TicTacToe,
}

impl TicTacToeRules {
    /// The game. The opponent names squares by numbers, whatever the game says about that.
    pub fn new(game: TicTacToe) -> Self {
        Self {
            game: TicTacToe {
                guard: Guard::Index,
                ..game
            },
        }
    }

    fn cells(&self) -> usize {
        self.game.size.pow(2)
    }

    /// The squares of X and of O.
    fn stones(history: &[usize]) -> [u64; 2] {
        let mut stones = [0, 0];
        for (placed, &cell) in history.iter().enumerate() {
            stones[placed % 2] |= 1 << cell;
        }
        stones
    }

    fn end_of(&self, winner: Player) -> End {
        if winner == self.game.player {
            End::First
        } else {
            End::Second
        }
    }
}

impl Rules for TicTacToeRules {
    fn sides(&self) -> [&'static str; 2] {
        match self.game.player {
            Player::X => ["X", "O"],
            Player::O => ["O", "X"],
        }
    }

    fn how_to_move(&self) -> String {
        "a free square is marked, column and row, such as a1".to_owned()
    }

    fn mover(&self, history: &[usize]) -> Quantifier {
        match self.game.player {
            Player::X => in_turns(history.len()),
            Player::O => in_turns(history.len() + 1),
        }
    }

    fn options(&self, history: &[usize]) -> Vec<usize> {
        let cells = 0..self.cells();
        cells.filter(|cell| !history.contains(cell)).collect()
    }

    fn word(&self, option: usize) -> String {
        square(option, self.game.size)
    }

    fn end(&self, history: &[usize]) -> Option<End> {
        let [x, o] = Self::stones(history);
        let first_line = self.game.reading == Reading::FirstLine;
        if referee::has_line(self.game.size, x) {
            Some(self.end_of(Player::X))
        } else if first_line && referee::has_line(self.game.size, o) {
            Some(self.end_of(Player::O))
        } else {
            (history.len() == self.cells()).then_some(End::Tie)
        }
    }

    fn draw(&self, history: &[usize]) -> String {
        let [x, o] = Self::stones(history);
        drawn(self.game.size, 0, |cell| {
            match (x >> cell & 1, o >> cell & 1) {
                (1, _) => 'x',
                (_, 1) => 'o',
                _ => '.',
            }
        })
    }

    fn scene(&self) -> Scene {
        let size = self.game.size;
        let (rows, last) = (size as i64, -(size as i64) - 1);
        let mark = |letter: &str, time: usize, token| {
            let pattern = format!("{letter}[#,#,{time}]");
            Read::chosen(&pattern, Effect::Put, token, &[rows, 1, 0, last])
        };
        let (own, first) = match self.game.player {
            Player::X => ("x", 1),
            Player::O => ("y", 0),
        };
        let mut scene = Scene::squares(size, size, |cell| square(cell, size));
        for (letter, token) in [("x", "x"), ("y", "o")] {
            scene = scene.at_times(
                1..=size * size,
                |time| letter == own && time % 2 == first,
                |time| mark(letter, time, token),
                |time| mark(letter, time, token),
            );
        }
        let named = Read::named("m[#]", Effect::Put, "", &[0, 1, -1]);
        scene.reading(named.in_role(Role::Announced))
    }

    fn program(&self) -> Result<Program, GameError> {
        self.game.program()
    }

    fn assignments(&self, history: &[usize], option: usize) -> Vec<(String, i64)> {
        match self.mover(history) {
            Quantifier::Exists => self.traces(history, option),
            Quantifier::Forall => vec![(format!("m[{}]", history.len()), option as i64 + 1)],
        }
    }

    fn traces(&self, history: &[usize], option: usize) -> Vec<(String, i64)> {
        let step = history.len();
        let letter = if step.is_multiple_of(2) { 'x' } else { 'y' };
        let (row, column) = (option / self.game.size + 1, option % self.game.size + 1);
        vec![(format!("{letter}[{row},{column},{}]", step + 1), 1)]
    }

    fn meaning(&self, promise: Promise<'_>) -> String {
        let x_wins = (self.game.player == Player::X) == (promise != Promise::Loss);
        if x_wins { "X wins" } else { "X does not win" }.to_owned()
    }

    fn vocabulary(&self) -> Vocabulary {
        vocabulary(self.game.size, [("n", self.game.size)])
    }

    fn facts(&self, history: &[usize]) -> Vec<Term> {
        let [x, o] = Self::stones(history);
        let (first, second) = match self.game.player {
            Player::X => (x, o),
            Player::O => (o, x),
        };
        owned(self.game.size, |cell| {
            match (first >> cell & 1, second >> cell & 1) {
                (1, _) => Some(1),
                (_, 1) => Some(2),
                _ => None,
            }
        })
    }
}
