//! What MPS and LP files can say of a program, and how: names, decimals, no opponent.

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Zero};
use rustc_hash::FxHashSet;

use crate::format::qlp::WriteError;
use crate::num::{MAX_EXPONENT, Rational};
use crate::program::{Id, Program, Quantifier, Row, VarId};

/// The names under which a program is written.
pub(in crate::format) struct Speller {
    columns: Vec<String>,
    rows: Vec<String>,
    objective: String,
}

/// The existential rows in their order.
pub(in crate::format) fn plain_rows(program: &Program) -> Vec<&Row> {
    program.rows().iter().collect()
}

/// A file without quantifiers cannot hold an opponent.
pub(in crate::format) fn refuse_opponent(program: &Program) -> Result<(), WriteError> {
    let mut variables = program.variables().iter();
    let reason = match variables.find(|it| it.quantifier == Quantifier::Forall) {
        Some(variable) => format!("`{}` is a universal variable", variable.name),
        None if !program.universal_rows().is_empty() => "it has universal rows".to_owned(),
        None => return Ok(()),
    };
    let reason = format!(
        "{reason}, and the format has no quantifiers; `quip convert --equivalent` writes all plays \
         as one program"
    );
    Err(WriteError::NotPlain { reason })
}

impl Speller {
    /// Names as `spell` allows them, different where they were different. Rows without a name are
    /// called `r1`, `r2`, ….
    pub fn new(program: &Program, spell: impl Fn(&str) -> String) -> Self {
        let mut taken = FxHashSet::default();
        let mut unique = |name: String| {
            let mut new = name.clone();
            let mut number = 2_usize;
            while !taken.insert(new.clone()) {
                new = format!("{name}_{number}");
                number += 1;
            }
            new
        };
        let variables = program.variables().iter();
        let columns = variables.map(|variable| unique(spell(&variable.name)));
        let columns = columns.collect();
        let mut taken = FxHashSet::default();
        let named = program.rows().iter().filter_map(|row| row.name.as_deref());
        let mut kept: FxHashSet<String> = named.map(&spell).collect();
        let objective = program.objective().and_then(|it| it.name.as_deref());
        let mut objective = spell(objective.unwrap_or("obj"));
        while kept.contains(&objective) {
            objective.push('_');
        }
        kept.insert(objective.clone());
        let row = |(number, row): (usize, &Row)| {
            let mut name = match &row.name {
                Some(name) => spell(name),
                None => format!("r{}", number + 1),
            };
            while taken.contains(&name) || (row.name.is_none() && kept.contains(&name)) {
                name.push('_');
            }
            taken.insert(name.clone());
            name
        };
        Self {
            columns,
            rows: program.rows().iter().enumerate().map(row).collect(),
            objective,
        }
    }

    pub fn column(&self, column: VarId) -> String {
        self.columns[column.index()].clone()
    }

    pub fn row(&self, row: usize) -> &str {
        &self.rows[row]
    }

    /// A name for the second row of a range.
    pub fn upper_row(&self, name: &str) -> String {
        let mut upper = format!("{name}_upper");
        while self.rows.contains(&upper) {
            upper.push('_');
        }
        upper
    }

    pub fn objective(&self) -> &str {
        &self.objective
    }

    /// The number with all its decimals.
    pub fn number(&self, value: &Rational, place: &str) -> Result<String, WriteError> {
        decimal(value).ok_or_else(|| WriteError::NotPlain {
            reason: format!("`{place}` has {value}, which no decimal number spells"),
        })
    }
}

/// `2.5`, `-3`, `1e-30`; `None` if the decimals never end or are too many.
fn decimal(value: &Rational) -> Option<String> {
    if value.denom().is_one() {
        let plain = value.to_string();
        return (plain.len() < 18)
            .then_some(plain)
            .or_else(|| scientific(value.numer(), 0));
    }
    let (mut rest, ten) = (value.denom().clone(), BigInt::from(10));
    let (mut twos, mut fives) = (0, 0);
    for (factor, count) in [(2, &mut twos), (5, &mut fives)] {
        let factor = BigInt::from(factor);
        while rest.is_multiple_of(&factor) && *count <= MAX_EXPONENT {
            rest /= &factor;
            *count += 1;
        }
    }
    let places = twos.max(fives);
    if !rest.is_one() || places > MAX_EXPONENT {
        return None;
    }
    let mantissa = value * Rational::from_integer(ten.pow(places as u32));
    if places > 12 {
        return scientific(mantissa.numer(), -places);
    }
    let digits = mantissa.numer().magnitude().to_string();
    let digits = format!("{digits:0>width$}", width = places as usize + 1);
    let (whole, part) = digits.split_at(digits.len() - places as usize);
    let sign = if value < &Rational::zero() { "-" } else { "" };
    Some(format!("{sign}{whole}.{part}"))
}

fn scientific(mantissa: &BigInt, exponent: i64) -> Option<String> {
    let (mut mantissa, mut exponent, ten) = (mantissa.clone(), exponent, BigInt::from(10));
    while !mantissa.is_zero() && mantissa.is_multiple_of(&ten) && exponent < MAX_EXPONENT {
        mantissa /= &ten;
        exponent += 1;
    }
    let digits = mantissa.to_string();
    let fits = digits.len() <= crate::num::MAX_DIGITS;
    match exponent {
        0 => fits.then_some(digits),
        _ => fits.then(|| format!("{digits}e{exponent}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::num::{int, parse_rational, ratio};

    #[test]
    fn decimals_say_exactly_what_they_stand_for() {
        for (value, expected) in [
            (ratio(-1, 8), "-0.125"),
            (ratio(5, 2), "2.5"),
            (int(-7), "-7"),
            (int(10).pow(30), "1e30"),
            (ratio(1, 1 << 40), "9094947017729282379150390625e-40"),
        ] {
            let spelled = decimal(&value).unwrap();
            assert_eq!(spelled, expected);
            assert_eq!(parse_rational(&spelled), Ok(value));
        }
        assert_eq!(decimal(&ratio(1, 3)), None);
    }
}
