//! Rows that bind only under conditions, as plain rows.
//!
//! Under the conditions `c_1, …, c_k` the row `expression <= rhs` becomes
//! `expression + M (c_1 + … + c_k) <= rhs + k M`, where `M >= 0` is the amount by which the
//! expression can exceed `rhs` inside the bounds of its variables. While all conditions hold the
//! row is what it was; with one of them broken it gives way by at least `M`, which no value inside
//! the bounds can use up.

use num_traits::{Signed, Zero};

use super::ModelFault;
use super::build::Builder;
use super::constraint::Constraint;
use crate::num::Rational;
use crate::program::{Bounds, Id, Row, Term, VarId, normalized};

impl Builder<'_> {
    /// The conditional row as one unconditional row per side.
    pub(super) fn relax(
        &mut self,
        constraint: &Constraint,
        row: Row,
        place: &str,
        rows: &mut Vec<Row>,
    ) {
        // Only added-up terms tell the true range: a variable may stand on both sides.
        let terms = normalized(row.terms);
        let conditions = self.conditions(constraint, place);
        let both = row.lower.is_some() && row.upper.is_some();
        let called = |side: &str| match &row.name {
            Some(name) if both => Some(format!("{name}.{side}")),
            name => name.clone(),
        };
        if let Some(lower) = &row.lower
            && let Some(least) = self.extreme(&terms, Side::Lower, place)
        {
            let slack = -nonnegative(lower - least);
            let (terms, rhs) = give_way(&terms, lower, &conditions, &slack);
            let name = called("lower");
            rows.push(Row {
                name,
                ..Row::at_least(terms, rhs)
            });
        }
        if let Some(upper) = &row.upper
            && let Some(most) = self.extreme(&terms, Side::Upper, place)
        {
            let slack = nonnegative(most - upper);
            let (terms, rhs) = give_way(&terms, upper, &conditions, &slack);
            let name = called("upper");
            rows.push(Row {
                name,
                ..Row::at_most(terms, rhs)
            });
        }
    }

    /// For every condition its variable, and whether it holds at 1.
    fn conditions(&mut self, constraint: &Constraint, place: &str) -> Vec<(VarId, bool)> {
        let mut conditions = Vec::with_capacity(constraint.conditions.len());
        for literal in &constraint.conditions {
            match self.id(literal.var) {
                Some(id) => {
                    self.expect_binary(id, place);
                    conditions.push((id, literal.positive));
                }
                None => self.blame_stranger(place),
            }
        }
        conditions
    }

    /// The largest or smallest sum inside the bounds; if it is infinite, a fault for every
    /// variable that makes it so.
    fn extreme(&mut self, terms: &[Term], side: Side, place: &str) -> Option<Rational> {
        let mut total = Some(Rational::zero());
        for (id, coefficient) in terms {
            let end = if coefficient.is_positive() {
                side
            } else {
                side.other()
            };
            let variable = &self.variables[id.index()];
            match end.of(variable.domain()) {
                Some(bound) => total = total.map(|sum| sum + coefficient * bound),
                None => {
                    total = None;
                    self.faults.push(ModelFault::UnboundedCondition {
                        place: place.to_owned(),
                        side: end.name(),
                        variable: variable.name.clone(),
                    });
                }
            }
        }
        total
    }
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
    use crate::model::Model;
    use crate::num::int;
    use crate::row;

    #[test]
    fn a_negated_condition_leaves_its_constant_on_the_right() {
        let (terms, rhs) = give_way(&[], &int(2), &[(VarId::new(0), false)], &int(7));
        assert_eq!(terms, [(VarId::new(0), int(-7))]);
        assert_eq!(rhs, int(2));
    }

    #[test]
    fn every_infinite_bound_that_matters_is_named() {
        let mut model = Model::new();
        let b = model.exists().binary("b");
        let x = model.exists().real("x", 0..);
        let y = model.exists().real("y", ..=5);
        let z = model.exists().real("z", 0..);
        model.subject_to(row!("r": x - y - z <= 0).when(b));
        let error = model.build().unwrap_err();
        let culprit = |fault: &ModelFault| match fault {
            ModelFault::UnboundedCondition { side, variable, .. } => format!("{side} {variable}"),
            other => panic!("unexpected: {other}"),
        };
        let culprits: Vec<_> = error.faults().iter().map(culprit).collect();
        assert_eq!(culprits, ["upper x", "lower y"]);
    }

    #[test]
    fn a_condition_that_is_not_binary_is_refused() {
        let mut model = Model::new();
        let n = model.exists().integer("n", 0..=2);
        model.subject_to(row!("r": n <= 1).when(n));
        assert_eq!(
            model.build().unwrap_err().to_string(),
            "row `r` speaks of `n` as true or false, but it is not binary"
        );
    }
}
