//! `quip convert`.

use std::io::Write;
use std::path::Path;

use flate2::Compression;
use flate2::write::GzEncoder;
use quip::budget::{Budget, Limits};
use quip::equivalent::{Settings, Sheet, sheet_of};
use quip::format::{Format, write_qcir, write_qdimacs, write_qip, write_qlp};
use quip::format::{write_lp as write_plain_lp, write_mps as write_plain_mps};
use quip::program::Program;

use super::args::{ConvertArgs, Style};
use super::exit::{Exit, Failure};
use super::files::{self, Output};
use super::output::{answer, complain};
use super::reading::{self, is_stream};
use super::signals;
use super::ticker::Ticker;

/// Reads one format, writes another.
pub fn run(wanted: &ConvertArgs, style: Style) -> Result<Exit, Failure> {
    let target = if wanted.equivalent {
        Target::Equivalent(writer(&wanted.output)?)
    } else {
        Target::Model(target_format(wanted)?)
    };
    let out = (!is_stream(&wanted.output)).then_some(("OUT", &*wanted.output));
    let mut outputs = files::open(&[("IN", &wanted.input)], [out])?;
    let model = reading::read(&wanted.input, &wanted.read, style.log);
    let model = files::before_work(&mut outputs, model)?;
    model
        .rendered_warnings
        .iter()
        .for_each(|text| complain(text));
    let code = Exit::StoppedEmptyHanded.code();
    let ticker = Ticker::ending("writing the model", wanted.time, code);
    let text = match target {
        Target::Model(format) => written(&model.program, format)?,
        Target::Equivalent(write) => {
            let signal = signals::stop_flag()?;
            let mut budget = Budget::new(Limits::default(), signal, None);
            write(&sheet_of(
                &model.program,
                &Settings::default(),
                &mut budget,
            )?)
        }
    };
    drop(ticker);
    let [out] = outputs;
    match out {
        None => answer(&text)?,
        Some(out) => save_text(out, &text)?,
    }
    Ok(Exit::Proved)
}

/// What to write.
enum Target {
    /// The same model in a format.
    Model(Format),
    /// Its equivalent.
    Equivalent(Writer),
}

type Writer = fn(&Sheet) -> String;

/// How to write an equivalent into a file of that name.
fn writer(output: &Path) -> Result<Writer, Failure> {
    let name = output.to_string_lossy().to_ascii_lowercase();
    match name.strip_suffix(".gz").unwrap_or(&name) {
        plain if plain.ends_with(".lp") => Ok(Sheet::to_lp),
        plain if plain.ends_with(".mps") => Ok(Sheet::to_mps),
        _ => Err(Failure::Usage(format!(
            "`{}` does not tell how to write an equivalent; name the file .lp or .mps",
            output.display()
        ))),
    }
}

/// Writes a text, compressed if the file is named so.
pub fn save_text(output: Output, text: &str) -> Result<(), Failure> {
    if is_gzip(Path::new(&output.name())) {
        output.save(&compressed(text)?)
    } else {
        output.save(text.as_bytes())
    }
}

fn target_format(wanted: &ConvertArgs) -> Result<Format, Failure> {
    let by_name = || Format::of_file_name(&wanted.output.to_string_lossy());
    let written = |format: &Format| Format::WRITTEN.contains(format);
    wanted.to.or_else(by_name).filter(written).ok_or_else(|| {
        let endings = Format::WRITTEN
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
        Format::Mps => write_plain_mps(program),
        Format::Lp => write_plain_lp(program),
        Format::Prefix | Format::Aux => {
            return Err(Failure::Usage(format!(
                ".{format} files are read, but not written"
            )));
        }
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
