use num_traits::ToPrimitive;
use rand::Rng;
use rand_chacha::ChaCha8Rng;

use super::referee::best_vertex;
use super::{Frame, knapsacks, random_problem, random_row, seeded};
use crate::lp::{Column, DualProof, ExactRows, LpProblem, LpRow, LpSolver, LpVerdict};
use crate::num::Rational;

/// Float verdicts are compared at this distance; the exact comparisons use none.
const CLOSE: f64 = 1e-6;

#[test]
fn the_optimum_is_the_best_vertex_and_the_proved_bound_reaches_it() {
    let mut random = seeded(21);
    let (mut proof, mut infeasible) = (DualProof::default(), 0);
    for _ in 0..600 {
        let (columns, rows) = (random.random_range(1..4), random.random_range(0..4));
        let problem = random_problem(&mut random, columns, rows);
        let mut solver = LpSolver::new(&problem);
        let verdict = solver.solve(None);
        let Some(optimum) = best_vertex(&problem) else {
            assert_eq!(verdict, LpVerdict::Infeasible, "{problem:?}");
            infeasible += 1;
            continue;
        };
        assert_eq!(verdict, LpVerdict::Optimal, "{problem:?}");
        assert!((solver.objective() - optimum.to_f64().unwrap()).abs() < CLOSE);
        let frame = Frame::of(&problem);
        let rows = ExactRows::new(&problem);
        let bound = proof
            .bound(&rows, frame.region(), solver.row_duals())
            .unwrap();
        let optimum = Rational::new((*optimum.numer()).into(), (*optimum.denom()).into());
        assert!(bound.to_rational() <= optimum, "{problem:?}");
        assert_eq!(
            bound.ceil(),
            optimum.ceil().to_integer().try_into().unwrap()
        );
    }
    assert!(infeasible > 50, "only {infeasible} infeasible programs");
}

#[test]
fn any_sequence_of_changes_ends_where_a_fresh_model_does() {
    let mut random = seeded(22);
    for _ in 0..60 {
        let original = random_problem(&mut random, 8, 6);
        let mut now = original.clone();
        let mut solver = LpSolver::new(&now);
        let mut saved = solver.save_basis();
        for step in 0..60 {
            change(&mut random, &original, &mut now, &mut solver);
            if step % 7 == 0 {
                saved = solver.save_basis();
            }
            if step % 5 == 0 {
                solver.restore_basis(&saved);
            }
            let verdict = solver.solve(None);
            let mut fresh = LpSolver::new(&now);
            assert_eq!(verdict, fresh.solve(None), "step {step} of {now:?}");
            if verdict == LpVerdict::Optimal {
                assert!((solver.objective() - fresh.objective()).abs() < CLOSE);
            } else {
                proves_itself_infeasible(&now, &mut solver);
            }
        }
        assert_eq!(solver.counters().solves, 60);
        assert_eq!(solver.counters().cold_restarts, 0);
    }
}

fn proves_itself_infeasible(problem: &LpProblem, solver: &mut LpSolver) {
    if problem
        .columns
        .iter()
        .any(|column| column.lower > column.upper)
    {
        return;
    }
    let frame = Frame::of(problem);
    let ray = solver.farkas_ray().expect("a ray");
    let rows = ExactRows::new(problem);
    assert!(DualProof::default().proves_infeasible(&rows, frame.region(), ray));
}

fn change(
    random: &mut ChaCha8Rng,
    original: &LpProblem,
    now: &mut LpProblem,
    solver: &mut LpSolver,
) {
    match random.random_range(0..10) {
        0 => {
            let row = random_row(random, original);
            solver.add_row(&row);
            now.rows.push(row);
        }
        1 => {
            let keep = random.random_range(original.rows.len()..=now.rows.len());
            solver.delete_rows_from(keep);
            now.rows.truncate(keep);
        }
        2 => {
            let at = random.random_range(0..now.rows.len());
            let row = &mut now.rows[at];
            row.lower = row.lower.map(|side| side + random.random_range(-1..=1));
            if let (Some(lower), Some(upper)) = (row.lower, row.upper) {
                row.upper = Some(upper.max(lower));
            }
            solver.set_row_bounds(at, row.sides());
        }
        _ => {
            let at = random.random_range(0..now.columns.len());
            let Column { lower, upper, .. } = original.columns[at];
            let first = random.random_range(lower..=upper);
            let second = random.random_range(lower..=upper);
            let column = &mut now.columns[at];
            (column.lower, column.upper) = (first.min(second), first.max(second));
            solver.set_column_bounds(at, column.lower, column.upper);
        }
    }
}

#[test]
fn a_restored_basis_needs_no_pivot_for_its_own_program() {
    let mut random = seeded(23);
    let mut tried = 0;
    for _ in 0..40 {
        let problem = random_problem(&mut random, 12, 8);
        let mut solver = LpSolver::new(&problem);
        if solver.solve(None) != LpVerdict::Optimal {
            continue;
        }
        tried += 1;
        let (basis, objective) = (solver.save_basis(), solver.objective());
        for (at, column) in problem.columns.iter().enumerate() {
            solver.set_column_bounds(at, column.lower, column.lower);
            solver.solve(None);
        }
        for (at, column) in problem.columns.iter().enumerate() {
            solver.set_column_bounds(at, column.lower, column.upper);
        }
        solver.restore_basis(&basis);
        let before = solver.counters().iterations;
        assert_eq!(solver.solve(None), LpVerdict::Optimal);
        assert_eq!(solver.counters().iterations, before);
        assert!((solver.objective() - objective).abs() < CLOSE);
    }
    assert!(tried > 5, "only {tried} programs were feasible");
}

#[test]
fn a_basis_of_another_program_is_survived() {
    let mut random = seeded(24);
    for _ in 0..200 {
        let problem = random_problem(&mut random, 6, 5);
        let sizes = (random.random_range(1..9), random.random_range(0..9));
        let mut stranger = LpSolver::new(&random_problem(&mut random, sizes.0, sizes.1));
        stranger.solve(None);
        let mut solver = LpSolver::new(&problem);
        let expected = solver.solve(None);
        let objective = solver.objective();
        solver.restore_basis(&stranger.save_basis());
        assert_eq!(solver.solve(None), expected);
        if expected == LpVerdict::Optimal {
            assert!((solver.objective() - objective).abs() < CLOSE);
        }
    }
}

#[test]
fn a_cut_off_is_claimed_only_above_it_and_its_duals_prove_it() {
    let mut random = seeded(25);
    let (mut proof, mut cut) = (DualProof::default(), 0);
    for _ in 0..400 {
        let problem = random_problem(&mut random, 25, 5);
        let mut solver = LpSolver::new(&problem);
        if solver.solve(None) != LpVerdict::Optimal {
            continue;
        }
        let optimum = solver.objective();
        let frame = Frame::of(&problem);
        let rows = ExactRows::new(&problem);
        for cutoff in [optimum.floor() - 3.0, optimum.ceil() - 1.0, optimum + 1.0] {
            let mut solver = LpSolver::new(&problem);
            solver.set_cutoff(Some(cutoff));
            match solver.solve(None) {
                LpVerdict::Optimal => assert!((solver.objective() - optimum).abs() < CLOSE),
                LpVerdict::CutOff => {
                    cut += 1;
                    let bound = proof
                        .bound(&rows, frame.region(), solver.row_duals())
                        .unwrap();
                    assert!(bound.ceil() > cutoff as i128, "{bound:?} against {cutoff}");
                }
                other => panic!("{other:?}"),
            }
            solver.set_cutoff(None);
            assert_eq!(solver.solve(None), LpVerdict::Optimal);
            assert!((solver.objective() - optimum).abs() < CLOSE);
        }
    }
    assert!(cut > 100, "only {cut} solves were cut off");
}

#[test]
fn switches_of_a_million_keep_their_proofs() {
    let mut random = seeded(28);
    let mut proof = DualProof::default();
    let (mut solved, mut reached) = (0, 0);
    for _ in 0..300 {
        let problem = switched_flows(&mut random, 12);
        let mut solver = LpSolver::new(&problem);
        if solver.solve(None) != LpVerdict::Optimal {
            continue;
        }
        solved += 1;
        let frame = Frame::of(&problem);
        let rows = ExactRows::new(&problem);
        let bound = proof
            .bound(&rows, frame.region(), solver.row_duals())
            .unwrap();
        let slack = solver.objective().abs().max(1.0) * 1e-6;
        reached += usize::from(bound.0 as f64 / f64::from(1 << 30) > solver.objective() - slack);
    }
    assert!(
        solved > 250 && reached == solved,
        "{reached} of {solved} bounds were proved"
    );
}

/// Flows of up to a million that a 0/1 switch allows, and a demand for all of them together.
fn switched_flows(random: &mut ChaCha8Rng, count: usize) -> LpProblem {
    let mut problem = LpProblem::default();
    for pair in 0..count {
        let capacity = random.random_range(1..=1_000_000);
        for (cost, upper) in [(random.random_range(1..50), capacity), (40_000, 1)] {
            problem.columns.push(Column {
                cost,
                lower: 0,
                upper,
            });
        }
        problem.rows.push(LpRow {
            terms: vec![(2 * pair, 1), (2 * pair + 1, -capacity)],
            lower: None,
            upper: Some(0),
        });
    }
    let demand = random.random_range(1..=300_000 * count as i64);
    problem.rows.push(LpRow {
        terms: (0..count).map(|pair| (2 * pair, 1)).collect(),
        lower: Some(demand),
        upper: None,
    });
    problem
}

#[test]
fn every_bound_of_a_dive_is_proved_to_the_unit() {
    let mut random = seeded(31);
    let mut proof = DualProof::default();
    for _ in 0..6 {
        let problem = knapsacks(&mut random, 60, 40);
        let mut solver = LpSolver::new(&problem);
        let mut frame = Frame::of(&problem);
        let rows = ExactRows::new(&problem);
        for at in 0..problem.columns.len() {
            let value = random.random_range(0..=frame.upper[at]);
            (frame.lower[at], frame.upper[at]) = (value, value);
            solver.set_column_bounds(at, value, value);
            if solver.solve(None) == LpVerdict::Optimal {
                let bound = proof
                    .bound(&rows, frame.region(), solver.row_duals())
                    .unwrap();
                assert_eq!(bound.ceil(), (solver.objective() - CLOSE).ceil() as i128);
            } else {
                let ray = solver.farkas_ray().expect("a ray");
                assert!(proof.proves_infeasible(&rows, frame.region(), ray));
                break;
            }
        }
    }
}
