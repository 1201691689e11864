//! Exit codes, and the failures that lead to them.

use std::io;
use std::process::ExitCode;

use quip::draw::DrawError;
use quip::outcome::{Outcome, SolveError, Status};
use quip::program::Quantifier;

/// How the process ends.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Exit {
    /// Proved optimal or feasible, the target in reach, or as good as was asked for; also the end of every command that does not solve.
    Proved,
    /// The certificate does not prove its claim; or there are remarks, files to lay out, or differences.
    Invalid,
    /// What was typed makes no sense.
    Usage,
    /// Proved infeasible, or the target proved out of reach.
    Infeasible,
    /// Proved that the universal player is stuck or the objective unbounded.
    BeyondValue,
    /// Stopped with a strategy in hand.
    StoppedWithStrategy,
    /// Stopped with nothing in hand.
    StoppedEmptyHanded,
    /// A formula proved true: the existential player wins.
    FormulaTrue,
    /// A formula proved false: the universal player wins.
    FormulaFalse,
    /// A formula of which nothing is proved.
    FormulaOpen,
    /// The model is wrong, or outside what the method or format can express.
    BadModel,
    /// A file cannot be read.
    CannotRead,
    /// A bug.
    Internal,
    /// The answer was given, but a file that was asked for could not be made.
    NotMade,
    /// A file cannot be written.
    CannotWrite,
    /// Asked to stop for the second time.
    Killed,
}

impl Exit {
    /// The code that tells a script what the outcome is.
    pub fn of(outcome: &Outcome) -> Self {
        match outcome.status {
            Status::Optimal | Status::Feasible | Status::TargetReached | Status::GoodEnough => {
                Self::Proved
            }
            Status::Infeasible => Self::Infeasible,
            Status::UniversalStuck | Status::Unbounded => Self::BeyondValue,
            Status::Interrupted if has_strategy(outcome) => Self::StoppedWithStrategy,
            Status::Interrupted => Self::StoppedEmptyHanded,
        }
    }

    /// The code that tells it the way solvers of quantified Boolean formulas do.
    pub fn of_formula(outcome: &Outcome) -> Self {
        match winner(outcome) {
            Some(Quantifier::Exists) => Self::FormulaTrue,
            Some(Quantifier::Forall) => Self::FormulaFalse,
            None => Self::FormulaOpen,
        }
    }

    /// The number.
    pub fn code(self) -> u8 {
        match self {
            Self::Proved | Self::FormulaOpen => 0,
            Self::Invalid => 1,
            Self::Usage => 2,
            Self::Infeasible | Self::FormulaTrue => 10,
            Self::BeyondValue => 11,
            Self::StoppedWithStrategy | Self::FormulaFalse => 20,
            Self::StoppedEmptyHanded => 21,
            Self::BadModel => 65,
            Self::CannotRead => 66,
            Self::Internal => 70,
            Self::NotMade => 73,
            Self::CannotWrite => 74,
            Self::Killed => 130,
        }
    }
}

/// Who is proved to win.
pub fn winner(outcome: &Outcome) -> Option<Quantifier> {
    match outcome.status {
        Status::Optimal
        | Status::Feasible
        | Status::TargetReached
        | Status::GoodEnough
        | Status::UniversalStuck
        | Status::Unbounded => Some(Quantifier::Exists),
        Status::Infeasible => Some(Quantifier::Forall),
        Status::Interrupted => None,
    }
}

fn has_strategy(outcome: &Outcome) -> bool {
    outcome.objective.is_some() || outcome.strategy.is_some()
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit.code())
    }
}

/// Why a command could not do what it was asked. The text is what the user sees.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// Rendered diagnostics of a model file.
    #[error("{0}")]
    Model(String),
    /// The model cannot be written in the wanted format.
    #[error("error: cannot write this model as {format}: {reason}")]
    NotExpressible {
        /// Name of the format.
        format: &'static str,
        /// What is in the way.
        reason: String,
    },
    /// The engine does not take the model.
    #[error("error: {0}")]
    Solve(#[from] SolveError),
    /// There is no picture of the model.
    #[error("error: {0}")]
    Draw(DrawError),
    /// A file cannot be read.
    #[error("error: cannot read {name}: {reason}")]
    Read {
        /// The file.
        name: String,
        /// What the system says.
        reason: io::Error,
    },
    /// A file cannot be written.
    #[error("error: cannot write {name}: {reason}")]
    Write {
        /// The file.
        name: String,
        /// What the system says.
        reason: io::Error,
    },
    /// A file that was asked for could not be made.
    #[error("error: no {what} was written to {name}: {reason}{note}")]
    NotMade {
        /// What it would have been.
        what: &'static str,
        /// The file.
        name: String,
        /// What is in the way.
        reason: String,
        /// What became of an older file of that name.
        note: String,
    },
    /// The arguments contradict each other or the file.
    #[error("error: {0}")]
    Usage(String),
    /// Asked to stop before there was anything to answer.
    #[error("{0}")]
    Stopped(String),
    /// The system does not let the process do its work.
    #[error("error: {0}")]
    System(String),
}

impl Failure {
    /// The code for it.
    pub fn exit(&self) -> Exit {
        match self {
            Self::Solve(SolveError::TargetWithoutObjective) | Self::Usage(_) => Exit::Usage,
            Self::Model(_) | Self::NotExpressible { .. } | Self::Solve(_) | Self::Draw(_) => {
                Exit::BadModel
            }
            Self::Read { .. } => Exit::CannotRead,
            Self::Write { .. } => Exit::CannotWrite,
            Self::NotMade { .. } => Exit::NotMade,
            Self::Stopped(_) => Exit::StoppedEmptyHanded,
            Self::System(_) => Exit::Internal,
        }
    }

    /// The reason alone, for a sentence that says what it is about.
    pub fn reason(&self) -> String {
        match self {
            Self::NotMade { reason, .. } => reason.clone(),
            Self::Write { reason, .. } => format!("it cannot be written: {reason}"),
            other => other.to_string(),
        }
    }
}
