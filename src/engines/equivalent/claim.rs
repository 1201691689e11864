//! The whole program, put to HiGHS through `good_lp`.
//!
//! What comes back is a claim. Only its point is taken, and only after it was put into every row
//! in integers; "infeasible" and "optimal" are not taken at all: `good_lp` says the former also for
//! "unbounded or infeasible", and a float branch and cut can be wrong about both.

use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

use good_lp::solvers::highs::{HighsParallelType, HighsProblem, highs};
use good_lp::{
    Constraint, Expression, ProblemVariables, Solution, SolverModel, constraint, variable,
};

use super::branching::Point;
use crate::budget::Budget;
use crate::lp::LpProblem;
use crate::num::tolerance::nearest_integer;
use crate::outcome::Stop;

/// The best point that HiGHS finds in that time, checked exactly.
pub fn claimed_point(problem: &LpProblem, time_left: Duration) -> Option<Point> {
    if problem.columns.is_empty() || time_left.is_zero() {
        return None;
    }
    let (model, columns) = model_of(problem)?;
    let model = model
        .set_parallel(HighsParallelType::Off)
        // The same thread count as the warm models: one thread cannot run models of two counts.
        .set_threads(1)
        .set_time_limit(time_left.as_secs_f64())
        .set_mip_rel_gap(0.0)
        .ok()?;
    let solution = model.solve().ok()?;
    let floats = columns.iter().map(|&column| solution.value(column));
    let values: Vec<i64> = floats.map(nearest_integer).collect::<Option<_>>()?;
    let cost = problem.objective_at(&values)?;
    let cost = i64::try_from(cost).ok()?;
    (problem.contains(&values)?).then_some(Point { values, cost })
}

/// Like [`claimed_point`], but a limit or a signal of the budget ends the wait at once.
///
/// HiGHS itself cannot be interrupted: it thinks on a thread of its own, which is left to its time
/// limit when nobody waits for it any more.
pub fn claimed_point_within(
    problem: &LpProblem,
    most: Duration,
    budget: &mut Budget,
) -> Result<Option<Point>, Stop> {
    const BETWEEN_LOOKS: Duration = Duration::from_millis(50);
    budget.look()?;
    let time = budget.remaining().map_or(most, |left| left.min(most));
    let (send, receive) = mpsc::channel();
    let asked = problem.clone();
    // Nobody may be listening any more when the answer comes.
    std::thread::spawn(move || send.send(claimed_point(&asked, time)).ok());
    loop {
        match receive.recv_timeout(BETWEEN_LOOKS) {
            Ok(point) => return Ok(point),
            Err(RecvTimeoutError::Timeout) => budget.look()?,
            Err(RecvTimeoutError::Disconnected) => return Ok(None),
        }
    }
}

fn model_of(problem: &LpProblem) -> Option<(HighsProblem, Vec<good_lp::Variable>)> {
    let mut variables = ProblemVariables::new();
    let columns: Vec<_> = problem
        .columns
        .iter()
        .map(|column| {
            let whole = variable().integer();
            variables.add(whole.min(column.lower as f64).max(column.upper as f64))
        })
        .collect();
    let mut objective = Expression::with_capacity(columns.len());
    for (column, &name) in problem.columns.iter().zip(&columns) {
        if column.cost != 0 {
            objective.add_mul(column.cost as f64, name);
        }
    }
    let mut model = variables.minimise(objective).using(highs);
    for row in &problem.rows {
        if row.terms.is_empty() {
            // HiGHS may drop a row without columns; the exact check knows it.
            continue;
        }
        let mut sum = Expression::with_capacity(row.terms.len());
        for &(at, by) in &row.terms {
            sum.add_mul(by as f64, columns[at]);
        }
        for side in sides(&sum, row.lower, row.upper) {
            model.add_constraint(side);
        }
    }
    Some((model, columns))
}

fn sides(sum: &Expression, lower: Option<i64>, upper: Option<i64>) -> Vec<Constraint> {
    match (lower, upper) {
        (Some(low), Some(up)) if low == up => vec![constraint!(sum.clone() == low as f64)],
        _ => {
            let low = lower.map(|low| constraint!(sum.clone() >= low as f64));
            let up = upper.map(|up| constraint!(sum.clone() <= up as f64));
            low.into_iter().chain(up).collect()
        }
    }
}
