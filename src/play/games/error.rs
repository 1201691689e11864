//! What can be wrong with a game that is asked for.

use crate::model::ModelError;

/// Why a game cannot be built.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GameError {
    /// A file says something it may not say.
    #[error("line {line}, column {column}: {message}")]
    Text {
        /// Counted from 1.
        line: usize,
        /// Counted from 1, in characters.
        column: usize,
        /// What is wrong, and what would be right.
        message: String,
    },
    /// A parameter has a value that makes no game.
    #[error("{parameter}: {message}")]
    Parameter {
        /// The parameter as the user knows it.
        parameter: &'static str,
        /// What is wrong, and what would be right.
        message: String,
    },
    /// The generator built something that is no program.
    #[error(transparent)]
    Model(#[from] ModelError),
}

impl GameError {
    /// A parameter out of its range.
    pub(super) fn parameter(parameter: &'static str, message: impl Into<String>) -> Self {
        Self::Parameter {
            parameter,
            message: message.into(),
        }
    }
}
