//! Games at the table: whose turn it is, what may be played, how it stands, and which variables of
//! the program a move fixes.
//!
//! A [`Rules`] knows one game by its referee's rules and says how its moves are spelled in the
//! program; a [`Table`] is a game being played. After some moves [`Table::program`] is the game's
//! program with the prefix fixed: its value is what the existential player is guaranteed. The same
//! [`Rules`] are what [strategy rules](crate::rules::Refereed) speak of.

mod chess;
mod cops;
mod dgr;
mod direct;
mod geography;
mod gomoku;
mod hex;
mod nim;
mod playouts;
mod positional;
mod scene;
mod squares;
mod table;
mod tictactoe;
mod vocabulary;

pub use chess::ChessRules;
pub use cops::CopsRules;
pub use dgr::DgrRules;
pub use direct::{Direct, direct};
pub use geography::GeographyRules;
pub use gomoku::GomokuRules;
pub use hex::HexRules;
pub use nim::NimRules;
pub use playouts::{Advice, playouts};
pub use positional::PositionalRules;
pub use scene::{Effect, Place, Read, Role, Scene, Shape};
pub use table::Table;
pub use tictactoe::TicTacToeRules;
pub use vocabulary::{Action, Term, Vocabulary};

use std::cmp::Ordering;

use super::GameError;
use crate::num::{Rational, int};
use crate::program::{Program, Quantifier};

/// How a game ended.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// The existential player has won.
    First,
    /// The other one has won.
    Second,
    /// Nobody has.
    Tie,
}

/// What a program promises the existential player.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Promise<'v> {
    /// This value of the objective.
    Value(&'v Rational),
    /// That his rows can be kept, or that the other is stuck.
    Win,
    /// Nothing: his rows cannot be kept.
    Loss,
}

/// One game. Moves are options, numbers that mean something to the game only.
pub trait Rules {
    /// The two sides, the existential one first.
    fn sides(&self) -> [&'static str; 2];

    /// What a move is and how it is typed, in a sentence.
    fn how_to_move(&self) -> String;

    /// Who has the next move while the game lasts. As a rule the sides take turns, the existential
    /// one first.
    fn mover(&self, history: &[usize]) -> Quantifier {
        in_turns(history.len())
    }

    /// The options of the side to move; none if it is stuck.
    fn options(&self, history: &[usize]) -> Vec<usize>;

    /// How an option is typed.
    fn word(&self, option: usize) -> String;

    /// How the game ended, if it has.
    fn end(&self, history: &[usize]) -> Option<End>;

    /// The position, drawn with letters.
    fn draw(&self, history: &[usize]) -> String;

    /// How positions look on a page.
    fn scene(&self) -> Scene;

    /// The program of the whole game.
    fn program(&self) -> Result<Program, GameError>;

    /// The variables that an option fixes after `history`, with their values; the first of them
    /// tells options apart.
    fn assignments(&self, history: &[usize], option: usize) -> Vec<(String, i64)>;

    /// The variables that show, once everything is known, that an option was taken after `history`;
    /// the same in every program of the game, however the opponent is kept to the rules.
    fn traces(&self, history: &[usize], option: usize) -> Vec<(String, i64)> {
        self.assignments(history, option)
    }

    /// How a game of this value ends. As a rule 1, 0 and -1 are a win, a tie and a loss.
    fn end_of_value(&self, value: &Rational) -> End {
        match value.cmp(&int(0)) {
            Ordering::Greater => End::First,
            Ordering::Equal => End::Tie,
            Ordering::Less => End::Second,
        }
    }

    /// What the program promises, in words.
    fn meaning(&self, promise: Promise<'_>) -> String {
        let [first, second] = self.sides();
        let end = match promise {
            Promise::Value(value) => self.end_of_value(value),
            Promise::Win => End::First,
            Promise::Loss => End::Second,
        };
        match end {
            End::First => format!("{first} wins"),
            End::Tie => "a tie".to_owned(),
            End::Second => format!("{second} wins"),
        }
    }

    /// A plan of the existential side from the beginning, spelled out in the way of the game if it
    /// has one: pairs of the moves made, by both sides, and his next move.
    fn spelled_plan(&self, _plan: &[(Vec<usize>, usize)]) -> Option<String> {
        None
    }

    /// What strategy rules may speak of.
    fn vocabulary(&self) -> Vocabulary;

    /// What holds after `history`. Together with the mover it must say all that matters for the
    /// rest of the play.
    fn facts(&self, history: &[usize]) -> Vec<Term>;
}

/// Who has the next move when the existential player has the odd ones.
fn in_turns(made: usize) -> Quantifier {
    if made.is_multiple_of(2) {
        Quantifier::Exists
    } else {
        Quantifier::Forall
    }
}

/// The end of a game that is lost by the side that cannot move.
fn loss_of(side: Quantifier) -> End {
    match side {
        Quantifier::Exists => End::Second,
        Quantifier::Forall => End::First,
    }
}
