//! The tableau: every basic variable as a sum of multiples of the nonbasic ones.
//!
//! The variables are the columns of the program, followed by one for the sum of each row, bounded
//! by the row's sides. Phase one repairs basic variables that are out of bounds, phase two lowers
//! the objective. Both always take the candidate with the smallest number (Bland), which rules out
//! cycling.
//!
//! **Invariant:** nonbasic variables are inside their bounds, and `values` satisfies every equation
//! of the tableau.

use num_traits::{One, Signed, Zero};

use super::{Answer, LinearProgram};
use crate::budget::Budget;
use crate::num::Rational;
use crate::outcome::Stop;
use crate::program::{Bounds, Id, IdVec, Row, RowId, Term, VarId};

pub(super) struct Tableau {
    columns: usize,
    /// `cells[i][j]`: how often nonbasic `j` goes into basic `i`.
    cells: Vec<Vec<Rational>>,
    /// How often nonbasic `j` goes into the objective.
    costs: Vec<Rational>,
    basic: Vec<usize>,
    nonbasic: Vec<usize>,
    bounds: Vec<Bounds>,
    values: Vec<Rational>,
}

/// What stops a step: the variable itself at its other bound, or the basic variable of a row.
struct Block {
    step: Rational,
    variable: usize,
    row: Option<usize>,
}

impl Tableau {
    pub fn new(program: &LinearProgram) -> Self {
        let columns = program.bounds.len();
        let dense = |terms: &[Term]| {
            let mut line = vec![Rational::zero(); columns];
            for (column, factor) in terms {
                line[column.index()] += factor;
            }
            line
        };
        let sides = |row: &Row| Bounds {
            lower: row.lower.clone(),
            upper: row.upper.clone(),
        };
        let bounds = program.bounds.iter().cloned();
        let mut tableau = Self {
            columns,
            cells: program.rows.iter().map(|row| dense(&row.terms)).collect(),
            costs: dense(&program.objective),
            basic: (columns..columns + program.rows.len()).collect(),
            nonbasic: (0..columns).collect(),
            bounds: bounds.chain(program.rows.iter().map(sides)).collect(),
            values: vec![Rational::zero(); columns + program.rows.len()],
        };
        for column in 0..columns {
            let Bounds { lower, upper } = &tableau.bounds[column];
            if let Some(start) = lower.clone().or_else(|| upper.clone()) {
                tableau.shift(column, &start);
            }
        }
        tableau
    }

    pub fn solve(mut self, budget: &mut Budget) -> Result<Answer, Stop> {
        while let Some(row) = self.first_violated() {
            budget.look()?;
            let Some(column) = self.repair(row) else {
                return Ok(self.infeasible(row));
            };
            let target = self.nearest_bound(self.basic[row]);
            let gap = target - &self.values[self.basic[row]];
            let step = gap / &self.cells[row][column];
            self.shift(column, &step);
            self.pivot(row, column, budget)?;
        }
        while let Some(column) = self.entering() {
            budget.look()?;
            let Some(block) = self.block(column) else {
                return Ok(self.unbounded(column));
            };
            let step = block.step * self.downhill(column);
            self.shift(column, &step);
            if let Some(row) = block.row {
                self.pivot(row, column, budget)?;
            }
        }
        Ok(self.optimal())
    }

    /// The row of the first basic variable that is out of its bounds.
    fn first_violated(&self) -> Option<usize> {
        let violated = |row: &usize| {
            let variable = self.basic[*row];
            !self.bounds[variable].contains(&self.values[variable])
        };
        let rows = (0..self.basic.len()).filter(violated);
        rows.min_by_key(|&row| self.basic[row])
    }

    /// The bound that a violating variable must be moved to.
    fn nearest_bound(&self, variable: usize) -> Rational {
        let Bounds { lower, upper } = &self.bounds[variable];
        let value = &self.values[variable];
        let side = match (lower, upper) {
            (Some(lower), _) if value < lower => lower,
            (_, Some(upper)) => upper,
            _ => value,
        };
        side.clone()
    }

    /// The first nonbasic variable that can move the row's basic variable towards its bounds.
    fn repair(&self, row: usize) -> Option<usize> {
        let rises = self.is_below(self.basic[row]);
        let helps = |column: &usize| {
            let cell = &self.cells[row][*column];
            let up = cell.is_positive() == rises;
            !cell.is_zero() && self.has_room(self.nonbasic[*column], up)
        };
        let columns = (0..self.columns).filter(helps);
        columns.min_by_key(|&column| self.nonbasic[column])
    }

    fn is_below(&self, variable: usize) -> bool {
        let lower = self.bounds[variable].lower.as_ref();
        lower.is_some_and(|lower| self.values[variable] < *lower)
    }

    fn has_room(&self, variable: usize, up: bool) -> bool {
        let Bounds { lower, upper } = &self.bounds[variable];
        let value = &self.values[variable];
        if up {
            upper.as_ref().is_none_or(|upper| value < upper)
        } else {
            lower.as_ref().is_none_or(|lower| value > lower)
        }
    }

    /// The first nonbasic variable whose move lowers the objective.
    fn entering(&self) -> Option<usize> {
        let lowers = |column: &usize| {
            let cost = &self.costs[*column];
            !cost.is_zero() && self.has_room(self.nonbasic[*column], cost.is_negative())
        };
        let columns = (0..self.columns).filter(lowers);
        columns.min_by_key(|&column| self.nonbasic[column])
    }

    /// The direction in which moving the nonbasic variable lowers the objective.
    fn downhill(&self, column: usize) -> Rational {
        -self.costs[column].signum()
    }

    /// What ends the way downhill first; of several, the variable with the smallest number.
    fn block(&self, column: usize) -> Option<Block> {
        let direction = self.downhill(column);
        let own = self.nonbasic[column];
        let itself = self.room(own, &direction).map(|step| Block {
            step,
            variable: own,
            row: None,
        });
        let rows = (0..self.basic.len()).filter_map(|row| {
            let rate = &self.cells[row][column] * &direction;
            let variable = self.basic[row];
            let room = (!rate.is_zero()).then(|| self.room(variable, &rate))??;
            Some(Block {
                step: room / rate.abs(),
                variable,
                row: Some(row),
            })
        });
        let order = |left: &Block, right: &Block| {
            let steps = left.step.cmp(&right.step);
            steps.then(left.variable.cmp(&right.variable))
        };
        itself.into_iter().chain(rows).min_by(order)
    }

    /// How far a variable is from the bound that it moves to.
    fn room(&self, variable: usize, direction: &Rational) -> Option<Rational> {
        let Bounds { lower, upper } = &self.bounds[variable];
        let value = &self.values[variable];
        if direction.is_positive() {
            upper.as_ref().map(|upper| upper - value)
        } else {
            lower.as_ref().map(|lower| value - lower)
        }
    }

    /// Moves a nonbasic variable, and the basic ones with it.
    fn shift(&mut self, column: usize, step: &Rational) {
        self.values[self.nonbasic[column]] += step;
        for (row, cells) in self.cells.iter().enumerate() {
            if !cells[column].is_zero() {
                self.values[self.basic[row]] += &cells[column] * step;
            }
        }
    }

    /// Swaps a basic and a nonbasic variable.
    fn pivot(&mut self, row: usize, column: usize, budget: &mut Budget) -> Result<(), Stop> {
        let inverse = self.cells[row][column].recip();
        let mut solved = std::mem::take(&mut self.cells[row]);
        for cell in &mut solved {
            *cell *= -&inverse;
        }
        solved[column] = inverse;
        for cells in self.cells.iter_mut().filter(|cells| !cells.is_empty()) {
            budget.look()?;
            substitute(cells, column, &solved);
        }
        substitute(&mut self.costs, column, &solved);
        self.cells[row] = solved;
        std::mem::swap(&mut self.basic[row], &mut self.nonbasic[column]);
        Ok(())
    }

    fn point(&self) -> IdVec<VarId, Rational> {
        IdVec::from_vec(self.values[..self.columns].to_vec())
    }

    /// The multipliers of the rows in the equation `Σ factor · variable = 0`.
    fn multipliers(
        &self,
        factors: impl Iterator<Item = (usize, Rational)>,
    ) -> IdVec<RowId, Rational> {
        let mut multipliers = vec![Rational::zero(); self.basic.len()];
        for (variable, factor) in factors.filter(|(variable, _)| *variable >= self.columns) {
            multipliers[variable - self.columns] = factor;
        }
        IdVec::from_vec(multipliers)
    }

    fn optimal(&self) -> Answer {
        let costs = self
            .nonbasic
            .iter()
            .copied()
            .zip(self.costs.iter().cloned());
        let value = costs
            .clone()
            .map(|(variable, cost)| cost * &self.values[variable]);
        Answer::Optimal {
            point: self.point(),
            value: value.sum(),
            multipliers: self.multipliers(costs),
        }
    }

    /// The basic variable of `row` cannot reach its bound although all others do what they can.
    fn infeasible(&self, row: usize) -> Answer {
        let below = self.is_below(self.basic[row]);
        let sign = if below {
            Rational::one()
        } else {
            -Rational::one()
        };
        let others = self.nonbasic.iter().copied().zip(&self.cells[row]);
        let others = others.map(|(variable, cell)| (variable, -(cell * &sign)));
        let own = std::iter::once((self.basic[row], sign.clone()));
        Answer::Infeasible {
            multipliers: self.multipliers(own.chain(others)),
        }
    }

    fn unbounded(&self, column: usize) -> Answer {
        let direction = self.downhill(column);
        let mut ray = vec![Rational::zero(); self.values.len()];
        for (row, cells) in self.cells.iter().enumerate() {
            ray[self.basic[row]] = &cells[column] * &direction;
        }
        ray[self.nonbasic[column]] = direction;
        ray.truncate(self.columns);
        Answer::Unbounded {
            point: self.point(),
            ray: IdVec::from_vec(ray),
        }
    }
}

/// Replaces the variable at `column` by its equation.
fn substitute(cells: &mut [Rational], column: usize, equation: &[Rational]) {
    let factor = std::mem::take(&mut cells[column]);
    if factor.is_zero() {
        return;
    }
    for (cell, part) in cells.iter_mut().zip(equation) {
        if !part.is_zero() {
            *cell += &factor * part;
        }
    }
}
