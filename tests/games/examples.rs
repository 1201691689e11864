//! Examples that a modeller can copy say the same as the generators, and the page of graph files what their readers do.

use quip::games::GameError;
use quip::games::dgr::{self, Graph, Rule};
use quip::games::geography;
use quip::games::gomoku::{Gomoku, Guard};

use crate::solve::{chosen, fixed, solved};

#[path = "../../examples/gomoku.rs"]
mod gomoku;
#[path = "../../examples/graph_reliability.rs"]
mod graph_reliability;

#[test]
fn the_example_of_failing_graphs_is_the_generators_program() {
    for budget in 0..=3 {
        let rule = Rule {
            most: budget as usize,
            edges: vec![3, 4],
        };
        let graph = Graph::figure_3().with_rules(vec![rule]);
        let generated = dgr::program(&graph, dgr::Guard::Rows).unwrap();
        let written = graph_reliability::program(budget).unwrap();
        assert_eq!(
            solved(&written).status,
            solved(&generated).status,
            "budget {budget}"
        );
        for first in ["x[e1]", "x[e2]"] {
            let both = [&written, &generated].map(|it| solved(&fixed(it, &[(first, 1)])).status);
            assert_eq!(both[0], both[1], "budget {budget}, {first}");
        }
    }
    let written = graph_reliability::program(1).unwrap();
    assert_eq!(chosen(&written, &solved(&written)), ["x[e1]"]);
}

#[test]
fn the_example_of_gomoku_has_the_generators_values() {
    for (n, k, last) in [
        (1, 1, 1),
        (2, 1, 4),
        (2, 2, 2),
        (2, 2, 3),
        (2, 2, 4),
        (3, 2, 3),
    ] {
        let game = Gomoku::new(n, k).unwrap().until(last).unwrap();
        let generated = game.guarded_by(Guard::Rows).program().unwrap();
        let written = gomoku::program(n, k, last).unwrap();
        assert_eq!(
            solved(&written).objective,
            solved(&generated).objective,
            "{k} in a row on {n} × {n} within {last}"
        );
    }
}

const PAGE: &str = include_str!("../../docs/format-graphs.md");

#[test]
fn every_graph_of_the_page_means_what_the_page_says() {
    let mut seen = 0;
    for part in PAGE.split("```").skip(1).step_by(2) {
        let (info, text) = part.split_once('\n').unwrap();
        let (kind, error) = match info.split_once(",error=") {
            Some((kind, error)) => (kind, Some(error)),
            None => (info, None),
        };
        let read: Result<(), GameError> = match kind {
            "dgr" => Graph::parse(text).map(|it| {
                assert_eq!(it.failures(), Graph::figure_3().failures());
                assert_eq!(it.budgets(), Graph::figure_3().budgets());
            }),
            "geography" => geography::Graph::parse(text).map(|it| {
                if it.name(0) == "Nice" {
                    assert!(it.leads(0, 1) && it.name(5) == "Genoa");
                    return;
                }
                let thesis = geography::Graph::thesis();
                assert_eq!((it.nodes(), it.rounds()), (thesis.nodes(), thesis.rounds()));
                for node in 0..it.nodes() {
                    assert_eq!(it.neighbours(node), thesis.neighbours(node));
                }
            }),
            _ => continue,
        };
        seen += 1;
        assert_eq!(
            read.err().map(|it| it.to_string()).as_deref(),
            error,
            "{text}"
        );
    }
    assert_eq!(seen, 8);
}
