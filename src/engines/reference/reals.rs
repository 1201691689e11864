//! Whether the real variables of a system can be chosen when its integers are fixed; and whether rows
//! hold then whose numbers are longer than machine integers.

use super::board::Board;
use super::unknowns::{Known, residual};
use crate::budget::Budget;
use crate::lp::simplex::{Answer, LinearProgram};
use crate::num::Rational;
use crate::outcome::Stop;
use crate::program::{Bounds, IdVec, Kind, Program, Quantifier, Row, RowId, VarId};

/// The rows of a system that mention a real variable or do not fit machine integers.
pub(super) struct RealRows {
    rows: Vec<Row>,
    /// For each variable, its column if it is real.
    columns: IdVec<VarId, Option<VarId>>,
    bounds: IdVec<VarId, Bounds>,
    /// Linear programs solved.
    pub lps: u64,
}

impl RealRows {
    pub fn new(program: &Program, owner: Quantifier) -> Self {
        let is_real = |var: VarId| program.variables()[var].kind == Kind::Real;
        let mentions = |row: &Row| row.terms.iter().any(|(var, _)| is_real(*var));
        let is_long = |id: RowId| program.scaled_row(owner, id).is_err();
        let mut bounds = IdVec::default();
        let column = |var: VarId| {
            let domain = program.variables()[var].domain();
            is_real(var).then(|| bounds.push(domain))
        };
        let columns = IdVec::from_vec(program.variables().ids().map(column).collect());
        Self {
            rows: program
                .system(owner)
                .pairs()
                .filter(|(id, row)| mentions(row) || is_long(*id))
                .map(|(_, row)| row.clone())
                .collect(),
            columns,
            bounds,
            lps: 0,
        }
    }

    /// Whether some real values satisfy the rows; `values` are those of the integer places.
    pub fn have_solution(
        &mut self,
        board: &Board,
        values: &[Option<i128>],
        budget: &mut Budget,
    ) -> Result<bool, Stop> {
        let mut assignment = IdVec::filled(values.len(), Known::Value(Rational::default()));
        for (place, value) in board.places.iter().zip(values) {
            assignment[place.var] = match self.columns[place.var] {
                Some(column) => Known::Column(column),
                // An integer that is not fixed here occurs in no row.
                None => Known::Value(Rational::from_integer(value.unwrap_or(0).into())),
            };
        }
        let rows = self.rows.iter().map(|row| residual(row, &assignment));
        let linear = LinearProgram {
            objective: Vec::new(),
            bounds: self.bounds.clone(),
            rows: IdVec::from_vec(rows.collect()),
        };
        self.lps += 1;
        let answer = linear.solve(budget)?;
        Ok(!matches!(answer, Answer::Infeasible { .. }))
    }
}
