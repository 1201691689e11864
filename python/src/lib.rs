//! `quip._quip`: what Python cannot do itself, and nothing else.
//!
//! Programs go in as columns of numbers, answers come out as texts and plain values; the package in
//! `python/package/quip` makes them pleasant. Numbers cross the border as exact texts, or as floats
//! that mean their shortest decimal.
//!
//! **Invariant:** no panic crosses the border, and whatever is raised is a `quip.Error`.

mod certificate;
mod explain;
mod fault;
mod number;
mod outcome;
mod program;
mod run;
mod strategy;

use pyo3::prelude::*;

/// The native part of the package `quip`.
#[pymodule]
fn _quip(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_class::<program::Program>()?;
    module.add_class::<run::Run>()?;
    module.add_class::<outcome::Outcome>()?;
    module.add_class::<strategy::Strategy>()?;
    module.add_function(wrap_pyfunction!(certificate::check, module)?)?;
    module.add_function(wrap_pyfunction!(number::written, module)?)?;
    module.add_function(wrap_pyfunction!(run::switches, module)?)?;
    module.add_function(wrap_pyfunction!(run::methods, module)?)?;
    Ok(())
}
