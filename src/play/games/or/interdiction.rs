//! The critical node problem in three moves: vaccinate, attack, protect.
//!
//! **Model.** A graph of `nodes` nodes. First we vaccinate at most `vaccinated` nodes; then the
//! opponent infects at most `attacked` nodes; then we protect at most `protected` nodes. The
//! infection spreads along edges, but not into vaccinated or protected nodes. We maximise the number
//! of nodes that stay healthy.
//!
//! Two formulations of the same game: *polyhedral*, where the opponent may infect a vaccinated node
//! in vain, and *decision-dependent*, where a universal row forbids it. The graph is a random
//! tree with a few more edges (Baggio, Carvalho, Lodi and Tramontani use 20, 40 and 60 nodes and
//! budgets of one to three).

use rand::Rng;

use super::{built, dice};
use crate::model::{Model, row};
use crate::program::Program;

/// What to generate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Interdiction {
    /// Nodes of the graph.
    pub nodes: usize,
    /// Edges beyond those of a tree.
    pub extra_edges: usize,
    /// Most vaccinated nodes.
    pub vaccinated: i64,
    /// Most attacked nodes.
    pub attacked: i64,
    /// Most protected nodes.
    pub protected: i64,
    /// Whether vaccinated nodes cannot be attacked by rule.
    pub decision_dependent: bool,
    /// The dice.
    pub seed: u64,
}

/// The program.
///
/// ```
/// use quip::games::or::interdiction::{Interdiction, generate};
/// let program = generate(&Interdiction {
///     nodes: 6, extra_edges: 1, vaccinated: 1, attacked: 1, protected: 1,
///     decision_dependent: true, seed: 1,
/// });
/// assert!(program.class().decision_dependent);
/// ```
pub fn generate(family: &Interdiction) -> Program {
    let nodes = family.nodes;
    let mut model = Model::new();
    let vaccinated = model.decide().binaries("z", 0..nodes);
    let attacked = model.reveal().binaries("y", 0..nodes);
    let mut ours = model.decide();
    let protected = ours.binaries("x", 0..nodes);
    let healthy = ours.binaries("alpha", 0..nodes);
    model.subject_to(row!("vaccines": vaccinated.sum() <= family.vaccinated));
    model.subject_to(row!("shields": protected.sum() <= family.protected));
    model.uncertainty(row!("attacks": attacked.sum() <= family.attacked));
    for node in 0..nodes {
        if family.decision_dependent {
            model.uncertainty(row!(attacked[node] + vaccinated[node] <= 1));
            model.subject_to(row!(healthy[node] + attacked[node] <= 1));
        } else {
            model.subject_to(row!(healthy[node] + attacked[node] - vaccinated[node] <= 1));
        }
    }
    for (one, other) in edges(family) {
        for (from, to) in [(one, other), (other, one)] {
            let safe = vaccinated[to] + protected[to];
            model.subject_to(row!(healthy[to] - healthy[from] <= safe));
        }
    }
    model.maximize_as("healthy", healthy.sum());
    built(&model)
}

/// A random tree, and some more edges.
fn edges(family: &Interdiction) -> Vec<(usize, usize)> {
    let mut dice = dice(family.seed);
    let mut edges: Vec<_> = (1..family.nodes)
        .map(|node| (dice.random_range(0..node), node))
        .collect();
    let most = family.nodes * family.nodes.saturating_sub(1) / 2;
    while edges.len() < (family.nodes.saturating_sub(1) + family.extra_edges).min(most) {
        let other = dice.random_range(1..family.nodes);
        let edge = (dice.random_range(0..other), other);
        if !edges.contains(&edge) {
            edges.push(edge);
        }
    }
    edges
}
