//! What does not depend on a universal block is quantified before it.
//!
//! Take the clauses that have a variable behind a universal block `U`, and connect those that share
//! such a variable. A part that has no variable of `U` has nothing to do with the rest of the play from
//! `U` on: with `C` the part and `R` the other clauses, `∀U Q (C ∧ R)` is `Q C ∧ ∀U Q R`, because the
//! two share no variable that `Q` binds. So the variables of `C` may stand two blocks earlier. What is
//! left of the prefix is the dependencies that this connection shows; compare the standard dependency
//! scheme (Samer and Szeider 2009), which also looks through shared universal variables.

use super::draft::Draft;
use crate::program::{Components, Id, Quantifier, VarId};
use crate::qbf::literal::owner_of;

/// Moves independent parts before each universal block, innermost block first.
pub(super) fn move_out(draft: &mut Draft<'_>) {
    let blocks = draft.prefix.vars().map(|var| draft.prefix.block_of(var));
    let last = blocks.max().unwrap_or(0);
    let mut moved = false;
    // Nothing comes before the outermost block, whose owner may be asked for his move.
    for block in (draft.outermost + 1..last).rev() {
        if owner_of(block) == Quantifier::Forall && !draft.is_over_now() {
            moved |= move_before(draft, block);
        }
    }
    if moved {
        draft.reduce_all();
    }
}

fn move_before(draft: &mut Draft<'_>, block: u32) -> bool {
    let mut parts = Components::new(draft.prefix.len() + 1);
    // All of the block is one part, and whatever hangs on it.
    let dependent = VarId::new(draft.prefix.len());
    for clause in draft.clauses() {
        let from = clause.iter().filter(|&&it| draft.prefix.block(it) >= block);
        let mut before = None;
        for &literal in from {
            let var = literal.var();
            if draft.prefix.block(literal) == block {
                parts.join(var, dependent);
            }
            parts.join(var, *before.get_or_insert(var));
        }
    }
    let dependent = parts.root(dependent);
    let occurs: Vec<VarId> = {
        let mut vars: Vec<VarId> = draft.clauses().flatten().map(|it| it.var()).collect();
        vars.sort_unstable();
        vars.dedup();
        vars
    };
    let mut moved = false;
    for var in occurs {
        let depth = draft.prefix.block_of(var);
        if depth > block && parts.root(var) != dependent {
            draft.prefix.place(var, depth - 2);
            moved = true;
        }
    }
    moved
}
