//! The engine for quantified Boolean formulas: search with learning for both players.
//!
//! Programs that are 0/1 and whose rows are clauses or choices (`rows`) are decided by conflict-driven learning: the
//! outermost open variables are decided first, consequences are drawn from clauses and cubes
//! (`propagate`), and every lost line ends in a constraint that its loser will not break again
//! (`analyze`). Clauses belong to the existential player, cubes to the universal one; see
//! `store` for why one set of rules serves both. The universal player gets constraints to begin
//! with from the gates among the clauses (`dual`).
//!
//! **Invariant:** every constraint follows from the formula, in the sense that its owner has lost
//! where all its literals are false. So the game is over when an owner has no literal left.

mod analyze;
mod certify;
mod dual;
mod engine;
mod forget;
mod gates;
mod literal;
mod matrix;
mod order;
mod presolve;
mod propagate;
mod pure;
mod refine;
mod rows;
mod settings;
mod solution;
mod store;
#[cfg(test)]
mod tests;
mod trail;
mod turns;
#[cfg(any(test, feature = "paranoid"))]
mod twin;

pub use settings::Settings;

use engine::Engine;
use forget::Pace;
use matrix::Matrix;
use turns::Turns;

use crate::budget::Budget;
use crate::num::int;
use crate::outcome::{Effort, Move, Outcome, SolveError, Status};
use crate::program::{Id, Program, Quantifier, VarId};
use crate::strategy::Certificate;

/// Decides a clausal program; see [`Class::clausal`](crate::program::Class::clausal). Rows that allow
/// at most one or exactly one literal are taken as well.
///
/// ```
/// use quip::budget::Budget;
/// use quip::format::read_bytes;
/// use quip::outcome::Status;
///
/// let parity = b"p cnf 2 2\na 1 0\ne 2 0\n1 2 0\n-1 -2 0\n";
/// let program = read_bytes("parity.qdimacs", parity)?.program;
/// let settings = quip::qbf::Settings::default();
/// let outcome = quip::qbf::solve(&program, &settings, &mut Budget::unlimited())?;
/// assert_eq!(outcome.status, Status::Feasible);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn solve(
    program: &Program,
    settings: &Settings,
    budget: &mut Budget,
) -> Result<Outcome, SolveError> {
    solve_at(program, settings, Pace::default(), budget)
}

fn solve_at(
    program: &Program,
    settings: &Settings,
    pace: Pace,
    budget: &mut Budget,
) -> Result<Outcome, SolveError> {
    let Some(matrix) = Matrix::new(program) else {
        return Err(SolveError::Unsupported {
            engine: "clausal",
            reason:
                "its rows are not all clauses, at-most-one or exactly-one rows of 0/1 variables"
                    .into(),
        });
    };
    let (matrix, undo) = match presolve::simplify(matrix, settings, budget) {
        Ok(easier) => easier,
        Err(stop) => return Ok(Outcome::interrupted(stop)),
    };
    let mut turns = Turns::new(Engine::new(&matrix, settings.clone(), pace, budget));
    let answer = turns.run(&matrix);
    let engine = turns.engine;
    let effort = Effort {
        nodes: engine.budget.nodes(),
        lps: 0,
        learnt: engine.learnt as u64,
    };
    let outcome = match answer {
        Ok(victory) => {
            let mut values = engine.winning_values(&matrix, &victory);
            undo.complete(&mut values);
            outcome(
                victory.winner,
                first_moves(program, victory.winner, &values),
            )
        }
        Err(stop) => Outcome::interrupted(stop),
    };
    Ok(Outcome { effort, ..outcome })
}

/// Proves an answer of [`solve`]: the winner's plan is found move by move, by solving what is left of the
/// formula in each of his positions. That takes as many solves as the plan has positions.
pub fn prove(program: &Program, settings: &Settings, outcome: &mut Outcome, budget: &mut Budget) {
    let winner = match outcome.status {
        Status::Feasible => Quantifier::Exists,
        Status::Infeasible => Quantifier::Forall,
        _ => return,
    };
    let nodes = budget.nodes();
    let made = certify::plan(program, winner, settings, budget).map(|plan| {
        let (strategy, refutation) = match winner {
            Quantifier::Exists => (Some(plan), None),
            Quantifier::Forall => (None, Some(plan)),
        };
        Certificate {
            model: program.fingerprint(),
            status: outcome.status.to_string(),
            value: None,
            strategy,
            refutation,
            scenarios: None,
        }
    });
    outcome.certificate = Some(made);
    outcome.effort.nodes += budget.nodes() - nodes;
}

fn outcome(winner: Quantifier, moves: Vec<Move>) -> Outcome {
    let (status, first_stage) = match winner {
        Quantifier::Exists => (Status::Feasible, moves.clone()),
        Quantifier::Forall => (Status::Infeasible, Vec::new()),
    };
    Outcome {
        status,
        first_stage,
        principal_variation: moves,
        ..Outcome::interrupted(None)
    }
}

/// The winner's moves in the outermost block, if it is his.
fn first_moves(program: &Program, winner: Quantifier, values: &[bool]) -> Vec<Move> {
    let first = program.blocks().iter().next();
    let Some(first) = first.filter(|block| block.quantifier == winner) else {
        return Vec::new();
    };
    let value = |var: VarId| (var, int(i64::from(values[var.index()])));
    first.variables().map(value).collect()
}
