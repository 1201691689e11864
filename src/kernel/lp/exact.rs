//! From float multipliers to a proof.
//!
//! **Definition:** for multipliers `y` of the rows, the *safe dual bound* is
//! `Σ_r y_r · side_r + Σ_j min { (c_j − Σ_r y_r a_rj) · x_j : l_j <= x_j <= u_j }`,
//! where `side_r` is the lower side of row `r` if `y_r > 0` and its upper side if `y_r < 0`. Every
//! point of the region costs at least that much, *whatever `y` is*, because every column is boxed
//! (Neumaier and Shcherbina 2004). A multiplier whose side is missing is replaced by zero.
//!
//! With costs zero, a positive bound says that the region is empty: a Farkas proof.
//!
//! **Invariant:** floats enter only as suggestions for `y`; they are rounded to multiples of
//! 2⁻³⁰ and everything after that is checked integer arithmetic. What does not fit is `None`, and
//! then nothing is proved. The rounded multipliers are kept for the certificate.
//!
//! A row with a coefficient of 10⁹ has multipliers near 2⁻³⁰, and rounding them so loses the bound: of
//! 300 programs whose rows spread over nine orders of magnitude 248 lost at least a unit of it. Rows
//! with large coefficients are *wide*: HiGHS scales them, and [`DualProof::fine_bound`] takes as many
//! binary digits as the multipliers leave room for; then none of the 300 loses any (over thirteen
//! orders 9 instead of all).
//!
//! The rows are stored by row: an optimal `y` is zero on every slack row, and those cost nothing.

use num_bigint::BigInt;

use super::problem::{LpProblem, LpRow, RowSides};
use crate::num::Rational;

/// Multipliers and bounds are integers in units of 2⁻³⁰.
pub const FRACTION_BITS: u32 = 30;

/// Rows with a coefficient of this size are wide.
const WIDE: u64 = 1 << 24;

/// Multipliers of wide rows are stretched until the largest one has so many binary digits.
const FINE_BITS: i32 = 46;

/// An exact number in units of 2⁻³⁰.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct FixedPoint(pub i128);

impl FixedPoint {
    /// The smallest integer that is not below the number: a bound on an integer objective.
    ///
    /// ```
    /// use quip::lp::FixedPoint;
    /// assert_eq!(FixedPoint(1).ceil(), 1);
    /// assert_eq!(FixedPoint(3 << 30).ceil(), 3);
    /// assert_eq!(FixedPoint(-1).ceil(), 0);
    /// ```
    #[inline]
    pub fn ceil(self) -> i128 {
        let below = self.0 >> FRACTION_BITS;
        below + i128::from(below << FRACTION_BITS != self.0)
    }

    /// The number as a fraction.
    pub fn to_rational(self) -> Rational {
        Rational::new(self.0.into(), BigInt::from(1) << FRACTION_BITS)
    }
}

/// The box and the sides that a proof speaks about; they change, the coefficients do not.
#[derive(Copy, Clone, Debug)]
pub struct Region<'a> {
    /// Smallest value of every column.
    pub lower: &'a [i64],
    /// Largest value of every column.
    pub upper: &'a [i64],
    /// Sides of every row.
    pub sides: &'a [RowSides],
}

/// Costs and rows, flat and ready for proofs.
#[derive(Clone, Debug, Default)]
pub struct ExactRows {
    costs: Vec<i64>,
    /// Where each row begins in `terms`, and where the last one ends.
    starts: Vec<usize>,
    terms: Vec<(u32, i64)>,
    /// The largest coefficient that was ever there, whatever its sign.
    largest: u64,
}

impl ExactRows {
    /// Copies the costs and the rows of a program.
    pub fn new(problem: &LpProblem) -> Self {
        let mut rows = Self {
            costs: problem.columns.iter().map(|column| column.cost).collect(),
            starts: vec![0],
            terms: Vec::new(),
            largest: 0,
        };
        for row in &problem.rows {
            rows.push(row);
        }
        rows
    }

    /// Appends a row.
    pub fn push(&mut self, row: &LpRow) {
        for &(column, coefficient) in &row.terms {
            assert!(
                column < self.costs.len(),
                "invariant: a row names existing columns"
            );
            self.terms.push((column as u32, coefficient));
            self.largest = self.largest.max(coefficient.unsigned_abs());
        }
        self.starts.push(self.terms.len());
    }

    /// Appends a column that no row mentions yet.
    pub fn push_column(&mut self, cost: i64) {
        self.costs.push(cost);
    }

    /// Keeps the first `count` rows.
    pub fn truncate(&mut self, count: usize) {
        self.starts.truncate(count + 1);
        self.terms
            .truncate(self.starts.last().copied().unwrap_or(0));
    }

    /// Whether coefficients are so large that multipliers need more digits than usual.
    #[inline]
    pub fn is_wide(&self) -> bool {
        self.largest >= WIDE
    }

    /// How many binary digits multipliers get behind the point.
    fn bits(&self, duals: &[f64]) -> u32 {
        let sizes = duals.iter().map(|dual| dual.abs());
        let largest = sizes.fold(f64::MIN_POSITIVE, f64::max).log2().ceil() as i32;
        match self.is_wide() {
            true => (FINE_BITS - largest).clamp(0, 60) as u32,
            // Multipliers of enormous costs have fewer.
            false => (60 - largest).clamp(0, FRACTION_BITS as i32) as u32,
        }
    }

    /// How many rows there are.
    pub fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// Whether there is no row.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Computes a bound again by its definition.
    #[cfg(feature = "paranoid")]
    fn assert_twin_agrees(&self, region: Region<'_>, duals: &[f64], bound: Option<FixedPoint>) {
        let column = |&cost: &i64| super::Column {
            cost,
            lower: 0,
            upper: 0,
        };
        let row = |at: usize| LpRow {
            terms: self
                .row(at)
                .iter()
                .map(|&(column, by)| (column as usize, by))
                .collect(),
            lower: None,
            upper: None,
        };
        let problem = LpProblem {
            columns: self.costs.iter().map(column).collect(),
            rows: (0..self.len()).map(row).collect(),
        };
        if let Some(bound) = bound {
            let slow = super::exact_bound_slow(&problem, region, duals);
            assert_eq!(
                Some(bound.to_rational()),
                slow,
                "invariant: the bound is its definition"
            );
        }
    }

    #[inline]
    fn row(&self, row: usize) -> &[(u32, i64)] {
        &self.terms[self.starts[row]..self.starts[row + 1]]
    }
}

/// A reusable workspace for proofs, and the multipliers of the last one.
///
/// ```
/// use quip::lp::{Column, DualProof, ExactRows, LpProblem, LpRow, Region};
/// let column = Column { cost: -1, lower: 0, upper: 5 };
/// let row = LpRow { terms: vec![(0, 2), (1, 3)], lower: None, upper: Some(12) };
/// let problem = LpProblem { columns: vec![column; 2], rows: vec![row] };
///
/// let rows = ExactRows::new(&problem);
/// let sides = [problem.rows[0].sides()];
/// let region = Region { lower: &[0, 0], upper: &[5, 5], sides: &sides };
/// let mut proof = DualProof::default();
/// // A float near −1/3, as an LP solver would give it: no integer point costs less than −5.
/// let bound = proof.bound(&rows, region, &[-0.333_333_333_3]).unwrap();
/// assert_eq!(bound.ceil(), -5);
/// assert_eq!(proof.multipliers(), [(0, -357_913_941)]);
/// ```
#[derive(Clone, Debug, Default)]
pub struct DualProof {
    multipliers: Vec<(usize, i64)>,
    reduced: Vec<i128>,
    value: i128,
    /// Whether the last bound was proved in other units than 2⁻³⁰.
    in_other_units: bool,
}

impl DualProof {
    /// What every point of the region costs at least, or `None` when a number does not fit.
    pub fn bound(
        &mut self,
        rows: &ExactRows,
        region: Region<'_>,
        row_duals: &[f64],
    ) -> Option<FixedPoint> {
        self.in_other_units = false;
        let bound = self.bound_in_units(rows, region, row_duals, 1 << FRACTION_BITS);
        let bound = bound.map(FixedPoint);
        #[cfg(feature = "paranoid")]
        rows.assert_twin_agrees(region, row_duals, bound);
        bound
    }

    /// Like [`DualProof::bound`], with more digits where rows are wide, and fewer where costs are so large
    /// that these would not fit. The reduced costs are in units of 2⁻³⁰ all the same, rounded toward
    /// zero; the multipliers are in others then.
    ///
    /// ```
    /// use quip::lp::{Column, DualProof, ExactRows, LpProblem, LpRow, Region};
    /// let column = Column { cost: 3, lower: 0, upper: 9 };
    /// let row = LpRow { terms: vec![(0, 7_000_000_000)], lower: Some(28_000_000_000), upper: None };
    /// let problem = LpProblem { columns: vec![column], rows: vec![row] };
    /// let rows = ExactRows::new(&problem);
    /// let sides = [problem.rows[0].sides()];
    /// let region = Region { lower: &[0], upper: &[9], sides: &sides };
    /// let mut proof = DualProof::default();
    /// let duals = [3.0 / 7e9];
    /// assert_eq!(proof.bound(&rows, region, &duals).unwrap().ceil(), 0);
    /// assert_eq!(proof.fine_bound(&rows, region, &duals).unwrap().ceil(), 12);
    /// ```
    pub fn fine_bound(
        &mut self,
        rows: &ExactRows,
        region: Region<'_>,
        row_duals: &[f64],
    ) -> Option<FixedPoint> {
        let bits = rows.bits(row_duals);
        if bits == FRACTION_BITS {
            return self.bound(rows, region, row_duals);
        }
        let Some(bound) = self.bound_in_units(rows, region, row_duals, 1 << bits) else {
            return self.bound(rows, region, row_duals);
        };
        self.in_other_units = true;
        if bits > FRACTION_BITS {
            let more = bits - FRACTION_BITS;
            self.reduced.iter_mut().for_each(|cost| *cost /= 1 << more);
            return Some(FixedPoint(bound >> more));
        }
        let factor = 1 << (FRACTION_BITS - bits);
        for cost in &mut self.reduced {
            *cost = cost.checked_mul(factor)?;
        }
        bound.checked_mul(factor).map(FixedPoint)
    }

    /// Like [`DualProof::bound`], with multipliers that are multiples of `1 / unit`; the bound and
    /// the reduced costs are in these units.
    ///
    /// A unit with many divisors makes multipliers that are simple fractions exact, and with them
    /// the bound.
    pub fn bound_in_units(
        &mut self,
        rows: &ExactRows,
        region: Region<'_>,
        row_duals: &[f64],
        unit: i64,
    ) -> Option<i128> {
        self.round_multipliers(region.sides, row_duals, unit as f64)?;
        self.reduced.clear();
        let costs = rows.costs.iter();
        self.reduced
            .extend(costs.map(|&cost| i128::from(cost) * i128::from(unit)));
        self.evaluate(rows, region)
    }

    /// Whether the ray proves that no point of the region satisfies the rows.
    ///
    /// A ray has no natural size, so it is first stretched to use the precision there is: its
    /// multipliers are integers up to 2⁴⁰ rather than multiples of 2⁻³⁰, or up to 2⁶⁰ where rows are
    /// wide.
    pub fn proves_infeasible(&mut self, rows: &ExactRows, region: Region<'_>, ray: &[f64]) -> bool {
        let stretched = |proof: &mut Self, bits| proof.ray_proves(rows, region, ray, bits);
        stretched(self, 40.0) || rows.is_wide() && stretched(self, 60.0)
    }

    fn ray_proves(&mut self, rows: &ExactRows, region: Region<'_>, ray: &[f64], bits: f64) -> bool {
        let largest = ray.iter().fold(0.0f64, |most, value| most.max(value.abs()));
        if !largest.is_normal() {
            return false;
        }
        // A power of two, so that a ray of small integers stays one of integers.
        let unit = (bits - largest.log2().ceil()).exp2();
        if self.round_multipliers(region.sides, ray, unit).is_none() {
            return false;
        }
        self.reduced.clear();
        self.reduced.resize(rows.costs.len(), 0);
        self.evaluate(rows, region).is_some_and(|bound| bound > 0)
    }

    /// The exact multipliers of the last proof: row and value, zeros left out.
    pub fn multipliers(&self) -> &[(usize, i64)] {
        &self.multipliers
    }

    /// Whether the multipliers of the last bound are in other units than its reduced costs.
    pub fn is_in_other_units(&self) -> bool {
        self.in_other_units
    }

    /// What the last proof came to, in its own units.
    pub fn value(&self) -> i128 {
        self.value
    }

    /// Exact reduced costs of the last bound in units of 2⁻³⁰: moving column `j` by one away from
    /// its better end costs at least `|reduced_costs()[j]|`.
    pub fn reduced_costs(&self) -> &[i128] {
        &self.reduced
    }

    fn round_multipliers(&mut self, sides: &[RowSides], duals: &[f64], unit: f64) -> Option<()> {
        // Far below `i64::MAX`, and beyond anything that a sound linear program gives.
        const LARGEST: f64 = (1u64 << 62) as f64;
        self.multipliers.clear();
        for (row, (sides, dual)) in sides.iter().zip(duals).enumerate() {
            let scaled = (dual * unit).round();
            if scaled == 0.0 {
                continue;
            }
            if scaled.is_nan() || scaled.abs() >= LARGEST {
                return None;
            }
            let multiplier = scaled as i64;
            if side_for(*sides, multiplier).is_some() {
                self.multipliers.push((row, multiplier));
            }
        }
        Some(())
    }

    /// Turns the costs in `reduced` into reduced costs and adds everything up.
    fn evaluate(&mut self, rows: &ExactRows, region: Region<'_>) -> Option<i128> {
        let mut bound = 0i128;
        for &(row, multiplier) in &self.multipliers {
            let side = side_for(region.sides[row], multiplier)?;
            bound = bound.checked_add(i128::from(multiplier) * i128::from(side))?;
            for &(column, coefficient) in rows.row(row) {
                let cost = &mut self.reduced[column as usize];
                *cost = cost.checked_sub(i128::from(multiplier) * i128::from(coefficient))?;
            }
        }
        let ends = region.lower.iter().zip(region.upper);
        for (&cost, (&lower, &upper)) in self.reduced.iter().zip(ends) {
            let best = if cost > 0 { lower } else { upper };
            bound = bound.checked_add(product(cost, best)?)?;
        }
        self.value = bound;
        Some(bound)
    }
}

/// The side that a multiplier leans on, if the row has it.
#[inline]
fn side_for(sides: RowSides, multiplier: i64) -> Option<i64> {
    if multiplier > 0 {
        sides.lower
    } else {
        sides.upper
    }
}

/// Multiplies with one machine instruction where the factor is small, which is nearly always.
#[inline]
fn product(factor: i128, value: i64) -> Option<i128> {
    match i64::try_from(factor) {
        Ok(small) => Some(i128::from(small) * i128::from(value)),
        Err(_) => factor.checked_mul(value.into()),
    }
}
