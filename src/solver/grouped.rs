//! Before two engines race: programs of two blocks, or with simple replies after them, are tried group by group, by counted work.

use std::sync::Arc;

use super::portfolio::{self, Circumstances};
use super::{Method, Options};
use crate::budget::{Budget, Limits};
use crate::interleave::{Settings, attempt};
use crate::outcome::{Outcome, SolveError, Status, Stop, cost_of_objective};
use crate::program::Program;

/// The answer of the attempt, or that of the race with what the attempt has found.
pub(super) fn solve(
    program: &Program,
    other: Method,
    (options, signal, observer, known): Circumstances<'_>,
) -> Result<Outcome, SolveError> {
    let mut budget = Budget::new(options.limits.clone(), Arc::clone(signal), None);
    let mut settings = Settings::default();
    if !options.portfolio.prices {
        settings.rounds.retain(|round| round.states == 0);
    }
    let tried = match options.portfolio.interleave {
        true => attempt(program, &settings, &mut budget),
        false => None,
    };
    let Some(tried) = tried else {
        return portfolio::solve(program, other, (options, signal, observer, known));
    };
    if tried.status != Status::Interrupted || tried.stop != Some(Stop::Nodes) {
        return Ok(Outcome {
            engine: Some("interleave"),
            ..tried
        });
    }
    let left = Options {
        limits: Limits {
            time: budget.remaining(),
            ..options.limits.clone()
        },
        ..options.clone()
    };
    let mut outcome = portfolio::solve(program, other, (&left, signal, observer, known))?;
    let cost = |bound: &Option<_>| bound.clone().map(|it| cost_of_objective(program, it));
    if outcome.status == Status::Interrupted && cost(&outcome.bound) < cost(&tried.bound) {
        outcome.bound = tried.bound.clone();
    }
    Ok(portfolio::with_probe(program, outcome, tried))
}
