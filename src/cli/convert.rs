//! `quip convert`.

use std::io::Write;
use std::path::Path;

use flate2::Compression;
use flate2::write::GzEncoder;
use quip::format::{Format, write_qcir, write_qdimacs, write_qip, write_qlp};
use quip::program::Program;

use super::args::{ConvertArgs, Style};
use super::exit::{Exit, Failure};
use super::output::{answer, complain, save};
use super::reading::{self, is_stream};

/// Reads one format, writes another.
pub fn run(wanted: &ConvertArgs, style: Style) -> Result<Exit, Failure> {
    let format = target_format(wanted)?;
    let model = reading::read(&wanted.input, style.log)?;
    model
        .rendered_warnings
        .iter()
        .for_each(|text| complain(text));
    let text = written(&model.program, format)?;
    if is_stream(&wanted.output) {
        answer(&text)?;
    } else {
        save_text(&wanted.output, &text)?;
    }
    Ok(Exit::Proved)
}

/// Writes a text, compressed if the file is named so.
pub fn save_text(path: &Path, text: &str) -> Result<(), Failure> {
    if is_gzip(path) {
        save(path, &compressed(text)?)
    } else {
        save(path, text.as_bytes())
    }
}

fn target_format(wanted: &ConvertArgs) -> Result<Format, Failure> {
    let by_name = || Format::of_file_name(&wanted.output.to_string_lossy());
    wanted.to.or_else(by_name).ok_or_else(|| {
        let endings = Format::ALL
            .map(|format| format!(".{}", format.extension()))
            .join(" or ");
        Failure::Usage(format!(
            "`{}` does not tell the format; name the file {endings}, or use --to",
            wanted.output.display()
        ))
    })
}

/// The program as text of a format, or the reason why it cannot be.
pub fn written(program: &Program, format: Format) -> Result<String, Failure> {
    let text = match format {
        Format::Qip => return Ok(write_qip(program)),
        Format::Qlp => write_qlp(program),
        Format::Qdimacs => write_qdimacs(program),
        Format::Qcir => write_qcir(program),
    };
    text.map_err(|fault| Failure::NotExpressible {
        format: format.extension(),
        reason: fault.to_string(),
    })
}

fn is_gzip(path: &Path) -> bool {
    path.extension()
        .is_some_and(|ending| ending.eq_ignore_ascii_case("gz"))
}

fn compressed(text: &str) -> Result<Vec<u8>, Failure> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    let bytes = encoder
        .write_all(text.as_bytes())
        .and_then(|()| encoder.finish());
    bytes.map_err(|reason| Failure::Write {
        name: "compressed data".into(),
        reason,
    })
}
