//! `decide` and `target` against the value, on random programs of every shape; every answer is
//! proved.

mod support;

use num_traits::One;
use quip::games::random::{RandomShape, random_program};
use quip::num::{Rational, int};
use quip::outcome::{Outcome, Score, Status, cost_of_objective};
use quip::program::Program;
use quip::reference;
use quip::solver::{Options, Solver};
use quip::strategy::Guarantee;

use support::certified::{accepted, answered};

/// Targets around the value, and some where there is none.
fn targets(program: &Program, value: &Score) -> Vec<Rational> {
    match value {
        Score::Cost(cost) => {
            let objective = cost_of_objective(program, cost.clone());
            let step = Rational::one() / int(7);
            vec![&objective - &step, objective.clone(), objective + step]
        }
        _ => vec![int(-1000), int(0), int(1000)],
    }
}

fn target_agrees(program: &Program, value: &Score, seed: u64) {
    for target in targets(program, value) {
        let cost = Score::Cost(cost_of_objective(program, target.clone()));
        let options = Options {
            target: Some(target.clone()),
            ..Options::default()
        };
        for certificate in [false, true] {
            let options = Options {
                certificate,
                ..options.clone()
            };
            let outcome = Solver::new(options).solve(program).expect("it is taken");
            let reached = matches!(
                outcome.status,
                Status::TargetReached | Status::UniversalStuck | Status::Unbounded
            );
            assert_eq!(outcome.stop, None, "seed {seed}");
            assert_eq!(reached, *value <= cost, "seed {seed}, target {target}");
            if !reached {
                assert_eq!(outcome.status, Status::Infeasible, "seed {seed}");
            }
            if certificate {
                is_proved(program, &outcome, &target, reached);
            }
        }
    }
}

/// The certificate tells whether the target is in reach: a strategy is as good, or nothing is.
fn is_proved(program: &Program, outcome: &Outcome, target: &Rational, reached: bool) {
    if program.first_empty_domain().is_some() {
        return;
    }
    let verdict = accepted(program, outcome);
    let target = Guarantee::Cost(cost_of_objective(program, target.clone()));
    let (strategy, refutation) = (verdict.strategy, verdict.refutation);
    match reached {
        true => assert!(strategy.is_some_and(|it| it.guarantee <= target)),
        false => assert!(refutation.is_some_and(|it| it.guarantee > target)),
    }
}

fn decision_agrees(program: &Program, value: &Score, seed: u64) {
    let options = Options {
        decide: true,
        ..Options::default()
    };
    let expected = match value {
        Score::Won => Status::UniversalStuck,
        Score::Lost => Status::Infeasible,
        Score::Unbounded | Score::Cost(_) => Status::Feasible,
    };
    assert_eq!(answered(program, options).status, expected, "seed {seed}");
}

fn every_question_agrees(shape: &RandomShape, seeds: std::ops::Range<u64>) {
    for seed in seeds {
        let program = random_program(seed, shape);
        let Ok(value) = reference::value(&program) else {
            continue;
        };
        decision_agrees(&program, &value, seed);
        if program.objective().is_some() {
            target_agrees(&program, &value, seed);
        }
    }
}

#[test]
fn questions_about_integer_programs_agree_with_their_value() {
    every_question_agrees(&RandomShape::small(), 0..300);
}

#[test]
fn questions_about_real_tails_agree_with_their_value() {
    every_question_agrees(&RandomShape::with_reals(), 0..150);
}

#[test]
fn questions_about_games_that_both_can_break_agree_with_their_value() {
    every_question_agrees(&RandomShape::game(), 0..150);
}
