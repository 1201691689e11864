//! A linear program as plain integer data: what the LP service is asked.
//!
//! **Definition:** minimise `Σ cost · x` subject to `lower <= Σ coefficient · x <= upper` for every
//! row and `lower <= x <= upper` for every column. All numbers are integers and every column is
//! boxed; that is what makes any float multiplier a proof (see [`super::exact`]).
//!
//! A real column with rational bounds is substituted first: with `x = x' / s` the column `x'` has
//! the integer bounds `s·lower` and `s·upper`, and the rows and costs that mention `x` are scaled
//! until they are integers again. A maximisation is passed with its costs negated.

use crate::program::{Id, ScaledRow};

/// One variable of a linear program.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Column {
    /// What one unit costs.
    pub cost: i64,
    /// Smallest value.
    pub lower: i64,
    /// Largest value.
    pub upper: i64,
}

/// What the sum of a row must lie between; `None` is no restriction on that side.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct RowSides {
    /// The sum must be at least this.
    pub lower: Option<i64>,
    /// The sum must be at most this.
    pub upper: Option<i64>,
}

/// One row of a linear program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LpRow {
    /// Column and coefficient; a column at most once.
    pub terms: Vec<(usize, i64)>,
    /// The sum must be at least this.
    pub lower: Option<i64>,
    /// The sum must be at most this.
    pub upper: Option<i64>,
}

impl From<&ScaledRow> for LpRow {
    /// Column `j` is the program's variable `j`.
    fn from(row: &ScaledRow) -> Self {
        let terms = row.terms.iter();
        Self {
            terms: terms.map(|&(var, by)| (var.index(), by)).collect(),
            lower: row.lower,
            upper: row.upper,
        }
    }
}

impl LpRow {
    /// Both sides.
    pub fn sides(&self) -> RowSides {
        RowSides {
            lower: self.lower,
            upper: self.upper,
        }
    }
}

/// A linear program: minimise the columns' costs subject to the rows.
///
/// ```
/// use quip::lp::{Column, LpProblem, LpRow};
/// let column = Column { cost: -1, lower: 0, upper: 5 };
/// let row = LpRow { terms: vec![(0, 2), (1, 3)], lower: None, upper: Some(12) };
/// let problem = LpProblem { columns: vec![column; 2], rows: vec![row] };
/// assert_eq!(problem.contains(&[3, 2]), Some(true));
/// assert_eq!(problem.objective_at(&[3, 2]), Some(-5));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LpProblem {
    /// The variables.
    pub columns: Vec<Column>,
    /// The restrictions.
    pub rows: Vec<LpRow>,
}

impl LpProblem {
    /// Whether an integer point lies in the box and satisfies every row; `None` when a sum does not
    /// fit 128 bits or the point has the wrong length.
    #[inline]
    pub fn contains(&self, point: &[i64]) -> Option<bool> {
        if point.len() != self.columns.len() {
            return None;
        }
        let boxed = self.columns.iter().zip(point);
        if boxed
            .into_iter()
            .any(|(column, &value)| value < column.lower || value > column.upper)
        {
            return Some(false);
        }
        for row in &self.rows {
            let sum = sum_of_products(row.terms.iter().map(|&(at, by)| (by, point[at])))?;
            let low = row.lower.is_some_and(|side| sum < side.into());
            let high = row.upper.is_some_and(|side| sum > side.into());
            if low || high {
                return Some(false);
            }
        }
        Some(true)
    }

    /// The cost of an integer point; `None` when it does not fit 128 bits or the point has the
    /// wrong length.
    #[inline]
    pub fn objective_at(&self, point: &[i64]) -> Option<i128> {
        if point.len() != self.columns.len() {
            return None;
        }
        sum_of_products(
            self.columns
                .iter()
                .map(|column| column.cost)
                .zip(point.iter().copied()),
        )
    }
}

fn sum_of_products(mut pairs: impl Iterator<Item = (i64, i64)>) -> Option<i128> {
    pairs.try_fold(0i128, |sum, (left, right)| {
        sum.checked_add(i128::from(left) * i128::from(right))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::VarId;

    #[test]
    fn a_point_is_judged_by_its_box_and_its_rows() {
        let problem = LpProblem {
            columns: vec![
                Column {
                    cost: 2,
                    lower: -1,
                    upper: 4,
                };
                2
            ],
            rows: vec![LpRow {
                terms: vec![(0, 1), (1, -1)],
                lower: Some(0),
                upper: Some(2),
            }],
        };
        assert_eq!(problem.contains(&[1, 1]), Some(true));
        assert_eq!(problem.contains(&[4, 1]), Some(false), "above the row");
        assert_eq!(problem.contains(&[1, 2]), Some(false), "below the row");
        assert_eq!(problem.contains(&[-2, -2]), Some(false), "outside the box");
        assert_eq!(problem.contains(&[1]), None, "a value is missing");
        assert_eq!(problem.objective_at(&[4, -1]), Some(6));
    }

    #[test]
    fn a_row_of_a_program_keeps_its_columns_and_sides() {
        let scaled = ScaledRow {
            terms: vec![(VarId::new(1), -2), (VarId::new(3), 5)],
            lower: Some(4),
            upper: None,
            scale: crate::num::int(1),
        };
        let row = LpRow::from(&scaled);
        assert_eq!(row.terms, [(1, -2), (3, 5)]);
        assert_eq!((row.lower, row.upper), (Some(4), None));
    }

    #[test]
    fn a_cost_beyond_128_bits_is_no_cost() {
        let column = Column {
            cost: i64::MIN,
            lower: i64::MIN,
            upper: 0,
        };
        let problem = LpProblem {
            columns: vec![column; 2],
            rows: Vec::new(),
        };
        assert_eq!(problem.objective_at(&[i64::MIN, i64::MIN]), None);
    }
}
