//! `quip lint`: what looks like a mistake, with codes.

use std::path::PathBuf;

use clap::Args;
use serde::Serialize;

use super::args::Style;
use super::exit::{Exit, Failure};
use super::json;
use super::lint::lints;
use super::output::answer;
use super::reading::{self, ReadArgs};

/// List what looks like a mistake in a model, with codes
///
/// The warnings of the reader (W…) with their lines, and remarks on the program (L…). Exit code 1 if
/// there is any. Nothing is solved.
#[derive(Args, Debug)]
#[command(after_help = "\
Codes:
  L001  a variable without a value to take      L005  a row that cannot hold
  L002  a variable in no row and no objective   L006  coefficients far apart
  L003  a row that says the same as another     L007  a row too large for 64 bits
  L004  a row that always holds                 L008  a row over the opponent's variables only
  L009  numbers that look like rounded fractions

Examples:
  quip lint lot.qip
  quip lint --allow L004 --json lot.qip")]
pub struct LintArgs {
    /// Model file (.qip, .qlp, .mps, .lp, …, also .gz), or `-` for standard input
    model: PathBuf,
    #[command(flatten)]
    read: ReadArgs,
    /// Leave out what has this code; may be repeated
    #[arg(long, value_name = "CODE")]
    allow: Vec<String>,
    /// Answer with JSON
    #[arg(long)]
    json: bool,
}

/// One remark as JSON.
#[derive(Serialize)]
struct Remark {
    code: String,
    message: String,
    /// Of the file, counted from 1; remarks on the program have none.
    line: Option<usize>,
    column: Option<usize>,
}

/// All of them.
#[derive(Serialize)]
struct RemarksJson<'a> {
    schema: &'static str,
    file: &'a str,
    remarks: &'a [Remark],
}

/// Reads a model and lists remarks.
pub fn run(wanted: &LintArgs, style: Style) -> Result<Exit, Failure> {
    let model = reading::read(&wanted.model, &wanted.read, style.log)?;
    let allowed = |code: &str| wanted.allow.iter().any(|it| it.eq_ignore_ascii_case(code));
    let (mut remarks, mut shown) = (Vec::new(), Vec::new());
    for (warning, rendered) in model.diagnostics.iter().zip(&model.rendered_warnings) {
        let code = warning.code.to_string();
        if !allowed(&code) {
            let label = warning.labels.first();
            remarks.push(Remark {
                code,
                message: warning.message.clone(),
                line: label.map(|label| label.line),
                column: label.map(|label| label.column),
            });
            shown.push(rendered.trim_end().to_owned());
        }
    }
    for lint in lints(&model.program) {
        if !allowed(lint.code()) {
            let message = lint.to_string();
            shown.push(format!("warning[{}]: {message}", lint.code()));
            remarks.push(Remark {
                code: lint.code().to_owned(),
                message,
                line: None,
                column: None,
            });
        }
    }
    if wanted.json {
        answer(&json::to_line(&RemarksJson {
            schema: "quip-lint/1",
            file: &model.name,
            remarks: &remarks,
        }))?;
    } else if !shown.is_empty() {
        answer(&(shown.join("\n") + "\n"))?;
    }
    Ok(if remarks.is_empty() {
        Exit::Proved
    } else {
        Exit::Invalid
    })
}
