//! Universal variables of the last universal block that are written out.
//!
//! `∀u ∃y F` is `∃y y' F[u = 0, y] ∧ F[u = 1, y']`: the clauses that have `u` or a variable behind it
//! are copied. That is done for a few variables where few clauses are copied (Biere 2004). A
//! variable of the outermost block stays, because its owner may be asked for his move.

use rustc_hash::FxHashMap;

use super::draft::{Draft, Place};
use crate::program::{Quantifier, VarId};
use crate::qbf::literal::{Literal, owner_of};

/// Clauses that may be copied in any case, besides one in [`SHARE`].
const FEW: usize = 50;
const SHARE: usize = 10;
/// Variables that are written out in one round.
const AT_ONCE: usize = 4;

/// Writes out universal variables while that is cheap.
pub(super) fn expand(draft: &mut Draft<'_>) {
    for _ in 0..AT_ONCE {
        let Some(var) = last_universal(draft) else {
            return;
        };
        let places = copied(draft, var);
        let total = draft.clauses().count();
        if draft.copied + places.len() > FEW + total / SHARE || draft.is_over_now() {
            return;
        }
        draft.copied += places.len();
        write_out(draft, var, &places);
    }
}

/// A universal variable of the last block that has any in a clause, unless that is outermost.
fn last_universal(draft: &Draft<'_>) -> Option<VarId> {
    let used = draft.clauses().flatten().map(|literal| literal.var());
    let of_forall = used.filter(|&var| owner_of(draft.prefix.block_of(var)) == Quantifier::Forall);
    let last = of_forall.max_by_key(|&var| (draft.prefix.block_of(var), var))?;
    (draft.prefix.block_of(last) > draft.outermost).then_some(last)
}

/// The clauses that have the variable or one behind it.
fn copied(draft: &Draft<'_>, var: VarId) -> Vec<Place> {
    let depth = draft.prefix.block_of(var);
    let concerns = |&literal: &Literal| literal.var() == var || draft.prefix.block(literal) > depth;
    let places = draft.places();
    places
        .filter(|&place| {
            let clause = draft.clause(place);
            clause.is_some_and(|clause| clause.iter().any(concerns))
        })
        .collect()
}

fn write_out(draft: &mut Draft<'_>, var: VarId, places: &[Place]) {
    let depth = draft.prefix.block_of(var);
    let mut copies: FxHashMap<VarId, VarId> = FxHashMap::default();
    for &place in places {
        let Some(clause) = draft.clause(place).map(<[Literal]>::to_vec) else {
            continue;
        };
        draft.remove(place);
        for value in [false, true] {
            let fails = Literal::new(var, !value);
            if clause.contains(&fails.negated()) {
                continue;
            }
            let literals = clause.iter().copied().filter(|&it| it != fails);
            let literals: Vec<Literal> = literals.collect();
            let mut copy = |literal: Literal| {
                let block = draft.prefix.block(literal);
                if !value || block <= depth {
                    return literal;
                }
                let var = copies.entry(literal.var());
                literal.of(*var.or_insert_with(|| draft.new_var(block)))
            };
            let literals = literals.into_iter().map(&mut copy).collect();
            draft.add(literals);
        }
    }
}
