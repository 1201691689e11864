//! Capacity expansion against line failures: build lines, then some fail, then flow.
//!
//! **Model.** Nodes with supply and demand lie on a ring of lines; chords may be added to it. First we
//! build chords and strengthen lines of the ring, each at its own cost. Then the opponent takes at most
//! `failures` lines (a universal row). Then power flows over the lines that are left, in real
//! quantities of either direction and within the capacities, and a demand that is not met is dear.
//! We minimise the worst total cost.
//!
//! Every third node can supply up to 40, the others ask for 5 … 15 each. A line of the ring has a
//! capacity of 10 … 20, half as much again when it is strengthened at a cost of 20 … 40, a chord
//! one of 10 … 20 at a cost of 30 … 60. A unit of demand that is not met costs 20, one that flows
//! over a line nothing, one that is supplied 1 … 4.

use rand::Rng;

use super::{built, dice};
use crate::model::{Expr, Model, row};
use crate::program::Program;

/// What to generate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expansion {
    /// Nodes; at least three.
    pub nodes: usize,
    /// Chords that may be built.
    pub chords: usize,
    /// How many lines may fail.
    pub failures: i64,
    /// The dice.
    pub seed: u64,
}

/// What a unit of demand costs that is not met.
const UNMET: i64 = 20;

/// A line between two nodes: what it carries unbuilt and built, and what building costs.
struct Line {
    ends: (usize, usize),
    before: i64,
    more: i64,
    cost: i64,
}

/// The program.
///
/// ```
/// use quip::games::or::expansion::{Expansion, generate};
/// let program = generate(&Expansion { nodes: 6, chords: 2, failures: 1, seed: 1 });
/// assert_eq!(program.variables().len(), 3 * (6 + 2) + 6 + 6);
/// ```
pub fn generate(family: &Expansion) -> Program {
    let mut dice = dice(family.seed);
    let nodes = family.nodes.max(3);
    let ring = (0..nodes).map(|node| (node, (node + 1) % nodes));
    let mut lines: Vec<Line> = Vec::with_capacity(nodes + family.chords);
    for ends in ring {
        let before = dice.random_range(5..=10i64) * 2;
        let cost = dice.random_range(20..=40);
        let more = before / 2;
        lines.push(Line {
            ends,
            before,
            more,
            cost,
        });
    }
    for _ in 0..family.chords {
        let from = dice.random_range(0..nodes);
        let to = (from + dice.random_range(1..nodes)) % nodes;
        let more = dice.random_range(10..=20i64);
        let cost = dice.random_range(30..=60);
        lines.push(Line {
            ends: (from, to),
            before: 0,
            more,
            cost,
        });
    }
    let mut model = Model::new();
    let build = model.decide().binaries("build", 0..lines.len());
    let fails = model.reveal().binaries("fails", 0..lines.len());
    let mut ours = model.decide();
    let flow = ours.reals_by("flow", 0..lines.len(), |&line| {
        let most = lines[line].before + lines[line].more;
        -most..=most
    });
    let supplies = |node: usize| node.is_multiple_of(3);
    let supply = ours.reals_by("supply", 0..nodes, |&node| {
        0..=if supplies(node) { 40 } else { 0 }
    });
    let unmet = ours.reals("unmet", 0..nodes, 0..=15);
    model.uncertainty(row!("failures": fails.sum() <= family.failures));
    let mut arrives: Vec<Expr> = vec![Expr::new(); nodes];
    for (number, line) in lines.iter().enumerate() {
        let (from, to) = line.ends;
        arrives[from] -= flow[number];
        arrives[to] += flow[number];
        let built = line.before + line.more * build[number];
        let most = line.before + line.more;
        let left = most - most * fails[number];
        model.subject_to(row!(flow[number] <= built.clone()));
        model.subject_to(row!(flow[number] + built >= 0));
        model.subject_to(row!(flow[number] <= left.clone()));
        model.subject_to(row!(flow[number] + left >= 0));
    }
    let mut price: Vec<i64> = Vec::with_capacity(nodes);
    for (node, arrives) in arrives.into_iter().enumerate() {
        let asked = dice.random_range(5..=15i64) * i64::from(!supplies(node));
        model.subject_to(row!(arrives + supply[node] + unmet[node] >= asked));
        price.push(dice.random_range(1..=4));
    }
    let cost = build.weighted(|&line| lines[line].cost)
        + supply.weighted(|&node| price[node])
        + unmet.weighted(|_| UNMET);
    model.minimize_as("cost", cost);
    built(&model)
}
