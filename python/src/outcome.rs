//! What a solve says, as plain values.

use std::sync::Arc;
use std::time::Duration;

use pyo3::prelude::*;
use quip::num::Rational;
use quip::outcome::Move;
use quip::program::{Id, Quantifier};
use quip::solver::NearMiss;

use crate::fault::{Fault, detached};
use crate::strategy::Strategy;

/// The answer to a solve.
#[pyclass(frozen, module = "quip._quip")]
pub struct Outcome {
    program: Arc<quip::program::Program>,
    pub outcome: quip::outcome::Outcome,
    near: Option<NearMiss>,
    #[pyo3(get)]
    method: &'static str,
    #[pyo3(get)]
    seconds: f64,
}

impl Outcome {
    /// An answer about that program, found by that engine unless the answer names another one.
    pub fn new(
        program: Arc<quip::program::Program>,
        outcome: quip::outcome::Outcome,
        near: Option<NearMiss>,
        method: &'static str,
        elapsed: Duration,
    ) -> Self {
        Self {
            method: outcome.engine.unwrap_or(method),
            program,
            outcome,
            near,
            seconds: elapsed.as_secs_f64(),
        }
    }
}

#[pymethods]
impl Outcome {
    #[getter]
    fn status(&self) -> String {
        self.outcome.status.to_string()
    }

    #[getter]
    fn stop(&self) -> Option<String> {
        let stop = self.outcome.stop?;
        Some(format!("{stop:?}").to_lowercase())
    }

    #[getter]
    fn objective(&self) -> Option<String> {
        self.outcome.objective.as_ref().map(Rational::to_string)
    }

    #[getter]
    fn bound(&self) -> Option<String> {
        self.outcome.bound.as_ref().map(Rational::to_string)
    }

    /// Rows that miss by less than a billionth, by how much, and what there would be.
    #[getter]
    #[allow(clippy::type_complexity)]
    fn near_miss(&self) -> Option<(Vec<String>, String, Option<String>)> {
        let near = self.near.as_ref()?;
        let rows = near.rows.iter();
        let rows = rows.map(|row| self.program.row_label(Quantifier::Exists, *row));
        let objective = near.objective.as_ref().map(Rational::to_string);
        Some((rows.collect(), near.by.to_string(), objective))
    }

    #[getter]
    fn first_stage(&self) -> Vec<(usize, String)> {
        moves(&self.outcome.first_stage)
    }

    #[getter]
    fn principal_variation(&self) -> Vec<(usize, String)> {
        moves(&self.outcome.principal_variation)
    }

    /// Revealed values of best play that are approached and not attained: from above, or from below.
    #[getter]
    fn approached(&self) -> Vec<(usize, bool)> {
        let approached = self.outcome.approached.iter();
        approached
            .map(|(var, above)| (var.index(), *above))
            .collect()
    }

    /// Nodes, linear programs, rows learnt.
    #[getter]
    fn effort(&self) -> (u64, u64, u64) {
        let effort = self.outcome.effort;
        (effort.nodes, effort.lps, effort.learnt)
    }

    /// The certificate's text, or why there is none; `None` if none was asked for.
    fn certificate(&self, py: Python<'_>) -> PyResult<Option<String>> {
        match &self.outcome.certificate {
            None => Ok(None),
            Some(Ok(made)) => detached(py, || Ok(Some(made.to_text(&self.program)))),
            Some(Err(reason)) => Err(Fault::new("CertificateError", reason.to_string()).into()),
        }
    }

    /// The strategy of a player that the answer holds.
    fn strategy(&self, py: Python<'_>, universal: bool) -> PyResult<Option<Strategy>> {
        let player = match universal {
            true => Quantifier::Forall,
            false => Quantifier::Exists,
        };
        detached(py, || {
            let held = self.outcome.held(&self.program, player);
            Ok(held.map(|strategy| Strategy::new(Arc::clone(&self.program), strategy)))
        })
    }
}

/// Moves with exact texts.
pub fn moves(moves: &[Move]) -> Vec<(usize, String)> {
    let spelled = |(var, value): &Move| (var.index(), value.to_string());
    moves.iter().map(spelled).collect()
}
