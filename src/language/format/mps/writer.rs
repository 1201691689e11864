//! Writing MPS: free form, for programs of one existential block.

use std::fmt::Write;

use num_traits::Zero;

use crate::format::lp::{Speller, plain_rows, refuse_opponent};
use crate::format::qlp::WriteError;
use crate::num::Rational;
use crate::program::{Id, Kind, Program, Row, Sense};

/// The program as free MPS, if it has no universal variable and every number has finitely many
/// decimals. Reading it gives the same program; rows without a name get one.
///
/// ```
/// use quip::format::{parse_qip, read_bytes, write_mps};
/// let program = parse_qip(
///     "maximize gain: 2 x + 1/2 y + 3  subject to room: x + y <= 4
///      prefix exists integer x in [0, 3] exists real y in [-1, inf] end",
/// )?;
/// let text = write_mps(&program)?;
/// assert!(text.contains(" x gain 2"));
/// assert_eq!(read_bytes("copy.mps", text.as_bytes())?.program, program);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn write_mps(program: &Program) -> Result<String, WriteError> {
    refuse_opponent(program)?;
    let speller = Speller::new(program, str::to_owned);
    let mut text = String::from("NAME\n");
    let objective = program.objective();
    if objective.is_some_and(|objective| objective.sense == Sense::Maximize) {
        text.push_str("OBJSENSE\n    MAX\n");
    }
    text.push_str("ROWS\n");
    if objective.is_some() {
        let _ = writeln!(text, " N {}", speller.objective());
    }
    let rows = plain_rows(program);
    for (number, row) in rows.iter().enumerate() {
        let _ = writeln!(text, " {} {}", kind(row), speller.row(number));
    }
    push_columns(&mut text, program, &rows, &speller)?;
    push_sides(&mut text, program, &rows, &speller)?;
    push_bounds(&mut text, program, &speller)?;
    text.push_str("ENDATA\n");
    Ok(text)
}

fn kind(row: &Row) -> char {
    match (&row.lower, &row.upper) {
        (Some(lower), Some(upper)) if lower == upper => 'E',
        (Some(_), None) => 'G',
        // A row that does not bind is one that is at most infinity.
        _ => 'L',
    }
}

fn push_columns(
    text: &mut String,
    program: &Program,
    rows: &[&Row],
    speller: &Speller,
) -> Result<(), WriteError> {
    let mut entries = vec![Vec::new(); program.variables().len()];
    for (number, row) in rows.iter().enumerate() {
        for (column, by) in &row.terms {
            entries[column.index()].push((number, by));
        }
    }
    let mut costs = vec![None; program.variables().len()];
    for (column, by) in program.objective().iter().flat_map(|it| &it.terms) {
        costs[column.index()] = Some(by);
    }
    text.push_str("COLUMNS\n");
    let mut integer = false;
    for (place, variable) in program.variables().pairs() {
        if (variable.kind == Kind::Integer) != integer {
            integer = !integer;
            let which = if integer { "INTORG" } else { "INTEND" };
            let _ = writeln!(text, " MARKER 'MARKER' '{which}'");
        }
        let name = speller.column(place);
        let entries = &entries[place.index()];
        // A column that nothing mentions is known by a zero.
        let silent = entries.is_empty() && costs[place.index()].is_none();
        let zero = Rational::zero();
        if let Some(cost) = costs[place.index()].or(silent.then_some(&zero)) {
            let row = match (program.objective().is_some(), rows.is_empty()) {
                (true, _) => speller.objective().to_owned(),
                (false, false) => speller.row(0).to_owned(),
                (false, true) => {
                    return Err(WriteError::NotPlain {
                        reason: "it has neither rows nor an objective".to_owned(),
                    });
                }
            };
            let _ = writeln!(text, " {name} {row} {}", speller.number(cost, &name)?);
        }
        for (row, by) in entries {
            let _ = writeln!(
                text,
                " {name} {} {}",
                speller.row(*row),
                speller.number(by, &name)?
            );
        }
    }
    if integer {
        text.push_str(" MARKER 'MARKER' 'INTEND'\n");
    }
    Ok(())
}

fn push_sides(
    text: &mut String,
    program: &Program,
    rows: &[&Row],
    speller: &Speller,
) -> Result<(), WriteError> {
    text.push_str("RHS\n");
    if let Some(objective) = program.objective()
        && !objective.constant.is_zero()
    {
        let name = speller.objective();
        let value = speller.number(&-&objective.constant, name)?;
        let _ = writeln!(text, " RHS {name} {value}");
    }
    let mut ranges = String::new();
    for (number, row) in rows.iter().enumerate() {
        let name = speller.row(number);
        let side = match row.upper.as_ref().or(row.lower.as_ref()) {
            Some(side) => speller.number(side, name)?,
            None => "1e30".to_owned(),
        };
        if side != "0" {
            let _ = writeln!(text, " RHS {name} {side}");
        }
        if let (Some(lower), Some(upper)) = (&row.lower, &row.upper)
            && lower != upper
        {
            if lower > upper {
                return Err(WriteError::NotPlain {
                    reason: format!("the sides of row `{name}` have crossed"),
                });
            }
            let range = speller.number(&(upper - lower), name)?;
            let _ = writeln!(ranges, " RANGES {name} {range}");
        }
    }
    if !ranges.is_empty() {
        text.push_str("RANGES\n");
        text.push_str(&ranges);
    }
    Ok(())
}

fn push_bounds(text: &mut String, program: &Program, speller: &Speller) -> Result<(), WriteError> {
    text.push_str("BOUNDS\n");
    for (place, variable) in program.variables().pairs() {
        let name = speller.column(place);
        match &variable.bounds.lower {
            Some(lower) => {
                let _ = writeln!(text, " LO BOUND {name} {}", speller.number(lower, &name)?);
            }
            None => {
                let _ = writeln!(text, " MI BOUND {name}");
            }
        }
        if let Some(upper) = &variable.bounds.upper {
            let _ = writeln!(text, " UP BOUND {name} {}", speller.number(upper, &name)?);
        }
    }
    Ok(())
}
