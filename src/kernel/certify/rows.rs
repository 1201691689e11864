//! A player's rows, whoever finds out whether they can still be completed.

use super::mixed::Mixed;
use super::mixing::Mixing;
use super::{CertificateError, Completion, System};
use crate::budget::Budget;
use crate::outcome::Stop;
use crate::program::{Program, Quantifier, VarId};

/// One player's rows: whole, or with real variables.
pub(super) enum Rows<'a> {
    Whole(System),
    Mixed(Mixed<'a>),
}

impl<'a> Rows<'a> {
    pub fn new(
        program: &'a Program,
        owner: Quantifier,
        order: &'a [VarId],
    ) -> Result<Self, CertificateError> {
        Ok(match System::new(program, owner)? {
            // Its places are those of the prefix.
            Some(system) if order.is_sorted() => Self::Whole(system),
            _ => Self::Mixed(Mixed {
                program,
                owner,
                order,
            }),
        })
    }

    pub fn completion(
        &self,
        mixing: &Mixing,
        values: &[i128],
        budget: &mut Budget,
    ) -> Result<Completion, Stop> {
        match self {
            Self::Whole(system) => system.completion(values, budget),
            Self::Mixed(mixed) => mixed.completion(mixing, values, budget),
        }
    }

    /// A key for equal futures.
    pub fn residual(&self, values: &[i128], key: &mut Vec<i128>) {
        match self {
            Self::Whole(system) => system.residual(values, key),
            Self::Mixed(_) => key.extend(values),
        }
    }
}
