//! Families of games as subcommands, made from the registry.

use std::path::Path;

use clap::builder::PossibleValuesParser;
use clap::{Arg, ArgMatches, Command};
use quip::games::{FAMILIES, Family, GameError, Parameter, ParameterKind, family};

use super::exit::Failure;
use super::reading::text_of;

/// A family and what was typed for its parameters.
#[derive(Debug)]
pub struct Chosen {
    pub family: &'static Family,
    /// Names and values; of a file the path.
    given: Vec<(&'static str, String)>,
}

impl Chosen {
    /// From the matches of the command whose subcommands are families.
    pub fn from(matches: &ArgMatches) -> Result<(Self, &ArgMatches), clap::Error> {
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
        let given = family.parameters.iter().filter_map(typed).collect();
        Ok((Self { family, given }, inner))
    }

    /// From one text: a playable family and its parameters, as they are typed behind `quip play`.
    pub fn typed(text: &str) -> Result<Self, Failure> {
        let words = shlex::split(text).ok_or_else(|| {
            Failure::Usage(format!("--game: a quotation mark is missing in `{text}`"))
        })?;
        let playable = FAMILIES.iter().filter(|family| family.is_playable());
        let command = Command::new("--game")
            .no_binary_name(true)
            .subcommand_required(true)
            .disable_help_flag(true)
            .disable_help_subcommand(true)
            .subcommand_value_name("GAME")
            .subcommands(playable.map(|family| subcommand(family).disable_help_flag(true)));
        let matched = command.try_get_matches_from(words);
        let chosen = matched.and_then(|matches| Ok(Self::from(&matches)?.0));
        chosen.map_err(|fault| {
            let said = fault.to_string();
            let said = said.trim_start_matches("error: ").trim_end();
            Failure::Usage(format!("--game: {said}"))
        })
    }

    /// As it is typed behind `quip play`.
    pub fn spelled(&self) -> String {
        let parameters = self.family.parameters.iter();
        let given = parameters.filter_map(|parameter| {
            let (_, value) = self
                .given
                .iter()
                .find(|(name, _)| *name == parameter.name)?;
            let is_default = parameter.default == Some(value.as_str());
            (!is_default).then_some((parameter, value.clone()))
        });
        let given = given.flat_map(|(parameter, value)| match parameter.positional {
            true => vec![value],
            false => vec![format!("--{}", parameter.name), value],
        });
        let words: Vec<String> = [self.family.name.to_owned()]
            .into_iter()
            .chain(given)
            .collect();
        shlex::try_join(words.iter().map(String::as_str)).unwrap_or_else(|_| words.join(" "))
    }

    /// The files among the values.
    pub fn files(&self) -> impl Iterator<Item = (&str, &Path)> {
        let given = self.given.iter();
        given
            .filter(|(name, _)| self.is_file(name))
            .map(|(name, typed)| (*name, Path::new(typed)))
    }

    /// Whether only a part of the family's formula was asked for.
    pub fn is_part(&self) -> bool {
        let mut given = self.given.iter();
        given.any(|(name, value)| *name == "formula" && value != "whole")
    }

    fn is_file(&self, name: &str) -> bool {
        let mut known = self.family.parameters.iter();
        known.any(|known| known.name == name && known.kind == ParameterKind::File)
    }

    /// Builds something from the values, with the content of files in place of their names.
    pub fn build<T>(
        &self,
        make: impl FnOnce(&Family, &[(&str, &str)]) -> Result<T, GameError>,
    ) -> Result<T, Failure> {
        let mut values = Vec::new();
        let mut read = None;
        for (name, typed) in &self.given {
            if self.is_file(name) {
                values.push((*name, text_of(Path::new(typed))?));
                read = Some(typed.as_str());
            } else {
                values.push((*name, typed.clone()));
            }
        }
        let values: Vec<(&str, &str)> = values
            .iter()
            .map(|(name, value)| (*name, value.as_str()))
            .collect();
        make(self.family, &values).map_err(|fault| explained(&fault, read))
    }
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

/// The subcommand of a family.
pub fn subcommand(family: &Family) -> Command {
    let command = Command::new(family.name).about(family.about);
    let parameters = family.parameters.iter();
    parameters.fold(command, |command, parameter| {
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
        ParameterKind::Words(words) => argument
            .help(format!("{}: {}", parameter.help, words.join(", ")))
            .value_name("WORD,…"),
    };
    match parameter.default {
        Some("") | None => argument,
        Some(default) => argument.default_value(default),
    }
}
