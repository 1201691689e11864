//! The rules of geography, played directly.

use super::graph::Graph;

/// Whether player 1, to move at node 0, wins.
///
/// ```
/// use quip::games::geography::{Graph, referee};
/// assert!(referee::player_1_wins(&Graph::thesis()));
/// ```
pub fn player_1_wins(graph: &Graph) -> bool {
    mover_wins(graph, &mut vec![0])
}

/// Whether the player to move wins after a path of nodes from 0.
pub fn mover_wins(graph: &Graph, path: &mut Vec<usize>) -> bool {
    for node in moves(graph, path) {
        path.push(node);
        let wins = !mover_wins(graph, path);
        path.pop();
        if wins {
            return true;
        }
    }
    false
}

/// Where the player to move may go.
pub fn moves(graph: &Graph, path: &[usize]) -> Vec<usize> {
    let rounds_played = path.len() - 1;
    if rounds_played >= graph.rounds() {
        return Vec::new();
    }
    let here = path[rounds_played];
    let neighbours = graph.neighbours(here).iter().copied();
    neighbours.filter(|node| !path.contains(node)).collect()
}

/// How many different plays of `depth` rounds there are.
pub fn plays(graph: &Graph, path: &mut Vec<usize>, depth: usize) -> u64 {
    if depth == 0 {
        return 1;
    }
    let mut total = 0;
    for node in moves(graph, path) {
        path.push(node);
        total += plays(graph, path, depth - 1);
        path.pop();
    }
    total
}
