//! The scenario engines against the definition, each other and known values.

#![allow(clippy::print_stdout, reason = "a test says what it skipped")]

#[path = "scenario/at_once.rs"]
mod at_once;
#[path = "scenario/conditions.rs"]
mod conditions;
#[path = "scenario/export.rs"]
mod export;
#[path = "scenario/race.rs"]
mod race;
#[path = "scenario/rounds.rs"]
mod rounds;
mod support;

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

use quip::budget::Budget;
use quip::equivalent::{self, Settings};
use quip::expand;
use quip::format::parse_qip;
use quip::games::random::{RandomShape, random_program};
use quip::num::{Rational, int};
use quip::outcome::{Outcome, SolveError, Status};
use quip::presolve::{Switches, simplify};
use quip::program::{Id, Kind, Program, ProgramData, Quantifier, Row, VarId, Variable};
use quip::{reference, search};

type Solve = fn(&Program, u64, &mut Budget) -> Result<Outcome, SolveError>;

fn answer(outcome: &Outcome) -> (Status, Option<Rational>) {
    (outcome.status, outcome.objective.clone())
}

/// How many programs each shape gets; `QUIP_RANDOM_PROGRAMS` asks for more.
fn count(usual: u64) -> u64 {
    let asked = std::env::var("QUIP_RANDOM_PROGRAMS").ok();
    asked.map_or(usual, |text| {
        text.parse().expect("QUIP_RANDOM_PROGRAMS is a number")
    })
}

/// Solves the programs of a shape that the engine takes, and tells how many it took.
fn compare_many(solve: Solve, shape: &RandomShape, usual: u64) -> u64 {
    let mut seen: HashMap<Status, u64> = HashMap::new();
    let mut refused = 0;
    for seed in 0..count(usual) {
        let program = random_program(seed, shape);
        let found = match solve(&program, seed, &mut Budget::unlimited()) {
            Ok(found) => found,
            Err(SolveError::Unsupported { .. }) => {
                refused += 1;
                continue;
            }
            Err(other) => panic!("seed {seed}: {other}"),
        };
        let expected = reference::solve(&program, &mut Budget::unlimited());
        let expected = expected.expect("the reference takes every random program");
        assert_eq!(
            answer(&found),
            answer(&expected),
            "seed {seed} of\n{program:?}"
        );
        if search::accepts(&program) && reals_are_the_last_to_be_fixed(&program) {
            support::certified::proved(&program, &found);
        }
        *seen.entry(found.status).or_insert(0) += 1;
    }
    println!("{seen:?}, refused {refused}");
    assert!(seen.len() >= 3, "all programs ended alike: {seen:?}");
    seen.values().sum()
}

/// Programs in which somebody answers to reals have no certificates.
fn reals_are_the_last_to_be_fixed(program: &Program) -> bool {
    let is_integer = |it: &&Variable| it.kind == Kind::Integer;
    let mut rest = program.variables().iter().skip_while(is_integer);
    rest.all(|it| it.quantifier == Quantifier::Exists || it.domain().lower == it.domain().upper)
}

/// HiGHS is asked at once, soon or never.
fn by_equivalent(program: &Program, seed: u64, budget: &mut Budget) -> Result<Outcome, SolveError> {
    let settings = Settings {
        nodes_before_claim: [0, 2, 1_000_000][(seed % 3) as usize],
        ..Settings::default()
    };
    equivalent::solve_with(program, &settings, budget)
}

fn by_expand(program: &Program, seed: u64, budget: &mut Budget) -> Result<Outcome, SolveError> {
    let settings = expand::Settings {
        nodes_before_claim: [0, 2, 1_000_000][(seed % 3) as usize],
        scan: seed.is_multiple_of(2),
        dominance: seed % 4 < 3,
        ruin: seed % 8 < 6,
        dual: seed % 16 < 8,
        lazy: seed % 5 < 4,
        patience: [0, 1, 50][(seed / 2 % 3) as usize],
        gains: seed % 3 < 2,
        guess: seed % 7 < 6,
        killers: seed % 11 < 6,
        nodes_before_guesses: seed % 9,
        ..expand::Settings::default()
    };
    let switches = match seed % 4 {
        3 => Switches::none(),
        _ => Switches::default(),
    };
    let easier = simplify(program, &switches);
    expand::solve_with(&easier.program, &settings, budget)
}

#[test]
fn expand_agrees_with_the_definition_on_small_programs() {
    assert!(compare_many(by_expand, &RandomShape::small(), 3000) > 2990);
}

#[test]
fn expand_agrees_with_the_definition_on_binary_programs() {
    assert!(compare_many(by_expand, &RandomShape::binary(), 2000) > 1990);
}

#[test]
fn expand_agrees_with_the_definition_on_games() {
    assert!(compare_many(by_expand, &RandomShape::game(), 3000) > 2990);
}

/// A random program with gates: earlier existential decisions that forbid universal values.
fn gated_program(seed: u64) -> Program {
    let shape = RandomShape {
        decision_dependent: 0,
        ..RandomShape::binary()
    };
    let mut data = random_program(seed, &shape).into_data();
    let owned = |owner: Quantifier| {
        let places = 0..data.variables.len();
        let own = places.filter(|&place| data.variables[place].quantifier == owner);
        own.map(VarId::new).collect::<Vec<_>>()
    };
    let (keepers, kept) = (owned(Quantifier::Exists), owned(Quantifier::Forall));
    for (number, &universal) in kept.iter().enumerate() {
        let earlier = keepers.iter().filter(|&&keeper| keeper < universal);
        let Some(&keeper) = earlier.rev().nth(number % 2) else {
            continue;
        };
        let sign = if (seed >> number) & 1 == 0 { 1 } else { -1 };
        let terms = vec![(keeper, int(sign)), (universal, int(2))];
        let open_side = if sign == 1 { 2 } else { 1 };
        data.universal_rows
            .push(Row::at_most(terms, int(open_side)));
    }
    if seed.is_multiple_of(3) {
        join_keepers(&mut data, &keepers, &kept);
    }
    Program::new(data).expect("gates keep a program well formed")
}

/// Lets two existential variables that exclude one another guard the last universal one.
fn join_keepers(data: &mut ProgramData, keepers: &[VarId], kept: &[VarId]) {
    let Some(&last) = kept.last() else { return };
    let earlier: Vec<VarId> = keepers
        .iter()
        .copied()
        .filter(|&keeper| keeper < last)
        .collect();
    let [first, .., second] = earlier.as_slice() else {
        return;
    };
    let guarded = |row: &Row| row.terms.iter().any(|(var, _)| *var == last);
    data.universal_rows.retain(|row| !guarded(row));
    let (first, second) = (*first, *second);
    let pair = vec![(first, int(1)), (second, int(1))];
    data.rows.push(Row::at_most(pair.clone(), int(1)));
    let guard = [pair, vec![(last, int(1))]].concat();
    data.universal_rows.push(Row::at_most(guard, int(1)));
}

/// How many of the two scenario engines take a program; what they answer is right, and proved.
fn taken_by_scenario_engines(program: &Program, seed: u64) -> u64 {
    let expected = reference::solve(program, &mut Budget::unlimited()).expect("integers");
    let mut taken = 0;
    for solve in [by_equivalent as Solve, by_expand] {
        match solve(program, seed, &mut Budget::unlimited()) {
            Ok(found) => {
                let (found_here, right) = (answer(&found), answer(&expected));
                assert_eq!(found_here, right, "seed {seed} of\n{program:?}");
                support::certified::proved(program, &found);
                taken += 1;
            }
            Err(refusal) => assert!(matches!(refusal, SolveError::Unsupported { .. })),
        }
    }
    taken
}

#[test]
fn gates_are_played_as_the_definition_says() {
    let (mut taken, mut gates) = (0, 0);
    for seed in 0..count(3000) {
        let program = gated_program(seed);
        let dependent = program.class().decision_dependent;
        let by_both = taken_by_scenario_engines(&program, seed);
        taken += by_both;
        gates += by_both * u64::from(dependent);
    }
    println!("{taken} taken, {gates} with gates");
    assert!(gates > 1000, "only {gates} programs had gates");
}

#[test]
fn reals_that_may_be_integer_do_not_change_the_value() {
    let taken = compare_many(by_equivalent, &RandomShape::with_reals(), 3000);
    assert!(taken > 30, "only {taken} programs were taken");
}

/// Reals of the last block beside integers, with the dual adversary and without.
#[test]
fn expand_agrees_with_the_definition_on_real_replies() {
    let shape = RandomShape::with_reals();
    let taken = compare_many(by_expand, &shape, 6000);
    assert!(taken > 100, "only {taken} programs were taken");
}

#[test]
fn the_equivalent_agrees_with_the_definition_on_small_programs() {
    assert!(compare_many(by_equivalent, &RandomShape::small(), 3000) > 2990);
}

#[test]
fn the_equivalent_agrees_with_the_definition_on_binary_programs() {
    assert!(compare_many(by_equivalent, &RandomShape::binary(), 2000) > 1990);
}

#[test]
fn the_equivalent_agrees_with_the_definition_on_games() {
    assert!(compare_many(by_equivalent, &RandomShape::game(), 3000) > 2990);
}

/// A small program of every family.
fn small_families(seed: u64) -> Vec<(&'static str, Program)> {
    use quip::games::or::*;
    let interdiction = |decision_dependent| {
        interdiction::generate(&interdiction::Interdiction {
            nodes: 7,
            extra_edges: 2,
            vaccinated: 1,
            attacked: 2,
            protected: 1,
            decision_dependent,
            seed,
        })
    };
    vec![
        ("interdiction", interdiction(false)),
        ("gated interdiction", interdiction(true)),
        (
            "selection",
            selection::generate(&selection::Selection {
                chosen: 3,
                scenarios: 3,
                stages: 2,
                seed,
            }),
        ),
        (
            "assignment",
            assignment::generate(&assignment::Assignment {
                size: 3,
                scenarios: 2,
                stages: 2,
                seed,
            }),
        ),
        (
            "knapsack",
            knapsack::generate(&knapsack::Knapsack {
                periods: 3,
                items: 2,
                seed,
            }),
        ),
        (
            "lotsizing",
            lotsizing::generate(&lotsizing::LotSizing {
                periods: 3,
                basic: 3,
                urgent: 2,
                seed,
            }),
        ),
        (
            "runway",
            runway::generate(&runway::Runway {
                planes: 3,
                runways: 2,
                slots: 5,
                disclosures: 2,
                seed,
            }),
        ),
        (
            "facility",
            facility::generate(&facility::Facility {
                sites: 4,
                customers: 4,
                failures: 2,
                seed,
            }),
        ),
    ]
}

#[test]
fn the_engines_agree_on_every_family() {
    for seed in 0..6 {
        for (name, program) in small_families(seed) {
            let searched = search::solve(&program, &Default::default(), &mut Budget::unlimited());
            let searched = answer(&searched.expect("a program of integers"));
            for solve in [by_equivalent as Solve, by_expand] {
                let found = solve(&program, seed, &mut Budget::unlimited());
                let found = found.expect("the families are within the class");
                assert_eq!(answer(&found), searched, "{name} of seed {seed}");
                support::certified::proved(&program, &found);
            }
            assert!(searched.1.is_some(), "{name} of seed {seed} has no value");
        }
    }
}

#[test]
fn attacking_a_vaccinated_node_in_vain_changes_nothing() {
    for seed in 0..6 {
        let families = small_families(seed);
        let value = |program: &Program| {
            let outcome = expand::solve(program, &mut Budget::unlimited());
            let outcome = outcome.expect("within the class");
            support::certified::proved(program, &outcome).objective
        };
        assert_eq!(value(&families[0].1), value(&families[1].1), "seed {seed}");
    }
}

/// Where the public instances are, if they are there.
fn public_instances() -> Option<PathBuf> {
    let shared = std::env::var_os("QUIP_SHARED").map_or_else(
        || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../shared"),
        PathBuf::from,
    );
    let folder = shared.join("instances");
    if !folder.join("index.csv").is_file() {
        println!("skipped: no public instances at {}", folder.display());
        return None;
    }
    Some(folder)
}

/// Instances with a known value whose path satisfies `wanted`.
fn known(folder: &Path, wanted: impl Fn(&str) -> bool) -> Vec<(String, String)> {
    let index = fs::read_to_string(folder.join("index.csv")).expect("the index is readable");
    let lines = index.lines().skip(1).filter_map(|line| {
        let mut fields = line.split(',');
        let (path, value) = (fields.next()?, fields.next()?);
        (wanted(path) && !value.is_empty()).then(|| (path.to_owned(), value.to_owned()))
    });
    lines.collect()
}

fn reproduces(folder: &Path, solve: Solve, path: &str, value: &str) {
    let reading = quip::format::read_path(&folder.join(path)).expect("a readable instance");
    let outcome = solve(&reading.program, 0, &mut Budget::unlimited()).expect("within the class");
    let found = match (&outcome.objective, outcome.status) {
        (Some(objective), Status::Optimal) => objective.to_string(),
        (None, Status::Feasible) => "0".to_owned(),
        (_, status) => status.to_string(),
    };
    assert_eq!(found, value, "{path}");
    support::certified::proved(&reading.program, &outcome);
}

#[test]
fn expand_reproduces_the_values_of_small_public_instances() {
    let Some(folder) = public_instances() else {
        return;
    };
    let small = |path: &str| {
        let interdiction = path.starts_with("interdiction") && path.contains("/n20_");
        let example = path.starts_with("examples/") && !path.contains("lotsizing");
        interdiction || example || path.contains("_A5_W7_") || path.contains("_A6_")
    };
    let instances = known(&folder, small);
    assert!(instances.len() > 30, "the index lists {}", instances.len());
    for (path, value) in instances {
        reproduces(&folder, by_expand, &path, &value);
    }
}

#[test]
fn the_equivalent_reproduces_the_values_of_tiny_public_instances() {
    let Some(folder) = public_instances() else {
        return;
    };
    let tiny = |path: &str| {
        path.contains("/n20_1-1-1")
            || ["assign", "selec", "MCN"]
                .iter()
                .any(|name| path.contains(name))
    };
    let instances = known(&folder, tiny);
    assert!(instances.len() > 6, "the index lists {}", instances.len());
    for (path, value) in instances {
        reproduces(&folder, by_equivalent, &path, &value);
    }
}

/// Tasks in time slots, each in a window that the opponent shifts; `room` tasks fit into a slot.
fn windows(tasks: usize, slots: usize, room: usize) -> Program {
    use std::fmt::Write;
    let mut text = "minimize cost: t1_1 subject to\n".to_owned();
    for task in 1..=tasks {
        let all: Vec<_> = (1..=slots).map(|slot| format!("t{task}_{slot}")).collect();
        let time: Vec<_> = (1..=slots)
            .map(|slot| format!("{slot} t{task}_{slot}"))
            .collect();
        let (all, time) = (all.join(" + "), time.join(" + "));
        writeln!(text, "one{task}: {all} = 1").expect("a string takes everything");
        writeln!(text, "early{task}: {time} - 2 late{task} >= 1")
            .expect("a string takes everything");
        writeln!(text, "late{task}_: {time} - 2 late{task} <= 2")
            .expect("a string takes everything");
    }
    for slot in 1..=slots {
        let all: Vec<_> = (1..=tasks).map(|task| format!("t{task}_{slot}")).collect();
        writeln!(text, "room{slot}: {} <= {room}", all.join(" + "))
            .expect("a string takes everything");
    }
    text.push_str("prefix\n");
    for task in 1..=tasks {
        writeln!(text, "forall binary late{task}").expect("a string takes everything");
    }
    for task in 1..=tasks {
        for slot in 1..=slots {
            writeln!(text, "exists binary t{task}_{slot}").expect("a string takes everything");
        }
    }
    text.push_str("end");
    parse_qip(&text).expect("a well-formed program")
}

#[test]
fn tasks_are_pressed_into_too_small_a_place_however_many_plays_there_are() {
    // 40 shifts: far more plays than anybody can list. Slot 5 does not exist for late tasks.
    let mut data = windows(40, 4, 20).into_data();
    let outcome = |data: ProgramData| {
        let program = Program::new(data).expect("valid");
        expand::solve(&program, &mut Budget::unlimited())
    };
    assert!(matches!(
        outcome(data.clone()),
        Err(SolveError::Unsupported { .. })
    ));
    // One task more than both late slots have room for.
    let crowd = expand::solve(&windows(41, 4, 20), &mut Budget::unlimited());
    assert_eq!(crowd.expect("taken").status, Status::Infeasible);
    // Late windows of one slot: half of the tasks fit.
    for row in &mut data.rows {
        if row.name.as_ref().is_some_and(|name| name.ends_with('_')) {
            row.upper = Some(int(1));
        }
    }
    assert_eq!(outcome(data).expect("taken").status, Status::Infeasible);
}

/// Best play that expand shows: complete, within the rows, and worth the value.
#[test]
fn expand_shows_best_play() {
    shows_best_play(&RandomShape::binary());
}

#[test]
fn expand_shows_best_play_where_replies_are_real() {
    shows_best_play(&RandomShape::with_reals());
}

fn shows_best_play(shape: &RandomShape) {
    let mut shown = 0;
    for seed in 0..count(600) {
        let program = random_program(seed, shape);
        let Ok(outcome) = by_expand(&program, seed, &mut Budget::unlimited()) else {
            continue;
        };
        let play = &outcome.principal_variation;
        if outcome.status != Status::Optimal || play.len() < program.variables().len() {
            continue;
        }
        let value = |var: VarId| &play[var.index()].1;
        let sum = |terms: &[(VarId, Rational)]| -> Rational {
            terms.iter().map(|(var, by)| by * value(*var)).sum()
        };
        for row in program.rows().iter().chain(program.universal_rows()) {
            assert!(row.admits(&sum(&row.terms)), "seed {seed}");
        }
        let objective = program.objective().expect("optimal");
        let worth = sum(&objective.terms) + &objective.constant;
        assert_eq!(Some(worth), outcome.objective, "seed {seed}");
        assert_eq!(&play[..outcome.first_stage.len()], outcome.first_stage);
        shown += 1;
    }
    assert!(shown > 50, "only {shown} plays were shown");
}
