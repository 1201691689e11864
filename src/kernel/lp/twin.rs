//! The slow twin of [`DualProof::bound`](super::DualProof::bound): its definition, executed in
//! fractions of any size.

use num_bigint::BigInt;
use num_traits::{ToPrimitive, Zero};

use super::exact::{FRACTION_BITS, Region};
use super::problem::LpProblem;
use crate::num::{Rational, int};

/// What every point of the region costs at least, by the definition.
///
/// `None` only where a multiplier is not a number or too large to be kept. The sides and boxes are
/// the region's, not the program's.
///
/// ```
/// use quip::lp::{Column, LpProblem, LpRow, Region, exact_bound_slow};
/// let column = Column { cost: -1, lower: 0, upper: 5 };
/// let row = LpRow { terms: vec![(0, 2), (1, 3)], lower: None, upper: Some(12) };
/// let problem = LpProblem { columns: vec![column; 2], rows: vec![row] };
/// let sides = [problem.rows[0].sides()];
/// let region = Region { lower: &[0, 0], upper: &[5, 5], sides: &sides };
/// let bound = exact_bound_slow(&problem, region, &[-0.5]).unwrap();
/// assert_eq!(bound, quip::num::int(-6));
/// ```
pub fn exact_bound_slow(
    problem: &LpProblem,
    region: Region<'_>,
    row_duals: &[f64],
) -> Option<Rational> {
    let unit = Rational::from_integer(BigInt::from(1) << FRACTION_BITS);
    let mut bound = Rational::zero();
    let mut reduced: Vec<_> = problem
        .columns
        .iter()
        .map(|column| int(column.cost))
        .collect();
    for (at, row) in problem.rows.iter().enumerate() {
        let rounded = (Rational::from_float(row_duals[at])? * &unit).round();
        let multiplier = rounded
            .to_i64()
            .filter(|value| value.unsigned_abs() < 1 << 62)?;
        let side = match multiplier {
            1.. => region.sides[at].lower,
            _ => region.sides[at].upper,
        };
        let Some(side) = side else { continue };
        let weight = int(multiplier) / &unit;
        bound += &weight * int(side);
        for &(column, coefficient) in &row.terms {
            reduced[column] -= &weight * int(coefficient);
        }
    }
    for (cost, (&lower, &upper)) in reduced.iter().zip(region.lower.iter().zip(region.upper)) {
        bound += (cost * int(lower)).min(cost * int(upper));
    }
    Some(bound)
}
