//! Writing Yasol's dialect.

use std::fmt::Write;

use crate::format::qip::{push_objective, push_row};
use crate::format::spell::{is_readable, spelled};
use crate::num::{MAX_DIGITS, Rational};
use crate::program::{Kind, Program, Quantifier, Row, Sense, Variable};

/// Why a program cannot be written.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WriteError {
    /// A number with more digits than a reader takes.
    #[error("{place} has a number of more than {MAX_DIGITS} digits, which no reader takes back")]
    LongNumber {
        /// The variable, row or objective that has it.
        place: String,
    },
    /// A program that a format without quantifiers cannot hold.
    #[error("{reason}")]
    NotPlain {
        /// What is in the way.
        reason: String,
    },
    /// A program that is no quantified Boolean formula in clauses.
    #[error("it is not a quantified Boolean formula in clauses: {reason}")]
    NotClausal {
        /// What is in the way.
        reason: String,
    },
}

/// The program in Yasol's dialect. Reading it gives the same program.
///
/// Ranges, fractions and infinite bounds are written as this crate reads them; Yasol itself knows
/// only one-sided rows and decimal numbers.
///
/// ```
/// use quip::format::{parse_qip, read_bytes, write_qlp};
/// let program = parse_qip("maximize x prefix forall binary y exists integer x in [0, 9] end")?;
/// let text = write_qlp(&program)?;
/// assert!(text.contains("ORDER\n  y x\n"));
/// assert_eq!(read_bytes("copy.qlp", text.as_bytes())?.program, program);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn write_qlp(program: &Program) -> Result<String, WriteError> {
    refuse_long_numbers(program)?;
    let mut text = String::new();
    push_sense(&mut text, program);
    text.push_str("SUBJECT TO\n");
    for row in program.rows() {
        push_row(&mut text, program, row);
    }
    if needs_uncertainty(program) {
        text.push_str("UNCERTAINTY SUBJECT TO\n");
    }
    for row in program.universal_rows() {
        push_row(&mut text, program, row);
    }
    push_bounds(&mut text, program);
    let general = |variable: &Variable| variable.kind == Kind::Integer && !variable.is_binary();
    push_names(&mut text, program, "BINARIES", Variable::is_binary);
    push_names(&mut text, program, "GENERALS", general);
    let owned_by = |owner| move |variable: &Variable| variable.quantifier == owner;
    push_names(&mut text, program, "EXISTS", owned_by(Quantifier::Exists));
    push_names(&mut text, program, "ALL", owned_by(Quantifier::Forall));
    push_names(&mut text, program, "ORDER", |_| true);
    text.push_str("END\n");
    Ok(text)
}

fn push_sense(text: &mut String, program: &Program) {
    let sense = program
        .objective()
        .map_or(Sense::Minimize, |objective| objective.sense);
    text.push_str(match sense {
        Sense::Minimize => "MINIMIZE\n",
        Sense::Maximize => "MAXIMIZE\n",
    });
    // Nothing below the word asks only who wins.
    if let Some(objective) = program.objective() {
        push_objective(text, program, objective);
    }
}

/// An uncertainty section, even an empty one, keeps existential rows called `U_…` what they are.
fn needs_uncertainty(program: &Program) -> bool {
    let looks_universal = |row: &Row| {
        row.name
            .as_deref()
            .is_some_and(|name| name.starts_with("U_"))
    };
    !program.universal_rows().is_empty() || program.rows().iter().any(looks_universal)
}

fn push_bounds(text: &mut String, program: &Program) {
    text.push_str("BOUNDS\n");
    for Variable { name, bounds, .. } in program.variables() {
        let lower = bounds
            .lower
            .as_ref()
            .map_or_else(|| "-inf".to_owned(), spelled);
        let upper = bounds
            .upper
            .as_ref()
            .map_or_else(|| "inf".to_owned(), spelled);
        let _ = writeln!(text, "  {lower} <= {name} <= {upper}");
    }
}

fn push_names(
    text: &mut String,
    program: &Program,
    title: &str,
    belongs: impl Fn(&Variable) -> bool,
) {
    text.push_str(title);
    text.push('\n');
    let names = program
        .variables()
        .iter()
        .filter(|variable| belongs(variable));
    let names: Vec<_> = names.map(|variable| variable.name.as_str()).collect();
    for line in names.chunks(10) {
        let _ = writeln!(text, "  {}", line.join(" "));
    }
}

fn refuse_long_numbers(program: &Program) -> Result<(), WriteError> {
    let refuse = |place: String| Err(WriteError::LongNumber { place });
    for variable in program.variables() {
        let ends = [&variable.bounds.lower, &variable.bounds.upper];
        if !ends.into_iter().flatten().all(is_readable) {
            return refuse(format!("variable `{}`", variable.name));
        }
    }
    for owner in [Quantifier::Exists, Quantifier::Forall] {
        for (id, row) in program.system(owner).pairs() {
            if !row_numbers(row).all(is_readable) {
                return refuse(format!("row {}", program.row_label(owner, id)));
            }
        }
    }
    let objective = program.objective();
    let numbers = objective.into_iter().flat_map(|objective| {
        let coefficients = objective.terms.iter().map(|(_, coefficient)| coefficient);
        coefficients.chain([&objective.constant])
    });
    if numbers.into_iter().all(is_readable) {
        Ok(())
    } else {
        refuse("the objective".to_owned())
    }
}

fn row_numbers(row: &Row) -> impl Iterator<Item = &Rational> {
    let coefficients = row.terms.iter().map(|(_, coefficient)| coefficient);
    coefficients.chain(&row.lower).chain(&row.upper)
}
