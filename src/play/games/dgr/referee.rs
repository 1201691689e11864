//! The rules of travelling through a failing graph, played directly. Knows the graph, not the
//! program.

use rustc_hash::{FxHashMap, FxHashSet};

use super::graph::Graph;

/// Where the traveller is and which edges are gone.
type State = (usize, Vec<usize>);

/// Whether the traveller, about to arrive at the source, can reach the target whatever the
/// opponent erases.
///
/// ```
/// use quip::games::dgr::{Graph, referee};
/// assert!(referee::traveller_wins(&Graph::figure_3()));
/// ```
pub fn traveller_wins(graph: &Graph) -> bool {
    let (source, _) = graph.ends();
    survives_arrival(graph, &(source, Vec::new()), &mut FxHashMap::default())
}

/// Whether the traveller wins when his first step is the given edge, the opponent having erased
/// nothing before it.
pub fn first_step_wins(graph: &Graph, edge: usize) -> bool {
    let arrival = (graph.edges()[edge].head, Vec::new());
    survives_arrival(graph, &arrival, &mut FxHashMap::default())
}

/// The edges that keep the traveller winning, at `node` with `erased` gone.
pub fn good_steps(graph: &Graph, node: usize, erased: &[usize]) -> Vec<usize> {
    let mut known = FxHashMap::default();
    let edges = graph.edges();
    (0..edges.len())
        .filter(|edge| edges[*edge].tail == node && !erased.contains(edge))
        .filter(|&edge| survives_arrival(graph, &(edges[edge].head, erased.to_vec()), &mut known))
        .collect()
}

/// How many plays reach the target; everything that is erased on one arrival is one choice.
///
/// ```
/// use quip::games::dgr::{Graph, referee};
/// assert_eq!(referee::plays(&Graph::parse("source s\ntarget t\nedge e s t\n")?), 1);
/// # Ok::<(), quip::games::GameError>(())
/// ```
pub fn plays(graph: &Graph) -> u64 {
    plays_from(graph, graph.ends().0, &[])
}

fn plays_from(graph: &Graph, node: usize, erased: &[usize]) -> u64 {
    if node == graph.ends().1 {
        return 1;
    }
    let mut total = 0;
    for gone in erasures(graph, node, erased) {
        for (place, edge) in graph.edges().iter().enumerate() {
            if edge.tail == node && !gone.contains(&place) {
                total += plays_from(graph, edge.head, &gone);
            }
        }
    }
    total
}

fn survives_arrival(graph: &Graph, state: &State, known: &mut FxHashMap<State, bool>) -> bool {
    let (node, erased) = state;
    if *node == graph.ends().1 {
        return true;
    }
    if let Some(&answer) = known.get(state) {
        return answer;
    }
    let answer = erasures(graph, *node, erased)
        .iter()
        .all(|gone| can_leave(graph, *node, gone, known));
    known.insert(state.clone(), answer);
    answer
}

fn can_leave(
    graph: &Graph,
    node: usize,
    gone: &[usize],
    known: &mut FxHashMap<State, bool>,
) -> bool {
    let edges = graph.edges();
    let mut open =
        (0..edges.len()).filter(|edge| edges[*edge].tail == node && !gone.contains(edge));
    open.any(|edge| survives_arrival(graph, &(edges[edge].head, gone.to_vec()), known))
}

/// Everything that can be gone after the opponent's turn at `node`, sorted.
fn erasures(graph: &Graph, node: usize, erased: &[usize]) -> FxHashSet<Vec<usize>> {
    let here = graph.failures().iter().filter(|(at, _)| *at == node);
    let mut outcomes = FxHashSet::default();
    outcomes.insert(erased.to_vec());
    for &(_, edge) in here {
        for gone in outcomes.clone() {
            if !gone.contains(&edge) && allows(graph, &gone, edge) {
                let mut more = gone;
                more.push(edge);
                more.sort_unstable();
                outcomes.insert(more);
            }
        }
    }
    outcomes
}

/// Whether the rules let the opponent erase one more edge, when some are gone.
pub fn allows(graph: &Graph, gone: &[usize], edge: usize) -> bool {
    let pairs_kept = graph.never().iter().all(|&(first, second)| {
        let other = match edge {
            edge if edge == first => second,
            edge if edge == second => first,
            _ => return true,
        };
        !gone.contains(&other)
    });
    let budgets_kept = graph.budgets().iter().all(|budget| {
        let counted = gone.iter().filter(|edge| budget.edges.contains(edge));
        let more = usize::from(budget.edges.contains(&edge));
        counted.count() + more <= budget.most
    });
    pairs_kept && budgets_kept
}
