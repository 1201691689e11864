//! Gomoku at the table.

use super::squares::{drawn, owned, square, vocabulary};
use super::{Effect, End, Promise, Read, Role, Rules, Scene, Term, Vocabulary, in_turns};
use crate::games::GameError;
use crate::games::board::{Board, LARGEST_IN_A_WORD, Stone};
use crate::games::gomoku::referee::Referee;
use crate::games::gomoku::{AfterWin, Gomoku, Guard, Verdict, decode};
use crate::num::Rational;
use crate::program::{Program, Quantifier};

/// Gomoku from a position to its last move.
pub struct GomokuRules {
    game: Gomoku,
    referee: Referee,
}

impl GomokuRules {
    /// The game. White names intersections by numbers, and nothing is placed after a win,
    /// whatever the game says about that.
    pub fn new(game: Gomoku) -> Result<Self, GameError> {
        let size = game.board().size();
        if size > LARGEST_IN_A_WORD {
            let message = format!("only boards of up to {LARGEST_IN_A_WORD} rows are played");
            return Err(GameError::parameter("size", message));
        }
        let game = game.guarded_by(Guard::Index).after_win(AfterWin::Freeze);
        let referee = Referee::new(size, game.row(), game.last_move());
        Ok(Self { game, referee })
    }

    fn size(&self) -> usize {
        self.game.board().size()
    }

    fn board(&self, history: &[usize]) -> Board {
        let mut board = self.game.board().clone();
        for &cell in history {
            board.set(cell, board.to_move());
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

    fn mover(&self, history: &[usize]) -> Quantifier {
        in_turns(self.game.board().stones() + history.len())
    }

    fn options(&self, history: &[usize]) -> Vec<usize> {
        let board = self.board(history);
        let cells = 0..self.size().pow(2);
        cells.filter(|&cell| board.at(cell).is_none()).collect()
    }

    fn word(&self, option: usize) -> String {
        square(option, self.size())
    }

    fn end(&self, history: &[usize]) -> Option<End> {
        let board = self.board(history);
        if self.referee.has_row(&board, Stone::Black) {
            Some(End::First)
        } else if self.referee.has_row(&board, Stone::White) {
            Some(End::Second)
        } else {
            (board.stones() >= self.game.last_move()).then_some(End::Tie)
        }
    }

    fn draw(&self, history: &[usize]) -> String {
        let board = self.board(history);
        drawn(self.size(), 0, |cell| match board.at(cell) {
            None => '.',
            Some(Stone::Black) => 'b',
            Some(Stone::White) => 'w',
        })
    }

    fn scene(&self) -> Scene {
        let size = self.size();
        let (rows, last) = (size as i64, -(size as i64) - 1);
        // Row and column are the last numbers of a name, wherever the time stands.
        let stone = |pattern: &str, token| {
            let mut factors = vec![rows, 1, 0, last];
            if pattern.matches('#').count() == 3 {
                factors.insert(0, 0);
            }
            Read::chosen(pattern, Effect::Put, token, &factors)
        };
        let mut scene = Scene::squares(size, size, |cell| square(cell, size))
            .at_times(
                1..=self.game.last_move(),
                |time| time % 2 == 1,
                |time| stone(&format!("xb[{time},#,#]"), "b"),
                |time| stone(&format!("xb[{time},#,#]"), "b"),
            )
            .reading(stone("xw[#,#,#]", "w").in_role(Role::Shown))
            .reading(Read::named("mw[#]", Effect::Put, "w", &[0, 1, -1]).in_role(Role::Announced));
        let board = self.game.board();
        scene.tokens = (0..size * size)
            .filter_map(|cell| {
                let token = match board.at(cell)? {
                    Stone::Black => "b",
                    Stone::White => "w",
                };
                Some((cell, token.to_owned()))
            })
            .collect();
        scene
    }

    fn program(&self) -> Result<Program, GameError> {
        self.game.program()
    }

    fn assignments(&self, history: &[usize], option: usize) -> Vec<(String, i64)> {
        match self.mover(history) {
            Quantifier::Exists => self.traces(history, option),
            Quantifier::Forall => {
                let time = self.game.board().stones() + history.len() + 1;
                vec![(format!("mw[{time}]"), option as i64 + 1)]
            }
        }
    }

    fn traces(&self, history: &[usize], option: usize) -> Vec<(String, i64)> {
        let time = self.game.board().stones() + history.len() + 1;
        let (row, column) = (option / self.size() + 1, option % self.size() + 1);
        let colour = match self.mover(history) {
            Quantifier::Exists => 'b',
            Quantifier::Forall => 'w',
        };
        vec![(format!("x{colour}[{time},{row},{column}]"), 1)]
    }

    fn end_of_value(&self, value: &Rational) -> End {
        match decode(self.size(), value) {
            Some(Verdict::WhiteWins(_)) => End::Second,
            Some(Verdict::Draw) => End::Tie,
            Some(Verdict::BlackWins(_)) | None => End::First,
        }
    }

    fn meaning(&self, promise: Promise<'_>) -> String {
        let verdict = match promise {
            Promise::Value(value) => decode(self.size(), value),
            Promise::Win | Promise::Loss => None,
        };
        match (verdict, promise) {
            (Some(Verdict::BlackWins(at)), _) => format!("black wins at move {at}"),
            (Some(Verdict::WhiteWins(at)), _) => format!("white wins at move {at}"),
            (Some(Verdict::Draw), _) => "a draw".to_owned(),
            (None, Promise::Loss) => "white wins".to_owned(),
            (None, _) => "black wins".to_owned(),
        }
    }

    fn vocabulary(&self) -> Vocabulary {
        vocabulary(self.size(), [("n", self.size()), ("k", self.game.row())])
    }

    fn facts(&self, history: &[usize]) -> Vec<Term> {
        let board = self.board(history);
        owned(self.size(), |cell| {
            board.at(cell).map(|stone| match stone {
                Stone::Black => 1,
                Stone::White => 2,
            })
        })
    }
}
