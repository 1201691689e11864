//! The same program with its variables in another order.

use crate::num::Rational;
use crate::program::{Id, IdVec, Program, VarId};

/// The program whose variables stand in that order; `None` if it is none, such as one that leaves reals without ends early.
pub(super) fn in_order(program: &Program, order: &[VarId]) -> Option<Program> {
    let mut renamed = IdVec::filled(order.len(), VarId::new(0));
    for (place, &var) in order.iter().enumerate() {
        renamed[var] = VarId::new(place);
    }
    let mut data = program.clone().into_data();
    data.variables = { order.iter() }
        .map(|&var| program.variables()[var].clone())
        .collect();
    let rows = data.rows.iter_mut().chain(&mut data.universal_rows);
    let terms = rows.map(|row| &mut row.terms);
    let objective = data
        .objective
        .as_mut()
        .map(|objective| &mut objective.terms);
    let rename = |terms: &mut Vec<(VarId, Rational)>| {
        terms.iter_mut().for_each(|term| term.0 = renamed[term.0]);
        terms.sort_unstable_by_key(|term| term.0);
    };
    terms.chain(objective).for_each(rename);
    Program::new(data).ok()
}
