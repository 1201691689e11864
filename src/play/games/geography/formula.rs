//! Geography as a quantified Boolean formula in QCIR, on the thesis's variables.
//!
//! The rules (a) to (d) of a round are one gate. What is asked is nested round by round: at his rounds player 1
//! keeps the rules *and* goes on to win; at his, player 2 breaks them *or* player 1 goes on to win.
//! Who breaks a rule first has lost, so nothing that comes later can save him. After the last round
//! whoever would have to move has lost.

use super::Graph;
use crate::games::circuit::{Bit, Circuit};
use crate::program::Quantifier;

/// The formula: true if and only if player 1 wins.
///
/// ```
/// use quip::format::{Format, read_bytes};
/// use quip::games::geography::{Graph, formula};
/// let text = formula(&Graph::thesis());
/// assert_eq!(read_bytes("thesis.qcir", text.as_bytes())?.format, Format::Qcir);
/// # Ok::<(), quip::format::Diagnostics>(())
/// ```
pub fn formula(graph: &Graph) -> String {
    let mut circuit = Circuit::default();
    let rounds = graph.playable_rounds();
    let mut played: Vec<Vec<Bit>> = Vec::new();
    let mut kept = Vec::new();
    for round in 1..=rounds {
        let owner = if round % 2 == 1 {
            Quantifier::Exists
        } else {
            Quantifier::Forall
        };
        let names = (1..graph.nodes()).map(|node| format!("x{round}_{node}"));
        let nodes = circuit.block(owner, names);
        kept.push((owner, rules(&mut circuit, graph, &played, &nodes)));
        played.push(nodes);
    }
    let won = circuit.in_turns(kept, Bit::Constant(rounds % 2 == 1));
    circuit.text(won)
}

/// (a) one node, (b) that was not visited, (c) or (d) beside the last one.
fn rules(circuit: &mut Circuit, graph: &Graph, played: &[Vec<Bit>], nodes: &[Bit]) -> Bit {
    let mut rules = vec![circuit.exactly_one(nodes)];
    for (place, here) in nodes.iter().enumerate() {
        let near = match played.last() {
            None => Bit::Constant(graph.opens(place + 1)),
            Some(before) => {
                let sources = (1..).zip(before);
                let near = sources.filter(|(source, _)| graph.leads(*source, place + 1));
                circuit.or(near.map(|(_, bit)| bit.clone()))
            }
        };
        let visited = circuit.or(played.iter().map(|nodes| nodes[place].clone()));
        let open = circuit.and([near, !visited]);
        rules.push(circuit.or([!here.clone(), open]));
    }
    circuit.and(rules)
}
