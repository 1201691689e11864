//! Exit codes, and the failures that lead to them.

use std::io;
use std::process::ExitCode;

use quip::outcome::{Outcome, SolveError, Status};

/// How the process ends.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Exit {
    /// Proved optimal or feasible; also the end of every command that does not solve.
    Proved = 0,
    /// The certificate does not prove its claim.
    Invalid = 1,
    /// What was typed makes no sense.
    Usage = 2,
    /// Proved infeasible, or the target proved out of reach.
    Infeasible = 10,
    /// Proved that the universal player is stuck or the objective unbounded.
    BeyondValue = 11,
    /// Stopped with a strategy in hand.
    StoppedWithStrategy = 20,
    /// Stopped with nothing in hand.
    StoppedEmptyHanded = 21,
    /// The model is wrong, or outside what the method or format can express.
    BadModel = 65,
    /// A file cannot be read.
    CannotRead = 66,
    /// A bug.
    Internal = 70,
    /// A file cannot be written.
    CannotWrite = 74,
    /// Asked to stop for the second time.
    Killed = 130,
}

impl Exit {
    /// The code that tells a script what the outcome is.
    pub fn of(outcome: &Outcome) -> Self {
        match outcome.status {
            Status::Optimal | Status::Feasible => Self::Proved,
            Status::Infeasible => Self::Infeasible,
            Status::UniversalStuck | Status::Unbounded => Self::BeyondValue,
            Status::Interrupted if has_strategy(outcome) => Self::StoppedWithStrategy,
            Status::Interrupted => Self::StoppedEmptyHanded,
        }
    }

    /// The number.
    pub fn code(self) -> i32 {
        i32::from(self as u8)
    }
}

fn has_strategy(outcome: &Outcome) -> bool {
    outcome.objective.is_some() || outcome.strategy.is_some()
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
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
    /// The arguments contradict each other or the file.
    #[error("error: {0}")]
    Usage(String),
    /// The system does not let the process do its work.
    #[error("error: {0}")]
    System(String),
}

impl Failure {
    /// The code for it.
    pub fn exit(&self) -> Exit {
        match self {
            Self::Solve(SolveError::TargetWithoutObjective) | Self::Usage(_) => Exit::Usage,
            Self::Model(_) | Self::NotExpressible { .. } | Self::Solve(_) => Exit::BadModel,
            Self::Read { .. } => Exit::CannotRead,
            Self::Write { .. } => Exit::CannotWrite,
            Self::System(_) => Exit::Internal,
        }
    }
}
