//! The search engine against the definition, on random programs in every configuration.

use quip::budget::Budget;
use quip::games::random::{RandomShape, random_program};
use quip::num::Rational;
use quip::outcome::{Outcome, Status};
use quip::program::Program;
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
    }
}

fn show(p: &Program) -> String {
    let mut t = String::new();
    for v in p.variables() {
        t += &format!(
            "{} {:?} {} {:?} {:?}\n",
            v.quantifier,
            v.kind,
            v.name,
            v.bounds.lower.as_ref().map(|x| x.to_string()),
            v.bounds.upper.as_ref().map(|x| x.to_string())
        );
    }
    for (n, rs) in [("E", p.rows()), ("U", p.universal_rows())] {
        for r in rs {
            t += n;
            for (v, c) in &r.terms {
                t += &format!(" {c}*{}", p.variables()[*v].name);
            }
            t += &format!(
                " in {:?} {:?}\n",
                r.lower.as_ref().map(|x| x.to_string()),
                r.upper.as_ref().map(|x| x.to_string())
            );
        }
    }
    if let Some(o) = p.objective() {
        t += &format!("{}", o.sense);
        for (v, c) in &o.terms {
            t += &format!(" {c}*{}", p.variables()[*v].name);
        }
    }
    t
}

fn compare(seed: u64, shape: &RandomShape) -> Status {
    let program: Program = random_program(seed, shape);
    let expected = reference::solve(&program, &mut Budget::unlimited()).expect("small integers");
    let settings = configuration(seed);
    let found = search::solve(&program, &settings, &mut Budget::unlimited()).expect("integers");
    assert_eq!(
        answer(&found),
        answer(&expected),
        "seed {seed} with {settings:?} of\n{}",
        show(&program)
    );
    found.status
}

/// How many programs each shape gets; `QUIP_RANDOM_PROGRAMS` asks for more.
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
    println!("{seen:?}");
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
