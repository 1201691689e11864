//! Integers and reals of both players in every stage, against programs that are spelled out.

#![allow(clippy::print_stdout, reason = "a test says what it saw")]

mod support;

use std::collections::HashMap;

use quip::budget::Budget;
use quip::format::parse_qip;
use quip::games::random::{Opponent, random_mixed};
use quip::num::{Rational, int, ratio};
use quip::outcome::{Outcome, Score, SolveError, Status, cost_of_objective};
use quip::program::{Program, Quantifier, Term, VarId};
use quip::solver::{Method, Options, Solver};
use quip::strategy::{Strategy, Turn};
use quip::{equivalent, expand};
use support::spelled;

/// How many programs; `QUIP_RANDOM_PROGRAMS` asks for more.
fn count(usual: u64) -> u64 {
    let asked = std::env::var("QUIP_RANDOM_PROGRAMS").ok();
    asked.map_or(usual, |text| {
        text.parse().expect("QUIP_RANDOM_PROGRAMS is a number")
    })
}

fn score_of(program: &Program, outcome: &Outcome) -> Score {
    match outcome.status {
        Status::Infeasible => Score::Lost,
        Status::UniversalStuck => Score::Won,
        Status::Feasible => Score::Cost(Rational::default()),
        Status::Optimal => {
            let value = outcome.objective.clone().expect("a value");
            Score::Cost(cost_of_objective(program, value))
        }
        other => panic!("unexpected status {other}"),
    }
}

fn by_equivalent(program: &Program) -> Result<Outcome, SolveError> {
    equivalent::solve(program, &mut Budget::unlimited())
}

fn by_expand(program: &Program) -> Result<Outcome, SolveError> {
    expand::solve(program, &mut Budget::unlimited())
}

fn by_auto(program: &Program) -> Result<Outcome, SolveError> {
    Solver::new(Options {
        threads: Some(1),
        ..Options::default()
    })
    .solve(program)
}

/// Plays every legal play against a strategy: its rows hold, and no play costs more than the value.
fn keeps_its_word(program: &Program, outcome: &Outcome, strategy: &Strategy) {
    let menu = spelled::menu(program, 2);
    for observed in spelled::plays(program, &menu) {
        let mut play = strategy.play(program);
        loop {
            play.reply();
            let Turn::Observe(variable) = play.turn() else {
                break;
            };
            let value = observed[&variable].clone();
            play.observe(value).expect("every legal move is answered");
        }
        let values: HashMap<VarId, Rational> = play.moves().iter().cloned().collect();
        let sum =
            |terms: &[Term]| -> Rational { terms.iter().map(|(var, by)| by * &values[var]).sum() };
        for row in program.rows() {
            assert!(row.admits(&sum(&row.terms)), "{}", support::shown(program));
        }
        if let (Some(objective), Some(value)) = (program.objective(), &outcome.objective) {
            let cost = cost_of_objective(program, sum(&objective.terms) + &objective.constant);
            assert!(cost <= cost_of_objective(program, value.clone()));
        }
    }
}

/// Compares every engine with the program spelled out.
fn compare(opponent: Opponent, usual: u64, steps: i64) {
    let mut seen: HashMap<&'static str, u64> = HashMap::new();
    for seed in 0..count(usual) {
        let program = random_mixed(seed, opponent);
        let Some(expected) = spelled::score(&program, &spelled::menu(&program, steps)) else {
            continue;
        };
        for (name, solve) in [
            ("equivalent", by_equivalent as fn(&Program) -> _),
            ("expand", by_expand),
            ("auto", by_auto),
        ] {
            let outcome = match solve(&program) {
                Ok(outcome) => outcome,
                Err(SolveError::Unsupported { .. }) if name != "auto" => continue,
                Err(error) => panic!("seed {seed}, {name}: {error}\n{}", support::shown(&program)),
            };
            let found = score_of(&program, &outcome);
            assert_eq!(
                found,
                expected,
                "seed {seed}, {name}\n{}",
                support::shown(&program)
            );
            *seen.entry(name).or_default() += 1;
            if opponent == Opponent::Integers
                && let Some(strategy) = outcome.held(&program, Quantifier::Exists)
            {
                keeps_its_word(&program, &outcome, &strategy);
                let plans = match name {
                    "equivalent" => "plans of equivalent",
                    "expand" => "plans of expand",
                    _ => "plans of auto",
                };
                *seen.entry(plans).or_default() += 1;
            }
        }
    }
    println!("{seen:?}");
    assert!(
        seen.values().all(|&number| number > count(usual) / 6),
        "{seen:?}"
    );
}

#[test]
fn integers_and_reals_in_any_stage_against_integers() {
    compare(Opponent::Integers, 600, 1);
}

#[test]
fn real_deviations_within_integral_budgets_are_worth_what_a_grid_says() {
    compare(Opponent::Reals, 300, 2);
}

#[test]
fn a_budget_with_a_fraction_needs_the_value_that_uses_it_up() {
    let program = parse_qip(
        "minimize t
         subject to t >= x - u2
                    t >= u2 - x
         uncertainty u1 + u2 <= 3/2
         prefix forall real u1 in [0, 1]  exists real x in [0, 1]
                forall real u2 in [0, 1]  exists real t in [0, 5]
         end",
    )
    .expect("a program");
    // After u1 = 0 the second move is anything in [0, 1]: x = 1/2 costs 1/2.
    for method in [Method::Auto, Method::Equivalent, Method::Expand] {
        let options = Options {
            method,
            ..Options::default()
        };
        let outcome = Solver::new(options).solve(&program).expect("it is taken");
        assert_eq!(outcome.objective, Some(ratio(1, 2)), "{method}");
    }
}

#[test]
fn a_real_that_hurts_one_way_is_at_its_end_whatever_follows() {
    let program = parse_qip(
        "minimize 3 y + z
         subject to 2 y + z >= u
         prefix forall real u in [0, 7/2]  exists integer y in [0, 3]  exists real z in [0, 1/2]
         end",
    )
    .expect("a program");
    let outcome = by_auto(&program).expect("it is taken");
    assert_eq!(outcome.objective, Some(int(6)));
}

#[test]
fn infinite_ends_are_taken_by_the_engine_that_can() {
    let infeasible = "minimize y subject to 2 z = 1
         prefix forall binary u exists binary z exists real y in [-inf, inf] end";
    let unbounded = "minimize y + x + u
         prefix forall integer u in [0, 1] exists integer x in [0, 1] exists real y in [-inf, 0] end";
    for (text, status) in [
        (infeasible, Status::Infeasible),
        (unbounded, Status::Unbounded),
    ] {
        let program = parse_qip(text).expect("a program");
        let outcome = by_auto(&program).expect("it is taken");
        assert_eq!(outcome.status, status);
    }
}

#[test]
fn what_no_engine_takes_is_refused_in_the_words_of_its_class() {
    let program = parse_qip(
        "minimize 2 y + 3 z - 2 u
         subject to y + z >= u
         uncertainty 2 u + v <= 3
                     u + 3 v <= 4
         prefix forall real u in [0, 3]  forall real v in [0, 1]
                exists integer y in [0, 3]  exists real z in [0, 1]
         end",
    )
    .expect("a program");
    let error = by_auto(&program)
        .expect_err("nothing takes it yet")
        .to_string();
    assert!(error.contains("`y`") && error.contains("`u`"), "{error}");
    assert!(!error.contains("reference"), "{error}");
}
