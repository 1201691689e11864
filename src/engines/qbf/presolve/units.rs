//! Clauses of one literal, and literals that occur with one sign only.
//!
//! A clause of one existential literal leaves its owner no choice. An existential variable that
//! occurs with one sign only may as well satisfy these clauses; a universal one may as well fail
//! them, and its literals go.

use super::draft::Draft;
use crate::qbf::literal::Literal;

/// Fixes what single clauses say, until none is left.
pub(super) fn propagate(draft: &mut Draft<'_>) {
    draft.shortened = draft.places().rev().collect();
    while let Some(place) = draft.shortened.pop() {
        if draft.is_over() {
            return;
        }
        if let Some(&[only]) = draft.clause(place)
            && draft.is_existential(only)
        {
            draft.fix(only);
        }
    }
}

/// Fixes variables that occur with one sign only, until none is left.
pub(super) fn fix_pure(draft: &mut Draft<'_>) {
    let vars = draft.prefix.vars();
    draft.vanished = vars.map(|var| Literal::new(var, true)).collect();
    while let Some(literal) = draft.vanished.pop() {
        if draft.is_over() {
            return;
        }
        let present = match (draft.occurs(literal), draft.occurs(literal.negated())) {
            (true, false) => literal,
            (false, true) => literal.negated(),
            _ => continue,
        };
        let serves = draft.is_existential(literal);
        draft.fix(if serves { present } else { present.negated() });
    }
}
