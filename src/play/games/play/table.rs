//! A game being played.

use super::{End, Rules};
use crate::games::GameError;
use crate::num::int;
use crate::program::{Bounds, Id, Program, Quantifier};

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
    /// use quip::games::gomoku::Gomoku;
    /// use quip::games::play::{GomokuRules, Table};
    /// let mut table = Table::new(Box::new(GomokuRules::new(Gomoku::new(3, 3)?)?))?;
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
        let is_over = self.end().is_some();
        (!is_over).then(|| self.rules.mover(&self.history))
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
        let options = self.options().into_iter();
        options.map(|option| self.rules.word(option)).collect()
    }

    /// The moves made, as they are typed.
    pub fn words(&self) -> impl Iterator<Item = String> {
        let made = self.history.iter();
        made.map(|&option| self.rules.word(option))
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

    /// Takes moves back until one of `side` is; whether there was any.
    ///
    /// ```
    /// use quip::games::family;
    /// use quip::program::Quantifier;
    /// let mut table = family("nim").unwrap().table(&[("heaps", "1,2")])?;
    /// assert!(table.play("2:1").is_ok() && table.play("1:1").is_ok());
    /// assert!(table.take_back(Quantifier::Exists));
    /// assert_eq!(table.made(), 0);
    /// assert!(!table.take_back(Quantifier::Exists));
    /// # Ok::<(), quip::games::GameError>(())
    /// ```
    pub fn take_back(&mut self, side: Quantifier) -> bool {
        let mut places = (0..self.history.len()).rev();
        let last = places.find(|&place| self.rules.mover(&self.history[..place]) == side);
        if let Some(place) = last {
            self.history.truncate(place);
        }
        last.is_some()
    }

    /// Takes the last move back; whether there was one.
    pub fn take_back_one(&mut self) -> bool {
        self.history.pop().is_some()
    }

    /// The moves made, as options of the rules.
    pub fn history(&self) -> &[usize] {
        &self.history
    }

    /// The program with all moves made fixed.
    pub fn program(&self) -> Program {
        fixed(&self.program, &self.assignments())
    }

    /// The program after one more legal move.
    pub fn program_after(&self, word: &str) -> Option<Program> {
        let option = self.option(word)?;
        let mut moves = self.assignments();
        moves.extend(self.rules.assignments(&self.history, option));
        Some(fixed(&self.program, &moves))
    }

    /// How the game ends with one more legal move, if it does.
    ///
    /// ```
    /// use quip::games::{family, play::End};
    /// let table = family("nim").unwrap().table(&[("heaps", "1,0")])?;
    /// assert_eq!(table.end_after("1:1"), Some(End::First));
    /// # Ok::<(), quip::games::GameError>(())
    /// ```
    pub fn end_after(&self, word: &str) -> Option<End> {
        let mut after = self.history.clone();
        after.push(self.option(word)?);
        self.rules.end(&after)
    }

    /// The legal move that gives variables the values that were chosen for them.
    pub fn move_of(&self, chosen: impl Fn(&str) -> Option<i64>) -> Option<String> {
        let mut options = self.options().into_iter();
        let option = options.find(|&option| {
            let assigned = self.rules.assignments(&self.history, option);
            let agrees = |(name, value): &(String, i64)| chosen(name).is_none_or(|is| is == *value);
            let tells = assigned
                .first()
                .is_some_and(|(name, _)| chosen(name).is_some());
            tells && assigned.iter().all(agrees)
        })?;
        Some(self.rules.word(option))
    }

    /// The options that are typed so, of those that are legal.
    pub fn options_of(&self, words: &[String]) -> Vec<usize> {
        words.iter().filter_map(|word| self.option(word)).collect()
    }

    fn options(&self) -> Vec<usize> {
        match self.end() {
            Some(_) => Vec::new(),
            None => self.rules.options(&self.history),
        }
    }

    fn option(&self, word: &str) -> Option<usize> {
        let mut options = self.options().into_iter();
        options.find(|&option| self.rules.word(option).eq_ignore_ascii_case(word))
    }

    fn assignments(&self) -> Vec<(String, i64)> {
        let made = |place: usize| {
            self.rules
                .assignments(&self.history[..place], self.history[place])
        };
        (0..self.history.len()).flat_map(made).collect()
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
