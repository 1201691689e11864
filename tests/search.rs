//! The search engine against the definition, on random programs in every configuration.
//!
//! `QUIP_RANDOM_PROGRAMS=400000 cargo test --release --test search` compares more than a million.

use quip::budget::Budget;
use quip::format::write_qip;
use quip::games::random::{RandomShape, random_program};
use quip::num::Rational;
use quip::outcome::{Outcome, Status};
use quip::program::{Bounds, Id, IdVec, Program};
use quip::reference;
use quip::search::{self, Settings};

fn answer(outcome: &Outcome) -> (Status, Option<Rational>) {
    (outcome.status, outcome.objective.clone())
}

/// Every technique off or on, by the bits of `number`, and tables down to a single entry.
fn configuration(number: u64) -> Settings {
    let on = |bit: u64| number >> bit & 1 == 1;
    Settings {
        propagate: on(0),
        table_bytes: [0, 1, 4096, 1 << 20][(number >> 1 & 3) as usize],
        monotone: on(3),
        ordering: on(4),
        relax: on(5),
        follow_doubt: on(6),
    }
}

fn judge(program: &Program) -> Outcome {
    reference::solve(program, &mut Budget::unlimited()).expect("the reference takes it")
}

fn compare(seed: u64, shape: &RandomShape) -> Status {
    let program = random_program(seed, shape);
    let settings = configuration(seed);
    let found = search::solve(&program, &settings, &mut Budget::unlimited()).expect("integers");
    let context = || format!("seed {seed} with {settings:?} of\n{}", write_qip(&program));
    assert_eq!(answer(&found), answer(&judge(&program)), "{}", context());
    check_moves(&program, &found, &context);
    found.status
}

/// The first stage keeps the value, and the principal variation ends in it.
fn check_moves(program: &Program, found: &Outcome, context: &dyn Fn() -> String) {
    if !matches!(found.status, Status::Optimal | Status::Feasible) {
        return;
    }
    let mut data = program.clone().into_data();
    for (var, value) in &found.first_stage {
        data.variables[var.index()].bounds = Bounds::between(value.clone(), value.clone());
    }
    let fixed = Program::new(data).expect("fixing a variable keeps a program valid");
    assert_eq!(
        answer(found),
        answer(&judge(&fixed)),
        "the first stage of {}",
        context()
    );

    let play: Vec<Rational> = found
        .principal_variation
        .iter()
        .map(|(_, value)| value.clone())
        .collect();
    assert_eq!(
        play.len(),
        program.variables().len(),
        "the variation of {}",
        context()
    );
    let play = IdVec::from_vec(play);
    for row in program.rows() {
        assert!(
            row.admits(&row.activity(|var| &play[var])),
            "the variation of {}",
            context()
        );
    }
    if let Some(value) = &found.objective {
        assert_eq!(
            &program.objective_value(&play),
            value,
            "the variation of {}",
            context()
        );
    }
}

/// How many programs each shape gets.
fn count(usual: u64) -> u64 {
    let asked = std::env::var("QUIP_RANDOM_PROGRAMS").ok();
    asked.map_or(usual, |text| {
        text.parse().expect("QUIP_RANDOM_PROGRAMS is a number")
    })
}

fn compare_many(shape: &RandomShape, usual: u64) {
    let mut seen = std::collections::HashMap::new();
    for seed in 0..count(usual) {
        *seen.entry(compare(seed, shape)).or_insert(0) += 1;
    }
    assert!(seen.len() >= 2, "all programs ended alike: {seen:?}");
}

#[test]
fn search_agrees_with_the_definition_on_small_programs() {
    compare_many(&RandomShape::small(), 8000);
}

#[test]
fn search_agrees_with_the_definition_on_binary_programs() {
    compare_many(&RandomShape::binary(), 6000);
}

#[test]
fn search_agrees_with_the_definition_on_games() {
    compare_many(&RandomShape::game(), 6000);
}
