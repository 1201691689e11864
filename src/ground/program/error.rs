//! What can be wrong with a program, and the checks that find it.

use rustc_hash::FxHashSet;

use super::{
    Bounds, Id, Kind, NameFault, ProgramData, Quantifier, Row, Term, Variable, check_name,
};

/// One fault of a program.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ProgramError {
    /// Two variables share a name.
    #[error("two variables are called `{name}`")]
    DuplicateVariable {
        /// The shared name.
        name: String,
    },
    /// Two rows share a name.
    #[error("two rows are called `{name}`")]
    DuplicateRow {
        /// The shared name.
        name: String,
    },
    /// A name that no file format can carry.
    #[error("`{name}` cannot be a name: {fault}")]
    BadName {
        /// The name.
        name: String,
        /// What is wrong with it.
        fault: NameFault,
    },
    /// An infinite bound where the definition asks for a finite one.
    #[error(
        "variable `{name}` needs finite bounds: only a real variable of the last existential block may be unbounded"
    )]
    InfiniteBound {
        /// The variable.
        name: String,
    },
    /// A term names a variable that the program does not have.
    #[error("{place} uses variable number {index}, but there are only {count}")]
    UnknownVariable {
        /// Where the term stands.
        place: String,
        /// The index used.
        index: usize,
        /// How many variables there are.
        count: usize,
    },
}

/// Everything that is wrong with `data`.
pub(super) fn faults(data: &ProgramData) -> Vec<ProgramError> {
    let mut faults = Vec::new();
    variable_faults(&data.variables, &mut faults);
    row_faults(data, &mut faults);
    faults
}

fn variable_faults(variables: &[Variable], faults: &mut Vec<ProgramError>) {
    let last_existential = variables
        .iter()
        .rposition(|variable| variable.quantifier == Quantifier::Exists);
    // The last existential block ends at that variable and begins after the universal before it.
    let last_block = last_existential.map_or(0..0, |last| {
        let before = variables[..last]
            .iter()
            .rposition(|variable| variable.quantifier == Quantifier::Forall);
        before.map_or(0, |universal| universal + 1)..last + 1
    });
    let mut seen = FxHashSet::default();
    for (place, variable) in variables.iter().enumerate() {
        name_faults(&variable.name, faults);
        if !seen.insert(variable.name.as_str()) {
            faults.push(ProgramError::DuplicateVariable {
                name: variable.name.clone(),
            });
        }
        let may_be_infinite = variable.kind == Kind::Real && last_block.contains(&place);
        if !Bounds::is_finite(&variable.bounds) && !may_be_infinite {
            faults.push(ProgramError::InfiniteBound {
                name: variable.name.clone(),
            });
        }
    }
}

fn row_faults(data: &ProgramData, faults: &mut Vec<ProgramError>) {
    let count = data.variables.len();
    let mut seen = FxHashSet::default();
    for row in data.rows.iter().chain(&data.universal_rows) {
        if let Some(name) = &row.name {
            name_faults(name, faults);
            if !seen.insert(name.as_str()) {
                faults.push(ProgramError::DuplicateRow { name: name.clone() });
            }
        }
        term_faults(&row.terms, count, faults, || describe(row));
    }
    if let Some(objective) = &data.objective {
        if let Some(name) = &objective.name {
            name_faults(name, faults);
        }
        term_faults(&objective.terms, count, faults, || {
            "the objective".to_owned()
        });
    }
}

fn term_faults(
    terms: &[Term],
    count: usize,
    faults: &mut Vec<ProgramError>,
    place: impl Fn() -> String,
) {
    for (var, _) in terms.iter().filter(|(var, _)| var.index() >= count) {
        faults.push(ProgramError::UnknownVariable {
            place: place(),
            index: var.index(),
            count,
        });
    }
}

fn describe(row: &Row) -> String {
    match &row.name {
        Some(name) => format!("row `{name}`"),
        None => "an unnamed row".to_owned(),
    }
}

fn name_faults(name: &str, faults: &mut Vec<ProgramError>) {
    if let Err(fault) = check_name(name) {
        faults.push(ProgramError::BadName {
            name: name.to_owned(),
            fault,
        });
    }
}
