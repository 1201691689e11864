//! Writing the native format.

use std::fmt::Write;

use num_traits::{One, Signed};

use crate::format::spell::spelled;
use crate::num::Rational;
use crate::program::{Id, Kind, Objective, Program, Row, Term, VarId, Variable};

/// The program as native text. Reading it gives the same program, names and order included; equal
/// programs give equal bytes.
///
/// Numbers of more than [`MAX_DIGITS`](crate::num::MAX_DIGITS) digits, which only code can bring
/// in, are written but not read again.
///
/// ```
/// use quip::format::{parse_qip, write_qip};
/// let program = parse_qip(
///     "maximize 2x subject to x <= 3/2 y prefix forall binary y exists real x in [0, 9] end",
/// )?;
/// let text = write_qip(&program);
/// assert!(text.contains("- 3/2 y + x <= 0"));
/// assert_eq!(parse_qip(&text)?, program);
/// # Ok::<(), quip::format::Diagnostics>(())
/// ```
pub fn write_qip(program: &Program) -> String {
    let mut parts = QipParts::default();
    parts.objective(program);
    parts.rows(program, 0);
    parts.finish()
}

/// A program that is written part by part, because it is too large to hold: first its objective, then
/// parts with rows and with the variables that are new in them.
///
/// ```
/// use quip::format::{QipParts, parse_qip, write_qip};
/// let text = "minimize y subject to a: x >= 1\n b: y >= x prefix exists binary x y end";
/// let whole = parse_qip(text)?;
/// let first = parse_qip("subject to a: x >= 1 prefix exists binary x end")?;
/// let second = parse_qip("subject to b: y >= x prefix exists binary x y end")?;
/// let mut parts = QipParts::default();
/// parts.objective(&whole);
/// parts.rows(&first, 0);
/// // Of the second part, one variable is known already.
/// parts.rows(&second, 1);
/// let written = parts.drain() + &parts.finish();
/// assert_eq!(written, write_qip(&whole));
/// # Ok::<(), quip::format::Diagnostics>(())
/// ```
#[derive(Debug, Default)]
pub struct QipParts {
    text: String,
    universal_rows: String,
    prefix: String,
}

impl QipParts {
    /// The objective, if there is one; comes first.
    pub fn objective(&mut self, program: &Program) {
        if let Some(objective) = program.objective() {
            let _ = writeln!(self.text, "{}", objective.sense);
            push_objective(&mut self.text, program, objective);
        }
        self.text.push_str("subject to\n");
    }

    /// Rows, and all variables but the first ones, which are known.
    pub fn rows(&mut self, program: &Program, known: usize) {
        for row in program.rows() {
            push_row(&mut self.text, program, row);
        }
        for row in program.universal_rows() {
            push_row(&mut self.universal_rows, program, row);
        }
        for variable in program.variables().iter().skip(known) {
            push_declaration(&mut self.prefix, variable);
        }
    }

    /// The text that can be written already.
    pub fn drain(&mut self) -> String {
        std::mem::take(&mut self.text)
    }

    /// The rest of the text.
    pub fn finish(mut self) -> String {
        if !self.universal_rows.is_empty() {
            self.text.push_str("uncertainty\n");
            self.text.push_str(&self.universal_rows);
        }
        self.text.push_str("prefix\n");
        self.text.push_str(&self.prefix);
        self.text.push_str("end\n");
        self.text
    }
}

pub(in crate::format) fn push_declaration(text: &mut String, variable: &Variable) {
    let Variable {
        name,
        quantifier,
        kind,
        bounds,
    } = variable;
    if variable.is_binary() {
        let _ = writeln!(text, "  {quantifier} binary {name}");
        return;
    }
    let kind = match kind {
        Kind::Integer => "integer",
        Kind::Real => "real",
    };
    let lower = bounds
        .lower
        .as_ref()
        .map_or_else(|| "-inf".to_owned(), spelled);
    let upper = bounds
        .upper
        .as_ref()
        .map_or_else(|| "inf".to_owned(), spelled);
    let _ = writeln!(text, "  {quantifier} {kind} {name} in [{lower}, {upper}]");
}

/// One line with the name and the sum; `0` where nothing is added up.
pub(in crate::format) fn push_objective(
    text: &mut String,
    program: &Program,
    objective: &Objective,
) {
    text.push_str("  ");
    push_label(text, objective.name.as_deref());
    let start = text.len();
    push_terms(text, program, &objective.terms);
    let constant = &objective.constant;
    if text.len() == start {
        text.push_str(&spelled(constant));
    } else if constant.is_positive() {
        let _ = write!(text, " + {}", spelled(constant));
    } else if constant.is_negative() {
        let _ = write!(text, " - {}", spelled(&-constant));
    }
    text.push('\n');
}

/// One line with the name, the sum and its sides.
pub(in crate::format) fn push_row(text: &mut String, program: &Program, row: &Row) {
    text.push_str("  ");
    push_label(text, row.name.as_deref());
    match (&row.lower, &row.upper) {
        (Some(lower), Some(upper)) if lower == upper => {
            push_sum(text, program, &row.terms);
            let _ = writeln!(text, " = {}", spelled(lower));
        }
        (Some(lower), Some(upper)) => {
            // Between rows without variables a leading sign would not show where the row begins.
            let lead = if program.variables().is_empty() {
                "0 + "
            } else {
                ""
            };
            let _ = write!(text, "{lead}{} <= ", spelled(lower));
            push_sum(text, program, &row.terms);
            let _ = writeln!(text, " <= {}", spelled(upper));
        }
        (Some(lower), None) => {
            push_sum(text, program, &row.terms);
            let _ = writeln!(text, " >= {}", spelled(lower));
        }
        (None, Some(upper)) => {
            push_sum(text, program, &row.terms);
            let _ = writeln!(text, " <= {}", spelled(upper));
        }
        (None, None) => {
            push_sum(text, program, &row.terms);
            text.push_str(" >= -inf\n");
        }
    }
}

fn push_label(text: &mut String, name: Option<&str>) {
    if let Some(name) = name {
        text.push_str(name);
        text.push_str(": ");
    }
}

/// The left-hand side of a row. An empty one is a variable times zero, if there is a variable.
fn push_sum(text: &mut String, program: &Program, terms: &[Term]) {
    if !terms.is_empty() {
        push_terms(text, program, terms);
    } else if program.variables().is_empty() {
        text.push('0');
    } else {
        let _ = write!(text, "0 {}", program.variables()[VarId::new(0)].name);
    }
}

fn push_terms(text: &mut String, program: &Program, terms: &[Term]) {
    for (number, (variable, coefficient)) in terms.iter().enumerate() {
        let first = number == 0;
        text.push_str(match (first, coefficient.is_negative()) {
            (true, false) => "",
            (true, true) => "- ",
            (false, false) => " + ",
            (false, true) => " - ",
        });
        push_magnitude(text, coefficient);
        text.push_str(&program.variables()[*variable].name);
    }
}

fn push_magnitude(text: &mut String, coefficient: &Rational) {
    let magnitude = coefficient.abs();
    if !magnitude.is_one() {
        text.push_str(&spelled(&magnitude));
        // A blank keeps `2 e1` apart from twenty.
        text.push(' ');
    }
}
