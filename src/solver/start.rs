//! A solve that begins with decisions somebody has: their worth is found out first, and is the strategy to
//! beat.
//!
//! **Invariant:** what the decisions are worth is proved like any other answer, so they may be anybody's.

use std::sync::Arc;

use super::{Known, Options, Solver, fixed};
use crate::budget::{Budget, Limits};
use crate::outcome::{Effort, Move, Outcome, SolveError, Status};
use crate::program::{Program, cost_of_objective};

/// Of a time limit, what finding out the worth of the start may take.
const SHARE: u32 = 4;

/// An answer, and what its start was worth.
#[derive(Clone, Debug)]
pub struct Started {
    /// The answer to the program.
    pub outcome: Outcome,
    /// The answer to the program in which the start is decided.
    pub start: Outcome,
}

/// Solves a program with decisions to begin with.
///
/// ```
/// use quip::format::parse_qip;
/// use quip::num::int;
/// use quip::solver::{Options, Solver, solve_from};
///
/// let program = parse_qip(
///     "minimize x + 3 z subject to x + z >= y
///      prefix exists integer x in [0, 9] forall integer y in [0, 4] exists integer z in [0, 9] end",
/// )?;
/// let start = [(program.find("x").unwrap(), int(2))];
/// let started = solve_from(Solver::new(Options::default()), &program, &start)?;
/// assert_eq!(started.start.objective, Some(int(8)));
/// assert_eq!(started.outcome.objective, Some(int(4)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn solve_from(
    solver: Solver,
    program: &Program,
    start: &[Move],
) -> Result<Started, SolveError> {
    let mut clock = Budget::new(
        solver.options.limits.clone(),
        Arc::clone(&solver.signal),
        None,
    );
    let limits = Limits {
        time: solver.options.limits.time.map(|time| time / SHARE),
        enough: None,
        ..solver.options.limits.clone()
    };
    let options = Options {
        limits,
        certificate: false,
        target: None,
        decide: false,
        ..solver.options.clone()
    };
    let begun = fixed(program, start);
    let begun = Solver::new(options)
        .with_signal(Arc::clone(&solver.signal))
        .solve(&begun)?;
    clock.count_nodes(begun.effort.nodes);
    let Solver { mut options, .. } = solver;
    options.limits = Limits {
        enough: options.limits.enough,
        ..clock.left()
    };
    let known = Known {
        objective: begun.objective.clone(),
        bound: None,
    };
    let solver = Solver { options, ..solver }.with_known(known);
    let outcome = solver.solve(program)?;
    Ok(Started {
        outcome: better(program, outcome, &begun),
        start: begun,
    })
}

/// The answer, with the start's strategy where that is the better one, or the one that it is about.
fn better(program: &Program, mut outcome: Outcome, start: &Outcome) -> Outcome {
    let Some(value) = &start.objective else {
        return outcome;
    };
    let cost = |outcome: &Outcome| {
        let objective = outcome.objective.clone();
        objective.map(|value| cost_of_objective(program, value))
    };
    let is_open = matches!(outcome.status, Status::Interrupted | Status::GoodEnough);
    let is_worse = match (cost(&outcome), cost(start)) {
        (Some(own), Some(other)) => own > other,
        (own, _) => own.is_none(),
    };
    let lacks_play = outcome.first_stage.is_empty() && outcome.objective.as_ref() == Some(value);
    if (is_open && is_worse) || lacks_play {
        outcome.objective.clone_from(&start.objective);
        outcome.first_stage.clone_from(&start.first_stage);
        outcome
            .principal_variation
            .clone_from(&start.principal_variation);
        outcome.approached.clone_from(&start.approached);
        outcome.strategy.clone_from(&start.strategy);
    }
    let spent = start.effort;
    outcome.effort = Effort {
        nodes: outcome.effort.nodes + spent.nodes,
        lps: outcome.effort.lps + spent.lps,
        learnt: outcome.effort.learnt + spent.learnt,
    };
    outcome
}
