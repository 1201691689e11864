//! The edge to HiGHS: a thin safe wrapper around one C model handle.
//!
//! It knows no policy: verdicts, fallbacks and counters are [`super::solver`]'s.
//!
//! **Invariant:** every pointer handed over belongs to a buffer that is at least as long as the
//! largest model the handle has held, so a stale length inside HiGHS cannot write beyond it.
//! A call that HiGHS refuses marks the handle as broken, and a broken handle runs no more.
#![allow(unsafe_code)] // The C interface of the LP solver; nowhere else in the crate.

use std::ffi::{CStr, c_void};
use std::ptr::{NonNull, null_mut};

use highs_sys::*;

use super::flat::{FlatRows, Floats, RunEnd, floats_of};
use super::problem::{Column, LpProblem, LpRow, RowSides};
use crate::num::tolerance;

/// Column and row statuses in HiGHS's numbering.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Statuses {
    pub columns: Vec<HighsInt>,
    pub rows: Vec<HighsInt>,
}

/// Where a column or a row stands in a basis.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Standing {
    Basic,
    Lower,
    Upper,
    Zero,
}

impl Statuses {
    pub fn column(&self, at: usize) -> Standing {
        standing(self.columns[at])
    }

    pub fn row(&self, at: usize) -> Standing {
        standing(self.rows[at])
    }
}

fn standing(status: HighsInt) -> Standing {
    if status == kHighsBasisStatusBasic {
        Standing::Basic
    } else if status == kHighsBasisStatusUpper {
        Standing::Upper
    } else if status == kHighsBasisStatusZero {
        Standing::Zero
    } else {
        Standing::Lower
    }
}

/// The value of `simplex_strategy` that keeps a dual feasible basis across bound changes.
const DUAL_SIMPLEX: HighsInt = 1;

/// A row status that is always consistent for a row that was added later.
const BASIC: HighsInt = kHighsBasisStatusBasic;

/// One HiGHS model, silent, minimising, single-threaded.
#[derive(Debug)]
pub(super) struct Model {
    handle: NonNull<c_void>,
    columns: usize,
    rows: usize,
    /// The most rows this handle has ever held.
    peak_rows: usize,
    broken: bool,
}

// SAFETY: the handle is owned by this value alone, every call takes it through `&self` or
// `&mut self` of a type that is not `Sync`, and HiGHS keeps no thread-local state that belongs to a
// model: its task scheduler is created per thread on demand by each run.
unsafe impl Send for Model {}

impl Drop for Model {
    fn drop(&mut self) {
        // SAFETY: the handle came from `Highs_create` and is destroyed once, here.
        unsafe { Highs_destroy(self.handle.as_ptr()) }
    }
}

impl Model {
    pub fn new(problem: &LpProblem) -> Self {
        let mut model = Self::with_columns(&[], &[], &[]);
        model.add_columns(&problem.columns);
        model.add_rows(&problem.rows);
        model
    }

    /// A model without rows; infinite ends of columns do not bind.
    pub fn with_columns(costs: &[f64], lower: &[f64], upper: &[f64]) -> Self {
        // SAFETY: no precondition.
        let handle = unsafe { Highs_create() };
        let mut model = Self {
            handle: NonNull::new(handle).expect("invariant: the LP solver allocates its handle"),
            columns: 0,
            rows: 0,
            peak_rows: 0,
            broken: false,
        };
        model.set_options();
        model.pass_columns(costs, lower, upper);
        model
    }

    fn set_options(&mut self) {
        self.set_flag(c"output_flag", false);
        self.set_flag(c"log_to_console", false);
        // Presolve would discard the basis, and with it warm starts and rays.
        self.set_text(c"presolve", c"off");
        self.set_text(c"solver", c"simplex");
        self.set_text(c"parallel", c"off");
        self.set_int(c"simplex_strategy", DUAL_SIMPLEX);
        self.set_int(c"threads", 1);
        // Rows are coprime integers already; not scaling saves 5 % of a re-solve (`benches/lp.rs`).
        // Switching the cost perturbation off as well saved nothing.
        self.set_int(c"simplex_scale_strategy", 0);
        // Every `i64` is a legal coefficient.
        self.set_number(c"large_matrix_value", 1e19);
        self.set_number(c"primal_feasibility_tolerance", tolerance::LP_FEASIBILITY);
        self.set_number(c"dual_feasibility_tolerance", tolerance::LP_OPTIMALITY);
    }

    /// Appends columns that no row mentions yet.
    pub fn add_columns(&mut self, columns: &[Column]) {
        let number = |pick: fn(&Column) -> i64| -> Vec<f64> {
            let numbers = columns.iter().map(|column| pick(column) as f64);
            numbers.collect()
        };
        self.pass_columns(
            &number(|column| column.cost),
            &number(|column| column.lower),
            &number(|column| column.upper),
        );
    }

    fn pass_columns(&mut self, costs: &[f64], lower: &[f64], upper: &[f64]) {
        assert!(
            lower.len() == costs.len() && upper.len() == costs.len(),
            "invariant: every column has a cost and two ends"
        );
        if costs.is_empty() {
            return;
        }
        let Some(count) = self.size(costs.len()) else {
            return;
        };
        // SAFETY: the three arrays have `count` entries; no nonzero is passed, for which HiGHS
        // takes null arrays.
        let status = unsafe {
            Highs_addCols(
                self.handle.as_ptr(),
                count,
                costs.as_ptr(),
                lower.as_ptr(),
                upper.as_ptr(),
                0,
                null_mut(),
                null_mut(),
                null_mut(),
            )
        };
        self.note(status);
        self.columns += costs.len();
    }

    /// Appends rows in one call: one by one, a large model takes quadratic time.
    pub fn add_rows(&mut self, rows: &[LpRow]) {
        let mut flat = FlatRows::default();
        for row in rows {
            let terms = row.terms.iter().map(|&(column, by)| (column, by as f64));
            flat.push(floats_of(row.sides()), terms);
        }
        self.add_flat_rows(&flat);
    }

    /// As [`Model::add_rows`], in floats.
    pub fn add_flat_rows(&mut self, rows: &FlatRows) {
        let FlatRows {
            lower,
            upper,
            starts,
            index,
            value,
        } = rows;
        if starts.is_empty() {
            return;
        }
        assert!(
            index.iter().all(|&column| (column as usize) < self.columns),
            "invariant: a row names existing columns"
        );
        let (Some(count), Some(nonzeros)) = (self.size(starts.len()), self.size(index.len()))
        else {
            return;
        };
        // SAFETY: the first arrays have `count` entries, the last two `nonzeros`, all column
        // indices exist, and the casts above are exact because `nonzeros` fits.
        let status = unsafe {
            Highs_addRows(
                self.handle.as_ptr(),
                count,
                lower.as_ptr(),
                upper.as_ptr(),
                nonzeros,
                starts.as_ptr(),
                index.as_ptr(),
                value.as_ptr(),
            )
        };
        self.note(status);
        self.rows += starts.len();
        self.peak_rows = self.peak_rows.max(self.rows);
    }

    pub fn delete_rows_from(&mut self, first: usize) {
        if first >= self.rows || self.broken {
            return;
        }
        let (from, to) = (first as HighsInt, self.rows as HighsInt - 1);
        // SAFETY: a live handle; the range is not empty and ends at the last row.
        let status = unsafe { Highs_deleteRowsByRange(self.handle.as_ptr(), from, to) };
        self.note(status);
        self.rows = first;
    }

    pub fn set_column_bounds(&mut self, column: usize, lower: i64, upper: i64) {
        self.set_float_column_bounds(column, lower as f64, upper as f64);
    }

    pub fn set_row_bounds(&mut self, row: usize, sides: RowSides) {
        assert!(row < self.rows, "invariant: the row exists");
        let (lower, upper) = floats_of(sides);
        // SAFETY: a live handle; HiGHS checks the index again.
        let status =
            unsafe { Highs_changeRowBounds(self.handle.as_ptr(), row as HighsInt, lower, upper) };
        self.note(status);
    }

    /// Replaces the sides of all rows at once.
    pub fn set_all_row_bounds(&mut self, lower: &[f64], upper: &[f64]) {
        assert!(
            lower.len() == self.rows && upper.len() == self.rows,
            "invariant: every row has two sides"
        );
        let Some(last) = self.rows.checked_sub(1) else {
            return;
        };
        // SAFETY: a live handle; both arrays have a value for every row of the range.
        let status = unsafe {
            Highs_changeRowsBoundsByRange(
                self.handle.as_ptr(),
                0,
                last as HighsInt,
                lower.as_ptr(),
                upper.as_ptr(),
            )
        };
        self.note(status);
    }

    pub fn set_float_column_bounds(&mut self, column: usize, lower: f64, upper: f64) {
        assert!(column < self.columns, "invariant: the column exists");
        // SAFETY: a live handle; HiGHS checks the index again.
        let status = unsafe {
            Highs_changeColBounds(self.handle.as_ptr(), column as HighsInt, lower, upper)
        };
        self.note(status);
    }

    /// Stops a run when its objective is certainly above `bound`.
    pub fn set_objective_bound(&mut self, bound: f64) {
        self.set_number(c"objective_bound", bound);
    }

    pub fn set_time_limit(&mut self, seconds: f64) {
        self.set_number(c"time_limit", seconds);
    }

    /// Runs the simplex method from whatever basis there is.
    pub fn run(&mut self) -> RunEnd {
        if self.broken {
            return RunEnd::Trouble;
        }
        // SAFETY: a live handle. The clocks are zeroed because the time limit is meant per run and
        // HiGHS counts it over the life of the model.
        let (status, model_status) = unsafe {
            Highs_zeroAllClocks(self.handle.as_ptr());
            let status = Highs_run(self.handle.as_ptr());
            (status, Highs_getModelStatus(self.handle.as_ptr()))
        };
        if status == kHighsStatusError {
            return RunEnd::Trouble;
        }
        match model_status {
            MODEL_STATUS_OPTIMAL | MODEL_STATUS_MODEL_EMPTY => RunEnd::Optimal,
            // A boxed program is not unbounded.
            MODEL_STATUS_INFEASIBLE | MODEL_STATUS_UNBOUNDED_OR_INFEASIBLE => RunEnd::Infeasible,
            MODEL_STATUS_OBJECTIVE_BOUND => RunEnd::ObjectiveBound,
            MODEL_STATUS_REACHED_TIME_LIMIT
            | MODEL_STATUS_REACHED_ITERATION_LIMIT
            | MODEL_STATUS_REACHED_INTERRUPT => RunEnd::Limit,
            _ => RunEnd::Trouble,
        }
    }

    /// Forgets basis, factors and the calling thread's task scheduler; the next run is cold.
    ///
    /// The scheduler is dropped because another model of this thread may have set it up for
    /// another number of threads, and then every run of this one would fail.
    pub fn reset(&mut self) {
        // SAFETY: a live handle; the scheduler is thread-local and no run of this thread is active.
        let status = unsafe {
            Highs_resetGlobalScheduler(1);
            Highs_clearSolver(self.handle.as_ptr())
        };
        self.note(status);
    }

    /// Copies the float solution of the last run.
    pub fn read_floats(&self, floats: &mut Floats) {
        floats.primal.resize(self.columns, 0.0);
        floats.reduced_costs.resize(self.columns, 0.0);
        floats.row_duals.resize(self.peak_rows, 0.0);
        // SAFETY: by the module's invariant the buffers hold any model this handle has had; HiGHS
        // skips null arrays.
        unsafe {
            Highs_getSolution(
                self.handle.as_ptr(),
                floats.primal.as_mut_ptr(),
                floats.reduced_costs.as_mut_ptr(),
                null_mut(),
                floats.row_duals.as_mut_ptr(),
            );
        }
        floats.row_duals.truncate(self.rows);
    }

    /// Copies the ray of an infeasible run, if HiGHS has one at hand.
    pub fn read_ray(&self, ray: &mut Vec<f64>) -> bool {
        let mut known: HighsInt = 0;
        // SAFETY: `known` outlives the call; a null array asks only whether there is a ray. Asking
        // first matters: without a ray HiGHS would silently solve another program to make one.
        unsafe { Highs_getDualRay(self.handle.as_ptr(), &mut known, null_mut()) };
        if known == 0 || self.rows == 0 {
            return false;
        }
        ray.clear();
        ray.resize(self.peak_rows, 0.0);
        // SAFETY: the buffer holds a value for every row.
        let status =
            unsafe { Highs_getDualRay(self.handle.as_ptr(), &mut known, ray.as_mut_ptr()) };
        ray.truncate(self.rows);
        status != kHighsStatusError && known != 0
    }

    pub fn objective(&self) -> f64 {
        // SAFETY: a live handle.
        unsafe { Highs_getObjectiveValue(self.handle.as_ptr()) }
    }

    /// Simplex iterations of the last run.
    pub fn iterations(&self) -> u64 {
        let mut count: HighsInt = 0;
        let name = c"simplex_iteration_count".as_ptr();
        // SAFETY: a live handle, a terminated name of an integer field, and a place for its value.
        unsafe { Highs_getIntInfoValue(self.handle.as_ptr(), name, &mut count) };
        u64::try_from(count).unwrap_or(0)
    }

    /// Lets HiGHS scale the program, for rows whose coefficients differ by orders of magnitude.
    pub fn scale(&mut self) {
        self.set_int(c"simplex_scale_strategy", 2);
    }

    /// The basic variable of every row of the basis: columns, and rows behind them.
    pub fn basic_variables(&self) -> Option<Vec<usize>> {
        let mut basic: Vec<HighsInt> = vec![0; self.peak_rows];
        // SAFETY: by the module's invariant the buffer holds any model this handle has had.
        let status = unsafe { Highs_getBasicVariables(self.handle.as_ptr(), basic.as_mut_ptr()) };
        basic.truncate(self.rows);
        let number = |&at: &HighsInt| match usize::try_from(at) {
            Ok(column) => column,
            Err(_) => self.columns + usize::try_from(-(at + 1)).unwrap_or(0),
        };
        (status != kHighsStatusError).then(|| basic.iter().map(number).collect())
    }

    /// A row of the inverse of the basis: the multipliers that make the tableau's row.
    pub fn basis_inverse_row(&self, row: usize) -> Option<Vec<(usize, f64)>> {
        assert!(row < self.rows, "invariant: the row exists");
        let mut values = vec![0.0; self.peak_rows];
        // SAFETY: a live handle and a row that exists; the buffer holds a value for every row, and
        // HiGHS skips the null arrays of a sparse answer.
        let status = unsafe {
            Highs_getBasisInverseRow(
                self.handle.as_ptr(),
                row as HighsInt,
                values.as_mut_ptr(),
                null_mut(),
                null_mut(),
            )
        };
        let entries = values[..self.rows].iter().copied().enumerate();
        (status != kHighsStatusError).then(|| entries.filter(|(_, by)| *by != 0.0).collect())
    }

    /// Copies the basis of the last run.
    pub fn read_basis(&self, statuses: &mut Statuses) {
        statuses.columns.clear();
        statuses.rows.clear();
        statuses
            .columns
            .resize(self.columns, kHighsBasisStatusLower);
        statuses.rows.resize(self.peak_rows, BASIC);
        // SAFETY: by the module's invariant the buffers hold any model this handle has had.
        unsafe {
            Highs_getBasis(
                self.handle.as_ptr(),
                statuses.columns.as_mut_ptr(),
                statuses.rows.as_mut_ptr(),
            );
        }
        statuses.rows.truncate(self.rows);
    }

    /// Starts the next run from a basis. Rows it does not know enter as basic; `false` if HiGHS
    /// refuses it.
    pub fn write_basis(&mut self, statuses: &mut Statuses) -> bool {
        if statuses.columns.len() != self.columns {
            return false;
        }
        statuses.rows.resize(self.rows, BASIC);
        // SAFETY: one status for every column and every row.
        let status = unsafe {
            Highs_setBasis(
                self.handle.as_ptr(),
                statuses.columns.as_ptr(),
                statuses.rows.as_ptr(),
            )
        };
        status != kHighsStatusError
    }

    fn set_flag(&mut self, name: &CStr, value: bool) {
        // SAFETY: a live handle and a terminated name.
        let status =
            unsafe { Highs_setBoolOptionValue(self.handle.as_ptr(), name.as_ptr(), value.into()) };
        self.note(status);
    }

    fn set_int(&mut self, name: &CStr, value: HighsInt) {
        // SAFETY: a live handle and a terminated name.
        let status = unsafe { Highs_setIntOptionValue(self.handle.as_ptr(), name.as_ptr(), value) };
        self.note(status);
    }

    fn set_number(&mut self, name: &CStr, value: f64) {
        // SAFETY: a live handle and a terminated name.
        let status =
            unsafe { Highs_setDoubleOptionValue(self.handle.as_ptr(), name.as_ptr(), value) };
        self.note(status);
    }

    fn set_text(&mut self, name: &CStr, value: &CStr) {
        // SAFETY: a live handle and two terminated strings.
        let status = unsafe {
            Highs_setStringOptionValue(self.handle.as_ptr(), name.as_ptr(), value.as_ptr())
        };
        self.note(status);
    }

    fn size(&mut self, count: usize) -> Option<HighsInt> {
        let size = HighsInt::try_from(count).ok();
        self.broken |= size.is_none();
        size
    }

    fn note(&mut self, status: HighsInt) {
        self.broken |= status == kHighsStatusError;
    }
}

/// The version of HiGHS that is linked in.
///
/// ```
/// assert!(quip::lp::version().starts_with("1."));
/// ```
pub fn version() -> String {
    // SAFETY: HiGHS returns a static terminated string.
    unsafe { CStr::from_ptr(Highs_version()) }
        .to_string_lossy()
        .into_owned()
}
