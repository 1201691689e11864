//! Random formulas beside DepQBF, if that solver is installed.

#![allow(clippy::print_stdout, reason = "a test says what it skipped")]

use std::fmt::Write;
use std::process::{Command, Stdio};

use quip::budget::Budget;
use quip::qbf::{self, Settings};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::{is_true, read};

/// Formulas that are compared: thousands, unless a machine has little time.
const FORMULAS: u64 = 3_000;

/// A formula that is neither lost nor won at a glance: a few blocks, clauses of three to five
/// literals with at most two universal ones, and gates.
fn formula(seed: u64) -> String {
    let mut dice = ChaCha8Rng::seed_from_u64(seed);
    let blocks = dice.random_range(2..6);
    let size = dice.random_range(4..12);
    let first_is_universal: bool = dice.random();
    let is_universal = |var: usize| (var / size).is_multiple_of(2) == first_is_universal;
    let variables = blocks * size;
    let clauses = variables * dice.random_range(12..30) / 10;
    let mut lines = Vec::new();
    for _ in 0..clauses {
        let mut universals = 0;
        let mut literals: Vec<i64> = Vec::new();
        let length = dice.random_range(3..6);
        while literals.len() < length {
            let var = dice.random_range(0..variables);
            let literal = if dice.random() { 1 } else { -1 } * (var as i64 + 1);
            universals += usize::from(is_universal(var));
            if is_universal(var) && universals > 2 || literals.contains(&-literal) {
                if universals > 20 * length {
                    break;
                }
                continue;
            }
            literals.push(literal);
        }
        lines.push(literals);
    }
    let mut text = format!("p cnf {variables} {}\n", lines.len());
    for block in 0..blocks {
        text.push_str(if is_universal(block * size) { "a" } else { "e" });
        for var in block * size..(block + 1) * size {
            let _ = write!(text, " {}", var + 1);
        }
        text.push_str(" 0\n");
    }
    for literals in lines {
        for literal in literals {
            let _ = write!(text, "{literal} ");
        }
        text.push_str("0\n");
    }
    text
}

/// What DepQBF says: true, false, or nothing if it is not there.
fn depqbf(text: &str) -> Option<bool> {
    use std::io::Write as _;
    let mut child = Command::new("depqbf")
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
        .ok()?;
    child.stdin.take()?.write_all(text.as_bytes()).ok()?;
    match child.wait().ok()?.code() {
        Some(10) => Some(true),
        Some(20) => Some(false),
        code => panic!("depqbf ends with {code:?} on\n{text}"),
    }
}

#[test]
fn thousands_of_random_formulas_have_the_answer_of_depqbf() {
    if depqbf("p cnf 0 0\n").is_none() {
        println!("skipped: depqbf is not installed");
        return;
    }
    let mut won = 0;
    for seed in 0..FORMULAS {
        let text = formula(seed);
        let program = read(&text).program;
        let outcome = qbf::solve(&program, &Settings::default(), &mut Budget::unlimited());
        let found = is_true(&outcome.unwrap());
        assert_eq!(Some(found), depqbf(&text), "seed {seed}\n{text}");
        won += u64::from(found);
    }
    assert!(
        (FORMULAS / 20..FORMULAS * 19 / 20).contains(&won),
        "{won} are true"
    );
}
