//! The engine at an unusual pace, so that small formulas restart, forget and change hands.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::forget::Pace;
use super::{Settings, solve, solve_at};
use crate::budget::{Budget, Limits};
use crate::num::int;
use crate::outcome::{Status, Stop};
use crate::program::{Bounds, Id, Kind, Program, ProgramData, Quantifier, Row, VarId, Variable};
use crate::reference;

/// A random formula: `variables` in random blocks, clauses of up to `width` literals, and now and
/// then a gate.
fn random_formula(seed: u64, variables: usize, clauses: usize, width: usize) -> Program {
    let mut dice = ChaCha8Rng::seed_from_u64(seed);
    let mut quantifier = Quantifier::Exists;
    let prefix = (0..variables).map(|place| {
        if dice.random_ratio(1, 3) {
            quantifier = quantifier.opponent();
        }
        Variable {
            name: format!("x{place}"),
            quantifier,
            kind: Kind::Integer,
            bounds: Bounds::unit(),
        }
    });
    let prefix: Vec<Variable> = prefix.collect();
    let clause = |literals: &[(usize, bool)]| {
        let negative = literals.iter().filter(|(_, positive)| !positive).count();
        let term = |&(var, positive): &(usize, bool)| {
            (VarId::new(var), int(if positive { 1 } else { -1 }))
        };
        Row::at_least(
            literals.iter().map(term).collect(),
            int(1 - negative as i64),
        )
    };
    let mut rows = Vec::new();
    let mut seldom = ChaCha8Rng::seed_from_u64(!seed);
    while rows.len() < clauses {
        let mut literals: Vec<(usize, bool)> = (0..dice.random_range(2..=width))
            .map(|_| (dice.random_range(0..variables), dice.random()))
            // Clauses full of the opponent's literals are lost too soon to teach anything.
            .filter(|(var, _)| {
                prefix[*var].quantifier == Quantifier::Exists || seldom.random_ratio(1, 3)
            })
            .collect();
        literals.sort_unstable();
        literals.dedup_by_key(|(var, _)| *var);
        rows.push(clause(&literals));
        if dice.random_ratio(1, 4)
            && let Some(((gate, sign), inputs)) = literals.split_last()
        {
            rows.extend(
                inputs
                    .iter()
                    .map(|(input, positive)| clause(&[(*input, !positive), (*gate, !sign)])),
            );
        }
    }
    Program::new(ProgramData {
        variables: prefix,
        rows,
        ..ProgramData::default()
    })
    .unwrap()
}

const HASTY: Pace = Pace {
    restart_unit: 1,
    kept_at_least: 1,
    first_slice: 10,
};

/// Every switch on for seed 0, and another combination for every other seed.
fn rotated(seed: u64) -> Settings {
    let mut settings = Settings::default();
    for (place, switch) in settings.switches().iter().enumerate() {
        // Each alone, all others, and mixtures.
        let off = match seed % 3 {
            0 => seed / 3 % 16 == place as u64 + 1,
            1 => seed / 3 % 16 != place as u64,
            _ => (seed * 0x9e37_79b9) >> (place + 8) & 1 == 1,
        };
        let value = if off { "off" } else { "on" };
        settings.set(switch.key, value).unwrap();
    }
    settings
}

#[test]
fn restarts_and_forgetting_change_no_answer() {
    let mut won = 0;
    for seed in 0..12_000 {
        let program = random_formula(seed, 8, 4 + seed as usize % 14, 4);
        let settings = rotated(seed);
        let hasty = solve_at(&program, &settings, HASTY, &mut Budget::unlimited()).unwrap();
        let judged = reference::solve(&program, &mut Budget::unlimited()).unwrap();
        assert_eq!(hasty.status, judged.status, "seed {seed} {settings:?}");
        won += u32::from(hasty.status == Status::Feasible);
    }
    assert!((1_000..11_000).contains(&won), "{won} are true");
}

/// A random program whose rows are clauses, at-most-one and exactly-one rows.
fn random_choices(seed: u64) -> Program {
    let mut data = random_formula(seed, 11, seed as usize % 6, 4).into_data();
    let mut dice = ChaCha8Rng::seed_from_u64(seed ^ 0x5eed);
    for _ in 0..dice.random_range(1..4) {
        let least = dice.random_range(2..11);
        let mut terms: Vec<_> = (0..11_usize).map(|var| (VarId::new(var), 1)).collect();
        while terms.len() > least {
            terms.swap_remove(dice.random_range(0..terms.len()));
        }
        for (_, sign) in &mut terms {
            *sign = if dice.random_ratio(1, 4) { -1 } else { 1 };
        }
        terms.sort_unstable();
        let negative = terms.iter().filter(|(_, sign)| *sign < 0).count() as i64;
        let terms = terms.iter().map(|&(var, sign)| (var, int(sign))).collect();
        let one = int(1 - negative);
        data.rows.push(match dice.random_range(0..3) {
            0 => Row::equal(terms, one),
            1 => Row::at_least(terms, one),
            _ => Row::at_most(terms, one),
        });
    }
    Program::new(data).unwrap()
}

#[test]
fn rows_that_allow_one_literal_are_taken_as_such() {
    let mut won = 0;
    for seed in 0..3_000 {
        let program = random_choices(seed);
        let settings = rotated(seed);
        let found = solve_at(&program, &settings, HASTY, &mut Budget::unlimited()).unwrap();
        let judged = reference::solve(&program, &mut Budget::unlimited()).unwrap();
        assert_eq!(found.status, judged.status, "seed {seed} {settings:?}");
        won += u32::from(found.status == Status::Feasible);
    }
    assert!((150..2_850).contains(&won), "{won} are true");
}

#[test]
fn other_rows_are_refused() {
    let mut data = random_formula(1, 8, 2, 3).into_data();
    let terms = (0..4).map(|var| (VarId::new(var), int(1))).collect();
    data.rows.push(Row::at_most(terms, int(2)));
    let program = Program::new(data).unwrap();
    let refused = solve(&program, &Settings::default(), &mut Budget::unlimited());
    assert!(refused.unwrap_err().to_string().contains("at-most-one"));
}

#[test]
fn larger_formulas_have_one_answer_at_every_pace() {
    let mut won = 0;
    for seed in 0..2_000 {
        let program = random_formula(seed, 40, 10 + seed as usize % 50, 6);
        let usual = solve(&program, &Settings::default(), &mut Budget::unlimited()).unwrap();
        let settings = rotated(seed);
        let hasty = solve_at(&program, &settings, HASTY, &mut Budget::unlimited()).unwrap();
        assert_eq!(usual.status, hasty.status, "seed {seed} {settings:?}");
        won += u32::from(usual.status == Status::Feasible);
    }
    assert!((100..1_900).contains(&won), "{won} are true");
}

#[test]
fn limits_end_a_solve() {
    let effort = |program: &Program| {
        let outcome = solve(program, &Settings::default(), &mut Budget::unlimited());
        outcome.unwrap().effort.nodes
    };
    let mut programs = (0..).map(|seed| random_formula(seed, 40, 50, 6));
    let program = programs.find(|program| effort(program) > 0).unwrap();
    let limits = Limits {
        nodes: Some(0),
        ..Limits::default()
    };
    let mut budget = Budget::new(limits, Default::default(), None);
    let outcome = solve(&program, &Settings::default(), &mut budget).unwrap();
    assert_eq!(
        (outcome.status, outcome.stop),
        (Status::Interrupted, Some(Stop::Nodes))
    );
}
