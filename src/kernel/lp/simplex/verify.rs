//! The proof check: reads the program and the answer, and nothing of the tableau.

use num_traits::{Signed, Zero};

use super::{Answer, LinearProgram};
use crate::num::Rational;
use crate::program::{Bounds, IdVec, RowId, Term, VarId, evaluate};

impl Answer {
    /// Whether the answer is right, by weak duality alone.
    pub fn is_proved_for(&self, program: &LinearProgram) -> bool {
        match self {
            Self::Optimal {
                point,
                value,
                multipliers,
            } => {
                admits(program, point)
                    && evaluate(&program.objective, |column| &point[column]) == *value
                    && dual_bound(program, &program.objective, multipliers).as_ref() == Some(value)
            }
            Self::Infeasible { multipliers } => {
                has_crossed_bounds(program)
                    || dual_bound(program, &[], multipliers).is_some_and(|it| it.is_positive())
            }
            Self::Unbounded { point, ray } => {
                admits(program, point)
                    && keeps_admitted(program, ray)
                    && evaluate(&program.objective, |column| &ray[column]).is_negative()
            }
        }
    }
}

/// What the objective is at least, whatever the columns are: `Σ multiplier · side` plus the
/// smallest value over the box of what the multiplied rows leave of the objective.
///
/// Any multipliers give a valid bound; `None` is minus infinity.
pub fn dual_bound(
    program: &LinearProgram,
    objective: &[Term],
    multipliers: &IdVec<RowId, Rational>,
) -> Option<Rational> {
    let mut rest = IdVec::<VarId, Rational>::filled(program.bounds.len(), Rational::zero());
    for (column, factor) in objective {
        rest[*column] += factor;
    }
    let mut bound = Rational::zero();
    for (id, row) in program.rows.pairs() {
        let multiplier = &multipliers[id];
        if multiplier.is_zero() {
            continue;
        }
        for (column, factor) in &row.terms {
            rest[*column] -= multiplier * factor;
        }
        let sides = Bounds {
            lower: row.lower.clone(),
            upper: row.upper.clone(),
        };
        bound += smallest(multiplier, &sides)?;
    }
    for (column, range) in program.bounds.pairs() {
        bound += smallest(&rest[column], range)?;
    }
    Some(bound)
}

/// The smallest multiple of anything in the range.
fn smallest(factor: &Rational, range: &Bounds) -> Option<Rational> {
    if factor.is_zero() {
        return Some(Rational::zero());
    }
    let end = if factor.is_positive() {
        &range.lower
    } else {
        &range.upper
    };
    end.as_ref().map(|end| end * factor)
}

fn admits(program: &LinearProgram, point: &IdVec<VarId, Rational>) -> bool {
    let inside = |(column, range): (VarId, &Bounds)| range.contains(&point[column]);
    program.bounds.pairs().all(inside)
        && program
            .rows
            .iter()
            .all(|row| row.admits(&row.activity(|column| &point[column])))
}

/// Whether adding any positive multiple of `ray` to an admitted point keeps it admitted.
fn keeps_admitted(program: &LinearProgram, ray: &IdVec<VarId, Rational>) -> bool {
    let open = |lower: &Option<Rational>, upper: &Option<Rational>, rate: &Rational| {
        (upper.is_none() || !rate.is_positive()) && (lower.is_none() || !rate.is_negative())
    };
    let columns = program.bounds.pairs();
    let mut boxes = columns.map(|(column, range)| open(&range.lower, &range.upper, &ray[column]));
    let mut rows = program.rows.iter().map(|row| {
        let rate = row.activity(|column| &ray[column]);
        open(&row.lower, &row.upper, &rate)
    });
    boxes.all(|kept| kept) && rows.all(|kept| kept)
}

fn has_crossed_bounds(program: &LinearProgram) -> bool {
    let crossed = |lower: &Option<Rational>, upper: &Option<Rational>| matches!((lower, upper), (Some(lower), Some(upper)) if lower > upper);
    program
        .bounds
        .iter()
        .any(|range| crossed(&range.lower, &range.upper))
        || program
            .rows
            .iter()
            .any(|row| crossed(&row.lower, &row.upper))
}
