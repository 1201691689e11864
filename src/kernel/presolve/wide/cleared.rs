//! Rows in integers of any size.

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Signed, ToPrimitive, Zero};

use crate::num::{Rational, int, to_i64};
use crate::program::{Bounds, Id, Objective, Row, Term, VarId, Variable};

/// `lower <= Σ coefficient · variable <= upper` in integers, the coefficients without a common divisor
/// and the sides rounded inward: over integers it says what the row says that it was made from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cleared {
    /// Variable and coefficient.
    pub(super) terms: Vec<(VarId, BigInt)>,
    /// The sum must be at least this.
    pub(super) lower: Option<BigInt>,
    /// The sum must be at most this.
    pub(super) upper: Option<BigInt>,
}

/// Sums up to this are added up in machine integers by every engine and every technique.
const LIMIT: u64 = (i64::MAX / 64) as u64;

/// Coefficients up to this leave multipliers of linear programs enough digits: proofs hold them in units
/// of 2⁻³⁰ in machine integers, beside coefficients of any size in other rows.
const DIGITS: u64 = 36;

/// Rows with coefficients up to this are left as they are.
const LONG: u32 = 1 << 20;

/// The values of an integer variable, if engines take as many.
pub(super) fn domain(variable: &Variable) -> Option<(i64, i64)> {
    let domain = variable.domain();
    let end = |end: Option<Rational>| {
        let end = end?.to_integer().to_i64()?;
        (end.unsigned_abs() <= LIMIT).then_some(end)
    };
    let ends = (end(domain.lower)?, end(domain.upper)?);
    (ends.0 <= ends.1).then_some(ends)
}

/// The bounds of a variable with such values.
pub(super) fn bounds(domain: (i64, i64)) -> Bounds {
    Bounds::between(int(domain.0), int(domain.1))
}

/// Whether a row obviously has nothing to gain: most have small whole numbers.
pub(super) fn is_short(row: &Row, domains: &[(i64, i64)]) -> bool {
    let mut reach = 0_u128;
    let mut short = |(var, by): &Term| {
        let by = to_i64(by).map_or(u64::MAX, i64::unsigned_abs);
        let (lower, upper) = domains[var.index()];
        let most = lower.unsigned_abs().max(upper.unsigned_abs());
        reach += u128::from(by) * u128::from(most);
        by <= u64::from(LONG) && reach <= u128::from(LIMIT)
    };
    let side = |side: &Rational| to_i64(side).is_some_and(|side| side.unsigned_abs() <= LIMIT);
    row.terms.iter().all(&mut short) && row.lower.iter().chain(&row.upper).all(side)
}

impl Cleared {
    /// A row of integer variables, without those that can only be zero.
    pub(super) fn of(row: &Row, domains: &[(i64, i64)]) -> Self {
        let terms = row.terms.iter();
        let terms = terms.filter(|(var, _)| domains[var.index()] != (0, 0));
        let (terms, scale) = cleared(&terms.cloned().collect::<Vec<_>>());
        let side = |side: &Option<Rational>| side.as_ref().map(|side| side * &scale);
        Self {
            lower: side(&row.lower).map(|side| side.ceil().to_integer()),
            upper: side(&row.upper).map(|side| side.floor().to_integer()),
            terms,
        }
    }

    /// Whether the coefficients have so many digits that a shorter row is worth looking for.
    pub(super) fn is_long(&self, domains: &[(i64, i64)]) -> bool {
        let long = BigInt::from(LONG);
        let mut terms = self.terms.iter();
        terms.any(|(_, by)| by.magnitude() > long.magnitude()) || !self.fits(domains)
    }

    /// Whether machine integers hold the sides and every sum over the domains.
    pub(super) fn fits(&self, domains: &[(i64, i64)]) -> bool {
        let limit = BigInt::from(LIMIT);
        let small = |number: &BigInt| number.magnitude() <= limit.magnitude();
        small(&self.reach(domains)) && self.lower.iter().chain(&self.upper).all(small)
    }

    /// Whether they do, and no coefficient has so many digits that proofs are lost.
    pub(super) fn fits_well(&self, domains: &[(i64, i64)]) -> bool {
        self.terms.iter().all(|(_, by)| by.bits() <= DIGITS) && self.fits(domains)
    }

    /// What no sum over the domains exceeds, in whatever order it is added up.
    pub(super) fn reach(&self, domains: &[(i64, i64)]) -> BigInt {
        let far = |(var, by): &(VarId, BigInt)| {
            let (lower, upper) = domains[var.index()];
            by.abs() * lower.unsigned_abs().max(upper.unsigned_abs())
        };
        self.terms.iter().map(far).sum()
    }

    /// The least and the greatest sum over the domains.
    pub(super) fn range(&self, domains: &[(i64, i64)]) -> (BigInt, BigInt) {
        let mut range = (BigInt::zero(), BigInt::zero());
        for (var, by) in &self.terms {
            let (lower, upper) = domains[var.index()];
            let ends = if by.is_negative() {
                (upper, lower)
            } else {
                (lower, upper)
            };
            range.0 += by * ends.0;
            range.1 += by * ends.1;
        }
        range
    }

    /// The row without sides that cannot fail, an inequality for each side unless it is an equation.
    pub(super) fn tidied(mut self, domains: &[(i64, i64)]) -> Vec<Self> {
        let (least, most) = self.range(domains);
        self.upper.take_if(|upper| *upper >= most);
        self.lower.take_if(|lower| *lower <= least);
        let fails = self.upper.as_ref().is_some_and(|upper| *upper < least)
            || self.lower.as_ref().is_some_and(|lower| *lower > most)
            || matches!((&self.lower, &self.upper), (Some(lower), Some(upper)) if lower > upper);
        if fails {
            // No point satisfies it.
            return vec![Self {
                terms: Vec::new(),
                lower: None,
                upper: Some(-BigInt::one()),
            }];
        }
        match (&self.lower, &self.upper) {
            (None, None) => Vec::new(),
            (Some(lower), Some(upper)) if lower != upper => {
                let upper_side = Self {
                    lower: None,
                    ..self.clone()
                };
                vec![
                    upper_side,
                    Self {
                        upper: None,
                        ..self
                    },
                ]
            }
            _ => vec![self],
        }
    }

    /// The row as a program has it.
    pub(super) fn to_row(&self, name: Option<String>) -> Row {
        let number = |number: &BigInt| Rational::from_integer(number.clone());
        Row {
            name,
            terms: self
                .terms
                .iter()
                .map(|(var, by)| (*var, number(by)))
                .collect(),
            lower: self.lower.as_ref().map(number),
            upper: self.upper.as_ref().map(number),
        }
    }

    /// Exchanges the sides.
    pub(super) fn negated(self) -> Self {
        Self {
            terms: self.terms.into_iter().map(|(var, by)| (var, -by)).collect(),
            lower: self.upper.map(|side| -side),
            upper: self.lower.map(|side| -side),
        }
    }
}

/// Whether the objective is added up in machine integers by every engine, and has few enough digits for
/// proofs by linear programs.
pub fn objective_fits(objective: &Objective, variables: &[Variable]) -> bool {
    let domains: Option<Vec<_>> = variables.iter().map(domain).collect();
    domains.is_some_and(|domains| cleared_costs(objective).0.fits_well(&domains))
}

/// Whether the objective is added up in machine integers, however many digits that takes.
pub fn objective_sums_fit(objective: &Objective, variables: &[Variable]) -> bool {
    let domains: Option<Vec<_>> = variables.iter().map(domain).collect();
    domains.is_some_and(|domains| cleared_costs(objective).0.fits(&domains))
}

/// The terms of an objective as a row without sides, and what they were multiplied by.
pub fn cleared_costs(objective: &Objective) -> (Cleared, Rational) {
    let (terms, scale) = cleared(&objective.terms);
    let row = Cleared {
        terms,
        lower: None,
        upper: None,
    };
    (row, scale)
}

impl Cleared {
    /// The terms with their lowest binary digits rounded away, so that sums have no more than so many
    /// digits, times what they were divided by; and the least and the greatest that this leaves out
    /// over the domains of the variables.
    pub fn rounded(
        &self,
        digits: u64,
        variables: &[Variable],
    ) -> Option<(Vec<Term>, BigInt, BigInt)> {
        let domains: Vec<_> = variables.iter().map(domain).collect::<Option<_>>()?;
        let (mut high, low, base) = super::carry::digits(self, digits, &domains);
        let (least, most) = low.range(&domains);
        high.terms.iter_mut().for_each(|(_, by)| *by *= &base);
        let terms = high.to_row(None).terms;
        Some((terms, least, most))
    }
}

/// Integers without a common divisor in the ratio of the coefficients, and what these were multiplied
/// by.
fn cleared(terms: &[Term]) -> (Vec<(VarId, BigInt)>, Rational) {
    let denominators = terms.iter().map(|(_, by)| by.denom());
    let denominator = denominators.fold(BigInt::one(), |lcm, it| lcm.lcm(it));
    let whole = |by: &Rational| by.numer() * (&denominator / by.denom());
    let numbers: Vec<_> = terms.iter().map(|(var, by)| (*var, whole(by))).collect();
    let divisor = numbers
        .iter()
        .fold(BigInt::zero(), |gcd, (_, by)| gcd.gcd(by));
    let divisor = if divisor.is_zero() {
        BigInt::one()
    } else {
        divisor
    };
    let terms = numbers.into_iter().map(|(var, by)| (var, by / &divisor));
    (terms.collect(), Rational::new(denominator, divisor))
}
