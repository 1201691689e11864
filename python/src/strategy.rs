//! Strategies: played here, and written as texts and pictures.

use std::sync::Arc;

use pyo3::prelude::*;
use quip::draw::strategy_graph;
use quip::num::Rational;
use quip::program::{Id, Quantifier, VarId};
use quip::solver::{NoReply, Policy};
use quip::strategy::Turn;

use crate::fault::{Fault, detached};
use crate::number::{exact, outside};
use crate::outcome::moves;
use crate::program::Program;

/// What one player does against everything the other may do.
#[pyclass(frozen, module = "quip._quip")]
pub struct Strategy {
    policy: Policy,
}

/// Every move so far, which variable is awaited, or how the play ended.
type Reply = (Vec<(usize, String)>, Option<usize>, Option<&'static str>);

impl Strategy {
    /// A strategy for that program.
    pub fn new(program: Arc<quip::program::Program>, strategy: quip::strategy::Strategy) -> Self {
        let policy = Policy::new(program, strategy);
        Self { policy }
    }
}

#[pymethods]
impl Strategy {
    /// The strategy that was written as JSON for that program.
    #[staticmethod]
    fn restore(py: Python<'_>, program: &Program, text: &str) -> PyResult<Self> {
        let program = Arc::clone(&program.program);
        detached(py, || {
            let read = quip::strategy::Strategy::from_json(&program, text);
            let read = read.map_err(|fault| Fault::new("ReadError", fault.to_string()))?;
            Ok(Self::new(program, read))
        })
    }

    /// Whether it is the opponent's.
    #[getter]
    fn universal(&self) -> bool {
        self.policy.strategy().owner() == Quantifier::Forall
    }

    /// What is guaranteed: a word, and the value where there is one.
    #[getter]
    fn guarantee(&self) -> (&'static str, Option<String>) {
        let strategy = self.policy.strategy();
        let value = strategy.guaranteed_value(self.policy.program());
        let value = value.map(|it| it.to_string());
        (strategy.guarantee().word(), value)
    }

    fn __len__(&self) -> usize {
        self.policy.strategy().nodes().len()
    }

    /// The play after these observations.
    fn reply(&self, py: Python<'_>, observed: Vec<(usize, String)>) -> PyResult<Reply> {
        let count = self.policy.program().variables().len();
        detached(py, || {
            let told = observed.iter().map(|(var, value)| {
                if *var >= count {
                    return Err(outside());
                }
                Ok((VarId::new(*var), exact(value)?))
            });
            let told = told.collect::<Result<Vec<(VarId, Rational)>, Fault>>()?;
            let reply = self.policy.reply(told).map_err(refused)?;
            let end = match reply.play().turn() {
                Turn::Over(end) => Some(end.word()),
                Turn::Observe(_) | Turn::Reply(_) => None,
            };
            let awaits = reply.awaits().map(Id::index);
            Ok((moves(reply.moves()), awaits, end))
        })
    }

    /// In the form of that name: `json`, `txt`, `ite`, `dot` or `svg`.
    fn written(&self, py: Python<'_>, form: &str) -> PyResult<String> {
        let (program, strategy) = (self.policy.program(), self.policy.strategy());
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

fn refused(fault: NoReply) -> Fault {
    Fault::new("IllegalObservation", fault.to_string())
}
