//! The decomposition of quantified linear programs: against the reference, on the programs that
//! corners get right and wrong, and on its own switches and replies.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod support;

use quip::benders::{self, Settings};
use quip::budget::Budget;
use quip::games::random::{RandomShape, random_program};
use quip::outcome::{Outcome, Score, Status, cost_of_objective};
use quip::program::Program;
use quip::reference;

fn solve(program: &Program, settings: &Settings) -> Outcome {
    benders::solve(program, settings, &mut Budget::unlimited()).unwrap()
}

/// The score that an outcome tells.
fn score(program: &Program, outcome: &Outcome) -> Score {
    match outcome.status {
        Status::Optimal => {
            assert_eq!(outcome.objective, outcome.bound);
            Score::Cost(cost_of_objective(
                program,
                outcome.objective.clone().unwrap(),
            ))
        }
        Status::Feasible => Score::Cost(quip::num::int(0)),
        Status::Infeasible => Score::Lost,
        Status::Unbounded => Score::Unbounded,
        Status::UniversalStuck => Score::Won,
        Status::Interrupted => panic!("no limit was set"),
    }
}

#[test]
fn random_programs_have_the_value_of_the_reference() {
    let mut tally = [0; 4];
    for seed in 0..6000 {
        let program = random_program(seed, &RandomShape::qlp());
        let outcome = solve(&program, &Settings::default());
        let found = score(&program, &outcome);
        let expected = reference::value(&program).unwrap();
        assert_eq!(found, expected, "seed {seed}: {program:#?}");
        let kind = match found {
            Score::Won => 0,
            Score::Unbounded => 1,
            Score::Cost(_) => 2,
            Score::Lost => 3,
        };
        tally[kind] += 1;
    }
    println!("{tally:?}");
    assert!(
        tally[1] > 50 && tally[2] > 2000 && tally[3] > 500,
        "{tally:?} is a dull family"
    );
}
