//! What is raised: the classes of `quip.errors`, by name.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

use pyo3::prelude::*;

/// An exception of the package, before the interpreter is asked to make it.
#[derive(Debug)]
pub struct Fault {
    class: &'static str,
    message: String,
}

impl Fault {
    /// The exception of that class in `quip.errors`.
    pub fn new(class: &'static str, message: impl Into<String>) -> Self {
        let message = message.into();
        Self { class, message }
    }

    /// A broken invariant: a bug.
    pub fn internal(panic: &(dyn Any + Send)) -> Self {
        let said = panic
            .downcast_ref::<String>()
            .map(String::as_str)
            .or_else(|| panic.downcast_ref::<&str>().copied())
            .unwrap_or("no message");
        let message = format!(
            "an invariant of quip does not hold ({said}); please report it with the model, \
             which Model.to_text() writes"
        );
        Self::new("InternalError", message)
    }
}

impl From<Fault> for PyErr {
    fn from(fault: Fault) -> Self {
        Python::attach(|py| {
            let make = || {
                let class = py.import("quip.errors")?.getattr(fault.class)?;
                class.call1((&fault.message,))
            };
            match make() {
                Ok(made) => PyErr::from_value(made),
                Err(other) => other,
            }
        })
    }
}

/// Runs `work` without the interpreter's lock; a panic becomes an `InternalError`.
pub fn detached<T: Send>(
    py: Python<'_>,
    work: impl FnOnce() -> Result<T, Fault> + Send,
) -> PyResult<T> {
    let done = py.detach(|| guarded(work));
    Ok(done?)
}

/// Runs `work`; a panic becomes an `InternalError`.
pub fn guarded<T>(work: impl FnOnce() -> Result<T, Fault>) -> Result<T, Fault> {
    match catch_unwind(AssertUnwindSafe(work)) {
        Ok(done) => done,
        Err(panic) => Err(Fault::internal(panic.as_ref())),
    }
}
