//! What the reference refuses and how it stops: every refusal names what is in the way, and nothing
//! is claimed that was not proved.

mod support;

use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use quip::budget::{Budget, Limits, Progress};
use quip::num::int;
use quip::outcome::{Outcome, Score, SolveError, Status, Stop};
use quip::program::{Bounds, Kind, Program, Quantifier};
use quip::reference;

use support::certified::{proved, proved_report};
use support::{Prefix, at_most, equal, maximize, minimize, program, proof};

fn solve(program: &Program) -> Outcome {
    let outcome = reference::solve(program, &mut Budget::unlimited());
    let outcome = outcome.expect("the reference takes this program");
    proved(program, &outcome);
    outcome
}

fn refusal(program: &Program) -> String {
    match reference::solve(program, &mut Budget::unlimited()) {
        Err(SolveError::Unsupported { reason, .. }) => reason,
        other => panic!("expected a refusal, not {other:?}"),
    }
}

#[test]
fn what_is_not_supported_is_named() {
    let early = Prefix::new().exists_real(0, 1).forall(0, 1).exists(0, 1);
    let reason = refusal(&program(early, vec![], vec![], None));
    assert!(
        reason.contains("`x3`") && reason.contains("`x1`"),
        "{reason}"
    );
    let prefix = Prefix::new().exists_real(0, 1).forall(0, 1);
    let rule = at_most(&[1, 1], 1).named("rule");
    let reason = refusal(&program(prefix, vec![], vec![rule], None));
    assert!(
        reason.contains("`rule`") && reason.contains("`x1`"),
        "{reason}"
    );
    let mut many = Prefix::new().exists_real(0, 1);
    for _ in 0..30 {
        many = many.forall(0, 1).exists_real(0, 1);
    }
    let reason = refusal(&program(many, vec![], vec![], None));
    assert!(
        reason.contains("scenarios") && reason.contains("`x1`"),
        "{reason}"
    );
    let huge = Bounds::between(int(0), int(10).pow(30));
    let prefix = Prefix::new().with(Quantifier::Exists, Kind::Integer, huge);
    let reason = refusal(&program(prefix, vec![], vec![], None));
    assert!(reason.contains("`x1`"), "{reason}");
}

fn budget(limits: Limits) -> Budget {
    Budget::new(limits, Arc::default(), None)
}

/// Far above what any of the limits here takes to be kept on the busiest machine.
const PATIENCE: Duration = Duration::from_secs(40);

/// Nothing about it is decided before the end of the world.
fn endless(first: Quantifier) -> Program {
    let mut prefix = Prefix::new();
    let mut owner = first;
    for _ in 0..60 {
        prefix = prefix.with(owner, Kind::Integer, Bounds::unit());
        owner = owner.opponent();
    }
    program(prefix, vec![], vec![], minimize(&[1; 60]))
}

#[test]
fn a_time_limit_is_kept() {
    let limits = Limits {
        time: Some(Duration::from_millis(300)),
        ..Limits::default()
    };
    let start = Instant::now();
    let outcome = reference::solve(&endless(Quantifier::Forall), &mut budget(limits)).unwrap();
    assert!(start.elapsed() < PATIENCE);
    assert_eq!(
        (outcome.status, outcome.stop),
        (Status::Interrupted, Some(Stop::Time))
    );
    assert!(outcome.effort.nodes > 0 && outcome.objective.is_none());
}

#[test]
fn a_time_limit_is_kept_inside_a_search_for_a_completion() {
    // Σ 2 x = 61 has no integer solution, which takes all assignments to find out.
    let prefix = (0..60).fold(Prefix::new(), |prefix, _| prefix.exists(0, 1));
    let odd = program(prefix, vec![equal(&[2; 60], 61)], vec![], None);
    let limits = Limits {
        time: Some(Duration::from_millis(300)),
        ..Limits::default()
    };
    let start = Instant::now();
    let outcome = reference::solve(&odd, &mut budget(limits)).unwrap();
    assert!(start.elapsed() < PATIENCE);
    assert_eq!(outcome.stop, Some(Stop::Time));
}

#[test]
fn a_time_limit_is_kept_inside_a_long_linear_program() {
    // Five hundred scenarios, coupled by one first stage.
    let mut prefix = Prefix::new().exists_real(0, 9).exists_real(0, 9);
    for _ in 0..9 {
        prefix = prefix.forall(0, 1);
    }
    let prefix = prefix.exists_real(0, 9).exists_real(0, 9);
    let rows = vec![
        at_most(&[-2, -3, 5, 4, 3, 2, 1, 7, 6, 8, 9, -1, -7], 3),
        at_most(&[3, -1, -5, 4, -3, 2, -1, 7, -6, 8, -9, -5, -2], 5),
    ];
    let hard = program(
        prefix,
        rows,
        vec![],
        minimize(&[7, 5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 11, 13]),
    );
    let limits = Limits {
        time: Some(Duration::from_millis(600)),
        ..Limits::default()
    };
    let start = Instant::now();
    let outcome = reference::solve(&hard, &mut budget(limits)).unwrap();
    assert!(start.elapsed() < PATIENCE, "{:?}", start.elapsed());
    assert_eq!(outcome.stop, Some(Stop::Time));
}

#[test]
fn the_log_shows_new_strategies() {
    let lines: Arc<Mutex<Vec<Progress>>> = Arc::default();
    let log = Arc::clone(&lines);
    let observer =
        move |progress: &Progress, _: Duration| log.lock().unwrap().push(progress.clone());
    let game = program(
        Prefix::new().exists(0, 3).forall(0, 1),
        vec![],
        vec![],
        maximize(&[2, 1]),
    );
    let mut budget = Budget::new(Limits::default(), Arc::default(), Some(Box::new(observer)));
    let outcome = reference::solve(&game, &mut budget).unwrap();
    proved(&game, &outcome);
    let lines = lines.lock().unwrap();
    let objectives: Vec<_> = lines
        .iter()
        .filter_map(|line| line.objective.clone())
        .collect();
    assert_eq!(objectives, [0, 2, 4, 6].map(int));
    assert!(lines.iter().all(|line| line.new_strategy));
}

#[test]
fn a_raised_signal_stops_the_solve() {
    let raised = Arc::new(AtomicBool::new(true));
    let mut budget = Budget::new(Limits::default(), raised, None);
    let outcome = reference::solve(&endless(Quantifier::Exists), &mut budget).unwrap();
    assert_eq!(outcome.stop, Some(Stop::Signal));
}

#[test]
fn what_an_interrupted_solve_claims_is_proved() {
    let limit = |nodes| Limits {
        nodes: Some(nodes),
        ..Limits::default()
    };
    for first in [Quantifier::Exists, Quantifier::Forall] {
        let mut prefix = Prefix::new().with(first, Kind::Integer, Bounds::between(int(0), int(4)));
        for owner in [first.opponent(), first, first.opponent()] {
            prefix = prefix.with(owner, Kind::Integer, Bounds::between(int(0), int(3)));
        }
        let sense = match first {
            Quantifier::Exists => minimize(&[-2, 1, 1, 1]),
            Quantifier::Forall => minimize(&[2, 1, 1, 1]),
        };
        let game = program(prefix, vec![at_most(&[1, 1, 1, 1], 11)], vec![], sense);
        let value = solve(&game).objective.expect("both can hold the row");
        let mut claims = 0;
        for nodes in (0..1500).step_by(20) {
            let outcome = reference::solve(&game, &mut budget(limit(nodes))).unwrap();
            if outcome.status != Status::Interrupted {
                continue;
            }
            assert_eq!(outcome.effort.nodes, nodes + 1);
            proved_report(&game, &outcome);
            if let Some(claim) = &outcome.objective {
                assert!(*claim >= value);
                let strategy = outcome.strategy.as_ref().unwrap();
                proof::check(&game, strategy, &Score::Cost(claim.clone()));
                assert_eq!(outcome.first_stage.len(), 1);
                claims += 1;
            }
            if let Some(claim) = &outcome.bound {
                assert!(*claim <= value);
                let refutation = outcome.refutation.as_ref().unwrap();
                proof::check(&game, refutation, &Score::Cost(claim.clone()));
                claims += 1;
            }
        }
        assert!(claims > 0, "no incumbent was ever reported for {first}");
    }
}

#[test]
fn a_hundred_thousand_variables_do_not_overflow_anything() {
    let forced = Bounds::between(int(1), int(1));
    let mut prefix = Prefix::new();
    for place in 0..100_000 {
        let owner = if place % 2 == 0 {
            Quantifier::Exists
        } else {
            Quantifier::Forall
        };
        prefix = prefix.with(owner, Kind::Integer, forced.clone());
    }
    let row = at_most(&[1; 1000], 1000);
    let long = program(prefix, vec![row], vec![], minimize(&[1; 10]));
    let outcome = solve(&long);
    assert_eq!(outcome.objective, Some(int(10)));
    assert_eq!(outcome.principal_variation.len(), 100_000);
}
