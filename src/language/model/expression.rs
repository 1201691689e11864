//! Exact linear expressions: a sum of multiples of variables, and a constant.
//!
//! **Invariant:** adding is amortized constant time per term. Terms are kept as they come, in no
//! promised order and possibly several per variable; the program adds them up once, when it is
//! built.

use std::iter::Sum;

use num_traits::{One, Zero};

use super::number::Number;
use super::variable::Var;
use crate::num::{NumberError, Rational};

/// A linear expression over the variables of a model.
///
/// ```
/// use quip::model::*;
/// let mut model = Model::new();
/// let x = model.exists().integer("x", 0..=9);
/// let y = model.exists().integer("y", 0..=9);
/// let cost: Expr = 2 * x - (y - dec("0.5")) / 3 + 1;
/// assert_eq!(cost.terms().len(), 2);
/// ```
///
/// Only linear ones exist; a product of variables does not compile:
///
/// ```compile_fail
/// use quip::model::*;
/// let mut model = Model::new();
/// let x = model.exists().binary("x");
/// let square = x * x;
/// ```
#[derive(Clone, Debug, Default)]
pub struct Expr {
    terms: Vec<(Var, Rational)>,
    constant: Rational,
    faults: Vec<NumberError>,
}

impl Expr {
    /// The empty sum, zero.
    ///
    /// ```
    /// assert!(quip::model::Expr::new().terms().is_empty());
    /// ```
    pub fn new() -> Self {
        Self::default()
    }

    /// The terms in no promised order; a variable may occur more than once.
    ///
    /// ```
    /// use quip::model::*;
    /// let mut model = Model::new();
    /// let x = model.exists().binary("x");
    /// assert_eq!((x + x).terms().len(), 2);
    /// ```
    pub fn terms(&self) -> &[(Var, Rational)] {
        &self.terms
    }

    /// The part without variables.
    ///
    /// ```
    /// use quip::model::*;
    /// let mut model = Model::new();
    /// let x = model.exists().binary("x");
    /// assert_eq!(((x + 3) * 2).constant(), &quip::num::int(6));
    /// ```
    pub fn constant(&self) -> &Rational {
        &self.constant
    }

    /// The numbers in it that could not be read. A model with such an expression does not build.
    ///
    /// ```
    /// use quip::model::*;
    /// let mut model = Model::new();
    /// let x = model.exists().binary("x");
    /// assert_eq!((f64::NAN * x + 1).faults().len(), 1);
    /// ```
    pub fn faults(&self) -> &[NumberError] {
        &self.faults
    }

    /// The exact value of the expression when `value` tells that of a variable, or the first
    /// number in it that could not be read.
    ///
    /// ```
    /// use quip::model::*;
    /// use quip::num::{int, ratio};
    /// let mut model = Model::new();
    /// let x = model.exists().integer("x", 0..=9);
    /// assert_eq!((0.1 * x + 1).value(|_| int(3)), Ok(ratio(13, 10)));
    /// ```
    pub fn value(&self, value: impl Fn(Var) -> Rational) -> Result<Rational, NumberError> {
        if let Some(fault) = self.faults.first() {
            return Err(fault.clone());
        }
        let variables: Rational = self
            .terms
            .iter()
            .map(|(var, coefficient)| coefficient * value(*var))
            .sum();
        Ok(variables + &self.constant)
    }

    /// Adds `coefficient · var`, without building an expression for it.
    ///
    /// ```
    /// use quip::model::*;
    /// let mut model = Model::new();
    /// let x = model.exists().binary("x");
    /// let mut cost = Expr::new();
    /// cost.add_term(dec("2.5"), x);
    /// assert_eq!(cost.terms()[0].0, x);
    /// ```
    pub fn add_term(&mut self, coefficient: impl Into<Number>, var: Var) {
        match coefficient.into().into_value() {
            Ok(coefficient) => self.terms.push((var, coefficient)),
            Err(fault) => self.faults.push(fault),
        }
    }

    /// Adds `other`, moving the shorter of the two so that either direction of growth is linear.
    pub(super) fn absorb(&mut self, mut other: Self) {
        if other.terms.len() > self.terms.len() {
            std::mem::swap(&mut self.terms, &mut other.terms);
        }
        self.terms.append(&mut other.terms);
        self.faults.append(&mut other.faults);
        // Most sums are of variables: the constant is rarely worth a rational addition.
        if !other.constant.is_zero() {
            self.constant += other.constant;
        }
    }

    /// Multiplies everything by `factor`.
    pub(super) fn scale(&mut self, factor: Number) {
        match factor.into_value() {
            Ok(factor) => {
                for (_, coefficient) in &mut self.terms {
                    // `3 * x` is by far the most frequent product, and needs no arithmetic.
                    if coefficient.is_one() {
                        coefficient.clone_from(&factor);
                    } else {
                        *coefficient *= &factor;
                    }
                }
                self.constant *= factor;
            }
            Err(fault) => self.faults.push(fault),
        }
    }

    /// Changes every sign.
    pub(super) fn negate(&mut self) {
        for (_, coefficient) in &mut self.terms {
            *coefficient = -std::mem::take(coefficient);
        }
        self.constant = -std::mem::take(&mut self.constant);
    }

    /// Notes the error of a number that was to be part of this expression.
    pub(super) fn blame(&mut self, fault: NumberError) {
        self.faults.push(fault);
    }
}

/// `Σ items`, for anything that can be a summand.
///
/// ```
/// use quip::model::*;
/// let mut model = Model::new();
/// let x = model.exists().binaries("x", 0..4);
/// let weight = sum((0..4).map(|i| (i + 1) * x[i]));
/// assert_eq!(weight.terms().len(), 4);
/// ```
pub fn sum<T: Into<Expr>>(items: impl IntoIterator<Item = T>) -> Expr {
    let mut total = Expr::new();
    for item in items {
        total.absorb(item.into());
    }
    total
}

impl<T: Into<Expr>> Sum<T> for Expr {
    fn sum<I: Iterator<Item = T>>(items: I) -> Self {
        sum(items)
    }
}

impl From<Var> for Expr {
    fn from(var: Var) -> Self {
        Self {
            terms: vec![(var, Rational::one())],
            ..Self::default()
        }
    }
}

impl From<&Var> for Expr {
    fn from(var: &Var) -> Self {
        Self::from(*var)
    }
}

impl From<&Expr> for Expr {
    fn from(expression: &Expr) -> Self {
        expression.clone()
    }
}

impl From<Number> for Expr {
    fn from(number: Number) -> Self {
        let mut expression = Self::new();
        match number.into_value() {
            Ok(value) => expression.constant = value,
            Err(fault) => expression.blame(fault),
        }
        expression
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Model, dec};
    use crate::num::{int, ratio};

    #[test]
    fn a_number_that_is_none_spoils_the_value_but_not_the_program_flow() {
        let mut model = Model::new();
        let x = model.exists().binary("x");
        let spoilt = (x * f64::INFINITY + dec("?")) / 0;
        assert_eq!(spoilt.faults().len(), 3);
        assert!(spoilt.value(|_| int(1)).is_err());
    }

    #[test]
    fn a_million_terms_are_summed_in_every_direction_without_delay() {
        let mut model = Model::new();
        let x = model.exists().binary("x");
        let count = 250_000;
        let right = (0..count).fold(Expr::new(), |total, _| total + x);
        let left = (0..count).fold(Expr::new(), |total, _| x + total);
        let mut assigned = Expr::new();
        for _ in 0..count {
            assigned += 2 * x;
        }
        let total = sum((0..count).map(|_| x)) + right + left + assigned;
        assert_eq!(total.terms().len(), 4 * count);
        assert_eq!(total.value(|_| ratio(1, 5)), Ok(int(count as i64)));
    }

    #[test]
    fn sums_take_variables_references_and_expressions() {
        let mut model = Model::new();
        let x = model.exists().binary("x");
        let expression = x + 1;
        let total: Expr = [&expression, &expression].into_iter().sum();
        assert_eq!(total.value(|_| int(2)), Ok(int(6)));
        let total: Expr = [x, x].iter().sum();
        assert_eq!(total.value(|_| int(2)), Ok(int(4)));
    }
}
