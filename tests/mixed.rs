//! Integers and reals of both players in every stage, against programs that are spelled out.

#![allow(clippy::print_stdout, reason = "a test says what it saw")]

mod support;

use std::collections::HashMap;

use quip::budget::{Budget, Limits};
use quip::format::parse_qip;
use quip::games::random::{Opponent, random_mixed};
use quip::num::{Rational, int, ratio};
use quip::outcome::{Outcome, Score, SolveError, Status, cost_of_objective};
use quip::program::{Id, Program, Quantifier, Term, VarId};
use quip::solver::{Method, Options, Solver};
use quip::strategy::{Strategy, Turn};
use quip::{equivalent, expand, reference};
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
fn real_deviations_in_polygons_are_worth_what_a_grid_says() {
    compare(Opponent::Polygon, 300, 4);
}

#[test]
fn rules_that_depend_on_decisions_are_bounded_from_both_sides() {
    let (mut seen, mut met) = (0, 0);
    for seed in 0..count(600) {
        let mut data = random_mixed(seed, Opponent::Integers).into_data();
        let variables = data.variables.clone();
        // A decision joins the rule of the opponent.
        let Some(row) = data.universal_rows.first_mut() else {
            continue;
        };
        let decided = variables
            .iter()
            .position(|it| it.quantifier == Quantifier::Exists);
        let (Some(decided), false) = (decided.map(VarId::new), row.terms.is_empty()) else {
            continue;
        };
        row.terms.push((decided, int(1)));
        row.terms = quip::program::normalized(std::mem::take(&mut row.terms));
        let program = Program::new(data).expect("a program");
        let mut few = Budget::new(
            Limits {
                nodes: Some(20_000),
                ..Limits::default()
            },
            std::sync::Arc::default(),
            None,
        );
        let Ok(exact) = reference::solve(&program, &mut few) else {
            continue;
        };
        let settings = equivalent::Settings::default();
        let bounds = equivalent::bounds_of_mixed(&program, &settings, &mut Budget::unlimited());
        let (Some(Ok(bounds)), false) = (bounds, exact.status == Status::Interrupted) else {
            continue;
        };
        let cost = |value: &Option<Rational>| {
            let value = value.clone();
            value.map(|value| Score::Cost(cost_of_objective(&program, value)))
        };
        let value = score_of(&program, &exact);
        seen += 1;
        match bounds.status {
            Status::Interrupted => {
                let (bound, guaranteed) = (cost(&bounds.bound), cost(&bounds.objective));
                let shown = support::shown(&program);
                assert!(
                    bound.is_none_or(|bound| bound <= value),
                    "seed {seed}\n{shown}"
                );
                assert!(
                    guaranteed.is_none_or(|it| value <= it),
                    "seed {seed}\n{shown}"
                );
            }
            // Without an objective a strategy that wins is all there is to say.
            Status::Feasible => assert!(value <= Score::Cost(int(0)), "seed {seed}"),
            _ => {
                assert_eq!(score_of(&program, &bounds), value, "seed {seed}");
                met += 1;
            }
        }
    }
    println!("{seen} bounded, {met} of them met");
    assert!(seen > count(600) / 20 && met > 0, "{seen} {met}");
}

#[test]
fn the_worst_of_two_coupled_moves_may_be_inside() {
    let program = parse_qip(
        "minimize t
         subject to t >= x - u2
                    t >= u2 - x
         uncertainty u2 <= u1
                     u2 <= 2 - u1
         prefix forall real u1 in [0, 2]  exists real x in [0, 2]
                forall real u2 in [0, 1]  exists real t in [0, 5]
         end",
    )
    .expect("a program");
    let outcome = by_auto(&program).expect("it is taken");
    assert_eq!(outcome.objective, Some(ratio(1, 2)));
    assert_eq!(outcome.principal_variation[0].1, int(1));
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
