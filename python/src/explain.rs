//! Explanations as plain values; the package says them in sentences.

use pyo3::prelude::*;
use pyo3::types::PyDict;
use quip::explain::{Alternatives, Change, Core, Explanation, Price, WorstPlay};
use quip::num::Rational;
use quip::outcome::Outcome;
use quip::program::{Id, Program, Quantifier, RowId};

use crate::outcome::moves;

/// An explanation beside its program.
pub struct Told<'a> {
    pub program: &'a Program,
    pub explanation: &'a Explanation,
}

fn spelled(number: Option<&Rational>) -> Option<String> {
    number.map(Rational::to_string)
}

impl Told<'_> {
    /// Everything that was found out, in dictionaries.
    pub fn to_python(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let it = self.explanation;
        let told = answer(py, &it.outcome)?;
        let worst = it.worst.as_ref().map(|it| self.worst(py, it)).transpose()?;
        told.set_item("worst", worst)?;
        let others = it.alternatives.as_ref();
        let others = others.map(|it| self.alternatives(py, it)).transpose()?;
        told.set_item("alternatives", others)?;
        let core = it.core.as_ref().map(|it| self.core(py, it)).transpose()?;
        told.set_item("core", core)?;
        let price = it.price.as_ref().map(|it| self.price(py, it)).transpose()?;
        told.set_item("price", price)?;
        Ok(told.into_any().unbind())
    }

    fn labels(&self, owner: Quantifier, rows: &[RowId]) -> Vec<String> {
        let label = |row: &RowId| self.program.row_label(owner, *row);
        rows.iter().map(label).collect()
    }

    fn worst<'py>(&self, py: Python<'py>, worst: &WorstPlay) -> PyResult<Bound<'py, PyDict>> {
        let told = PyDict::new(py);
        told.set_item("moves", moves(&worst.moves))?;
        told.set_item("value", spelled(worst.value.as_ref()))?;
        told.set_item("parts", moves(&worst.parts))?;
        told.set_item("tight", self.labels(Quantifier::Exists, &worst.tight))?;
        let universal = self.labels(Quantifier::Forall, &worst.tight_universal);
        told.set_item("tight_universal", universal)?;
        Ok(told)
    }

    fn alternatives<'py>(
        &self,
        py: Python<'py>,
        found: &Alternatives,
    ) -> PyResult<Bound<'py, PyDict>> {
        let tried = found.tried.iter().map(|it| {
            let told = answer(py, &it.outcome)?;
            let (sign, value) = match &it.change {
                Change::AtMost(value) => ("<=", value),
                Change::AtLeast(value) => (">=", value),
                Change::Exactly(value) => ("=", value),
            };
            told.set_item("variable", it.variable.index())?;
            told.set_item("change", (sign, value.to_string()))?;
            told.set_item("as_good", it.as_good)?;
            told.set_item("answer", moves(&it.answer))?;
            Ok(told)
        });
        let tried = tried.collect::<PyResult<Vec<_>>>()?;
        let told = PyDict::new(py);
        told.set_item("decision", moves(&found.decision))?;
        told.set_item("tried", tried)?;
        told.set_item("left_out", found.left_out)?;
        Ok(told)
    }

    fn core<'py>(&self, py: Python<'py>, core: &Core) -> PyResult<Bound<'py, PyDict>> {
        let pressure = core.pressure.iter();
        let pressure: Vec<(usize, Option<String>)> = pressure
            .map(|it| (it.variable.index(), spelled(it.value.as_ref())))
            .collect();
        let told = PyDict::new(py);
        told.set_item("rows", self.labels(Quantifier::Exists, &core.rows))?;
        told.set_item("pressure", pressure)?;
        told.set_item("play", moves(&core.play))?;
        told.set_item("is_minimal", core.is_minimal)?;
        told.set_item("empty_domain", core.empty_domain.map(Id::index))?;
        Ok(told)
    }

    fn price<'py>(&self, py: Python<'py>, price: &Price) -> PyResult<Bound<'py, PyDict>> {
        let entries = price.entries.iter().map(|it| {
            let (word, value) = it.measured.spelled(self.program);
            (
                it.name.clone(),
                it.is_scenario,
                word,
                spelled(value.as_ref()),
            )
        });
        let entries: Vec<_> = entries.collect();
        let told = PyDict::new(py);
        told.set_item("entries", entries)?;
        told.set_item("is_complete", price.is_complete)?;
        Ok(told)
    }
}

fn answer<'py>(py: Python<'py>, outcome: &Outcome) -> PyResult<Bound<'py, PyDict>> {
    let told = PyDict::new(py);
    told.set_item("status", outcome.status.to_string())?;
    told.set_item("value", spelled(outcome.objective.as_ref()))?;
    Ok(told)
}
