//! Strategies as texts and pictures; the package plays them from their JSON.

use std::sync::Arc;

use pyo3::prelude::*;
use quip::draw::strategy_graph;

use crate::fault::{Fault, detached};

/// What one player does against everything the other may do.
#[pyclass(frozen, module = "quip._quip")]
pub struct Strategy {
    program: Arc<quip::program::Program>,
    strategy: quip::strategy::Strategy,
}

impl Strategy {
    /// A strategy for that program.
    pub fn new(program: Arc<quip::program::Program>, strategy: quip::strategy::Strategy) -> Self {
        Self { program, strategy }
    }
}

#[pymethods]
impl Strategy {
    /// In the form of that name: `json`, `txt`, `ite`, `dot` or `svg`.
    fn written(&self, py: Python<'_>, form: &str) -> PyResult<String> {
        let (program, strategy) = (&self.program, &self.strategy);
        detached(py, || match form {
            "json" => Ok(strategy.to_json(program)),
            "txt" => Ok(strategy.to_text(program)),
            "dot" => Ok(strategy.to_dot(program)),
            "svg" => Ok(strategy_graph(program, strategy)),
            "ite" => strategy
                .to_terms(program)
                .map_err(|fault| Fault::new("UnsupportedError", fault.to_string())),
            _ => {
                let message = format!("`{form}` is not a form; choose json, txt, ite, dot or svg");
                Err(Fault::new("OptionError", message))
            }
        })
    }
}
