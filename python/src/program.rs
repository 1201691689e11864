//! Programs: from columns or files, to texts and back to columns.

use std::path::PathBuf;
use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::PyBytes;
use quip::budget::Budget;
use quip::equivalent::{Settings, sheet_of};
use quip::format::{
    Beside, Format, ReadError, Reading, read_beside, read_bytes, write_lp, write_mps, write_qcir,
    write_qdimacs, write_qip, write_qlp,
};
use quip::num::Rational;
use quip::program::{
    Bounds, Id, Kind, Objective, ProgramData, Quantifier, Row, Sense, Term, VarId, Variable,
};
use quip::strategy::Refusal;

use crate::fault::{Fault, detached};
use crate::number::{Column, column, exact, outside, places, whole_column};

/// A validated program.
#[pyclass(frozen, module = "quip._quip")]
pub struct Program {
    pub(crate) program: Arc<quip::program::Program>,
}

/// Names, first places of terms, variables of terms, coefficients, lower and upper sides.
type Rows = (
    Vec<Option<String>>,
    PyBackedBytes,
    PyBackedBytes,
    Column,
    Column,
    Column,
);

/// Variables of terms, coefficients, the constant, whether small is good, the name.
type Goal = (PyBackedBytes, Column, String, bool, Option<String>);

/// Name, terms, lower side, upper side.
type RowOut = (
    Option<String>,
    Vec<(usize, String)>,
    Option<String>,
    Option<String>,
);

#[pymethods]
impl Program {
    /// A program from columns; everything that is wrong with it is raised together.
    #[staticmethod]
    fn build(
        py: Python<'_>,
        names: Vec<String>,
        foralls: PyBackedBytes,
        integers: PyBackedBytes,
        bounds: (Column, Column),
        systems: (Rows, Rows),
        goal: Option<Goal>,
    ) -> PyResult<Self> {
        detached(py, move || {
            let variables = variables(names, &foralls, &integers, &bounds)?;
            let data = ProgramData {
                variables,
                rows: rows(systems.0)?,
                universal_rows: rows(systems.1)?,
                objective: goal.map(objective).transpose()?,
            };
            let program = quip::program::Program::new(data).map_err(|faults| {
                let said: Vec<String> = faults.iter().map(ToString::to_string).collect();
                Fault::new("ModelError", said.join("\n"))
            })?;
            Ok(Self::of(program))
        })
    }

    /// Reads a file in any format, with its warnings and the name of the format.
    #[staticmethod]
    fn read(
        py: Python<'_>,
        path: PathBuf,
        data: Vec<PathBuf>,
    ) -> PyResult<(Self, Vec<String>, String)> {
        detached(py, || {
            let name = path.display().to_string();
            let bytes = std::fs::read(&path).map_err(|source| {
                let error = ReadError::Io {
                    path: name.clone(),
                    source,
                };
                Fault::new("FileError", error.to_string())
            })?;
            let read = read_beside(&name, &bytes, &Beside::of(&path).with_data(data));
            read.map(reading)
                .map_err(|faults| Fault::new("ReadError", faults.to_string()))
        })
    }

    /// Reads bytes in any format; `name` is used in what is said of them.
    #[staticmethod]
    fn parse(
        py: Python<'_>,
        name: String,
        bytes: PyBackedBytes,
    ) -> PyResult<(Self, Vec<String>, String)> {
        detached(py, || {
            let read = read_bytes(&name, &bytes);
            read.map(reading)
                .map_err(|faults| Fault::new("ReadError", faults.to_string()))
        })
    }

    /// The program in the format of that name.
    fn text(&self, py: Python<'_>, format: &str) -> PyResult<String> {
        detached(py, || {
            let program = &self.program;
            let written = match Format::WRITTEN
                .into_iter()
                .find(|it| it.extension() == format)
            {
                Some(Format::Qip) => return Ok(write_qip(program)),
                Some(Format::Qlp) => write_qlp(program),
                Some(Format::Qdimacs) => write_qdimacs(program),
                Some(Format::Qcir) => write_qcir(program),
                Some(Format::Mps) => write_mps(program),
                Some(Format::Lp) => write_lp(program),
                Some(Format::Prefix | Format::Aux) | None => {
                    let message = format!(
                        "`{format}` is not written; take qip, qlp, qdimacs, qcir, mps or lp"
                    );
                    return Err(Fault::new("FileError", message));
                }
            };
            written.map_err(|fault| Fault::new("FileError", fault.to_string()))
        })
    }

    /// The program over all scenarios, as `lp` or `mps`.
    fn equivalent(&self, py: Python<'_>, mps: bool) -> PyResult<String> {
        detached(py, || {
            let mut budget = Budget::unlimited();
            let made = sheet_of(&self.program, &Settings::default(), &mut budget);
            let sheet = made.map_err(|fault| Fault::new("UnsupportedError", fault.to_string()))?;
            Ok(if mps { sheet.to_mps() } else { sheet.to_lp() })
        })
    }

    /// Sixteen hexadecimal digits.
    fn fingerprint(&self, py: Python<'_>) -> String {
        py.detach(|| self.program.fingerprint())
    }

    /// Name, whether universal, whether integer, lower and upper end of each variable, in order.
    #[allow(clippy::type_complexity)]
    fn variables(&self) -> Vec<(String, bool, bool, Option<String>, Option<String>)> {
        let variables = self.program.variables().iter();
        let spelled = |it: &Variable| {
            (
                it.name.clone(),
                it.quantifier == Quantifier::Forall,
                it.kind == Kind::Integer,
                it.bounds.lower.as_ref().map(Rational::to_string),
                it.bounds.upper.as_ref().map(Rational::to_string),
            )
        };
        variables.map(spelled).collect()
    }

    /// The rows of one player.
    fn rows(&self, universal: bool) -> Vec<RowOut> {
        let owner = match universal {
            true => Quantifier::Forall,
            false => Quantifier::Exists,
        };
        let spelled = |row: &Row| {
            (
                row.name.clone(),
                terms_out(&row.terms),
                row.lower.as_ref().map(Rational::to_string),
                row.upper.as_ref().map(Rational::to_string),
            )
        };
        self.program.system(owner).iter().map(spelled).collect()
    }

    /// Terms, constant, whether small is good, name.
    #[allow(clippy::type_complexity)]
    fn objective(&self) -> Option<(Vec<(usize, String)>, String, bool, Option<String>)> {
        let it = self.program.objective()?;
        let small = it.sense == Sense::Minimize;
        let (terms, constant) = (terms_out(&it.terms), it.constant.to_string());
        Some((terms, constant, small, it.name.clone()))
    }

    /// The same program with some variables fixed.
    fn fixed(&self, moves: Vec<(usize, String)>) -> PyResult<Self> {
        let count = self.program.variables().len();
        let made = moves.iter().map(|(var, value)| {
            if *var >= count {
                return Err(outside());
            }
            Ok((VarId::new(*var), exact(value)?))
        });
        let moves = made.collect::<Result<Vec<_>, Fault>>()?;
        Ok(Self::of(quip::solver::fixed(&self.program, &moves)))
    }

    /// The program whose numbers are the simplest fractions within a distance, and what was read so:
    /// from, to, how often, where first.
    #[allow(clippy::type_complexity)]
    fn rationalized(
        &self,
        py: Python<'_>,
        within: &str,
    ) -> PyResult<(Self, Vec<(String, String, usize, String)>)> {
        detached(py, || {
            let within = exact(within)?;
            let (program, reread) = self.program.rationalized(&within);
            let told = reread.into_iter();
            let told = told.map(|it| (it.from.to_string(), it.to.to_string(), it.times, it.place));
            Ok((Self::of(program), told.collect()))
        })
    }

    /// Why a move is illegal after others, as far as its domain or one row of its owner shows it.
    fn refusal(
        &self,
        moves: Vec<(usize, String)>,
        variable: usize,
        value: &str,
    ) -> PyResult<Option<String>> {
        let variables = self.program.variables();
        if variable >= variables.len() {
            return Err(outside().into());
        }
        let mut values = vec![None; variables.len()];
        for (var, value) in &moves {
            *values.get_mut(*var).ok_or_else(outside)? = Some(exact(value)?);
        }
        let known = |var: VarId| values[var.index()].as_ref();
        let value = exact(value)?;
        let refusal = Refusal::of_move(&self.program, (VarId::new(variable), &value), known);
        Ok(refusal.map(|it| it.to_string()))
    }

    /// The variables, first to last, in the order in which a plan fixes them.
    fn playing_order(&self) -> Vec<usize> {
        let order = self.program.playing_order();
        order.into_iter().map(Id::index).collect()
    }

    /// Pickling goes through the native text, which says everything.
    fn __reduce__(slf: &Bound<'_, Self>) -> PyResult<(Py<PyAny>, (Py<PyBytes>,))> {
        let py = slf.py();
        let text = write_qip(&slf.get().program);
        let read = slf.get_type().getattr("restore")?.unbind();
        Ok((read, (PyBytes::new(py, text.as_bytes()).unbind(),)))
    }

    /// The program of a native text that this class wrote.
    #[staticmethod]
    fn restore(py: Python<'_>, bytes: PyBackedBytes) -> PyResult<Self> {
        Self::parse(py, "<pickle>".to_owned(), bytes).map(|(program, _, _)| program)
    }
}

impl Program {
    fn of(program: quip::program::Program) -> Self {
        let program = Arc::new(program);
        Self { program }
    }
}

fn reading(read: Reading) -> (Program, Vec<String>, String) {
    let warnings = read.warnings.iter().map(|it| it.render(false)).collect();
    let format = read.format.extension().to_owned();
    (Program::of(read.program), warnings, format)
}

fn terms_out(terms: &[Term]) -> Vec<(usize, String)> {
    let spelled = |(var, by): &Term| (var.index(), by.to_string());
    terms.iter().map(spelled).collect()
}

fn variables(
    names: Vec<String>,
    foralls: &[u8],
    integers: &[u8],
    bounds: &(Column, Column),
) -> Result<Vec<Variable>, Fault> {
    let (lower, upper) = (column(&bounds.0)?, column(&bounds.1)?);
    let count = names.len();
    let fits = [foralls.len(), integers.len(), lower.len(), upper.len()];
    if fits.iter().any(|length| *length != count) {
        return Err(outside());
    }
    let ends = lower.into_iter().zip(upper);
    let flags = foralls.iter().zip(integers);
    let made = names.into_iter().zip(flags).zip(ends);
    let made = made.map(|((name, (forall, integer)), (lower, upper))| Variable {
        name,
        quantifier: if *forall == 0 {
            Quantifier::Exists
        } else {
            Quantifier::Forall
        },
        kind: if *integer == 0 {
            Kind::Real
        } else {
            Kind::Integer
        },
        bounds: Bounds { lower, upper },
    });
    Ok(made.collect())
}

fn rows((names, starts, vars, by, lower, upper): Rows) -> Result<Vec<Row>, Fault> {
    let starts = places(&starts)?;
    let mut terms = terms(&vars, &by)?;
    let (lower, upper) = (column(&lower)?, column(&upper)?);
    let count = names.len();
    if starts.len() != count + 1 || lower.len() != count || upper.len() != count {
        return Err(outside());
    }
    let lengths = starts.windows(2).map(|pair| pair[1].checked_sub(pair[0]));
    let sides = lower.into_iter().zip(upper);
    let made = names.into_iter().zip(lengths).zip(sides);
    made.map(|((name, length), (lower, upper))| {
        let length = length.ok_or_else(outside)?;
        let terms: Vec<Term> = terms.by_ref().take(length).collect();
        if terms.len() < length {
            return Err(outside());
        }
        Ok(Row {
            name,
            terms,
            lower,
            upper,
        })
    })
    .collect()
}

fn objective((vars, by, constant, small, name): Goal) -> Result<Objective, Fault> {
    Ok(Objective {
        name,
        sense: if small {
            Sense::Minimize
        } else {
            Sense::Maximize
        },
        terms: terms(&vars, &by)?.collect(),
        constant: exact(&constant)?,
    })
}

fn terms(vars: &[u8], by: &Column) -> Result<impl Iterator<Item = Term> + use<>, Fault> {
    let (vars, by) = (places(vars)?, whole_column(by)?);
    if vars.len() != by.len() {
        return Err(outside());
    }
    Ok(vars.into_iter().map(VarId::new).zip(by))
}
