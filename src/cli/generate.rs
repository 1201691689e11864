//! `quip generate`: one subcommand for each family of games.

use std::path::{Path, PathBuf};

use clap::{Arg, ArgMatches, Args, Command, FromArgMatches, value_parser};
use quip::format::{Format, write_qip};
use quip::games::{FAMILIES, Family};
use quip::program::Program;

use super::convert;
use super::exit::{Exit, Failure};
use super::family::{Chosen, subcommand};
use super::output::{answer, save};

/// A family, its parameters, and where to write.
#[derive(Debug)]
pub struct GenerateArgs {
    chosen: Chosen,
    out: Option<PathBuf>,
}

/// Builds the program and writes it.
pub fn run(wanted: &GenerateArgs) -> Result<Exit, Failure> {
    let program = wanted.chosen.build(Family::program)?;
    match &wanted.out {
        Some(path) => save(path, written(&program, path)?.as_bytes())?,
        None => answer(&write_qip(&program))?,
    }
    Ok(Exit::Proved)
}

fn written(program: &Program, path: &Path) -> Result<String, Failure> {
    match Format::of_file_name(&path.to_string_lossy()) {
        Some(format) => convert::written(program, format),
        None => Err(Failure::Usage(format!(
            "`{}` does not tell the format; name the file .qip or .qlp",
            path.display()
        ))),
    }
}

impl Args for GenerateArgs {
    fn augment_args(command: Command) -> Command {
        let out = Arg::new("out")
            .short('o')
            .long("out")
            .value_name("FILE")
            .value_parser(value_parser!(PathBuf))
            .help("File to write (.qip or .qlp); standard output otherwise");
        command
            .about("Write a program of a family of games")
            .long_about(
                "Write a program of a family of games\n\n\
                 Every game is a model like any other: solve it, convert it, look into it.",
            )
            .subcommand_required(true)
            .arg_required_else_help(true)
            .subcommand_value_name("FAMILY")
            .subcommand_help_heading("Families")
            .subcommands(
                FAMILIES
                    .iter()
                    .map(|family| subcommand(family).arg(out.clone())),
            )
            .after_help(
                "Examples:\n  \
                 quip generate gomoku --size 3 --row 3 | quip solve -\n  \
                 quip generate nim --heaps 1,2,3 -o nim.qip",
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
        Ok(Self { chosen, out })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}
