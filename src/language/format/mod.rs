//! Reading and writing models as text.
//!
//! Bytes become text in `source`, `detect` tells the format, the format's folder reads it; faults
//! of the file come back as [`Diagnostics`]. Nothing here prints.
//!
//! **Invariant:** reading what a writer wrote gives the same program, and no bytes make a reader
//! panic, hang or guess.

mod beside;
mod bilevel;
mod code;
mod detect;
mod diagnostic;
mod excerpt;
mod formula;
mod indexed;
mod layout;
mod lp;
mod mps;
mod outline;
mod plain;
mod prefix;
mod qcir;
mod qdimacs;
mod qip;
mod qlp;
mod render;
mod scan;
mod source;
mod spell;
mod suggest;
mod text;

pub use beside::Beside;
pub use code::{Code, Severity};
pub use detect::Format;
pub use diagnostic::{Diagnostic, Diagnostics, Label};
// For readers of other languages, such as the rules of games.
#[doc(hidden)]
pub use diagnostic::{Draft, Problems, single};
pub use formula::Formula;
pub use layout::layout;
pub use lp::write_lp;
pub use mps::write_mps;
pub use outline::{Outline, Role, Symbol, outline};
pub use qcir::write_qcir;
pub use qdimacs::write_qdimacs;
pub use qip::{QipParts, write_qip};
pub use qlp::{WriteError, write_qlp};
pub use render::render;
pub use source::MAX_TEXT_BYTES;
#[doc(hidden)]
pub use source::text_of;
pub use suggest::nearest;

use std::io;
use std::path::Path;

use crate::program::Program;
use beside::bytes_at;
use text::Dialect;

/// A file that could be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reading {
    /// What it says.
    pub program: Program,
    /// The format it is in.
    pub format: Format,
    /// What its author should look at again.
    pub warnings: Vec<Diagnostic>,
    /// What an answer repeats of the file, if it is a quantified Boolean formula.
    pub formula: Option<Formula>,
}

/// Why there is no program.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The file cannot be opened or read.
    #[error("cannot read `{path}`: {source}")]
    Io {
        /// The file.
        path: String,
        /// What the system says.
        source: io::Error,
    },
    /// The file was read, but it is not a model.
    #[error("{0}")]
    Model(#[from] Diagnostics),
}

/// Reads native text.
///
/// ```
/// let program = quip::format::parse_qip(
///     "minimize cost: 2 x + 1/2 z
///      subject to
///        cover: x + z >= y
///      prefix
///        forall integer y in [0, 2]
///        exists integer x in [0, 3]
///        exists real z in [0, inf]
///      end",
/// )?;
/// assert_eq!(program.variables().len(), 3);
/// # Ok::<(), quip::format::Diagnostics>(())
/// ```
pub fn parse_qip(text: &str) -> Result<Program, Diagnostics> {
    read_text("<text>", text, Format::Qip, &Beside::default()).map(|reading| reading.program)
}

/// Reads a file's bytes: plain or gzipped text, in whichever format it is. `name` is used in
/// diagnostics, and to tell the format where the content does not.
///
/// ```
/// let model = b"MINIMIZE x SUBJECT TO x - y >= 0 BINARIES x y EXISTS x ALL y ORDER y x END";
/// let reading = quip::format::read_bytes("model.qip", model)?;
/// assert_eq!(reading.format, quip::format::Format::Qlp);
/// assert_eq!(reading.program.blocks().len(), 2);
/// # Ok::<(), quip::format::Diagnostics>(())
/// ```
pub fn read_bytes(name: &str, bytes: &[u8]) -> Result<Reading, Diagnostics> {
    read_beside(name, bytes, &Beside::default())
}

/// Reads a file's bytes and the files that the model names; see [`read_bytes`].
pub fn read_beside(name: &str, bytes: &[u8], beside: &Beside) -> Result<Reading, Diagnostics> {
    let text = text_of(name, bytes)?;
    let format = detect::detect(name, &text);
    read_text(name, &text, format, beside)
}

/// Reads a file and the files that it names; see [`read_bytes`].
///
/// ```
/// use quip::format::{ReadError, read_path};
/// let missing = read_path("no/such/file.qip".as_ref());
/// assert!(matches!(missing, Err(ReadError::Io { .. })));
/// ```
pub fn read_path(path: &Path) -> Result<Reading, ReadError> {
    read_path_beside(path, &Beside::of(path))
}

/// Reads a file, where it is known which files belong to it; see [`read_path`].
pub fn read_path_beside(path: &Path, beside: &Beside) -> Result<Reading, ReadError> {
    let name = path.display().to_string();
    match bytes_at(path) {
        Ok(bytes) => Ok(read_beside(&name, &bytes, beside)?),
        Err(source) => Err(ReadError::Io { path: name, source }),
    }
}

fn read_text(
    name: &str,
    text: &str,
    format: Format,
    beside: &Beside,
) -> Result<Reading, Diagnostics> {
    let plain =
        |(program, problems): (Option<Program>, _)| (program.map(|it| (it, None)), problems);
    let with_formula = |(read, problems): (Option<(Program, Formula)>, _)| {
        let read = read.map(|(program, formula)| (program, Some(formula)));
        (read, problems)
    };
    let (read, problems) = match format {
        Format::Qip if indexed::is_indexed(text) => plain(indexed::read(text, beside)),
        Format::Qip => plain(text::read(text, Dialect::Native)),
        Format::Qlp => plain(text::read(text, Dialect::Yasol)),
        Format::Qdimacs => with_formula(qdimacs::read(text)),
        Format::Qcir => with_formula(qcir::read(text)),
        Format::Mps => plain(alone(mps::read(text), mps::REMEDY)),
        Format::Lp => plain(alone(lp::read(text), lp::REMEDY)),
        Format::Prefix => plain(prefix::read(text, beside)),
        Format::Aux => plain(bilevel::read(name, text, beside)),
    };
    settled(name, text, format, read, problems)
}

/// What was read, or what is wrong.
fn settled(
    name: &str,
    text: &str,
    format: Format,
    read: Option<(Program, Option<Formula>)>,
    problems: Problems,
) -> Result<Reading, Diagnostics> {
    let found = problems.settle(name, text);
    match read {
        Some((program, formula)) => Ok(Reading {
            program,
            format,
            warnings: found.into(),
            formula,
        }),
        None => Err(found),
    }
}

/// A file without quantifiers, as one existential block.
fn alone(
    (read, mut problems): (Option<plain::Plain>, Problems),
    remedy: &str,
) -> (Option<Program>, Problems) {
    let program = read.and_then(|mut read| {
        plain::settled(&mut read, &mut problems);
        let arrangement = read.alone();
        plain::program(read, &arrangement, remedy, &mut problems)
    });
    (program.filter(|_| !problems.has_errors()), problems)
}
