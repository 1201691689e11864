//! A small exact simplex: linear programs in rationals, answers that prove themselves.
//!
//! It is meant for programs of a few dozen columns whose answer must be beyond doubt, not for
//! speed: the tableau is dense and Bland's rule picks every pivot, so that it ends on every input.
//! Variables and rows may be free, one-sided, boxed, fixed or crossed.
//!
//! **Invariant:** every answer passes [`Answer::is_proved_for`], which knows nothing of how it was
//! found.

mod tableau;
mod verify;

use crate::budget::Budget;
use crate::num::Rational;
use crate::outcome::Stop;
use crate::program::{Bounds, IdVec, Row, RowId, Term, VarId};

pub use verify::dual_bound;

/// `minimize Σ objective` subject to the rows and the bounds of the columns.
///
/// Columns are numbered by [`VarId`] and rows by [`RowId`], in this program alone.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LinearProgram {
    /// What to minimise; repeated terms add up.
    pub objective: Vec<Term>,
    /// The range of each column.
    pub bounds: IdVec<VarId, Bounds>,
    /// What must hold.
    pub rows: IdVec<RowId, Row>,
}

/// What a linear program is worth, with the proof.
///
/// Row multipliers are positive where they count on the row's lower side and negative where they
/// count on its upper side; see [`dual_bound`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// The minimum.
    Optimal {
        /// Where it is reached.
        point: IdVec<VarId, Rational>,
        /// The minimum itself.
        value: Rational,
        /// Multipliers whose dual bound is the minimum.
        multipliers: IdVec<RowId, Rational>,
    },
    /// Nothing satisfies the rows and bounds.
    Infeasible {
        /// Multipliers whose dual bound for the zero objective is positive; all zero when a row or
        /// a column has crossed bounds and needs no other proof.
        multipliers: IdVec<RowId, Rational>,
    },
    /// The objective falls below every number.
    Unbounded {
        /// A point that satisfies everything,
        point: IdVec<VarId, Rational>,
        /// and a direction in which that stays so while the objective falls.
        ray: IdVec<VarId, Rational>,
    },
}

impl LinearProgram {
    /// Solves the program; ends early only when the budget says so.
    ///
    /// ```
    /// use quip::budget::Budget;
    /// use quip::lp::simplex::{Answer, LinearProgram};
    /// use quip::num::{int, ratio};
    /// use quip::program::{Bounds, Id, IdVec, Row, VarId};
    ///
    /// // minimize -x - y  subject to  x + 2y <= 4,  3x + y <= 6,  x, y >= 0
    /// let (x, y) = (VarId::new(0), VarId::new(1));
    /// let at_least_zero = Bounds { lower: Some(int(0)), upper: None };
    /// let program = LinearProgram {
    ///     objective: vec![(x, int(-1)), (y, int(-1))],
    ///     bounds: IdVec::filled(2, at_least_zero),
    ///     rows: IdVec::from_vec(vec![
    ///         Row::at_most(vec![(x, int(1)), (y, int(2))], int(4)),
    ///         Row::at_most(vec![(x, int(3)), (y, int(1))], int(6)),
    ///     ]),
    /// };
    /// let answer = program.solve(&mut Budget::unlimited()).unwrap();
    /// assert!(answer.is_proved_for(&program));
    /// assert!(matches!(answer, Answer::Optimal { value, .. } if value == ratio(-14, 5)));
    /// ```
    pub fn solve(&self, budget: &mut Budget) -> Result<Answer, Stop> {
        let crossed_row = |row: &Row| {
            Bounds {
                lower: row.lower.clone(),
                upper: row.upper.clone(),
            }
            .is_crossed()
        };
        if self.bounds.iter().any(Bounds::is_crossed) || self.rows.iter().any(crossed_row) {
            return Ok(Answer::Infeasible {
                multipliers: IdVec::filled(self.rows.len(), Rational::default()),
            });
        }
        tableau::Tableau::new(self).solve(budget)
    }
}

#[cfg(test)]
mod tests;
