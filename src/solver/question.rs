//! Easier questions than the value: who wins, and whether a target can be guaranteed.
//!
//! The target `V` becomes a row `objective <= V` (or `>=`) of the existential player and the
//! objective goes, so that an engine may prune on it like on any other row.
//!
//! **Invariant:** that row is added only where it cannot end a play that the existential player
//! would have won outright. Without universal rows and empty domains nobody is ever stuck, so
//! there it is exact. Elsewhere the whole program is solved and its value compared.

use std::borrow::Cow;

use super::Options;
use crate::num::Rational;
use crate::outcome::{Outcome, SolveError, Status, Stop, cost_of_objective};
use crate::program::{Objective, Program, Row, Sense};

/// What is asked about a program, and the program whose solution answers it.
pub(super) enum Question<'a> {
    /// The value, or only the winner.
    Plain(Cow<'a, Program>),
    /// Whether the target is in reach, by a program that is won exactly then.
    TargetAsRow {
        program: Program,
        target: &'a Rational,
    },
    /// Whether the target is in reach, by comparing it with the value.
    TargetByValue {
        program: &'a Program,
        target: &'a Rational,
    },
}

impl<'a> Question<'a> {
    pub(super) fn new(program: &'a Program, options: &'a Options) -> Result<Self, SolveError> {
        if options.decide {
            return Ok(Self::Plain(Cow::Owned(without_objective(program, None))));
        }
        let Some(target) = &options.target else {
            return Ok(Self::Plain(Cow::Borrowed(program)));
        };
        let Some(objective) = program.objective() else {
            return Err(SolveError::TargetWithoutObjective);
        };
        if program.universal_rows().is_empty() && program.first_empty_domain().is_none() {
            let row = target_row(objective, target);
            let program = without_objective(program, Some(row));
            return Ok(Self::TargetAsRow { program, target });
        }
        Ok(Self::TargetByValue { program, target })
    }

    /// What an engine has to solve.
    pub(super) fn program(&self) -> &Program {
        match self {
            Self::Plain(program) => program,
            Self::TargetAsRow { program, .. } => program,
            Self::TargetByValue { program, .. } => program,
        }
    }

    /// The engine's answer, in terms of what was asked.
    pub(super) fn answer(&self, outcome: Outcome) -> Outcome {
        match self {
            Self::Plain(_) => outcome,
            Self::TargetAsRow { target, .. } => match outcome.status {
                Status::Feasible => reached(outcome, (*target).clone()),
                Status::Infeasible => out_of_reach(outcome, (*target).clone()),
                _ => outcome,
            },
            Self::TargetByValue { program, target } => compared(program, target, outcome),
        }
    }
}

fn compared(program: &Program, target: &Rational, outcome: Outcome) -> Outcome {
    let Some(objective) = outcome.objective.clone() else {
        return outcome;
    };
    let cost = |value: &Rational| cost_of_objective(program, value.clone());
    if cost(&objective) <= cost(target) {
        reached(outcome, objective)
    } else if outcome.status == Status::Optimal {
        out_of_reach(outcome, objective)
    } else {
        outcome
    }
}

/// Stopped early: the strategy in hand is good enough.
fn reached(outcome: Outcome, objective: Rational) -> Outcome {
    Outcome {
        status: Status::Interrupted,
        stop: Some(Stop::Target),
        objective: Some(objective),
        ..outcome
    }
}

/// Nothing better than `bound` can be guaranteed, and that is not good enough.
fn out_of_reach(outcome: Outcome, bound: Rational) -> Outcome {
    Outcome {
        status: Status::Infeasible,
        objective: None,
        bound: Some(bound),
        strategy: None,
        ..outcome
    }
}

fn target_row(objective: &Objective, target: &Rational) -> Row {
    let rhs = target - &objective.constant;
    match objective.sense {
        Sense::Minimize => Row::at_most(objective.terms.clone(), rhs),
        Sense::Maximize => Row::at_least(objective.terms.clone(), rhs),
    }
}

fn without_objective(program: &Program, row: Option<Row>) -> Program {
    let mut data = program.clone().into_data();
    data.objective = None;
    data.rows.extend(row);
    Program::new(data).expect("invariant: a valid program stays valid under an unnamed row")
}
