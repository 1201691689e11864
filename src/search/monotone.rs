//! Monotone variables: if moving a variable one way never hurts its owner, only that end counts.

use crate::program::{IdVec, Program, Quantifier, VarId};
use crate::propagate::{End, Inequalities};

/// For each variable the only end worth trying, if there is one.
///
/// A variable of a universal row has none: moving it changes what is legal.
pub fn ends(program: &Program, inequalities: &Inequalities) -> IdVec<VarId, Option<End>> {
    let end = |var: VarId| {
        let column = inequalities.column(var);
        let heads = inequalities.heads();
        if column
            .iter()
            .any(|entry| heads[entry.at].owner == Quantifier::Forall)
        {
            return None;
        }
        let up_raises = |entry: &crate::propagate::Entry<_>| entry.coefficient > 0;
        let low_is_good_for_exists = column.iter().all(up_raises);
        let high_is_good_for_exists = !column.iter().any(up_raises);
        let exists = program.variables()[var].quantifier == Quantifier::Exists;
        match (low_is_good_for_exists, high_is_good_for_exists) {
            (true, _) => Some(if exists { End::Lower } else { End::Upper }),
            (_, true) => Some(if exists { End::Upper } else { End::Lower }),
            _ => None,
        }
    };
    IdVec::from_vec(program.variables().ids().map(end).collect())
}
