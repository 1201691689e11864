//! Existential variables that resolution takes away.
//!
//! If nothing in a variable's clauses stands behind it, its owner chooses it knowing all the rest of
//! them: the clauses can be replaced by all resolvents on it. That is done where it makes neither more
//! clauses nor more literals, and where no gate is involved (Davis and Putnam 1960; Eén and Biere
//! 2005). Literals count because of variables that stand for one way to win, `v` only if `a` and `b`, with a
//! clause that asks for some way: multiplied out, the ways can be told apart no more, and a position that
//! is won by one of them takes a long cube to say so.

use super::draft::{Draft, Place};
use super::undo::Step;
use crate::program::{Id, VarId};
use crate::qbf::literal::Literal;

/// Occurrences of a sign beyond which a variable stays.
const MANY: usize = 10;

/// Eliminates variables.
pub(super) fn eliminate(draft: &mut Draft<'_>) {
    let defines = draft.definitions();
    for var in (0..draft.prefix.len()).map(VarId::new) {
        let literal = Literal::new(var, true);
        let many = |literal| draft.most_occurrences(literal) > 2 * MANY;
        let stays = many(literal) || many(literal.negated()) || !draft.is_existential(literal);
        if stays || draft.is_over() {
            continue;
        }
        let (positive, negative) = (
            draft.occurrences(literal),
            draft.occurrences(literal.negated()),
        );
        let places = || positive.iter().chain(&negative).copied();
        let fits = !positive.is_empty()
            && !negative.is_empty()
            && positive.len().max(negative.len()) <= MANY
            // Clauses that were added in this round are resolvents and define nothing.
            && places().all(|place| !defines.get(place).is_some_and(|&it| it))
            && places().all(|place| is_last(draft, place, literal));
        if fits && let Some(resolvents) = resolvents(draft, literal, &positive, &negative) {
            record(draft, literal, &positive);
            places().for_each(|place| draft.remove(place));
            for resolvent in resolvents {
                draft.add(resolvent);
            }
        }
    }
}

/// The variable is false unless one of the clauses that have it needs it.
fn record(draft: &mut Draft<'_>, literal: Literal, positive: &[Place]) {
    for &place in positive {
        let clause = draft.clause(place).unwrap_or_default().iter().copied();
        let others = clause.filter(|&it| it != literal).collect();
        draft.record(Step::Unless(literal, others));
    }
    // Undone first, as the last step.
    draft.record(Step::Fixed(literal.negated()));
}

fn is_last(draft: &Draft<'_>, place: Place, literal: Literal) -> bool {
    let depth = draft.prefix.block(literal);
    let clause = draft.clause(place).unwrap_or_default();
    clause.iter().all(|&it| draft.prefix.block(it) <= depth)
}

/// The resolvents that are not always true, unless they are more than the clauses, or longer.
fn resolvents(
    draft: &Draft<'_>,
    literal: Literal,
    positive: &[Place],
    negative: &[Place],
) -> Option<Vec<Vec<Literal>>> {
    let most = positive.len() + negative.len();
    let places = positive.iter().chain(negative);
    let lengths = places.map(|&place| draft.clause(place).map_or(0, <[Literal]>::len));
    let mut literals_left = lengths.sum::<usize>();
    let mut found = Vec::new();
    for (&left, &right) in itertools::iproduct!(positive, negative) {
        let (left, right) = (draft.clause(left)?, draft.clause(right)?);
        let both = left.iter().chain(right).copied();
        let mut resolvent: Vec<Literal> = both.filter(|it| it.var() != literal.var()).collect();
        resolvent.sort_unstable();
        resolvent.dedup();
        if resolvent.windows(2).all(|two| two[0].negated() != two[1]) {
            literals_left = literals_left.checked_sub(resolvent.len())?;
            found.push(resolvent);
        }
        if found.len() > most {
            return None;
        }
    }
    Some(found)
}
