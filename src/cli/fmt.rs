//! `quip fmt`: the usual layout of native text.

use std::path::PathBuf;

use clap::Args;
use quip::format::{Beside, Diagnostics, Format, layout, read_beside};

use super::args::Style;
use super::exit::{Exit, Failure};
use super::files;
use super::output::answer;
use super::reading::{DataArgs, is_stream, spoken, text_of};

/// Lay out .qip files: indentation, blanks, empty lines
///
/// Lines stay lines and comments stay where they are; the model stays the same, and that is checked.
/// Files are rewritten in place; `-` reads standard input and writes standard output.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  quip fmt lot.qip
  quip fmt --check models/*.qip         exit code 1 if a file would change
  quip fmt - < lot.qip")]
pub struct FmtArgs {
    /// Model files, or `-`
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    #[command(flatten)]
    data: DataArgs,
    /// Change nothing; list the files that would change
    #[arg(long)]
    check: bool,
}

/// Lays out every file.
pub fn run(wanted: &FmtArgs, style: Style) -> Result<Exit, Failure> {
    let mut changed = Vec::new();
    for path in &wanted.files {
        let text = text_of(path)?;
        let name = path.display().to_string();
        let new = match laid_out(&name, &text, &wanted.data.beside(Some(path))) {
            Ok(new) => new,
            Err(Unlaid::Faults(faults)) => return Err(Failure::Model(faults.render(style.log))),
            Err(Unlaid::Other(format)) => {
                return Err(Failure::Usage(format!(
                    "{} is a .{format} file; only .qip files are laid out",
                    spoken(path)
                )));
            }
            Err(Unlaid::Changed) => {
                return Err(Failure::System(format!(
                    "the layout of {} would change the model; nothing was written",
                    spoken(path)
                )));
            }
        };
        match (wanted.check, is_stream(path)) {
            (true, _) if new != text => changed.push(path.display().to_string()),
            (false, true) => answer(&new)?,
            (false, false) if new != text => {
                let [output] = files::open(&[], [Some(("FILE", path.as_path()))])?;
                output.map_or(Ok(()), |output| output.save(new.as_bytes()))?;
            }
            _ => {}
        }
    }
    if changed.is_empty() {
        return Ok(Exit::Proved);
    }
    answer(&(changed.join("\n") + "\n"))?;
    Ok(Exit::Invalid)
}

/// Why a text is not laid out.
pub enum Unlaid {
    /// It is no model.
    Faults(Diagnostics),
    /// It is in another format.
    Other(Format),
    /// The model would be another one.
    Changed,
}

/// The layout of a text that is a model, if the model is still the same.
pub fn laid_out(name: &str, text: &str, beside: &Beside) -> Result<String, Unlaid> {
    let read = |text: &str| read_beside(name, text.as_bytes(), beside);
    let before = read(text).map_err(Unlaid::Faults)?;
    if before.format != Format::Qip {
        return Err(Unlaid::Other(before.format));
    }
    let new = layout(text);
    match read(&new) {
        Ok(after) if after.program == before.program => Ok(new),
        _ => Err(Unlaid::Changed),
    }
}
