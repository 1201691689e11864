//! Universal integers that name a binary.
//!
//! `m` in `1..=n` with binaries `a[1], …, a[n]`, exactly one of them true, and rows that allow
//! `a[c] = 1` only for `m = c`: then `m` is another word for the binary that is true. Nothing else
//! may mention `m`, so its values can be called differently together with the binaries.

use num_traits::ToPrimitive;

use crate::program::{Kind, Program, Quantifier, VarId};
use crate::propagate::{Inequalities, InequalityId};

/// A universal integer and what its values stand for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Naming {
    /// The integer.
    pub number: VarId,
    /// Each value with the binary that it makes true, sorted by value.
    pub named: Vec<(i64, VarId)>,
}

impl Naming {
    /// The value that names a binary.
    pub fn value_of(&self, binary: VarId) -> Option<i64> {
        let mut named = self.named.iter();
        named
            .find(|(_, named)| *named == binary)
            .map(|(value, _)| *value)
    }
}

/// Every naming of a program.
pub fn namings(program: &Program, inequalities: &Inequalities) -> Vec<Naming> {
    let variables = program.variables();
    let universals = variables
        .ids()
        .filter(|&var| variables[var].quantifier == Quantifier::Forall);
    universals
        .filter_map(|var| naming(program, inequalities, var))
        .collect()
}

fn naming(program: &Program, inequalities: &Inequalities, number: VarId) -> Option<Naming> {
    let (least, most) = ends(program, number)?;
    let mut binaries = Vec::new();
    for entry in inequalities.column(number) {
        let terms = inequalities.terms(entry.at);
        let ends = [entry.coefficient * least, entry.coefficient * most];
        if terms.len() == 1
            && ends
                .iter()
                .all(|end| *end <= inequalities.heads()[entry.at].rhs)
        {
            continue;
        }
        let [one, two] = terms else {
            return None;
        };
        let owned = inequalities.heads()[entry.at].owner == Quantifier::Exists;
        if entry.at == inequalities.objective() || !owned {
            return None;
        }
        binaries.push(if one.at == number { two.at } else { one.at });
    }
    binaries.sort_unstable();
    binaries.dedup();
    let is_reply = |&binary: &VarId| {
        let later = binary > number;
        let owner = program.variables()[binary].quantifier;
        later && owner == Quantifier::Exists && ends(program, binary) == Some((0, 1))
    };
    if binaries.len() as i64 != most - least + 1 || !binaries.iter().all(is_reply) {
        return None;
    }
    let mut named = Vec::with_capacity(binaries.len());
    for &binary in &binaries {
        let with = |value| allowed(inequalities, number, (least, most), binary, value);
        let (from, to) = with(1);
        if from != to || with(0) != (least, most) {
            return None;
        }
        named.push((from, binary));
    }
    named.sort_unstable();
    let distinct = named.windows(2).all(|pair| pair[0].0 < pair[1].0);
    (distinct && some_is_true(inequalities, &binaries)).then_some(Naming { number, named })
}

fn ends(program: &Program, var: VarId) -> Option<(i64, i64)> {
    let variable = &program.variables()[var];
    let domain = variable.domain();
    let whole = |end: Option<crate::num::Rational>| end?.to_integer().to_i64();
    if variable.kind == Kind::Real {
        return None;
    }
    Some((whole(domain.lower)?, whole(domain.upper)?))
}

/// The values of the number that its rows allow beside a value of the binary.
fn allowed(
    inequalities: &Inequalities,
    number: VarId,
    domain: (i64, i64),
    binary: VarId,
    value: i64,
) -> (i64, i64) {
    let (mut from, mut to) = domain;
    for entry in inequalities.column(number) {
        let terms = inequalities.terms(entry.at);
        let Some(beside) = terms.iter().find(|term| term.at == binary) else {
            continue;
        };
        let room = inequalities.heads()[entry.at].rhs - beside.coefficient * value;
        if entry.coefficient > 0 {
            to = to.min(room.div_euclid(entry.coefficient));
        } else {
            // -a·m <= room, so m >= -room / a, rounded up.
            from = from.max(-room.div_euclid(-entry.coefficient));
        }
    }
    (from, to)
}

/// Whether an existential row makes one of the binaries true.
fn some_is_true(inequalities: &Inequalities, binaries: &[VarId]) -> bool {
    let says_so = |id: InequalityId| {
        let head = &inequalities.heads()[id];
        let terms = inequalities.terms(id);
        let members = terms.iter().map(|term| term.at);
        head.owner == Quantifier::Exists
            && head.rhs == -1
            && members.eq(binaries.iter().copied())
            && terms.iter().all(|term| term.coefficient == -1)
    };
    let column = inequalities.column(binaries[0]).iter();
    column.map(|entry| entry.at).any(says_so)
}
