//! Random programs, two slow referees, and what the LP service must agree with.

mod edges;
mod exact;
mod mip;
mod referee;
mod solver;

use rand::Rng;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

use super::{Column, LpProblem, LpRow, Region, RowSides};

fn seeded(seed: u64) -> ChaCha8Rng {
    ChaCha8Rng::seed_from_u64(seed)
}

/// A random program whose rows are neither always slack nor always contradictory.
fn random_problem(random: &mut ChaCha8Rng, columns: usize, rows: usize) -> LpProblem {
    let columns = (0..columns).map(|_| random_column(random)).collect();
    let mut problem = LpProblem {
        columns,
        rows: Vec::new(),
    };
    for _ in 0..rows {
        let row = random_row(random, &problem);
        problem.rows.push(row);
    }
    problem
}

fn random_column(random: &mut ChaCha8Rng) -> Column {
    let lower = random.random_range(-3..=2);
    Column {
        cost: random.random_range(-9..=9),
        lower,
        upper: lower + random.random_range(0..=4),
    }
}

fn random_row(random: &mut ChaCha8Rng, problem: &LpProblem) -> LpRow {
    let mut terms: Vec<(usize, i64)> = Vec::new();
    for column in 0..problem.columns.len() {
        if random.random_bool(0.7) {
            let magnitude = random.random_range(1..=7);
            let sign = if random.random_bool(0.5) { 1 } else { -1 };
            terms.push((column, sign * magnitude));
        }
    }
    let sum = |pick: fn(&Column, bool) -> i64| -> i64 {
        let term = |&(at, by): &(usize, i64)| by * pick(&problem.columns[at], by > 0);
        terms.iter().map(term).sum()
    };
    let least = sum(|column, up| if up { column.lower } else { column.upper });
    let most = sum(|column, up| if up { column.upper } else { column.lower });
    let first = random.random_range(least..=most);
    let second = random.random_range(least..=most);
    let (lower, upper) = match random.random_range(0..4) {
        0 => (Some(first), None),
        1 => (None, Some(first)),
        2 => (Some(first), Some(first)),
        _ => (Some(first.min(second)), Some(first.max(second))),
    };
    LpRow {
        terms,
        lower,
        upper,
    }
}

/// Rows of which about half bind at the optimum.
fn knapsacks(random: &mut ChaCha8Rng, columns: usize, rows: usize) -> LpProblem {
    let mut problem = LpProblem::default();
    for _ in 0..columns {
        problem.columns.push(Column {
            cost: -random.random_range(1..=40),
            lower: 0,
            upper: random.random_range(1..=3),
        });
    }
    for _ in 0..rows {
        let named = (0..columns)
            .filter(|_| random.random_bool(0.1))
            .collect::<Vec<_>>();
        let terms: Vec<_> = named
            .iter()
            .map(|&at| (at, random.random_range(1..=25)))
            .collect();
        let total: i64 = terms.iter().map(|(_, by)| by).sum();
        problem.rows.push(LpRow {
            terms,
            lower: None,
            upper: Some(total * 4 / 5),
        });
    }
    problem
}

/// Boxes and sides of a program as separate slices.
struct Frame {
    lower: Vec<i64>,
    upper: Vec<i64>,
    sides: Vec<RowSides>,
}

impl Frame {
    fn of(problem: &LpProblem) -> Self {
        Self {
            lower: problem.columns.iter().map(|column| column.lower).collect(),
            upper: problem.columns.iter().map(|column| column.upper).collect(),
            sides: problem.rows.iter().map(LpRow::sides).collect(),
        }
    }

    fn region(&self) -> Region<'_> {
        Region {
            lower: &self.lower,
            upper: &self.upper,
            sides: &self.sides,
        }
    }
}
