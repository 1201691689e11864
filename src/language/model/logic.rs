//! Sentences about binary variables, as rows.
//!
//! Every function here gives constraints, so the same words serve the existential system
//! ([`Model::subject_to`](super::Model::subject_to)) and the universal one
//! ([`Model::uncertainty`](super::Model::uncertainty)). A variable in them that is not binary is
//! an error when the model is built.

use std::ops::Not;

use super::constraint::{Compare, Constraint};
use super::expression::{Expr, sum};
use super::variable::Var;

/// A binary variable or its negation, `!x`.
///
/// ```
/// use quip::model::*;
/// let mut model = Model::new();
/// let x = model.exists().binary("x");
/// let y = model.exists().binary("y");
/// // not both absent
/// model.subject_to(at_most_one([!x, !y]));
/// assert_eq!(!!x, Literal::from(x));
/// ```
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub struct Literal {
    pub(super) var: Var,
    pub(super) positive: bool,
}

impl From<Var> for Literal {
    fn from(var: Var) -> Self {
        Self {
            var,
            positive: true,
        }
    }
}

impl From<&Var> for Literal {
    fn from(var: &Var) -> Self {
        Self::from(*var)
    }
}

impl From<Literal> for Expr {
    /// `x`, or `1 - x` for the negation.
    fn from(literal: Literal) -> Self {
        if literal.positive {
            Self::from(literal.var)
        } else {
            1 - literal.var
        }
    }
}

impl Not for Literal {
    type Output = Self;

    fn not(self) -> Self {
        Self {
            positive: !self.positive,
            ..self
        }
    }
}

impl Not for Var {
    type Output = Literal;

    fn not(self) -> Literal {
        !Literal::from(self)
    }
}

/// Exactly one of them is true.
///
/// ```
/// use quip::model::*;
/// let mut model = Model::new();
/// let pick = model.exists().binaries("pick", 0..4);
/// model.subject_to(exactly_one(&pick).named("one_pick"));
/// ```
pub fn exactly_one<L: Into<Literal>>(literals: impl IntoIterator<Item = L>) -> Constraint {
    count(literals).equals(1).of_logic()
}

/// One of them is true, or none.
///
/// ```
/// use quip::model::*;
/// let mut model = Model::new();
/// let attack = model.forall().binaries("attack", 0..4);
/// model.uncertainty(at_most_one(&attack));
/// ```
pub fn at_most_one<L: Into<Literal>>(literals: impl IntoIterator<Item = L>) -> Constraint {
    count(literals).leq(1).of_logic()
}

/// At least one of them is true: a clause.
///
/// ```
/// use quip::model::*;
/// let mut model = Model::new();
/// let (x, y) = (model.exists().binary("x"), model.exists().binary("y"));
/// model.subject_to(at_least_one([!x, y.into()]));
/// ```
pub fn at_least_one<L: Into<Literal>>(literals: impl IntoIterator<Item = L>) -> Constraint {
    count(literals).geq(1).of_logic()
}

/// `premise → conclusion`.
///
/// ```
/// use quip::model::*;
/// let mut model = Model::new();
/// let (ship, open) = (model.exists().binary("ship"), model.exists().binary("open"));
/// model.subject_to(implies(ship, open)).subject_to(implies(!open, !ship));
/// ```
pub fn implies(premise: impl Into<Literal>, conclusion: impl Into<Literal>) -> Constraint {
    truth(premise).leq(truth(conclusion)).of_logic()
}

/// `result = a ∧ b ∧ …`; the conjunction of nothing is true. One row per operand and one that
/// counts them.
///
/// [`Stage::conjunction`](super::Stage::conjunction) also creates `result`.
///
/// ```
/// use quip::model::*;
/// let mut model = Model::new();
/// let x = model.exists().binaries("x", 0..3);
/// let full = model.exists().binary("full");
/// model.subject_to_all(conjunction(full, &x));
/// assert_eq!(model.build()?.rows().len(), 4);
/// # Ok::<(), ModelError>(())
/// ```
pub fn conjunction<L: Into<Literal>>(
    result: impl Into<Literal>,
    operands: impl IntoIterator<Item = L>,
) -> Vec<Constraint> {
    let result = result.into();
    let operands: Vec<Literal> = operands.into_iter().map(Into::into).collect();
    let mut rows: Vec<_> = operands.iter().map(|&part| implies(result, part)).collect();
    let all_but_one = Expr::from(operands.len()) - 1;
    rows.push((count(operands) - result).leq(all_but_one).of_logic());
    rows
}

/// `result = a ∨ b ∨ …`; the disjunction of nothing is false. One row per operand and one that
/// counts them.
///
/// [`Stage::disjunction`](super::Stage::disjunction) also creates `result`.
///
/// ```
/// use quip::model::*;
/// let mut model = Model::new();
/// let x = model.exists().binaries("x", 0..3);
/// let any = model.exists().binary("any");
/// model.subject_to_all(disjunction(any, &x));
/// assert_eq!(model.build()?.rows().len(), 4);
/// # Ok::<(), ModelError>(())
/// ```
pub fn disjunction<L: Into<Literal>>(
    result: impl Into<Literal>,
    operands: impl IntoIterator<Item = L>,
) -> Vec<Constraint> {
    let result = result.into();
    let operands: Vec<Literal> = operands.into_iter().map(Into::into).collect();
    let mut rows: Vec<_> = operands.iter().map(|&part| implies(part, result)).collect();
    rows.push(truth(result).leq(count(operands)).of_logic());
    rows
}

/// 1 when it is true, 0 when it is false.
fn truth(literal: impl Into<Literal>) -> Expr {
    Expr::from(literal.into())
}

/// How many are true.
fn count<L: Into<Literal>>(literals: impl IntoIterator<Item = L>) -> Expr {
    sum(literals.into_iter().map(truth))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Model;
    use crate::num::int;

    #[test]
    fn a_negation_counts_as_one_minus_the_variable() {
        let x = Model::new().exists().binary("x");
        assert_eq!(truth(!x).value(|_| int(1)), Ok(int(0)));
        assert_eq!(truth(!x).value(|_| int(0)), Ok(int(1)));
        assert_eq!(!!x, Literal::from(x));
    }

    #[test]
    fn nothing_is_a_true_conjunction_and_a_false_disjunction() {
        let mut model = Model::new();
        let z = model.exists().binary("z");
        let nothing: [Var; 0] = [];
        model.subject_to_all(conjunction(z, nothing));
        model.subject_to_all(disjunction(z, nothing));
        let program = model.build().unwrap();
        let rows = program.rows().as_slice();
        // -z <= -1, and z <= 0.
        assert_eq!(rows[0].terms[0].1, int(-1));
        assert_eq!(rows[0].upper, Some(int(-1)));
        assert_eq!(rows[1].terms[0].1, int(1));
        assert_eq!(rows[1].upper, Some(int(0)));
    }
}
