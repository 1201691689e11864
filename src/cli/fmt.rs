//! `quip fmt`: the usual layout of native text.

use std::path::{Path, PathBuf};

use clap::Args;
use quip::format::{Beside, Format, layout, read_beside};

use super::args::Style;
use super::exit::{Exit, Failure};
use super::files;
use super::output::{answer, complain};
use super::reading::{is_stream, spoken, text_of};

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
    /// Change nothing; list the files that would change
    #[arg(long)]
    check: bool,
}

/// Lays out every file.
pub fn run(wanted: &FmtArgs, style: Style) -> Result<Exit, Failure> {
    let mut changed = Vec::new();
    for path in &wanted.files {
        let text = text_of(path)?;
        let new = laid_out(path, &text, style)?;
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

/// The layout of a text that is a model, if the model is still the same.
fn laid_out(path: &Path, text: &str, style: Style) -> Result<String, Failure> {
    let name = path.display().to_string();
    let read = |text: &str| read_beside(&name, text.as_bytes(), &Beside::of(path));
    let before = read(text).map_err(|faults| Failure::Model(faults.render(style.log)))?;
    if before.format != Format::Qip {
        return Err(Failure::Usage(format!(
            "{} is a .{} file; only .qip files are laid out",
            spoken(path),
            before.format
        )));
    }
    before
        .warnings
        .iter()
        .for_each(|it| complain(&it.render(style.log)));
    let new = layout(text);
    match read(&new) {
        Ok(after) if after.program == before.program => Ok(new),
        _ => Err(Failure::System(format!(
            "the layout of {} would change the model; nothing was written",
            spoken(path)
        ))),
    }
}
