//! Games at the table: whose turn it is, what may be played, how it stands, and which variables of
//! the program a move fixes.
//!
//! A [`Rules`] knows one game by its referee's rules and says how its moves are spelled in the
//! program; a [`Table`] is a game being played. After some moves [`Table::program`] is the game's program
//! with the prefix fixed: its value is what the existential player, who has the odd moves, is guaranteed.

mod boards;
mod chess;
mod heaps;
mod paths;

pub use boards::{GomokuRules, HexRules, PositionalRules};
pub use chess::ChessRules;
pub use heaps::NimRules;
pub use paths::GeographyRules;

use super::GameError;
use crate::num::{Rational, int};
use crate::program::{Bounds, Id, Program, Quantifier};

/// How a game ended.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// The existential player, who moved first, has won.
    First,
    /// The other one has won.
    Second,
    /// Nobody has.
    Tie,
}

/// One game. Moves are options, numbers that mean something to the game only.
pub trait Rules {
    /// The two sides, the existential one first.
    fn sides(&self) -> [&'static str; 2];

    /// What a move is and how it is typed, in a sentence.
    fn how_to_move(&self) -> String;

    /// The options of the side to move; none if it is stuck.
    fn options(&self, history: &[usize]) -> Vec<usize>;

    /// How an option is typed.
    fn word(&self, option: usize) -> String;

    /// How the game ended, if it has.
    fn end(&self, history: &[usize]) -> Option<End>;

    /// The position, drawn with letters.
    fn draw(&self, history: &[usize]) -> String;

    /// The program of the whole game.
    fn program(&self) -> Result<Program, GameError>;

    /// The variable that an option fixes after `history`, and its value.
    fn assignment(&self, history: &[usize], option: usize) -> (String, i64);

    /// What a value of the program means; without a value, what winning means.
    fn meaning(&self, value: Option<&Rational>) -> String;
}

/// Who has the next move: the existential player has the odd ones.
pub fn mover(history: &[usize]) -> Quantifier {
    if history.len().is_multiple_of(2) {
        Quantifier::Exists
    } else {
        Quantifier::Forall
    }
}

/// A game being played.
pub struct Table {
    rules: Box<dyn Rules>,
    program: Program,
    history: Vec<usize>,
}

impl Table {
    /// A new game.
    ///
    /// ```
    /// use quip::games::play::{GomokuRules, Table};
    /// let mut table = Table::new(Box::new(GomokuRules::new(3, 3)?))?;
    /// assert!(table.play("b2").is_ok());
    /// assert!(table.play("b2").unwrap_err().contains("not a legal move"));
    /// # Ok::<(), quip::games::GameError>(())
    /// ```
    pub fn new(rules: Box<dyn Rules>) -> Result<Self, GameError> {
        let program = rules.program()?;
        Ok(Self {
            rules,
            program,
            history: Vec::new(),
        })
    }

    /// The rules.
    pub fn rules(&self) -> &dyn Rules {
        &*self.rules
    }

    /// Who moves; `None` when the game is over.
    pub fn mover(&self) -> Option<Quantifier> {
        self.end().is_none().then(|| mover(&self.history))
    }

    /// How the game ended, if it has.
    pub fn end(&self) -> Option<End> {
        self.rules.end(&self.history)
    }

    /// The position, drawn.
    pub fn draw(&self) -> String {
        self.rules.draw(&self.history)
    }

    /// The legal moves, as they are typed.
    pub fn moves(&self) -> Vec<String> {
        if self.end().is_some() {
            return Vec::new();
        }
        let options = self.rules.options(&self.history);
        options
            .into_iter()
            .map(|option| self.rules.word(option))
            .collect()
    }

    /// How many moves were made.
    pub fn made(&self) -> usize {
        self.history.len()
    }

    /// Makes a move; if that is against the rules, says so.
    pub fn play(&mut self, word: &str) -> Result<(), String> {
        let option = self.option(word).ok_or_else(|| {
            let rule = self.rules.how_to_move();
            format!("`{word}` is not a legal move: {rule}")
        })?;
        self.history.push(option);
        Ok(())
    }

    /// Takes the last move back, if there is one.
    pub fn take_back(&mut self) -> bool {
        self.history.pop().is_some()
    }

    /// The program with all moves made fixed.
    pub fn program(&self) -> Program {
        fixed(&self.program, &self.assignments())
    }

    /// The program after one more legal move.
    pub fn program_after(&self, word: &str) -> Option<Program> {
        let option = self.option(word)?;
        let mut moves = self.assignments();
        moves.push(self.rules.assignment(&self.history, option));
        Some(fixed(&self.program, &moves))
    }

    /// The legal move that fixes the variable `name` at `value`, among values chosen for the
    /// existential player.
    pub fn move_of(&self, chosen: impl Fn(&str) -> Option<i64>) -> Option<String> {
        let options = self.rules.options(&self.history);
        let option = options.into_iter().find(|&option| {
            let (name, value) = self.rules.assignment(&self.history, option);
            chosen(&name) == Some(value)
        })?;
        Some(self.rules.word(option))
    }

    fn option(&self, word: &str) -> Option<usize> {
        if self.end().is_some() {
            return None;
        }
        let mut options = self.rules.options(&self.history).into_iter();
        options.find(|&option| self.rules.word(option).eq_ignore_ascii_case(word))
    }

    fn assignments(&self) -> Vec<(String, i64)> {
        let made = |place: usize| {
            self.rules
                .assignment(&self.history[..place], self.history[place])
        };
        (0..self.history.len()).map(made).collect()
    }
}

/// The program in which some moves are made: each becomes a constant that the existential player
/// holds, so that the first block reaches as far as what is known.
fn fixed(program: &Program, moves: &[(String, i64)]) -> Program {
    let mut data = program.clone().into_data();
    for (name, value) in moves {
        if let Some(var) = program.find(name) {
            let variable = &mut data.variables[var.index()];
            variable.quantifier = Quantifier::Exists;
            variable.bounds = Bounds::between(int(*value), int(*value));
        }
    }
    Program::new(data).expect("invariant: fixing values keeps a program valid")
}

/// 1, 0 and -1 in words.
fn three_results(sides: [&str; 2], value: Option<&Rational>) -> String {
    match value {
        Some(value) if *value == int(1) => format!("{} wins", sides[0]),
        Some(value) if *value == int(0) => "a tie".to_owned(),
        Some(_) => format!("{} wins", sides[1]),
        None => format!("{} wins", sides[0]),
    }
}
