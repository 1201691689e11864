//! Real replies on a network may as well be integers.
//!
//! **Claim:** let the reals be replies of the last block on a [`network`](super::network), let their bounds be whole, and
//! let every row that they stand in be, divided by their coefficient, whole in everything else. Then the best reply to
//! whole decisions and moves is a whole vertex, so the value is the same with integers.
//!
//! A reply without an upper end gets one that costs nothing: what a row leaves at most, or what the rows that it helps need at
//! most, if more of it is never cheaper.

use num_traits::{One, Signed, Zero};

use super::network::is_network;
use crate::num::Rational;
use crate::program::{Bounds, Id, Kind, Program, Quantifier, Row, Sense, VarId};

/// The program with integer replies; `None` if it has no reals, or others.
pub(in crate::expand) fn on_a_network(program: &Program) -> Option<Program> {
    let last = program.blocks().iter().last()?;
    let is_real = |var: VarId| program.variables()[var].kind == Kind::Real;
    let reals: Vec<VarId> = program
        .variables()
        .ids()
        .filter(|&var| is_real(var))
        .collect();
    let is_reply = |var: &VarId| last.range().contains(&var.index());
    let mut ruled = program.universal_rows().iter().flat_map(|row| &row.terms);
    if reals.is_empty()
        || last.quantifier == Quantifier::Forall
        || !reals.iter().all(is_reply)
        || ruled.any(|(var, _)| is_real(*var))
    {
        return None;
    }
    let mut entries = Vec::new();
    for (number, row) in program.rows().iter().enumerate() {
        let replied: Vec<_> = row.terms.iter().filter(|(var, _)| is_real(*var)).collect();
        let Some(unit) = replied.first().map(|term| term.1.abs()) else {
            continue;
        };
        let whole = |number: &Rational| (number / &unit).is_integer();
        let terms = row.terms.iter().map(|term| &term.1);
        if !terms.chain(&row.lower).chain(&row.upper).all(whole) {
            return None;
        }
        for (var, by) in replied {
            if by.abs() != unit {
                return None;
            }
            entries.push((number, var.index(), if by.is_positive() { 1 } else { -1 }));
        }
    }
    if !is_network(&entries) {
        return None;
    }
    let mut data = program.clone().into_data();
    for var in reals {
        let (lower, upper) = ends(program, var)?;
        let variable = &mut data.variables[var.index()];
        (variable.kind, variable.bounds) = (Kind::Integer, Bounds::between(lower, upper));
    }
    Program::new(data).ok()
}

/// The whole ends of a reply.
fn ends(program: &Program, var: VarId) -> Option<(Rational, Rational)> {
    let bounds = &program.variables()[var].bounds;
    let lower = bounds.lower.clone().filter(Rational::is_integer)?;
    let upper = match &bounds.upper {
        Some(upper) => Some(upper.clone()).filter(Rational::is_integer)?,
        None => most_left(program, var).or_else(|| most_needed(program, var, &lower))?,
    };
    (lower <= upper).then_some((lower, upper))
}

/// What the tightest row leaves a reply at most.
fn most_left(program: &Program, var: VarId) -> Option<Rational> {
    let sides = program.rows().iter().flat_map(sides);
    let left = sides.filter_map(|(row, sign, side)| {
        let by = coefficient(row, var)? * &sign;
        let rest = least(program, row, &sign, var);
        by.is_positive().then_some((side - rest?) / by)
    });
    left.map(|left| left.floor()).min()
}

/// What the rows that a reply helps need of it at most, if more is never cheaper.
fn most_needed(program: &Program, var: VarId, lower: &Rational) -> Option<Rational> {
    let objective = program.objective();
    let cost = objective.and_then(|objective| {
        let term = objective.terms.iter().find(|term| term.0 == var)?;
        Some(match objective.sense {
            Sense::Minimize => term.1.clone(),
            Sense::Maximize => -term.1.clone(),
        })
    });
    if cost.is_some_and(|cost| cost.is_negative()) {
        return None;
    }
    let mut most = lower.clone();
    for (row, sign, side) in program.rows().iter().flat_map(sides) {
        if let Some(by) = coefficient(row, var).map(|by| by * &sign)
            && by.is_negative()
        {
            // In the form `Σ <= side` it helps; the others are at their most harmful.
            let rest = -least(program, row, &-sign, var)?;
            most = most.max(((rest - side) / by.abs()).ceil());
        }
    }
    Some(most)
}

fn coefficient(row: &Row, var: VarId) -> Option<Rational> {
    let term = row.terms.iter().find(|term| term.0 == var)?;
    Some(term.1.clone())
}

/// The sides of a row as `sign · Σ <= side`.
fn sides(row: &Row) -> impl Iterator<Item = (&Row, Rational, Rational)> {
    let upper = row.upper.clone().map(|upper| (row, Rational::one(), upper));
    let lower = row
        .lower
        .clone()
        .map(|lower| (row, -Rational::one(), -lower));
    upper.into_iter().chain(lower)
}

/// The least that `sign · Σ` can be without one variable.
fn least(program: &Program, row: &Row, sign: &Rational, without: VarId) -> Option<Rational> {
    let mut sum = Rational::zero();
    for (var, by) in row.terms.iter().filter(|term| term.0 != without) {
        let by = by * sign;
        let domain = program.variables()[*var].domain();
        let end = if by.is_positive() {
            domain.lower
        } else {
            domain.upper
        };
        sum += by * end?;
    }
    Some(sum)
}
