//! Numbers as they come: seventeen digits, coefficients over many orders of magnitude, ends of machine
//! integers. Every engine answers like the definition or says that it does not take the program.
//!
//! `QUIP_RANDOM_PROGRAMS=20000 cargo test --release --test numbers` compares more.

mod support;

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use num_bigint::BigInt;

use quip::budget::Limits;
use quip::games::random::{with_extreme_numbers, with_long_numbers};
use quip::num::{Rational, parse_rational, ratio};
use quip::outcome::{Outcome, SolveError, Status};
use quip::program::Program;
use quip::solver::{Method, Options, Solver};
use support::naive::Plays;
use support::shown;

/// How many programs each test draws.
fn programs(usually: u64) -> u64 {
    let wanted = std::env::var("QUIP_RANDOM_PROGRAMS").ok();
    wanted
        .and_then(|wanted| wanted.parse().ok())
        .unwrap_or(usually)
}

const METHODS: [Method; 5] = [
    Method::Auto,
    Method::Search,
    Method::Expand,
    Method::Equivalent,
    Method::Reference,
];

fn solved(program: &Program, method: Method, certificate: bool) -> Result<Outcome, SolveError> {
    let options = Options {
        method,
        certificate,
        threads: Some(1),
        limits: Limits {
            nodes: (method != Method::Auto).then_some(100_000),
            time: Some(Duration::from_secs(10)),
            ..Limits::default()
        },
        ..Options::default()
    };
    Solver::new(options).solve(program)
}

#[test]
fn long_and_large_numbers_are_solved_like_by_the_definition() {
    let (mut answered, mut refused) = ([0; METHODS.len()], [0; METHODS.len()]);
    let mut reasons: BTreeMap<String, usize> = BTreeMap::new();
    for seed in 0..programs(600) {
        let program = with_long_numbers(seed);
        let Some(plays) = Plays::of(&program, 3_000) else {
            continue;
        };
        let value = plays.value();
        for (place, method) in METHODS.into_iter().enumerate() {
            let tried = catch_unwind(AssertUnwindSafe(|| solved(&program, method, false)));
            let context = || format!("seed {seed}, {method:?}\n{}", shown(&program));
            match tried.unwrap_or_else(|_| panic!("{}", context())) {
                Err(reason) => {
                    refused[place] += 1;
                    if method == Method::Auto {
                        *reasons.entry(reason.to_string()).or_default() += 1;
                    }
                }
                Ok(outcome) => {
                    if let Some(found) = outcome.score(&program) {
                        assert_eq!(found, value, "{}", context());
                        answered[place] += 1;
                    }
                }
            }
        }
    }
    println!("{METHODS:?}: {answered:?} answered, {refused:?} refused");
    println!("{reasons:#?}");
    assert_eq!(refused[0], 0, "every program is taken: {reasons:#?}");
}

#[test]
fn a_program_times_a_prime_of_forty_digits_has_the_same_value() {
    let prime: BigInt = "2425967623052370772757633156976982469681"
        .parse()
        .expect("digits");
    let factor = Rational::from_integer(prime);
    let mut compared = 0;
    for seed in 0..programs(200) {
        let program = with_long_numbers(seed);
        if Plays::of(&program, 3_000).is_none() {
            continue;
        }
        let mut data = program.clone().into_data();
        for row in data.rows.iter_mut().chain(&mut data.universal_rows) {
            row.terms.iter_mut().for_each(|term| term.1 *= &factor);
            row.lower.iter_mut().for_each(|side| *side *= &factor);
            row.upper.iter_mut().for_each(|side| *side *= &factor);
        }
        if let Some(objective) = &mut data.objective {
            objective
                .terms
                .iter_mut()
                .for_each(|term| term.1 *= &factor);
            objective.constant *= &factor;
        }
        let scaled = Program::new(data).expect("a multiple is valid");
        let tried = [&program, &scaled].map(|program| solved(program, Method::Auto, false));
        let [Ok(one), Ok(other)] = tried else {
            continue;
        };
        assert_eq!(one.status, other.status, "seed {seed}");
        let value = one.objective.map(|value| value * &factor);
        assert_eq!(value, other.objective, "seed {seed}");
        compared += 1;
    }
    assert!(compared > 50, "{compared}");
}

#[test]
fn numbers_at_the_ends_of_machine_integers_are_answered_or_refused_in_words() {
    for seed in 0..programs(400) {
        let program = with_extreme_numbers(seed);
        for method in METHODS {
            for certificate in [false, true] {
                let options = Options {
                    method,
                    certificate,
                    threads: Some(1),
                    limits: Limits {
                        nodes: Some(2_000),
                        time: Some(Duration::from_millis(100)),
                        ..Limits::default()
                    },
                    ..Options::default()
                };
                let tried = catch_unwind(AssertUnwindSafe(|| {
                    Solver::new(options).solve(&program).is_ok()
                }));
                assert!(
                    tried.is_ok(),
                    "seed {seed}, {method:?}, {certificate}\n{}",
                    shown(&program)
                );
            }
        }
    }
}

#[test]
fn every_number_is_read_and_every_change_is_listed_once() {
    let text = "minimize 0.3333333333333333 x + 2.5 y + 0.1428571428571429
        subject to
          share: 0.3333333333333333 x + 0.6666666666666667 y >= 0.3333333333333333
        uncertainty 1.9999999999999998 u <= 3
        prefix forall integer u in [0, 1]
          exists integer x in [0, 2]  exists real y in [0, 7.000000000000001] end";
    let program = quip::format::parse_qip(text).expect("it is well formed");
    let near = parse_rational("1e-12").expect("a number");
    let (read, reread) = program.rationalized(&near);
    let told: Vec<(String, usize)> = reread
        .iter()
        .map(|it| (format!("{} in {}", it.to, it.place), it.times))
        .collect();
    let expected = [
        ("7 in bounds of `y`", 1),
        ("1/3 in row `share`, variable `x`", 3),
        ("2/3 in row `share`, variable `y`", 1),
        ("2 in row number 1 of the uncertainty, variable `u`", 1),
        ("1/7 in objective, its constant", 1),
    ];
    assert_eq!(told, expected.map(|(text, times)| (text.to_owned(), times)));
    let first = read.rows().iter().next().expect("there is a row");
    assert_eq!(first.terms[0].1, ratio(1, 3));
    assert_eq!(read.rationalized(&near), (read.clone(), Vec::new()));
    assert_ne!(read.fingerprint(), program.fingerprint());
}

#[test]
fn computed_data_with_real_replies_takes_no_more_nodes_than_short_data() {
    use quip::model::*;
    let nominal = [
        3.2914888331882395,
        4.366840152632989,
        4.952458999793365,
        3.109177377957286,
    ];
    let deviation = [
        3.4865410967506256,
        2.1757656030539927,
        3.6088603188639534,
        1.9086140953568251,
    ];
    let cost = [
        5.715280527861838,
        3.556637764071808,
        5.881218528538521,
        1.4041801194780108,
    ];
    let penalty = [
        11.466202487955266,
        9.388379259395453,
        13.217110862872264,
        7.570750345296256,
    ];
    let capacity = |decimals: i32| {
        let digits = |number: f64| dec(&format!("{number:.*}", decimals as usize));
        let mut model = Model::new();
        let early = model.decide().integers("early", 0..4, 0..=9);
        let rises = model.reveal().binaries("rises", 0..4);
        let late = model.decide().reals("late", 0..4, 0..=9);
        for i in 0..4 {
            let demand = digits(nominal[i]) + digits(deviation[i]) * rises[i];
            model.subject_to(row!(early[i] + late[i] >= demand));
        }
        model.uncertainty(row!(rises.sum() <= 2));
        let early = early.weighted(|&i| digits(cost[i]));
        model.minimize(early + late.weighted(|&i| digits(penalty[i])));
        model.build().expect("a program")
    };
    for decimals in [2, 14, 15, 16] {
        let options = Options::default().with_nodes(500).with_threads(1);
        let outcome = Solver::new(options).solve(&capacity(decimals)).unwrap();
        assert_eq!(outcome.status, Status::Optimal, "{decimals} decimals");
    }
}
