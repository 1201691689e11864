use rand::Rng;

use super::referee::best_integer_point;
use super::{Frame, random_problem, seeded};
use crate::lp::{
    Column, DualProof, ExactRows, FixedPoint, LpProblem, LpRow, LpSolver, LpVerdict,
    exact_bound_slow,
};

#[test]
fn a_bound_equals_its_slow_twin_whatever_the_multipliers_are() {
    let mut random = seeded(11);
    let mut proof = DualProof::default();
    for _ in 0..4000 {
        let (columns, rows) = (random.random_range(0..6), random.random_range(0..6));
        let problem = random_problem(&mut random, columns, rows);
        let frame = Frame::of(&problem);
        let scale = 10f64.powi(random.random_range(-10..4));
        let duals: Vec<f64> = (0..rows)
            .map(|_| random.random_range(-scale..=scale))
            .collect();

        let exact = ExactRows::new(&problem);
        let bound = proof.bound(&exact, frame.region(), &duals).unwrap();
        let slow = exact_bound_slow(&problem, frame.region(), &duals).unwrap();
        assert_eq!(bound.to_rational(), slow);
        assert_eq!(bound.ceil(), slow.ceil().to_integer().try_into().unwrap());
    }
}

#[test]
fn a_bound_equals_its_slow_twin_on_numbers_that_nearly_overflow() {
    let mut random = seeded(12);
    let (mut proof, mut fitted, mut refused) = (DualProof::default(), 0, 0);
    for _ in 0..2000 {
        let mut problem = random_problem(&mut random, 3, 3);
        let stretch = 1i64 << random.random_range(20..58);
        for column in &mut problem.columns {
            column.cost *= stretch;
        }
        for row in &mut problem.rows {
            row.terms.iter_mut().for_each(|(_, by)| *by *= stretch);
        }
        let frame = Frame::of(&problem);
        let scale = 10f64.powi(random.random_range(-3..12));
        let duals: Vec<f64> = (0..3)
            .map(|_| random.random_range(-scale..=scale))
            .collect();
        let slow = exact_bound_slow(&problem, frame.region(), &duals);
        match proof.bound(&ExactRows::new(&problem), frame.region(), &duals) {
            Some(bound) => {
                fitted += 1;
                assert_eq!(Some(bound.to_rational()), slow);
            }
            None => refused += 1,
        }
    }
    assert!(
        fitted > 500 && refused > 50,
        "{fitted} fitted, {refused} refused"
    );
}

#[test]
fn a_bound_never_exceeds_the_best_integer_point() {
    let mut random = seeded(13);
    let (mut proof, mut tight) = (DualProof::default(), 0);
    for _ in 0..3000 {
        let (columns, rows) = (random.random_range(1..5), random.random_range(0..5));
        let problem = random_problem(&mut random, columns, rows);
        let Some(best) = best_integer_point(&problem) else {
            continue;
        };
        let frame = Frame::of(&problem);
        let exact = ExactRows::new(&problem);
        let mut solver = LpSolver::new(&problem);
        assert_eq!(solver.solve(None), LpVerdict::Optimal);
        let bound = proof
            .bound(&exact, frame.region(), solver.row_duals())
            .unwrap()
            .ceil();
        assert!(bound <= best, "{bound} exceeds {best} for {problem:?}");
        tight += usize::from(bound == best);

        let wild: Vec<f64> = (0..rows)
            .map(|_| random.random_range(-20.0..=20.0))
            .collect();
        assert!(proof.bound(&exact, frame.region(), &wild).unwrap().ceil() <= best);
    }
    assert!(tight > 1000, "only {tight} bounds were tight");
}

#[test]
fn no_combination_proves_a_program_with_a_point_infeasible() {
    let mut random = seeded(14);
    let (mut proof, mut proved, mut silent) = (DualProof::default(), 0, 0);
    for _ in 0..6000 {
        let (columns, rows) = (random.random_range(1..5), random.random_range(1..6));
        let problem = random_problem(&mut random, columns, rows);
        let frame = Frame::of(&problem);
        let exact = ExactRows::new(&problem);
        let wild: Vec<f64> = (0..rows).map(|_| random.random_range(-2.0..=2.0)).collect();
        let mut claims = proof.proves_infeasible(&exact, frame.region(), &wild);
        let mut solver = LpSolver::new(&problem);
        if solver.solve(None) == LpVerdict::Infeasible {
            let ray = solver.farkas_ray().expect("a ray");
            match proof.proves_infeasible(&exact, frame.region(), ray) {
                true => claims = true,
                false => silent += 1,
            }
        }
        if claims {
            proved += 1;
            assert_eq!(best_integer_point(&problem), None, "{problem:?}");
        }
    }
    assert!(proved > 500, "only {proved} proofs");
    assert_eq!(silent, 0, "rays that prove nothing");
}

#[test]
fn a_multiplier_whose_side_is_missing_counts_as_zero() {
    let problem = one_row(LpRow {
        terms: vec![(0, 1)],
        lower: Some(2),
        upper: None,
    });
    let frame = Frame::of(&problem);
    let mut proof = DualProof::default();
    let bound = proof.bound(&ExactRows::new(&problem), frame.region(), &[-7.0]);
    assert_eq!(bound, Some(FixedPoint(0)));
    assert!(proof.multipliers().is_empty());
}

#[test]
fn multipliers_that_are_not_numbers_prove_nothing() {
    let problem = one_row(LpRow {
        terms: vec![(0, 1)],
        lower: Some(2),
        upper: Some(2),
    });
    let frame = Frame::of(&problem);
    let exact = ExactRows::new(&problem);
    let mut proof = DualProof::default();
    for value in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e300] {
        assert_eq!(proof.bound(&exact, frame.region(), &[value]), None);
        assert_eq!(exact_bound_slow(&problem, frame.region(), &[value]), None);
    }
    for value in [f64::NAN, f64::INFINITY, 0.0, -0.0, 5e-324] {
        assert!(!proof.proves_infeasible(&exact, frame.region(), &[value]));
    }
}

#[test]
fn rows_that_were_cut_off_the_end_no_longer_count() {
    let mut problem = one_row(LpRow {
        terms: vec![(0, 1)],
        lower: Some(1),
        upper: None,
    });
    let short = ExactRows::new(&problem);
    let frame = Frame::of(&problem);
    problem.rows.push(LpRow {
        terms: vec![(0, 1)],
        lower: Some(4),
        upper: None,
    });
    let mut rows = short.clone();
    rows.push(&problem.rows[1]);
    assert_eq!(rows.len(), 2);
    let longer = Frame::of(&problem);
    let mut proof = DualProof::default();
    assert_eq!(
        proof
            .bound(&rows, longer.region(), &[0.0, 1.0])
            .unwrap()
            .ceil(),
        4
    );
    rows.truncate(1);
    assert_eq!(rows.len(), 1);
    assert_eq!(
        proof.bound(&rows, frame.region(), &[1.0]).unwrap().ceil(),
        1
    );
}

fn one_row(row: LpRow) -> LpProblem {
    LpProblem {
        columns: vec![Column {
            cost: 1,
            lower: 0,
            upper: 9,
        }],
        rows: vec![row],
    }
}
