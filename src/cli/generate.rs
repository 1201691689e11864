//! `quip generate`: one subcommand for each family of games.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::{Arg, ArgMatches, Args, Command, FromArgMatches, value_parser};
use quip::format::{Format, QipParts, read_bytes, write_qip};
use quip::games::{FAMILIES, Family, Part};

use super::convert;
use super::exit::{Exit, Failure};
use super::family::{Chosen, subcommand};
use super::files::{self, Output};
use super::output::{answer, answer_part};
use super::quantity;
use super::speech;
use super::ticker::Ticker;

/// A family, its parameters, and where to write.
#[derive(Debug)]
pub struct GenerateArgs {
    chosen: Chosen,
    out: Option<PathBuf>,
    time: Option<Duration>,
}

/// Builds the program and writes it.
pub fn run(wanted: &GenerateArgs) -> Result<Exit, Failure> {
    let code = Exit::StoppedEmptyHanded.code();
    let ticker = Ticker::ending("writing the program", wanted.time, code);
    let Some(path) = &wanted.out else {
        if wanted.chosen.is_part() {
            let text = wanted.chosen.build(Family::formula)?;
            answer(&text.unwrap_or_default())?;
            return Ok(Exit::Proved);
        }
        match wanted.chosen.family.has_parts() {
            true => in_parts(&wanted.chosen, answer_part)?,
            false => answer(&native(&wanted.chosen)?)?,
        }
        return Ok(Exit::Proved);
    };
    let read: Vec<_> = wanted.chosen.files().collect();
    let mut outputs = files::open(&read, [Some(("--out", path))])?;
    if path.extension().is_some_and(|ending| ending == "qip") && wanted.chosen.family.has_parts() {
        let [Some(out)] = outputs else {
            unreachable!("invariant: a file was named")
        };
        return streamed(&wanted.chosen, out);
    }
    let text = files::before_work(&mut outputs, written(&wanted.chosen, path))?;
    drop(ticker);
    let [out] = outputs;
    out.map_or(Ok(()), |out| convert::save_text(out, &text))?;
    Ok(Exit::Proved)
}

/// Writes a file while the program is made.
fn streamed(chosen: &Chosen, out: Output) -> Result<Exit, Failure> {
    let mut draft = out.draft()?;
    let mut failed = None;
    let made = in_parts(chosen, |text| {
        failed = draft.write_all(text.as_bytes()).err();
        Ok(failed.is_none())
    });
    match (made, failed) {
        (Err(failure), _) => Err(failure),
        (Ok(()), Some(reason)) => Err(draft.failed(reason)),
        (Ok(()), None) => draft.keep().map(|()| Exit::Proved),
    }
}

/// A program of a game says which game it is.
fn native(chosen: &Chosen) -> Result<String, Failure> {
    chosen.build(|family, given| {
        let program = family.program(given)?;
        Ok(speech::comment(family, given) + &write_qip(&program))
    })
}

/// Hands over the text of a program that may be too large to hold, as long as somebody wants it.
fn in_parts(
    chosen: &Chosen,
    mut write: impl FnMut(&str) -> Result<bool, Failure>,
) -> Result<(), Failure> {
    let mut parts = QipParts::default();
    let mut goes_on = Ok(true);
    chosen.build(|family, given| {
        goes_on = write(&speech::comment(family, given));
        family.parts(given, &mut |part| {
            match part {
                Part::Objective(program) => parts.objective(program),
                Part::Rows(program, known) => parts.rows(program, known),
            }
            if let Ok(true) = goes_on {
                goes_on = write(&parts.drain());
            }
            matches!(goes_on, Ok(true))
        })
    })?;
    match goes_on? {
        true => write(&parts.finish()).map(|_| ()),
        false => Ok(()),
    }
}

/// The text of the format that the file is named after. A family with a formula of its own is
/// written by it where a formula is wanted.
fn written(chosen: &Chosen, path: &Path) -> Result<String, Failure> {
    let format = Format::of_file_name(&path.to_string_lossy()).ok_or_else(|| {
        Failure::Usage(format!(
            "`{}` does not tell the format; name the file .qip, .qlp, .qcir, .qdimacs, .mps or .lp",
            path.display()
        ))
    })?;
    if let Format::Qcir | Format::Qdimacs = format
        && let Some(text) = chosen.build(Family::formula)?
    {
        return in_format(text, format);
    }
    if format == Format::Qip {
        return native(chosen);
    }
    convert::written(&chosen.build(Family::program)?, format)
}

/// A circuit as it is, or as clauses.
fn in_format(circuit: String, format: Format) -> Result<String, Failure> {
    if format == Format::Qcir {
        return Ok(circuit);
    }
    let reading = read_bytes("formula.qcir", circuit.as_bytes());
    let reading = reading.map_err(|faults| Failure::System(faults.to_string()))?;
    convert::written(&reading.program, format)
}

impl Args for GenerateArgs {
    fn augment_args(command: Command) -> Command {
        let out = Arg::new("out")
            .short('o')
            .long("out")
            .value_name("FILE")
            .value_parser(value_parser!(PathBuf))
            .help("File to write: .qip, .qlp, .qcir, .qdimacs; standard output otherwise");
        let time = Arg::new("time")
            .short('t')
            .long("time")
            .value_name("TIME")
            .value_parser(quantity::duration)
            .help("Give up after this wall-clock time, such as 60, 5m or 1h");
        command
            .about("Write a program of a family: games, and operations research")
            .long_about(
                "Write a program of a family: games, and operations research\n\n\
                 Every program is a model like any other: solve it, convert it, look into it. \
                 Geography, chess and tic-tac-toe are also written as quantified Boolean formulas.",
            )
            .subcommand_required(true)
            .arg_required_else_help(true)
            .subcommand_value_name("FAMILY")
            .subcommand_help_heading("Families")
            .subcommands(
                FAMILIES
                    .iter()
                    .map(|family| subcommand(family).arg(out.clone()).arg(time.clone())),
            )
            .after_help(
                "Examples:\n  \
                 quip generate gomoku --size 3 --row 3 | quip solve -\n  \
                 quip generate nim --heaps 1,2,3 -o nim.qip\n  \
                 quip generate geography graph.txt -o game.qcir",
            )
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for GenerateArgs {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let (chosen, inner) = Chosen::from(matches)?;
        let out = inner.get_one::<PathBuf>("out").cloned();
        let time = inner.get_one::<Duration>("time").copied();
        Ok(Self { chosen, out, time })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}
