//! Gates are quantified as early as their inputs allow.
//!
//! A defined variable has one value once its inputs are known, so nobody loses if it is told at
//! once; universal variables that stood between are then behind it, and reduction drops more.

use super::draft::Draft;
use crate::program::{Id, Quantifier};
use crate::qbf::literal::block_from;

/// Moves every defined variable to the first existential block from its last input on.
pub(super) fn place_gates(draft: &mut Draft<'_>) {
    let (gates, _) = draft.gates();
    let mut moved = false;
    for var in gates.order {
        let inputs = gates.inputs[var.index()].iter();
        let deepest = inputs.map(|&input| draft.prefix.block_of(input)).max();
        let block = block_from(deepest.unwrap_or(0), Quantifier::Exists);
        if block < draft.prefix.block_of(var) {
            draft.prefix.place(var, block);
            moved = true;
        }
    }
    if moved {
        draft.reduce_all();
    }
}
