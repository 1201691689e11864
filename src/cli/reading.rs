//! A model file on its way in: bytes from a file or standard input, then a program.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use clap::Args;
use num_traits::Signed;
use quip::format::{Beside, Diagnostic, Format, Formula, Reading, read_beside};
use quip::num::{Rational, decimal, parse_rational, ratio};
use quip::outcome::Move;
use quip::program::{Program, Reread};

use super::advise::Given;
use super::exit::Failure;
use super::speech;
use super::text::{counted, grouped};

/// The files that a model waits for.
#[derive(Args, Clone, Debug, Default)]
pub struct DataArgs {
    /// Data for a model with sets and parameters: .toml, .json or .csv; may be repeated
    #[arg(long = "data", value_name = "FILE")]
    pub files: Vec<PathBuf>,
}

impl DataArgs {
    /// These files, and those that the model names relative to its own folder, if it has one.
    pub fn beside(&self, model: Option<&Path>) -> Beside {
        let beside = model.map_or_else(Beside::default, Beside::of);
        beside.with_data(self.files.iter().cloned())
    }
}

/// How a model is read.
#[derive(Args, Clone, Debug, Default)]
pub struct ReadArgs {
    #[command(flatten)]
    pub data: DataArgs,
    /// Read every number as the simplest fraction within this distance, such as 1e-12, and say which
    #[arg(long, value_name = "EPS", value_parser = distance)]
    pub rationalize: Option<Rational>,
    /// Hold variables to values, such as 'open=1, d1=2': an own one is decided so, one of the
    /// opponent known beforehand; may be repeated
    #[arg(long, value_name = "MOVES")]
    pub fix: Vec<String>,
}

fn distance(text: &str) -> Result<Rational, String> {
    let number = parse_rational(text).map_err(|fault| fault.to_string())?;
    match number.is_positive() && number < ratio(1, 4) {
        true => Ok(number),
        false => Err("it must be more than 0 and less than 1/4, such as 1e-12".to_owned()),
    }
}

/// A model that was read.
pub struct Model {
    /// What to call it: the path as it was typed.
    pub name: String,
    pub format: Format,
    pub program: Program,
    /// Within which distance numbers were read as simpler fractions, and which.
    pub rationalized: Option<(Rational, Vec<Reread>)>,
    /// What `--fix` holds.
    pub fixed: Vec<Move>,
    /// What an answer repeats, if the file is a quantified Boolean formula.
    pub formula: Option<Formula>,
    /// The comment that says which game it is, if it is one.
    pub game: Option<String>,
    /// What the reader noticed, one sentence each.
    pub warnings: Vec<String>,
    /// The same with codes and places.
    pub diagnostics: Vec<Diagnostic>,
    /// The same with lines and carets.
    pub rendered_warnings: Vec<String>,
}

/// Reads a model, with the data that came with it; `-` is standard input. `color` is for the diagnostics of a wrong one.
pub fn read(path: &Path, wanted: &ReadArgs, color: bool) -> Result<Model, Failure> {
    let bytes = bytes_of(path).map_err(|reason| Failure::Read {
        name: spoken(path),
        reason,
    })?;
    parse(path, &bytes, wanted, color)
}

/// As [`read`], where the bytes are there already.
pub fn parse(path: &Path, bytes: &[u8], wanted: &ReadArgs, color: bool) -> Result<Model, Failure> {
    let name = path.display().to_string();
    let shown = if is_stream(path) { "<stdin>" } else { &name };
    let reading = read_beside(shown, bytes, &wanted.data.beside(Some(path)));
    let reading = reading.map_err(|faults| Failure::Model(faults.render(color)))?;
    let Reading {
        program,
        format,
        warnings,
        formula,
    } = reading;
    let mut model = Model {
        name,
        format,
        program,
        formula,
        game: speech::found(bytes),
        rationalized: None,
        fixed: Vec::new(),
        warnings: warnings.iter().map(|fault| fault.message.clone()).collect(),
        rendered_warnings: warnings.iter().map(|fault| fault.render(color)).collect(),
        diagnostics: warnings,
    };
    if let Some(within) = &wanted.rationalize {
        model.rationalize(within);
    }
    model.fix(&wanted.fix)?;
    Ok(model)
}

impl Model {
    /// Holds variables to what was typed.
    fn fix(&mut self, typed: &[String]) -> Result<(), Failure> {
        let given = Given::read(&self.program, &typed.join(","))?;
        let held = self.program.variables().pairs();
        let held = held.filter_map(|(var, it)| Some((var, it, given.value(var)?)));
        let mut fixed = Vec::new();
        for (var, variable, value) in held {
            if !variable.admits(value) {
                return Err(Failure::Usage(format!(
                    "--fix: `{}` cannot be {value}: it is outside of its domain",
                    variable.name
                )));
            }
            fixed.push((var, value.clone()));
        }
        if !fixed.is_empty() {
            self.program = quip::solver::fixed(&self.program, &fixed);
        }
        self.fixed = fixed;
        Ok(())
    }

    /// Reads numbers as the simple fractions that they are near to, and says so.
    fn rationalize(&mut self, within: &Rational) {
        /// How many different numbers are named.
        const NAMED: usize = 12;
        let (program, reread) = self.program.rationalized(within);
        let named = reread.iter().take(NAMED).map(|it| {
            let times = match it.times {
                1 => String::new(),
                times => format!(", {} times, first", grouped(times as u64)),
            };
            let (from, to) = (spelled(&it.from), &it.to);
            format!("--rationalize reads {from} as {to}{times} in {}", it.place)
        });
        let rest = reread.len().saturating_sub(NAMED);
        let rest = (rest > 0).then(|| {
            let more = counted(rest, "more number");
            format!("--rationalize reads {more} as simpler fractions; JSON lists all")
        });
        let none = reread
            .is_empty()
            .then(|| "--rationalize changes no number".to_owned());
        for text in named.chain(rest).chain(none).collect::<Vec<_>>() {
            self.rendered_warnings.push(format!("note: {text}"));
            self.warnings.push(text);
        }
        self.program = program;
        self.rationalized = Some((within.clone(), reread));
    }
}

/// A number of a file as it is spelled, more or less.
pub fn spelled(number: &Rational) -> String {
    decimal(number).unwrap_or_else(|| number.to_string())
}

/// Reads a text; `-` is standard input.
pub fn text_of(path: &Path) -> Result<String, Failure> {
    let unreadable = |reason| Failure::Read {
        name: spoken(path),
        reason,
    };
    let bytes = bytes_of(path).map_err(unreadable)?;
    String::from_utf8(bytes)
        .map_err(|fault| unreadable(io::Error::new(io::ErrorKind::InvalidData, fault)))
}

/// Whether the path stands for standard input or output.
pub fn is_stream(path: &Path) -> bool {
    path.as_os_str() == "-"
}

pub fn spoken(path: &Path) -> String {
    if is_stream(path) {
        "standard input".into()
    } else {
        format!("`{}`", path.display())
    }
}

pub fn bytes_of(path: &Path) -> io::Result<Vec<u8>> {
    match is_stream(path) {
        true => all_of(io::stdin().lock()),
        false => all_of(File::open(path)?),
    }
}

/// Everything that there is to read; of what cannot be text only the beginning, since a device may
/// have no end.
fn all_of(mut from: impl Read) -> io::Result<Vec<u8>> {
    /// How much is looked at first.
    const BEGINNING: u64 = 1 << 20;
    const GZIP: [u8; 2] = [0x1f, 0x8b];
    let mut bytes = Vec::new();
    from.by_ref().take(BEGINNING).read_to_end(&mut bytes)?;
    if bytes.contains(&0) && !bytes.starts_with(&GZIP) {
        return Ok(bytes);
    }
    from.read_to_end(&mut bytes)?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_a_device_without_an_end_only_the_beginning_is_read() {
        let bytes = all_of(io::repeat(0)).expect("it can be read");
        assert_eq!(bytes.len(), 1 << 20);
        let long = vec![b'x'; 3 << 20];
        assert_eq!(all_of(&*long).expect("it can be read"), long);
    }
}
