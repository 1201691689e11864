//! The end of a play in which all existential variables are real: one exact linear program.
//!
//! Each existential variable becomes one column for each history of universal moves before it, the
//! existential rows are repeated for each scenario, and a last column, which is minimised, is at
//! least the cost of each scenario. A real universal variable takes its corners only: what the
//! existential player can reach is convex in it, so no value between them is worse for him.
//!
//! In the tail the universal player keeps a legal move and no move of the existential player can
//! take it away, because universal rows mention none of his tail variables. So the existential
//! player loses exactly when no strategy satisfies his rows in all scenarios.

use num_traits::{One, Zero};

use super::board::Board;
use super::scenarios::{Path, universal_places};
use super::unknowns::{Assignment, Known, residual, split};
use crate::lp::simplex::LinearProgram;
use crate::num::{Rational, int};
use crate::outcome::cost_of_objective;
use crate::program::{Bounds, Id, IdVec, Program, Quantifier, Row, RowId, Term, VarId, evaluate};
use crate::strategy::Scenario;

/// The linear program of a tail, and how to read its answers.
pub(super) struct Tail<'a> {
    program: &'a Program,
    board: &'a Board,
    pub paths: Vec<Path>,
    /// For each path, what stands for each variable of the program.
    pub assignments: Vec<Assignment>,
    pub linear: LinearProgram,
    /// The column of the worst cost; `None` when there is no objective.
    worst: Option<VarId>,
}

impl<'a> Tail<'a> {
    /// The tail after `values`.
    pub fn new(program: &'a Program, board: &'a Board, values: &[i128], paths: Vec<Path>) -> Self {
        let nothing = Known::Value(Rational::zero());
        let mut tail = Self {
            program,
            board,
            assignments: Vec::with_capacity(paths.len()),
            paths,
            linear: LinearProgram::default(),
            worst: None,
        };
        if program.objective().is_some() {
            let worst = tail.linear.bounds.push(Bounds::free());
            tail.linear.objective.push((worst, int(1)));
            tail.worst = Some(worst);
        }
        let mut assignment = IdVec::filled(board.places.len(), nothing);
        for (place, &value) in board.places.iter().zip(values) {
            assignment[place.var] = Known::Value(Rational::from_integer(value.into()));
        }
        for number in 0..tail.paths.len() {
            tail.assign(number, &mut assignment);
            tail.push_rows(&assignment);
            tail.assignments.push(assignment.clone());
        }
        tail
    }

    /// The path's universal moves, and new columns for what is chosen after it parts.
    fn assign(&mut self, number: usize, assignment: &mut Assignment) {
        let path = &self.paths[number];
        for (place, value) in universal_places(self.board).into_iter().zip(&path.values) {
            assignment[self.board.places[place].var] = Known::Value(value.clone());
        }
        for place in &self.board.places[path.parting..] {
            if place.owner == Quantifier::Exists {
                let bounds = self.program.variables()[place.var].domain();
                assignment[place.var] = Known::Column(self.linear.bounds.push(bounds));
            }
        }
    }

    fn push_rows(&mut self, assignment: &Assignment) {
        for row in self.program.rows() {
            self.linear.rows.push(residual(row, assignment));
        }
        if let Some(worst) = self.worst {
            let (mut terms, constant) = self.cost(assignment);
            terms.push((worst, int(-1)));
            let row = Row::at_most(terms, -constant);
            self.linear.rows.push(row);
        }
    }

    /// The cost of a scenario: the columns' part and the known part.
    fn cost(&self, assignment: &Assignment) -> (Vec<Term>, Rational) {
        let Some(objective) = self.program.objective() else {
            return (Vec::new(), Rational::zero());
        };
        let (terms, number) = split(&objective.terms, assignment);
        let signed = |value: Rational| cost_of_objective(self.program, value);
        let terms = terms
            .into_iter()
            .map(|(column, factor)| (column, signed(factor)));
        (terms.collect(), signed(number + &objective.constant))
    }

    /// The path that costs most at `point`.
    pub fn worst_path(&self, point: &IdVec<VarId, Rational>) -> usize {
        let cost = |number: &usize| {
            let (terms, constant) = self.cost(&self.assignments[*number]);
            constant + evaluate(&terms, |column| &point[column])
        };
        let mut worst = 0;
        for number in 1..self.paths.len() {
            if cost(&number) > cost(&worst) {
                worst = number;
            }
        }
        worst
    }

    /// The value of a variable along a path.
    pub fn value(&self, path: usize, var: VarId, point: &IdVec<VarId, Rational>) -> Rational {
        match &self.assignments[path][var] {
            Known::Value(value) => value.clone(),
            Known::Column(column) => point[*column].clone(),
        }
    }

    /// What a ray of the linear program does to the existential variables along a path.
    pub fn direction(&self, path: usize, ray: &IdVec<VarId, Rational>) -> Vec<Term> {
        let places = self.board.places[self.board.tail..].iter();
        let moves = places.filter_map(|place| match &self.assignments[path][place.var] {
            Known::Column(column) => Some((place.var, ray[*column].clone())),
            Known::Value(_) => None,
        });
        moves.filter(|(_, rate)| !rate.is_zero()).collect()
    }

    /// The multipliers of the linear program, told scenario by scenario.
    pub fn weighing(&self, multipliers: &IdVec<RowId, Rational>) -> Vec<Scenario> {
        let rows = self.program.rows().len();
        let stride = rows + usize::from(self.worst.is_some());
        let universal = universal_places(self.board);
        let scenario = |(number, path): (usize, &Path)| {
            let multiplier = |row: usize| &multipliers[RowId::new(number * stride + row)];
            let weight = match self.worst {
                Some(_) => -multiplier(rows),
                None => Rational::zero(),
            };
            let vars = universal.iter().map(|&place| self.board.places[place].var);
            let counted = (0..rows).filter(|&row| !multiplier(row).is_zero());
            Scenario {
                moves: vars.zip(path.values.iter().cloned()).collect(),
                weight,
                multipliers: counted
                    .map(|row| (RowId::new(row), multiplier(row).clone()))
                    .collect(),
            }
        };
        let mut scenarios: Vec<Scenario> = self.paths.iter().enumerate().map(scenario).collect();
        if self.worst.is_none() && scenarios.iter().all(|it| it.multipliers.is_empty()) {
            // Without an objective every play costs nothing, and any scenario shows it.
            scenarios[0].weight = Rational::one();
            scenarios.truncate(1);
        }
        scenarios.retain(|it| !it.weight.is_zero() || !it.multipliers.is_empty());
        scenarios
    }
}
