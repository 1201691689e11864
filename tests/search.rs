//! The search engine against the definition, on random programs in every configuration.
//!
//! `QUIP_RANDOM_PROGRAMS=400000 cargo test --release --test search` compares more than a million.

mod support;

use quip::budget::{Budget, Limits};
use quip::format::write_qip;
use quip::games::or::knapsack::{self, Knapsack};
use quip::games::random::{RandomShape, random_program};
use quip::num::Rational;
use quip::outcome::{Outcome, Status};
use quip::program::{Bounds, Id, Program, Quantifier, Row, VarId};
use quip::reference;
use quip::search::{self, Settings};
use support::advice::followable;
use support::configuration::configuration;

fn answer(outcome: &Outcome) -> (Status, Option<Rational>) {
    (outcome.status, outcome.objective.clone())
}

fn judge(program: &Program) -> Outcome {
    reference::solve(program, &mut Budget::unlimited()).expect("the reference takes it")
}

fn compare(seed: u64, shape: &RandomShape) -> Status {
    compare_program(seed, &random_program(seed, shape))
}

fn compare_program(seed: u64, program: &Program) -> Status {
    let settings = configuration(seed);
    let found = search::solve(program, &settings, &mut Budget::unlimited()).expect("integers");
    let context = || format!("seed {seed} with {settings:?} of\n{}", write_qip(program));
    assert_eq!(answer(&found), answer(&judge(program)), "{}", context());
    let play = found.principal_variation.len();
    let whole = matches!(found.status, Status::Optimal | Status::Feasible);
    assert!(!whole || play == program.variables().len(), "{}", context());
    let unlimited = &mut Budget::unlimited();
    let proved = search::solve_with_certificate(program, &settings, unlimited).expect("integers");
    assert_eq!(answer(&proved), answer(&found), "{}", context());
    support::certified::checked(program, &proved);
    for outcome in [&found, &proved] {
        if let Err(fault) = followable(program, outcome) {
            panic!("{fault}: {}", context());
        }
    }
    found.status
}

/// How many programs each shape gets.
fn count(usual: u64) -> u64 {
    let asked = std::env::var("QUIP_RANDOM_PROGRAMS").ok();
    asked.map_or(usual, |text| {
        text.parse().expect("QUIP_RANDOM_PROGRAMS is a number")
    })
}

fn compare_many(shape: &RandomShape, usual: u64) {
    let mut seen = std::collections::HashMap::new();
    for seed in 0..count(usual) {
        *seen.entry(compare(seed, shape)).or_insert(0) += 1;
    }
    assert!(seen.len() >= 2, "all programs ended alike: {seen:?}");
}

#[test]
fn search_agrees_with_the_definition_on_small_programs() {
    compare_many(&RandomShape::small(), 8000);
}

#[test]
fn search_agrees_with_the_definition_on_binary_programs() {
    compare_many(&RandomShape::binary(), 6000);
}

#[test]
fn search_agrees_with_the_definition_on_games() {
    compare_many(&RandomShape::game(), 6000);
}

/// A trap lies here: what a linear program takes away has consequences that concern every later move.
#[test]
fn search_agrees_with_itself_where_linear_programs_lead() {
    for seed in [0, 2, 7, 18] {
        let family = Knapsack {
            periods: 3,
            items: 5,
            seed,
        };
        let program = knapsack::generate(&family);
        let solved = |relax: bool, caution: u64| {
            let settings = Settings {
                relax,
                caution,
                ..Settings::default()
            };
            let unlimited = &mut Budget::unlimited();
            let outcome = search::solve_with_certificate(&program, &settings, unlimited);
            let outcome = outcome.expect("integers");
            support::certified::checked(&program, &outcome);
            answer(&outcome)
        };
        let plain = solved(false, 16);
        for caution in [0, 4, 16] {
            assert_eq!(solved(true, caution), plain, "seed {seed}, {caution}");
        }
    }
}

/// The program with a row that makes some of its existential binaries exclude each other.
fn with_choice(program: &Program, seed: u64) -> Program {
    let mut data = program.clone().into_data();
    let one = Rational::from_integer(1.into());
    let is_binary = |var: &VarId| {
        let variable = &program.variables()[*var];
        let bounds = Bounds::between(Rational::from_integer(0.into()), one.clone());
        variable.quantifier == Quantifier::Exists && variable.domain() == bounds
    };
    let binaries = program.variables().ids().filter(is_binary);
    let members = binaries.filter(|var| !(seed >> (var.index() % 16)).is_multiple_of(3));
    let terms = members.map(|var| (var, one.clone())).collect();
    data.rows.push(if seed.is_multiple_of(4) {
        Row::at_most(terms, one)
    } else {
        Row::equal(terms, one)
    });
    Program::new(data).expect("a row more keeps a program valid")
}

#[test]
fn search_agrees_with_the_definition_where_binaries_exclude_each_other() {
    let shape = RandomShape::binary();
    for seed in 0..count(6000) {
        compare_program(seed, &with_choice(&random_program(seed, &shape), seed));
    }
}

/// Two programs side by side: no row connects them, and their blocks take turns.
fn side_by_side(left: &Program, right: &Program) -> Program {
    let (mut data, other) = (left.clone().into_data(), right.clone().into_data());
    let own = data.variables.len();
    // Merged by turns; `places` tells where the variables of each went.
    let mut order: Vec<(usize, usize)> = (0..own).map(|place| (place, 0)).collect();
    order.extend((0..other.variables.len()).map(|place| (place, 1)));
    order.sort();
    let place = |var: VarId, side: usize| {
        let found = order.iter().position(|&it| it == (var.index(), side));
        VarId::new(found.expect("every variable has a place"))
    };
    let moved = |row: &mut Row, side: usize| {
        for (var, _) in &mut row.terms {
            *var = place(*var, side);
        }
        row.name = None;
    };
    let mut variables = Vec::new();
    for &(index, side) in &order {
        let mut variable = [&data.variables, &other.variables][side][index].clone();
        variable.name = format!("v{index}_{side}");
        variables.push(variable);
    }
    let join = |own: &mut Vec<Row>, more: Vec<Row>| {
        own.iter_mut().for_each(|row| moved(row, 0));
        let from = own.len();
        own.extend(more);
        own[from..].iter_mut().for_each(|row| moved(row, 1));
    };
    join(&mut data.rows, other.rows);
    join(&mut data.universal_rows, other.universal_rows);
    data.variables = variables;
    if let (Some(own), Some(more)) = (&mut data.objective, other.objective) {
        own.terms
            .iter_mut()
            .for_each(|(var, _)| *var = place(*var, 0));
        let terms = more
            .terms
            .into_iter()
            .map(|(var, cost)| (place(var, 1), cost));
        own.terms.extend(terms);
    } else {
        data.objective = None;
    }
    Program::new(data).expect("two programs side by side are one")
}

#[test]
fn parts_that_no_row_connects_are_solved_apart() {
    let shape = RandomShape {
        variables: 2..=3,
        ..RandomShape::small()
    };
    for seed in 0..count(3000) {
        let parts = [2 * seed, 2 * seed + 1].map(|seed| random_program(seed, &shape));
        compare_program(seed & !(1 << 10), &side_by_side(&parts[0], &parts[1]));
    }
}

/// A program beside itself, with a row that binds both copies of a variable alike.
fn beside_its_image(program: &Program, seed: u64) -> Program {
    let mut data = side_by_side(program, program).into_data();
    let pair = 2 * (seed as usize % program.variables().len());
    let one = Rational::from_integer(1.into());
    let terms = [pair, pair + 1].map(|place| (VarId::new(place), one.clone()));
    data.rows.push(Row::at_most(terms.to_vec(), one));
    Program::new(data).expect("a row more keeps a program valid")
}

#[test]
fn search_agrees_with_the_definition_where_positions_have_images() {
    let shape = RandomShape {
        variables: 2..=4,
        ..RandomShape::small()
    };
    for seed in 0..count(3000) {
        let program = beside_its_image(&random_program(seed, &shape), seed);
        compare_program(3 * seed + seed % 2, &program);
    }
}

#[test]
fn mirror_images_are_searched_once() {
    let (on, off) = nodes_with("search.symmetry", ["0", "off"], &gomoku(3, 3));
    assert!(2 * on < off, "{on} nodes with symmetries, {off} without");
}

/// Nodes that a shipped game takes with a technique on and off.
fn nodes_with_and_without(switch: &str, program: &Program) -> (u64, u64) {
    nodes_with(switch, ["on", "off"], program)
}

fn nodes_with(switch: &str, [one, other]: [&str; 2], program: &Program) -> (u64, u64) {
    let nodes = |value: &str| {
        let mut settings = Settings::default();
        settings.set("search.relax", "off").expect("a switch");
        settings.set(switch, value).expect("a switch");
        let outcome = search::solve(program, &settings, &mut Budget::unlimited());
        outcome.expect("integers").effort.nodes
    };
    (nodes(one), nodes(other))
}

fn gomoku(size: usize, row: usize) -> Program {
    let game = quip::games::gomoku::Gomoku::new(size, row).expect("a board");
    let game = game.guarded_by(quip::games::gomoku::Guard::Index);
    game.program().expect("a program")
}

#[test]
fn costs_that_exclude_each_other_bound_a_game() {
    let (on, off) = nodes_with_and_without("search.choices", &gomoku(3, 2));
    assert!(4 * on < 3 * off, "{on} nodes with choices, {off} without");
}

#[test]
fn what_refuted_before_is_tried_first() {
    let text = std::fs::read("models/or/knapsack.qip").expect("a shipped model");
    let program = quip::format::read_bytes("knapsack.qip", &text).expect("it reads");
    let (on, off) = nodes_with_and_without("search.history", &program.program);
    assert!(4 * on < 3 * off, "{on} nodes with a history, {off} without");
}

#[test]
fn a_reply_that_answers_other_values_is_copied() {
    let program = quip::format::parse_qip(
        "minimize z
         subject to
           up: z >= u
           down: z >= 20 - u
         prefix
           forall integer u in [0, 20]
           exists integer z in [0, 30]
         end",
    );
    let program = program.expect("the test's model is well formed");
    let (on, off) = nodes_with_and_without("search.copies", &program);
    assert!(2 * on < off, "{on} nodes with copies, {off} without");
}

#[test]
fn a_play_that_is_cut_short_leaves_the_first_stage_whole() {
    let text = std::fs::read("models/or/knapsack.qip").expect("a shipped model");
    let reading = quip::format::read_bytes("knapsack.qip", &text).expect("it reads");
    let program = reading.program;
    let within = |nodes: u64| {
        let limits = Limits {
            nodes: Some(nodes),
            ..Limits::default()
        };
        let mut budget = Budget::new(limits, std::sync::Arc::default(), None);
        search::solve(&program, &Settings::default(), &mut budget).expect("integers")
    };
    let first = program.blocks().iter().next().expect("a first block");
    let whole = within(u64::MAX);
    let mut cut_inside = 0;
    for nodes in 1..whole.effort.nodes {
        let short = within(nodes);
        if short.status == Status::Optimal {
            assert_eq!(short.objective, whole.objective);
            assert_eq!(short.first_stage.len(), first.len(), "within {nodes} nodes");
            cut_inside += u32::from(short.principal_variation.len() < first.len());
        }
    }
    assert!(
        cut_inside > 0,
        "no play was cut short inside the first stage"
    );
}

#[test]
fn a_search_that_is_stopped_has_raised_its_bound() {
    let program = gomoku(3, 3);
    let bound = |rise: bool| {
        let settings = Settings {
            relax: false,
            rise,
            ..Settings::default()
        };
        let limits = Limits {
            nodes: Some(9_000),
            ..Limits::default()
        };
        let mut budget = Budget::new(limits, std::sync::Arc::default(), None);
        let outcome = search::solve(&program, &settings, &mut budget).expect("integers");
        assert_eq!(outcome.status, Status::Interrupted);
        outcome.bound.expect("an objective has a bound")
    };
    let (risen, plain) = (bound(true), bound(false));
    assert!(risen > plain, "{risen} from below, {plain} at once");
}

#[test]
fn parts_add_their_trees_instead_of_multiplying_them() {
    let game = gomoku(2, 2);
    let twice = side_by_side(&game, &game);
    let (on, off) = nodes_with_and_without("search.components", &twice);
    assert!(2 * on < off, "{on} nodes apart, {off} at once");
}

fn solved(text: &str) -> Outcome {
    let program = quip::format::parse_qip(text).expect("the test's model is well formed");
    let unlimited = &mut Budget::unlimited();
    let outcome = search::solve_with_certificate(&program, &Settings::default(), unlimited);
    let outcome = outcome.expect("integers");
    support::certified::checked(&program, &outcome);
    outcome
}

#[test]
fn a_domain_of_a_billion_values_is_not_enumerated() {
    let outcome = solved(
        "minimize 3 x + 2 z
         subject to
           x + z >= y
           2 x + 7 z >= 5 y
         prefix
           exists integer x in [0, 1000000000]
           forall integer y in [0, 1000000000]
           exists integer z in [0, 1000000000]
         end",
    );
    assert_eq!(outcome.objective.unwrap().to_string(), "2000000000");
    assert!(
        outcome.effort.nodes < 10_000,
        "{} nodes",
        outcome.effort.nodes
    );
}

#[test]
fn a_prefix_of_a_hundred_thousand_variables_overflows_nothing() {
    use std::fmt::Write;
    let count = 100_000;
    let mut text = String::from("minimize x0\nsubject to\n");
    for place in (0..count - 2).step_by(2) {
        writeln!(text, " x{place} + x{} - x{} <= 1", place + 1, place + 2).unwrap();
    }
    text.push_str("prefix\n");
    for place in 0..count {
        let player = if place % 2 == 0 { "exists" } else { "forall" };
        writeln!(text, " {player} binary x{place}").unwrap();
    }
    text.push_str("end\n");
    let outcome = solved(&text);
    assert_eq!(outcome.objective.unwrap().to_string(), "0");
    assert_eq!(outcome.principal_variation.len(), count);
}

#[test]
fn a_limit_leaves_honest_bounds() {
    use quip::budget::Limits;
    let shape = RandomShape::game();
    let mut proved = 0;
    for seed in 0..400 {
        let program = random_program(seed, &shape);
        let limits = Limits {
            nodes: Some(1 + seed % 40),
            ..Limits::default()
        };
        let mut budget = Budget::new(limits, std::sync::Arc::default(), None);
        let settings = configuration(seed);
        let found = search::solve_with_certificate(&program, &settings, &mut budget);
        let found = found.expect("integers");
        proved += u64::from(support::certified::checked_unless_stopped(&program, &found));
        let value = judge(&program).objective;
        let worse = |left: &Rational, right: &Rational| match program
            .objective()
            .map(|objective| objective.sense)
        {
            Some(quip::program::Sense::Maximize) => left <= right,
            _ => left >= right,
        };
        if let (Some(claimed), Some(value)) = (&found.objective, &value) {
            assert!(
                worse(claimed, value),
                "seed {seed}: {claimed} is better than {value}"
            );
        }
        if let (Some(bound), Some(value)) = (&found.bound, &value) {
            assert!(
                worse(value, bound),
                "seed {seed}: bound {bound} cuts {value} off"
            );
        }
    }
    assert!(proved > 200, "few were proved: {proved}");
}

#[test]
fn what_lies_beyond_beta_is_not_remembered() {
    // With u1 = 1 the last existential variable is taken away by its cost in one window and needed
    // in another; a table that believed the first would lose the play of value -1.
    let outcome = solved(
        "maximize -2 u1 + x2 + 3 x3 - 2 x4 - 2 u5 - x9
         subject to
           c1: 3 u1 + 3 x3 - 3 x4 + 3 u5 >= -3/2
           c2: -8 <= 3 x2 - 3 u5 + 2 u7 - 3 u10 <= 12
           c5: x2 + x4 >= 1
           c6: 1 <= - 2 u6 + 3 x8 <= 11/2
           c7: 3 x9 - 3 u10 >= -3/2
         uncertainty
           r1: x3 - 3 x4 + 2 u10 <= 3
         prefix
           forall binary u1  exists binary x2 x3 x4  forall binary u5 u6 u7
           exists binary x8 x9  forall binary u10
         end",
    );
    let play: Vec<String> = outcome
        .principal_variation
        .iter()
        .map(|(_, value)| value.to_string())
        .collect();
    assert_eq!(outcome.objective.unwrap().to_string(), "-1");
    assert_eq!(play[3], "0", "x4 = 1 costs two: {play:?}");
}

/// The folder of public models, beside the project or where `QUIP_SHARED` says.
fn public_models(family: &str) -> Option<Vec<std::path::PathBuf>> {
    let beside = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared");
    let shared = std::env::var_os("QUIP_SHARED").map_or(beside, Into::into);
    let entries = std::fs::read_dir(shared.join("instances").join(family)).ok()?;
    let mut paths: Vec<_> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .collect();
    paths.sort();
    Some(paths)
}

#[test]
fn public_lot_sizing_models_have_one_value_in_every_configuration() {
    let Some(paths) = public_models("lotsizing") else {
        eprintln!("skipped: the public models are not here");
        return;
    };
    let usual = Settings::default();
    let others = [
        Settings {
            propagate: false,
            ..usual.clone()
        },
        Settings {
            relax: false,
            ..usual.clone()
        },
    ];
    for path in paths {
        let program = quip::format::read_path(&path)
            .expect("public models read")
            .program;
        let value = |settings: &Settings| {
            let mut budget = Budget::unlimited();
            let outcome = search::solve_with_certificate(&program, settings, &mut budget);
            let outcome = outcome.expect("integers");
            support::certified::checked(&program, &outcome);
            answer(&outcome)
        };
        let first = value(&usual);
        for settings in &others {
            assert_eq!(
                value(settings),
                first,
                "{} with {settings:?}",
                path.display()
            );
        }
    }
}
