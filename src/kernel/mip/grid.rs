//! A mixed program in machine integers: what bounds, propagation and the linear program look at.
//!
//! A column `x` becomes `x' = grid · x` with integer ends: integers as they are, reals by the
//! denominators of their ends. Rows are scaled to integers. A row or an objective whose numbers do
//! not fit is rounded, and its sides give way by what rounding can move it over the box.
//!
//! **Invariant:** every point of the program satisfies the image's rows and boxes, and costs at
//! least what the image says less `slack`; where nothing was rounded, both are the same.

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Signed, ToPrimitive, Zero};

use super::MixedProgram;
use crate::lp::simplex::LinearProgram;
use crate::lp::{Column, LpProblem, LpRow};
use crate::num::{Rational, int};
use crate::program::{Bounds, Id, IdVec, Row, RowId, Term, VarId};

/// Coefficients of the image stay below this, so that sums of products fit 128 bits.
const LARGEST: i64 = 1 << 50;

/// Rounded rows have a largest coefficient of about this.
const ROUNDED: i64 = 1 << 40;

/// Ends of boxes stay below this.
const FARTHEST: i64 = 1 << 62;

/// See the module.
#[derive(Clone, Debug)]
pub(super) struct Grid {
    /// The image.
    pub problem: LpProblem,
    /// The program over the image's columns, in rationals.
    pub exact: LinearProgram,
    /// What each column is multiplied by.
    pub grid: Vec<BigInt>,
    /// What the image's costs are multiplied by.
    pub cost_scale: Rational,
    /// By how much the image may overestimate, in its own units.
    pub slack: Rational,
    /// What each row is multiplied by, and whether none was rounded.
    pub row_scales: Vec<Rational>,
    pub is_exact: bool,
    /// The sides of rows that gave columns their ends.
    pub closed_by: Vec<(RowId, bool, VarId)>,
}

impl Grid {
    /// `None` if a column has no end that its rows show, or one beyond machine integers.
    pub fn new(program: &MixedProgram) -> Option<Self> {
        let linear = &program.linear;
        let mut closed_by = Vec::new();
        let boxes = super::ends::boxes(program, &mut closed_by)?;
        let mut grid = Vec::with_capacity(boxes.len());
        let mut columns = Vec::with_capacity(boxes.len());
        let mut bounds = IdVec::default();
        for range in &boxes {
            let (lower, upper) = (range.lower.as_ref()?, range.upper.as_ref()?);
            let factor = lower.denom().lcm(upper.denom());
            let scale = Rational::from_integer(factor.clone());
            let end = |end: &Rational| {
                let end = (end * &scale).to_integer().to_i64()?;
                (end.unsigned_abs() < FARTHEST.unsigned_abs()).then_some(end)
            };
            let (lower, upper) = (end(lower)?, end(upper)?);
            columns.push(Column {
                cost: 0,
                lower,
                upper,
            });
            bounds.push(Bounds::between(int(lower), int(upper)));
            grid.push(factor);
        }
        let on_grid = |terms: &[Term]| -> Vec<Term> {
            let of = |(column, by): &Term| {
                let scale = Rational::from_integer(grid[column.index()].clone());
                (*column, by / scale)
            };
            crate::program::normalized(terms.iter().map(of).collect())
        };
        let exact_rows = linear.rows.iter().map(|row| Row {
            name: None,
            terms: on_grid(&row.terms),
            lower: row.lower.clone(),
            upper: row.upper.clone(),
        });
        let exact = LinearProgram {
            objective: on_grid(&linear.objective),
            bounds,
            rows: exact_rows.collect(),
        };
        let rows = exact.rows.iter();
        let rows = rows.map(|row| scaled_row(row, &columns, |column| program.integer[column]));
        let rows = rows.collect::<Option<Vec<_>>>()?;
        let row_scales = rows.iter().map(|(_, scale, _)| scale.clone());
        let row_scales = row_scales.collect();
        let is_exact = rows.iter().all(|(_, _, off)| off.is_zero());
        let rows = rows.into_iter().map(|(row, ..)| row).collect();
        let (costs, cost_scale, slack) = scaled_sum(&exact.objective, &[], &columns)?;
        for (column, cost) in costs {
            columns[column].cost = cost;
        }
        Some(Self {
            problem: LpProblem { columns, rows },
            exact,
            grid,
            cost_scale,
            is_exact: is_exact && slack.is_zero(),
            slack,
            row_scales,
            closed_by,
        })
    }

    /// The point of the program that a point of the image stands for.
    pub fn original(&self, point: &IdVec<VarId, Rational>) -> IdVec<VarId, Rational> {
        let values = point.iter().zip(&self.grid);
        values
            .map(|(value, factor)| value / Rational::from_integer(factor.clone()))
            .collect()
    }
}

/// Integer coefficients of a sum, their scale, and by how much they may be off over the box.
type Scaled = (Vec<(usize, i64)>, Rational, Rational);

/// The sum in integers; numbers beside it are made integer too, if everything fits.
fn scaled_sum(terms: &[Term], beside: &[&Rational], columns: &[Column]) -> Option<Scaled> {
    let numbers = || terms.iter().map(|(_, by)| by).chain(beside.iter().copied());
    let common = numbers().fold(BigInt::one(), |common, next| common.lcm(next.denom()));
    let scale = Rational::from_integer(common);
    let numerators = numbers().map(|by| (by * &scale).to_integer());
    let divisor = numerators.fold(BigInt::zero(), |divisor, next| divisor.gcd(&next));
    let scale = match divisor.is_zero() {
        true => scale,
        false => scale / Rational::from_integer(divisor),
    };
    let largest = terms.iter().map(|(_, by)| by.abs()).max();
    let largest = largest.unwrap_or_default();
    let fits = &largest * &scale < int(LARGEST);
    let scale = if fits { scale } else { int(ROUNDED) / largest };
    let mut off = Rational::zero();
    let mut sum = Vec::with_capacity(terms.len());
    for (column, by) in terms {
        let wanted = by * &scale;
        let rounded = wanted.round();
        let Column { lower, upper, .. } = columns[column.index()];
        let farthest = lower.unsigned_abs().max(upper.unsigned_abs());
        let farthest = Rational::from_integer(farthest.into());
        off += (&wanted - &rounded).abs() * farthest;
        sum.push((column.index(), rounded.to_integer().to_i64()?));
    }
    sum.retain(|term| term.1 != 0);
    Some((sum, scale, off))
}

/// A row in integers, its scale, and by how much it may be off; `None` if a side is beyond them. Sums of integers are integers, so their
/// sides are rounded inward, and those of others outward.
fn scaled_row(
    row: &Row,
    columns: &[Column],
    is_integer: impl Fn(VarId) -> bool,
) -> Option<(LpRow, Rational, Rational)> {
    let whole = row.terms.iter().all(|(column, _)| is_integer(*column));
    let sides: Vec<&Rational> = row.lower.iter().chain(&row.upper).collect();
    let beside: &[&Rational] = if whole { &[] } else { &sides };
    let (terms, scale, off) = scaled_sum(&row.terms, beside, columns)?;
    let round = |side: Rational, up: bool| match up {
        true => side.ceil(),
        false => side.floor(),
    };
    let lower = row.lower.as_ref();
    let lower = lower.map(|side| round(side * &scale - &off, whole));
    let upper = row.upper.as_ref();
    let upper = upper.map(|side| round(side * &scale + &off, !whole));
    let side = |side: Option<Rational>| match side {
        None => Some(None),
        Some(side) => {
            let side = side.to_integer().to_i64();
            side.filter(|it| it.unsigned_abs() < FARTHEST.unsigned_abs())
                .map(Some)
        }
    };
    let row = LpRow {
        terms,
        lower: side(lower)?,
        upper: side(upper)?,
    };
    Some((row, scale, off))
}
