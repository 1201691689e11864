use std::time::Duration;

use rand::Rng;

use super::referee::best_integer_point;
use super::{random_problem, seeded};
use crate::lp::mip::{MipVerdict, solve_once};
use crate::lp::{LpSolver, LpVerdict};

#[test]
fn the_claimed_point_is_the_best_integer_point() {
    let mut random = seeded(41);
    let mut infeasible = 0;
    for _ in 0..300 {
        let (columns, rows) = (random.random_range(1..5), random.random_range(0..4));
        let problem = random_problem(&mut random, columns, rows);
        let claim = solve_once(&problem, &vec![true; columns], None);
        let Some(best) = best_integer_point(&problem) else {
            assert_eq!(claim.verdict, MipVerdict::Infeasible);
            assert_eq!(claim.verified_point(&problem), None);
            infeasible += 1;
            continue;
        };
        assert_eq!(claim.verdict, MipVerdict::Optimal);
        let (_, cost) = claim.verified_point(&problem).expect("an integer point");
        assert_eq!(cost, best);
        assert!((claim.bound - best as f64).abs() < 1e-6);
    }
    assert!(infeasible > 20, "only {infeasible} infeasible programs");
}

#[test]
fn without_integer_columns_it_is_the_linear_program() {
    let mut random = seeded(42);
    for _ in 0..100 {
        let problem = random_problem(&mut random, 5, 3);
        let claim = solve_once(&problem, &[false; 5], None);
        let mut solver = LpSolver::new(&problem);
        match solver.solve(None) {
            LpVerdict::Optimal => assert!((claim.bound - solver.objective()).abs() < 1e-6),
            _ => assert_eq!(claim.verdict, MipVerdict::Infeasible),
        }
    }
}

#[test]
fn no_time_is_a_stop_without_a_point() {
    let problem = random_problem(&mut seeded(43), 3, 0);
    let claim = solve_once(&problem, &[true; 3], Some(Duration::ZERO));
    assert_eq!(claim.verdict, MipVerdict::Stopped);
    assert_eq!(claim.point, None);
    assert_eq!(claim.bound, f64::NEG_INFINITY);
}
