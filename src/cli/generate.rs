//! `quip generate`: one subcommand for each family of games, made from the registry.

use std::path::{Path, PathBuf};

use clap::builder::PossibleValuesParser;
use clap::{Arg, ArgMatches, Args, Command, FromArgMatches, value_parser};
use quip::format::{Format, write_qip, write_qlp};
use quip::games::{FAMILIES, Family, GameError, Parameter, ParameterKind, family};
use quip::program::Program;

use super::exit::{Exit, Failure};
use super::output::{answer, save};
use super::reading::text_of;

/// A family and what was typed for its parameters.
#[derive(Debug)]
pub struct GenerateArgs {
    family: &'static Family,
    /// Names and values; of a file the path.
    given: Vec<(&'static str, String)>,
    out: Option<PathBuf>,
}

/// Builds the program and writes it.
pub fn run(wanted: &GenerateArgs) -> Result<Exit, Failure> {
    let program = build(wanted)?;
    match &wanted.out {
        Some(path) => save(path, written(&program, path)?.as_bytes())?,
        None => answer(&write_qip(&program))?,
    }
    Ok(Exit::Proved)
}

fn build(wanted: &GenerateArgs) -> Result<Program, Failure> {
    let mut values = Vec::new();
    let mut read = None;
    for (name, typed) in &wanted.given {
        let parameter = wanted
            .family
            .parameters
            .iter()
            .find(|known| known.name == *name);
        if parameter.is_some_and(|known| known.kind == ParameterKind::File) {
            values.push((*name, text_of(Path::new(typed))?));
            read = Some(typed.as_str());
        } else {
            values.push((*name, typed.clone()));
        }
    }
    let given: Vec<(&str, &str)> = values
        .iter()
        .map(|(name, value)| (*name, value.as_str()))
        .collect();
    wanted
        .family
        .program(&given)
        .map_err(|fault| explained(&fault, read))
}

/// A fault of a file names the file; a fault of a parameter is one of usage.
fn explained(fault: &GameError, read: Option<&str>) -> Failure {
    match (fault, read) {
        (
            GameError::Text {
                line,
                column,
                message,
            },
            Some(file),
        ) => Failure::Model(format!("error: {file}:{line}:{column}: {message}")),
        (GameError::Parameter { parameter, message }, _) => {
            Failure::Usage(format!("--{parameter}: {message}"))
        }
        (other, _) => Failure::Model(format!("error: {other}")),
    }
}

fn written(program: &Program, path: &Path) -> Result<String, Failure> {
    match Format::of_file_name(&path.to_string_lossy()) {
        Some(Format::Qlp) => write_qlp(program).map_err(|fault| Failure::NotExpressible {
            format: Format::Qlp.extension(),
            reason: fault.to_string(),
        }),
        Some(Format::Qip) => Ok(write_qip(program)),
        None => Err(Failure::Usage(format!(
            "`{}` does not tell the format; name the file .qip or .qlp",
            path.display()
        ))),
    }
}

impl Args for GenerateArgs {
    fn augment_args(command: Command) -> Command {
        let about = "Write a program of a family of games\n\n\
            Every game is a model file like any other: solve it, convert it, look into it.";
        command
            .about("Write a program of a family of games")
            .long_about(about)
            .subcommand_required(true)
            .arg_required_else_help(true)
            .subcommand_value_name("FAMILY")
            .subcommand_help_heading("Families")
            .subcommands(FAMILIES.iter().map(subcommand))
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

fn subcommand(family: &Family) -> Command {
    let out = Arg::new("out")
        .short('o')
        .long("out")
        .value_name("FILE")
        .value_parser(value_parser!(PathBuf))
        .help("File to write (.qip or .qlp); standard output otherwise");
    let command = Command::new(family.name).about(family.about).arg(out);
    family
        .parameters
        .iter()
        .fold(command, |command, parameter| {
            command.arg(argument(parameter))
        })
}

fn argument(parameter: &Parameter) -> Arg {
    let argument = Arg::new(parameter.name)
        .help(parameter.help)
        .required(parameter.default.is_none());
    let argument = if parameter.positional {
        argument
    } else {
        argument.long(parameter.name)
    };
    let argument = match parameter.kind {
        ParameterKind::Number => argument.value_name("N"),
        ParameterKind::Numbers => argument.value_name("N,N,…"),
        ParameterKind::File => argument.value_name("FILE"),
        ParameterKind::Choice(words) => argument.value_parser(PossibleValuesParser::new(words)),
    };
    match parameter.default {
        Some("") | None => argument,
        Some(default) => argument.default_value(default),
    }
}

impl FromArgMatches for GenerateArgs {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let chosen = matches
            .subcommand()
            .and_then(|(name, inner)| Some((family(name)?, inner)));
        let (family, inner) = chosen.ok_or_else(|| {
            clap::Error::raw(clap::error::ErrorKind::MissingSubcommand, "name a family")
        })?;
        let typed = |parameter: &Parameter| {
            let value = inner.get_one::<String>(parameter.name)?;
            Some((parameter.name, value.clone()))
        };
        Ok(Self {
            family,
            given: family.parameters.iter().filter_map(typed).collect(),
            out: inner.get_one::<PathBuf>("out").cloned(),
        })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}
