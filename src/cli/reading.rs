//! A model file on its way in: bytes from a file or standard input, then a program.

use std::io::{self, Read};
use std::path::{Path, PathBuf};

use quip::format::{Beside, Diagnostic, Format, Formula, Reading, read_beside};
use quip::program::Program;

use super::exit::Failure;

/// A model that was read.
pub struct Model {
    /// What to call it: the path as it was typed.
    pub name: String,
    pub format: Format,
    pub program: Program,
    /// What an answer repeats, if the file is a quantified Boolean formula.
    pub formula: Option<Formula>,
    /// What the reader noticed, one sentence each.
    pub warnings: Vec<String>,
    /// The same with codes and places.
    pub diagnostics: Vec<Diagnostic>,
    /// The same with lines and carets.
    pub rendered_warnings: Vec<String>,
}

/// Reads a model, with the data that came with it; `-` is standard input. `color` is for the diagnostics of a wrong one.
pub fn read(path: &Path, data: &[PathBuf], color: bool) -> Result<Model, Failure> {
    let name = path.display().to_string();
    let bytes = bytes_of(path).map_err(|reason| Failure::Read {
        name: spoken(path),
        reason,
    })?;
    let shown = if is_stream(path) { "<stdin>" } else { &name };
    let beside = Beside::of(path).with_data(data.iter().cloned());
    let reading = read_beside(shown, &bytes, &beside);
    let reading = reading.map_err(|faults| Failure::Model(faults.render(color)))?;
    let Reading {
        program,
        format,
        warnings,
        formula,
    } = reading;
    Ok(Model {
        name,
        format,
        program,
        formula,
        warnings: warnings.iter().map(|fault| fault.message.clone()).collect(),
        rendered_warnings: warnings.iter().map(|fault| fault.render(color)).collect(),
        diagnostics: warnings,
    })
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
    if !is_stream(path) {
        return std::fs::read(path);
    }
    let mut bytes = Vec::new();
    io::stdin().lock().read_to_end(&mut bytes)?;
    Ok(bytes)
}
