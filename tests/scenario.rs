//! The scenario engines against the definition, on random programs.

use std::collections::HashMap;

use quip::budget::Budget;
use quip::equivalent::{self, Settings};
use quip::expand;
use quip::games::random::{RandomShape, random_program};
use quip::num::{Rational, int};
use quip::outcome::{Outcome, SolveError, Status};
use quip::program::{Id, Program, Quantifier, Row, VarId};
use quip::reference;

type Solve = fn(&Program, u64, &mut Budget) -> Result<Outcome, SolveError>;

fn answer(outcome: &Outcome) -> (Status, Option<Rational>) {
    (outcome.status, outcome.objective.clone())
}

/// How many programs each shape gets; `QUIP_RANDOM_PROGRAMS` asks for more.
fn count(usual: u64) -> u64 {
    let asked = std::env::var("QUIP_RANDOM_PROGRAMS").ok();
    asked.map_or(usual, |text| {
        text.parse().expect("QUIP_RANDOM_PROGRAMS is a number")
    })
}

/// Solves the programs of a shape that the engine takes, and tells how many it took.
fn compare_many(solve: Solve, shape: &RandomShape, usual: u64) -> u64 {
    let mut seen: HashMap<Status, u64> = HashMap::new();
    let mut refused = 0;
    for seed in 0..count(usual) {
        let program = random_program(seed, shape);
        let found = match solve(&program, seed, &mut Budget::unlimited()) {
            Ok(found) => found,
            Err(SolveError::Unsupported { .. }) => {
                refused += 1;
                continue;
            }
            Err(other) => panic!("seed {seed}: {other}"),
        };
        let expected = reference::solve(&program, &mut Budget::unlimited());
        let expected = expected.expect("the reference takes every random program");
        assert_eq!(
            answer(&found),
            answer(&expected),
            "seed {seed} of\n{program:?}"
        );
        *seen.entry(found.status).or_insert(0) += 1;
    }
    println!("{seen:?}, refused {refused}");
    assert!(seen.len() >= 3, "all programs ended alike: {seen:?}");
    seen.values().sum()
}

/// HiGHS is asked at once, soon or never.
fn by_equivalent(program: &Program, seed: u64, budget: &mut Budget) -> Result<Outcome, SolveError> {
    let settings = Settings {
        nodes_before_claim: [0, 2, 1_000_000][(seed % 3) as usize],
        ..Settings::default()
    };
    equivalent::solve_with(program, &settings, budget)
}

fn by_expand(program: &Program, seed: u64, budget: &mut Budget) -> Result<Outcome, SolveError> {
    let settings = expand::Settings {
        nodes_before_claim: [0, 2, 1_000_000][(seed % 3) as usize],
        scan: seed % 2 == 0,
        ..expand::Settings::default()
    };
    expand::solve_with(program, &settings, budget)
}

#[test]
fn expand_agrees_with_the_definition_on_small_programs() {
    assert!(compare_many(by_expand, &RandomShape::small(), 3000) > 1500);
}

#[test]
fn expand_agrees_with_the_definition_on_binary_programs() {
    assert!(compare_many(by_expand, &RandomShape::binary(), 2000) > 500);
}

#[test]
fn expand_agrees_with_the_definition_on_games() {
    compare_many(by_expand, &RandomShape::game(), 3000);
}

/// A random program with gates: earlier existential decisions that forbid universal values.
fn gated_program(seed: u64) -> Program {
    let shape = RandomShape {
        decision_dependent: 0,
        ..RandomShape::binary()
    };
    let mut data = random_program(seed, &shape).into_data();
    let owned = |owner: Quantifier| {
        let places = 0..data.variables.len();
        let own = places.filter(|&place| data.variables[place].quantifier == owner);
        own.map(VarId::new).collect::<Vec<_>>()
    };
    let (keepers, kept) = (owned(Quantifier::Exists), owned(Quantifier::Forall));
    for (number, &universal) in kept.iter().enumerate() {
        let earlier = keepers.iter().filter(|&&keeper| keeper < universal);
        let Some(&keeper) = earlier.rev().nth(number % 2) else {
            continue;
        };
        let sign = if (seed >> number) & 1 == 0 { 1 } else { -1 };
        let terms = vec![(keeper, int(sign)), (universal, int(2))];
        let open_side = if sign == 1 { 2 } else { 1 };
        data.universal_rows
            .push(Row::at_most(terms, int(open_side)));
    }
    Program::new(data).expect("gates keep a program well formed")
}

#[test]
fn gates_are_played_as_the_definition_says() {
    let (mut taken, mut gates) = (0, 0);
    for seed in 0..count(3000) {
        let program = gated_program(seed);
        let dependent = program.class().decision_dependent;
        let expected = reference::solve(&program, &mut Budget::unlimited()).expect("integers");
        for solve in [by_equivalent as Solve, by_expand] {
            match solve(&program, seed, &mut Budget::unlimited()) {
                Ok(found) => {
                    assert_eq!(
                        answer(&found),
                        answer(&expected),
                        "seed {seed} of\n{program:?}"
                    );
                    taken += 1;
                    gates += u64::from(dependent);
                }
                Err(refusal) => assert!(matches!(refusal, SolveError::Unsupported { .. })),
            }
        }
    }
    println!("{taken} taken, {gates} with gates");
    assert!(gates > 1000, "only {gates} programs had gates");
}

#[test]
fn reals_that_may_be_integer_do_not_change_the_value() {
    let taken = compare_many(by_equivalent, &RandomShape::with_reals(), 3000);
    assert!(taken > 30, "only {taken} programs were taken");
}

#[test]
fn the_equivalent_agrees_with_the_definition_on_small_programs() {
    assert!(compare_many(by_equivalent, &RandomShape::small(), 3000) > 1500);
}

#[test]
fn the_equivalent_agrees_with_the_definition_on_binary_programs() {
    assert!(compare_many(by_equivalent, &RandomShape::binary(), 2000) > 500);
}

#[test]
fn the_equivalent_agrees_with_the_definition_on_games() {
    compare_many(by_equivalent, &RandomShape::game(), 3000);
}
