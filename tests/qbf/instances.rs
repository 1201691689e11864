//! The public formulas that are shared beside the checkout.

#![allow(clippy::print_stdout, reason = "a test says what it skipped")]

use std::path::{Path, PathBuf};

use quip::budget::Limits;
use quip::format::{read_bytes, read_path, write_qcir, write_qdimacs};
use quip::outcome::Status;
use quip::program::Quantifier;
use quip::solver::{Options, Solver};

/// Every formula with its answer.
pub fn formulas() -> Option<Vec<(PathBuf, String)>> {
    let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared");
    let shared = std::env::var_os("QUIP_SHARED").map_or_else(beside, PathBuf::from);
    let folder = shared.join("instances/qbf");
    let Ok(index) = std::fs::read_to_string(folder.join("index.csv")) else {
        println!("skipped: no shared instances here; set QUIP_SHARED to their folder");
        return None;
    };
    let formula = |line: &str| {
        let cells: Vec<&str> = line.split(',').collect();
        (folder.join(cells[0]), cells[4].to_owned())
    };
    let found: Vec<_> = index.lines().skip(1).map(formula).collect();
    assert!(found.len() > 100);
    Some(found)
}

#[test]
fn every_public_formula_reads_and_survives_the_writers() {
    for (path, answer) in formulas().unwrap_or_default() {
        let shown = path.display();
        let reading = match (read_path(&path), answer.as_str()) {
            (Ok(reading), "true" | "false") => reading,
            (Err(_), "invalid") => continue,
            (Ok(_), _) => panic!("{shown} is read, but it is {answer}"),
            (Err(error), _) => panic!("{shown}: {error}"),
        };
        assert!(reading.format.is_boolean(), "{shown}");
        let circuit = write_qcir(&reading.program).unwrap();
        assert!(
            read_bytes("copy", circuit.as_bytes()).unwrap().program == reading.program,
            "{shown}"
        );
        let clauses = write_qdimacs(&reading.program).unwrap();
        let again = read_bytes("copy", clauses.as_bytes()).unwrap();
        let last = reading.program.variables().iter().last();
        let names = || {
            reading
                .program
                .variables()
                .iter()
                .all(|it| it.name.starts_with('x'))
        };
        if last.is_some_and(|it| it.quantifier == Quantifier::Exists) && names() {
            assert!(again.program == reading.program, "{shown}");
        }
        assert_eq!(
            again.program.rows().len(),
            reading.program.rows().len(),
            "{shown}"
        );
    }
}

/// Positions after which a formula is left alone. Work is counted, so the same ones are solved
/// everywhere.
const POSITIONS: u64 = 6_000;

/// How many formulas need no more.
const SOLVED: usize = 115;

#[test]
fn formulas_of_little_work_have_the_known_answer() {
    let formulas = formulas().unwrap_or_default();
    let least = SOLVED.min(formulas.len());
    let mut solved = 0;
    for (path, answer) in formulas {
        let Ok(reading) = read_path(&path) else {
            continue;
        };
        let limits = Limits {
            nodes: Some(POSITIONS),
            ..Limits::default()
        };
        let options = Options {
            limits,
            ..Options::default()
        };
        let outcome = Solver::new(options).solve(&reading.program).unwrap();
        let found = match outcome.status {
            Status::Feasible => "true",
            Status::Infeasible => "false",
            Status::Interrupted => continue,
            other => panic!("{} is {other}", path.display()),
        };
        assert_eq!(found, answer, "{}", path.display());
        solved += 1;
    }
    println!("{solved} formulas answered");
    assert!(solved >= least, "only {solved} formulas answered");
}
