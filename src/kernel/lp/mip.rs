//! A whole mixed-integer program, solved once.
//!
//! For masters and heuristics that want one good answer rather than a thousand small ones. What
//! comes back is **a claim, never a proof**: the point is a suggestion until
//! [`MipClaim::verified_point`] has put it into the rows in integers, and the bound and
//! "infeasible" are what a float branch and cut believes. Wrong claims of both kinds are known.

use std::time::Duration;

use highs::{HighsModelStatus, HighsSolutionStatus, RowProblem, Sense};

use super::problem::LpProblem;
use crate::num::tolerance::nearest_integer;

/// What the solver believes about a mixed-integer program.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum MipVerdict {
    /// The point is optimal.
    Optimal,
    /// There is no point.
    Infeasible,
    /// The time was over; there may be a point and there is a bound.
    Stopped,
    /// The solver refused the program or gave up.
    Failed,
}

/// An unproved answer.
#[derive(Clone, Debug, PartialEq)]
pub struct MipClaim {
    /// What the solver believes.
    pub verdict: MipVerdict,
    /// The best point it has, one value for every column.
    pub point: Option<Vec<f64>>,
    /// Below what it believes no point to be; −∞ when it knows nothing.
    pub bound: f64,
}

impl MipClaim {
    fn without_point(verdict: MipVerdict) -> Self {
        Self {
            verdict,
            point: None,
            bound: f64::NEG_INFINITY,
        }
    }

    /// The point in integers and its exact cost, if it is near integers that satisfy every row.
    ///
    /// This part is a proof: the point exists and costs that much. It is meant for programs without
    /// real columns.
    pub fn verified_point(&self, problem: &LpProblem) -> Option<(Vec<i64>, i128)> {
        let floats = self.point.as_ref()?.iter();
        let point: Vec<i64> = floats
            .map(|&value| nearest_integer(value))
            .collect::<Option<_>>()?;
        let cost = problem.objective_at(&point)?;
        (problem.contains(&point)?).then_some((point, cost))
    }
}

/// Solves `problem` with column `j` integer where `integer[j]`, until optimal without any gap or
/// until the time is over.
///
/// ```
/// use quip::lp::{Column, LpProblem, LpRow, mip};
/// let column = Column { cost: -1, lower: 0, upper: 5 };
/// let row = LpRow { terms: vec![(0, 2), (1, 3)], lower: None, upper: Some(12) };
/// let problem = LpProblem { columns: vec![column; 2], rows: vec![row] };
///
/// let claim = mip::solve_once(&problem, &[true, true], None);
/// assert_eq!(claim.verdict, mip::MipVerdict::Optimal);
/// let (_, cost) = claim.verified_point(&problem).unwrap();
/// assert_eq!(cost, -5);
/// ```
pub fn solve_once(problem: &LpProblem, integer: &[bool], time_left: Option<Duration>) -> MipClaim {
    assert_eq!(
        integer.len(),
        problem.columns.len(),
        "invariant: every column is integer or not"
    );
    if time_left.is_some_and(|left| left.is_zero()) {
        return MipClaim::without_point(MipVerdict::Stopped);
    }
    match run(problem, integer, time_left) {
        Some(solved) => claim_of(&solved, integer),
        None => MipClaim::without_point(MipVerdict::Failed),
    }
}

fn run(
    problem: &LpProblem,
    integer: &[bool],
    time_left: Option<Duration>,
) -> Option<highs::SolvedModel> {
    let mut builder = RowProblem::default();
    let mut columns = Vec::with_capacity(problem.columns.len());
    for (column, &whole) in problem.columns.iter().zip(integer) {
        let range = column.lower as f64..=column.upper as f64;
        columns.push(builder.add_column_with_integrality(column.cost as f64, range, whole));
    }
    for row in &problem.rows {
        let lower = row.lower.map_or(f64::NEG_INFINITY, |side| side as f64);
        let upper = row.upper.map_or(f64::INFINITY, |side| side as f64);
        let terms = row.terms.iter();
        let factors: Vec<_> = terms.map(|&(at, by)| (columns[at], by as f64)).collect();
        builder.add_row(lower..=upper, factors);
    }
    let mut model = builder.try_optimise(Sense::Minimise).ok()?;
    model.make_quiet();
    // The same thread count as the warm models: one thread cannot run models of two counts.
    model.try_set_option("threads", 1).ok()?;
    model.try_set_option("parallel", "off").ok()?;
    model.try_set_option("mip_rel_gap", 0.0).ok()?;
    model.try_set_option("mip_abs_gap", 0.0).ok()?;
    if let Some(left) = time_left {
        model
            .try_set_option("time_limit", left.as_secs_f64())
            .ok()?;
    }
    model.try_solve().ok()
}

fn claim_of(solved: &highs::SolvedModel, integer: &[bool]) -> MipClaim {
    let verdict = match solved.status() {
        HighsModelStatus::Optimal | HighsModelStatus::ModelEmpty => MipVerdict::Optimal,
        HighsModelStatus::Infeasible | HighsModelStatus::UnboundedOrInfeasible => {
            MipVerdict::Infeasible
        }
        HighsModelStatus::ReachedTimeLimit
        | HighsModelStatus::ReachedIterationLimit
        | HighsModelStatus::ReachedSolutionLimit
        | HighsModelStatus::ReachedInterrupt
        | HighsModelStatus::ReachedMemoryLimit => MipVerdict::Stopped,
        _ => MipVerdict::Failed,
    };
    let found = solved.primal_solution_status() == HighsSolutionStatus::Feasible
        || solved.status() == HighsModelStatus::ModelEmpty;
    let believed = if integer.contains(&true) {
        solved.double_info_value(c"mip_dual_bound").ok()
    } else {
        (verdict == MipVerdict::Optimal).then(|| solved.objective_value())
    };
    MipClaim {
        verdict,
        point: found.then(|| solved.get_solution().columns().to_vec()),
        bound: believed
            .filter(|bound| !bound.is_nan())
            .unwrap_or(f64::NEG_INFINITY),
    }
}
