//! The LP that remains when the universal player commits to one scenario.
//!
//! **Why it is a bound.** The universal player may commit to any legal values of his remaining
//! variables. Against a committed opponent the existential player faces an integer program, whose
//! LP relaxation costs at most what he must pay. Universal variables that are left with a range
//! are granted to the existential player, which only lowers the bound further.

use std::time::Duration;

use num_traits::ToPrimitive;

use crate::lp::{
    Basis, Column, DualProof, ExactRows, LpProblem, LpRow, LpSolver, LpVerdict, Region, RowSides,
};
use crate::program::{Id, Program, Quantifier, RowId, ScalingError, VarId};
use crate::propagate::{Inequalities, Store};

/// What a relaxation proves about the cost of a position, in the objective's integers.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Bound {
    /// No play costs less.
    AtLeast(i64),
    /// No play satisfies the existential rows.
    Infeasible,
    /// Nothing was proved.
    Unknown,
}

/// What was asked and what came of it.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct ScenarioCounts {
    /// Linear programs solved.
    pub solves: u64,
    /// Simplex iterations in them.
    pub iterations: u64,
    /// The float would have pruned, the exact proof did not.
    pub unproved: u64,
}

/// See the module.
#[derive(Debug)]
pub struct ScenarioLp {
    solver: LpSolver,
    rows: ExactRows,
    sides: Vec<RowSides>,
    lower: Vec<i64>,
    upper: Vec<i64>,
    proof: DualProof,
    counts: ScenarioCounts,
}

impl ScenarioLp {
    /// The existential rows over all variables, at the costs of the objective inequality.
    pub fn new(
        program: &Program,
        inequalities: &Inequalities,
        store: &Store,
    ) -> Result<Self, ScalingError> {
        let variables = program.variables().ids();
        let columns = variables.map(|var| Column {
            cost: 0,
            lower: store.lower(var),
            upper: store.upper(var),
        });
        let mut columns: Vec<_> = columns.collect();
        for entry in inequalities.terms(inequalities.objective()) {
            columns[entry.at.index()].cost = entry.coefficient;
        }
        let rows = program.scaled_system(Quantifier::Exists)?;
        let problem = LpProblem {
            columns,
            rows: rows.iter().map(LpRow::from).collect(),
        };
        let rows = ExactRows::new(&problem);
        let solver = match rows.is_wide() {
            true => LpSolver::scaled(&problem),
            false => LpSolver::new(&problem),
        };
        Ok(Self {
            solver,
            rows,
            sides: problem.rows.iter().map(LpRow::sides).collect(),
            lower: problem.columns.iter().map(|column| column.lower).collect(),
            upper: problem.columns.iter().map(|column| column.upper).collect(),
            proof: DualProof::default(),
            counts: ScenarioCounts::default(),
        })
    }

    /// Restricts a variable for the next solve.
    pub fn set_box(&mut self, var: VarId, lower: i64, upper: i64) {
        let column = var.index();
        if (self.lower[column], self.upper[column]) != (lower, upper) {
            (self.lower[column], self.upper[column]) = (lower, upper);
            self.solver.set_column_bounds(column, lower, upper);
        }
    }

    /// Solves, and proves what the solution says. Costs of `limit` and more are all alike.
    pub fn solve(&mut self, limit: Option<i64>, time_left: Option<Duration>) -> Bound {
        self.counts.solves += 1;
        self.solver.set_cutoff(limit.map(|limit| limit as f64));
        let region = Region {
            lower: &self.lower,
            upper: &self.upper,
            sides: &self.sides,
        };
        match self.solver.solve(time_left) {
            LpVerdict::Optimal | LpVerdict::CutOff => {
                let bound = self
                    .proof
                    .fine_bound(&self.rows, region, self.solver.row_duals());
                let bound = bound.and_then(|bound| bound.ceil().to_i64());
                let claimed = self.solver.objective();
                let would_prune = limit.is_some_and(|limit| claimed >= limit as f64 - 0.5);
                if would_prune && bound.is_none_or(|bound| limit.is_some_and(|l| bound < l)) {
                    self.counts.unproved += 1;
                }
                bound.map_or(Bound::Unknown, Bound::AtLeast)
            }
            LpVerdict::Infeasible => {
                let ray = self.solver.farkas_ray();
                let proved =
                    ray.is_some_and(|ray| self.proof.proves_infeasible(&self.rows, region, ray));
                if proved {
                    return Bound::Infeasible;
                }
                self.counts.unproved += 1;
                Bound::Unknown
            }
            LpVerdict::Stopped | LpVerdict::Failed => Bound::Unknown,
        }
    }

    /// The solution, as floats: advice for the order of moves.
    pub fn primal(&self) -> &[f64] {
        self.solver.primal()
    }

    /// How much the cost rises, at least, for each step that the variable moves away from the end
    /// that the last bound prefers, in units of 2⁻³⁰ and signed: positive prefers the lower end.
    pub fn reduced_cost(&self, var: VarId) -> i128 {
        self.proof.reduced_costs()[var.index()]
    }

    /// Whether the multipliers of the last bound are in other units than its reduced costs, so that
    /// they make no row together.
    pub fn is_in_other_units(&self) -> bool {
        self.proof.is_in_other_units()
    }

    /// What the exact proof behind the last answer came to: a cost in units of 2⁻³⁰, or by how much the
    /// rows of an infeasible program miss each other.
    pub fn proved(&self) -> i128 {
        self.proof.value()
    }

    /// How often the exact proof behind the last answer takes each row, in units of 2⁻³⁰ or, of an
    /// infeasible program, in its own: the lower side if positive.
    pub fn multipliers(&self) -> impl Iterator<Item = (RowId, i64)> + '_ {
        let multipliers = self.proof.multipliers().iter();
        multipliers.map(|&(row, times)| (RowId::new(row), times))
    }

    /// The basis of the last solve.
    pub fn save_basis(&self) -> Basis {
        self.solver.save_basis()
    }

    /// Starts the next solve there.
    pub fn restore_basis(&mut self, basis: &Basis) {
        self.solver.restore_basis(basis);
    }

    /// What was asked so far.
    pub fn counts(&self) -> ScenarioCounts {
        ScenarioCounts {
            iterations: self.solver.counters().iterations,
            ..self.counts
        }
    }
}
