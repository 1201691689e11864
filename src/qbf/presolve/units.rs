//! Clauses of one literal, and literals that occur with one sign only.
//!
//! A clause of one existential literal leaves its owner no choice. An existential variable that
//! occurs with one sign only may as well satisfy these clauses; a universal one may as well fail
//! them, and its literals go.

use super::draft::Draft;
use crate::qbf::literal::Literal;

/// Fixes what single clauses say, until none is left.
pub(super) fn propagate(draft: &mut Draft) {
    let is_unit = |draft: &Draft, place| match draft.clause(place) {
        Some(&[only]) if draft.is_existential(only) => Some(only),
        _ => None,
    };
    let mut found = true;
    while found && !draft.is_decided() {
        found = false;
        for place in draft.places() {
            if let Some(literal) = is_unit(draft, place).filter(|_| !draft.is_decided()) {
                draft.fix(literal);
                found = true;
            }
        }
    }
}

/// Fixes variables that occur with one sign only, until none is left.
pub(super) fn fix_pure(draft: &mut Draft) {
    let mut found = true;
    while found && !draft.is_decided() {
        found = false;
        for var in draft.prefix.vars() {
            let literal = Literal::new(var, true);
            let present = match (draft.occurs(literal), draft.occurs(literal.negated())) {
                (true, false) => literal,
                (false, true) => literal.negated(),
                _ => continue,
            };
            let serves = draft.is_existential(literal);
            draft.fix(if serves { present } else { present.negated() });
            found = true;
            if draft.is_decided() {
                return;
            }
        }
    }
}
