//! `quip play`: a game in the terminal against the program.
//!
//! After each move the prefix is fixed and the program is solved again. Everything is plain lines, so
//! that a pipe can play as well as a person.

mod choice;
mod legal;
mod model;
mod plan;

use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::builder::PossibleValuesParser;
use clap::{Arg, ArgMatches, Args, Command, FromArgMatches, value_parser};
use quip::budget::Limits;
use quip::games::play::{End, Promise, Table};
use quip::games::{FAMILIES, Family};
use quip::outcome::{Outcome, Status};
use quip::program::{Program, Quantifier};
use quip::solver::{Options, Solver};

use super::args::Style;
use super::exit::{Exit, Failure};
use super::family::{Chosen, subcommand};
use super::output::{answer, complain};
use super::page::ReportArgs;
use super::quantity;
use model::ModelArgs;

/// What is played, who is played by a person, and how long the program may think.
#[derive(Debug)]
pub struct PlayArgs {
    game: Played,
    side: Side,
    time: Duration,
    /// Where to write a page to play on instead.
    web: Option<PathBuf>,
}

/// A family and its parameters, or a model file.
#[derive(Debug)]
enum Played {
    Family(Chosen),
    Model(ModelArgs),
}

/// Which moves are typed.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum Side {
    First,
    Second,
    Both,
}

impl Side {
    fn types(self, player: Quantifier) -> bool {
        match self {
            Self::First => player == Quantifier::Exists,
            Self::Second => player == Quantifier::Forall,
            Self::Both => true,
        }
    }
}

/// Plays until the game is over or nobody types any more.
pub fn run(wanted: &PlayArgs) -> Result<Exit, Failure> {
    if let Some(page) = &wanted.web {
        return write_page(wanted, page);
    }
    let chosen = match &wanted.game {
        Played::Family(chosen) => chosen,
        Played::Model(file) => {
            model::run(file, wanted.side, wanted.time)?;
            return Ok(Exit::Proved);
        }
    };
    let table = chosen.build(Family::table)?;
    let mut game = Session {
        table,
        side: wanted.side,
        time: wanted.time,
    };
    game.play(io::stdin().lines())?;
    Ok(Exit::Proved)
}

/// A page with the board and the strategy, to play on in a browser.
fn write_page(wanted: &PlayArgs, page: &Path) -> Result<Exit, Failure> {
    let (game, model) = match &wanted.game {
        Played::Family(chosen) => (Some(chosen.spelled()), None),
        Played::Model(file) => (None, Some((file.model.clone(), file.read.clone()))),
    };
    let asked = ReportArgs::to_play(game, model, page.to_owned(), wanted.time);
    let exit = super::page::run(&asked, Style::default())?;
    complain(&format!("open {} in a browser to play", page.display()));
    Ok(match exit {
        Exit::Infeasible | Exit::BeyondValue => Exit::Proved,
        exit => exit,
    })
}

/// What a person says at his turn.
enum Said {
    Nothing,
    Quit,
    Moved,
}

/// What is typed, line by line.
type Typed = io::Lines<io::StdinLock<'static>>;

fn next_line(lines: &mut Typed) -> Result<Option<String>, Failure> {
    lines.next().transpose().map_err(|reason| Failure::Read {
        name: "standard input".into(),
        reason,
    })
}

struct Session {
    table: Table,
    side: Side,
    time: Duration,
}

impl Session {
    fn play(&mut self, mut lines: Typed) -> Result<(), Failure> {
        answer("Type a move, or: hint, moves, undo, strategy, help, quit.\n")?;
        loop {
            while let Some(player) = self.table.mover() {
                if !self.take_turn(player, &mut lines)? {
                    return Ok(());
                }
            }
            self.conclude()?;
            if !self.takes_up_again(&mut lines)? {
                return Ok(());
            }
        }
    }

    /// One move, whoever makes it; false if nobody types any more.
    fn take_turn(&mut self, player: Quantifier, lines: &mut Typed) -> Result<bool, Failure> {
        answer(&format!("\n{}", self.table.draw()))?;
        if !self.side.types(player) {
            let thought = self.thought(player)?;
            let promise = thought.promise(self);
            answer(&format!("Guaranteed: {promise}.\n"))?;
            let (choice, remark) = thought.choice();
            answer(&format!("{} plays {choice}{remark}\n", self.name(player)))?;
            self.move_by_program(choice)?;
            return Ok(true);
        }
        answer(&format!("Guaranteed: {}.\n", self.guarantee()?))?;
        loop {
            self.prompt(player)?;
            let Some(line) = next_line(lines)? else {
                return Ok(false);
            };
            match self.hear(line.trim(), player)? {
                Said::Nothing => {}
                Said::Quit => return Ok(false),
                Said::Moved => return Ok(true),
            }
        }
    }

    /// Whether a game that is over goes on because a move is taken back.
    fn takes_up_again(&mut self, lines: &mut Typed) -> Result<bool, Failure> {
        if io::stdin().is_terminal() {
            answer("undo takes a move back, anything else leaves.\n")?;
        }
        if next_line(lines)?.is_none_or(|line| line.trim() != "undo") {
            return Ok(false);
        }
        let player = match self.side {
            Side::Second => Quantifier::Forall,
            Side::First | Side::Both => Quantifier::Exists,
        };
        Ok(matches!(self.undo(player)?, Said::Moved))
    }

    fn name(&self, player: Quantifier) -> &'static str {
        let [first, second] = self.table.rules().sides();
        match player {
            Quantifier::Exists => first,
            Quantifier::Forall => second,
        }
    }

    fn prompt(&self, player: Quantifier) -> Result<(), Failure> {
        let newline = if io::stdin().is_terminal() { "" } else { "\n" };
        answer(&format!("{}> {newline}", self.name(player)))
    }

    fn hear(&mut self, line: &str, player: Quantifier) -> Result<Said, Failure> {
        match line {
            "" => Ok(Said::Nothing),
            "quit" | "exit" => Ok(Said::Quit),
            "help" => {
                let rule = self.table.rules().how_to_move();
                answer(&format!(
                    "A move: {rule}.\nhint, moves, undo, strategy, quit.\n"
                ))?;
                Ok(Said::Nothing)
            }
            "moves" => {
                answer(&format!("{}\n", self.table.moves().join(" ")))?;
                Ok(Said::Nothing)
            }
            "hint" => {
                let thought = self.thought(player)?;
                let (choice, remark) = thought.choice();
                answer(&format!("Best is {choice}{remark}.\n"))?;
                Ok(Said::Nothing)
            }
            "undo" => self.undo(player),
            "strategy" => {
                let strategy = self.strategy()?;
                answer(&strategy)?;
                Ok(Said::Nothing)
            }
            word => match self.table.play(word) {
                Ok(()) => Ok(Said::Moved),
                Err(reason) => {
                    answer(&format!("{reason}.\n"))?;
                    Ok(Said::Nothing)
                }
            },
        }
    }

    /// Takes moves back until it is this player's turn again, or that of the one before if both
    /// are typed.
    fn undo(&mut self, player: Quantifier) -> Result<Said, Failure> {
        let back = match self.side {
            Side::Both => self.table.take_back_one(),
            Side::First | Side::Second => self.table.take_back(player),
        };
        if !back {
            answer("There is nothing to take back.\n")?;
            return Ok(Said::Nothing);
        }
        Ok(Said::Moved)
    }

    fn move_by_program(&mut self, word: &str) -> Result<(), Failure> {
        self.table.play(word).map_err(Failure::System)
    }

    /// What the existential player is guaranteed now, in words.
    fn guarantee(&self) -> Result<String, Failure> {
        let outcome = self.solved(&self.table.program())?;
        Ok(self.promised(&outcome))
    }

    /// What an outcome promises the existential player, in words.
    fn promised(&self, outcome: &Outcome) -> String {
        let promise = match (outcome.status, &outcome.objective) {
            (Status::Interrupted, _) => return "not found out in the time given".to_owned(),
            (Status::Infeasible, _) => Promise::Loss,
            (Status::Optimal, Some(value)) => Promise::Value(value),
            _ => Promise::Win,
        };
        self.table.rules().meaning(promise)
    }

    fn solved(&self, program: &Program) -> Result<Outcome, Failure> {
        self.solved_within(program, self.time)
    }

    fn solved_within(&self, program: &Program, time: Duration) -> Result<Outcome, Failure> {
        let options = Options {
            limits: Limits {
                time: Some(time),
                ..Limits::default()
            },
            ..Options::default()
        };
        Ok(Solver::new(options).solve(program)?)
    }

    fn conclude(&self) -> Result<(), Failure> {
        let [first, second] = self.table.rules().sides();
        let result = match self.table.end() {
            Some(End::First) => format!("{first} has won"),
            Some(End::Second) => format!("{second} has won"),
            Some(End::Tie) | None => "nobody has won".to_owned(),
        };
        answer(&format!("\n{}Over: {result}.\n", self.table.draw()))
    }
}

impl Args for PlayArgs {
    fn augment_args(command: Command) -> Command {
        let side = Arg::new("side")
            .long("side")
            .value_parser(PossibleValuesParser::new(["first", "second", "both"]))
            .default_value("first")
            .help("Whose moves are typed; the program makes the others");
        let time = Arg::new("time")
            .short('t')
            .long("time")
            .value_name("TIME")
            .value_parser(quantity::duration)
            .default_value("10")
            .help("How long the program may think about a move");
        let web = Arg::new("web")
            .long("web")
            .value_name("FILE")
            .value_parser(value_parser!(PathBuf))
            .help("Write a page with the board, to play on in a browser, instead of playing here");
        let playable = FAMILIES.iter().filter(|family| family.is_playable());
        command
            .about("Play a game, or any model, against the program")
            .long_about(
                "Play a game, or any model, against the program\n\n\
                 The board is drawn, the result that is guaranteed under best play is announced, \
                 and moves are typed line by line, so that a pipe can play, too. A model file is \
                 played block by block: `quip play FILE` is short for `quip play model FILE`.",
            )
            .subcommand_required(true)
            .arg_required_else_help(true)
            .subcommand_value_name("GAME")
            .subcommand_help_heading("Games")
            .subcommand(
                ModelArgs::augment_args(Command::new("model"))
                    .about("any model file, block by block")
                    .arg(side.clone())
                    .arg(time.clone())
                    .arg(web.clone()),
            )
            .subcommands(playable.map(|family| {
                let command = subcommand(family).arg(side.clone()).arg(time.clone());
                command.arg(web.clone())
            }))
            .after_help(
                "Examples:\n  \
                 quip play gomoku --size 3 --row 3\n  \
                 quip play gomoku --row 3 --board position.txt\n  \
                 quip play nim --heaps 1,2,3 --side second\n  \
                 quip play models/or/lot-sizing.qip --side second\n  \
                 quip play hex --size 3 --web hex.html",
            )
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for PlayArgs {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let (game, inner) = match matches.subcommand() {
            Some(("model", inner)) => (Played::Model(ModelArgs::from_arg_matches(inner)?), inner),
            _ => {
                let (chosen, inner) = Chosen::from(matches)?;
                (Played::Family(chosen), inner)
            }
        };
        let side = match inner.get_one::<String>("side").map(String::as_str) {
            Some("second") => Side::Second,
            Some("both") => Side::Both,
            _ => Side::First,
        };
        let time = inner.get_one::<Duration>("time").copied();
        Ok(Self {
            game,
            side,
            web: inner.get_one::<PathBuf>("web").cloned(),
            time: time.unwrap_or(Duration::from_secs(10)),
        })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}
