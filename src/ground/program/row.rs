//! Rows and the objective: sums of exact multiples of variables.

use std::cmp::Ordering;
use std::fmt;

use num_traits::Zero;

use super::ids::{Id, VarId};
use crate::num::{Rational, Sum, compare};

/// `coefficient · variable`.
pub type Term = (VarId, Rational);

/// `lower <= Σ terms <= upper`; an absent side does not bind, equal sides make an equation.
///
/// **Invariant:** inside a [`Program`](super::Program) the terms are sorted by variable, each
/// variable occurs once, and no coefficient is zero.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The user's name for it, if any.
    pub name: Option<String>,
    /// The left-hand side.
    pub terms: Vec<Term>,
    /// The sum must be at least this.
    pub lower: Option<Rational>,
    /// The sum must be at most this.
    pub upper: Option<Rational>,
}

impl Row {
    /// `Σ terms <= rhs`.
    pub fn at_most(terms: Vec<Term>, rhs: Rational) -> Self {
        Self {
            name: None,
            terms,
            lower: None,
            upper: Some(rhs),
        }
    }

    /// `Σ terms >= rhs`.
    pub fn at_least(terms: Vec<Term>, rhs: Rational) -> Self {
        Self {
            name: None,
            terms,
            lower: Some(rhs),
            upper: None,
        }
    }

    /// `Σ terms = rhs`.
    pub fn equal(terms: Vec<Term>, rhs: Rational) -> Self {
        Self {
            name: None,
            terms,
            lower: Some(rhs.clone()),
            upper: Some(rhs),
        }
    }

    /// The same row under a name.
    #[must_use]
    pub fn named(mut self, name: impl Into<String>) -> Self {
        self.name = Some(name.into());
        self
    }

    /// Whether both sides bind at the same number.
    pub fn is_equation(&self) -> bool {
        self.lower.is_some() && self.lower == self.upper
    }

    /// The value of the left-hand side when `value(v)` is the value of `v`.
    pub fn activity<'a>(&self, value: impl Fn(VarId) -> &'a Rational) -> Rational {
        evaluate(&self.terms, value)
    }

    /// Whether the sum `activity` satisfies both sides.
    pub fn admits(&self, activity: &Rational) -> bool {
        let within = |side: &Option<Rational>, outside: Ordering| {
            let mut sides = side.iter();
            sides.all(|side| compare(activity, side) != outside)
        };
        within(&self.lower, Ordering::Less) && within(&self.upper, Ordering::Greater)
    }
}

/// `Σ coefficient · value`.
pub fn evaluate<'a>(terms: &[Term], value: impl Fn(VarId) -> &'a Rational) -> Rational {
    let mut sum = Sum::default();
    for (var, coefficient) in terms {
        sum.add_product(coefficient, value(*var));
    }
    sum.finish()
}

/// Sorts terms by variable, adds up repeated ones and drops zeros.
pub fn normalized(mut terms: Vec<Term>) -> Vec<Term> {
    if !terms.is_sorted_by(|(left, _), (right, _)| left < right) {
        terms.sort_by_key(|(var, _)| var.index());
        terms.dedup_by(|(var, coefficient), (kept, total)| {
            let same = var == kept;
            if same {
                *total += &*coefficient;
            }
            same
        });
    }
    terms.retain(|(_, coefficient)| !coefficient.is_zero());
    terms
}

/// What the existential player wishes; the universal player wishes the opposite.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum Sense {
    /// Small is good for the existential player.
    Minimize,
    /// Large is good for the existential player.
    Maximize,
}

impl fmt::Display for Sense {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Self::Minimize => "minimize",
            Self::Maximize => "maximize",
        })
    }
}

/// The objective `sense Σ terms + constant`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Objective {
    /// The user's name for it, if any.
    pub name: Option<String>,
    /// The existential player's wish.
    pub sense: Sense,
    /// The variable part, with the invariant of [`Row`].
    pub terms: Vec<Term>,
    /// Added to every play.
    pub constant: Rational,
}

/// Between the user's objective and a cost, which the existential player always wants small.
///
/// The conversion is its own inverse.
pub fn cost_of_objective(program: &super::Program, value: Rational) -> Rational {
    match program.objective().map(|objective| objective.sense) {
        Some(Sense::Maximize) => -value,
        _ => value,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::num::int;

    #[test]
    fn repeated_terms_add_up_and_zeros_go() {
        let x = VarId::new(0);
        let y = VarId::new(1);
        let terms = vec![(y, int(2)), (x, int(1)), (y, int(3)), (x, int(-1))];
        assert_eq!(normalized(terms), vec![(y, int(5))]);
        assert_eq!(
            normalized(vec![(x, int(0)), (y, int(1))]),
            vec![(y, int(1))]
        );
    }
}
