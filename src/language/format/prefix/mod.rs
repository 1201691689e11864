//! Prefix files: who fixes which variable of an MPS or LP file when, and whose rule a row is.
//!
//! ```text
//! file = "model" '"' path '"' ["uncertainty" {pattern}] "prefix" {declaration} "end"
//! declaration = ("exists" | "forall") pattern {pattern} ["in" "[" bound "," bound "]"]
//! ```
//! In a pattern `*` stands for any letters. A pattern takes what no pattern before it has taken, in
//! the order of the file.
//!
//! **Invariant:** every variable of the model is in one declaration, or there is no program.

mod apply;
mod reader;

use super::beside::{Beside, Missing, text_at};
use super::code::Code;
use super::detect::{Format, detect};
use super::diagnostic::{Draft, Problems};
use super::plain::{Plain, program, settled};
use super::{lp, mps};
use crate::program::Program;
use reader::File;

/// Reads a prefix file and the model that it names.
pub(super) fn read(text: &str, beside: &Beside) -> (Option<Program>, Problems) {
    let mut problems = Problems::default();
    let Some(file) = reader::read(text, &mut problems) else {
        return (None, problems);
    };
    let program = arranged(&file, beside, &mut problems);
    (program.filter(|_| !problems.has_errors()), problems)
}

fn arranged(file: &File<'_>, beside: &Beside, problems: &mut Problems) -> Option<Program> {
    let (mut plain, remedy) = named(file.model, &file.model_span, beside, problems)?;
    settled(&mut plain, problems);
    let arrangement = apply::arrangement(file, &mut plain, problems)?;
    // The spans of the model are no places of this text: what is said of it is said at its name.
    for column in &mut plain.columns {
        column.span = file.model_span.clone();
    }
    for (_, span) in &mut plain.rows {
        *span = file.model_span.clone();
    }
    program(plain, &arrangement, remedy, problems)
}

/// The plain program in a file that a model names.
pub(super) fn named(
    name: &str,
    span: &std::ops::Range<usize>,
    beside: &Beside,
    problems: &mut Problems,
) -> Option<(Plain, &'static str)> {
    let opened = beside
        .path(name)
        .and_then(|path| text_at(&path).map(|text| (path, text)));
    let (path, text) = match opened {
        Ok(opened) => opened,
        Err(Missing::NotText(faults)) => {
            problems.adopt(faults);
            return None;
        }
        Err(Missing::Unreadable(reason)) => {
            let message = format!("cannot read `{name}`: {reason}");
            let draft = Draft::new(Code::CannotReadBeside, message).at(span.clone(), "");
            problems.push(draft.help("the name is relative to the folder of this file"));
            return None;
        }
    };
    let shown = path.display().to_string();
    let (plain, found, remedy) = match detect(&shown, &text) {
        Format::Mps => with_remedy(mps::read(&text), mps::REMEDY),
        Format::Lp => with_remedy(lp::read(&text), lp::REMEDY),
        other => {
            let message = format!("`{name}` is a .{other} file, not an .mps or .lp file");
            problems.push(Draft::new(Code::NotRead, message).at(span.clone(), ""));
            return None;
        }
    };
    problems.adopt(found.settle(&shown, &text));
    Some((plain?, remedy))
}

type Found = (Option<Plain>, Problems);

fn with_remedy(
    (plain, found): Found,
    remedy: &'static str,
) -> (Option<Plain>, Problems, &'static str) {
    (plain, found, remedy)
}
