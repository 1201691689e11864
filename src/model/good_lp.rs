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
use super::variable::{Interval, Var};
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
                "" => super::Name::Generated,
                name => super::Name::from(name),
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
    /// use quip::model::*;
    /// let mut theirs = good_lp::variables!();
    /// let a = theirs.add_variable();
    /// let mut model = Model::new();
    /// let x = model.exists().binary("x");
    /// let mut bridge = GoodLp::new();
    /// bridge.pair(a, x);
    /// model.subject_to(bridge.constraint(&good_lp::constraint!(a == 1).set_name("on".into()))?);
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
