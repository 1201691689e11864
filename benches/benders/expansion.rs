//! The equivalent linear program: a copy of every stage for each history of corners, solved once by
//! HiGHS in floats, with its defaults. The rival of the decomposition, and no part of the library:
//! what it says is not proved.

use std::time::Duration;

use highs::{HighsModelStatus, RowProblem, Sense};
use quip::num::approximate;
use quip::program::{Id, Program, Quantifier, VarId};

/// The value of the equivalent linear program by HiGHS; `None` if it does not end in time.
pub fn expanded(program: &Program, limit: Duration) -> Option<f64> {
    let mut expansion = Expansion {
        program,
        problem: RowProblem::default(),
        worst: None,
        columns: vec![None; program.variables().len()],
        values: vec![0.0; program.variables().len()],
    };
    expansion.worst = Some(expansion.problem.add_column::<f64, _>(1.0, ..));
    expansion.grow(0);
    let mut model = expansion.problem.optimise(Sense::Minimise);
    model.set_option("output_flag", false);
    model.set_option("time_limit", limit.as_secs_f64());
    let solved = model.solve();
    (solved.status() == HighsModelStatus::Optimal).then(|| solved.objective_value())
}

/// The tree of histories, from the first variable to the last.
struct Expansion<'a> {
    program: &'a Program,
    problem: RowProblem,
    worst: Option<highs::Col>,
    columns: Vec<Option<highs::Col>>,
    values: Vec<f64>,
}

impl Expansion<'_> {
    fn grow(&mut self, place: usize) {
        let Some(variable) = self.program.variables().iter().nth(place) else {
            return self.cost_row();
        };
        let ends = variable.domain();
        let (lower, upper) = (ends.lower.unwrap(), ends.upper.unwrap());
        let (lower, upper) = (approximate(&lower), approximate(&upper));
        match variable.quantifier {
            Quantifier::Exists => {
                self.columns[place] = Some(self.problem.add_column(0.0, lower..=upper));
                self.rows_ending_at(place);
                self.grow(place + 1);
            }
            Quantifier::Forall => {
                for end in [lower, upper] {
                    self.values[place] = end;
                    self.grow(place + 1);
                }
            }
        }
    }

    fn split(&self, terms: &[(VarId, quip::num::Rational)]) -> (Vec<(highs::Col, f64)>, f64) {
        let mut known = 0.0;
        let mut columns = Vec::new();
        for (var, factor) in terms {
            let factor = approximate(factor);
            match self.columns[var.index()] {
                Some(column) => columns.push((column, factor)),
                None => known += factor * self.values[var.index()],
            }
        }
        (columns, known)
    }

    fn rows_ending_at(&mut self, place: usize) {
        for row in self.program.rows() {
            if row.terms.last().is_none_or(|(var, _)| var.index() != place) {
                continue;
            }
            let (columns, known) = self.split(&row.terms);
            let side = |side: &Option<quip::num::Rational>, none: f64| {
                side.as_ref().map_or(none, |side| approximate(side) - known)
            };
            let lower = side(&row.lower, f64::NEG_INFINITY);
            let upper = side(&row.upper, f64::INFINITY);
            self.problem.add_row(lower..=upper, columns);
        }
    }

    fn cost_row(&mut self) {
        let objective = self.program.objective().unwrap();
        let (mut columns, known) = self.split(&objective.terms);
        columns.push((self.worst.unwrap(), -1.0));
        self.problem.add_row(..=-known, columns);
    }
}
