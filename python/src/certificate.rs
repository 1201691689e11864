//! The checker of the library, which shares no code with what solves.

use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;

use crate::fault::{Fault, detached};
use crate::program::Program;

/// Checks a certificate and returns what it proves: the claim, and the nodes of either side.
#[pyfunction]
pub fn check(
    py: Python<'_>,
    program: &Program,
    text: PyBackedBytes,
) -> PyResult<(String, Option<usize>, Option<usize>)> {
    let program = Arc::clone(&program.program);
    detached(py, move || {
        let verdict = quip::check::check(&program, &*text)
            .map_err(|fault| Fault::new("InvalidCertificate", fault.to_string()))?;
        let nodes = |side: Option<quip::check::Proved>| side.map(|side| side.nodes);
        Ok((
            verdict.claim,
            nodes(verdict.strategy),
            nodes(verdict.refutation),
        ))
    })
}
