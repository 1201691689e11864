//! Proofs of answers that the engine itself has not proved: found again by one that leaves proofs.

use super::Options;
use crate::budget::{Budget, Limits};
use crate::certify::certify;
use crate::outcome::{Outcome, SolveError, Status, cost_of_objective};
use crate::program::Program;
use crate::strategy::Certificate;
use crate::{benders, qbf, reference, search};

/// Sets the certificate of an outcome, or the reason why there is none.
///
/// A search that knows the value proves programs of integers. Real replies are decomposed again,
/// and what is left is enumerated. The positions that this takes are added to the effort.
pub(super) fn prove(
    program: &Program,
    options: &Options,
    outcome: &mut Outcome,
    budget: &mut Budget,
) -> Result<(), SolveError> {
    let missing = |outcome: &Outcome| !matches!(outcome.certificate, Some(Ok(_)));
    if search::accepts(program) || program.first_empty_domain().is_some() {
        search::prove(program, &options.search, outcome, budget)?;
    }
    if missing(outcome) && benders::accepts(program) {
        let again = benders::solve_with_certificate(program, &options.benders, budget)?;
        take(program, outcome, again);
    }
    if missing(outcome)
        && outcome.status != Status::Interrupted
        && let Ok(mut again) = reference::solve(program, budget)
    {
        let made = certify(program, &again, budget);
        again.certificate = Some(made.map_err(|error| error.to_string()));
        take(program, outcome, again);
    }
    outcome.effort.nodes = outcome.effort.nodes.max(budget.nodes());
    Ok(())
}

/// Positions in which search may find a formula's proof, before the clausal engine does move by move.
const POSITIONS_OF_A_FORMULA: u64 = 20_000;

/// Proves who wins a formula. Search shares more and is asked first, but not for long: formulas are what
/// it is not good at.
pub(super) fn prove_formula(
    program: &Program,
    options: &Options,
    outcome: &mut Outcome,
    budget: &mut Budget,
) -> Result<(), SolveError> {
    let mut part = budget.part(Limits {
        nodes: Some(POSITIONS_OF_A_FORMULA),
        time: budget.remaining(),
        memory: options.limits.memory,
    });
    search::prove(program, &options.search, outcome, &mut part)?;
    if !matches!(outcome.certificate, Some(Ok(_))) {
        qbf::prove(program, &options.clausal, outcome, budget);
    }
    Ok(())
}

/// Takes what another engine has proved, if it is the same answer.
fn take(program: &Program, outcome: &mut Outcome, again: Outcome) {
    let same = again.status == outcome.status && again.objective == outcome.objective;
    match again.certificate {
        Some(made) if same => outcome.certificate = Some(made),
        Some(Ok(made)) if outcome.status == Status::Interrupted => {
            bounds_of(program, outcome, made);
        }
        _ => {}
    }
}

/// An interrupted run reports the bounds that another one has proved.
fn bounds_of(program: &Program, outcome: &mut Outcome, mut made: Certificate) {
    let value = |side: &Option<crate::strategy::Evidence>| {
        let cost = side.as_ref()?.guarantee.cost()?.clone();
        Some(cost_of_objective(program, cost))
    };
    outcome.objective = value(&made.strategy);
    outcome.bound = value(&made.refutation);
    made.status = outcome.status.to_string();
    made.value = None;
    outcome.certificate = Some(Ok(made));
}
