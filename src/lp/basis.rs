//! A float solver's last basis or ray, computed again in rationals.
//!
//! A basis names the columns that are free to move and the rows that hold them. Both make a square
//! system, which gives the exact values of the columns and the exact multipliers of the rows. The
//! answer is taken if the values satisfy everything and the multipliers prove that they are best.

use num_traits::{Signed, Zero};

use super::highs::{Standing, Statuses};
use super::simplex::{Answer, LinearProgram, dual_bound};
use crate::num::{Rational, simplest_near};
use crate::program::{Bounds, Id, IdVec, RowId, VarId, evaluate};

/// The optimum that the basis describes; `None` if it describes none.
pub(super) fn basic_solution(program: &LinearProgram, statuses: &Statuses) -> Option<Answer> {
    let basis = Basis::new(program, statuses)?;
    let point = basis.point()?;
    let value = evaluate(&program.objective, |column| &point[column]);
    let multipliers = basis.multipliers()?;
    let bound = dual_bound(program, &program.objective, &multipliers)?;
    let inside = |(column, range): (VarId, &Bounds)| range.contains(&point[column]);
    let satisfied = program.bounds.pairs().all(inside)
        && program
            .rows
            .iter()
            .all(|row| row.admits(&row.activity(|column| &point[column])));
    (satisfied && bound == value).then_some(Answer::Optimal {
        point,
        value,
        multipliers,
    })
}

/// The ray as a proof of infeasibility; `None` if it is none.
///
/// A ray has no natural size: it is stretched to a largest entry of one, and its entries are read
/// as the simplest fractions near them.
pub(super) fn farkas_proof(program: &LinearProgram, ray: &[f64]) -> Option<Answer> {
    let largest = ray.iter().fold(0.0f64, |most, entry| most.max(entry.abs()));
    if !largest.is_normal() {
        return None;
    }
    let entries = ray.iter().zip(&program.rows).map(|(entry, row)| {
        let multiplier = simplest_near(entry / largest)?;
        let side = if multiplier.is_positive() {
            &row.lower
        } else {
            &row.upper
        };
        Some(match side {
            Some(_) => multiplier,
            None => Rational::zero(),
        })
    });
    let multipliers = IdVec::from_vec(entries.collect::<Option<Vec<_>>>()?);
    let bound = dual_bound(program, &[], &multipliers)?;
    bound
        .is_positive()
        .then_some(Answer::Infeasible { multipliers })
}

/// The square system of a basis.
struct Basis<'a> {
    program: &'a LinearProgram,
    /// The columns that are not at a bound, and the place of each column among them.
    free: Vec<VarId>,
    place: IdVec<VarId, Option<usize>>,
    /// The rows that hold them, and the side each is at.
    tight: Vec<(RowId, &'a Rational)>,
    /// The values of the columns at bounds; zero for the free ones.
    resting: IdVec<VarId, Rational>,
}

impl<'a> Basis<'a> {
    fn new(program: &'a LinearProgram, statuses: &Statuses) -> Option<Self> {
        let mut basis = Self {
            program,
            free: Vec::new(),
            place: IdVec::filled(program.bounds.len(), None),
            tight: Vec::new(),
            resting: IdVec::filled(program.bounds.len(), Rational::zero()),
        };
        for (column, range) in program.bounds.pairs() {
            match statuses.column(column.index()) {
                Standing::Basic => {
                    basis.place[column] = Some(basis.free.len());
                    basis.free.push(column);
                }
                Standing::Zero => {}
                standing => {
                    basis.resting[column] = end(standing, &range.lower, &range.upper)?.clone();
                }
            }
        }
        for (id, row) in program.rows.pairs() {
            match statuses.row(id.index()) {
                Standing::Basic => {}
                standing => basis
                    .tight
                    .push((id, end(standing, &row.lower, &row.upper)?)),
            }
        }
        (basis.free.len() == basis.tight.len()).then_some(basis)
    }

    /// The values of all columns.
    fn point(&self) -> Option<IdVec<VarId, Rational>> {
        let mut system = Vec::with_capacity(self.tight.len());
        for (row, side) in &self.tight {
            let mut line = vec![Rational::zero(); self.free.len() + 1];
            let mut rest = (*side).clone();
            for (column, factor) in &self.program.rows[*row].terms {
                match self.place[*column] {
                    Some(place) => line[place] += factor,
                    None if self.resting[*column].is_zero() => {}
                    None => rest -= factor * &self.resting[*column],
                }
            }
            line[self.free.len()] = rest;
            system.push(line);
        }
        let mut point = self.resting.clone();
        for (column, value) in self.free.iter().zip(square_solution(system)?) {
            point[*column] = value;
        }
        Some(point)
    }

    /// The multipliers of all rows.
    fn multipliers(&self) -> Option<IdVec<RowId, Rational>> {
        let count = self.free.len();
        let mut system = vec![vec![Rational::zero(); count + 1]; count];
        for (at, (row, _)) in self.tight.iter().enumerate() {
            for (column, factor) in &self.program.rows[*row].terms {
                if let Some(place) = self.place[*column] {
                    system[place][at] += factor;
                }
            }
        }
        for (column, factor) in &self.program.objective {
            if let Some(place) = self.place[*column] {
                system[place][count] += factor;
            }
        }
        let mut multipliers = IdVec::filled(self.program.rows.len(), Rational::zero());
        for ((row, _), value) in self.tight.iter().zip(square_solution(system)?) {
            multipliers[*row] = value;
        }
        Some(multipliers)
    }
}

/// The end that a standing names, or the only one there is.
fn end<'a>(
    standing: Standing,
    lower: &'a Option<Rational>,
    upper: &'a Option<Rational>,
) -> Option<&'a Rational> {
    match standing {
        Standing::Upper => upper.as_ref().or(lower.as_ref()),
        _ => lower.as_ref().or(upper.as_ref()),
    }
}

/// Solves a square system by elimination; each line ends with its right-hand side. `None` if it is
/// singular.
///
/// ```
/// use quip::num::{int, ratio};
/// // 2 x = 1 and x + y = 1
/// let system = vec![vec![int(2), int(0), int(1)], vec![int(1), int(1), int(1)]];
/// assert_eq!(quip::lp::square_square_solution(system), Some(vec![ratio(1, 2), ratio(1, 2)]));
/// ```
pub fn square_solution(mut system: Vec<Vec<Rational>>) -> Option<Vec<Rational>> {
    let count = system.len();
    for step in 0..count {
        let pivot = (step..count).find(|&line| !system[line][step].is_zero())?;
        system.swap(step, pivot);
        let (done, below) = system.split_at_mut(step + 1);
        let lead = &done[step];
        for line in below.iter_mut().filter(|line| !line[step].is_zero()) {
            let factor = &line[step] / &lead[step];
            for (cell, part) in line[step..].iter_mut().zip(&lead[step..]) {
                if !part.is_zero() {
                    *cell -= &factor * part;
                }
            }
        }
    }
    let mut values = vec![Rational::zero(); count];
    for step in (0..count).rev() {
        let mut rest = system[step][count].clone();
        for later in step + 1..count {
            if !system[step][later].is_zero() && !values[later].is_zero() {
                rest -= &system[step][later] * &values[later];
            }
        }
        values[step] = if rest.is_zero() {
            rest
        } else {
            rest / &system[step][step]
        };
    }
    Some(values)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::num::{int, ratio};

    #[test]
    fn a_square_system_is_solved_or_found_singular() {
        let line = |numbers: [i64; 3]| numbers.map(int).to_vec();
        let solved = square_solution(vec![line([0, 2, 4]), line([3, 1, 3])]);
        assert_eq!(solved, Some(vec![ratio(1, 3), int(2)]));
        assert_eq!(
            square_solution(vec![line([1, 2, 4]), line([2, 4, 8])]),
            None
        );
    }
}
