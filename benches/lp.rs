//! What a linear program costs: a warm re-solve after one bound change, with and without the
//! parent's basis, and the exact bound that follows it.
//!
//! Programs are written columns × rows. Every measured step fixes one column to one of its ends,
//! solves, and opens the column again, as a search does.

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use quip::lp::{Column, DualProof, ExactRows, LpProblem, LpRow, LpSolver, LpVerdict, Region};
use rand::Rng;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

/// Knapsack-like rows of which about half bind at the optimum.
fn random_problem(columns: usize, rows: usize) -> LpProblem {
    let mut random = ChaCha8Rng::seed_from_u64((columns * 1000 + rows) as u64);
    let column = |random: &mut ChaCha8Rng| Column {
        cost: -random.random_range(1..=40),
        lower: 0,
        upper: random.random_range(1..=3),
    };
    let row = |random: &mut ChaCha8Rng| {
        let mut terms = Vec::new();
        for column in 0..columns {
            if random.random_bool((6.0 / columns as f64).max(0.1)) {
                terms.push((column, random.random_range(1..=25)));
            }
        }
        let total: i64 = terms.iter().map(|(_, by)| by).sum();
        LpRow {
            terms,
            lower: None,
            upper: Some(total * 4 / 5),
        }
    };
    LpProblem {
        columns: (0..columns).map(|_| column(&mut random)).collect(),
        rows: (0..rows).map(|_| row(&mut random)).collect(),
    }
}

/// Fixes the columns one after the other, always one at a time.
struct Walk {
    problem: LpProblem,
    solver: LpSolver,
    at: usize,
}

impl Walk {
    fn new(problem: &LpProblem) -> Self {
        let mut solver = LpSolver::new(problem);
        assert_eq!(solver.solve(None), LpVerdict::Optimal);
        Self {
            problem: problem.clone(),
            solver,
            at: 0,
        }
    }

    fn step(&mut self) -> LpVerdict {
        let at = self.at % self.problem.columns.len();
        let Column { lower, upper, .. } = self.problem.columns[at];
        let end = if self.at.is_multiple_of(3) {
            upper
        } else {
            lower
        };
        self.solver.set_column_bounds(at, end, end);
        let verdict = self.solver.solve(None);
        self.solver.set_column_bounds(at, lower, upper);
        self.at += 1;
        verdict
    }
}

fn lp(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("lp");
    group.sample_size(20);
    group.warm_up_time(std::time::Duration::from_millis(300));
    group.measurement_time(std::time::Duration::from_secs(1));
    for (columns, rows) in [(20, 20), (60, 10), (100, 100)] {
        let problem = random_problem(columns, rows);
        let size = format!("{columns}x{rows}");

        group.bench_function(format!("{size}/cold"), |bencher| {
            bencher.iter(|| LpSolver::new(black_box(&problem)).solve(None));
        });
        let mut walk = Walk::new(&problem);
        group.bench_function(format!("{size}/nothing to do"), |bencher| {
            bencher.iter(|| walk.solver.solve(None));
        });
        group.bench_function(format!("{size}/warm"), |bencher| {
            bencher.iter(|| walk.step());
        });
        let mut walk = Walk::new(&problem);
        let basis = walk.solver.save_basis();
        group.bench_function(format!("{size}/warm, basis restored"), |bencher| {
            bencher.iter(|| {
                walk.solver.restore_basis(&basis);
                walk.step()
            });
        });
        let walk = Walk::new(&problem);
        let rows = ExactRows::new(&problem);
        let lower: Vec<i64> = problem.columns.iter().map(|column| column.lower).collect();
        let upper: Vec<i64> = problem.columns.iter().map(|column| column.upper).collect();
        let sides: Vec<_> = problem.rows.iter().map(LpRow::sides).collect();
        let region = Region {
            lower: &lower,
            upper: &upper,
            sides: &sides,
        };
        let mut proof = DualProof::default();
        group.bench_function(format!("{size}/exact bound"), |bencher| {
            bencher.iter(|| proof.bound(&rows, region, black_box(walk.solver.row_duals())));
        });
    }
    group.finish();
}

criterion_group!(benches, lp);
criterion_main!(benches);
