//! Bounds as statements: what explanations and learnt rows are made of.

use super::store::End;
use crate::program::VarId;

/// A bound: at least `value` (the lower end) or at most (the upper end).
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Literal {
    /// The variable.
    pub var: VarId,
    /// Which end it bounds.
    pub end: End,
    /// The bound.
    pub value: i64,
}

impl Literal {
    /// The bound at the end that makes the sum large if `coefficient` is positive, and the other
    /// one if it is negative.
    pub fn raising(var: VarId, coefficient: i64, value: i64) -> Self {
        let end = if coefficient > 0 {
            End::Lower
        } else {
            End::Upper
        };
        Self { var, end, value }
    }

    /// Whether a bound at the same end says at least as much.
    #[inline]
    pub fn follows_from(self, bound: i64) -> bool {
        match self.end {
            End::Lower => bound >= self.value,
            End::Upper => bound <= self.value,
        }
    }

    /// The value nearest to those that the bound allows.
    pub(super) fn first_excluded(self) -> i64 {
        match self.end {
            End::Lower => self.value - 1,
            End::Upper => self.value + 1,
        }
    }
}

/// Bounds under which a position is lost, or won.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Because {
    /// Sorted by variable, at most one for each end.
    pub literals: Vec<Literal>,
    /// Whether the loss is one of cost: then it is only known for the limit it was found under.
    pub leans_on_cost: bool,
}

/// A bound that a sum leans on, and what one step of it is worth there.
#[derive(Copy, Clone, Debug)]
pub struct Term {
    /// The bound.
    pub literal: Literal,
    /// How much the sum loses with each step towards the domain's end.
    pub step: i128,
}
