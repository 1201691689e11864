//! The quantified linear program of an integer one: the same game, with real replies.
//!
//! **Why it is a bound.** The existential player may use any real number instead of whole ones,
//! which only helps him. The universal player keeps the corners of his boxes only, which is legal
//! where no universal row mentions the variable, and only hurts him. What remains is solved by
//! [`benders`](crate::benders), and its value is at most that of the program when minimising.
//!
//! Universal variables under universal rows are granted to the existential player, without the
//! rows. That is a bound only if the universal system cannot die, since its death would be better
//! for the existential player than any cost: so rows that mention existential variables, and rows
//! that are not seen to be alive, leave nothing proved.

use num_traits::Signed;

use crate::benders::{self, Settings};
use crate::budget::Budget;
use crate::num::Rational;
use crate::outcome::{Outcome, SolveError, Status, Stop};
use crate::program::{Kind, Program, ProgramData, Quantifier, Row, Variable};

/// What the quantified linear program proves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum QlpBound {
    /// Nothing better than this objective can be guaranteed.
    Objective(Rational),
    /// The existential player loses.
    Infeasible,
    /// Nothing was proved.
    Unknown,
}

/// Bounds a program by its quantified linear program, exactly.
///
/// ```
/// use quip::budget::Budget;
/// use quip::format::parse_qip;
/// use quip::num::ratio;
/// use quip::relax::{QlpBound, qlp_bound};
///
/// let program = parse_qip(
///     "minimize x
///      subject to 2 x >= y + 1
///      prefix forall integer y in [0, 2]  exists integer x in [0, 5]
///      end",
/// )?;
/// let bound = qlp_bound(&program, &mut Budget::unlimited()).unwrap();
/// assert_eq!(bound, QlpBound::Objective(ratio(3, 2)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn qlp_bound(program: &Program, budget: &mut Budget) -> Result<QlpBound, Stop> {
    let Ok(outcome) = solve_qlp(program, budget) else {
        return Ok(QlpBound::Unknown);
    };
    match (outcome.status, outcome.stop) {
        (Status::Optimal, _) => Ok(outcome.bound.map_or(QlpBound::Unknown, QlpBound::Objective)),
        (Status::Infeasible, _) => Ok(QlpBound::Infeasible),
        (Status::Interrupted, Some(stop)) => Err(stop),
        _ => Ok(QlpBound::Unknown),
    }
}

/// Solves the quantified linear program itself: its value, its plays and what they took. Refused
/// where its value would prove nothing about the program.
///
/// ```
/// use quip::budget::Budget;
/// use quip::relax::solve_qlp;
/// let program = quip::format::parse_qip(
///     "minimize x
///      subject to 2 x >= y + 1
///      prefix forall integer y in [0, 2]  exists integer x in [0, 5]
///      end",
/// )?;
/// let outcome = solve_qlp(&program, &mut Budget::unlimited())?;
/// assert_eq!(outcome.objective.unwrap().to_string(), "3/2");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn solve_qlp(program: &Program, budget: &mut Budget) -> Result<Outcome, SolveError> {
    benders::solve(&relaxed(program)?, &Settings::default(), budget)
}

/// The quantified linear program; the reason where its value would prove nothing.
fn relaxed(program: &Program) -> Result<Program, SolveError> {
    let refused = |reason: &str| SolveError::Unsupported {
        engine: "qlp",
        reason: reason.to_owned(),
    };
    if program.first_empty_domain().is_some() {
        return Err(refused("a variable has no value to take"));
    }
    if !universal_system_lives(program) {
        return Err(refused(
            "the universal player may lose his system, which is better for the other one than any \
             cost",
        ));
    }
    let mut data: ProgramData = program.clone().into_data();
    for row in std::mem::take(&mut data.universal_rows) {
        for (var, _) in row.terms {
            data.variables[crate::program::Id::index(var)].quantifier = Quantifier::Exists;
        }
    }
    for variable in &mut data.variables {
        // The rounded bounds are those of the integer program, and tighter.
        variable.bounds = variable.domain();
        if variable.quantifier == Quantifier::Exists {
            variable.kind = Kind::Real;
        }
    }
    Program::new(data).map_err(|_| {
        refused("a real without an end comes before what the universal player's rows hold")
    })
}

/// Whether the universal player can certainly keep his system alive to the end: no row depends on
/// the other player, the rows can be judged one by one, and each of them can hold.
fn universal_system_lives(program: &Program) -> bool {
    let class = program.class();
    let rows = program.universal_rows();
    rows.is_empty()
        || (!class.decision_dependent
            && class.simply_restricted
            && rows.iter().all(|row| can_hold(program, row)))
}

fn can_hold(program: &Program, row: &Row) -> bool {
    let ends = |variable: &Variable| {
        let domain = variable.domain();
        Some((domain.lower?, domain.upper?))
    };
    let mut reach = (Rational::default(), Rational::default());
    for (var, factor) in &row.terms {
        let Some((lower, upper)) = ends(&program.variables()[*var]) else {
            return false;
        };
        let (low, high) = if factor.is_positive() {
            (lower, upper)
        } else {
            (upper, lower)
        };
        reach.0 += factor * low;
        reach.1 += factor * high;
    }
    row.lower.as_ref().is_none_or(|lower| *lower <= reach.1)
        && row.upper.as_ref().is_none_or(|upper| reach.0 <= *upper)
}
