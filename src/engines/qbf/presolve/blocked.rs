//! Blocked clauses go.
//!
//! A clause is *blocked* by its existential literal `l` if every clause with `¬l` has the negation of
//! another of its literals that stands in the blocks up to `l`'s. Whoever plays the rest may then
//! make `l` true where the clause would fail, without failing another one (Heule and others 2010;
//! Biere, Lonsing and Seidl 2011).

use super::draft::{Draft, Place};
use super::undo::Step;
use crate::qbf::literal::Literal;

/// Occurrences beyond which a literal is not looked at.
const MANY: usize = 50;

/// Drops blocked clauses that define no gate.
pub(super) fn drop_blocked(draft: &mut Draft<'_>) {
    let defines = draft.definitions();
    for place in draft.places().filter(|&place| !defines[place]) {
        if draft.is_over() {
            return;
        }
        let Some(clause) = draft.clause(place) else {
            continue;
        };
        let own = clause
            .iter()
            .copied()
            .filter(|&it| draft.is_existential(it));
        let blocking = own
            .into_iter()
            .find(|&literal| is_blocked(draft, clause, literal));
        if let Some(literal) = blocking {
            // What stands behind the literal is not known when it is chosen.
            let depth = draft.prefix.block(literal);
            let known = |&it: &Literal| it != literal && draft.prefix.block(it) <= depth;
            let others = clause.iter().copied().filter(known).collect();
            draft.record(Step::Unless(literal, others));
            draft.remove(place);
        }
    }
}

fn is_blocked(draft: &Draft<'_>, clause: &[Literal], literal: Literal) -> bool {
    let depth = draft.prefix.block(literal);
    let clashes = |place: &Place| {
        let other = draft.clause(*place).unwrap_or_default();
        let mut known = clause.iter().filter(|&&it| draft.prefix.block(it) <= depth);
        known.any(|&it| it != literal && other.binary_search(&it.negated()).is_ok())
    };
    draft.most_occurrences(literal.negated()) <= MANY
        && draft.occurrences(literal.negated()).iter().all(clashes)
}
