//! Monotone variables: if moving a variable one way never hurts its owner, only that end counts.
//!
//! A variable of a universal row usually has no such end, since moving it changes what is legal. Two
//! cases are clear. A universal variable that stands in universal rows alone, and in all of them on
//! the same side, is a *slack*: at one end it leaves the most room to all others. And a universal row
//! that cannot fail while slacks are at that end does not hold anybody back. Both are used only where
//! universal rows mention universal variables alone: where decisions bear on what is legal, it
//! matters which system dies first, and a slack's other end may be what a decision counts on.

use crate::program::{Id, IdVec, Program, Quantifier, VarId};
use crate::propagate::{End, Entry, Inequalities, InequalityId};

/// For each variable the only end worth trying, if there is one.
pub fn ends(program: &Program, inequalities: &Inequalities) -> IdVec<VarId, Option<End>> {
    let mut ends: IdVec<VarId, Option<End>> = IdVec::filled(program.variables().len(), None);
    let mut idle = vec![false; inequalities.heads().len()];
    if !program.class().decision_dependent {
        for var in program.variables().ids() {
            ends[var] = slack(program, inequalities, var);
        }
        idle = idle_rows(program, inequalities, &ends);
    }
    for var in program.variables().ids() {
        ends[var] = ends[var].or_else(|| end(program, inequalities, &idle, var));
    }
    ends
}

/// The end that suits the owner of a variable in rows that are not idle.
fn end(program: &Program, inequalities: &Inequalities, idle: &[bool], var: VarId) -> Option<End> {
    let heads = inequalities.heads();
    let is_universal = |entry: &&Entry<InequalityId>| heads[entry.at].owner == Quantifier::Forall;
    let column = || {
        let column = inequalities.column(var).iter();
        column.filter(|entry| !idle[entry.at.index()])
    };
    if column().any(|entry| is_universal(&entry)) {
        return None;
    }
    let low_is_good_for_exists = column().all(|entry| entry.coefficient > 0);
    let high_is_good_for_exists = column().all(|entry| entry.coefficient <= 0);
    let exists = program.variables()[var].quantifier == Quantifier::Exists;
    match (low_is_good_for_exists, high_is_good_for_exists) {
        (true, _) => Some(if exists { End::Lower } else { End::Upper }),
        (_, true) => Some(if exists { End::Upper } else { End::Lower }),
        _ => None,
    }
}

/// The end at which a slack of the universal player leaves most room.
fn slack(program: &Program, inequalities: &Inequalities, var: VarId) -> Option<End> {
    let heads = inequalities.heads();
    let column = inequalities.column(var);
    let own = program.variables()[var].quantifier == Quantifier::Forall
        && !column.is_empty()
        && (column.iter()).all(|entry| heads[entry.at].owner == Quantifier::Forall);
    let takes = |entry: &Entry<InequalityId>| entry.coefficient > 0;
    match (column.iter().all(takes), column.iter().any(takes)) {
        (true, _) if own => Some(End::Lower),
        (_, false) if own => Some(End::Upper),
        _ => None,
    }
}

/// For each inequality whether it is a universal one that holds whatever happens, slacks aside.
fn idle_rows(
    program: &Program,
    inequalities: &Inequalities,
    slacks: &IdVec<VarId, Option<End>>,
) -> Vec<bool> {
    let heads = inequalities.heads();
    let mut most: Vec<Option<i128>> = vec![Some(0); heads.len()];
    for (var, variable) in program.variables().pairs() {
        let domain = variable.domain();
        let end = |end: Option<crate::num::Rational>| i128::try_from(end?.to_integer()).ok();
        let (lower, upper) = (end(domain.lower), end(domain.upper));
        for entry in inequalities.column(var) {
            let up = match slacks[var] {
                Some(end) => end == End::Upper,
                None => entry.coefficient > 0,
            };
            let value = if up { upper } else { lower };
            let sum = &mut most[entry.at.index()];
            *sum = sum.zip(value).and_then(|(sum, value)| {
                sum.checked_add(i128::from(entry.coefficient).checked_mul(value)?)
            });
        }
    }
    let heads = heads.pairs().zip(most);
    let idle = heads.map(|((_, head), most)| {
        head.owner == Quantifier::Forall && most.is_some_and(|most| most <= i128::from(head.rhs))
    });
    idle.collect()
}
