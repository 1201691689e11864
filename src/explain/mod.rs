//! Why an answer is what it is.
//!
//! [`explain`] solves a program and asks it further questions, each a program of its own that is
//! solved exactly: what else could have been decided first ([`Alternative`]), which rows and moves
//! of the opponent already refute a lost program ([`Core`]), and what an opponent costs at all
//! ([`Price`]). All of them share one budget; what it did not suffice for is said, not guessed.

mod alternatives;
mod assumptions;
mod budget;
mod elastic;
mod first;
mod price;
mod refuting;
mod study;
mod vary;
mod worst;

pub use alternatives::{Alternative, Alternatives, Change};
pub use assumptions::Assumptions;
pub use budget::{BudgetCurve, budget_curve};
pub use elastic::{Elastic, activity};
pub use first::{FirstMoves, all_first_moves, first_moves};
pub use price::{MOST_SCENARIOS, Price, PriceEntry};
pub use refuting::{Core, Pressure};
pub use vary::{Point, Varied, VaryError, steps, vary};
pub use worst::WorstPlay;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use crate::budget::Limits;
use crate::outcome::{Outcome, SolveError, Status};
use crate::program::Program;

use study::Study;

/// Hears what is done next.
pub type Told = Arc<dyn Fn(&str) + Send + Sync>;

/// What explaining may spend, and how far it goes.
#[derive(Clone)]
pub struct ExplainOptions {
    /// The time is for everything together, nodes and memory are for each solve.
    pub limits: Limits,
    /// At most this many alternatives to the first decision are looked at.
    pub alternatives: usize,
    /// Raised to stop.
    pub stop: Arc<AtomicBool>,
    /// Hears what is done next.
    pub told: Option<Told>,
}

impl Default for ExplainOptions {
    fn default() -> Self {
        Self {
            limits: Limits::default(),
            alternatives: 12,
            stop: Arc::default(),
            told: None,
        }
    }
}

/// Everything that was found out.
#[derive(Clone, Debug)]
pub struct Explanation {
    /// The answer itself.
    pub outcome: Outcome,
    /// Best play of both sides, if it is known to its end.
    pub worst: Option<WorstPlay>,
    /// What else could be decided first; `None` if nothing can or the answer is not known.
    pub alternatives: Option<Alternatives>,
    /// Why an infeasible program is lost.
    pub core: Option<Core>,
    /// By how much rows of an infeasible program would have to give way.
    pub elastic: Option<Elastic>,
    /// The opponent's rows that the answer rests on.
    pub assumptions: Option<Assumptions>,
    /// What the opponent costs; `None` without an opponent, or if there was no time for it.
    pub price: Option<Price>,
}

/// Solves a program and finds out why the answer is what it is.
///
/// ```
/// use quip::explain::{ExplainOptions, explain};
/// use quip::format::parse_qip;
///
/// let program = parse_qip(
///     "subject to half: 2 x = y
///      idle: x <= 7
///      prefix forall integer y in [0, 2]  exists binary x  end",
/// )?;
/// let explanation = explain(&program, &ExplainOptions::default())?;
/// let core = explanation.core.expect("it is lost");
/// // The row `half` and the move `y = 1` refute; the row `idle` takes no part.
/// assert_eq!((core.rows.len(), core.pressure.len()), (1, 1));
/// assert_eq!(core.pressure[0].value, Some(quip::num::int(1)));
/// assert!(core.is_minimal);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn explain(program: &Program, options: &ExplainOptions) -> Result<Explanation, SolveError> {
    let mut study = Study::new(options);
    let outcome = study.solve(program)?;
    Ok(explained(program, outcome, &mut study))
}

/// As [`explain`], where the answer is known already.
pub fn explain_outcome(
    program: &Program,
    outcome: Outcome,
    options: &ExplainOptions,
) -> Explanation {
    explained(program, outcome, &mut Study::new(options))
}

fn explained(program: &Program, outcome: Outcome, study: &mut Study<'_>) -> Explanation {
    let known = outcome.status != Status::Interrupted;
    let lost = outcome.status == Status::Infeasible;
    Explanation {
        worst: WorstPlay::of(program, &outcome),
        alternatives: (known && !lost)
            .then(|| alternatives::of(program, &outcome, study))
            .flatten(),
        core: lost.then(|| refuting::of(program, study)).flatten(),
        elastic: lost.then(|| elastic::of(program, study)).flatten(),
        assumptions: (known && !lost)
            .then(|| assumptions::of(program, &outcome, study))
            .flatten(),
        price: known.then(|| price::of(program, &outcome, study)).flatten(),
        outcome,
    }
}
