//! Families of programs by name: what the command line offers to generate.
//!
//! A [`Family`] is plain data: a name, parameters with their kinds and defaults, and a function that
//! builds the program from validated arguments. How to add one: write its module, then an entry in
//! [`families`](super::families).

use rustc_hash::FxHashMap;

use super::GameError;
use super::families::IN_PARTS;
use super::play::{Rules, Table};
use crate::program::Program;

/// What a parameter may be.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum ParameterKind {
    /// A whole number that is not negative.
    Number,
    /// Whole numbers, separated by commas.
    Numbers,
    /// One of some words.
    Choice(&'static [&'static str]),
    /// One or several of some words, separated by commas.
    Words(&'static [&'static str]),
    /// Something to read; the argument is the content of the file.
    File,
}

/// One parameter of a family.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// Its name, as in `--name`.
    pub name: &'static str,
    /// What it may be.
    pub kind: ParameterKind,
    /// What it is when it is not given; required without. Empty for "none".
    pub default: Option<&'static str>,
    /// Whether it stands on its own, without its name before it.
    pub positional: bool,
    /// One line of help.
    pub help: &'static str,
}

impl Parameter {
    /// A parameter with a name that must be given.
    pub(super) const fn required(
        name: &'static str,
        kind: ParameterKind,
        help: &'static str,
    ) -> Self {
        Self {
            name,
            kind,
            default: None,
            positional: false,
            help,
        }
    }

    /// A parameter with a default.
    pub(super) const fn optional(
        name: &'static str,
        kind: ParameterKind,
        default: &'static str,
        help: &'static str,
    ) -> Self {
        Self {
            default: Some(default),
            ..Self::required(name, kind, help)
        }
    }

    /// The file that the family is about.
    pub(super) const fn file(name: &'static str, help: &'static str) -> Self {
        Self {
            positional: true,
            ..Self::required(name, ParameterKind::File, help)
        }
    }

    fn accepts(&self, value: &str) -> Result<(), GameError> {
        let fault = |message: String| Err(GameError::parameter(self.name, message));
        match self.kind {
            ParameterKind::Number if value.parse::<usize>().is_err() => {
                fault(format!("`{value}` is not a whole number"))
            }
            ParameterKind::Numbers if value.split(',').any(|n| n.parse::<usize>().is_err()) => {
                fault(format!(
                    "`{value}` are not whole numbers with commas between"
                ))
            }
            ParameterKind::Choice(words) if !words.contains(&value) => {
                fault(format!("`{value}` is none of {}", words.join(", ")))
            }
            ParameterKind::Words(words) => match value.split(',').find(|it| !words.contains(it)) {
                Some(word) => fault(format!("`{word}` is none of {}", words.join(", "))),
                None => Ok(()),
            },
            _ => Ok(()),
        }
    }
}

/// Arguments of a family, checked against its parameters.
#[derive(Clone, Debug)]
pub struct Arguments(FxHashMap<&'static str, String>);

impl Arguments {
    /// A number; zero if there is none.
    pub(super) fn number(&self, name: &str) -> usize {
        self.some_number(name).unwrap_or_default()
    }

    /// A number that may be left out.
    pub(super) fn some_number(&self, name: &str) -> Option<usize> {
        self.text(name).parse().ok()
    }

    /// Several numbers.
    pub(super) fn numbers(&self, name: &str) -> Vec<usize> {
        let parts = self.text(name).split(',');
        parts.filter_map(|part| part.parse().ok()).collect()
    }

    /// A word or the content of a file; empty if there is none.
    pub(super) fn text(&self, name: &str) -> &str {
        self.0.get(name).map_or("", String::as_str)
    }
}

/// A family of programs.
#[derive(Copy, Clone, Debug)]
pub struct Family {
    /// What it is called.
    pub name: &'static str,
    /// One line about it.
    pub about: &'static str,
    /// What can be chosen.
    pub parameters: &'static [Parameter],
    pub(super) build: fn(&Arguments) -> Result<Program, GameError>,
    /// The same as a quantified Boolean formula in QCIR, if its document has one.
    pub(super) formula: Option<MakeFormula>,
    /// How it is played, if it can be.
    pub(super) rules: Option<MakeRules>,
}

/// A piece of a program that is written part by part.
#[derive(Debug)]
pub enum Part<'p> {
    /// The objective, before everything else.
    Objective(&'p Program),
    /// Rows, and all variables but so many that stood in earlier parts.
    Rows(&'p Program, usize),
}

/// Hands over a program in parts, as long as they are wanted.
pub(super) type MakeParts =
    fn(&Arguments, &mut dyn FnMut(Part<'_>) -> bool) -> Result<(), GameError>;

/// Writes the formula of a game from its arguments.
pub(super) type MakeFormula = fn(&Arguments) -> Result<String, GameError>;

/// Makes the rules of a game from its arguments.
pub(super) type MakeRules = fn(&Arguments) -> Result<Box<dyn Rules>, GameError>;

impl Family {
    /// Builds a program from names and values; a file is given by its content.
    ///
    /// ```
    /// use quip::games::family;
    /// let gomoku = family("gomoku").unwrap();
    /// let program = gomoku.program(&[("size", "3"), ("row", "3")])?;
    /// assert_eq!(program.blocks().len(), 9);
    /// let error = gomoku.program(&[("size", "three"), ("row", "3")]).unwrap_err();
    /// assert_eq!(error.to_string(), "size: `three` is not a whole number");
    /// # Ok::<(), quip::games::GameError>(())
    /// ```
    pub fn program(&self, given: &[(&str, &str)]) -> Result<Program, GameError> {
        (self.build)(&self.arguments(given)?)
    }

    /// Whether [`Family::parts`] hands over anything.
    ///
    /// ```
    /// assert!(!quip::games::family("nim").unwrap().has_parts());
    /// ```
    pub fn has_parts(&self) -> bool {
        self.in_parts().is_some()
    }

    /// Hands over the program of [`Family::program`] in parts, so that it need not be held; nothing happens
    /// and the answer is `false` if the family's programs are never that large.
    ///
    /// ```
    /// use quip::format::{QipParts, write_qip};
    /// use quip::games::{Part, family};
    /// let (gomoku, given) = (family("gomoku").unwrap(), [("size", "2"), ("row", "2")]);
    /// let mut parts = QipParts::default();
    /// gomoku.parts(&given, &mut |part| {
    ///     match part {
    ///         Part::Objective(program) => parts.objective(program),
    ///         Part::Rows(program, known) => parts.rows(program, known),
    ///     }
    ///     true
    /// })?;
    /// assert_eq!(parts.finish(), write_qip(&gomoku.program(&given)?));
    /// # Ok::<(), quip::games::GameError>(())
    /// ```
    pub fn parts(
        &self,
        given: &[(&str, &str)],
        give: &mut dyn FnMut(Part<'_>) -> bool,
    ) -> Result<bool, GameError> {
        let arguments = self.arguments(given)?;
        match self.in_parts() {
            Some(parts) => parts(&arguments, give).map(|()| true),
            None => Ok(false),
        }
    }

    /// The game as a quantified Boolean formula in QCIR, from the same arguments as
    /// [`Family::program`]; nothing if the family has no formula of its own.
    ///
    /// ```
    /// use quip::games::family;
    /// let text = family("geography").unwrap().formula(&[("graph", "1\n0 1\n1\n")])?;
    /// assert_eq!(text.unwrap(), "#QCIR-G14\nexists(x1_1)\noutput(x1_1)\n");
    /// assert!(family("nim").unwrap().formula(&[("heaps", "1")])?.is_none());
    /// # Ok::<(), quip::games::GameError>(())
    /// ```
    pub fn formula(&self, given: &[(&str, &str)]) -> Result<Option<String>, GameError> {
        let arguments = self.arguments(given)?;
        self.formula.map(|write| write(&arguments)).transpose()
    }

    /// Whether it can be played at the table.
    ///
    /// ```
    /// assert!(quip::games::family("nim").unwrap().is_playable());
    /// ```
    pub fn is_playable(&self) -> bool {
        self.rules.is_some()
    }

    /// How the game is played, from the same arguments as [`Family::program`].
    ///
    /// ```
    /// use quip::games::family;
    /// let rules = family("nim").unwrap().rules(&[("heaps", "1,2")])?;
    /// assert_eq!(rules.options(&[]).len(), 3);
    /// # Ok::<(), quip::games::GameError>(())
    /// ```
    pub fn rules(&self, given: &[(&str, &str)]) -> Result<Box<dyn Rules>, GameError> {
        let arguments = self.arguments(given)?;
        let rules = self
            .rules
            .ok_or_else(|| GameError::parameter(self.name, "this family cannot be played"))?;
        rules(&arguments)
    }

    /// A new game, from the same arguments as [`Family::program`].
    ///
    /// ```
    /// use quip::games::family;
    /// let table = family("nim").unwrap().table(&[("heaps", "1,2")])?;
    /// assert_eq!(table.moves(), ["1:1", "2:1", "2:2"]);
    /// # Ok::<(), quip::games::GameError>(())
    /// ```
    pub fn table(&self, given: &[(&str, &str)]) -> Result<Table, GameError> {
        Table::new(self.rules(given)?)
    }

    fn in_parts(&self) -> Option<MakeParts> {
        let found = IN_PARTS.iter().find(|(name, _)| *name == self.name);
        found.map(|(_, parts)| *parts)
    }

    fn arguments(&self, given: &[(&str, &str)]) -> Result<Arguments, GameError> {
        for (name, _) in given {
            if !self
                .parameters
                .iter()
                .any(|parameter| parameter.name == *name)
            {
                let names: Vec<&str> = self.parameters.iter().map(|known| known.name).collect();
                let message = format!(
                    "there is no parameter `{name}`; there are {}",
                    names.join(", ")
                );
                return Err(GameError::parameter(self.name, message));
            }
        }
        let mut values = FxHashMap::default();
        for parameter in self.parameters {
            let value = given.iter().rfind(|(name, _)| *name == parameter.name);
            match (value, parameter.default) {
                (Some((_, value)), _) => {
                    parameter.accepts(value)?;
                    values.insert(parameter.name, (*value).to_owned());
                }
                (None, Some(default)) => {
                    values.insert(parameter.name, default.to_owned());
                }
                (None, None) => return Err(GameError::parameter(parameter.name, "must be given")),
            }
        }
        Ok(Arguments(values))
    }
}
