//! The last step from a file without quantifiers to a program: order, bounds, last checks.

use std::ops::Range;

use super::bounds::derive;
use super::{Arrangement, Plain};
use crate::format::code::Code;
use crate::format::diagnostic::{Draft, Problems};
use crate::format::spell::is_readable;
use crate::format::text::shortened;
use crate::num::{Digits, MAX_DIGITS};
use crate::program::{Id, Kind, Program, ProgramData, Quantifier, Row, Term, VarId, Variable};

/// The program, unless something is wrong with it. `remedy` says how the format writes bounds, with
/// `{}` for the name.
pub(in crate::format) fn program(
    mut plain: Plain,
    arrangement: &Arrangement,
    remedy: &str,
    problems: &mut Problems,
) -> Option<Program> {
    let needy = needy(&plain, arrangement);
    let derived = derive(&mut plain, arrangement, &needy);
    say_derived(&plain, &derived, problems);
    refuse_infinite(&plain, &needy, remedy, problems);
    warn_empty(&plain, problems);
    refuse_long_numbers(&plain, problems);
    if problems.has_errors() {
        return None;
    }
    match Program::new(data(plain, arrangement)) {
        Ok(program) => Some(program),
        Err(faults) => {
            for fault in faults {
                problems.push(Draft::new(Code::DeclaredTwice, fault.to_string()).at(0..0, ""));
            }
            None
        }
    }
}

/// Columns that may not stay unbounded: all but the reals of the last existential block.
fn needy(plain: &Plain, arrangement: &Arrangement) -> Vec<bool> {
    let owner_is = |wanted: Quantifier| move |(_, owner): &&(usize, Quantifier)| *owner == wanted;
    let order = &arrangement.order;
    let tail = order.iter().rev().skip_while(owner_is(Quantifier::Forall));
    let last_block = tail.take_while(owner_is(Quantifier::Exists));
    let mut needy = vec![true; plain.columns.len()];
    for (column, _) in last_block {
        needy[*column] = plain.columns[*column].kind == Kind::Integer;
    }
    needy
}

fn say_derived(plain: &Plain, derived: &[usize], problems: &mut Problems) {
    let Some(first) = derived.first() else {
        return;
    };
    let column = &plain.columns[*first];
    let end = |end: &Option<_>| {
        end.as_ref()
            .map_or_else(String::new, |it| Digits::Rounded.write(it))
    };
    let more = match derived.len() - 1 {
        0 => String::new(),
        more => format!(", and {more} more variables were bounded"),
    };
    let message = format!(
        "`{}` is bounded by [{}, {}]{more}",
        shortened(&column.name),
        end(&column.bounds.lower),
        end(&column.bounds.upper),
    );
    let draft = Draft::new(Code::DerivedBounds, message).at(column.span.clone(), "no bounds here");
    problems.push(draft.help(
        "the rows, or rows and objective, leave nothing beyond; bounds of your own may solve faster",
    ));
}

fn refuse_infinite(plain: &Plain, needy: &[bool], remedy: &str, problems: &mut Problems) {
    for (column, needs) in plain.columns.iter().zip(needy) {
        if *needs && !column.bounds.is_finite() {
            let name = shortened(&column.name);
            let which = match (&column.bounds.lower, &column.bounds.upper) {
                (Some(_), None) => "an upper bound",
                (None, Some(_)) => "a lower bound",
                _ => "bounds",
            };
            let message = format!(
                "variable `{name}` needs {which}: only a real variable of the last existential \
                 block may be unbounded, and the rows imply no bound"
            );
            let draft = Draft::new(Code::InfiniteBound, message).at(column.span.clone(), "");
            problems.push(draft.help(remedy.replace("{}", &name)));
        }
    }
}

fn warn_empty(plain: &Plain, problems: &mut Problems) {
    for column in &plain.columns {
        let domain = match column.kind {
            Kind::Integer => column.bounds.rounded_inward(),
            Kind::Real => column.bounds.clone(),
        };
        if domain.is_crossed() {
            let message = format!("`{}` has no value to take", shortened(&column.name));
            let draft = Draft::new(Code::EmptyDomain, message);
            let draft = draft.at(column.span.clone(), "no value between its bounds");
            problems.push(draft.help("the system of its owner is dead before the first move"));
        }
    }
    for (row, span) in &plain.rows {
        if let (Some(lower), Some(upper)) = (&row.lower, &row.upper)
            && lower > upper
        {
            let message = format!("nothing lies between {lower} and {upper}");
            let draft = Draft::new(Code::CrossedRow, message);
            problems.push(draft.at(span.clone(), "this row cannot hold"));
        }
    }
}

fn refuse_long_numbers(plain: &Plain, problems: &mut Problems) {
    let mut refuse = |span: &Range<usize>| {
        let message = format!("numbers add up to one of more than {MAX_DIGITS} digits");
        let draft = Draft::new(Code::HugeNumber, message).at(span.clone(), "in this sum");
        problems.push(draft.help("round them"));
    };
    for (row, span) in &plain.rows {
        let coefficients = row.terms.iter().map(|(_, coefficient)| coefficient);
        if !coefficients
            .chain(&row.lower)
            .chain(&row.upper)
            .all(is_readable)
        {
            refuse(span);
        }
    }
    let objective = plain.objective.iter();
    let mut numbers = objective.flat_map(|objective| {
        let coefficients = objective.terms.iter().map(|(_, coefficient)| coefficient);
        coefficients.chain([&objective.constant])
    });
    if !numbers.all(is_readable) {
        refuse(&(0..0));
    }
}

fn data(plain: Plain, arrangement: &Arrangement) -> ProgramData {
    let mut places = vec![VarId::new(0); plain.columns.len()];
    for (place, (column, _)) in arrangement.order.iter().enumerate() {
        places[*column] = VarId::new(place);
    }
    let placed = |terms: &mut Vec<Term>| {
        for (column, _) in terms {
            *column = places[column.index()];
        }
    };
    let variables = arrangement.order.iter().map(|&(column, quantifier)| {
        let column = &plain.columns[column];
        Variable {
            name: column.name.clone(),
            quantifier,
            kind: column.kind,
            bounds: column.bounds.clone(),
        }
    });
    let mut data = ProgramData {
        variables: variables.collect(),
        objective: plain.objective,
        ..ProgramData::default()
    };
    if let Some(objective) = &mut data.objective {
        placed(&mut objective.terms);
    }
    let rows = plain.rows.into_iter().zip(&arrangement.universal_rows);
    for ((mut row, _), universal) in rows {
        placed(&mut row.terms);
        let system: &mut Vec<Row> = if *universal {
            &mut data.universal_rows
        } else {
            &mut data.rows
        };
        system.push(row);
    }
    data
}
