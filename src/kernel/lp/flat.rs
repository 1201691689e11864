//! Plain data between the LP service and HiGHS: rows as flat arrays, answers as floats.

use super::problem::RowSides;

/// Where each row begins in `index` and `value`, and what it lies between.
#[derive(Clone, Debug, Default)]
pub(super) struct FlatRows {
    pub lower: Vec<f64>,
    pub upper: Vec<f64>,
    pub starts: Vec<i32>,
    pub index: Vec<i32>,
    pub value: Vec<f64>,
}

impl FlatRows {
    /// Appends a row; infinite sides do not bind.
    ///
    /// Places beyond 32 bits are cut off here and refused with the count of the model.
    pub fn push(&mut self, sides: (f64, f64), terms: impl Iterator<Item = (usize, f64)>) {
        self.lower.push(sides.0);
        self.upper.push(sides.1);
        self.starts.push(self.index.len() as i32);
        for (column, coefficient) in terms {
            self.index.push(column as i32);
            self.value.push(coefficient);
        }
    }
}

/// How one run ended, before any policy.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum RunEnd {
    Optimal,
    Infeasible,
    ObjectiveBound,
    Limit,
    Trouble,
}

/// Float answers of the last run.
#[derive(Clone, Debug, Default)]
pub(super) struct Floats {
    pub primal: Vec<f64>,
    pub reduced_costs: Vec<f64>,
    pub row_duals: Vec<f64>,
}

/// The sides of a row as floats.
pub(super) fn floats_of(sides: RowSides) -> (f64, f64) {
    (
        sides.lower.map_or(f64::NEG_INFINITY, |side| side as f64),
        sides.upper.map_or(f64::INFINITY, |side| side as f64),
    )
}
