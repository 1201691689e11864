//! Moves of the opponent that decisions close, with real replies: solved like by the definition, and the
//! plans can be acted on.

mod support;

use quip::num::{int, ratio};
use quip::outcome::{Outcome, Status};
use quip::program::{Id, Program, Quantifier, Row, VarId};
use quip::reference;
use quip::solver::{Method, Options, Solver};
use quip::strategy::Turn;
use rand::Rng;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

use support::certified::checked;
use support::{Prefix, dense, fixed, maximize, minimize, program, shown};

/// Two protections, two attacks within a budget, and again, then real replies; any coefficients.
fn random(seed: u64) -> Program {
    let dice = &mut ChaCha8Rng::seed_from_u64(seed);
    let mut prefix = Prefix::new();
    let rounds = 1 + (seed % 2) as usize;
    let (mut protections, mut attacks) = (Vec::new(), Vec::new());
    for _ in 0..rounds {
        for _ in 0..2 {
            protections.push(prefix.0.len());
            prefix = prefix.exists(0, 1);
        }
        for _ in 0..2 {
            attacks.push(prefix.0.len());
            prefix = prefix.forall(0, 1);
        }
    }
    let count = prefix.0.len() + 2;
    let prefix = prefix.exists_real(0, 3).exists_real(-1, 2);
    let mut gates: Vec<Row> = Vec::new();
    for &attack in &attacks {
        let earlier: Vec<usize> = protections
            .iter()
            .copied()
            .filter(|it| *it < attack)
            .collect();
        let mut coefficients = vec![0; count];
        let scale = dice.random_range(1..=2);
        coefficients[attack] = scale;
        let one = earlier[dice.random_range(0..earlier.len())];
        match dice.random_range(0..4) {
            // Protected where it is decided so.
            0 => {
                coefficients[one] = scale;
                gates.push(Row::at_most(dense(&coefficients), int(scale)));
            }
            // Only what was built can be attacked; what one of two serves.
            1 => {
                coefficients[one] = -scale;
                gates.push(Row::at_most(dense(&coefficients), int(0)));
            }
            2 => {
                for place in earlier {
                    coefficients[place] = -2;
                }
                gates.push(Row::at_most(dense(&coefficients), int(0)));
            }
            // The other way round.
            _ => {
                let coefficients: Vec<i64> = coefficients.iter().map(|it| -it).collect();
                let mut row = dense(&coefficients);
                row.push((VarId::new(one), int(-3)));
                row.sort_by_key(|term| term.0);
                gates.push(Row::at_least(quip::program::normalized(row), int(-3)));
            }
        }
    }
    let mut budget = vec![0; count];
    for &attack in &attacks {
        budget[attack] = dice.random_range(1..=2);
    }
    gates.push(Row::at_most(dense(&budget), int(dice.random_range(1..=3))));
    let mut any = || -> Vec<i64> { (0..count).map(|_| dice.random_range(-3..=3)).collect() };
    let costs = any();
    let rows: Vec<Vec<i64>> = (0..2).map(|_| any()).collect();
    let rows = rows.iter().enumerate().map(|(number, row)| {
        let side = ratio(seed as i64 % 7 - 1, 1 + number as i64);
        match (seed + number as u64) % 4 {
            0 => Row::equal(dense(row), side),
            1 => Row::at_least(dense(row), -side),
            _ => Row::at_most(dense(row), side),
        }
    });
    let objective = match seed % 3 {
        0 => maximize(&costs),
        _ => minimize(&costs),
    };
    program(prefix, rows.collect(), gates, objective)
}

fn solved(program: &Program, method: Method) -> Outcome {
    let options = Options {
        method,
        threads: Some(1),
        ..Options::default()
    };
    Solver::new(options).solve(program).expect("it is taken")
}

#[test]
fn gates_before_real_replies_are_solved_like_by_the_definition() {
    let (mut values, mut plans, mut closed, mut played) = (0, 0, 0, 0);
    for seed in 0..400 {
        let program = random(seed);
        let value = reference::value(&program).expect("the reference takes it");
        for method in [Method::Auto, Method::Equivalent, Method::Expand] {
            let outcome = solved(&program, method);
            let found = outcome.score(&program);
            assert_eq!(
                found.as_ref(),
                Some(&value),
                "{method} {seed}\n{}",
                shown(&program)
            );
            assert_ne!(outcome.engine, Some("reference"), "seed {seed}");
            values += 1;
            let count = program.variables().len();
            let play = &outcome.principal_variation;
            assert!(play.iter().all(|(var, _)| var.index() < count));
            let moves: Vec<_> = play
                .iter()
                .map(|(var, it)| (var.index(), it.clone()))
                .collect();
            if outcome.status == Status::Optimal && moves.len() == count {
                // A whole play keeps all rows, those of the opponent too, and costs the value.
                let score = reference::value(&fixed(&program, &moves)).expect("it is taken");
                assert_eq!(score, value, "{method} {seed}\n{}", shown(&program));
            }
            let Some(strategy) = outcome.held(&program, Quantifier::Exists) else {
                continue;
            };
            plans += 1;
            let mut game = strategy.play(&program);
            while !game.is_over() {
                game.reply();
                let Turn::Observe(_) = game.turn() else {
                    continue;
                };
                // As many attacks as are legal.
                if game.observe(int(1)).is_err() {
                    game.observe(int(0)).expect("not to attack is legal");
                    closed += 1;
                }
            }
            let moves = game.moves().iter();
            let moves: Vec<_> = moves.map(|(var, it)| (var.index(), it.clone())).collect();
            if outcome.status == Status::Optimal && moves.len() == count {
                let score = reference::value(&fixed(&program, &moves)).expect("it is taken");
                assert!(
                    score <= value,
                    "{method} {seed}: {score:?}\n{}",
                    shown(&program)
                );
                played += 1;
            }
        }
    }
    assert_eq!(values, 1200);
    assert!(
        plans > 200 && closed > 50 && played > 50,
        "{plans} {closed} {played}"
    );
}

#[test]
fn small_programs_with_gates_have_certificates() {
    for seed in 0..60 {
        let program = random(seed);
        let options = Options {
            certificate: true,
            ..Options::default()
        };
        let outcome = Solver::new(options).solve(&program).expect("it is taken");
        checked(&program, &outcome);
    }
}

#[test]
fn bounds_from_both_sides_that_meet_say_why_they_have_no_certificate() {
    let text = "minimize 2 x subject to 2 x = 3
        uncertainty u + v + x + w <= 4
                    u + w <= 1
        prefix forall binary u forall integer v in [-2, 1] exists real x in [-1, 2]
               forall integer w in [-1, 1/2] end";
    let program = quip::format::parse_qip(text).expect("it is well formed");
    let options = Options {
        certificate: true,
        ..Options::default()
    };
    let outcome = Solver::new(options).solve(&program).expect("it is taken");
    assert_eq!(outcome.objective, Some(int(3)));
    let made = outcome.certificate.expect("it was asked for");
    assert_eq!(made.expect_err("there is none").kind(), "unsupported");
}
