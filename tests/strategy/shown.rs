//! What is shown of a strategy is the strategy, and no larger than its graph.

use std::collections::{BTreeMap, BTreeSet};

use quip::draw::strategy_graph;
use quip::format::parse_qip;
use quip::games::random::random_program;
use quip::num::Rational;
use quip::program::{Program, Quantifier, VarId};
use quip::strategy::Turn;
use serde_json::Value;

use super::terms::Terms;
use super::{SHAPES, enumerated, for_every_play, searched, spelled, strategy_of};

#[test]
fn terms_say_what_the_strategy_does() {
    let mut compared = 0;
    for shape in SHAPES.map(|shape| shape()) {
        for seed in 0..150 {
            let program = random_program(seed, &shape);
            for outcome in [enumerated(&program), searched(&program)] {
                let Some(strategy) = outcome.held(&program, Quantifier::Exists) else {
                    continue;
                };
                let text = strategy.to_terms(&program).expect("it is small");
                let terms = Terms::read(&text);
                for_every_play(&program, &strategy, 100, &mut |play| {
                    let name = |var: VarId| program.variables()[var].name.clone();
                    let moves = play.moves().iter().cloned();
                    let all: BTreeMap<String, Rational> =
                        moves.map(|(var, value)| (name(var), value)).collect();
                    // Terms may ask for moves that an early end did not leave room for.
                    let is_complete = play.moves().len() == program.variables().len();
                    for (var, value) in play.moves().iter().filter(|_| is_complete) {
                        if program.variables()[*var].quantifier == Quantifier::Exists {
                            let said = terms.value(&name(*var), &all);
                            assert_eq!(said.as_ref(), Some(value), "{text}\n{}", spelled(&program));
                            compared += 1;
                        }
                    }
                });
            }
        }
    }
    assert!(compared > 3_000, "{compared}");
}

#[test]
fn json_says_what_the_strategy_does() {
    for seed in 0..100 {
        let program = random_program(seed, &SHAPES[0]());
        let Some(strategy) = searched(&program).held(&program, Quantifier::Exists) else {
            continue;
        };
        let json: Value = serde_json::from_str(&strategy.to_json(&program)).expect("it is JSON");
        assert_eq!(json["model"], program.fingerprint());
        let nodes = json["nodes"].as_array().expect("a list");
        for_every_play(&program, &strategy, 50, &mut |play| {
            let mut at = &nodes[json["root"].as_u64().expect("a number") as usize];
            for (var, value) in play.moves() {
                assert_eq!(at["variable"], program.variables()[*var].name);
                let number = |it: &Value| -> Rational {
                    quip::num::parse_rational(it.as_str().expect("text")).expect("a number")
                };
                let next = match at["node"].as_str() {
                    Some("choose") => {
                        assert_eq!(number(&at["value"]), *value);
                        &at["next"]
                    }
                    _ => {
                        let branches = at["branches"].as_array().expect("a list");
                        let found = branches.iter().find(|it| {
                            number(&it["from"]) <= *value && *value <= number(&it["to"])
                        });
                        &found.expect("legal moves are answered")["next"]
                    }
                };
                at = &nodes[next.as_u64().expect("a number") as usize];
            }
            assert_eq!(at["node"] == "end", matches!(play.turn(), Turn::Over(_)));
        });
    }
}

/// `forall u_i exists x_i: x_i = u_i`, one after the other.
fn echo(rounds: usize) -> Program {
    let rows: String = (1..=rounds).map(|i| format!("x{i} = u{i}\n")).collect();
    let prefix: String = (1..=rounds)
        .map(|i| format!("forall binary u{i} exists binary x{i}\n"))
        .collect();
    parse_qip(&format!("subject to\n{rows}prefix\n{prefix}end")).expect("it is well formed")
}

#[test]
fn renderings_grow_with_the_graph_and_not_with_the_tree() {
    let sizes = [100, 200].map(|rounds| {
        let program = echo(rounds);
        let strategy = strategy_of(&program);
        let terms = strategy.to_terms(&program).expect("it is small");
        assert!(terms.contains("x7 = ite(u7, true, false)\n"), "{terms}");
        let text = strategy.to_text(&program);
        let dot = strategy.to_dot(&program);
        let svg = strategy_graph(&program, &strategy);
        let json = strategy.to_json(&program);
        [text, dot, svg, json, terms].map(|it| it.len())
    });
    for (one, double) in sizes[0].into_iter().zip(sizes[1]) {
        assert!(double < 3 * one, "{sizes:?}");
    }
}

#[test]
fn a_graph_leads_nowhere_that_it_does_not_show() {
    for seed in 0..200 {
        let program = random_program(seed, &SHAPES[2]());
        for player in [Quantifier::Exists, Quantifier::Forall] {
            let Some(strategy) = searched(&program).held(&program, player) else {
                continue;
            };
            let dot = strategy.to_dot(&program);
            let lines = || dot.lines().map(str::trim);
            let first = |line: &str| line.split(' ').next().unwrap_or_default().to_owned();
            let shown: BTreeSet<String> = lines()
                .filter(|it| it.contains("[shape="))
                .map(first)
                .collect();
            for line in lines().filter(|it| it.contains(" -> ")) {
                let words: Vec<&str> = line.split(' ').collect();
                assert!(
                    shown.contains(words[0]) && shown.contains(words[2]),
                    "{dot}"
                );
            }
            assert!(!shown.is_empty());
            // Every step of the text that is referred to is written down.
            let text = strategy.to_text(&program);
            for label in text.split("go on at ").skip(1) {
                let label = &label[..=label.find(']').expect("a label is closed")];
                assert!(text.lines().any(|line| line == label), "{label}\n{text}");
            }
        }
    }
}

#[test]
fn a_strategy_reads_as_a_decision_tree() {
    let program = parse_qip(
        "subject to
         x1 >= d1 - 1
         2 x1 <= d1 + 2
         x2 >= d2 - 2
         2 x2 <= d2 + x1 + 1
         x1 + x2 >= d2 - 1
         prefix forall integer d1 in [0, 4] forall binary idle exists integer x1 in [0, 3]
         forall integer d2 in [0, 3] exists integer x2 in [0, 4] end",
    )
    .expect("it is well formed");
    // The reference finds the same strategy, however the search changes.
    let held = enumerated(&program).held(&program, Quantifier::Exists);
    let strategy = held.expect("it is won");
    insta::assert_snapshot!("decision_tree", strategy.to_text(&program));
    let terms = strategy.to_terms(&program).expect("it is small");
    insta::assert_snapshot!("terms", terms);
    insta::assert_snapshot!("graph", strategy.to_dot(&program));
}

#[test]
fn the_geography_game_is_told_as_in_the_thesis() {
    let text = std::fs::read_to_string("models/geography/thesis-rows.qip").expect("it is there");
    let program = parse_qip(&text).expect("it is well formed");
    let terms = strategy_of(&program)
        .to_terms(&program)
        .expect("it is small");
    for line in [
        "x1_1 = true",
        "x1_2 = false",
        "x3_6 = ite(x2_4, false, true)",
        "x3_7 = ite(x2_4, true, false)",
    ] {
        assert!(terms.lines().any(|it| it == line), "{line}\n{terms}");
    }
}
