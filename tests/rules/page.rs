//! The grammar page says what the reader does.

use quip::budget::Budget;
use quip::format::Code;
use quip::rules::{Conduct, Reading, StateGraph, Strategy, Theory, TheoryError, respond};

use crate::support::player;

const PAGE: &str = include_str!("../../docs/format-rules.md");

/// Every example: what stands behind the fence, and the text.
fn examples() -> Vec<(&'static str, String)> {
    let mut examples: Vec<(&str, String)> = Vec::new();
    let mut inside = false;
    for line in PAGE.lines() {
        match (line.strip_prefix("```"), inside) {
            (Some(info), false) => {
                examples.push((info, String::new()));
                inside = true;
            }
            (Some(_), true) => inside = false,
            (None, true) => {
                let text = &mut examples.last_mut().unwrap().1;
                text.push_str(line);
                text.push('\n');
            }
            (None, false) => {}
        }
    }
    examples.retain(|(info, _)| info.starts_with("rules"));
    examples
}

#[test]
fn every_example_means_what_the_page_says() {
    let examples = examples();
    assert!(examples.len() >= 5);
    for (info, text) in examples {
        let read = Theory::read(&[("example.rules", &text)], &[]);
        match (read, info.strip_prefix("rules,error=")) {
            (Ok(theory), None) => {
                StateGraph::explore(theory.game().unwrap(), &mut Budget::unlimited()).unwrap();
            }
            (Err(TheoryError::Text(faults)), Some(code)) => {
                assert_eq!(faults.errors()[0].code.as_str(), code, "{faults}");
            }
            (read, _) => panic!("{info}: {:?}\n{text}", read.map(|_| ())),
        }
    }
}

/// In the heap game of the page leaving multiples of three wins, but not from a multiple of three.
#[test]
fn the_heap_game_of_the_page_is_won_by_threes() {
    let (_, text) = &examples()[0];
    for heap in 1..=7 {
        let theory = Theory::read(&[("nim.rules", text)], &[("n", heap)]).unwrap();
        let graph = StateGraph::explore(theory.game().unwrap(), &mut Budget::unlimited()).unwrap();
        let goal = theory.formula("wins(1)").unwrap();
        let response = respond(&graph, &Conduct::free(&graph), player(1), &goal).unwrap();
        assert_eq!(response.wins(&graph), heap % 3 != 0, "n = {heap}");
    }
}

#[test]
fn the_switches_of_the_page_are_pressed_from_the_left() {
    let (_, text) = &examples()[1];
    let theory = Theory::read(&[("switches.rules", text)], &[]).unwrap();
    let graph = StateGraph::explore(theory.game().unwrap(), &mut Budget::unlimited()).unwrap();
    for rule in ["leftmost", "finish"] {
        let rule = theory.rule(rule, player(1)).unwrap();
        let budget = &mut Budget::unlimited();
        let strategy = Strategy::of(&graph, &rule, player(1), Reading::default(), budget).unwrap();
        assert!(strategy.is_functional(&graph));
    }
}

#[test]
fn every_code_of_rule_files_is_explained_once() {
    for code in Code::ALL
        .iter()
        .filter(|code| code.as_str().starts_with("E7"))
    {
        let cell = format!("| {code} |");
        assert_eq!(PAGE.matches(&cell).count(), 1, "{code}");
    }
}
