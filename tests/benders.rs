//! The decomposition of quantified linear programs: against the reference, on the programs that
//! corners get right and wrong, and on its own switches and replies.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod support;

use quip::benders::{self, Settings};
use quip::budget::Budget;
use quip::games::random::{RandomShape, random_program};
use quip::lp::WarmLp;
use quip::lp::simplex::{Answer, LinearProgram};
use quip::num::{Rational, int, ratio};
use quip::outcome::{Outcome, Score, Status, cost_of_objective};
use quip::program::{Bounds, Id, IdVec, Program, Row, Term, VarId};
use quip::reference;
use rand::Rng;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

fn solve(program: &Program, settings: &Settings) -> Outcome {
    benders::solve(program, settings, &mut Budget::unlimited()).unwrap()
}

/// The score that an outcome tells.
fn score(program: &Program, outcome: &Outcome) -> Score {
    match outcome.status {
        Status::Optimal => {
            assert_eq!(outcome.objective, outcome.bound);
            Score::Cost(cost_of_objective(
                program,
                outcome.objective.clone().unwrap(),
            ))
        }
        Status::Feasible => Score::Cost(int(0)),
        Status::Infeasible => Score::Lost,
        Status::Unbounded => Score::Unbounded,
        Status::UniversalStuck => Score::Won,
        Status::Interrupted => panic!("no limit was set"),
    }
}

#[test]
fn random_programs_have_the_value_of_the_reference() {
    let mut tally = [0; 4];
    for seed in 0..6000 {
        let program = random_program(seed, &RandomShape::qlp());
        let outcome = solve(&program, &Settings::default());
        let found = score(&program, &outcome);
        let expected = reference::value(&program).unwrap();
        assert_eq!(found, expected, "seed {seed}: {program:#?}");
        let kind = match found {
            Score::Won => 0,
            Score::Unbounded => 1,
            Score::Cost(_) => 2,
            Score::Lost => 3,
        };
        tally[kind] += 1;
    }
    println!("{tally:?}");
    assert!(
        tally[1] > 50 && tally[2] > 2000 && tally[3] > 500,
        "{tally:?} is a dull family"
    );
}

#[test]
fn a_warm_linear_program_proves_every_answer_while_its_sides_move() {
    let mut seen = [0; 3];
    let mut counts = quip::lp::WarmCounts::default();
    for seed in 0..300 {
        let dice = &mut ChaCha8Rng::seed_from_u64(seed);
        let columns = dice.random_range(1..=4);
        let terms = |dice: &mut ChaCha8Rng| -> Vec<Term> {
            let factor = |dice: &mut ChaCha8Rng| ratio(dice.random_range(-3..=3), 2);
            (0..columns)
                .map(|column| (VarId::new(column), factor(dice)))
                .collect()
        };
        let mut warm = WarmLp::new(LinearProgram {
            objective: terms(dice),
            bounds: IdVec::filled(columns, Bounds::between(int(-4), int(5))),
            rows: IdVec::default(),
        });
        for _ in 0..dice.random_range(1..=4) {
            let row = match dice.random_range(0..3) {
                0 => Row::at_most(terms(dice), int(1)),
                1 => Row::at_least(terms(dice), int(1)),
                _ => Row::equal(terms(dice), int(1)),
            };
            warm.add_row(row);
            for _ in 0..6 {
                for row in warm.program().rows.clone().ids() {
                    let side = ratio(dice.random_range(-9..=9), 2);
                    let of = |old: &Option<Rational>| old.as_ref().map(|_| side.clone());
                    let Row { lower, upper, .. } = &warm.program().rows[row];
                    let (lower, upper) = (of(lower), of(upper));
                    warm.set_sides(row, lower, upper);
                }
                let answer = warm.solve(&mut Budget::unlimited()).unwrap();
                assert!(answer.is_proved_for(warm.program()), "seed {seed}");
                seen[match answer {
                    Answer::Optimal { .. } => 0,
                    Answer::Infeasible { .. } => 1,
                    Answer::Unbounded { .. } => 2,
                }] += 1;
            }
        }
        counts.solves += warm.counts().solves;
        counts.by_known_basis += warm.counts().by_known_basis;
        counts.by_simplex += warm.counts().by_simplex;
    }
    println!("{seen:?} {counts:?}");
    assert!(seen[0] > 1000 && seen[1] > 500, "{seen:?}");
    assert!(counts.by_known_basis > 500 && counts.by_simplex * 4 < counts.solves);
}
