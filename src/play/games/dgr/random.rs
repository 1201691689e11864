//! Random graphs that fail: the same seed and shape give the same graph on every machine.

use rand::Rng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

use super::graph::{Edge, Graph, Rule, topological};

/// What random graphs look like.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DagShape {
    /// How many nodes, source and target among them; at least two.
    pub nodes: usize,
    /// How many edges, as far as there are pairs of nodes for them.
    pub edges: usize,
    /// How many pairs of `f`.
    pub failures: usize,
    /// How many pairs with `g = 0`.
    pub never: usize,
    /// The budget over all edges, if any.
    pub budget: Option<usize>,
}

/// A random graph: edges lead from lower to higher nodes, the first is the source, the last the
/// target.
///
/// ```
/// use quip::games::dgr::{DagShape, random_dag};
/// let shape = DagShape { nodes: 6, edges: 10, failures: 8, never: 2, budget: Some(2) };
/// assert_eq!(random_dag(&shape, 1), random_dag(&shape, 1));
/// assert_eq!(random_dag(&shape, 1).edges().len(), 10);
/// ```
pub fn random_dag(shape: &DagShape, seed: u64) -> Graph {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let count = shape.nodes.max(2);
    let mut pairs: Vec<(usize, usize)> = (0..count)
        .flat_map(|tail| (tail + 1..count).map(move |head| (tail, head)))
        .collect();
    pairs.shuffle(&mut random);
    pairs.truncate(shape.edges);
    pairs.sort_unstable();
    let edge = |(place, &(tail, head)): (usize, &(usize, usize))| Edge {
        name: format!("e{}", place + 1),
        tail,
        head,
    };
    let edges: Vec<Edge> = pairs.iter().enumerate().map(edge).collect();
    let order = topological(count, &edges).expect("invariant: edges lead upward");
    let everything = Rule {
        most: shape.budget.unwrap_or_default(),
        edges: (0..edges.len()).collect(),
    };
    Graph {
        nodes: (1..=count).map(|number| format!("v{number}")).collect(),
        failures: failures(shape, &edges, count, &mut random),
        never: never(shape, edges.len(), &mut random),
        budgets: shape.budget.map(|_| everything).into_iter().collect(),
        source: 0,
        target: count - 1,
        order,
        edges,
    }
}

/// Failures prefer edges that still lie ahead, where they can hurt.
fn failures(
    shape: &DagShape,
    edges: &[Edge],
    nodes: usize,
    random: &mut ChaCha8Rng,
) -> Vec<(usize, usize)> {
    let mut pairs: Vec<(usize, usize)> = (0..nodes)
        .flat_map(|node| (0..edges.len()).map(move |edge| (node, edge)))
        .filter(|&(node, edge)| edges[edge].tail >= node || edge % 7 == 0)
        .collect();
    pairs.shuffle(random);
    pairs.truncate(shape.failures);
    pairs.sort_unstable();
    pairs
}

fn never(shape: &DagShape, edges: usize, random: &mut ChaCha8Rng) -> Vec<(usize, usize)> {
    if edges < 2 {
        return Vec::new();
    }
    let mut pairs = Vec::new();
    for _ in 0..shape.never {
        let first = random.random_range(0..edges);
        let second = random.random_range(0..edges - 1);
        let second = second + usize::from(second >= first);
        pairs.push((first.min(second), first.max(second)));
    }
    pairs.sort_unstable();
    pairs.dedup();
    pairs
}
