//! Quantified Boolean formulas from the outside: what files say, what engines answer, how the
//! command reports it.

#![expect(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

mod brute;
mod circuits;
mod clauses;
mod depqbf;
mod instances;
mod lenient;
mod plans;
mod published;
#[path = "../session/mod.rs"]
#[expect(dead_code, reason = "sessions of other tests have more needs")]
mod session;
mod sessions;
#[path = "../support/mod.rs"]
mod support;

use quip::budget::Budget;
use quip::format::{Reading, read_bytes};
use quip::outcome::{Outcome, Status};
use quip::program::{Bounds, Id, Program, Quantifier};
use quip::qbf;
use quip::search::{self, Settings};

/// Reads a text that must be in order.
fn read(text: &str) -> Reading {
    read_bytes("formula", text.as_bytes()).unwrap_or_else(|faults| panic!("{text}\n{faults}"))
}

type Engine = fn(&Program) -> Outcome;

/// Every engine that takes formulas, by name.
fn engines() -> Vec<(&'static str, Engine)> {
    vec![
        ("search", |program| {
            let settings = Settings {
                relax: false,
                ..Settings::default()
            };
            search::solve(program, &settings, &mut Budget::unlimited()).unwrap()
        }),
        ("clausal", |program| {
            qbf::solve(program, &qbf::Settings::default(), &mut Budget::unlimited()).unwrap()
        }),
        ("clausal, refinement only", |program| {
            let settings = qbf::Settings {
                learn: false,
                ..qbf::Settings::default()
            };
            qbf::solve(program, &settings, &mut Budget::unlimited()).unwrap()
        }),
        ("clausal, all switches off", |program| {
            qbf::solve(program, &qbf::Settings::none(), &mut Budget::unlimited()).unwrap()
        }),
        ("clausal, some switches off", |program| {
            qbf::solve(program, &mixture(program), &mut Budget::unlimited()).unwrap()
        }),
    ]
}

/// Switches that differ from program to program: one alone, or a mixture.
fn mixture(program: &Program) -> qbf::Settings {
    let lengths = program.rows().iter().map(|row| row.terms.len());
    let number = lengths.fold(7_usize, |all, one| (all * 31 + one) % 1_000_003);
    let mut settings = qbf::Settings::none();
    let switches = settings.switches();
    for (place, switch) in switches.iter().enumerate() {
        let on = if number.is_multiple_of(2) {
            number / 2 % switches.len() == place
        } else {
            number >> (place + 1) & 1 == 1
        };
        settings
            .set(switch.key, if on { "on" } else { "off" })
            .unwrap();
    }
    settings
}

/// Who wins.
fn is_true(outcome: &Outcome) -> bool {
    match outcome.status {
        Status::Feasible => true,
        Status::Infeasible => false,
        other => panic!("a formula is not {other}"),
    }
}

/// Solves with every engine, which must agree with `expected`; the first moves that the winner is
/// told must keep his win.
fn assert_answer(program: &Program, expected: bool, context: &dyn Fn() -> String) {
    for (place, (name, solve)) in engines().into_iter().enumerate() {
        let outcome = solve(program);
        assert_eq!(is_true(&outcome), expected, "{name} on\n{}", context());
        if place == 0 {
            // The others say the same, so that one proof is enough.
            support::certified::proved(program, &outcome);
        }
        let Some(fixed) = with_first_moves(program, &outcome, expected) else {
            continue;
        };
        // A fixed variable is no clause, but the search takes it.
        let (_, search) = engines()[0];
        let kept = is_true(&search(&fixed));
        assert_eq!(kept, expected, "first moves of {name} on\n{}", context());
    }
}

/// The program with the outermost block at the winner's values, if it is his and they are told.
fn with_first_moves(program: &Program, outcome: &Outcome, expected: bool) -> Option<Program> {
    let winner = if expected {
        Quantifier::Exists
    } else {
        Quantifier::Forall
    };
    let first = program.blocks().iter().next()?;
    if first.quantifier != winner {
        return None;
    }
    let moves = outcome
        .principal_variation
        .iter()
        .chain(&outcome.first_stage);
    let mut data = program.clone().into_data();
    for (var, value) in moves.filter(|(var, _)| first.contains(*var)) {
        data.variables[var.index()].bounds = Bounds::between(value.clone(), value.clone());
    }
    Some(Program::new(data).unwrap())
}
