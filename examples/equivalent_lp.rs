//! Solves a quantified linear program as its equivalent linear program, by HiGHS in floats: a rival
//! that suites can name as an external command.
//!
//! `equivalent_lp MODEL SECONDS` prints the value and the seconds that it took.

#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    clippy::unwrap_used,
    reason = "a command for experiments"
)]

#[path = "../benches/benders/expansion.rs"]
mod expansion;

use std::process::ExitCode;
use std::time::{Duration, Instant};

use expansion::expanded;
use quip::format::read_bytes;
use quip::program::{Kind, Program, Quantifier};

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    match words.as_slice() {
        [path, seconds] => match solved(path, seconds) {
            Ok(answer) => {
                println!("{answer}");
                ExitCode::SUCCESS
            }
            Err(reason) => {
                eprintln!("error: {reason}");
                ExitCode::FAILURE
            }
        },
        _ => {
            eprintln!("usage: equivalent_lp MODEL SECONDS");
            ExitCode::from(2)
        }
    }
}

fn solved(path: &str, seconds: &str) -> Result<String, String> {
    let seconds: f64 = seconds.parse().map_err(|_| "no number of seconds")?;
    let limit = Duration::try_from_secs_f64(seconds).map_err(|reason| reason.to_string())?;
    let bytes = std::fs::read(path).map_err(|reason| format!("{path}: {reason}"))?;
    let reading = read_bytes(path, &bytes).map_err(|faults| faults.render(false))?;
    taken(&reading.program)?;
    let started = Instant::now();
    let value = expanded(&reading.program, limit).ok_or("not solved in time")?;
    let took = started.elapsed().as_secs_f64();
    Ok(format!("value: {value}\nseconds: {took}"))
}

/// Minimised, real after the first universal variable, without universal rows, and bounded.
fn taken(program: &Program) -> Result<(), &'static str> {
    let minimised = program
        .objective()
        .is_some_and(|it| it.sense == quip::program::Sense::Minimize);
    let mut variables = program.variables().iter();
    if !minimised || !program.universal_rows().is_empty() {
        return Err("the objective must be minimised, and universal rows must not be there");
    }
    if !variables.all(|it| {
        it.bounds.is_finite() && (it.kind == Kind::Real || it.quantifier == Quantifier::Forall)
    }) {
        return Err("variables must be real and bounded");
    }
    Ok(())
}
