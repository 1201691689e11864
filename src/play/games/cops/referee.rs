//! The rules of cops and robber, played directly.

use itertools::Itertools;
use rustc_hash::FxHashMap;

use crate::games::geography::Graph;

/// Whether the cops catch the robber within the rounds of the graph's file.
///
/// ```
/// use quip::games::{cops::referee::cops_win, geography::Graph};
/// let path = Graph::parse("1\n0 1\n1 2\n2\n")?;
/// assert!(cops_win(&path, 1));
/// # Ok::<(), quip::games::GameError>(())
/// ```
pub fn cops_win(graph: &Graph, cops: usize) -> bool {
    let nodes = 0..graph.nodes();
    let mut known = FxHashMap::default();
    let mut starts = (0..cops).map(|_| nodes.clone()).multi_cartesian_product();
    starts.any(|places| {
        nodes
            .clone()
            .all(|robber| catches(graph, &places, robber, graph.rounds(), &mut known))
    })
}

type Known = FxHashMap<(Vec<usize>, usize, usize), bool>;

/// Whether the cops, to move, catch the robber within `rounds`.
fn catches(graph: &Graph, cops: &[usize], robber: usize, rounds: usize, known: &mut Known) -> bool {
    if cops.contains(&robber) {
        return true;
    }
    if rounds == 0 {
        return false;
    }
    let key = (cops.to_vec(), robber, rounds);
    if let Some(&answer) = known.get(&key) {
        return answer;
    }
    let choices = cops.iter().map(|&cop| around(graph, cop));
    let answer = choices.multi_cartesian_product().any(|cops| {
        cops.contains(&robber)
            || rounds > 1
                && around(graph, robber)
                    .into_iter()
                    .all(|next| catches(graph, &cops, next, rounds - 1, known))
    });
    known.insert(key, answer);
    answer
}

/// A node and its neighbours.
pub fn around(graph: &Graph, node: usize) -> Vec<usize> {
    let mut places = vec![node];
    for other in 0..graph.nodes() {
        if other != node && (graph.leads(node, other) || graph.leads(other, node)) {
            places.push(other);
        }
    }
    places
}
