//! What looks like a mistake in a program that is formally right.

use std::fmt;

use num_traits::{Signed, Zero};
use quip::num::{Digits, Rational, int, rounded_from};
use quip::program::{Id, Program, Quantifier, Reread, Row, RowId, VarId, Variable};
use rustc_hash::FxHashMap;

use super::facts::extremes;
use super::reading::spelled;

/// Coefficients of one row that differ by more than this factor are worth a second look.
const HUGE_SPREAD: i64 = 1_000_000;

/// One remark.
#[derive(Debug, PartialEq, Eq)]
pub enum Lint {
    EmptyDomain(String),
    Unused(String),
    Duplicate {
        row: String,
        of: String,
    },
    AlwaysTrue(String),
    NeverTrue(String),
    OpponentsRow(String),
    HugeSpread {
        row: String,
        factor: Rational,
    },
    TooLarge(String),
    /// How many numbers look like simple fractions that were rounded, and the first of them.
    Rounded {
        count: usize,
        first: Reread,
    },
}

impl Lint {
    /// A mark that stays.
    pub fn code(&self) -> &'static str {
        match self {
            Self::EmptyDomain(_) => "L001",
            Self::Unused(_) => "L002",
            Self::Duplicate { .. } => "L003",
            Self::AlwaysTrue(_) => "L004",
            Self::NeverTrue(_) => "L005",
            Self::HugeSpread { .. } => "L006",
            Self::TooLarge(_) => "L007",
            Self::OpponentsRow(_) => "L008",
            Self::Rounded { .. } => "L009",
        }
    }
}

impl Lint {
    /// The variable (`false`) or row (`true`) that it speaks of, if that has a name.
    pub fn subject(&self) -> Option<(&str, bool)> {
        match self {
            Self::EmptyDomain(name) | Self::Unused(name) => Some((name, false)),
            Self::AlwaysTrue(row)
            | Self::NeverTrue(row)
            | Self::OpponentsRow(row)
            | Self::TooLarge(row)
            | Self::Duplicate { row, .. }
            | Self::HugeSpread { row, .. } => {
                let name = row.strip_prefix('`')?.strip_suffix('`')?;
                Some((name, true))
            }
            Self::Rounded { .. } => None,
        }
    }
}

impl fmt::Display for Lint {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::EmptyDomain(name) => {
                write!(
                    out,
                    "variable `{name}` has no value to take: its owner loses"
                )
            }
            Self::Unused(name) => write!(out, "variable `{name}` is in no row and no objective"),
            Self::Duplicate { row, of } => write!(out, "row {row} says the same as row {of}"),
            Self::AlwaysTrue(row) => write!(out, "row {row} holds whatever is played"),
            Self::NeverTrue(row) => write!(out, "row {row} cannot hold whatever is played"),
            Self::OpponentsRow(row) => write!(
                out,
                "row {row} has variables of the opponent only: it wins by breaking it; \
                 did you mean `uncertainty`?"
            ),
            Self::HugeSpread { row, factor } => write!(
                out,
                "the coefficients of row {row} differ by a factor of {}",
                Digits::Rounded.write(factor)
            ),
            Self::Rounded { count, first } => {
                let (number, simple, place) = (spelled(&first.from), &first.to, &first.place);
                let more = match count - 1 {
                    0 => String::new(),
                    1 => ", and one more number does".to_owned(),
                    more => format!(", and {more} more numbers do"),
                };
                let distance = distance(first);
                write!(
                    out,
                    "{number} looks like {simple}, rounded ({place}{more}); rows are taken exactly: \
                     --rationalize {distance} reads it as {simple}"
                )
            }
            Self::TooLarge(row) => write!(
                out,
                "row {row} does not fit 64-bit integers once its fractions are cleared"
            ),
        }
    }
}

/// Every remark, variables first.
pub fn lints(program: &Program) -> Vec<Lint> {
    let mut found = Vec::new();
    variable_lints(program, &mut found);
    found.extend(rounded(program));
    for owner in [Quantifier::Exists, Quantifier::Forall] {
        let mut seen = FxHashMap::default();
        for (id, row) in program.system(owner).pairs() {
            row_lints(program, owner, id, row, &mut found);
            let label = || program.row_label(owner, id);
            let first = *seen.entry(shape(row)).or_insert(id);
            if first != id {
                found.push(Lint::Duplicate {
                    row: label(),
                    of: program.row_label(owner, first),
                });
            }
        }
    }
    found
}

/// Rows of the existential player that the opponent decides alone; nothing else looks so much like
/// a rule of the opponent in the wrong place.
pub fn opponents_rows(program: &Program) -> Vec<Lint> {
    let rows = program.rows().pairs();
    let misplaced = rows.filter(|(_, row)| {
        is_opponents(program, Quantifier::Exists, row)
            && verdict(row, |var| &program.variables()[var]).is_none()
    });
    misplaced
        .map(|(id, _)| Lint::OpponentsRow(program.row_label(Quantifier::Exists, id)))
        .collect()
}

/// Numbers that look like simple fractions with some digits cut off.
fn rounded(program: &Program) -> Option<Lint> {
    let (_, found) = program.reread(|number| rounded_from(number).unwrap_or(number.clone()));
    Some(Lint::Rounded {
        count: found.iter().map(|it| it.times).sum(),
        first: found.into_iter().next()?,
    })
}

/// The least power of ten within which a number is read as it looks, and none below 1e-12.
fn distance(reread: &Reread) -> String {
    let size = reread.from.abs().min(int(1));
    let apart = (&reread.from - &reread.to).abs() / size;
    let fits = |power: &i32| apart <= int(10).pow(-power);
    let power = (1..=12).rev().find(fits);
    format!("1e-{}", power.unwrap_or(1))
}

fn is_opponents(program: &Program, owner: Quantifier, row: &Row) -> bool {
    let of_opponent =
        |(var, _): &(VarId, Rational)| program.variables()[*var].quantifier == Quantifier::Forall;
    owner == Quantifier::Exists && !row.terms.is_empty() && row.terms.iter().all(of_opponent)
}

fn variable_lints(program: &Program, found: &mut Vec<Lint>) {
    let mut used = vec![false; program.variables().len()];
    let rows = program.rows().iter().chain(program.universal_rows());
    let objective = program.objective().into_iter();
    let terms = rows
        .flat_map(|row| &row.terms)
        .chain(objective.flat_map(|objective| &objective.terms));
    for (var, _) in terms {
        used[var.index()] = true;
    }
    for (var, variable) in program.variables().pairs() {
        if variable.has_empty_domain() {
            found.push(Lint::EmptyDomain(variable.name.clone()));
        }
        if !used[var.index()] {
            found.push(Lint::Unused(variable.name.clone()));
        }
    }
}

fn row_lints(program: &Program, owner: Quantifier, id: RowId, row: &Row, found: &mut Vec<Lint>) {
    let label = || program.row_label(owner, id);
    match verdict(row, |var| &program.variables()[var]) {
        Some(true) => found.push(Lint::AlwaysTrue(label())),
        Some(false) => found.push(Lint::NeverTrue(label())),
        None if is_opponents(program, owner, row) => found.push(Lint::OpponentsRow(label())),
        None => {}
    }
    let sizes = row.terms.iter().map(|(_, coefficient)| coefficient.abs());
    if let Some((least, most)) = extremes(sizes) {
        let factor = most / least;
        if factor > int(HUGE_SPREAD) {
            let row = label();
            found.push(Lint::HugeSpread { row, factor });
        }
    }
    if program.scaled_row(owner, id).is_err() {
        found.push(Lint::TooLarge(label()));
    }
}

/// Whether the bounds alone show that a row cannot hold.
pub fn never_holds(program: &Program, row: &Row) -> bool {
    verdict(row, |var| &program.variables()[var]) == Some(false)
}

/// Whether the bounds alone decide the row.
fn verdict<'a>(row: &Row, variable: impl Fn(VarId) -> &'a Variable) -> Option<bool> {
    let (least, most) = reach(row, variable);
    let above = |side: &Rational| most.as_ref().is_some_and(|most| most < side);
    let below = |side: &Rational| least.as_ref().is_some_and(|least| least > side);
    if row.lower.as_ref().is_some_and(above) || row.upper.as_ref().is_some_and(below) {
        return Some(false);
    }
    let keeps_lower = |side: &Rational| least.as_ref().is_some_and(|least| least >= side);
    let keeps_upper = |side: &Rational| most.as_ref().is_some_and(|most| most <= side);
    let always =
        row.lower.as_ref().is_none_or(keeps_lower) && row.upper.as_ref().is_none_or(keeps_upper);
    always.then_some(true)
}

/// The least and the greatest sum over the bounds; `None` is infinite.
fn reach<'a>(
    row: &Row,
    variable: impl Fn(VarId) -> &'a Variable,
) -> (Option<Rational>, Option<Rational>) {
    let mut sums = (Some(Rational::zero()), Some(Rational::zero()));
    for (var, coefficient) in &row.terms {
        let domain = variable(*var).domain();
        let (low, high) = if coefficient.is_positive() {
            (domain.lower, domain.upper)
        } else {
            (domain.upper, domain.lower)
        };
        let add = |sum: Option<Rational>, end: Option<Rational>| Some(sum? + end? * coefficient);
        sums = (add(sums.0, low), add(sums.1, high));
    }
    sums
}

type Shape = (Vec<(usize, Rational)>, Option<Rational>, Option<Rational>);

/// The row with leading coefficient 1: the same for rows that say the same.
fn shape(row: &Row) -> Shape {
    let Some((_, lead)) = row.terms.first() else {
        return (Vec::new(), row.lower.clone(), row.upper.clone());
    };
    let divided = |side: &Option<Rational>| side.as_ref().map(|side| side / lead);
    let terms = row.terms.iter();
    let terms = terms.map(|(var, coefficient)| (var.index(), coefficient / lead));
    let (lower, upper) = (divided(&row.lower), divided(&row.upper));
    if lead.is_positive() {
        (terms.collect(), lower, upper)
    } else {
        (terms.collect(), upper, lower)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use quip::format::parse_qip;

    fn found(text: &str) -> Vec<String> {
        let program = parse_qip(text).unwrap();
        lints(&program).iter().map(Lint::to_string).collect()
    }

    #[test]
    fn a_sound_model_has_no_lints() {
        let sound = "minimize x subject to x >= y \
                     prefix forall integer y in [0, 2] exists integer x in [0, 5] end";
        assert_eq!(found(sound), Vec::<String>::new());
    }

    #[test]
    fn variables_without_values_or_uses_are_named() {
        let said = found("prefix exists integer a in [1/3, 2/3] exists binary b end");
        assert_eq!(
            said,
            [
                "variable `a` has no value to take: its owner loses",
                "variable `a` is in no row and no objective",
                "variable `b` is in no row and no objective",
            ]
        );
    }

    #[test]
    fn rows_that_the_bounds_decide_are_named() {
        let said = found(
            "subject to easy: a + b >= 0
             hopeless: a + b >= 3
             open: a - b >= 0
             prefix exists binary a b end",
        );
        assert_eq!(
            said,
            [
                "row `easy` holds whatever is played",
                "row `hopeless` cannot hold whatever is played",
            ]
        );
    }

    #[test]
    fn a_rule_of_the_opponent_among_the_own_rows_is_noticed() {
        let text = |section: &str| {
            format!(
                "minimize x subject to serve: x >= a + b
                 {section}
                 budget: a + b <= 1
                 prefix forall binary a b exists integer x in [0, 5] end"
            )
        };
        let expected = "row `budget` has variables of the opponent only: it wins by breaking it; \
                        did you mean `uncertainty`?";
        assert_eq!(found(&text("")), [expected]);
        assert_eq!(found(&text("uncertainty")), Vec::<String>::new());
        let program = parse_qip(&text("")).unwrap();
        assert_eq!(opponents_rows(&program)[0].to_string(), expected);
    }

    #[test]
    fn rows_that_say_the_same_are_found_across_scale_and_sign() {
        let said = found(
            "subject to one: a - 2 b <= 0
             two: 4 b - 2 a >= 0
             three: a - 2 b >= 0
             prefix exists integer a b in [-5, 5] end",
        );
        assert_eq!(said, ["row `two` says the same as row `one`"]);
    }

    #[test]
    fn a_rule_of_the_opponent_in_the_wrong_section_is_noticed() {
        let said = found(
            "subject to budget: u + v <= 1
             cover: x >= u + v
             prefix forall binary u v exists integer x in [0, 2] end",
        );
        assert_eq!(said.len(), 1);
        assert!(said[0].starts_with("row `budget` has variables of the opponent only"));
    }

    #[test]
    fn large_numbers_are_noticed() {
        let said = found(
            "subject to wide: 10000000 a + b >= 1
             long: 1e30 a + b >= 1
             prefix exists binary a b end",
        );
        assert_eq!(
            said[0],
            "the coefficients of row `wide` differ by a factor of 10000000"
        );
        assert!(said.contains(
            &"row `long` does not fit 64-bit integers once its fractions are cleared".to_owned()
        ));
    }
}
