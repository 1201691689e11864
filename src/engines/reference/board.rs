//! The program as the enumeration sees it: places in playing order, each with its owner and range.

use num_traits::ToPrimitive;

use crate::outcome::SolveError;
use crate::program::{Kind, Program, Quantifier, VarId};

/// One variable, at its place in the playing order.
pub(super) struct Place {
    /// The variable that is fixed here.
    pub var: VarId,
    /// Who fixes it.
    pub owner: Quantifier,
    /// The whole numbers it may take; `None` for a real variable.
    pub range: Option<(i128, i128)>,
}

/// The playing order.
///
/// It is the prefix, except that the integers of a block come before its reals: inside a block the
/// order does not change the value, and so the reals of the last block are a tail.
pub(super) struct Board {
    /// In playing order.
    pub places: Vec<Place>,
    /// The first real place; everything from here on is the tail.
    pub tail: usize,
}

impl Board {
    /// Orders the variables; refuses ranges that nobody could walk through.
    pub fn new(program: &Program) -> Result<Self, SolveError> {
        let order = program.playing_order().into_iter();
        let places: Result<Vec<Place>, _> = order.map(|var| place(program, var)).collect();
        let places = places?;
        let first_real = places.iter().position(|place| place.range.is_none());
        Ok(Self {
            tail: first_real.unwrap_or(places.len()),
            places,
        })
    }
}

fn place(program: &Program, var: VarId) -> Result<Place, SolveError> {
    let variable = &program.variables()[var];
    let domain = variable.domain();
    let range = match (variable.kind, &domain.lower, &domain.upper) {
        (Kind::Integer, Some(lower), Some(upper)) => {
            let ends = (lower.to_integer().to_i64(), upper.to_integer().to_i64());
            let (Some(lower), Some(upper)) = ends else {
                return Err(super::unsupported(format!(
                    "the bounds of variable `{}` do not fit 64-bit integers; tighten them",
                    variable.name
                )));
            };
            Some((lower.into(), upper.into()))
        }
        // The validation of programs leaves infinite bounds to reals only.
        _ => None,
    };
    Ok(Place {
        var,
        owner: variable.quantifier,
        range,
    })
}
