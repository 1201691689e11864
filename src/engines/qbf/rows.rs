//! Rows of 0/1 variables as clauses: clauses themselves, at-most-one and exactly-one rows.
//!
//! A row with coefficients 1 and -1 counts literals: at least `least` and at most `most` of them are
//! true. Where that is "at least one" it is a clause, "at most one" are pairs that exclude each other, or
//! for many literals a chain of gates: `s_i` is true if one of the first `i` literals is, and the next
//! one excludes it (Sinz 2005). The gates are as good as typed ones: they stand right behind their
//! inputs, and both players see them.

use super::literal::{Literal, Prefix, block_from};
use crate::num::{Rational, int};
use crate::program::{Program, Quantifier, Row, Variable};
use itertools::Itertools;
use num_traits::{One, Signed, ToPrimitive};

/// Up to so many literals exclude each other in pairs.
const FEW: usize = 8;

/// The clauses of a program without an objective, if its rows are as the module says. Variables that
/// they need are put into the prefix.
pub(super) fn clauses(program: &Program, prefix: &mut Prefix) -> Option<Vec<Vec<Literal>>> {
    let is_formula = program.objective().is_none()
        && program.universal_rows().is_empty()
        && program.variables().iter().all(Variable::is_binary);
    if !is_formula {
        return None;
    }
    let mut clauses = Vec::new();
    for row in program.rows() {
        let (literals, range) = count(row)?;
        if !write(&literals, range, prefix, &mut clauses) {
            return None;
        }
    }
    Some(clauses)
}

/// How many of these literals the row allows to be true.
fn count(row: &Row) -> Option<(Vec<Literal>, [i64; 2])> {
    let mut units = row.terms.iter();
    if !units.all(|(_, coefficient)| coefficient.abs().is_one()) {
        return None;
    }
    let literal =
        |(var, coefficient): &(_, Rational)| Literal::new(*var, coefficient.is_positive());
    let literals: Vec<Literal> = row.terms.iter().map(literal).collect();
    let negative = literals.iter().filter(|it| !it.is_positive()).count();
    let shifted = |side: &Rational| side + int(negative as i64);
    let least = row
        .lower
        .as_ref()
        .map_or(Some(0), |it| shifted(it).ceil().to_i64())?;
    let all = literals.len() as i64;
    let most = row
        .upper
        .as_ref()
        .map_or(Some(all), |it| shifted(it).floor().to_i64())?;
    Some((literals, [least, most]))
}

/// Writes a row down; false if it is none of ours.
fn write(
    literals: &[Literal],
    [least, most]: [i64; 2],
    prefix: &mut Prefix,
    clauses: &mut Vec<Vec<Literal>>,
) -> bool {
    let all = literals.len() as i64;
    if least > all || most < 0 {
        clauses.push(Vec::new());
        return true;
    }
    let negated = || literals.iter().map(|it| it.negated());
    match least {
        _ if least <= 0 => {}
        1 => clauses.push(literals.to_vec()),
        _ if least == all => clauses.extend(literals.iter().map(|&it| vec![it])),
        _ => return false,
    }
    match most {
        _ if most >= all => {}
        0 => clauses.extend(negated().map(|it| vec![it])),
        _ if most == all - 1 => clauses.push(negated().collect()),
        1 => at_most_one(literals, prefix, clauses),
        _ => return false,
    }
    true
}

fn at_most_one(literals: &[Literal], prefix: &mut Prefix, clauses: &mut Vec<Vec<Literal>>) {
    if literals.len() <= FEW {
        let pairs = literals.iter().array_combinations();
        clauses.extend(pairs.map(|[one, two]| vec![one.negated(), two.negated()]));
        return;
    }
    // Outer literals first, so that the gates stand early.
    let mut literals = literals.to_vec();
    literals.sort_by_key(|&it| prefix.block(it));
    let mut some = literals[0];
    for (place, &literal) in literals.iter().enumerate().skip(1) {
        clauses.push(vec![literal.negated(), some.negated()]);
        if place + 1 < literals.len() {
            let block = prefix.block(some).max(prefix.block(literal));
            let next = prefix.push(block_from(block, Quantifier::Exists));
            let next = Literal::new(next, true);
            clauses.push(vec![next, literal.negated()]);
            clauses.push(vec![next, some.negated()]);
            clauses.push(vec![next.negated(), some, literal]);
            some = next;
        }
    }
}
