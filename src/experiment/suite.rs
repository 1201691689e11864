//! A suite as it is written in a file: which instances, which solvers, how often, how long.
//!
//! **Invariant:** a key that means nothing is an error with its line and column, never ignored.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;

use crate::format::Format;
use crate::solver::{Method, Options};
use crate::switch::{Switch, SwitchError};

/// The content of a suite file.
///
/// ```
/// use quip::experiment::Suite;
/// let suite = Suite::parse(
///     "limits = { seconds = 10 }
///      [[instances]]
///      files = ['models/or/*.qip']
///      [[solvers]]
///      name = 'search'
///      [[solvers]]
///      name = 'no relaxation'
///      set = { 'search.relax' = 'off' }",
/// )?;
/// assert_eq!(suite.solvers.len(), 2);
///
/// let error = Suite::parse("limit = 10").unwrap_err();
/// assert!(error.to_string().contains("line 1, column 1"));
/// # Ok::<(), quip::experiment::SuiteError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Suite {
    /// What the suite finds out, for readers.
    #[serde(default)]
    pub about: String,
    /// How often every instance meets every solver.
    #[serde(default = "once")]
    pub repeats: u32,
    /// What one run may spend.
    pub limits: RunLimits,
    /// Whether bounds are recorded over time.
    #[serde(default)]
    pub trace: bool,
    /// The models.
    #[serde(default)]
    pub instances: Vec<InstanceGroup>,
    /// This program, with options.
    #[serde(default)]
    pub solvers: Vec<OwnSolver>,
    /// Other programs.
    #[serde(default)]
    pub external: Vec<External>,
}

/// What one run may spend.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RunLimits {
    /// Wall-clock seconds.
    pub seconds: f64,
    /// Positions.
    pub nodes: Option<u64>,
    /// Memory of the process.
    pub megabytes: Option<u64>,
}

/// Models from files, or from a generator.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct InstanceGroup {
    /// What the instances have in common; otherwise the folder or the generator.
    pub family: Option<String>,
    /// Paths and patterns, relative to the suite file.
    #[serde(default)]
    pub files: Vec<String>,
    /// Data for models with sets, relative to the suite file: what `--data` is for one model.
    #[serde(default)]
    pub data: Vec<String>,
    /// A family of `quip generate`, or `random`.
    pub generate: Option<String>,
    /// Its parameters; a list, or a range such as `'1..=5'`, stands for one instance of each.
    #[serde(default)]
    pub with: BTreeMap<String, Parameter>,
}

/// The value of a generator's parameter, or several.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(untagged)]
pub enum Parameter {
    /// A number.
    Number(u64),
    /// A word, a path or a range.
    Text(String),
    /// One instance for each.
    Several(Vec<Parameter>),
}

/// This program, with options.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OwnSolver {
    /// What tables call it.
    pub name: String,
    /// The engine.
    #[serde(default = "auto")]
    pub method: String,
    /// Switches, as in `quip solve --set`.
    #[serde(default)]
    pub set: BTreeMap<String, String>,
    /// Beginnings of keys: every switch that begins like that is turned from its value, one at a
    /// time, and makes a solver of its own.
    #[serde(default)]
    pub turn: Vec<String>,
}

/// Another program.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct External {
    /// What tables call it.
    pub name: String,
    /// Program and arguments. `{file}` is the model, `{seconds}` the time limit; without `{file}`
    /// the model goes to standard input.
    pub command: Vec<String>,
    /// The format that the program reads: `qip`, `qlp`, `qdimacs` or `qcir`.
    #[serde(default = "native")]
    pub format: String,
    /// Finds the value in the output; its first group if it has one.
    pub value: String,
    /// Finds the time in the output, in seconds; otherwise the wall clock counts.
    pub seconds: Option<String>,
    /// Finds the proof that there is no solution.
    pub infeasible: Option<String>,
}

fn once() -> u32 {
    1
}

fn auto() -> String {
    Method::Auto.name().to_owned()
}

fn native() -> String {
    "qip".to_owned()
}

/// What is wrong with a suite.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SuiteError {
    /// The text is no suite; says where.
    #[error("{0}")]
    Syntax(String),
    /// The text is a suite that makes no sense.
    #[error("{0}")]
    Meaning(String),
}

impl Suite {
    /// Reads a suite and checks what can be checked without its files.
    pub fn parse(text: &str) -> Result<Self, SuiteError> {
        let suite: Self =
            toml::from_str(text).map_err(|fault| SuiteError::Syntax(fault.to_string()))?;
        suite.check().map_err(SuiteError::Meaning)?;
        Ok(suite)
    }

    /// This program with options, also those that `turn` stands for.
    pub fn own_solvers(&self) -> Vec<OwnSolver> {
        self.solvers
            .iter()
            .flat_map(OwnSolver::with_turned)
            .collect()
    }

    fn check(&self) -> Result<(), String> {
        let seconds = self.limits.seconds;
        if !(seconds.is_finite() && (1e-3..1e9).contains(&seconds)) {
            return Err(format!("`seconds = {seconds}` is no sensible time limit"));
        }
        if self.repeats == 0 {
            return Err("`repeats` must be at least 1".to_owned());
        }
        if self.instances.is_empty() {
            return Err("there is no `[[instances]]`: name files or a generator".to_owned());
        }
        if self.solvers.is_empty() && self.external.is_empty() {
            return Err("there is no `[[solvers]]` and no `[[external]]`".to_owned());
        }
        self.instances.iter().try_for_each(InstanceGroup::check)?;
        self.solvers.iter().try_for_each(OwnSolver::check)?;
        self.external.iter().try_for_each(External::check)?;
        let own = self.own_solvers().into_iter().map(|solver| solver.name);
        let others = self.external.iter().map(|solver| solver.name.clone());
        let mut seen = BTreeSet::new();
        for name in own.chain(others) {
            if !seen.insert(name.clone()) {
                return Err(format!("two solvers are called `{name}`"));
            }
        }
        Ok(())
    }
}

impl InstanceGroup {
    fn check(&self) -> Result<(), String> {
        match (&self.generate, self.files.is_empty()) {
            (None, true) => Err("`[[instances]]` needs `files` or `generate`".to_owned()),
            (Some(name), false) => Err(format!(
                "`generate = \"{name}\"` and `files` exclude each other; write two `[[instances]]`"
            )),
            (Some(_), true) if !self.data.is_empty() => {
                Err("`data` is for files; generators have parameters".to_owned())
            }
            (None, false) if !self.with.is_empty() => {
                Err("`with` is for generators; files have no parameters".to_owned())
            }
            _ => Ok(()),
        }
    }
}

impl OwnSolver {
    fn check(&self) -> Result<(), String> {
        let wrong = |reason: String| format!("solver `{}`: {reason}", self.name);
        self.method.parse::<Method>().map_err(wrong)?;
        let options = self.options().map_err(|fault| wrong(fault.to_string()))?;
        let switches = options.switches();
        for start in &self.turn {
            if !switches.iter().any(|it| it.key.starts_with(start.as_str())) {
                return Err(wrong(format!(
                    "no option begins with `{start}`; `quip options` lists them"
                )));
            }
        }
        Ok(())
    }

    fn options(&self) -> Result<Options, SwitchError> {
        let mut options = Options::default();
        for (key, value) in &self.set {
            options.set(key, value)?;
        }
        Ok(options)
    }

    /// The solver itself, and one more for each switch that it turns.
    fn with_turned(&self) -> Vec<Self> {
        let mut all = vec![Self {
            turn: Vec::new(),
            ..self.clone()
        }];
        let Ok(options) = self.options() else {
            return all;
        };
        for switch in options.switches() {
            let wanted = self.turn.iter().any(|start| switch.key.starts_with(start));
            let Some(value) = turned(&options, &switch).filter(|_| wanted) else {
                continue;
            };
            let mut set = self.set.clone();
            set.insert(switch.key.to_owned(), value.to_owned());
            all.push(Self {
                name: format!("{}={value}", switch.key),
                method: self.method.clone(),
                set,
                turn: Vec::new(),
            });
        }
        all
    }
}

/// The other value of a switch; a number is turned off by the word or by zero, if it takes that.
fn turned(options: &Options, switch: &Switch) -> Option<&'static str> {
    match switch.value.as_str() {
        "on" => Some("off"),
        "off" => Some("on"),
        "0" => None,
        _ => {
            let takes = |value: &&str| options.clone().set(switch.key, value).is_ok();
            ["off", "0"].into_iter().find(takes)
        }
    }
}

impl External {
    /// The format that the program reads.
    pub(super) fn file_format(&self) -> Option<Format> {
        let mut formats = Format::WRITTEN.into_iter();
        formats.find(|format| format.extension() == self.format)
    }

    fn check(&self) -> Result<(), String> {
        let wrong = |reason: String| format!("external solver `{}`: {reason}", self.name);
        if self.command.is_empty() {
            return Err(wrong("`command` is empty".to_owned()));
        }
        if self.file_format().is_none() {
            let known = Format::WRITTEN.map(Format::extension).join(", ");
            return Err(wrong(format!("`{}` is none of {known}", self.format)));
        }
        let patterns = [
            Some(&self.value),
            self.seconds.as_ref(),
            self.infeasible.as_ref(),
        ];
        for pattern in patterns.into_iter().flatten() {
            regex::Regex::new(pattern).map_err(|fault| wrong(fault.to_string()))?;
        }
        Ok(())
    }
}
