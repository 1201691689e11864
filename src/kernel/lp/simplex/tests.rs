use rand::Rng;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

use super::*;
use crate::num::{int, ratio};
use crate::program::Id;

fn solved(program: &LinearProgram) -> Answer {
    let answer = program
        .solve(&mut Budget::unlimited())
        .expect("no limit was set");
    assert!(
        answer.is_proved_for(program),
        "{answer:?} is not proved for {program:?}"
    );
    answer
}

fn random_side(dice: &mut ChaCha8Rng) -> (Option<Rational>, Option<Rational>) {
    let lower = ratio(dice.random_range(-9..=6), dice.random_range(1..=3));
    let upper = &lower + ratio(dice.random_range(0..=9), dice.random_range(1..=3));
    match dice.random_range(0..6) {
        0 => (None, None),
        1 => (Some(lower), None),
        2 => (None, Some(upper)),
        3 => (Some(lower.clone()), Some(lower)),
        _ => (Some(lower), Some(upper)),
    }
}

fn random_linear_program(seed: u64) -> LinearProgram {
    let dice = &mut ChaCha8Rng::seed_from_u64(seed);
    let (columns, rows) = (dice.random_range(0..=5), dice.random_range(0..=6));
    let terms = |dice: &mut ChaCha8Rng| {
        let count = if columns == 0 {
            0
        } else {
            dice.random_range(0..=4)
        };
        let term = |_| {
            let column = VarId::new(dice.random_range(0..columns));
            (
                column,
                ratio(dice.random_range(-5..=5), dice.random_range(1..=2)),
            )
        };
        (0..count).map(term).collect::<Vec<Term>>()
    };
    let objective = terms(dice);
    let bounds = (0..columns).map(|_| {
        let (lower, upper) = random_side(dice);
        Bounds { lower, upper }
    });
    let bounds = IdVec::from_vec(bounds.collect());
    let row = |_| {
        let (lower, upper) = random_side(dice);
        Row {
            name: None,
            terms: terms(dice),
            lower,
            upper,
        }
    };
    LinearProgram {
        objective,
        bounds,
        rows: IdVec::from_vec((0..rows).map(row).collect()),
    }
}

#[test]
fn every_answer_proves_itself() {
    let mut seen = [0; 3];
    for seed in 0..3000 {
        let kind = match solved(&random_linear_program(seed)) {
            Answer::Optimal { .. } => 0,
            Answer::Infeasible { .. } => 1,
            Answer::Unbounded { .. } => 2,
        };
        seen[kind] += 1;
    }
    assert!(seen.iter().all(|&count| count > 200), "{seen:?}");
}

#[test]
fn the_cycling_example_of_beale_ends() {
    let column = VarId::new;
    let program = LinearProgram {
        objective: vec![
            (column(0), ratio(-3, 4)),
            (column(1), int(150)),
            (column(2), ratio(-1, 50)),
            (column(3), int(6)),
        ],
        bounds: IdVec::filled(
            4,
            Bounds {
                lower: Some(int(0)),
                upper: None,
            },
        ),
        rows: IdVec::from_vec(vec![
            Row::at_most(
                vec![
                    (column(0), ratio(1, 4)),
                    (column(1), int(-60)),
                    (column(2), ratio(-1, 25)),
                    (column(3), int(9)),
                ],
                int(0),
            ),
            Row::at_most(
                vec![
                    (column(0), ratio(1, 2)),
                    (column(1), int(-90)),
                    (column(2), ratio(-1, 50)),
                    (column(3), int(3)),
                ],
                int(0),
            ),
            Row::at_most(vec![(column(2), int(1))], int(1)),
        ]),
    };
    assert!(matches!(solved(&program), Answer::Optimal { value, .. } if value == ratio(-1, 20)));
}

#[test]
fn a_wrong_answer_is_not_proved() {
    let x = VarId::new(0);
    let program = LinearProgram {
        objective: vec![(x, int(1))],
        bounds: IdVec::filled(1, Bounds::free()),
        rows: IdVec::from_vec(vec![Row::at_least(vec![(x, int(2))], int(3))]),
    };
    let Answer::Optimal {
        point,
        value,
        multipliers,
    } = solved(&program)
    else {
        panic!("the minimum is 3/2");
    };
    assert_eq!(value, ratio(3, 2));
    let off = |value: Rational, point: IdVec<VarId, Rational>, multiplier: Rational| {
        let multipliers = IdVec::filled(1, multiplier);
        Answer::Optimal {
            point,
            value,
            multipliers,
        }
        .is_proved_for(&program)
    };
    let multiplier = multipliers.as_slice()[0].clone();
    assert!(off(value.clone(), point.clone(), multiplier.clone()));
    assert!(!off(int(1), IdVec::filled(1, int(1)), multiplier.clone()));
    assert!(!off(int(2), IdVec::filled(1, int(2)), multiplier));
    assert!(!off(value, point, int(0)));
    let infeasible = Answer::Infeasible { multipliers };
    assert!(!infeasible.is_proved_for(&program));
}

#[test]
fn crossed_sides_are_infeasible_without_multipliers() {
    let program = LinearProgram {
        rows: IdVec::from_vec(vec![Row {
            name: None,
            terms: Vec::new(),
            lower: Some(int(1)),
            upper: Some(int(0)),
        }]),
        ..LinearProgram::default()
    };
    assert!(matches!(solved(&program), Answer::Infeasible { .. }));
}

#[test]
fn a_raised_signal_ends_the_solve() {
    use std::sync::Arc;
    use std::sync::atomic::AtomicBool;
    let raised = Arc::new(AtomicBool::new(true));
    let mut budget = Budget::new(crate::budget::Limits::default(), raised, None);
    let programs = (0..50).map(random_linear_program);
    let stops = programs.filter(|program| program.solve(&mut budget) == Err(Stop::Signal));
    assert!(stops.count() > 10);
}
