//! What can be wrong with a model. Nothing stops at the first fault: all are collected.

use std::fmt;

use crate::num::NumberError;
use crate::program::ProgramError;

/// Everything that keeps a model from being a program.
///
/// ```
/// use quip::model::*;
/// let mut model = Model::new();
/// let x = model.exists().integer("x", 0..);
/// model.minimize(f64::NAN * x);
/// let error = model.build().unwrap_err();
/// assert_eq!(error.faults().len(), 2);
/// assert!(error.to_string().contains("variable `x` needs finite bounds"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModelError {
    faults: Vec<ModelFault>,
}

impl ModelError {
    /// At least one fault.
    pub(super) fn new(faults: Vec<ModelFault>) -> Self {
        debug_assert!(!faults.is_empty());
        Self { faults }
    }

    /// The faults, in the order in which they were found.
    ///
    /// ```
    /// use quip::model::*;
    /// let mut model = Model::new();
    /// model.exists().binary("2x");
    /// assert!(matches!(model.build().unwrap_err().faults(), [ModelFault::Program(_)]));
    /// ```
    pub fn faults(&self) -> &[ModelFault] {
        &self.faults
    }
}

impl fmt::Display for ModelError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, fault) in self.faults.iter().enumerate() {
            let separator = if number == 0 { "" } else { "\n" };
            write!(out, "{separator}{fault}")?;
        }
        Ok(())
    }
}

impl std::error::Error for ModelError {}

/// One fault of a model.
///
/// ```
/// use quip::model::ModelFault;
/// let fault = ModelFault::ForeignVariable { place: "row `cap`".into() };
/// assert_eq!(fault.to_string(), "row `cap` uses a variable of another model");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ModelFault {
    /// The program that the model describes is faulty.
    #[error(transparent)]
    Program(#[from] ProgramError),
    /// A number that cannot be read.
    #[error("in {place}: {fault}")]
    Number {
        /// Where it was used.
        place: String,
        /// What is wrong with it.
        fault: NumberError,
    },
    /// An end of an interval that cannot be read.
    #[error(
        "in the bounds of `{variable}`: {fault}; for an infinite bound leave the end of the range open, as in `0..`"
    )]
    Bound {
        /// The variable.
        variable: String,
        /// What is wrong with the number.
        fault: NumberError,
    },
    /// A variable was used that another model made.
    #[error("{place} uses a variable of another model")]
    ForeignVariable {
        /// Where it was used.
        place: String,
    },
    /// A sentence of logic, or a condition, about a variable that is not 0 or 1.
    #[error("{place} speaks of `{variable}` as true or false, but it is not binary")]
    NotBinary {
        /// The sentence.
        place: String,
        /// The variable.
        variable: String,
    },
    /// A conditional row that cannot be relaxed.
    #[error(
        "{place} holds only under a condition, which needs a finite {side} bound of `{variable}`"
    )]
    UnboundedCondition {
        /// The row.
        place: String,
        /// `lower` or `upper`.
        side: &'static str,
        /// The variable whose bound is infinite.
        variable: String,
    },
    /// A block that the prefix does not have.
    #[error("there is no block `{name}`; {known}")]
    UnknownBlock {
        /// The name asked for.
        name: String,
        /// Which names there are, as a phrase.
        known: String,
    },
    /// Two blocks of one name.
    #[error("two blocks are called `{name}`")]
    DuplicateBlock {
        /// The shared name.
        name: String,
    },
    /// The objective was given more than once.
    #[error("the objective is given twice; a program has one")]
    SecondObjective,
}
