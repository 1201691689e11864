//! Rows as coprime machine integers, for everything that runs in a loop.

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Signed, ToPrimitive, Zero};

use super::{Id, Kind, Program, Quantifier, Row, RowId, VarId, Variable};
use crate::num::{Rational, to_i64};

/// `lower <= Σ coefficient · variable <= upper` in integers without a common divisor.
///
/// **Invariant:** `scale` is positive, and the row is `scale` times the row it was made from. The
/// activity of its integer variables, added up in any order over their domains, fits an `i128`.
/// Coefficients and sides may be negated: none is `i64::MIN`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScaledRow {
    /// Sorted by variable, no zeros.
    pub terms: Vec<(VarId, i64)>,
    /// The sum must be at least this.
    pub lower: Option<i64>,
    /// The sum must be at most this.
    pub upper: Option<i64>,
    /// What the original row was multiplied by.
    pub scale: Rational,
}

/// Numbers that do not fit machine integers.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ScalingError {
    /// Those of a row.
    #[error(
        "row {row} has numbers that do not fit 64-bit integers once its fractions are cleared; \
         round or rescale its coefficients"
    )]
    Row {
        /// The row, as [`Program::row_label`] calls it.
        row: String,
    },
    /// The ends of a domain.
    #[error("the domain of variable `{variable}` does not fit 64-bit integers; make it smaller")]
    Domain {
        /// The variable's name.
        variable: String,
    },
}

impl Program {
    /// Every row of a system in coprime integers, or the first row that does not fit.
    ///
    /// ```
    /// use quip::program::{Program, ProgramData, Quantifier};
    /// let empty = Program::new(ProgramData::default())?;
    /// assert_eq!(empty.scaled_system(Quantifier::Exists), Ok(Vec::new()));
    /// # Ok::<(), Vec<quip::program::ProgramError>>(())
    /// ```
    pub fn scaled_system(&self, owner: Quantifier) -> Result<Vec<ScaledRow>, ScalingError> {
        let rows = self.system(owner).ids();
        rows.map(|row| self.scaled_row(owner, row)).collect()
    }

    /// One row of a system in coprime integers.
    pub fn scaled_row(&self, owner: Quantifier, row: RowId) -> Result<ScaledRow, ScalingError> {
        let scaled = scaled_row(&self.system(owner)[row], self.variables().as_slice());
        scaled.ok_or_else(|| ScalingError::Row {
            row: self.row_label(owner, row),
        })
    }
}

fn scaled_row(row: &Row, variables: &[Variable]) -> Option<ScaledRow> {
    let scaled = whole_row(row).or_else(|| cleared_row(row))?;
    activity_fits(&scaled, variables).then_some(scaled)
}

/// A row of machine integers, as most are, without their common divisor.
fn whole_row(row: &Row) -> Option<ScaledRow> {
    let coefficients = row.terms.iter().map(|(_, coefficient)| coefficient);
    let mut numbers = coefficients.chain(&row.lower).chain(&row.upper);
    let divisor = numbers.try_fold(0_u64, |gcd, number| {
        Some(gcd.gcd(&to_i64(number)?.unsigned_abs()))
    })?;
    let divisor = i64::try_from(divisor.max(1)).ok()?;
    let integer = |number: &Rational| to_i64(number).map(|number| number / divisor);
    scaled_by(row, integer, Rational::new(One::one(), divisor.into()))
}

/// Any row, in numbers of any size.
fn cleared_row(row: &Row) -> Option<ScaledRow> {
    let numbers = || {
        let coefficients = row.terms.iter().map(|(_, coefficient)| coefficient);
        coefficients.chain(&row.lower).chain(&row.upper)
    };
    let denominator = numbers().fold(BigInt::one(), |lcm, number| lcm.lcm(number.denom()));
    let cleared = |number: &Rational| number.numer() * (&denominator / number.denom());
    let divisor = numbers().fold(BigInt::zero(), |gcd, number| gcd.gcd(&cleared(number)));
    let divisor = if divisor.is_zero() {
        BigInt::one()
    } else {
        divisor
    };
    let integer = |number: &Rational| (cleared(number) / &divisor).to_i64();
    scaled_by(
        row,
        integer,
        Rational::new(denominator.clone(), divisor.clone()),
    )
}

fn scaled_by(
    row: &Row,
    integer: impl Fn(&Rational) -> Option<i64>,
    scale: Rational,
) -> Option<ScaledRow> {
    let integer = |number: &Rational| integer(number).filter(|&number| number != i64::MIN);
    let side = |bound: &Option<Rational>| match bound {
        Some(number) => integer(number).map(Some),
        None => Some(None),
    };
    let terms = row.terms.iter();
    let terms = terms.map(|(var, coefficient)| Some((*var, integer(coefficient)?)));
    Some(ScaledRow {
        terms: terms.collect::<Option<_>>()?,
        lower: side(&row.lower)?,
        upper: side(&row.upper)?,
        scale,
    })
}

/// Whether no order of adding up the integer variables' contributions can leave `i128`.
fn activity_fits(row: &ScaledRow, variables: &[Variable]) -> bool {
    let most = reach(row.terms.iter().copied(), |var| {
        variables[var.index()].farthest()
    });
    most.is_some_and(|most| most <= i128::MAX as u128 / 2) || large_activity_fits(row, variables)
}

/// The most that a sum of multiples can be, either way, where that takes machine integers only.
pub fn reach(
    mut terms: impl Iterator<Item = (VarId, i64)>,
    farthest: impl Fn(VarId) -> Option<u64>,
) -> Option<u128> {
    terms.try_fold(0_u128, |sum, (var, coefficient)| {
        let most = u128::from(coefficient.unsigned_abs()) * u128::from(farthest(var)?);
        sum.checked_add(most)
    })
}

/// [`activity_fits`] in numbers of any size.
fn large_activity_fits(row: &ScaledRow, variables: &[Variable]) -> bool {
    let reach = |(var, coefficient): &(VarId, i64)| {
        let domain = variables[var.index()].domain();
        let ends = domain.lower.into_iter().chain(domain.upper);
        let farthest = ends
            .map(|end| end.to_integer().abs())
            .max()
            .unwrap_or_default();
        farthest * BigInt::from(*coefficient).abs()
    };
    let integers = row
        .terms
        .iter()
        .filter(|(var, _)| variables[var.index()].kind == Kind::Integer);
    integers.map(reach).sum::<BigInt>() <= BigInt::from(i128::MAX / 2)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::{Bounds, Quantifier};

    #[test]
    fn activities_of_machine_integers_are_compared_like_numbers_of_any_size() {
        let mut seen = [0; 2];
        let ends = [1, 2, 63, 64, 80].map(|power| BigInt::from(1_u128 << power));
        for end in &ends {
            for coefficient in [1, -2, i64::MAX, i64::MIN] {
                for count in [1, 2, 3] {
                    let variable = Variable {
                        name: "x".to_owned(),
                        quantifier: Quantifier::Exists,
                        kind: Kind::Integer,
                        bounds: Bounds::between(
                            Rational::from_integer((-3).into()),
                            Rational::from_integer(end.clone()),
                        ),
                    };
                    let row = ScaledRow {
                        terms: (0..count).map(|at| (VarId::new(at), coefficient)).collect(),
                        lower: None,
                        upper: Some(0),
                        scale: Rational::one(),
                    };
                    let variables = vec![variable; count];
                    let fits = activity_fits(&row, &variables);
                    assert_eq!(fits, large_activity_fits(&row, &variables));
                    seen[usize::from(fits)] += 1;
                }
            }
        }
        assert!(seen[0] > 5 && seen[1] > 5, "{seen:?}");
    }

    #[test]
    fn machine_integers_are_scaled_like_numbers_of_any_size() {
        let number = |value: i64| Rational::from_integer(value.into());
        let sides = [None, Some(0), Some(-12), Some(i64::MIN), Some(i64::MAX)];
        let ends = [[6, -4], [i64::MIN, i64::MIN], [1, i64::MAX]];
        for lower in sides {
            for coefficients in ends {
                let terms = coefficients.into_iter().enumerate();
                let terms = terms.map(|(place, by)| (VarId::new(place), number(by)));
                let row = Row {
                    lower: lower.map(number),
                    ..Row::at_most(terms.collect(), number(18))
                };
                assert_eq!(whole_row(&row), cleared_row(&row), "{row:?}");
            }
        }
    }
}
