//! A float solver's last basis or ray, computed again in rationals.
//!
//! A basis names the columns that are free to move and the rows that hold them. Both make a square
//! system, whose inverse gives the exact values of the columns and the exact multipliers of the
//! rows. It is taken if the multipliers prove that the values are best and these satisfy everything.

use num_traits::{One, Signed, Zero};

use super::highs::{Standing, Statuses};
use super::simplex::{Answer, LinearProgram, dual_bound};
use crate::budget::Budget;
use crate::num::{Rational, Sum, difference, simplest_near};
use crate::outcome::Stop;
use crate::program::{Id, IdVec, Row, RowId, VarId, evaluate};

/// A basis whose multipliers are best whatever the sides of the rows are, with the inverse of its
/// square system. Where its columns keep to their bounds and all rows hold, it is an optimum.
///
/// Many programs that differ in their sides share few bases: trying those first saves the float
/// solver in most of them ("bunching" in stochastic programming).
#[derive(Clone, Debug)]
pub(super) struct ProvedBasis {
    /// The columns that are free to move.
    free: Vec<VarId>,
    /// The rows that hold them, and the side each is at.
    tight: Vec<(RowId, Standing)>,
    is_tight: Vec<bool>,
    /// What the columns at bounds add to each tight row.
    offsets: Vec<Rational>,
    inverse: Vec<Vec<Rational>>,
    /// The values of the columns at bounds; zero for the free ones.
    resting: IdVec<VarId, Rational>,
    /// Of the tight rows, in their order.
    multipliers: Vec<Rational>,
}

impl ProvedBasis {
    /// The basis of these statuses; `None` if it is singular or its multipliers prove nothing.
    pub fn new(
        program: &LinearProgram,
        statuses: &Statuses,
        budget: &mut Budget,
    ) -> Result<Option<Self>, Stop> {
        let Some(mut basis) = Self::parted(program, statuses) else {
            return Ok(None);
        };
        let mut place = IdVec::<VarId, Option<usize>>::filled(program.bounds.len(), None);
        for (at, column) in basis.free.iter().enumerate() {
            place[*column] = Some(at);
        }
        let count = basis.free.len();
        let mut system = vec![vec![Rational::zero(); count]; count];
        for (line, (row, _)) in system.iter_mut().zip(&basis.tight) {
            let mut offset = Sum::default();
            for (column, factor) in &program.rows[*row].terms {
                match place[*column] {
                    Some(at) if line[at].is_zero() => line[at] = factor.clone(),
                    Some(at) => line[at] += factor,
                    None => offset.add_product(factor, &basis.resting[*column]),
                }
            }
            basis.offsets.push(offset.finish());
        }
        let Some(inverse) = inverse(system, budget)? else {
            return Ok(None);
        };
        basis.inverse = inverse;
        let mut multipliers = vec![Sum::default(); count];
        for (column, cost) in &program.objective {
            if let Some(at) = place[*column] {
                for (sum, factor) in multipliers.iter_mut().zip(&basis.inverse[at]) {
                    sum.add_product(cost, factor);
                }
            }
        }
        basis.multipliers = multipliers.into_iter().map(Sum::finish).collect();
        Ok(basis.proves(program).then_some(basis))
    }

    /// Which columns are free and which rows are tight.
    fn parted(program: &LinearProgram, statuses: &Statuses) -> Option<Self> {
        let mut basis = Self {
            free: Vec::new(),
            tight: Vec::new(),
            is_tight: vec![false; program.rows.len()],
            offsets: Vec::new(),
            inverse: Vec::new(),
            resting: IdVec::filled(program.bounds.len(), Rational::zero()),
            multipliers: Vec::new(),
        };
        for (column, range) in program.bounds.pairs() {
            match statuses.column(column.index()) {
                Standing::Basic => basis.free.push(column),
                Standing::Zero => {}
                standing => {
                    basis.resting[column] = end(standing, &range.lower, &range.upper)?.clone();
                }
            }
        }
        for row in program.rows.ids() {
            let standing = statuses.row(row.index());
            if standing != Standing::Basic {
                basis.tight.push((row, standing));
                basis.is_tight[row.index()] = true;
            }
        }
        (basis.free.len() == basis.tight.len()).then_some(basis)
    }

    /// Whether each column and each tight row is where its multiplier wants it.
    ///
    /// Then the dual bound of the multipliers is the value of the basic point, wherever the sides
    /// are, and no point that satisfies the rows is better.
    fn proves(&self, program: &LinearProgram) -> bool {
        let mut left = IdVec::<VarId, Sum>::filled(program.bounds.len(), Sum::default());
        for (column, cost) in &program.objective {
            left[*column].add(cost);
        }
        for ((row, standing), multiplier) in self.tight.iter().zip(&self.multipliers) {
            let terms = &program.rows[*row];
            if !leans(multiplier, *standing, &terms.lower, &terms.upper) {
                return false;
            }
            for (column, factor) in &terms.terms {
                left[*column].subtract_product(multiplier, factor);
            }
        }
        program.bounds.pairs().all(|(column, range)| {
            let cost = std::mem::take(&mut left[column]).finish();
            let rests_at = |end: &Option<Rational>| end.as_ref() == Some(&self.resting[column]);
            cost.is_zero()
                || (cost.is_positive() && rests_at(&range.lower))
                || (cost.is_negative() && rests_at(&range.upper))
        })
    }

    /// The optimum of the program with its present sides, if this is a basis of it.
    ///
    /// The program may differ from the one the basis was made for in its sides, as long as the same
    /// ones are there, and have more rows.
    pub fn optimum(&self, program: &LinearProgram) -> Option<Answer> {
        let mut rests = Vec::with_capacity(self.tight.len());
        let multiplied = self.tight.iter().zip(&self.multipliers);
        for (((row, standing), multiplier), offset) in multiplied.zip(&self.offsets) {
            let Row { lower, upper, .. } = &program.rows[*row];
            // The sides of an equation may have parted since.
            if !leans(multiplier, *standing, lower, upper) {
                return None;
            }
            rests.push(difference(end(*standing, lower, upper)?, offset));
        }
        let mut point = self.resting.clone();
        for (column, factors) in self.free.iter().zip(&self.inverse) {
            let mut value = Sum::default();
            for (factor, rest) in factors.iter().zip(&rests) {
                value.add_product(factor, rest);
            }
            let value = value.finish();
            if !program.bounds[*column].contains(&value) {
                return None;
            }
            point[*column] = value;
        }
        let holds = |(id, row): (RowId, &Row)| {
            self.is_tight.get(id.index()).copied().unwrap_or(false)
                || row.admits(&row.activity(|column| &point[column]))
        };
        if !program.rows.pairs().all(holds) {
            return None;
        }
        let value = evaluate(&program.objective, |column| &point[column]);
        let mut multipliers = IdVec::filled(program.rows.len(), Rational::zero());
        for ((row, _), multiplier) in self.tight.iter().zip(&self.multipliers) {
            multipliers[*row] = multiplier.clone();
        }
        let answer = Answer::Optimal {
            point,
            value,
            multipliers,
        };
        debug_assert!(
            answer.is_proved_for(program),
            "invariant: a basis proves its optimum"
        );
        Some(answer)
    }
}

/// Whether a multiplier counts on the side that the row is at: the lower one if it is positive,
/// the upper one if it is negative.
fn leans(
    multiplier: &Rational,
    standing: Standing,
    lower: &Option<Rational>,
    upper: &Option<Rational>,
) -> bool {
    let at = end(standing, lower, upper);
    multiplier.is_zero()
        || (multiplier.is_positive() && at == lower.as_ref())
        || (multiplier.is_negative() && at == upper.as_ref())
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

/// The multipliers of a float's ray, if they prove that nothing satisfies the rows and bounds.
pub fn farkas_multipliers(program: &LinearProgram, ray: &[f64]) -> Option<IdVec<RowId, Rational>> {
    match farkas_proof(program, ray)? {
        Answer::Infeasible { multipliers } => Some(multipliers),
        _ => None,
    }
}

/// The end that a standing names, or the only one there is.
pub(super) fn end<'a>(
    standing: Standing,
    lower: &'a Option<Rational>,
    upper: &'a Option<Rational>,
) -> Option<&'a Rational> {
    match standing {
        Standing::Upper => upper.as_ref().or(lower.as_ref()),
        _ => lower.as_ref().or(upper.as_ref()),
    }
}

/// Systems from this size on look at the clock while they are solved.
const LARGE: usize = 24;

/// The inverse of a square matrix; `None` if it is singular.
fn inverse(
    mut system: Vec<Vec<Rational>>,
    budget: &mut Budget,
) -> Result<Option<Vec<Vec<Rational>>>, Stop> {
    let count = system.len();
    for (place, line) in system.iter_mut().enumerate() {
        line.resize(2 * count, Rational::zero());
        line[count + place] = Rational::one();
    }
    for step in 0..count {
        let Some(pivot) = (step..count).find(|&line| !system[line][step].is_zero()) else {
            return Ok(None);
        };
        system.swap(step, pivot);
        let mut lead = std::mem::take(&mut system[step]);
        let scale = lead[step].recip();
        for cell in lead.iter_mut().filter(|cell| !cell.is_zero()) {
            *cell *= &scale;
        }
        for line in system.iter_mut().filter(|line| !line.is_empty()) {
            if count >= LARGE {
                budget.look()?;
            }
            let factor = line[step].clone();
            if !factor.is_zero() {
                for (cell, part) in line.iter_mut().zip(&lead).filter(|(_, it)| !it.is_zero()) {
                    let mut sum = Sum::default();
                    sum.add(cell);
                    sum.subtract_product(&factor, part);
                    *cell = sum.finish();
                }
            }
        }
        system[step] = lead;
    }
    let halves = system.into_iter().map(|mut line| line.split_off(count));
    Ok(Some(halves.collect()))
}

/// Solves a square system by elimination; each line ends with its right-hand side. `None` if it is
/// singular.
///
/// ```
/// use quip::num::{int, ratio};
/// // 2 x = 1 and x + y = 1
/// let system = vec![vec![int(2), int(0), int(1)], vec![int(1), int(1), int(1)]];
/// assert_eq!(quip::lp::square_solution(system), Some(vec![ratio(1, 2), ratio(1, 2)]));
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

    #[test]
    fn a_matrix_is_inverted_or_found_singular() {
        let line = |numbers: [i64; 2]| numbers.map(int).to_vec();
        let inverse = |lines| inverse(lines, &mut Budget::unlimited()).unwrap();
        let expected = vec![vec![ratio(-1, 6), ratio(1, 3)], vec![ratio(1, 2), int(0)]];
        assert_eq!(inverse(vec![line([0, 2]), line([3, 1])]), Some(expected));
        assert_eq!(inverse(vec![line([1, 2]), line([2, 4])]), None);
    }
}
