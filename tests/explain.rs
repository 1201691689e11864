//! Sessions about strategies: written in every shape, and explained in sentences.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

#[expect(dead_code, reason = "sessions of other tests have more needs")]
mod session;

use std::fs;

use quip::experiment::bounds::Measured;
use quip::explain::{Change, ExplainOptions, explain, first_moves};
use quip::games::or::facility::{self, Facility};
use quip::games::random::{RandomShape, random_program};
use quip::num::{Rational, int};
use quip::outcome::Score;
use quip::program::{Bounds, Id, Kind, Program, Quantifier, Row, RowId, VarId};
use quip::reference;
use quip::solver::{Solver, fixed};
use serde_json::Value;
use session::{endless_model, run};

/// Compares a whole session with its golden copy.
macro_rules! golden {
    ($name:expr, $session:expr) => {
        insta::assert_snapshot!($name, $session.transcript())
    };
}

const LOT: &str = "models/or/lot-sizing.qip";

/// What `quip solve --strategy` writes under that extension.
fn written(model: &str, extension: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(format!("plan.{extension}"));
    run(&["solve", "-q", model, "--strategy", path.to_str().unwrap()]);
    fs::read_to_string(&path).unwrap()
}

#[test]
fn a_strategy_is_written_as_its_file_is_called() {
    insta::assert_snapshot!("strategy_txt", written(LOT, "txt"));
    insta::assert_snapshot!("strategy_ite", written(LOT, "ite"));
    insta::assert_snapshot!("strategy_json", written(LOT, "json"));
    insta::assert_snapshot!("strategy_dot", written(LOT, "dot"));
    assert!(written(LOT, "svg").starts_with("<svg"));
    assert_eq!(written(LOT, "gv"), written(LOT, "dot"));
    let lost = written("models/corner/interior-worst-case.qip", "txt");
    assert!(lost.starts_with("Refutation"), "{lost}");
}

#[test]
fn a_strategy_under_another_name_is_a_usage_error() {
    for name in ["plan.png", "plan"] {
        let session = run(&["solve", "-q", LOT, "--strategy", name]);
        assert_eq!(session.code, 2);
        assert!(
            session
                .stderr
                .contains(".txt, .ite, .ghostq, .json, .dot or .svg")
        );
        assert!(!fs::exists(name).unwrap());
    }
}

#[test]
fn an_answer_is_explained_in_sentences() {
    golden!("explain", run(&["explain", LOT]));
    golden!(
        "explain_knapsack",
        run(&["explain", "models/or/knapsack.qip"])
    );
    golden!(
        "explain_first_alternatives",
        run(&["explain", "--alternatives", "2", "models/or/selection.qip"])
    );
    golden!(
        "explain_rows_only",
        run(&["explain", "models/seed/graph-reliability.qip"])
    );
}

#[test]
fn a_loss_is_explained_by_a_core() {
    for (name, model) in [
        ("explain_lost", "models/corner/interior-worst-case.qip"),
        (
            "explain_lost_game",
            "models/seed/graph-reliability-no-rule.qip",
        ),
        (
            "explain_lost_early",
            "models/seed/three-variables-first.qip",
        ),
        ("explain_empty", "models/corner/empty-domain.qip"),
        ("explain_stuck", "models/corner/opponent-stuck.qip"),
    ] {
        golden!(name, run(&["explain", model]));
    }
}

#[test]
fn an_explanation_speaks_json() {
    let session = run(&["explain", "--json", LOT]);
    let found: Value = serde_json::from_str(&session.stdout).unwrap();
    assert_eq!(found["schema"], "quip-explain/1");
    assert_eq!(found["objective"], "16");
    assert_eq!(found["best_play"]["value"], "16");
    assert_eq!(found["alternatives"][0]["change"], "open = 0");
    assert_eq!(found["alternatives"][0]["as_good"], false);
    let session = run(&["explain", "--json", "models/corner/interior-worst-case.qip"]);
    assert_eq!(session.code, 10);
    let found: Value = serde_json::from_str(&session.stdout).unwrap();
    assert_eq!(found["refutation"]["rows"], serde_json::json!(["half"]));
    let moves = serde_json::json!([["y", "1"]]);
    assert_eq!(found["refutation"]["moves"], moves);
    assert_eq!(found["refutation"]["minimal"], true);
}

#[test]
fn an_explanation_keeps_its_time() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("endless.qip");
    fs::write(&path, endless_model()).unwrap();
    let session = run(&["explain", "-t", "1", path.to_str().unwrap()]);
    assert_eq!(session.code, 21);
    assert!(
        session.stdout.contains("not found out"),
        "{}",
        session.stdout
    );
}

/// The program with some rows left out, and all universal variables but some given to the other.
fn reduced(program: &Program, rows: &[RowId], theirs: &[VarId]) -> Program {
    let mut data = program.clone().into_data();
    let mut given_away = false;
    for (place, variable) in data.variables.iter_mut().enumerate() {
        if variable.quantifier == Quantifier::Forall && !theirs.contains(&VarId::new(place)) {
            variable.quantifier = Quantifier::Exists;
            given_away = true;
        }
    }
    data.rows = rows
        .iter()
        .map(|row| program.rows()[*row].clone())
        .collect();
    if given_away && !program.class().decision_dependent {
        let rules = data.universal_rows.iter().cloned();
        data.rows.extend(rules.map(|row| Row { name: None, ..row }));
    }
    Program::new(data).unwrap()
}

#[test]
fn everything_in_a_core_is_needed_and_enough() {
    let (mut cores, mut held) = (0, 0);
    for shape in [
        RandomShape::small(),
        RandomShape::binary(),
        RandomShape::game(),
    ] {
        for seed in 0..150 {
            let program = random_program(seed, &shape);
            if reference::value(&program).unwrap() != Score::Lost
                || program.first_empty_domain().is_some()
            {
                continue;
            }
            let explanation = explain(&program, &ExplainOptions::default()).unwrap();
            let core = explanation.core.unwrap();
            assert!(core.is_minimal);
            cores += 1;
            let theirs: Vec<VarId> = core.pressure.iter().map(|it| it.variable).collect();
            let is_lost = |rows: &[RowId], theirs: &[VarId]| {
                reference::value(&reduced(&program, rows, theirs)).unwrap() == Score::Lost
            };
            assert!(is_lost(&core.rows, &theirs), "seed {seed}");
            for place in 0..core.rows.len() {
                let mut fewer = core.rows.clone();
                fewer.remove(place);
                assert!(!is_lost(&fewer, &theirs), "seed {seed}, row {place}");
            }
            for place in 0..theirs.len() {
                let mut fewer = theirs.clone();
                fewer.remove(place);
                assert!(!is_lost(&core.rows, &fewer), "seed {seed}, move {place}");
            }
            // Held to the moves that are named, the opponent still wins.
            let moves = core.pressure.iter();
            let named: Vec<_> = moves
                .filter_map(|it| Some((it.variable, it.value.clone()?)))
                .collect();
            held += named.len();
            let committed = fixed(&reduced(&program, &core.rows, &theirs), &named);
            assert_eq!(
                reference::value(&committed).unwrap(),
                Score::Lost,
                "seed {seed}"
            );
        }
    }
    assert!(cores > 60 && held > 20, "{cores} {held}");
}

#[test]
fn alternatives_are_worth_what_the_definition_says() {
    let (mut compared, mut worse) = (0, 0);
    for seed in 0..200 {
        let program = random_program(seed, &RandomShape::small());
        let explanation = explain(&program, &ExplainOptions::default()).unwrap();
        let Some(alternatives) = explanation.alternatives else {
            continue;
        };
        let best = reference::value(&program).unwrap();
        for tried in alternatives.tried {
            let mut data = program.clone().into_data();
            let bounds = &mut data.variables[tried.variable.index()].bounds;
            match tried.change {
                Change::AtMost(most) => bounds.upper = Some(most),
                Change::AtLeast(least) => bounds.lower = Some(least),
                Change::Exactly(value) => *bounds = Bounds::between(value.clone(), value),
            }
            let value = reference::value(&Program::new(data).unwrap()).unwrap();
            assert_eq!(tried.as_good, Some(value <= best), "seed {seed}");
            assert!(value >= best, "seed {seed}: an alternative is no better");
            compared += 1;
            worse += u32::from(value > best);
        }
    }
    assert!(compared > 60 && worse > 20, "{compared} {worse}");
}

/// Every choice of the whole variables of the first block.
fn choices(program: &Program) -> Vec<Vec<(VarId, Rational)>> {
    let block = program.blocks().iter().next().unwrap();
    let mut choices = vec![Vec::new()];
    let is_whole = |var: &VarId| program.variables()[*var].kind == Kind::Integer;
    for var in block.range().map(VarId::new).filter(is_whole) {
        let domain = program.variables()[var].domain();
        let (low, high) = (domain.lower.unwrap(), domain.upper.unwrap());
        let mut value = low;
        let mut longer = Vec::new();
        while value <= high {
            longer.extend(choices.iter().map(|made| {
                let mut made = made.clone();
                made.push((var, value.clone()));
                made
            }));
            value += int(1);
        }
        choices = longer;
    }
    choices
}

#[test]
fn all_first_moves_are_those_of_the_definition() {
    let (mut listed, mut several) = (0, 0);
    for seed in 0..400 {
        let program = random_program(seed, &RandomShape::small());
        let outcome = Solver::default().solve(&program).unwrap();
        let options = ExplainOptions::default();
        let found = first_moves(&program, outcome.clone(), 1000, &options);
        assert!(found.is_complete, "seed {seed}");
        let begins = program.blocks().iter().next().map(|it| it.quantifier);
        let best = reference::value(&program).unwrap();
        if begins != Some(Quantifier::Exists) || best == Score::Lost {
            assert!(
                found.moves.is_empty() || begins != Some(Quantifier::Exists),
                "seed {seed}"
            );
            continue;
        }
        let mut wanted = choices(&program);
        wanted.retain(|made| reference::value(&fixed(&program, made)).unwrap() == best);
        let mut decisions = found.moves;
        for made in decisions.iter_mut().chain(&mut wanted) {
            made.retain(|(var, _)| program.variables()[*var].kind == Kind::Integer);
            made.sort_by_key(|(var, _)| *var);
        }
        decisions.sort();
        wanted.sort();
        assert_eq!(decisions, wanted, "seed {seed}");
        listed += wanted.len();
        several += usize::from(wanted.len() > 1);
        // The first of them, where more are not wanted.
        let one = first_moves(&program, outcome, 1, &options);
        assert_eq!(one.moves.len(), 1);
        assert!(!one.is_complete || wanted.len() == 1, "seed {seed}");
    }
    assert!(listed > 150 && several > 25, "{listed} {several}");
}

#[test]
fn the_price_of_robustness_lies_on_the_right_side() {
    let mut compared = 0;
    for seed in 0..120 {
        let program = random_program(seed, &RandomShape::small());
        let explanation = explain(&program, &ExplainOptions::default()).unwrap();
        let value = reference::value(&program).unwrap();
        for entry in explanation.price.iter().flat_map(|price| &price.entries) {
            let Measured::Exact(other) = &entry.measured else {
                continue;
            };
            compared += 1;
            match entry.name.as_str() {
                "robust static plan" => assert!(*other >= value, "seed {seed}"),
                "cooperative value" => assert!(*other <= value || value == Score::Won),
                _ => assert!(
                    entry.is_scenario && *other <= value,
                    "seed {seed}: {entry:?}"
                ),
            }
        }
    }
    assert!(compared > 150, "{compared}");
}

#[test]
fn every_play_within_a_budget_has_its_price() {
    let facility = Facility {
        sites: 6,
        customers: 2,
        failures: 1,
        seed: 1,
    };
    let program = facility::generate(&facility);
    let explanation = explain(&program, &ExplainOptions::default()).unwrap();
    let price = explanation.price.unwrap();
    let scenarios = price.entries.iter().filter(|entry| entry.is_scenario);
    // No failure, or one of six: 7 of 64 plays are legal.
    assert_eq!((price.is_complete, scenarios.count()), (true, 7));
}

#[test]
fn reals_without_ends_are_explained_and_bounded() {
    let texts = [
        "subject to c1: - u >= 0
         prefix exists real x in [1, inf] forall integer u in [4, 4] forall integer v in [0, 0] end",
        "uncertainty r1: v <= 0
         prefix exists real x in [-inf, -1] forall real u in [-1, -1] forall integer v in [-1, -1] end",
    ];
    for text in texts {
        let program = quip::format::parse_qip(text).unwrap();
        let value = reference::value(&program).unwrap();
        let explanation = explain(&program, &ExplainOptions::default()).unwrap();
        assert_eq!(explanation.outcome.score(&program), Some(value.clone()));
        let options = quip::experiment::bounds::BoundsOptions::default();
        let report = quip::experiment::bounds::measure(&program, &options);
        assert_eq!(report.value(), Some(&value), "{report:?}");
    }
}
