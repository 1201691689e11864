//! The answer to a quantified Boolean formula, in the form that solvers of such formulas share.
//!
//! `s cnf 1` is true, `s cnf 0` false, `s cnf -1` unknown, each with the numbers of the file's
//! header. `V` lines list the outermost block when it belongs to the winner: his first moves.
//! Everything else is a comment.

use std::fmt::Write;

use num_traits::One;
use quip::format::Formula;
use quip::num::Rational;
use quip::program::{Quantifier, VarId};
use rustc_hash::FxHashMap;

use super::exit::winner;
use super::report::{self, Solved};
use super::solve::SolveArgs;

/// The answer, ending with a newline. The usual report is a comment in front of it.
pub fn report(solved: &Solved<'_>, formula: &Formula, wanted: &SolveArgs) -> String {
    let mut text = String::new();
    if !wanted.quiet {
        for line in report::report(solved, wanted.verbose, false).lines() {
            let _ = writeln!(text, "c {line}");
        }
    }
    let winner = winner(solved.outcome);
    let verdict = match winner {
        Some(Quantifier::Exists) => 1,
        Some(Quantifier::Forall) => 0,
        None => -1,
    };
    let (variables, clauses) = (formula.variables, formula.clauses);
    let _ = writeln!(text, "s cnf {verdict} {variables} {clauses}");
    for (name, value) in first_moves(solved, formula, winner) {
        let sign = if value.is_one() { "" } else { "-" };
        let _ = writeln!(text, "V {sign}{name} 0");
    }
    text
}

/// The winner's values of the outermost block, if it is his and they are known.
fn first_moves<'a>(
    solved: &'a Solved<'_>,
    formula: &'a Formula,
    winner: Option<Quantifier>,
) -> Vec<(&'a str, &'a Rational)> {
    let outcome = solved.outcome;
    let owner = |var: VarId| solved.program.variables()[var].quantifier;
    let known = outcome
        .principal_variation
        .iter()
        .chain(&outcome.first_stage);
    let known: FxHashMap<VarId, &Rational> = known.map(|(var, value)| (*var, value)).collect();
    let moves = formula.outermost.iter().map(|(var, name)| {
        let value = known.get(var).filter(|_| Some(owner(*var)) == winner)?;
        Some((name.as_str(), *value))
    });
    moves.collect::<Option<Vec<_>>>().unwrap_or_default()
}
