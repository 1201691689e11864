//! Solving programs of games.

use quip::budget::Budget;
use quip::num::int;
use quip::outcome::{Outcome, Status};
use quip::program::{Bounds, Id, Program, Quantifier};
use quip::search::{self, Settings};

use crate::support::certified::proved;

pub fn solved(program: &Program) -> Outcome {
    let outcome = search::solve(program, &Settings::default(), &mut Budget::unlimited()).unwrap();
    assert_ne!(outcome.status, Status::Interrupted);
    if outcome.effort.nodes <= PROVED {
        proved(program, &outcome);
    }
    outcome
}

/// Answers that took at most so many positions are proved, and the proofs checked.
const PROVED: u64 = 20_000;

/// Whether the existential player wins a game without objective.
pub fn wins(program: &Program) -> bool {
    match solved(program).status {
        Status::Feasible | Status::UniversalStuck => true,
        Status::Infeasible => false,
        other => panic!("a game without objective is {other}"),
    }
}

/// The values of the first existential block that are 1.
pub fn chosen(program: &Program, outcome: &Outcome) -> Vec<String> {
    let moves = outcome.first_stage.iter();
    let ones = moves.filter(|(_, value)| *value == int(1));
    ones.map(|(var, _)| program.variables()[*var].name.clone())
        .collect()
}

/// The program in which some moves are made: each becomes a constant that the existential player
/// holds, so that the first block reaches as far as what is known.
pub fn fixed(program: &Program, moves: &[(&str, i64)]) -> Program {
    let mut data = program.clone().into_data();
    for (name, value) in moves {
        let var = program.find(name).unwrap_or_else(|| panic!("no {name}"));
        let variable = &mut data.variables[var.index()];
        variable.quantifier = Quantifier::Exists;
        variable.bounds = Bounds::between(int(*value), int(*value));
    }
    Program::new(data).unwrap()
}

/// Solves a larger program and tells what it took.
pub fn report(name: &str, program: &Program) -> Outcome {
    let start = std::time::Instant::now();
    let outcome = solved(program);
    let (rows, universal) = (program.rows().len(), program.universal_rows().len());
    println!(
        "{name}: {} variables, {rows}+{universal} rows, {} {:?}, {:.2} s, {} nodes, {} LPs",
        program.variables().len(),
        outcome.status,
        outcome.objective.as_ref().map(ToString::to_string),
        start.elapsed().as_secs_f64(),
        outcome.effort.nodes,
        outcome.effort.lps,
    );
    outcome
}

/// Whether games that take minutes are wanted.
pub fn large() -> bool {
    std::env::var("QUIP_LARGE_GAMES").is_ok()
}

/// Whether games that take hours are wanted, too.
pub fn hours() -> bool {
    std::env::var("QUIP_LARGE_GAMES").is_ok_and(|wanted| wanted == "hours")
}
