//! Worst-case dynamic graph reliability, Figure 3 of *Modelling games with the help of quantified integer linear
//! programs*, written with the builder: a quantifier string, and the three families of rows as blocks.
//!
//! `cargo run --release --example graph_reliability` says whether the traveller arrives, and where it begins.

#![allow(clippy::print_stdout, reason = "an example says what came out")]

use std::collections::HashMap;
use std::error::Error;

use quip::model::*;
use quip::program::Program;
use quip::solver::Solver;

/// Edges by name, tail and head.
const EDGES: [(&str, &str, &str); 5] = [
    ("e1", "v1", "v2"),
    ("e2", "v1", "v3"),
    ("e3", "v2", "v3"),
    ("e4", "v2", "t"),
    ("e5", "v3", "t"),
];

/// f(v, e) = 1: on arrival at the node the edge may be erased.
const FAILURES: [(&str, &str); 4] = [("v2", "e4"), ("v2", "e5"), ("v3", "e4"), ("v3", "e5")];

/// The traveller goes from `v1` to `t`; the opponent erases at most `budget` edges.
pub fn program(budget: i64) -> Result<Program, Box<dyn Error>> {
    // On the way through the graph: what fails at a node, then which edge leaves it.
    let mut model = Model::with_prefix("∃ go_v1  ∀ fail_v2 ∃ go_v2  ∀ fail_v3 ∃ go_v3")?;
    let mut x = HashMap::new();
    for (edge, tail, _) in EDGES {
        let var = model
            .block(&format!("go_{tail}"))
            .binary(format!("x[{edge}]"));
        x.insert(edge, var);
    }
    let mut y = HashMap::new();
    for (node, edge) in FAILURES {
        let mut block = model.block(&format!("fail_{node}"));
        y.insert((node, edge), block.binary(format!("y[{node},{edge}]")));
    }
    let through = |wanted: &dyn Fn(&str, &str) -> bool| {
        let edges = EDGES.iter().filter(|(_, tail, head)| wanted(tail, head));
        sum(edges.map(|(edge, ..)| x[edge]))
    };

    // 1. One unit flows from the source to the target.
    for (node, supply) in [("v1", 1), ("v2", 0), ("v3", 0), ("t", -1)] {
        let (out, into) = (
            through(&|tail, _| tail == node),
            through(&|_, head| head == node),
        );
        model.rows("flow").add((out - into).equals(supply));
    }

    // 2. An edge that failed at a node where the traveller has been is not taken.
    for (node, edge) in FAILURES {
        let arrived = through(&|_, head| head == node);
        let (takes, fails) = (x[edge], y[&(node, edge)]);
        model
            .rows("fail")
            .add(row!(takes <= (1 - fails) + (1 - arrived)));
    }

    // 3. The rule of the opponent belongs to the opponent's system.
    let erasures = sum(FAILURES.iter().map(|pair| y[pair]));
    model.uncertainty_rows("rule").add(erasures.leq(budget));
    Ok(model.build()?)
}

#[allow(dead_code, reason = "a test takes only the program")]
fn main() -> Result<(), Box<dyn Error>> {
    for budget in 0..=2 {
        let program = program(budget)?;
        let outcome = Solver::default().solve(&program)?;
        let first = outcome.first_stage.iter().map(|(var, value)| {
            let name = &program.variables()[*var].name;
            format!("{name} = {value}")
        });
        let first: Vec<String> = first.collect();
        println!("budget {budget}: {} {}", outcome.status, first.join(", "));
    }
    Ok(())
}
