//! Clauses that say more than others.
//!
//! A clause that contains another one says nothing new and goes. If it contains another one but for
//! an existential literal of the opposite sign, resolving the two on it gives the clause without
//! that literal.

use super::draft::{Draft, Place};
use crate::qbf::literal::Literal;

/// Comparisons of clauses after which it is enough.
const STEPS: usize = 300_000;

/// Drops clauses that others contain, and literals that resolve away.
pub(super) fn strengthen(draft: &mut Draft<'_>) {
    let signature = |clause: &[Literal]| {
        let bits = clause.iter().map(|it| 1_u64 << ((it.index() / 2) % 64));
        bits.fold(0, |all, bit| all | bit)
    };
    let mut signatures: Vec<u64> = draft
        .places()
        .map(|place| draft.clause(place).map_or(0, signature))
        .collect();
    let mut steps = 0;
    for place in draft.places() {
        let Some(clause) = draft.clause(place).map(<[Literal]>::to_vec) else {
            continue;
        };
        for other in candidates(draft, &clause) {
            steps += 1;
            let fits = other != place && signatures[place] & !signatures[other] == 0;
            let Some(larger) = draft.clause(other).filter(|_| fits) else {
                continue;
            };
            match compare(draft, &clause, larger) {
                Relation::Contained => draft.remove(other),
                Relation::Resolves(literal) => {
                    draft.strip(other, literal);
                    signatures[other] = draft.clause(other).map_or(0, signature);
                }
                Relation::None => {}
            }
            if draft.is_decided() || draft.clause(place) != Some(&clause) {
                break;
            }
        }
        if steps > STEPS || draft.is_over() {
            return;
        }
    }
}

/// Clauses that have the variable of this clause that occurs least.
fn candidates(draft: &Draft<'_>, clause: &[Literal]) -> Vec<Place> {
    let most = |&literal: &Literal| {
        draft.most_occurrences(literal) + draft.most_occurrences(literal.negated())
    };
    let Some(rarest) = clause.iter().copied().min_by_key(most) else {
        return Vec::new();
    };
    let mut places = draft.occurrences(rarest);
    places.extend(draft.occurrences(rarest.negated()));
    places
}

enum Relation {
    /// The larger clause has all literals of the smaller one.
    Contained,
    /// But for this existential one, which it has negated.
    Resolves(Literal),
    None,
}

fn compare(draft: &Draft<'_>, smaller: &[Literal], larger: &[Literal]) -> Relation {
    let has = |literal: Literal| larger.binary_search(&literal).is_ok();
    let mut resolved = None;
    for &literal in smaller {
        if has(literal) {
            continue;
        }
        let resolves =
            resolved.is_none() && has(literal.negated()) && draft.is_existential(literal);
        if !resolves {
            return Relation::None;
        }
        resolved = Some(literal.negated());
    }
    resolved.map_or(Relation::Contained, Relation::Resolves)
}
