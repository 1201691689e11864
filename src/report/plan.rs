//! A strategy as the script of a page plays it: short lists instead of names, and only its top
//! where the whole has no room.

use std::collections::VecDeque;

use rustc_hash::FxHashMap;
use serde::Serialize;
use serde_json::{Value, json};

use super::data::label;
use crate::program::{Id, Program, RowId};
use crate::strategy::{End, Guarantee, NodeId, Strategy, StrategyNode};

/// How much room a plan may take, in bytes.
const ROOM: usize = 300_000;

/// Nodes are `["c", variable, value, next]`, `["a", variable, branches, illegal]` and
/// `["e", end, moves]`; successors come first.
#[derive(Serialize)]
pub(super) struct PlanJson {
    owner: String,
    guarantee: &'static str,
    value: Option<String>,
    root: usize,
    nodes: Vec<Value>,
}

pub(super) fn json(program: &Program, strategy: &Strategy) -> PlanJson {
    let kept = top(strategy, ROOM);
    let mut order: Vec<NodeId> = kept.keys().copied().collect();
    order.sort_unstable();
    // The first node stands for everything that has no room.
    let places: FxHashMap<NodeId, usize> = order.iter().copied().zip(1..).collect();
    let place = |id: &NodeId| places.get(id).copied().unwrap_or(0);
    let mut nodes = vec![json!(["e", "cut", []])];
    for id in &order {
        nodes.push(described(program, strategy, strategy.node(*id), &place));
    }
    PlanJson {
        owner: strategy.owner().to_string(),
        guarantee: match strategy.guarantee() {
            Guarantee::Won => "won",
            Guarantee::Unbounded => "unbounded",
            Guarantee::Cost(_) => "value",
            Guarantee::Kept => "kept",
            Guarantee::Lost => "lost",
        },
        value: strategy.guaranteed_value(program).map(|it| it.to_string()),
        root: place(&strategy.root()),
        nodes,
    }
}

/// The nodes next to the root that fit into so much room.
fn top(strategy: &Strategy, mut room: usize) -> FxHashMap<NodeId, ()> {
    let mut kept = FxHashMap::default();
    let mut open = VecDeque::from([strategy.root()]);
    while let Some(id) = open.pop_front() {
        if kept.contains_key(&id) {
            continue;
        }
        let node = strategy.node(id);
        let size = size_of(node);
        if size > room {
            break;
        }
        room -= size;
        kept.insert(id, ());
        open.extend(node.successors());
    }
    kept
}

/// About how many bytes a node takes.
fn size_of(node: &StrategyNode) -> usize {
    match node {
        StrategyNode::Choose { value, .. } => 24 + value.to_string().len(),
        StrategyNode::Await {
            branches, illegal, ..
        } => 24 + 24 * branches.len() + 40 * illegal.len(),
        StrategyNode::End(End::Ray(moves) | End::Settled(moves) | End::Open(moves)) => {
            24 + 16 * moves.len()
        }
        StrategyNode::End(_) => 24,
    }
}

fn described(
    program: &Program,
    strategy: &Strategy,
    node: &StrategyNode,
    place: &impl Fn(&NodeId) -> usize,
) -> Value {
    match node {
        StrategyNode::Choose {
            variable,
            value,
            next,
        } => json!(["c", variable.index(), value.to_string(), place(next)]),
        StrategyNode::Await {
            variable,
            branches,
            illegal,
        } => {
            let opponent = strategy.owner().opponent();
            let named = |row: &RowId| label(*row, &program.system(opponent)[*row]);
            let branches: Vec<Value> = branches
                .iter()
                .map(|it| json!([it.from.to_string(), it.to.to_string(), place(&it.next)]))
                .collect();
            let illegal: Vec<Value> = illegal
                .iter()
                .map(|it| {
                    let rows: Vec<String> = it.rows.iter().map(named).collect();
                    json!([it.from.to_string(), it.to.to_string(), rows])
                })
                .collect();
            json!(["a", variable.index(), branches, illegal])
        }
        StrategyNode::End(end) => {
            let (name, moves): (_, &[_]) = match end {
                End::Complete => ("complete", &[]),
                End::OpponentDead => ("won", &[]),
                End::Ray(direction) => ("ray", direction),
                End::Settled(moves) => ("settled", moves),
                End::Open(moves) => ("open", moves),
                End::Cut => ("cut", &[]),
            };
            let moves: Vec<Value> = moves
                .iter()
                .map(|(var, value)| json!([var.index(), value.to_string()]))
                .collect();
            json!(["e", name, moves])
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::parse_qip;
    use crate::num::int;
    use crate::program::Quantifier;
    use crate::strategy::{Branch, PlanBuilder, PlanNode};

    #[test]
    fn a_plan_without_room_keeps_its_top_and_says_what_is_cut() {
        let program =
            parse_qip("prefix forall binary a exists binary b forall binary c exists binary d end")
                .expect("it is well formed");
        let [a, b, c, d] =
            ["a", "b", "c", "d"].map(|name| program.find(name).expect("it is there"));
        let mut plan = PlanBuilder::default();
        let mut next = plan.add(PlanNode::End(crate::strategy::Ending::Complete));
        for (asked, chosen) in [(c, d), (a, b)] {
            next = plan.add(PlanNode::Choose {
                variable: chosen,
                value: int(1),
                next,
            });
            next = plan.add(PlanNode::Await {
                variable: asked,
                branches: vec![Branch {
                    from: int(0),
                    to: int(1),
                    next,
                }],
            });
        }
        let plan = plan.finish(Quantifier::Exists, next);
        let strategy = Strategy::of_plan(&plan, Guarantee::Kept);
        assert_eq!(top(&strategy, 1000).len(), 5);
        assert_eq!(top(&strategy, 80).len(), 2);
        let whole = json(&program, &strategy);
        assert_eq!(whole.nodes.len(), 6);
        assert_eq!(whole.nodes[whole.root][0], "a");
    }
}
