//! Bounds by moves that are all made at once, and plans that wait for nothing, on random programs.

use quip::budget::Budget;
use quip::expand::{self, Settings};
use quip::games::random::{RandomShape, random_program};
use quip::outcome::Status;
use quip::program::{Program, Quantifier, cost_of_objective};
use quip::reference;

use super::{answer, count};

/// Several rounds; in half of the programs the universal player has rules of its own.
fn rounds(seed: u64) -> Program {
    let shape = RandomShape {
        variables: 4..=7,
        universal_rows: if seed.is_multiple_of(2) { 0..=0 } else { 0..=1 },
        decision_dependent: 10,
        objective: 100,
        ..RandomShape::small()
    };
    random_program(seed, &shape)
}

fn blocks(program: &Program) -> Vec<Quantifier> {
    let blocks = program.blocks().iter();
    blocks.map(|block| block.quantifier).collect()
}

#[test]
fn bounds_by_moves_at_once_change_no_answer() {
    let mut bounded = 0;
    for seed in 0..count(1500) {
        let program = rounds(seed);
        let blocks = blocks(&program);
        if blocks.len() < 4 || blocks[0] == Quantifier::Forall {
            continue;
        }
        let settings = Settings {
            values_before_bound: 0,
            scan: seed % 3 > 0,
            ..Settings::default()
        };
        let Ok(found) = expand::solve_with(&program, &settings, &mut Budget::unlimited()) else {
            continue;
        };
        let expected = reference::solve(&program, &mut Budget::unlimited()).expect("integers");
        assert_eq!(answer(&found), answer(&expected), "seed {seed}");
        bounded += u64::from(found.status == Status::Optimal);
    }
    assert!(bounded > 50, "only {bounded} programs");
}

#[test]
fn what_a_fixed_plan_guarantees_is_guaranteed() {
    let mut planned = 0;
    for seed in 0..count(3000) {
        let program = rounds(seed);
        let Ok(plan) = expand::fixed_plan(&program, &mut Budget::unlimited()) else {
            continue;
        };
        let Some(guaranteed) = plan.objective else {
            continue;
        };
        let expected = reference::solve(&program, &mut Budget::unlimited()).expect("integers");
        if expected.status == Status::UniversalStuck {
            continue;
        }
        assert_eq!(expected.status, Status::Optimal, "seed {seed}");
        let cost = |objective| cost_of_objective(&program, objective);
        let value = expected.objective.expect("an optimum has a value");
        assert!(cost(value) <= cost(guaranteed), "seed {seed}");
        planned += 1;
    }
    assert!(planned > 50, "only {planned} plans");
}
