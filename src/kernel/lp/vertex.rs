//! The point and the multipliers of a basis, in rationals, for large sparse programs.
//!
//! A basis names the columns that are free to move and the rows that hold them: a square system for
//! the columns, and its transpose for the multipliers. Neither is taken on trust: whoever asks puts
//! the point into the rows, and the multipliers into a dual bound.

use super::basis::end;
use super::highs::Standing;
use super::simplex::LinearProgram;
use super::solver::Basis;
use super::sparse::{Equation, solution};
use crate::budget::Budget;
use crate::num::{Exact, Rational};
use crate::outcome::Stop;
use crate::program::{Id, IdVec, RowId, VarId};

/// What a basis stands for; nothing is proved about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Vertex {
    /// The value of every column.
    pub point: IdVec<VarId, Rational>,
    /// The multiplier of every row.
    pub multipliers: IdVec<RowId, Rational>,
}

/// The vertex of a basis that ends an [`LpSolver`](super::LpSolver)'s run over the same columns
/// and rows; `None` if it is none of the program.
pub fn vertex(
    program: &LinearProgram,
    basis: &Basis,
    budget: &mut Budget,
) -> Result<Option<Vertex>, Stop> {
    let Some(parts) = Parts::new(program, basis) else {
        return Ok(None);
    };
    let Some(values) = solution(parts.equations(program), budget)? else {
        return Ok(None);
    };
    let Some(multipliers) = solution(parts.transposed(program), budget)? else {
        return Ok(None);
    };
    let mut point = parts.resting;
    for (column, value) in parts.free.iter().zip(values) {
        point[*column] = value.to_rational();
    }
    let mut all = IdVec::filled(program.rows.len(), Rational::default());
    for ((row, _), multiplier) in parts.tight.iter().zip(multipliers) {
        all[*row] = multiplier.to_rational();
    }
    Ok(Some(Vertex {
        point,
        multipliers: all,
    }))
}

struct Parts {
    free: Vec<VarId>,
    tight: Vec<(RowId, Rational)>,
    /// The place of every free column.
    place: IdVec<VarId, Option<u32>>,
    resting: IdVec<VarId, Rational>,
}

impl Parts {
    fn new(program: &LinearProgram, basis: &Basis) -> Option<Self> {
        let statuses = &basis.0;
        let columns = program.bounds.len();
        if statuses.columns.len() != columns || statuses.rows.len() != program.rows.len() {
            return None;
        }
        let mut parts = Self {
            free: Vec::new(),
            tight: Vec::new(),
            place: IdVec::filled(columns, None),
            resting: IdVec::filled(columns, Rational::default()),
        };
        for (column, range) in program.bounds.pairs() {
            match statuses.column(column.index()) {
                Standing::Basic => {
                    parts.place[column] = Some(parts.free.len() as u32);
                    parts.free.push(column);
                }
                Standing::Zero => {}
                standing => {
                    parts.resting[column] = end(standing, &range.lower, &range.upper)?.clone();
                }
            }
        }
        for (row, sides) in program.rows.pairs() {
            let standing = statuses.row(row.index());
            if standing != Standing::Basic {
                let side = end(standing, &sides.lower, &sides.upper)?;
                parts.tight.push((row, side.clone()));
            }
        }
        (parts.free.len() == parts.tight.len()).then_some(parts)
    }

    /// One equation for each tight row.
    fn equations(&self, program: &LinearProgram) -> Vec<Equation> {
        let tight = self.tight.iter().map(|(row, side)| {
            let mut side = Exact::from(side.clone());
            let mut terms = Vec::new();
            for (column, by) in &program.rows[*row].terms {
                let by = Exact::from(by.clone());
                match self.place[*column] {
                    Some(place) => terms.push((place, by)),
                    None => {
                        side = &side - &(&by * &Exact::from(self.resting[*column].clone()));
                    }
                }
            }
            terms.sort_by_key(|term| term.0);
            Equation { terms, side }
        });
        tight.collect()
    }

    /// One equation for each free column: what its rows pay for it is its cost.
    fn transposed(&self, program: &LinearProgram) -> Vec<Equation> {
        let nothing = Equation {
            terms: Vec::new(),
            side: Exact::ZERO,
        };
        let mut equations = vec![nothing; self.free.len()];
        for (place, (row, _)) in self.tight.iter().enumerate() {
            for (column, by) in &program.rows[*row].terms {
                if let Some(at) = self.place[*column] {
                    let terms = &mut equations[at as usize].terms;
                    terms.push((place as u32, Exact::from(by.clone())));
                }
            }
        }
        for (column, cost) in &program.objective {
            if let Some(at) = self.place[*column] {
                let side = &mut equations[at as usize].side;
                *side = &*side + &Exact::from(cost.clone());
            }
        }
        equations
    }
}
