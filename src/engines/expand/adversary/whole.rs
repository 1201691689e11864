//! Real replies on a network may as well be integers.
//!
//! **Claim:** let the reals be replies of the last block on a [`network`](super::network), and measured in a unit in which their
//! bounds are whole, and every row that they stand in is, divided by their coefficient, whole in everything else. Then the
//! best reply to whole decisions and moves is a whole vertex, so the value is the same with integers in that unit.
//!
//! A reply without an upper end gets one that costs nothing: what a row leaves at most, or what the rows that it helps need at
//! most, if more of it is never cheaper.

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Signed, Zero};

use super::network::is_network;
use crate::num::Rational;
use crate::program::{Bounds, Id, Kind, Program, Quantifier, Row, Sense, VarId};

/// A unit may be so small.
const FINEST: i64 = 1_000_000;

/// A program with integer replies.
pub(in crate::expand) struct Whole {
    pub program: Program,
    /// The replies that were real.
    pub replies: Vec<VarId>,
    /// How many units are one.
    pub unit: Rational,
}

/// The program with integer replies; `None` if it has no reals, or others.
pub(in crate::expand) fn on_a_network(program: &Program) -> Option<Whole> {
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
    let mut finest = BigInt::one();
    for (number, row) in program.rows().iter().enumerate() {
        let replied: Vec<_> = row.terms.iter().filter(|(var, _)| is_real(*var)).collect();
        let Some(unit) = replied.first().map(|term| term.1.abs()) else {
            continue;
        };
        let terms = row.terms.iter().map(|term| &term.1);
        for number in terms.chain(&row.lower).chain(&row.upper) {
            finest = finest.lcm((number / &unit).denom());
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
    let ends = reals.iter().map(|&var| ends(program, var));
    let ends: Vec<(Rational, Rational)> = ends.collect::<Option<_>>()?;
    for end in ends.iter().flat_map(|(lower, upper)| [lower, upper]) {
        finest = finest.lcm(end.denom());
    }
    if finest > BigInt::from(FINEST) {
        return None;
    }
    let unit = Rational::from_integer(finest);
    let mut data = program.clone().into_data();
    let rows = data.rows.iter_mut().map(|row| &mut row.terms);
    let objective = data
        .objective
        .as_mut()
        .map(|objective| &mut objective.terms);
    for (var, by) in rows.chain(objective).flatten() {
        if is_real(*var) {
            *by = &*by / &unit;
        }
    }
    for (&var, (lower, upper)) in reals.iter().zip(ends) {
        let variable = &mut data.variables[var.index()];
        let bounds = Bounds::between(lower * &unit, upper * &unit);
        (variable.kind, variable.bounds) = (Kind::Integer, bounds);
    }
    Some(Whole {
        program: Program::new(data).ok()?,
        replies: reals,
        unit,
    })
}

/// The ends of a reply.
fn ends(program: &Program, var: VarId) -> Option<(Rational, Rational)> {
    let bounds = &program.variables()[var].bounds;
    let lower = bounds.lower.clone()?;
    let upper = match &bounds.upper {
        Some(upper) => upper.clone(),
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
    left.min()
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
            most = most.max((rest - side) / by.abs());
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
