//! The robust counterpart: universal variables that nobody answers.
//!
//! When the last block is universal, the existential player has moved for the last time and must
//! have satisfied every row in its own worst case. So each row takes, in place of the last block,
//! the worst sum that legal values of the block give, and the block is gone. A variable that no
//! universal row mentions is at one of its ends; the others are the optimum of a small integer
//! program over the universal rows, proved exactly.
//!
//! This holds as long as no universal row ties the block to earlier variables.

use num_traits::{Signed, Zero};

use super::branching::Branching;
use crate::budget::Budget;
use crate::lp::{Column, LpProblem, LpRow};
use crate::num::{Rational, int, to_i64};
use crate::outcome::{SolveError, Stop};
use crate::program::{Id, Kind, Program, ProgramData, Quantifier, Row, Sense, Term, VarId};

/// What became of the last block.
#[derive(Clone, Debug)]
pub enum Reduced {
    /// The program without its last block; the variables before it keep their ids.
    Program(Box<Program>),
    /// The last block is existential, or earlier variables restrict it: nothing to do here.
    Unchanged,
}

/// The direction in which a sum is worst.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum Worst {
    Largest,
    Smallest,
}

/// Removes a last universal block where each row can take its own worst case.
///
/// The universal system must be alive; no domain may be empty.
pub fn without_last_universals(
    program: &Program,
    budget: &mut Budget,
) -> Result<Result<Reduced, Stop>, SolveError> {
    let blocks = program.blocks();
    let Some(last) = blocks.iter().next_back() else {
        return Ok(Ok(Reduced::Unchanged));
    };
    let first = last.range().start;
    let inside = |var: VarId| var.index() >= first;
    let variables = &program.variables().as_slice()[first..];
    let tied = |row: &Row| {
        let mut terms = row.terms.iter();
        terms.any(|(var, _)| inside(*var)) && row.terms.iter().any(|(var, _)| !inside(*var))
    };
    if last.quantifier == Quantifier::Exists
        || variables.iter().any(|variable| variable.kind == Kind::Real)
        || program.universal_rows().iter().any(tied)
    {
        return Ok(Ok(Reduced::Unchanged));
    }
    let mut block = LastBlock::new(program, first)?;
    Ok(block.reduce(program, budget).map(|data| match data {
        Some(data) => {
            let program = Program::new(data);
            Reduced::Program(Box::new(
                program.expect("invariant: a program without its last block is well formed"),
            ))
        }
        None => Reduced::Unchanged,
    }))
}

struct LastBlock {
    first: usize,
    ends: Vec<(Rational, Rational)>,
    /// Whether a universal row mentions the variable.
    restricted: Vec<bool>,
    rows: Vec<LpRow>,
    kept_rows: Vec<Row>,
}

impl LastBlock {
    fn new(program: &Program, first: usize) -> Result<Self, SolveError> {
        let variables = &program.variables().as_slice()[first..];
        let ends = variables.iter().map(|variable| {
            let domain = variable.domain();
            let finite = "invariant: integer variables have finite bounds";
            (domain.lower.expect(finite), domain.upper.expect(finite))
        });
        let mut block = Self {
            first,
            ends: ends.collect(),
            restricted: vec![false; variables.len()],
            rows: Vec::new(),
            kept_rows: Vec::new(),
        };
        let scaled = program.scaled_system(Quantifier::Forall)?;
        for (row, scaled) in program.universal_rows().iter().zip(&scaled) {
            if row.terms.iter().all(|(var, _)| var.index() < first) {
                block.kept_rows.push(row.clone());
                continue;
            }
            let mut row = LpRow::from(scaled);
            for (column, _) in &mut row.terms {
                *column -= first;
                block.restricted[*column] = true;
            }
            block.rows.push(row);
        }
        Ok(block)
    }

    /// `None` when a number does not fit the machine integers of the small programs.
    fn reduce(
        &mut self,
        program: &Program,
        budget: &mut Budget,
    ) -> Result<Option<ProgramData>, Stop> {
        let mut rows = Vec::new();
        for row in program.rows() {
            let (kept, gone) = self.split(&row.terms);
            let Some(upper) = self.tightened(&row.upper, &gone, Worst::Largest, budget)? else {
                return Ok(None);
            };
            let Some(lower) = self.tightened(&row.lower, &gone, Worst::Smallest, budget)? else {
                return Ok(None);
            };
            rows.push(Row {
                name: row.name.clone(),
                terms: kept,
                lower,
                upper,
            });
        }
        let mut objective = program.objective().cloned();
        if let Some(objective) = &mut objective {
            let (kept, gone) = self.split(&objective.terms);
            let direction = match objective.sense {
                Sense::Minimize => Worst::Largest,
                Sense::Maximize => Worst::Smallest,
            };
            let Some(worst) = self.worst(&gone, direction, budget)? else {
                return Ok(None);
            };
            objective.terms = kept;
            objective.constant += worst;
        }
        Ok(Some(ProgramData {
            variables: program.variables().as_slice()[..self.first].to_vec(),
            rows,
            universal_rows: self.kept_rows.clone(),
            objective,
        }))
    }

    fn split(&self, terms: &[Term]) -> (Vec<Term>, Vec<Term>) {
        let before = |(var, _): &&Term| var.index() < self.first;
        terms.iter().cloned().partition(|term| before(&term))
    }

    /// A side of a row, less what the block can add to the sum. The outer `None`: does not fit.
    fn tightened(
        &self,
        side: &Option<Rational>,
        gone: &[Term],
        direction: Worst,
        budget: &mut Budget,
    ) -> Result<Option<Option<Rational>>, Stop> {
        match side {
            None => Ok(Some(None)),
            Some(side) => {
                let worst = self.worst(gone, direction, budget)?;
                Ok(worst.map(|worst| Some(side - worst)))
            }
        }
    }

    /// The worst sum of the terms over legal values of the block.
    fn worst(
        &self,
        terms: &[Term],
        direction: Worst,
        budget: &mut Budget,
    ) -> Result<Option<Rational>, Stop> {
        let mut total = Rational::zero();
        let mut coupled = Vec::new();
        for (var, by) in terms {
            let place = var.index() - self.first;
            if self.restricted[place] {
                coupled.push((place, by.clone()));
                continue;
            }
            let (low, up) = &self.ends[place];
            let largest = by.is_positive() == (direction == Worst::Largest);
            total += by * if largest { up } else { low };
        }
        if coupled.is_empty() {
            return Ok(Some(total));
        }
        let coupled = self.worst_coupled(&coupled, direction, budget)?;
        Ok(coupled.map(|worst| total + worst))
    }

    fn worst_coupled(
        &self,
        terms: &[(usize, Rational)],
        direction: Worst,
        budget: &mut Budget,
    ) -> Result<Option<Rational>, Stop> {
        // Minimised with costs in integers: the sum times `scale`, negated for the largest.
        let denominators = terms.iter().map(|(_, by)| by.denom());
        let lcm = denominators.fold(num_bigint::BigInt::from(1), |lcm, denominator| {
            num_integer::Integer::lcm(&lcm, denominator)
        });
        let scale =
            Rational::from_integer(lcm) * int(if direction == Worst::Largest { -1 } else { 1 });
        let Some(problem) = self.problem(terms, &scale) else {
            return Ok(None);
        };
        let answer = Branching::new(&problem).minimise(None, budget);
        match (answer.stop, answer.best) {
            (Some(stop), _) => Err(stop),
            (None, Some(best)) => Ok(Some(int(best.cost) / scale)),
            (None, None) => Ok(None),
        }
    }

    fn problem(&self, terms: &[(usize, Rational)], scale: &Rational) -> Option<LpProblem> {
        let column = |(low, up): &(Rational, Rational)| {
            Some(Column {
                cost: 0,
                lower: to_i64(low)?,
                upper: to_i64(up)?,
            })
        };
        let mut columns: Vec<_> = self.ends.iter().map(column).collect::<Option<_>>()?;
        for (place, by) in terms {
            columns[*place].cost = to_i64(&(by * scale))?;
        }
        Some(LpProblem {
            columns,
            rows: self.rows.clone(),
        })
    }
}
