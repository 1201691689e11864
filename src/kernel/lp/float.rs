//! Rational linear programs with a float solver for advice.
//!
//! HiGHS solves the program in floats and keeps its model warm. What it says is used in one way
//! only: the *basis* it ends with, or the ray of an infeasible program, is computed again in
//! rationals and taken if it proves itself. Where it does not, the exact simplex solves the program
//! from the beginning. Bases that were proved are tried again before the float solver is asked.
//!
//! **Invariant:** every answer passes [`Answer::is_proved_for`]; floats change only how long it
//! takes to find.

use super::basis::{ProvedBasis, farkas_proof};
use super::flat::{FlatRows, RunEnd};
use super::highs::{Model, Statuses};
use super::simplex::{Answer, LinearProgram};
use crate::budget::Budget;
use crate::num::{Rational, approximate};
use crate::outcome::Stop;
use crate::program::{Bounds, Id, IdVec, Row, RowId, VarId};

/// A linear program that is solved again and again, exactly, while sides change and rows come.
///
/// ```
/// use quip::budget::Budget;
/// use quip::lp::WarmLp;
/// use quip::lp::simplex::{Answer, LinearProgram};
/// use quip::num::{int, ratio};
/// use quip::program::{Bounds, Id, IdVec, Row, VarId};
///
/// // minimize -x - y  subject to  x + 2y <= 4,  0 <= x, y <= 3
/// let (x, y) = (VarId::new(0), VarId::new(1));
/// let mut warm = WarmLp::new(&LinearProgram {
///     objective: vec![(x, int(-1)), (y, int(-1))],
///     bounds: IdVec::filled(2, Bounds::between(int(0), int(3))),
///     rows: IdVec::from_vec(vec![Row::at_most(vec![(x, int(1)), (y, int(2))], int(4))]),
/// });
/// let budget = &mut Budget::unlimited();
/// let answer = warm.solve(budget).unwrap();
/// assert!(matches!(answer, Answer::Optimal { value, .. } if value == ratio(-7, 2)));
///
/// warm.add_row(Row::at_most(vec![(x, int(3)), (y, int(1))], int(6)));
/// let answer = warm.solve(budget).unwrap();
/// assert!(matches!(answer, Answer::Optimal { value, .. } if value == ratio(-14, 5)));
/// ```
#[derive(Debug)]
pub struct WarmLp {
    program: LinearProgram,
    model: Model,
    statuses: Statuses,
    ray: Vec<f64>,
    lower: Vec<f64>,
    upper: Vec<f64>,
    /// Whether the float model has not seen the present sides.
    sides_changed: bool,
    /// Proved bases, the one that was right last first.
    bases: Vec<ProvedBasis>,
    counts: WarmCounts,
}

/// Bases that are kept. Trying one that does not fit costs a tenth of asking the float solver.
const MAX_BASES: usize = 8;

/// What a [`WarmLp`] has done.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct WarmCounts {
    /// Calls of [`WarmLp::solve`].
    pub solves: u64,
    /// Solves that a basis of an earlier one settled.
    pub by_known_basis: u64,
    /// Solves that the float's advice did not settle.
    pub by_simplex: u64,
}

impl WarmLp {
    /// The program, ready to be solved.
    pub fn new(program: &LinearProgram) -> Self {
        let mut costs = vec![0.0; program.bounds.len()];
        for (column, factor) in &program.objective {
            costs[column.index()] += approximate(factor);
        }
        let ends: Vec<(f64, f64)> = program.bounds.iter().map(float_ends).collect();
        let lower: Vec<f64> = ends.iter().map(|ends| ends.0).collect();
        let upper: Vec<f64> = ends.iter().map(|ends| ends.1).collect();
        let mut warm = Self {
            model: Model::with_columns(&costs, &lower, &upper),
            program: LinearProgram {
                rows: IdVec::default(),
                ..program.clone()
            },
            statuses: Statuses::default(),
            ray: Vec::new(),
            lower: Vec::new(),
            upper: Vec::new(),
            sides_changed: false,
            bases: Vec::new(),
            counts: WarmCounts::default(),
        };
        warm.add_rows(program.rows.iter().cloned().collect());
        warm
    }

    /// The program as it is now.
    pub fn program(&self) -> &LinearProgram {
        &self.program
    }

    /// Appends a row.
    pub fn add_row(&mut self, row: Row) -> RowId {
        self.add_rows(vec![row]);
        RowId::new(self.program.rows.len() - 1)
    }

    fn add_rows(&mut self, rows: Vec<Row>) {
        let mut flat = FlatRows::default();
        for row in rows {
            let sides = float_sides(&row);
            let terms = row.terms.iter();
            flat.push(
                sides,
                terms.map(|(column, by)| (column.index(), approximate(by))),
            );
            self.lower.push(sides.0);
            self.upper.push(sides.1);
            self.program.rows.push(row);
        }
        self.model.add_flat_rows(&flat);
    }

    /// Replaces the sides of a row. A side that is there stays there, and an absent one absent.
    pub fn set_sides(&mut self, row: RowId, lower: Option<Rational>, upper: Option<Rational>) {
        let target = &mut self.program.rows[row];
        debug_assert!(
            target.lower.is_some() == lower.is_some() && target.upper.is_some() == upper.is_some(),
            "invariant: sides move, they do not come or go"
        );
        (target.lower, target.upper) = (lower, upper);
        self.sides_changed = true;
    }

    /// Replaces the range of a column.
    pub fn set_bounds(&mut self, column: VarId, bounds: Bounds) {
        if self.program.bounds[column] == bounds {
            return;
        }
        let (lower, upper) = float_ends(&bounds);
        self.model
            .set_float_column_bounds(column.index(), lower, upper);
        self.program.bounds[column] = bounds;
        // Columns rest at other places now.
        self.bases.clear();
    }

    /// Solves exactly; ends early only when the budget says so.
    pub fn solve(&mut self, budget: &mut Budget) -> Result<Answer, Stop> {
        self.counts.solves += 1;
        if let Some(answer) = self.by_known_basis() {
            self.counts.by_known_basis += 1;
            return Ok(answer);
        }
        if let Some(answer) = self.advised(budget)? {
            return Ok(answer);
        }
        self.counts.by_simplex += 1;
        self.program.solve(budget)
    }

    fn by_known_basis(&mut self) -> Option<Answer> {
        let program = &self.program;
        let mut tried = self.bases.iter().enumerate();
        let (place, answer) =
            tried.find_map(|(place, basis)| Some((place, basis.optimum(program)?)))?;
        self.bases[..=place].rotate_right(1);
        Some(answer)
    }

    /// What was done so far.
    pub fn counts(&self) -> WarmCounts {
        self.counts
    }

    /// The answer that the float solver points at, if it proves itself.
    fn advised(&mut self, budget: &mut Budget) -> Result<Option<Answer>, Stop> {
        if self.program.bounds.is_empty() {
            return Ok(None);
        }
        self.pass_sides();
        if let Some(left) = budget.remaining() {
            self.model.set_time_limit(left.as_secs_f64());
        }
        let mut end = self.model.run();
        if end == RunEnd::Trouble {
            self.model.reset();
            end = self.model.run();
        }
        Ok(match end {
            RunEnd::Optimal => {
                self.model.read_basis(&mut self.statuses);
                self.prove_basis(budget)?
            }
            RunEnd::Infeasible if self.model.read_ray(&mut self.ray) => {
                farkas_proof(&self.program, &self.ray)
            }
            RunEnd::Limit => {
                budget.look()?;
                None
            }
            _ => None,
        })
    }
}

impl WarmLp {
    /// Shows the float model where the sides are now.
    fn pass_sides(&mut self) {
        if !self.sides_changed {
            return;
        }
        self.sides_changed = false;
        for (place, row) in self.program.rows.iter().enumerate() {
            (self.lower[place], self.upper[place]) = float_sides(row);
        }
        self.model.set_all_row_bounds(&self.lower, &self.upper);
    }

    /// The optimum of the float solver's basis, which is then kept.
    fn prove_basis(&mut self, budget: &mut Budget) -> Result<Option<Answer>, Stop> {
        let basis = ProvedBasis::new(&self.program, &self.statuses, budget)?;
        let Some(basis) = basis else {
            return Ok(None);
        };
        let answer = basis.optimum(&self.program);
        if answer.is_some() {
            self.bases.truncate(MAX_BASES - 1);
            self.bases.insert(0, basis);
        }
        Ok(answer)
    }
}

fn float_ends(bounds: &Bounds) -> (f64, f64) {
    float_pair(bounds.lower.as_ref(), bounds.upper.as_ref())
}

fn float_sides(row: &Row) -> (f64, f64) {
    float_pair(row.lower.as_ref(), row.upper.as_ref())
}

fn float_pair(lower: Option<&Rational>, upper: Option<&Rational>) -> (f64, f64) {
    (
        lower.map_or(f64::NEG_INFINITY, approximate),
        upper.map_or(f64::INFINITY, approximate),
    )
}
