//! Answers are proved, the proofs are checked, and the advice can be followed.

use std::time::Duration;

use quip::budget::{Budget, Limits};
use quip::certify::certify;
use quip::check::{Verdict, check};
use quip::outcome::{CertificateError, Outcome, Status, Stop, cost_of_objective};
use quip::program::Program;
use quip::reference;
use quip::search::{self, Settings};
use quip::solver::{Options, Solver};
use quip::strategy::Guarantee;

use super::advice::assert_followable;
use super::shown;

/// The certificate of the outcome is accepted; what it proves.
pub fn accepted(program: &Program, outcome: &Outcome) -> Verdict {
    let made = outcome.certificate.as_ref().expect("it was asked for");
    let made = made.as_ref();
    let certificate = made.unwrap_or_else(|why| panic!("{why}\n{}", shown(program)));
    let text = certificate.to_text(program);
    let verdict = check(program, text.as_bytes());
    verdict.unwrap_or_else(|fault| panic!("{fault}\n{text}\n{}", shown(program)))
}

/// The certificate of the outcome is accepted and proves what the outcome says.
pub fn checked(program: &Program, outcome: &Outcome) -> Verdict {
    let verdict = accepted(program, outcome);
    match (outcome.status, &outcome.objective) {
        (Status::Optimal, Some(value)) => assert_eq!(verdict.claim, format!("optimal {value}")),
        (status, _) => assert_eq!(verdict.claim, status.to_string()),
    }
    if outcome.status == Status::Interrupted {
        let proved = [&verdict.strategy, &verdict.refutation]
            .map(|side| side.as_ref().map(|side| side.guarantee.clone()));
        let reported = [&outcome.objective, &outcome.bound].map(|value| {
            let cost = cost_of_objective(program, value.clone()?);
            Some(Guarantee::Cost(cost))
        });
        assert_eq!(proved, reported, "{}", shown(program));
    }
    verdict
}

/// Like [`checked`], but a run that was decided may have met a limit before it was proved; whether it
/// was proved. Nothing but a limit is an excuse.
pub fn checked_unless_stopped(program: &Program, outcome: &Outcome) -> bool {
    let made = outcome.certificate.as_ref().expect("it was asked for");
    let is_decided = outcome.status != Status::Interrupted;
    if is_decided && matches!(made, Err(CertificateError::Stopped(_))) {
        return false;
    }
    checked(program, outcome);
    true
}

/// What the reference answers, proved by its plans.
pub fn by_the_reference(program: &Program) -> Outcome {
    let budget = &mut Budget::unlimited();
    let mut outcome = reference::solve(program, budget).expect("the reference takes this program");
    let made = certify(program, &outcome, budget);
    outcome.certificate = Some(made);
    checked(program, &outcome);
    assert_followable(program, &outcome);
    outcome
}

/// What the solver answers. The same question with a certificate has the same answer, and the
/// certificate proves it.
pub fn answered(program: &Program, options: Options) -> Outcome {
    let target = options.target.clone();
    let plain = Options {
        certificate: false,
        ..options.clone()
    };
    let outcome = Solver::new(plain).solve(program).expect("it is taken");
    let options = Options {
        certificate: true,
        ..options
    };
    let recorded = Solver::new(options).solve(program).expect("it is taken");
    let answer = |outcome: &Outcome| (outcome.status, outcome.stop, outcome.objective.clone());
    assert_eq!(answer(&recorded), answer(&outcome), "{}", shown(program));
    checked(program, &recorded);
    // Out of reach is not lost.
    if target.is_none() {
        assert_followable(program, &recorded);
        assert_followable(program, &outcome);
    }
    outcome
}

/// Like [`answered`], but a limit of a second may leave the answer or its certificate open; with it,
/// whether the certificate was checked.
pub fn answered_soon(program: &Program) -> (Outcome, bool) {
    let options = Options {
        certificate: true,
        limits: Limits {
            time: Some(Duration::from_secs(1)),
            ..Limits::default()
        },
        ..Options::default()
    };
    let outcome = Solver::default().solve(program).expect("it is taken");
    let recorded = Solver::new(options).solve(program).expect("it is taken");
    assert_followable(program, &outcome);
    if recorded.status == Status::Interrupted {
        assert_eq!(recorded.stop, Some(Stop::Time), "{}", shown(program));
        return (outcome, false);
    }
    assert_eq!(recorded.status, outcome.status, "{}", shown(program));
    let is_proved = checked_unless_stopped(program, &recorded);
    if is_proved {
        assert_followable(program, &recorded);
    }
    (outcome, is_proved)
}

/// What an engine answered can be followed, and is proved by a search that knows the value.
pub fn proved(program: &Program, outcome: &Outcome) -> Outcome {
    assert_followable(program, outcome);
    let mut outcome = outcome.clone();
    let settings = Settings::default();
    search::prove(program, &settings, &mut outcome, &mut Budget::unlimited())
        .expect("the numbers fit");
    checked(program, &outcome);
    outcome
}

/// What an interrupted run reports is proved, all of it.
pub fn proved_report(program: &Program, report: &Outcome) {
    let outcome = proved(program, report);
    let claims = |outcome: &Outcome| (outcome.objective.clone(), outcome.bound.clone());
    assert_eq!(claims(&outcome), claims(report), "{}", shown(program));
}
