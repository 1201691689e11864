//! Bounds from both sides where rules of the opponent depend on decisions, and reals are about.
//!
//! With the decisions in its rows at the ends that serve it best, the opponent has more plays than it
//! may have: what is guaranteed against them is guaranteed. With the decisions at the other ends it has
//! only plays that nobody can forbid: what these cost it can always force.
//!
//! **Invariant:** both programs are of the class, and both bounds are proved; where they meet is the value.

use num_traits::Signed;

use super::super::is_mixed;
use super::{Settings, solve};
use crate::budget::{Budget, Limits};
use crate::num::Rational;
use crate::outcome::{Outcome, SolveError, Status, Stop};
use crate::program::{Program, Quantifier, Row, Term};

/// Bounds from both sides of a program with reals whose universal rows depend on decisions, and a strategy
/// worth one of them; `None` if the program is another one, or a decision in these rows has no end.
///
/// Half of the time that is left is for what can be guaranteed.
pub fn bounds_of_mixed(
    program: &Program,
    settings: &Settings,
    budget: &mut Budget,
) -> Option<Result<Outcome, SolveError>> {
    if !program.class().decision_dependent || !is_mixed(program) {
        return None;
    }
    let harder = with_decisions_at(program, true)?;
    let easier = with_decisions_at(program, false)?;
    let mut half = |program: &Program| {
        let left = budget.left();
        let mut part = budget.part(Limits {
            time: left.time.map(|time| time / 2),
            ..left
        });
        let solved = solve(program, settings, &mut part);
        budget.count_nodes(part.nodes());
        solved
    };
    let guaranteed = match half(&harder) {
        Ok(outcome) => outcome,
        Err(error) => return Some(Err(error)),
    };
    let forced = match half(&easier) {
        Ok(outcome) => outcome,
        Err(error) => return Some(Err(error)),
    };
    Some(Ok(between(guaranteed, forced)))
}

fn between(guaranteed: Outcome, forced: Outcome) -> Outcome {
    let bound = match forced.status {
        // Against plays that nobody can forbid.
        Status::Infeasible => return forced,
        Status::Optimal | Status::Interrupted => forced.bound,
        _ => None,
    };
    let stop = forced.stop.or(guaranteed.stop).or(Some(Stop::Reach));
    match guaranteed.status {
        Status::Feasible => guaranteed,
        Status::Optimal if guaranteed.objective == bound => Outcome {
            scenarios: forced.scenarios,
            ..guaranteed
        },
        Status::Optimal | Status::Interrupted => Outcome {
            status: Status::Interrupted,
            stop,
            bound,
            scenarios: forced.scenarios,
            ..guaranteed
        },
        _ => Outcome {
            bound,
            ..Outcome::interrupted(stop)
        },
    }
}

/// The program whose universal rows have the decisions at the ends that leave the opponent most, or
/// least; `None` if one has no such end.
fn with_decisions_at(program: &Program, most: bool) -> Option<Program> {
    let is_universal = |term: &&Term| {
        let variable = &program.variables()[term.0];
        variable.quantifier == Quantifier::Forall
    };
    let mut data = program.clone().into_data();
    for row in &mut data.universal_rows {
        // What the decisions add at least, and at most.
        let end = |upper: bool| -> Option<Rational> {
            let decided = row.terms.iter().filter(|term| !is_universal(term));
            let ends = decided.map(|(var, by)| {
                let domain = program.variables()[*var].domain();
                let end = match by.is_positive() == upper {
                    true => domain.upper,
                    false => domain.lower,
                };
                Some(end? * by)
            });
            ends.sum()
        };
        let upper = match &row.upper {
            Some(side) => Some(side - end(!most)?),
            None => None,
        };
        let lower = match &row.lower {
            Some(side) => Some(side - end(most)?),
            None => None,
        };
        *row = Row {
            name: row.name.clone(),
            terms: row.terms.iter().filter(is_universal).cloned().collect(),
            lower,
            upper,
        };
    }
    Program::new(data).ok()
}
