//! Writing LP files, for programs of one existential block.

use std::fmt::Write;

use num_traits::{One, Signed, Zero};

use super::spell::{Speller, plain_rows, refuse_opponent};
use crate::format::qlp::WriteError;
use crate::num::Rational;
use crate::program::{Id, Kind, Program, Row, Sense, Term, VarId, Variable};

/// Terms in one line.
const IN_A_LINE: usize = 8;

/// The program as an LP file, if it has no universal variable and every number has finitely many
/// decimals. Reading it gives a program that says the same; rows without a name get one.
///
/// A range becomes two rows, since not every reader of such files takes two relations. Brackets of names are written as parentheses, and read as brackets again.
///
/// ```
/// use quip::format::{parse_qip, read_bytes, write_lp};
/// let program = parse_qip(
///     "maximize gain: 2 x[1] + 1/2 y + 3  subject to room: x[1] + y <= 4
///      prefix exists integer x[1] in [0, 3] exists real y in [-1, inf] end",
/// )?;
/// let text = write_lp(&program)?;
/// assert!(text.contains(" room: x(1) + y <= 4"));
/// assert_eq!(read_bytes("copy.lp", text.as_bytes())?.program, program);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn write_lp(program: &Program) -> Result<String, WriteError> {
    refuse_opponent(program)?;
    let speller = Speller::new(program, spelled);
    let mut text = String::new();
    push_objective(&mut text, program, &speller)?;
    text.push_str("Subject To\n");
    for (number, row) in plain_rows(program).into_iter().enumerate() {
        push_row(&mut text, program, row, number, &speller)?;
    }
    push_bounds(&mut text, program, &speller)?;
    let general = |it: &Variable| it.kind == Kind::Integer && !it.is_binary();
    push_names(&mut text, program, &speller, "Generals", general);
    push_names(
        &mut text,
        program,
        &speller,
        "Binaries",
        Variable::is_binary,
    );
    text.push_str("End\n");
    Ok(text)
}

/// A name that LP files allow: no brackets, nothing that begins like an exponent or is a word of the format.
fn spelled(name: &str) -> String {
    let spell = |character: char| match character {
        '[' => '(',
        ']' => ')',
        other => other,
    };
    let spelled: String = name.chars().map(spell).collect();
    let lower = spelled.to_ascii_lowercase();
    let exponent = lower.strip_prefix('e').is_some_and(|rest| {
        rest.is_empty() || rest.starts_with(|next: char| next.is_ascii_digit() || next == 'e')
    });
    const WORDS: [&str; 14] = [
        "bin", "bound", "gen", "int", "lazy", "maximum", "minimum", "semi", "semis", "sos", "sos1",
        "sos2", "user", "pwlobj",
    ];
    if exponent || WORDS.contains(&&*lower) {
        format!("_{spelled}")
    } else {
        spelled
    }
}

fn push_objective(
    text: &mut String,
    program: &Program,
    speller: &Speller,
) -> Result<(), WriteError> {
    let sense = program.objective().map(|objective| objective.sense);
    text.push_str(match sense {
        Some(Sense::Maximize) => "Maximize\n",
        _ => "Minimize\n",
    });
    let Some(objective) = program.objective() else {
        return Ok(());
    };
    let _ = write!(text, " {}:", speller.objective());
    let mut terms = objective.terms.clone();
    // Variables that nothing mentions are known by a zero.
    let mut used = vec![false; program.variables().len()];
    let rows = program.rows().iter().flat_map(|row| &row.terms);
    rows.chain(&terms)
        .for_each(|(column, _)| used[column.index()] = true);
    let unused = program.variables().ids().filter(|id| !used[id.index()]);
    terms.extend(unused.map(|id| (id, Rational::zero())));
    push_sum(text, &terms, speller)?;
    let constant = &objective.constant;
    if !constant.is_zero() || terms.is_empty() {
        let sign = if constant.is_negative() { '-' } else { '+' };
        let value = speller.number(&constant.abs(), speller.objective())?;
        let _ = write!(text, " {sign} {value}");
    }
    text.push('\n');
    Ok(())
}

fn push_row(
    text: &mut String,
    program: &Program,
    row: &Row,
    number: usize,
    speller: &Speller,
) -> Result<(), WriteError> {
    let name = speller.row(number);
    let side = |side: &Rational| speller.number(side, name);
    let nothing = [(VarId::new(0), Rational::zero())];
    let terms = match (row.terms.is_empty(), program.variables().is_empty()) {
        (false, _) => &row.terms[..],
        (true, false) => &nothing,
        (true, true) => {
            let reason = "it has rows but no variables".to_owned();
            return Err(WriteError::NotPlain { reason });
        }
    };
    let relations = match (&row.lower, &row.upper) {
        (Some(lower), Some(upper)) if lower == upper => vec![format!("= {}", side(lower)?)],
        (None, None) => vec![">= -inf".to_owned()],
        (lower, upper) => {
            let lower = lower.iter().map(|lower| Ok(format!(">= {}", side(lower)?)));
            let upper = upper.iter().map(|upper| Ok(format!("<= {}", side(upper)?)));
            lower.chain(upper).collect::<Result<_, WriteError>>()?
        }
    };
    for (place, relation) in relations.iter().enumerate() {
        let name = if place == 0 {
            name.to_owned()
        } else {
            speller.upper_row(name)
        };
        let _ = write!(text, " {name}:");
        push_sum(text, terms, speller)?;
        let _ = writeln!(text, " {relation}");
    }
    Ok(())
}

fn push_sum(text: &mut String, terms: &[Term], speller: &Speller) -> Result<(), WriteError> {
    for (place, (column, by)) in terms.iter().enumerate() {
        let name = speller.column(*column);
        if place > 0 && place % IN_A_LINE == 0 {
            text.push_str("\n   ");
        }
        match (place, by.is_negative()) {
            (0, false) => text.push(' '),
            (_, true) => text.push_str(" - "),
            (_, false) => text.push_str(" + "),
        }
        let size = by.abs();
        if !size.is_one() {
            let _ = write!(text, "{} ", speller.number(&size, &name)?);
        }
        text.push_str(&name);
    }
    Ok(())
}

fn push_bounds(text: &mut String, program: &Program, speller: &Speller) -> Result<(), WriteError> {
    text.push_str("Bounds\n");
    for (place, variable) in program.variables().pairs() {
        if variable.is_binary() {
            continue;
        }
        let name = speller.column(place);
        let end = |end: &Option<Rational>, infinite: &str| match end {
            Some(end) => speller.number(end, &name),
            None => Ok(infinite.to_owned()),
        };
        let lower = end(&variable.bounds.lower, "-inf")?;
        let upper = end(&variable.bounds.upper, "inf")?;
        let _ = writeln!(text, " {lower} <= {name} <= {upper}");
    }
    Ok(())
}

fn push_names(
    text: &mut String,
    program: &Program,
    speller: &Speller,
    title: &str,
    belongs: impl Fn(&Variable) -> bool,
) {
    let variables = program.variables().pairs();
    let names = variables.filter(|(_, variable)| belongs(variable));
    let names: Vec<String> = names.map(|(place, _)| speller.column(place)).collect();
    if names.is_empty() {
        return;
    }
    let _ = writeln!(text, "{title}");
    for line in names.chunks(IN_A_LINE) {
        let _ = writeln!(text, " {}", line.join(" "));
    }
}
