//! A bridge to `good_lp`: its expressions and constraints as ours, exactly, and ours as its.
//!
//! `good_lp` computes in floats. Here each of its coefficients is read as the shortest decimal
//! that prints it, so `0.1` becomes 1/10; what `good_lp` rounded before, as in `0.1 + 0.2`, stays
//! rounded. In the other direction every coefficient becomes the nearest float, which is fit for
//! a relaxation or a heuristic and for nothing that must be proved.

use ::good_lp::{IntoAffineExpression, ProblemVariables, Variable, variable};
use num_traits::ToPrimitive;
use rustc_hash::FxHashMap;

use super::constraint::{Compare, Constraint};
use super::expression::Expr;
use super::number::Number;
use super::variable::{Interval, Name, Var};
use super::{Model, Stage};
use crate::num::Rational;
use crate::program::Kind;

/// Which variable of ours is which of `good_lp`'s.
///
/// ```
/// use good_lp::{constraint, variable, variables};
/// use quip::model::*;
///
/// let mut theirs = variables!();
/// let a = theirs.add(variable().integer().min(0).max(9));
/// let mut model = Model::new();
/// let x = model.exists().integer("x", 0..=9);
///
/// let mut bridge = GoodLp::new();
/// bridge.pair(a, x);
/// model.subject_to(bridge.constraint(&constraint!(0.1 * a <= 0.7))?);
///
/// let program = model.build()?;
/// let row = program.rows().iter().next().unwrap();
/// assert_eq!(row.terms[0].1, quip::num::ratio(1, 10));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct GoodLp {
    ours: FxHashMap<Variable, Var>,
    theirs: FxHashMap<Var, Variable>,
}

/// Why something cannot cross the bridge.
///
/// ```
/// use quip::model::*;
/// let x = Model::new().exists().binary("x");
/// let error = GoodLp::new().expression_of(&Expr::from(x)).unwrap_err();
/// assert_eq!(error, GoodLpError::OursUnpaired);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GoodLpError {
    /// A variable of `good_lp` that was not paired with one of ours.
    #[error("the good_lp variable {0} is paired with no variable of the model; pair it first")]
    TheirsUnpaired(String),
    /// A variable of ours that was not paired with one of `good_lp`'s.
    #[error("a variable of the expression is paired with no good_lp variable; pair it first")]
    OursUnpaired,
    /// A number that a float cannot hold, or that could not be read.
    #[error("`{0}` is not a finite number that a float can hold")]
    NotAFloat(String),
}

impl GoodLp {
    /// A bridge that knows no variable yet.
    ///
    /// ```
    /// let bridge = quip::model::GoodLp::new();
    /// # let _ = bridge;
    /// ```
    pub fn new() -> Self {
        Self::default()
    }

    /// Declares that `theirs` and `ours` are the same variable. A later pairing of either
    /// replaces the earlier one.
    ///
    /// ```
    /// let mut theirs = good_lp::variables!();
    /// let a = theirs.add_variable();
    /// let x = quip::model::Model::new().exists().binary("x");
    /// let mut bridge = quip::model::GoodLp::new();
    /// bridge.pair(a, x);
    /// assert!(bridge.expression(a + 1).is_ok());
    /// ```
    pub fn pair(&mut self, theirs: Variable, ours: Var) {
        if let Some(former) = self.ours.insert(theirs, ours) {
            self.theirs.remove(&former);
        }
        if let Some(former) = self.theirs.insert(ours, theirs)
            && former != theirs
        {
            self.ours.remove(&former);
        }
    }

    /// Adds every variable of a `good_lp` problem to `stage`, with its kind, bounds and name, and
    /// pairs them. A variable without a name gets a generated one.
    ///
    /// ```
    /// use good_lp::{variable, variables};
    /// use quip::model::*;
    /// let mut theirs = variables!();
    /// let a = theirs.add(variable().binary().name("a"));
    /// let mut model = Model::new();
    /// let bridge = GoodLp::import(&theirs, &mut model.exists());
    /// model.minimize(bridge.expression(2 * a)?);
    /// assert!(model.build()?.find("a").is_some());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn import(theirs: &ProblemVariables, stage: &mut Stage<'_>) -> Self {
        let mut bridge = Self::new();
        for (variable, definition) in theirs.iter_variables_with_def() {
            let interval = Interval {
                lower: bound(definition.get_min(), f64::NEG_INFINITY),
                upper: bound(definition.get_max(), f64::INFINITY),
            };
            let name = match definition.get_name() {
                "" => Name::Generated,
                name => Name::from(name),
            };
            let ours = if definition.is_integer() {
                stage.integer(name, interval)
            } else {
                stage.real(name, interval)
            };
            bridge.pair(variable, ours);
        }
        bridge
    }

    /// Adds every variable of the model to a `good_lp` problem, with its kind, bounds and name,
    /// and pairs them. Quantifiers have no counterpart there: this is the existential relaxation's
    /// set of variables.
    ///
    /// ```
    /// use quip::model::*;
    /// let mut model = Model::new();
    /// let x = model.exists().integer("x", 0..=9);
    /// let mut theirs = good_lp::variables!();
    /// let bridge = GoodLp::export(&model, &mut theirs)?;
    /// assert_eq!(theirs.len(), 1);
    /// let cost = bridge.expression_of(&(dec("0.5") * x))?;
    /// # let _ = cost;
    /// # Ok::<(), GoodLpError>(())
    /// ```
    pub fn export(model: &Model, theirs: &mut ProblemVariables) -> Result<Self, GoodLpError> {
        let mut bridge = Self::new();
        for (index, placed) in (0..).zip(&model.variables) {
            let mut definition = variable().name(placed.name.as_str());
            if let Some(lower) = &placed.bounds.lower {
                definition = definition.min(float(lower)?);
            }
            if let Some(upper) = &placed.bounds.upper {
                definition = definition.max(float(upper)?);
            }
            if placed.kind == Kind::Integer {
                definition = definition.integer();
            }
            let ours = Var {
                model: model.token,
                index,
            };
            bridge.pair(theirs.add(definition), ours);
        }
        Ok(bridge)
    }

    /// Their expression as ours. A NaN or infinite coefficient is reported when the model is
    /// built.
    ///
    /// ```
    /// use quip::model::*;
    /// let mut theirs = good_lp::variables!();
    /// let a = theirs.add_variable();
    /// let x = Model::new().exists().binary("x");
    /// let mut bridge = GoodLp::new();
    /// bridge.pair(a, x);
    /// let ours = bridge.expression(0.3 * a + 1)?;
    /// assert_eq!(ours.terms(), [(x, quip::num::ratio(3, 10))]);
    /// # Ok::<(), GoodLpError>(())
    /// ```
    pub fn expression(&self, theirs: impl IntoAffineExpression) -> Result<Expr, GoodLpError> {
        let mut ours = Expr::from(theirs.constant());
        for (variable, coefficient) in theirs.linear_coefficients() {
            let var = self
                .ours
                .get(&variable)
                .ok_or_else(|| GoodLpError::TheirsUnpaired(format!("{variable:?}")))?;
            ours.add_term(coefficient, *var);
        }
        Ok(ours)
    }

    /// Their constraint as ours, with its name. `good_lp` keeps `left >= right` as
    /// `right - left <= 0`, and so does the result.
    ///
    /// ```
    /// use good_lp::constraint;
    /// use quip::model::*;
    /// let mut theirs = good_lp::variables!();
    /// let a = theirs.add_variable();
    /// let mut model = Model::new();
    /// let x = model.exists().binary("x");
    /// let mut bridge = GoodLp::new();
    /// bridge.pair(a, x);
    /// model.subject_to(bridge.constraint(&constraint!(a == 1).set_name("on".into()))?);
    /// let program = model.build()?;
    /// assert!(program.rows().iter().next().unwrap().is_equation());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn constraint(&self, theirs: &::good_lp::Constraint) -> Result<Constraint, GoodLpError> {
        let left = self.expression(theirs.expression())?;
        let ours = if theirs.is_equality() {
            left.equals(0)
        } else {
            left.leq(0)
        };
        Ok(match theirs.name() {
            Some(name) => ours.named(name),
            None => ours,
        })
    }

    /// Our expression as theirs, every number rounded to the nearest float.
    ///
    /// ```
    /// use good_lp::IntoAffineExpression;
    /// use quip::model::*;
    /// let mut theirs = good_lp::variables!();
    /// let a = theirs.add_variable();
    /// let x = Model::new().exists().binary("x");
    /// let mut bridge = GoodLp::new();
    /// bridge.pair(a, x);
    /// let expression = bridge.expression_of(&(x / 4 + 1))?;
    /// assert_eq!(expression.constant(), 1.0);
    /// assert_eq!(expression.linear_coefficients().next(), Some((a, 0.25)));
    /// # Ok::<(), GoodLpError>(())
    /// ```
    pub fn expression_of(&self, ours: &Expr) -> Result<::good_lp::Expression, GoodLpError> {
        if let Some(fault) = ours.faults().first() {
            return Err(GoodLpError::NotAFloat(fault.to_string()));
        }
        // Added up exactly first: the sum is then rounded once.
        let mut totals: FxHashMap<Var, Rational> = FxHashMap::default();
        for (var, coefficient) in ours.terms() {
            *totals.entry(*var).or_default() += coefficient;
        }
        let mut theirs = ::good_lp::Expression::with_capacity(totals.len());
        for (var, coefficient) in &totals {
            let variable = self.theirs.get(var).ok_or(GoodLpError::OursUnpaired)?;
            theirs.add_mul(float(coefficient)?, *variable);
        }
        Ok(theirs + float(ours.constant())?)
    }
}

fn float(value: &Rational) -> Result<f64, GoodLpError> {
    value
        .to_f64()
        .filter(|float| float.is_finite())
        .ok_or_else(|| GoodLpError::NotAFloat(value.to_string()))
}

fn bound(value: f64, absent: f64) -> Option<Number> {
    (value != absent).then(|| Number::from(value))
}

#[cfg(test)]
mod tests {
    use ::good_lp::{constraint, variables};

    use super::*;
    use crate::num::{int, ratio};
    use crate::program::Id;
    use crate::program::VarId;

    #[test]
    fn a_constraint_written_with_at_least_keeps_its_meaning() {
        let mut theirs = variables!();
        let a = theirs.add(variable().integer().min(-3).max(9));
        let mut model = Model::new();
        let bridge = GoodLp::import(&theirs, &mut model.exists());
        let ours = bridge.constraint(&constraint!(2.5 * a + 1 >= 3)).unwrap();
        model.subject_to(ours);
        let program = model.build().unwrap();
        let row = &program.rows().as_slice()[0];
        assert_eq!(row.terms, [(VarId::new(0), ratio(-5, 2))]);
        assert_eq!((&row.lower, &row.upper), (&None, &Some(int(-2))));
    }

    #[test]
    fn variables_come_over_with_kind_bounds_and_name() {
        let mut theirs = variables!();
        theirs.add(variable().binary().name("on"));
        theirs.add(variable().min(0.1));
        let mut model = Model::new();
        GoodLp::import(&theirs, &mut model.exists());
        let program = model.build().unwrap();
        let [on, free] = program.variables().as_slice() else {
            panic!("two variables were imported");
        };
        assert!(on.is_binary());
        assert_eq!((on.name.as_str(), free.name.as_str()), ("on", "_2"));
        assert_eq!(free.kind, Kind::Real);
        assert_eq!(
            (&free.bounds.lower, &free.bounds.upper),
            (&Some(ratio(1, 10)), &None)
        );
    }

    #[test]
    fn an_expression_goes_over_and_comes_back() {
        let mut model = Model::new();
        let x = model.exists().integers("x", 0..2, 0..=9);
        let mut theirs = variables!();
        let bridge = GoodLp::export(&model, &mut theirs).unwrap();
        // The multiples of x[0] are added up before they are rounded.
        let ours = x[0] / 10 + x[0] / 5 - 3 * x[1] + 7;
        let back = bridge
            .expression(bridge.expression_of(&ours).unwrap())
            .unwrap();
        let value = |var| if var == x[0] { int(10) } else { int(1) };
        assert_eq!(back.terms().len(), 2);
        assert_eq!(back.value(value), Ok(int(7)));
    }

    #[test]
    fn what_cannot_cross_says_why() {
        let mut theirs = variables!();
        let a = theirs.add_variable();
        let mut model = Model::new();
        let x = model.exists().binary("x");
        let mut bridge = GoodLp::new();
        assert!(matches!(
            bridge.expression(a),
            Err(GoodLpError::TheirsUnpaired(_))
        ));
        bridge.pair(a, x);
        let huge = Expr::from(x) * int(10).pow(400);
        assert!(matches!(
            bridge.expression_of(&huge),
            Err(GoodLpError::NotAFloat(_))
        ));
        let strange = bridge.expression(f64::NAN * a).unwrap();
        model.minimize(strange);
        assert!(model.build().is_err());
    }

    #[test]
    fn a_new_pairing_replaces_the_old_ones() {
        let mut theirs = variables!();
        let (a, b) = (theirs.add_variable(), theirs.add_variable());
        let mut model = Model::new();
        let (x, y) = (model.exists().binary("x"), model.exists().binary("y"));
        let mut bridge = GoodLp::new();
        bridge.pair(a, x);
        bridge.pair(b, y);
        bridge.pair(a, y);
        assert!(bridge.expression(b).is_err());
        assert_eq!(
            bridge.expression_of(&Expr::from(x)),
            Err(GoodLpError::OursUnpaired)
        );
        assert_eq!(bridge.expression(a).unwrap().terms(), [(y, int(1))]);
        bridge.pair(a, y);
        assert!(bridge.expression_of(&Expr::from(y)).is_ok());
    }
}
