//! What only the whole circuit shows: names without a meaning, and gates that feed themselves.

use super::circuit::{Circuit, Meaning};
use crate::format::code::Code;
use crate::format::diagnostic::{Draft, Problems};
use crate::format::suggest::nearest;
use crate::format::text::shortened;
use crate::program::Id;

/// Most unknown names that get a suggestion.
const SUGGESTIONS: usize = 20;

/// The gates in an order in which inputs come first, as far as there is one.
pub(super) fn check(circuit: &Circuit<'_>, problems: &mut Problems) -> Vec<usize> {
    refuse_unknown(circuit, problems);
    let order = inputs_first(circuit);
    if order.len() < circuit.gates.len() && !problems.has_errors() {
        problems.push(cycle(circuit, &order));
    }
    order
}

fn refuse_unknown(circuit: &Circuit<'_>, problems: &mut Problems) {
    let mut suggestions = SUGGESTIONS;
    for symbol in circuit.symbols.numbers() {
        let unknown = circuit.meanings[symbol.index()] == Meaning::Unknown;
        let Some(span) = circuit.symbols.first_use(symbol).filter(|_| unknown) else {
            continue;
        };
        let name = circuit.symbols.name(symbol);
        let message = format!("`{}` is not declared", shortened(name));
        let draft = Draft::new(Code::NotDeclared, message).at(span, "not declared");
        let mut help = None;
        if suggestions > 0 {
            suggestions -= 1;
            let known = circuit.symbols.numbers();
            let known = known.filter(|one| circuit.meanings[one.index()] != Meaning::Unknown);
            help = nearest(name, known.map(|one| circuit.symbols.name(one)));
        }
        let help = help.map_or_else(
            || "quantify it, list it in `free(…)`, or define it as a gate".to_owned(),
            |near| format!("did you mean `{near}`?"),
        );
        problems.push(draft.help(help));
    }
}

/// The gates that each gate feeds.
fn inputs_first(circuit: &Circuit<'_>) -> Vec<usize> {
    let mut feeds = vec![Vec::new(); circuit.gates.len()];
    let mut waiting = vec![0_usize; circuit.gates.len()];
    for (gate, definition) in circuit.gates.iter().enumerate() {
        for (symbol, _) in &definition.inputs {
            if let Meaning::Gate(input) = circuit.meanings[symbol.index()]
                && let Some(fed) = feeds.get_mut(input)
            {
                fed.push(gate);
                waiting[gate] += 1;
            }
        }
    }
    let mut order: Vec<usize> = (0..feeds.len())
        .filter(|&gate| waiting[gate] == 0)
        .collect();
    let mut done = 0;
    while let Some(&gate) = order.get(done) {
        done += 1;
        for &fed in &feeds[gate] {
            waiting[fed] -= 1;
            if waiting[fed] == 0 {
                order.push(fed);
            }
        }
    }
    order
}

fn cycle(circuit: &Circuit<'_>, order: &[usize]) -> Draft {
    let mut ordered = vec![false; circuit.gates.len()];
    order.iter().for_each(|&gate| ordered[gate] = true);
    // Every gate without an order waits for another one: walking back ends in a circle.
    let mut gate = ordered.iter().position(|done| !done).unwrap_or(0);
    for _ in 0..circuit.gates.len() {
        let inputs = circuit.gates[gate].inputs.iter();
        let mut waiting = inputs.filter_map(|(symbol, _)| match circuit.meanings[symbol.index()] {
            Meaning::Gate(input) if !ordered[input] => Some(input),
            _ => None,
        });
        gate = waiting.next().unwrap_or(gate);
    }
    let symbol = circuit.gates[gate].symbol;
    let name = shortened(circuit.symbols.name(symbol));
    let draft = Draft::new(Code::CyclicGate, format!("gate `{name}` feeds itself"));
    let draft = draft.at(
        circuit.places[symbol.index()].clone(),
        "its inputs lead back to it",
    );
    draft.help("a circuit has no circles; change one of the gates on the way")
}
