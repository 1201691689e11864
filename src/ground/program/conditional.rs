//! A row that binds only under conditions, as plain rows.
//!
//! Under the conditions `c_1, …, c_k` the row `expression <= rhs` becomes
//! `expression + M (c_1 + … + c_k) <= rhs + k M`, where `M >= 0` is the amount by which the
//! expression can exceed `rhs` inside the bounds of its variables. While all conditions hold the
//! row is what it was; with one of them broken it gives way by at least `M`, which no value inside
//! the bounds can use up.

use num_traits::{Signed, Zero};

use super::{Bounds, Row, Term, VarId};
use crate::num::Rational;

/// A variable whose missing bound leaves a conditional row no finite `M`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenEnd {
    /// The variable.
    pub variable: VarId,
    /// `lower` or `upper`.
    pub side: &'static str,
}

/// The row as one unconditional row per side. The terms of `row` are normalized; a condition holds
/// where its binary variable is 1, or 0 if `false` stands beside it.
///
/// ```
/// use quip::num::int;
/// use quip::program::{Bounds, Id, Row, VarId, relaxed};
/// let [x, b] = [0, 1].map(VarId::new);
/// let row = Row::at_most(vec![(x, int(1))], int(2));
/// // With b = 1 it is x <= 2, with b = 0 it is x <= 9.
/// let domain = |_| Bounds::between(int(0), int(9));
/// let relaxed = relaxed(&row, &[(b, true)], domain).unwrap();
/// assert_eq!(relaxed, [Row::at_most(vec![(x, int(1)), (b, int(7))], int(9))]);
/// ```
pub fn relaxed(
    row: &Row,
    conditions: &[(VarId, bool)],
    domain: impl Fn(VarId) -> Bounds,
) -> Result<Vec<Row>, Vec<OpenEnd>> {
    let both = row.lower.is_some() && row.upper.is_some();
    let called = |side: &str| match &row.name {
        Some(name) if both => Some(format!("{name}.{side}")),
        name => name.clone(),
    };
    let (mut rows, mut open) = (Vec::new(), Vec::new());
    if let Some(lower) = &row.lower
        && let Some(least) = extreme(&row.terms, Side::Lower, &domain, &mut open)
    {
        let slack = -nonnegative(lower - least);
        let (terms, rhs) = give_way(&row.terms, lower, conditions, &slack);
        rows.push(Row {
            name: called("lower"),
            ..Row::at_least(terms, rhs)
        });
    }
    if let Some(upper) = &row.upper
        && let Some(most) = extreme(&row.terms, Side::Upper, &domain, &mut open)
    {
        let slack = nonnegative(most - upper);
        let (terms, rhs) = give_way(&row.terms, upper, conditions, &slack);
        rows.push(Row {
            name: called("upper"),
            ..Row::at_most(terms, rhs)
        });
    }
    if open.is_empty() { Ok(rows) } else { Err(open) }
}

/// The largest or smallest sum inside the bounds; if it is infinite, every variable that makes it so
/// is listed.
fn extreme(
    terms: &[Term],
    side: Side,
    domain: impl Fn(VarId) -> Bounds,
    open: &mut Vec<OpenEnd>,
) -> Option<Rational> {
    let mut total = Some(Rational::zero());
    for (variable, coefficient) in terms {
        let end = if coefficient.is_positive() {
            side
        } else {
            side.other()
        };
        match end.of(domain(*variable)) {
            Some(bound) => total = total.map(|sum| sum + coefficient * bound),
            None => {
                total = None;
                open.push(OpenEnd {
                    variable: *variable,
                    side: end.name(),
                });
            }
        }
    }
    total
}

/// `terms + slack · Σ conditions`, and `rhs + slack · (number of conditions)`: the two sides of the
/// relaxed row. A negated condition `1 - b` leaves its constant on the right.
fn give_way(
    terms: &[Term],
    rhs: &Rational,
    conditions: &[(VarId, bool)],
    slack: &Rational,
) -> (Vec<Term>, Rational) {
    let mut terms = terms.to_vec();
    let mut rhs = rhs.clone();
    for &(id, positive) in conditions {
        if positive {
            terms.push((id, slack.clone()));
            rhs += slack;
        } else {
            terms.push((id, -slack));
        }
    }
    (terms, rhs)
}

fn nonnegative(value: Rational) -> Rational {
    if value.is_negative() {
        Rational::zero()
    } else {
        value
    }
}

/// One end of an interval.
#[derive(Copy, Clone)]
enum Side {
    Lower,
    Upper,
}

impl Side {
    fn other(self) -> Self {
        match self {
            Self::Lower => Self::Upper,
            Self::Upper => Self::Lower,
        }
    }

    fn of(self, bounds: Bounds) -> Option<Rational> {
        match self {
            Self::Lower => bounds.lower,
            Self::Upper => bounds.upper,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Lower => "lower",
            Self::Upper => "upper",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::num::int;
    use crate::program::Id;

    #[test]
    fn a_negated_condition_leaves_its_constant_on_the_right() {
        let (terms, rhs) = give_way(&[], &int(2), &[(VarId::new(0), false)], &int(7));
        assert_eq!(terms, [(VarId::new(0), int(-7))]);
        assert_eq!(rhs, int(2));
    }
}
