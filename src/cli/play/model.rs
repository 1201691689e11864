//! `quip play FILE`: any model, block by block.
//!
//! What is typed is refused if it is illegal: outside of its domain, or no way is left to keep the rows of
//! whoever moves. What is left after the moves made is solved again at every turn.

use std::io::{self, IsTerminal};
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use quip::budget::Limits;
use quip::num::{Digits, Rational};
use quip::outcome::{Move, Outcome, Status};
use quip::program::{IdVec, Program, Quantifier, VarId};
use quip::solver::{Options, Solver, fixed};
use quip::strategy::Turn;

use super::legal::read_values;
use super::{Side, Typed, next_line};
use crate::cli::exit::Failure;
use crate::cli::lint::never_holds;
use crate::cli::output::answer;
use crate::cli::reading::{ReadArgs, read};
use crate::cli::text::decisions;
use crate::cli::ticker::Ticker;

/// How many moves a line lists.
const SHOWN_MOVES: usize = 24;

/// A model file, and how it is read.
#[derive(Args, Debug)]
pub struct ModelArgs {
    /// Model file (.qip, .qlp, .mps, .lp, .qdimacs, …, also .gz)
    #[arg(value_name = "MODEL")]
    pub model: PathBuf,
    #[command(flatten)]
    pub read: ReadArgs,
}

/// Plays until the game is over or nobody types any more.
pub(super) fn run(wanted: &ModelArgs, side: Side, time: Duration) -> Result<(), Failure> {
    let model = read(&wanted.model, &wanted.read, false)?;
    let mut game = Played {
        program: &model.program,
        side,
        time,
        made: Vec::new(),
    };
    game.play(io::stdin().lines())
}

/// A game that is under way.
pub(super) struct Played<'a> {
    pub program: &'a Program,
    pub side: Side,
    pub time: Duration,
    pub made: Vec<Move>,
}

/// What came of a line.
enum Heard {
    Nothing,
    Quit,
    /// Moves were made or taken back.
    Changed,
}

impl Played<'_> {
    fn play(&mut self, mut lines: Typed) -> Result<(), Failure> {
        answer("Type values such as 1 or x=1, or: best, moves, rows, show, undo, help, quit.\n")?;
        loop {
            let over = self.over();
            let goes_on = match over {
                Some(end) => {
                    answer(&format!("\n{end}\n"))?;
                    self.takes_up_again(&mut lines)?
                }
                None => self.take_turn(&mut lines)?,
            };
            if !goes_on {
                return Ok(());
            }
        }
    }

    /// One block, whoever decides it; false if nobody types any more.
    fn take_turn(&mut self, lines: &mut Typed) -> Result<bool, Failure> {
        let Some(player) = self.mover() else {
            return Ok(false);
        };
        if !self.is_alive(player, &self.made)? {
            let (loser, winner) = (name(player), name(player.opponent()));
            answer(&format!(
                "\nOver: {winner} has won, {loser} has no legal move.\n"
            ))?;
            return self.takes_up_again(lines);
        }
        let outcome = self.solved()?;
        answer(&format!("\nGuaranteed: {}.\n", self.promise(&outcome)))?;
        if !self.side.types(player) {
            let moves = self.best(player, &outcome)?;
            let told = decisions(self.program, Digits::Rounded, &moves, SHOWN_MOVES);
            answer(&format!("{} plays {told}\n", name(player)))?;
            self.made.extend(moves);
            return Ok(true);
        }
        let block = self.made.len();
        answer(&self.open_variables())?;
        loop {
            let newline = if io::stdin().is_terminal() { "" } else { "\n" };
            answer(&format!("{}> {newline}", name(player)))?;
            let Some(line) = next_line(lines)? else {
                return Ok(false);
            };
            match self.hear(line.trim(), player, &outcome, block)? {
                Heard::Nothing => {}
                Heard::Quit => return Ok(false),
                Heard::Changed if self.made.len() <= block => return Ok(true),
                Heard::Changed => {
                    if self.mover() != Some(player) || self.over().is_some() {
                        return Ok(true);
                    }
                    answer(&self.open_variables())?;
                }
            }
        }
    }

    fn hear(
        &mut self,
        line: &str,
        player: Quantifier,
        outcome: &Outcome,
        block: usize,
    ) -> Result<Heard, Failure> {
        match line {
            "" => {}
            "quit" | "exit" => return Ok(Heard::Quit),
            "help" => answer(
                "Values in the order of the variables, parted by blanks, or moves such as x=1, y=0.\n\
                 best    the rest of this block as the program would play it\n\
                 moves   what the next variable may be\n\
                 rows    the rows, and what they can still be\n\
                 show    the moves made\n\
                 undo    takes the last block back\n",
            )?,
            "show" => {
                let made = decisions(self.program, Digits::Rounded, &self.made, usize::MAX);
                answer(&format!("{made}\n"))?;
            }
            "rows" => answer(&self.rows())?,
            "moves" => answer(&self.moves(player)?)?,
            "undo" => {
                if self.made.len() > block {
                    self.made.truncate(block);
                } else if !self.take_back(player) {
                    answer("There is nothing to take back.\n")?;
                    return Ok(Heard::Nothing);
                }
                return Ok(Heard::Changed);
            }
            "best" => {
                let anew;
                let outcome = match self.made.len() == block {
                    true => outcome,
                    false => {
                        anew = self.solved()?;
                        &anew
                    }
                };
                let moves = self.best(player, outcome)?;
                let told = decisions(self.program, Digits::Rounded, &moves, SHOWN_MOVES);
                answer(&format!("{} plays {told}\n", name(player)))?;
                self.made.extend(moves);
                return Ok(Heard::Changed);
            }
            typed => return self.make(typed, player),
        }
        Ok(Heard::Nothing)
    }

    /// Makes what was typed, if all of it is legal.
    fn make(&mut self, typed: &str, player: Quantifier) -> Result<Heard, Failure> {
        let before = self.made.len();
        let open = self.open(player);
        let values = match read_values(self.program, typed, &open) {
            Ok(values) => values,
            Err(reason) => {
                answer(&format!("{reason}.\n"))?;
                return Ok(Heard::Nothing);
            }
        };
        for (var, value) in values {
            if let Some(reason) = self.refusal(player, var, &value)? {
                self.made.truncate(before);
                answer(&format!("{reason}.\n"))?;
                return Ok(Heard::Nothing);
            }
            self.made.push((var, value));
        }
        Ok(Heard::Changed)
    }

    /// What the next player plays in the rest of its block: the strategy, else best play, else any
    /// legal move.
    fn best(&self, player: Quantifier, outcome: &Outcome) -> Result<Vec<Move>, Failure> {
        let left = fixed(self.program, &self.made);
        let mut planned = outcome
            .held(&left, player)
            .map_or_else(Vec::new, |strategy| {
                let mut play = strategy.into_play(&left);
                while let Turn::Observe(var) = play.turn() {
                    let made = self.made.iter().find(|(other, _)| *other == var);
                    let Some((_, value)) = made else { break };
                    if play.observe(value.clone()).is_err() {
                        break;
                    }
                    play.reply();
                }
                play.reply();
                play.moves().to_vec()
            });
        planned.extend(outcome.first_stage.iter().cloned());
        planned.extend(outcome.principal_variation.iter().cloned());
        let mut moves: Vec<Move> = Vec::new();
        for var in self.open(player) {
            let value = planned.iter().find(|(other, _)| *other == var);
            let value = match value {
                Some((_, value)) => value.clone(),
                None => self.any_legal(player, var, &moves)?,
            };
            moves.push((var, value));
        }
        Ok(moves)
    }

    pub(super) fn options(&self, certificate: bool) -> Options {
        Options {
            limits: Limits {
                time: Some(self.time),
                ..Limits::default()
            },
            certificate,
            ..Options::default()
        }
    }

    fn solved(&self) -> Result<Outcome, Failure> {
        let ticker = Ticker::new("thinking");
        let left = fixed(self.program, &self.made);
        let outcome = Solver::new(self.options(true))
            .with_observer(ticker.observer("thinking"))
            .solve(&left)?;
        Ok(outcome)
    }

    fn promise(&self, outcome: &Outcome) -> String {
        let digits = Digits::Rounded;
        match (outcome.status, &outcome.objective, &outcome.bound) {
            (Status::Interrupted, Some(value), Some(bound)) => format!(
                "{}, and nothing better than {}",
                digits.write(value),
                digits.write(bound)
            ),
            (Status::Interrupted, Some(value), None) => {
                format!("{} or better", digits.write(value))
            }
            (Status::Interrupted, None, _) => "not found out in the time given".to_owned(),
            _ => crate::cli::explain::worth(digits, outcome),
        }
    }

    /// Why nobody moves any more.
    fn over(&self) -> Option<String> {
        // A row that cannot hold is enough here; what only several rows show is refused beforehand.
        let left = fixed(self.program, &self.made);
        let dead = |player: Quantifier| {
            let mut rows = left.system(player).pairs();
            let broken = rows.find(|(_, row)| never_holds(&left, row))?;
            Some(self.program.row_label(player, broken.0))
        };
        let last = self.made.last().map(|(var, _)| *var);
        let mover = last.map_or(self.mover(), |var| {
            Some(self.program.variables()[var].quantifier)
        })?;
        for loser in [mover, mover.opponent()] {
            if let Some(row) = dead(loser) {
                let winner = name(loser.opponent());
                return Some(format!(
                    "Over: {winner} has won, row {row} cannot hold any more."
                ));
            }
        }
        if self.mover().is_some() {
            return None;
        }
        let mut values = IdVec::filled(self.program.variables().len(), Rational::default());
        for (var, value) in &self.made {
            values[*var] = value.clone();
        }
        Some(match self.program.objective() {
            Some(_) => {
                let value = self.program.objective_value(&values);
                format!("Over: the play is worth {}.", Digits::Rounded.write(&value))
            }
            None => "Over: all rows are kept.".to_owned(),
        })
    }

    fn mover(&self) -> Option<Quantifier> {
        let variables = self.program.variables().as_slice();
        Some(variables.get(self.made.len())?.quantifier)
    }

    /// What is left of the block.
    pub(super) fn open(&self, player: Quantifier) -> Vec<VarId> {
        let variables = self.program.variables().pairs().skip(self.made.len());
        variables
            .take_while(|(_, it)| it.quantifier == player)
            .map(|(var, _)| var)
            .collect()
    }

    fn open_variables(&self) -> String {
        let Some(player) = self.mover() else {
            return String::new();
        };
        let open = self.open(player);
        let shown = open.iter().take(SHOWN_MOVES).map(|var| self.domain(*var));
        let mut text: String = shown.map(|line| format!("  {line}\n")).collect();
        if open.len() > SHOWN_MOVES {
            text += &format!("  … {} more\n", open.len() - SHOWN_MOVES);
        }
        text
    }

    /// `d1, a whole number in [0, 2]`.
    pub(super) fn domain(&self, var: VarId) -> String {
        crate::cli::advise::domain(self.program, var)
    }

    /// Takes back to the last block of this player, or the one before if both are typed.
    fn take_back(&mut self, player: Quantifier) -> bool {
        let wanted = match self.side {
            Side::Both => None,
            Side::First | Side::Second => Some(player),
        };
        let owner = |(var, _): &Move| self.program.variables()[*var].quantifier;
        let Some(last) = self
            .made
            .iter()
            .rposition(|made| wanted.is_none_or(|wanted| owner(made) == wanted))
        else {
            return false;
        };
        let its = owner(&self.made[last]);
        let first = self.made[..last]
            .iter()
            .rposition(|made| owner(made) != its);
        self.made.truncate(first.map_or(0, |other| other + 1));
        true
    }

    /// Whether a game that is over goes on because a block is taken back.
    fn takes_up_again(&mut self, lines: &mut Typed) -> Result<bool, Failure> {
        if io::stdin().is_terminal() {
            answer("undo takes a move back, anything else leaves.\n")?;
        }
        if next_line(lines)?.is_none_or(|line| line.trim() != "undo") {
            return Ok(false);
        }
        Ok(self.take_back(match self.side {
            Side::Second => Quantifier::Forall,
            Side::First | Side::Both => Quantifier::Exists,
        }))
    }
}

/// What a player is called.
pub(super) fn name(player: Quantifier) -> &'static str {
    match player {
        Quantifier::Exists => "planner",
        Quantifier::Forall => "opponent",
    }
}
