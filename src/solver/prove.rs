//! Proofs of answers that the engine itself has not proved: found again by one that leaves proofs.

use std::sync::Arc;
use std::time::Duration;

use super::{Options, fixed, settings_of_trees};
use crate::budget::{Budget, Limits};
use crate::certify::certify;
use crate::outcome::{CertificateError, Outcome, SolveError, Status, cost_of_objective};
use crate::program::Program;
use crate::strategy::Certificate;
use crate::{benders, equivalent, qbf, reference, search};

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
        proved_again(outcome, |it| {
            search::prove(program, &options.search, it, budget)
        })?;
    }
    if missing(outcome) && benders::accepts(program) {
        let again = benders::solve_with_certificate(program, &options.benders, budget)?;
        proved_again(outcome, |it| take(program, it, again))?;
    }
    if missing(outcome) && (equivalent::is_mixed(program) || equivalent::is_long(program)) {
        let settings = settings_of_trees(options);
        let mut grace = Budget::new(
            Limits {
                time: Some(GRACE),
                memory: options.limits.memory,
                ..Limits::default()
            },
            Arc::default(),
            None,
        );
        let budget = match outcome.status {
            Status::Interrupted => &mut grace,
            _ => &mut *budget,
        };
        // What was answered in shorter numbers has left no plan of the program itself; its first moves
        // are known.
        let is_open = outcome.status == Status::Interrupted;
        if equivalent::is_long(program) && outcome.strategy.is_none() && !is_open {
            let begun = fixed(program, &outcome.first_stage);
            let again = equivalent::solve_long(&begun, &settings, budget);
            let answer = (outcome.status, &outcome.objective);
            if let Ok(again) = again
                && (again.status, &again.objective) == answer
            {
                outcome.strategy = again.strategy;
            }
        }
        proved_again(outcome, |it| {
            it.certificate = Some(equivalent::prove_mixed(program, &settings, it, budget));
            Ok(())
        })?;
    }
    if missing(outcome)
        && outcome.status != Status::Interrupted
        && let Ok(mut again) = reference::solve(program, budget)
    {
        let made = certify(program, &again, budget);
        again.certificate = Some(made);
        proved_again(outcome, |it| take(program, it, again))?;
    }
    outcome.certificate.get_or_insert_with(|| {
        let reason = "no engine that leaves proofs takes it".to_owned();
        Err(CertificateError::Unsupported(reason))
    });
    outcome.effort.nodes = outcome.effort.nodes.max(budget.nodes());
    Ok(())
}

/// How long proving what an interrupted run of a mixed program has found may take.
const GRACE: Duration = Duration::from_millis(500);

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
        ..Limits::default()
    });
    proved_again(outcome, |it| {
        search::prove(program, &options.search, it, &mut part)
    })?;
    if !matches!(outcome.certificate, Some(Ok(_))) {
        proved_again(outcome, |it| {
            qbf::prove(program, &options.clausal, it, budget);
            Ok(())
        })?;
    }
    Ok(())
}

/// Positions that proving an answer about gates before reals may take.
const POSITIONS_OF_GATES: u64 = 50_000;

/// Proves an answer that was found without the gates of the program: by the definition, where that is not too
/// much. Refutations by plays do not speak of rules that depend on decisions.
pub(super) fn prove_gated(
    program: &Program,
    outcome: &mut Outcome,
    budget: &mut Budget,
) -> Result<(), SolveError> {
    let mut part = budget.part(Limits {
        nodes: Some(POSITIONS_OF_GATES),
        time: budget.remaining(),
        ..Limits::default()
    });
    let mut again = reference::solve(program, &mut part)?;
    if again.status == Status::Interrupted {
        let reason = "rules of the opponent depend on decisions, and replies are real";
        outcome.certificate = Some(Err(CertificateError::Unsupported(reason.into())));
        return Ok(());
    }
    let made = certify(program, &again, budget);
    again.certificate = Some(made);
    proved_again(outcome, |it| take(program, it, again))
}

/// Lets another engine set the certificate. A fault that was found before is hidden by a proof, and
/// never by a proof that was not finished.
fn proved_again(
    outcome: &mut Outcome,
    prove: impl FnOnce(&mut Outcome) -> Result<(), SolveError>,
) -> Result<(), SolveError> {
    let before = outcome.certificate.take();
    prove(outcome)?;
    let keeps = match (&before, &outcome.certificate) {
        (_, Some(Ok(_))) => false,
        (Some(Err(fault)), _) => fault.is_fault(),
        (_, now) => now.is_none(),
    };
    if keeps {
        outcome.certificate = before;
    }
    Ok(())
}

/// Takes what another engine has proved, if it is the same answer; two that differ are a fault.
fn take(program: &Program, outcome: &mut Outcome, again: Outcome) -> Result<(), SolveError> {
    let same = again.status == outcome.status && again.objective == outcome.objective;
    let is_open = |it: &Outcome| it.status == Status::Interrupted;
    if !same && !is_open(outcome) && !is_open(&again) {
        let said = format!("{}, and another engine {}", outcome.status, again.status);
        outcome.certificate = Some(Err(CertificateError::Wrong(said)));
        return Ok(());
    }
    match again.certificate {
        Some(made) if same => outcome.certificate = Some(made),
        Some(Ok(made)) if outcome.status == Status::Interrupted => {
            bounds_of(program, outcome, made);
        }
        Some(Err(error)) => outcome.certificate = Some(Err(error)),
        // What was stopped has proved its bounds at most, and not an answer.
        _ => outcome.certificate = again.stop.map(|stop| Err(stop.into())),
    }
    Ok(())
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::parse_qip;
    use crate::num::int;
    use crate::outcome::{Score, Stop};

    const MODELS: [&str; 2] = [
        "minimize x subject to x >= y prefix forall integer y in [0, 2] exists integer x in [0, 5] end",
        "minimize x subject to x >= y prefix forall real y in [0, 2] exists real x in [0, 5] end",
    ];

    #[test]
    fn a_wrong_answer_is_a_fault_and_not_a_matter_of_time() {
        for text in MODELS {
            let program = parse_qip(text).unwrap();
            for score in [Score::Cost(int(1)), Score::Cost(int(3)), Score::Lost] {
                let mut outcome = Outcome::proved(&program, &score);
                let budget = &mut Budget::unlimited();
                prove(&program, &Options::default(), &mut outcome, budget).unwrap();
                let fault = outcome.certificate.unwrap().unwrap_err();
                assert!(fault.is_fault(), "{text} {score:?}: {fault}");
            }
        }
    }

    #[test]
    fn a_wrong_report_of_an_interrupted_run_is_a_fault() {
        let program = parse_qip(MODELS[0]).unwrap();
        for (objective, bound) in [(Some(int(1)), None), (None, Some(int(3)))] {
            let mut outcome = Outcome {
                objective,
                bound,
                ..Outcome::interrupted(Stop::Nodes)
            };
            let budget = &mut Budget::unlimited();
            prove(&program, &Options::default(), &mut outcome, budget).unwrap();
            let fault = outcome.certificate.unwrap().unwrap_err();
            assert!(fault.is_fault(), "{fault}");
        }
    }

    #[test]
    fn a_fault_is_not_hidden_by_a_proof_that_was_not_finished() {
        let program = parse_qip(MODELS[0]).unwrap();
        let mut outcome = Outcome::proved(&program, &Score::Cost(int(2)));
        let wrong = CertificateError::Wrong("a move loses".into());
        outcome.certificate = Some(Err(wrong.clone()));
        let stopped = |it: &mut Outcome| {
            it.certificate = Some(Err(Stop::Time.into()));
            Ok(())
        };
        proved_again(&mut outcome, stopped).unwrap();
        assert_eq!(outcome.certificate.unwrap().unwrap_err(), wrong);
    }
}
