//! Programs that are too large for the definition: every engine and every configuration against each
//! other, and the checker on what they say.
//!
//! `QUIP_RANDOM_PROGRAMS=20000 cargo test --release --test larger` compares more.

mod support;

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use quip::budget::{Budget, Limits};
use quip::games::or::assignment::{self, Assignment};
use quip::games::or::facility::{self, Facility};
use quip::games::or::interdiction::{self, Interdiction};
use quip::games::or::knapsack::{self, Knapsack};
use quip::games::or::lotsizing::{self, LotSizing};
use quip::games::or::selection::{self, Selection};
use quip::games::random::{RandomShape, random_program};
use quip::num::Rational;
use quip::outcome::{Outcome, SolveError, Status, cost_of_objective};
use quip::presolve::{Switches, simplify};
use quip::program::Program;
use quip::search::{self, Settings};
use quip::{equivalent, expand};
use support::configuration::configuration;
use support::shown;

/// Techniques that are switched off may leave trees that nobody wants to wait for.
const MOST_POSITIONS: u64 = 20_000;

/// A position of the scenario engines is a linear program over a tree of plays.
const MOST_BY_SCENARIOS: (u64, Duration) = (2_000, Duration::from_millis(300));

fn budget() -> Budget {
    let limits = Limits {
        nodes: Some(MOST_POSITIONS),
        ..Limits::default()
    };
    Budget::new(limits, Arc::default(), None)
}

fn budget_of_scenarios() -> Budget {
    let (nodes, time) = MOST_BY_SCENARIOS;
    let limits = Limits {
        nodes: Some(nodes),
        time: Some(time),
        ..Limits::default()
    };
    Budget::new(limits, Arc::default(), None)
}

/// Whether what the engine says, be it finished or not, goes with the answer that was proved.
fn assert_agrees(program: &Program, found: &Outcome, proved: &Outcome, engine: &str) {
    let context = || format!("{engine}: {found:?}\n{proved:?}\n{}", shown(program));
    if found.status != Status::Interrupted {
        let answer = |outcome: &Outcome| (outcome.status, outcome.objective.clone());
        assert_eq!(answer(found), answer(proved), "{}", context());
        support::advice::assert_followable(program, found);
        return;
    }
    let cost = |value: &Option<Rational>| {
        let value = value.clone();
        value.map(|value| cost_of_objective(program, value))
    };
    let value = match proved.status {
        Status::Optimal => cost(&proved.objective),
        _ => return,
    };
    if let (Some(strategy), Some(value)) = (cost(&found.objective), &value) {
        assert!(&strategy >= value, "{}", context());
    }
    if let (Some(bound), Some(value)) = (cost(&found.bound), &value) {
        assert!(&bound <= value, "{}", context());
    }
}

/// What the program was proved to be, if it was small enough for that.
fn compare(seed: u64, program: &Program) -> Option<Status> {
    let settings = Settings::default();
    let proved = search::solve_with_certificate(program, &settings, &mut budget());
    let proved = proved.expect("integers");
    let is_proved = support::certified::checked_unless_stopped(program, &proved);
    if proved.status == Status::Interrupted || !is_proved {
        return None;
    }

    let settings = configuration(seed);
    let found = search::solve(program, &settings, &mut budget()).expect("integers");
    assert_agrees(program, &found, &proved, &format!("search, {settings:?}"));

    let easier = simplify(program, &Switches::default()).program;
    let found = search::solve(&easier, &Settings::default(), &mut budget()).expect("integers");
    assert_agrees(program, &found, &proved, "search after presolve");

    let by_scenarios = match seed % 2 {
        0 => expand::solve(program, &mut budget_of_scenarios()),
        _ => equivalent::solve(program, &mut budget_of_scenarios()),
    };
    match by_scenarios {
        Ok(found) => assert_agrees(program, &found, &proved, "scenarios"),
        Err(SolveError::Unsupported { .. }) => {}
        Err(other) => panic!("seed {seed}: {other}"),
    }
    Some(proved.status)
}

/// How many programs of each kind.
fn count(usual: u64) -> u64 {
    let asked = std::env::var("QUIP_RANDOM_PROGRAMS").ok();
    asked.map_or(usual, |text| {
        text.parse().expect("QUIP_RANDOM_PROGRAMS is a number")
    })
}

fn compare_many(shape: &RandomShape) {
    let count = count(300);
    let mut seen: HashMap<Status, u64> = HashMap::new();
    for seed in 0..count {
        if let Some(status) = compare(seed, &random_program(seed, shape)) {
            *seen.entry(status).or_insert(0) += 1;
        }
    }
    let compared: u64 = seen.values().sum();
    assert!(2 * compared > count, "few were decided: {seen:?}");
    assert!(seen.len() >= 3, "all programs ended alike: {seen:?}");
}

#[test]
fn engines_agree_on_larger_binary_programs() {
    let shape = RandomShape {
        variables: 18..=32,
        block: 1..=6,
        rows: 4..=9,
        terms: 4..=9,
        coefficients: -9..=9,
        objective: 95,
        ..RandomShape::binary()
    };
    compare_many(&shape);
}

#[test]
fn engines_agree_on_larger_programs_of_integers() {
    let shape = RandomShape {
        variables: 10..=16,
        block: 1..=4,
        width: 0..=6,
        rows: 2..=6,
        terms: 3..=8,
        coefficients: -9..=9,
        objective: 95,
        empty_domain: 0,
        ..RandomShape::small()
    };
    compare_many(&shape);
}

#[test]
fn engines_agree_on_larger_games() {
    let shape = RandomShape {
        variables: 14..=24,
        rows: 3..=6,
        terms: 3..=7,
        ..RandomShape::game()
    };
    compare_many(&shape);
}

/// One program of each family for each seed, small enough for a proof.
fn planning(seed: u64) -> [Program; 6] {
    [
        knapsack::generate(&Knapsack {
            periods: 2,
            items: 4,
            seed,
        }),
        lotsizing::generate(&LotSizing {
            periods: 3,
            basic: 2,
            urgent: 1,
            seed,
        }),
        selection::generate(&Selection {
            chosen: 3,
            scenarios: 3,
            stages: 2,
            seed,
        }),
        assignment::generate(&Assignment {
            size: 3,
            scenarios: 2,
            stages: 2,
            seed,
        }),
        facility::generate(&Facility {
            sites: 4,
            customers: 4,
            failures: 1,
            seed,
        }),
        interdiction::generate(&Interdiction {
            nodes: 6,
            extra_edges: 3,
            vaccinated: 1,
            attacked: 2,
            protected: 1,
            decision_dependent: seed.is_multiple_of(2),
            seed,
        }),
    ]
}

#[test]
fn engines_agree_on_planning() {
    let mut proved = [0; 6];
    let count = count(60);
    for seed in 0..count {
        for (family, program) in planning(seed).iter().enumerate() {
            proved[family] += u64::from(compare(seed, program).is_some());
        }
    }
    let few = |it: &u64| 2 * it < count;
    assert!(!proved.iter().any(few), "of {count}: {proved:?}");
}
