//! The definition of a quantified program, executed by enumeration in exact arithmetic.
//!
//! Slow and meant to be obviously correct: it is the judge of every faster engine. Integer
//! variables are fixed one after the other, every legal value is tried, and whether a system is
//! alive is found out by looking for a completion. It answers with both sides' plans.
//!
//! # The rules it executes
//!
//! A system is *alive* while some values of all variables that are left, whoever owns them, satisfy
//! it. A value is legal when it keeps the mover's own system alive. After a move, the mover has lost
//! if his own system is dead, whatever became of the other one; otherwise his opponent has lost if
//! *his* system is dead, also after the last move of the play. When nobody has lost, the play is
//! worth the objective. Before the first move a dead system loses for its owner; when both are dead,
//! the owner of the first variable loses.
//!
//! Real variables are not enumerated. From the first of them on, all existential variables must be
//! real; that tail of the play is one exact linear program over the universal player's scenarios.
//!
//! Two cases the rules leave open are decided here:
//! - some domain is empty: the owner of the first variable with an empty domain loses at once;
//! - there is no variable at all and both systems are dead: the existential player loses.

mod admission;
mod board;
mod endgame;
mod game;
mod incumbent;
mod outcome;
mod plans;
mod reach;
mod reals;
mod scenarios;
mod system;
mod tail;
mod unknowns;

use crate::budget::Budget;
use crate::outcome::{Halt, Outcome, Score, SolveError};
use crate::program::Program;

use game::Game;

/// Solves a program by enumeration: the value, the best play and the plans that prove it.
///
/// A strategy comes with every answer but `infeasible`. A refutation comes with `infeasible`,
/// with `optimal`, and with `feasible` if there are universal rows, where it shows that the
/// universal player cannot be outlived.
///
/// ```
/// use quip::budget::Budget;
/// use quip::num::int;
/// use quip::outcome::Status;
/// use quip::program::*;
///
/// // forall y in {0, 1, 2} exists x in {0, …, 5}: x >= y, minimize x
/// let y = Variable {
///     name: "y".into(),
///     quantifier: Quantifier::Forall,
///     kind: Kind::Integer,
///     bounds: Bounds::between(int(0), int(2)),
/// };
/// let x = Variable {
///     name: "x".into(),
///     quantifier: Quantifier::Exists,
///     bounds: Bounds::between(int(0), int(5)),
///     ..y.clone()
/// };
/// let (first, second) = (VarId::new(0), VarId::new(1));
/// let program = Program::new(ProgramData {
///     variables: vec![y, x],
///     rows: vec![Row::at_most(vec![(first, int(1)), (second, int(-1))], int(0))],
///     universal_rows: Vec::new(),
///     objective: Some(Objective {
///         name: None,
///         sense: Sense::Minimize,
///         terms: vec![(second, int(1))],
///         constant: int(0),
///     }),
/// })
/// .map_err(|faults| faults[0].clone())?;
///
/// let outcome = quip::reference::solve(&program, &mut Budget::unlimited())?;
/// assert_eq!(outcome.status, Status::Optimal);
/// assert_eq!(outcome.objective, Some(int(2)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn solve(program: &Program, budget: &mut Budget) -> Result<Outcome, SolveError> {
    let mut game = Game::new(program)?;
    match game.settle(budget) {
        Ok(settled) => Ok(outcome::proved(game, &settled, budget)),
        Err(Halt::Stop(stop)) => Ok(outcome::interrupted(game, stop, budget)),
        Err(Halt::Refused(error)) => Err(error),
    }
}

/// The score of a program, without limits.
///
/// ```
/// use quip::outcome::Score;
/// use quip::program::{Program, ProgramData};
///
/// let nothing = Program::new(ProgramData::default()).unwrap();
/// assert_eq!(quip::reference::value(&nothing), Ok(Score::Cost(quip::num::int(0))));
/// ```
pub fn value(program: &Program) -> Result<Score, SolveError> {
    match Game::new(program)?.settle(&mut Budget::unlimited()) {
        Ok(settled) => Ok(settled.score),
        Err(Halt::Refused(error)) => Err(error),
        Err(Halt::Stop(stop)) => unreachable!("no limit was set, but it stopped: {stop:?}"),
    }
}

fn unsupported(reason: String) -> SolveError {
    SolveError::Unsupported {
        engine: "reference",
        reason,
    }
}
