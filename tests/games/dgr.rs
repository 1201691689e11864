//! Travelling through a graph that fails on the way.

use quip::games::dgr::{DagShape, Graph, Guard, Rule, program, random_dag, referee};
use quip::outcome::Status;
use quip::program::Program;

use crate::perft;
use crate::solve::{chosen, fixed, solved, wins};

const GUARDS: [Guard; 2] = [Guard::Rows, Guard::Indicator];

#[test]
fn in_figure_3_the_only_winning_first_step_is_e1() {
    let graph = Graph::figure_3();
    for guard in GUARDS {
        let program = program(&graph, guard).unwrap();
        let outcome = solved(&program);
        assert_eq!(outcome.status, Status::Feasible, "{guard:?}");
        assert_eq!(chosen(&program, &outcome), ["x[e1]"], "{guard:?}");
    }
    assert!(referee::first_step_wins(&graph, 0));
    assert!(!referee::first_step_wins(&graph, 1));
}

#[test]
fn in_figure_3_the_replies_are_those_of_the_paper() {
    let graph = Graph::figure_3();
    let v2 = 2;
    assert_eq!(graph.nodes()[v2], "v2");
    // Edges by place: e3 is 2, e4 is 3, e5 is 4.
    assert_eq!(referee::good_steps(&graph, v2, &[3]), [2], "e4 failed");
    assert_eq!(referee::good_steps(&graph, v2, &[4]), [3], "e5 failed");
    assert_eq!(referee::good_steps(&graph, v2, &[]), [3], "nothing failed");
}

#[test]
fn the_program_of_figure_3_replies_as_the_paper_does() {
    let game = program(&Graph::figure_3(), Guard::Rows).unwrap();
    let replies = |fails: [i64; 2]| {
        let [e4, e5] = fails;
        let game = fixed(&game, &[("y[v2,e4]", e4), ("y[v2,e5]", e5)]);
        let outcome = solved(&game);
        let mut chosen = chosen(&game, &outcome);
        chosen.retain(|name| name.starts_with('x'));
        chosen
    };
    assert_eq!(replies([1, 0]), ["x[e1]", "x[e3]"]);
    assert_eq!(replies([0, 1]), ["x[e1]", "x[e4]"]);
    assert_eq!(replies([0, 0]), ["x[e1]", "x[e4]"]);
}

#[test]
fn without_rules_or_with_a_budget_of_two_the_traveller_of_figure_3_loses() {
    let free = Graph::figure_3().with_rules(Vec::new());
    let two = Rule {
        most: 2,
        edges: vec![3, 4],
    };
    let generous = Graph::figure_3().with_rules(vec![two]);
    for graph in [free, generous] {
        assert!(!referee::traveller_wins(&graph));
        for guard in GUARDS {
            assert!(!wins(&program(&graph, guard).unwrap()), "{guard:?}");
        }
    }
}

#[test]
fn a_pair_that_never_fails_together_is_the_rule_of_figure_3() {
    let text = Graph::figure_3().to_text().replace("budget 1", "never");
    let graph = Graph::parse(&text).unwrap();
    for guard in GUARDS {
        assert!(wins(&program(&graph, guard).unwrap()), "{guard:?}");
    }
}

#[test]
fn random_graphs_have_the_value_of_the_direct_game() {
    let mut won = 0;
    for seed in 0..60 {
        let shape = DagShape {
            nodes: 4 + seed as usize % 3,
            edges: 6 + seed as usize % 5,
            failures: 3 + seed as usize % 6,
            never: seed as usize % 4,
            budget: [None, Some(1), Some(2)][seed as usize % 3],
        };
        let graph = random_dag(&shape, seed);
        let wanted = referee::traveller_wins(&graph);
        won += usize::from(wanted);
        for guard in GUARDS {
            let program = program(&graph, guard).unwrap();
            assert_eq!(wins(&program), wanted, "seed {seed}, {guard:?}");
        }
        let single = graph.entered_by_one_edge();
        assert_eq!(referee::traveller_wins(&single), wanted, "seed {seed}");
        let single = program(&single, Guard::Rows).unwrap();
        assert_eq!(wins(&single), wanted, "seed {seed}, entered by one edge");
    }
    assert!((10..50).contains(&won), "{won} of 60 are won");
}

/// Every way from the source to the target, as edges.
fn ways(graph: &Graph, node: usize, way: &mut Vec<usize>, found: &mut Vec<Vec<usize>>) {
    if node == graph.ends().1 {
        found.push(way.clone());
        return;
    }
    for (place, edge) in graph.edges().iter().enumerate() {
        if edge.tail == node {
            way.push(place);
            ways(graph, edge.head, way, found);
            way.pop();
        }
    }
}

/// The plays of the program along one way: what may be erased on the way so that it stays open.
fn plays_along(graph: &Graph, game: &Program, way: &[usize]) -> u64 {
    let edges = graph.edges();
    let visited: Vec<&str> = way
        .iter()
        .map(|&edge| graph.nodes()[edges[edge].tail].as_str())
        .collect();
    let is_erasure = |name: &str| {
        let node = name
            .strip_prefix("y[")
            .and_then(|rest| rest.split(',').next());
        node.is_some_and(|node| visited.contains(&node))
    };
    let mut moves = Vec::new();
    for variable in game.variables() {
        let taken = way
            .iter()
            .any(|&edge| variable.name == format!("x[{}]", edges[edge].name));
        if !is_erasure(&variable.name) {
            moves.push((variable.name.as_str(), i64::from(taken)));
        }
    }
    perft::plays(&fixed(game, &moves), is_erasure)
}

#[test]
fn the_program_has_as_many_plays_as_the_game() {
    let mut compared = 0;
    for seed in 0..40 {
        let shape = DagShape {
            nodes: 4 + seed as usize % 3,
            edges: 6 + seed as usize % 4,
            failures: 4,
            never: seed as usize % 3,
            budget: [None, Some(1), Some(2)][seed as usize % 3],
        };
        let graph = random_dag(&shape, seed);
        let mut failing: Vec<usize> = graph.failures().iter().map(|(_, edge)| *edge).collect();
        failing.sort_unstable();
        failing.dedup();
        // A program also counts an edge that is erased twice.
        if failing.len() < graph.failures().len() {
            continue;
        }
        let game = program(&graph, Guard::Rows).unwrap();
        let mut found = Vec::new();
        ways(&graph, graph.ends().0, &mut Vec::new(), &mut found);
        let plays = found.iter().map(|way| plays_along(&graph, &game, way));
        assert_eq!(plays.sum::<u64>(), referee::plays(&graph), "seed {seed}");
        compared += 1;
    }
    assert!(compared > 5, "{compared} graphs");
}

#[test]
fn graphs_with_thirty_edges_have_the_value_of_the_direct_game() {
    for seed in 0..6 {
        let shape = DagShape {
            nodes: 10,
            edges: 30,
            failures: 20,
            never: 2,
            budget: None,
        };
        let graph = random_dag(&shape, seed);
        let wanted = referee::traveller_wins(&graph);
        for guard in GUARDS {
            assert_eq!(
                wins(&program(&graph, guard).unwrap()),
                wanted,
                "{seed} {guard:?}"
            );
        }
    }
}

#[test]
fn graphs_are_read_as_they_are_written() {
    let shape = DagShape {
        nodes: 6,
        edges: 10,
        failures: 7,
        never: 3,
        budget: Some(2),
    };
    for seed in 0..20 {
        let graph = random_dag(&shape, seed);
        let read = Graph::parse(&graph.to_text()).unwrap();
        assert_eq!(read.to_text(), graph.to_text());
    }
}

#[test]
fn every_fault_of_a_graph_file_has_its_place() {
    let faults = [
        ("", "line 1, column 1: no `source` is given"),
        ("source s", "line 1, column 1: no `target` is given"),
        ("source s\nsource t", "line 2, column 1: a second `source`"),
        ("source", "line 1, column 8: a node is missing"),
        ("edge e a", "line 1, column 10: a head is missing"),
        (
            "edge e a a",
            "line 1, column 10: an edge needs two different ends",
        ),
        (
            "edge e a b\nedge e b c",
            "line 2, column 6: two edges are called `e`",
        ),
        (
            "edge e a b c",
            "line 1, column 12: `c` is one word too many",
        ),
        (
            "edge e,f a b",
            "line 1, column 6: `e,f` is no name: letters, digits and _ ' . make one",
        ),
        (
            "vertex a",
            "line 1, column 1: `vertex` is none of source, target, edge, fail, never, budget",
        ),
        (
            "edge e a b\nfail a f",
            "line 2, column 8: there is no edge `f`",
        ),
        (
            "edge e a b\nnever e e",
            "line 2, column 9: a pair needs two different edges",
        ),
        (
            "edge e a b\nbudget x e",
            "line 2, column 8: `x` is not a number of erasures",
        ),
        (
            "edge e a b\nbudget 1",
            "line 2, column 10: an edge is missing",
        ),
        (
            "edge e a b\nbudget 1 e e",
            "line 2, column 12: `e` is counted already",
        ),
        (
            "source a\ntarget b\nedge e a b\nedge f b a",
            "line 4, column 1: the edges close a cycle",
        ),
    ];
    for (text, message) in faults {
        assert_eq!(
            Graph::parse(text).unwrap_err().to_string(),
            message,
            "{text:?}"
        );
    }
}
