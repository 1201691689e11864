//! Constraints: an expression between two numbers, by methods or by the macro
//! [`row!`](crate::row).

use num_traits::Zero;

use super::expression::Expr;
use super::logic::Literal;
use super::number::Number;
use crate::num::Rational;

/// `lower <= expression <= upper`, possibly only under conditions; not part of a model until it
/// is given to [`Model::subject_to`](super::Model::subject_to) or
/// [`Model::uncertainty`](super::Model::uncertainty).
///
/// ```
/// use quip::model::*;
/// let mut model = Model::new();
/// let x = model.exists().integer("x", 0..=9);
/// let capacity: Constraint = (x + 2 * x).leq(7).named("capacity");
/// model.subject_to(capacity);
/// ```
#[derive(Clone, Debug)]
#[must_use = "a constraint counts only when it is given to a model"]
pub struct Constraint {
    pub(super) name: Option<String>,
    pub(super) expression: Expr,
    pub(super) lower: Option<Rational>,
    pub(super) upper: Option<Rational>,
    /// All of these must hold for the row to bind.
    pub(super) conditions: Vec<Literal>,
    /// Whether the row is a sentence of logic, which only binary variables can speak.
    pub(super) logical: bool,
}

impl Constraint {
    fn new(expression: Expr, lower: Option<Rational>, upper: Option<Rational>) -> Self {
        Self {
            name: None,
            expression,
            lower,
            upper,
            conditions: Vec::new(),
            logical: false,
        }
    }

    /// The same constraint under a name.
    ///
    /// ```
    /// use quip::model::*;
    /// let mut model = Model::new();
    /// let x = model.exists().binary("x");
    /// model.subject_to(x.geq(1).named("must"));
    /// assert_eq!(model.build()?.rows().iter().next().unwrap().name.as_deref(), Some("must"));
    /// # Ok::<(), ModelError>(())
    /// ```
    pub fn named(mut self, name: impl Into<String>) -> Self {
        self.name = Some(name.into());
        self
    }

    /// The constraint that binds only when `condition` holds: `b = 1 → row` for `when(b)`,
    /// `b = 0 → row` for `when(!b)`. Several conditions must all hold.
    ///
    /// Building turns it into one row per side, relaxed by the smallest constant that the bounds
    /// of the variables allow; a side that would need an infinite bound is an error that names
    /// the variable. The two rows of an equation or a range are called `name.lower` and
    /// `name.upper`.
    ///
    /// ```
    /// use quip::model::*;
    /// use quip::num::int;
    /// let mut model = Model::new();
    /// let open = model.exists().binary("open");
    /// let q = model.exists().integer("q", 0..=9);
    /// model.subject_to(row!("closed": q <= 2).when(!open));
    /// let program = model.build()?;
    /// // q - 7 open <= 2
    /// let row = program.rows().iter().next().unwrap();
    /// assert_eq!(row.terms[0].1, int(-7));
    /// assert_eq!(row.upper, Some(int(2)));
    /// # Ok::<(), ModelError>(())
    /// ```
    pub fn when(mut self, condition: impl Into<Literal>) -> Self {
        self.conditions.push(condition.into());
        self
    }

    /// The same row as a sentence of logic.
    pub(super) fn of_logic(mut self) -> Self {
        self.logical = true;
        self
    }
}

/// Comparisons of anything that is an expression: variables, expressions, numbers.
///
/// ```
/// use quip::model::*;
/// let mut model = Model::new();
/// let x = model.exists().integer("x", 0..=9);
/// let y = model.exists().integer("y", 0..=9);
/// model
///     .subject_to((x + y).leq(9))
///     .subject_to(x.geq(2 * y - 3))
///     .subject_to(x.equals(y))
///     .subject_to((x - y).between(-1, 1));
/// assert_eq!(model.build()?.rows().len(), 4);
/// # Ok::<(), ModelError>(())
/// ```
///
/// When an expression begins with a bare integer literal, as `2 * x` does, a method on it leaves
/// Rust in doubt which integer type is meant; write `(x * 2).leq(7)`, or
/// [`row!(2 * x <= 7)`](crate::row), which is never in doubt.
pub trait Compare: Into<Expr> {
    /// `self <= right`.
    fn leq(self, right: impl Into<Expr>) -> Constraint {
        let difference = self.into() - right;
        Constraint::new(difference, None, Some(Rational::zero()))
    }

    /// `self >= right`.
    fn geq(self, right: impl Into<Expr>) -> Constraint {
        let difference = self.into() - right;
        Constraint::new(difference, Some(Rational::zero()), None)
    }

    /// `self = right`.
    fn equals(self, right: impl Into<Expr>) -> Constraint {
        let difference = self.into() - right;
        Constraint::new(difference, Some(Rational::zero()), Some(Rational::zero()))
    }

    /// `lower <= self <= upper`.
    fn between(self, lower: impl Into<Number>, upper: impl Into<Number>) -> Constraint {
        let mut expression = self.into();
        let mut side = |number: Number| match number.into_value() {
            Ok(value) => Some(value),
            Err(fault) => {
                expression.blame(fault);
                None
            }
        };
        let (lower, upper) = (side(lower.into()), side(upper.into()));
        Constraint::new(expression, lower, upper)
    }
}

impl<T: Into<Expr>> Compare for T {}

/// A constraint as one writes it: `row!(2 * x + y <= 3 * z + 1)`, with `<=`, `>=` or `==`; a
/// range `row!(1 <= x + y <= 3)` or `row!(3 >= x + y >= 1)` between two numbers.
///
/// A name may stand in front. It is a format string, so an index goes straight into it.
///
/// ```
/// use quip::model::*;
/// let mut model = Model::new();
/// let x = model.exists().integers("x", 0..3, 0..=9);
/// for t in 1..3 {
///     model.subject_to(row!("step[{t}]": x[t] >= x[t - 1] + 1));
/// }
/// model.subject_to(row!(1 <= x.sum() <= dec("7.5")));
/// let program = model.build()?;
/// assert_eq!(program.rows().iter().next().unwrap().name.as_deref(), Some("step[1]"));
/// # Ok::<(), ModelError>(())
/// ```
///
/// Each side may have up to about a hundred tokens, where a call or a parenthesis counts as one;
/// name longer sides with `let` first.
#[macro_export]
macro_rules! row {
    (@left [$($left:tt)+] <= $($rest:tt)+) => { $crate::row!(@middle [$($left)+] (<=) [] $($rest)+) };
    (@left [$($left:tt)+] >= $($rest:tt)+) => { $crate::row!(@middle [$($left)+] (>=) [] $($rest)+) };
    (@left [$($left:tt)+] == $($rest:tt)+) => {
        $crate::model::Compare::equals($($left)+, $($rest)+)
    };
    (@left [$($left:tt)*] $next:tt $($rest:tt)*) => { $crate::row!(@left [$($left)* $next] $($rest)*) };
    (@left [$($left:tt)*]) => {
        compile_error!("row! needs two sides and `<=`, `>=` or `==` between them")
    };
    (@middle [$($left:tt)+] (<=) [$($middle:tt)+] <= $($right:tt)+) => {
        $crate::model::Compare::between($($middle)+, $($left)+, $($right)+)
    };
    (@middle [$($left:tt)+] (>=) [$($middle:tt)+] >= $($right:tt)+) => {
        $crate::model::Compare::between($($middle)+, $($right)+, $($left)+)
    };
    (@middle [$($left:tt)+] (<=) [$($right:tt)+]) => {
        $crate::model::Compare::leq($($left)+, $($right)+)
    };
    (@middle [$($left:tt)+] (>=) [$($right:tt)+]) => {
        $crate::model::Compare::geq($($left)+, $($right)+)
    };
    (@middle [$($left:tt)+] $sign:tt [$($middle:tt)*] $next:tt $($rest:tt)*) => {
        $crate::row!(@middle [$($left)+] $sign [$($middle)* $next] $($rest)*)
    };
    // What begins with a sign would be read as a literal, and a variable is none.
    (- $($all:tt)+) => { $crate::row!(@left [-] $($all)+) };
    ($name:literal : $($rest:tt)+) => {
        $crate::row!(@left [] $($rest)+).named(format!($name))
    };
    ($($all:tt)+) => { $crate::row!(@left [] $($all)+) };
}

#[cfg(test)]
mod tests {
    use crate::model::{Model, Var, dec};
    use crate::num::{Rational, int, ratio};
    use crate::program::Row;

    /// The only row of a model over one variable `x`.
    fn only_row(constraint: impl FnOnce(Var) -> super::Constraint) -> Row {
        let mut model = Model::new();
        let x = model.exists().integer("x", 0..=9);
        model.subject_to(constraint(x));
        model.build().unwrap().rows().iter().next().unwrap().clone()
    }

    fn sides(row: &Row) -> (Option<Rational>, Option<Rational>) {
        (row.lower.clone(), row.upper.clone())
    }

    #[test]
    fn both_sides_may_have_variables_and_constants() {
        let row = only_row(|x| row!("r": 3 * x + 1 <= x - 2 + 7));
        assert_eq!(row.terms[0].1, int(2));
        assert_eq!(sides(&row), (None, Some(int(4))));
        assert_eq!(row.name.as_deref(), Some("r"));
    }

    #[test]
    fn a_sign_may_stand_first() {
        let row = only_row(|x| row!(-x <= 3));
        assert_eq!(
            (row.terms[0].1.clone(), sides(&row)),
            (int(-1), (None, Some(int(3))))
        );
        let row = only_row(|x| row!(-2 * x >= -6));
        assert_eq!(
            (row.terms[0].1.clone(), sides(&row)),
            (int(-2), (Some(int(-6)), None))
        );
        let row = only_row(|x| row!("named": -x <= 3));
        assert_eq!(row.name.as_deref(), Some("named"));
    }

    #[test]
    fn a_number_may_stand_on_the_left() {
        let row = only_row(|x| row!(4 >= 2 * x));
        assert_eq!(row.terms[0].1, int(-2));
        assert_eq!(sides(&row), (Some(int(-4)), None));
    }

    #[test]
    fn ranges_run_in_both_directions() {
        let up = only_row(|x| row!(-1 <= 2 * x + 1 <= dec("3.5")));
        assert_eq!(sides(&up), (Some(int(-2)), Some(ratio(5, 2))));
        let down = only_row(|x| row!(3 >= x >= 1));
        assert_eq!(sides(&down), (Some(int(1)), Some(int(3))));
    }

    #[test]
    fn equations_bind_on_both_sides() {
        assert!(only_row(|x| row!(x == 0.5)).is_equation());
    }
}
