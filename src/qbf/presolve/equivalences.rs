//! Variables that two clauses make equal: `(a ∨ ¬b)` and `(¬a ∨ b)`.
//!
//! The later of the two, if it is existential, has to follow the earlier one; it is replaced. If it
//! is universal, its owner will make them differ, which is left to the search.

use rustc_hash::FxHashSet;

use super::draft::Draft;
use super::undo::Step;
use crate::program::Quantifier;
use crate::qbf::literal::Literal;

/// Replaces variables by earlier ones that they equal, until as many clauses were written anew as
/// there are: long chains would write them again and again.
pub(super) fn merge(draft: &mut Draft) {
    let enough = draft.places().len() + draft.clauses().count();
    let pair = |clause: &Vec<Literal>| <[Literal; 2]>::try_from(clause.as_slice()).ok();
    let pairs: FxHashSet<[Literal; 2]> = draft.clauses().filter_map(pair).collect();
    for place in draft.places() {
        if draft.places().len() > enough {
            return;
        }
        let Some(&[a, b]) = draft.clause(place) else {
            continue;
        };
        let opposite = [a.negated(), b.negated()];
        if !pairs.contains(&opposite) || draft.is_decided() || !is_there(draft, opposite) {
            continue;
        }
        let rank = |literal: Literal| (draft.prefix.block(literal), literal.var());
        let (earlier, later) = if rank(a) < rank(b) { (a, b) } else { (b, a) };
        if draft.prefix.owner(later) == Quantifier::Exists {
            replace(draft, later, earlier.negated());
        }
    }
}

fn is_there(draft: &Draft, pair: [Literal; 2]) -> bool {
    let mut places = draft.occurrences(pair[0]).into_iter();
    places.any(|place| draft.clause(place) == Some(&pair))
}

/// Writes `by` wherever `literal` occurs.
fn replace(draft: &mut Draft, literal: Literal, by: Literal) {
    let value = if literal.is_positive() {
        by
    } else {
        by.negated()
    };
    draft.record(Step::Equal(literal.var(), value));
    for (from, to) in [(literal, by), (literal.negated(), by.negated())] {
        for place in draft.occurrences(from) {
            let Some(clause) = draft.clause(place).map(<[Literal]>::to_vec) else {
                continue;
            };
            draft.remove(place);
            let swap = |it: Literal| if it == from { to } else { it };
            draft.add(clause.into_iter().map(swap).collect());
        }
    }
}
