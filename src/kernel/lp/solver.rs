//! A persistent, warm-started linear program.
//!
//! One model is built once; bounds and rows change, the basis stays, and a re-solve costs a few
//! pivots. A basis can be saved and put back, which after backtracking halves the pivots.
//!
//! **Invariant:** the model survives every verdict. A run that goes wrong is repeated once from a
//! cold start; only if that fails too is the verdict [`LpVerdict::Failed`].
//!
//! Everything here is a float's opinion: prove it with [`super::DualProof`] before relying on it.

use std::time::Duration;

use super::flat::{Floats, RunEnd};
use super::highs::{Model, Statuses};
use super::problem::{Column, LpProblem, LpRow, RowSides};
use crate::num::tolerance::CUTOFF_MARGIN;

/// What a solve claims. None of it is proved.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum LpVerdict {
    /// The solution is optimal; primal, duals and reduced costs are set.
    Optimal,
    /// No point satisfies the rows; [`LpSolver::farkas_ray`] may say why.
    Infeasible,
    /// The optimum is above the cut-off; duals and reduced costs are set and show it.
    CutOff,
    /// The time was over.
    Stopped,
    /// The solver gave up, also from a cold start.
    Failed,
}

/// A saved starting point for a later solve; the default is "none: start cold".
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Basis(pub(super) Statuses);

/// What a solver has done so far.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Calls of [`LpSolver::solve`] that ran.
    pub solves: u64,
    /// Simplex iterations.
    pub iterations: u64,
    /// Runs that had to be repeated from a cold start.
    pub cold_restarts: u64,
}

/// A linear program that is solved again and again with small changes.
///
/// ```
/// use quip::lp::{Column, LpProblem, LpRow, LpSolver, LpVerdict};
/// let column = Column { cost: -1, lower: 0, upper: 5 };
/// let row = LpRow { terms: vec![(0, 2), (1, 3)], lower: None, upper: Some(12) };
/// let problem = LpProblem { columns: vec![column; 2], rows: vec![row] };
///
/// let mut solver = LpSolver::new(&problem);
/// assert_eq!(solver.solve(None), LpVerdict::Optimal);
/// assert!((solver.objective() + 17.0 / 3.0).abs() < 1e-6);
///
/// solver.set_column_bounds(0, 1, 1);
/// assert_eq!(solver.solve(None), LpVerdict::Optimal);
/// assert!((solver.objective() + 13.0 / 3.0).abs() < 1e-6);
/// ```
#[derive(Debug)]
pub struct LpSolver {
    model: Model,
    verdict: Option<LpVerdict>,
    floats: Floats,
    ray: Vec<f64>,
    restored: Statuses,
    time_limit: f64,
    counters: Counters,
}

impl LpSolver {
    /// Builds the model. A program that the LP solver refuses (too large, a column twice in a row)
    /// is built all the same; its solves say [`LpVerdict::Failed`]. Without columns there is
    /// nothing to solve: the answer is zero, and the rows are not looked at.
    pub fn new(problem: &LpProblem) -> Self {
        Self {
            model: Model::new(problem),
            verdict: None,
            floats: Floats::default(),
            ray: Vec::new(),
            restored: Statuses::default(),
            time_limit: f64::INFINITY,
            counters: Counters::default(),
        }
    }

    /// Like [`LpSolver::new`], for rows whose coefficients differ by orders of magnitude.
    pub fn scaled(problem: &LpProblem) -> Self {
        let mut solver = Self::new(problem);
        solver.scale();
        solver
    }

    /// Lets the LP solver scale rows and columns from now on; see [`LpSolver::scaled`].
    pub fn scale(&mut self) {
        self.model.scale();
    }

    /// The rows of the last tableau whose basic column is one of these, as multipliers of the rows.
    pub fn tableau_rows(&self, wanted: impl Fn(usize) -> bool) -> Vec<(usize, Vec<(usize, f64)>)> {
        let basic = self.model.basic_variables().unwrap_or_default();
        let basic = basic.into_iter().enumerate();
        let of_columns = basic.filter(|&(_, column)| wanted(column));
        of_columns
            .filter_map(|(row, column)| Some((column, self.model.basis_inverse_row(row)?)))
            .collect()
    }

    /// Replaces the box of a column. A crossed box (`lower > upper`) is infeasible, without a ray.
    pub fn set_column_bounds(&mut self, column: usize, lower: i64, upper: i64) {
        self.model.set_column_bounds(column, lower, upper);
        self.verdict = None;
    }

    /// Replaces the sides of a row.
    pub fn set_row_bounds(&mut self, row: usize, sides: RowSides) {
        self.model.set_row_bounds(row, sides);
        self.verdict = None;
    }

    /// Appends a row; the basis stays usable.
    pub fn add_row(&mut self, row: &LpRow) {
        self.add_rows(std::slice::from_ref(row));
    }

    /// Appends rows in one step; the basis stays usable.
    pub fn add_rows(&mut self, rows: &[LpRow]) {
        self.model.add_rows(rows);
        self.verdict = None;
    }

    /// Appends columns that no row mentions yet; the basis stays usable.
    pub fn add_columns(&mut self, columns: &[Column]) {
        self.model.add_columns(columns);
        self.verdict = None;
    }

    /// Keeps the first `count` rows. The basis stays usable if the others were slack.
    pub fn delete_rows_from(&mut self, count: usize) {
        self.model.delete_rows_from(count);
        self.verdict = None;
    }

    /// Lets a solve end as soon as its objective is above `cutoff`; `None` solves to the end.
    pub fn set_cutoff(&mut self, cutoff: Option<f64>) {
        let bound = cutoff.map_or(f64::INFINITY, |value| {
            value + CUTOFF_MARGIN * value.abs().max(1.0)
        });
        self.model.set_objective_bound(bound);
        self.verdict = None;
    }

    /// Solves from the current basis within the time that is left; `None` is no limit.
    pub fn solve(&mut self, time_left: Option<Duration>) -> LpVerdict {
        let verdict = self.run_in(time_left);
        if matches!(verdict, LpVerdict::Optimal | LpVerdict::CutOff) {
            self.model.read_floats(&mut self.floats);
        }
        self.verdict = Some(verdict);
        verdict
    }

    fn run_in(&mut self, time_left: Option<Duration>) -> LpVerdict {
        if time_left.is_some_and(|left| left.is_zero()) {
            return LpVerdict::Stopped;
        }
        let seconds = time_left.map_or(f64::INFINITY, |left| left.as_secs_f64());
        if seconds != self.time_limit {
            self.model.set_time_limit(seconds);
            self.time_limit = seconds;
        }
        self.counters.solves += 1;
        let mut end = self.run_once();
        if end == RunEnd::Trouble {
            self.counters.cold_restarts += 1;
            self.model.reset();
            end = self.run_once();
        }
        match end {
            RunEnd::Optimal => LpVerdict::Optimal,
            RunEnd::Infeasible => LpVerdict::Infeasible,
            RunEnd::ObjectiveBound => LpVerdict::CutOff,
            RunEnd::Limit => LpVerdict::Stopped,
            RunEnd::Trouble => LpVerdict::Failed,
        }
    }

    fn run_once(&mut self) -> RunEnd {
        let end = self.model.run();
        self.counters.iterations += self.model.iterations();
        end
    }

    /// A value for every column, from the last solve that was optimal. After a cut-off it satisfies
    /// the rows or the box only by chance.
    pub fn primal(&self) -> &[f64] {
        &self.floats.primal
    }

    /// A multiplier for every row, from the last solve that was optimal or cut off: positive where
    /// the lower side supports the objective, negative where the upper side does.
    pub fn row_duals(&self) -> &[f64] {
        &self.floats.row_duals
    }

    /// Cost of every column less what the rows pay for it, from the same solve as
    /// [`row_duals`](Self::row_duals).
    pub fn reduced_costs(&self) -> &[f64] {
        &self.floats.reduced_costs
    }

    /// Multipliers that combine the rows to a contradiction, after an infeasible solve and before
    /// the next change. `None` where the solver has none, as for a crossed box.
    pub fn farkas_ray(&mut self) -> Option<&[f64]> {
        let infeasible = self.verdict == Some(LpVerdict::Infeasible);
        (infeasible && self.model.read_ray(&mut self.ray)).then_some(&self.ray)
    }

    /// The objective of the last solve, as a float.
    pub fn objective(&self) -> f64 {
        self.model.objective()
    }

    /// The basis that the last solve ended with.
    pub fn save_basis(&self) -> Basis {
        let mut basis = Basis::default();
        self.save_basis_into(&mut basis);
        basis
    }

    /// Like [`save_basis`](Self::save_basis), into memory that is there already.
    pub fn save_basis_into(&self, basis: &mut Basis) {
        self.model.read_basis(&mut basis.0);
    }

    /// Lets the next solve start from a saved basis. It may come from a time with fewer or more
    /// rows; one that does not fit is dropped and the next solve starts cold.
    pub fn restore_basis(&mut self, basis: &Basis) {
        self.restored.clone_from(&basis.0);
        if !self.model.write_basis(&mut self.restored) {
            self.model.reset();
        }
        self.verdict = None;
    }

    /// What this solver has done so far.
    pub fn counters(&self) -> Counters {
        self.counters
    }
}
