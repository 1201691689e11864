//! Refinement alone, on formulas whose answers are known.

use crate::budget::Budget;
use crate::outcome::Status;
use crate::program::Program;
use crate::qbf::{Settings, solve};

fn read(text: &str) -> Program {
    crate::format::read_bytes("formula", text.as_bytes())
        .unwrap()
        .program
}

/// The answer and how many questions it took, without presolve and learning.
fn answer(text: &str) -> (Status, u64) {
    let settings = Settings {
        refine: true,
        ..Settings::none()
    };
    let outcome = solve(&read(text), &settings, &mut Budget::unlimited()).unwrap();
    (outcome.status, outcome.effort.nodes)
}

/// `for all x there is a y that equals it`, with so many of both; or the other way round.
fn copies(count: usize, first: &str, second: &str) -> String {
    let block = |from: usize| {
        let numbers: Vec<String> = (from..from + count).map(|var| var.to_string()).collect();
        numbers.join(" ")
    };
    let mut text = format!("p cnf {} {}\n", 2 * count, 2 * count);
    text += &format!("{first} {} 0\n{second} {} 0\n", block(1), block(1 + count));
    for var in 1..=count {
        let copy = var + count;
        text += &format!("{var} -{copy} 0\n-{var} {copy} 0\n");
    }
    text
}

#[test]
fn few_replies_decide_however_many_there_are() {
    // Gates are nobody's choice: one question is enough.
    assert_eq!(answer(&copies(30, "a", "e")).0, Status::Feasible);
    let (status, questions) = answer(&copies(30, "e", "a"));
    assert_eq!(status, Status::Infeasible);
    assert!(questions < 20, "{questions}");
}

#[test]
fn nothing_to_choose_is_decided_at_once() {
    assert_eq!(answer("p cnf 0 0\n"), (Status::Feasible, 0));
    assert_eq!(answer("p cnf 1 1\ne 1 0\n0\n").0, Status::Infeasible);
    assert_eq!(answer("p cnf 2 1\na 1 2 0\n1 2 0\n").0, Status::Infeasible);
}

#[test]
fn the_same_questions_are_asked_every_time() {
    let text = "p cnf 6 6\ne 1 2 0\na 3 4 0\ne 5 6 0\n1 3 5 0\n-1 -3 6 0\n2 4 -5 0\n-2 -4 -6 0\n3 -4 5 6 0\n-5 -6 1 0\n";
    let first = answer(text);
    assert!((0..5).all(|_| answer(text) == first));
}
