//! What several test binaries share: short spellings for programs, and a second opinion on their
//! value.
#![allow(dead_code, reason = "every test binary uses its own part")]
#![allow(clippy::unwrap_used, reason = "a test may fail")]

pub mod advice;
pub mod certified;
pub mod configuration;
pub mod evidence;
pub mod feasible;
pub mod naive;
pub mod proof;
pub mod spelled;
pub mod verify;

use quip::num::{Rational, int};
use quip::program::{
    Bounds, Id, Kind, Objective, Program, ProgramData, Quantifier, Row, Sense, Term, VarId,
    Variable,
};

/// A variable called after its place: `x1`, `x2`, …
pub struct Prefix(pub Vec<Variable>);

impl Prefix {
    pub fn new() -> Self {
        Self(Vec::new())
    }

    pub fn exists(self, lower: i64, upper: i64) -> Self {
        self.with(
            Quantifier::Exists,
            Kind::Integer,
            Bounds::between(int(lower), int(upper)),
        )
    }

    pub fn forall(self, lower: i64, upper: i64) -> Self {
        self.with(
            Quantifier::Forall,
            Kind::Integer,
            Bounds::between(int(lower), int(upper)),
        )
    }

    pub fn exists_real(self, lower: i64, upper: i64) -> Self {
        self.with(
            Quantifier::Exists,
            Kind::Real,
            Bounds::between(int(lower), int(upper)),
        )
    }

    pub fn forall_real(self, lower: i64, upper: i64) -> Self {
        self.with(
            Quantifier::Forall,
            Kind::Real,
            Bounds::between(int(lower), int(upper)),
        )
    }

    pub fn with(mut self, quantifier: Quantifier, kind: Kind, bounds: Bounds) -> Self {
        let name = format!("x{}", self.0.len() + 1);
        self.0.push(Variable {
            name,
            quantifier,
            kind,
            bounds,
        });
        self
    }
}

/// The terms with these coefficients, from the first variable on.
pub fn dense(coefficients: &[i64]) -> Vec<Term> {
    let term = |(place, &factor): (usize, &i64)| (VarId::new(place), int(factor));
    coefficients.iter().enumerate().map(term).collect()
}

pub fn at_most(coefficients: &[i64], rhs: i64) -> Row {
    Row::at_most(dense(coefficients), int(rhs))
}

pub fn equal(coefficients: &[i64], rhs: i64) -> Row {
    Row::equal(dense(coefficients), int(rhs))
}

pub fn minimize(coefficients: &[i64]) -> Option<Objective> {
    objective(Sense::Minimize, coefficients)
}

pub fn maximize(coefficients: &[i64]) -> Option<Objective> {
    objective(Sense::Maximize, coefficients)
}

fn objective(sense: Sense, coefficients: &[i64]) -> Option<Objective> {
    Some(Objective {
        name: None,
        sense,
        terms: dense(coefficients),
        constant: int(0),
    })
}

/// The program of these parts.
pub fn program(
    prefix: Prefix,
    rows: Vec<Row>,
    universal_rows: Vec<Row>,
    objective: Option<Objective>,
) -> Program {
    Program::new(ProgramData {
        variables: prefix.0,
        rows,
        universal_rows,
        objective,
    })
    .expect("the program of a test is well formed")
}

/// The program with some variables held at a value.
pub fn fixed(program: &Program, values: &[(usize, Rational)]) -> Program {
    let mut data = program.clone().into_data();
    for (place, value) in values {
        data.variables[*place].bounds = Bounds::between(value.clone(), value.clone());
    }
    Program::new(data).expect("fixing keeps a program well formed")
}

/// The program in a few lines, for messages of tests that fail.
pub fn shown(program: &Program) -> String {
    let side = |end: &Option<Rational>| end.as_ref().map_or("-".to_owned(), Rational::to_string);
    let sum = |terms: &[Term]| {
        let term = |(var, a): &Term| format!("{a} {}", program.variables()[*var].name);
        terms.iter().map(term).collect::<Vec<_>>().join(" + ")
    };
    let mut text = String::new();
    for variable in program.variables() {
        let (lower, upper) = (side(&variable.bounds.lower), side(&variable.bounds.upper));
        let (player, kind) = (variable.quantifier, variable.kind);
        text += &format!(
            "{player} {kind:?} {} in [{lower}, {upper}]\n",
            variable.name
        );
    }
    for (letter, rows) in [('r', program.rows()), ('u', program.universal_rows())] {
        for (id, row) in rows.pairs() {
            let (lower, upper) = (side(&row.lower), side(&row.upper));
            text += &format!(
                "{letter}{}: {lower} <= {} <= {upper}\n",
                id.index() + 1,
                sum(&row.terms)
            );
        }
    }
    match program.objective() {
        Some(goal) => text + &format!("{} {} + {}\n", goal.sense, sum(&goal.terms), goal.constant),
        None => text,
    }
}
