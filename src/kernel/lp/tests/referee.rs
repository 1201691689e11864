//! Two answers by enumeration: the best integer point, and the best vertex in fractions.

use itertools::Itertools;
use num_rational::Ratio;
use num_traits::Zero;

use super::super::LpProblem;

type Fraction = Ratio<i128>;

/// The cheapest integer point of the box that satisfies the rows.
pub fn best_integer_point(problem: &LpProblem) -> Option<i128> {
    let domains = problem
        .columns
        .iter()
        .map(|column| column.lower..=column.upper);
    domains
        .multi_cartesian_product()
        .filter(|point| problem.contains(point) == Some(true))
        .filter_map(|point| problem.objective_at(&point))
        .min()
}

/// The optimum of the linear program: over a box it is taken at a vertex, where as many sides as
/// there are columns hold with equality.
pub fn best_vertex(problem: &LpProblem) -> Option<Fraction> {
    let count = problem.columns.len();
    let sides = half_spaces(problem);
    let vertices = sides.iter().combinations(count);
    vertices
        .filter_map(|active| solve_equations(&active))
        .filter(|point| sides.iter().all(|side| side.contains(point)))
        .map(|point| {
            problem
                .columns
                .iter()
                .zip(&point)
                .map(|(c, x)| fraction(c.cost) * x)
                .sum()
        })
        .min()
}

/// `coefficients · x <= limit`
struct HalfSpace {
    coefficients: Vec<i64>,
    limit: i64,
}

impl HalfSpace {
    fn contains(&self, point: &[Fraction]) -> bool {
        let sum: Fraction = self
            .coefficients
            .iter()
            .zip(point)
            .map(|(&by, x)| fraction(by) * x)
            .sum();
        sum <= fraction(self.limit)
    }
}

fn half_spaces(problem: &LpProblem) -> Vec<HalfSpace> {
    let count = problem.columns.len();
    let mut spaces = Vec::new();
    let mut both = |coefficients: Vec<i64>, lower: Option<i64>, upper: Option<i64>| {
        let negated = coefficients.iter().map(|by| -by).collect();
        spaces.extend(lower.map(|side| HalfSpace {
            coefficients: negated,
            limit: -side,
        }));
        spaces.extend(upper.map(|limit| HalfSpace {
            coefficients,
            limit,
        }));
    };
    for (at, column) in problem.columns.iter().enumerate() {
        let unit = (0..count).map(|other| i64::from(other == at)).collect();
        both(unit, Some(column.lower), Some(column.upper));
    }
    for row in &problem.rows {
        let mut dense = vec![0; count];
        for &(column, coefficient) in &row.terms {
            dense[column] += coefficient;
        }
        both(dense, row.lower, row.upper);
    }
    spaces
}

/// Gauss-Jordan elimination; `None` when the equations have no single solution.
fn solve_equations(active: &[&HalfSpace]) -> Option<Vec<Fraction>> {
    let count = active.len();
    let mut table: Vec<Vec<Fraction>> = Vec::new();
    for space in active {
        let numbers = space.coefficients.iter().chain([&space.limit]);
        table.push(numbers.map(|&number| fraction(number)).collect());
    }
    for column in 0..count {
        let pivot = (column..count).find(|&row| !table[row][column].is_zero())?;
        table.swap(column, pivot);
        let scale = table[column][column];
        table[column].iter_mut().for_each(|entry| *entry /= scale);
        let pivot_row = table[column].clone();
        for (_, row) in table.iter_mut().enumerate().filter(|(at, _)| *at != column) {
            let factor = row[column];
            row.iter_mut()
                .zip(&pivot_row)
                .for_each(|(entry, by)| *entry -= factor * by);
        }
    }
    Some(table.iter().map(|row| row[count]).collect())
}

fn fraction(number: i64) -> Fraction {
    Fraction::from_integer(number.into())
}
