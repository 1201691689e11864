//! A model file on its way in: bytes from a file or standard input, then a program.

use std::fs::File;
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
    let bytes = bytes_of(path).map_err(|reason| Failure::Read {
        name: spoken(path),
        reason,
    })?;
    parse(path, &bytes, data, color)
}

/// As [`read`], where the bytes are there already.
pub fn parse(path: &Path, bytes: &[u8], data: &[PathBuf], color: bool) -> Result<Model, Failure> {
    let name = path.display().to_string();
    let shown = if is_stream(path) { "<stdin>" } else { &name };
    let beside = Beside::of(path).with_data(data.iter().cloned());
    let reading = read_beside(shown, bytes, &beside);
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
