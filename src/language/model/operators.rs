//! `+ - * /` between variables, expressions and numbers, in every order that is linear.
//!
//! Sums take anything that is an expression; products and quotients take a number on one side, so
//! a product of two variables does not compile.

use std::ops::{Add, AddAssign, Div, DivAssign, Mul, MulAssign, Neg, Sub, SubAssign};

use num_bigint::BigInt;

use super::expression::Expr;
use super::number::Number;
use super::variable::Var;
use crate::num::Rational;

macro_rules! left_is_linear {
    ($($left:ty)*) => {$(
        impl<R: Into<Expr>> Add<R> for $left {
            type Output = Expr;
            fn add(self, right: R) -> Expr {
                let mut total = Expr::from(self);
                total += right;
                total
            }
        }

        impl<R: Into<Expr>> Sub<R> for $left {
            type Output = Expr;
            fn sub(self, right: R) -> Expr {
                let mut total = Expr::from(self);
                total -= right;
                total
            }
        }

        impl<N: Into<Number>> Mul<N> for $left {
            type Output = Expr;
            fn mul(self, factor: N) -> Expr {
                let mut product = Expr::from(self);
                product *= factor;
                product
            }
        }

        impl<N: Into<Number>> Div<N> for $left {
            type Output = Expr;
            fn div(self, divisor: N) -> Expr {
                let mut quotient = Expr::from(self);
                quotient /= divisor;
                quotient
            }
        }

        impl Neg for $left {
            type Output = Expr;
            fn neg(self) -> Expr {
                let mut negative = Expr::from(self);
                negative.negate();
                negative
            }
        }
    )*};
}
left_is_linear!(Var &Var Expr &Expr);

impl<R: Into<Expr>> AddAssign<R> for Expr {
    fn add_assign(&mut self, right: R) {
        self.absorb(right.into());
    }
}

impl<R: Into<Expr>> SubAssign<R> for Expr {
    fn sub_assign(&mut self, right: R) {
        let mut right = right.into();
        right.negate();
        self.absorb(right);
    }
}

impl<N: Into<Number>> MulAssign<N> for Expr {
    fn mul_assign(&mut self, factor: N) {
        self.scale(factor.into());
    }
}

impl<N: Into<Number>> DivAssign<N> for Expr {
    fn div_assign(&mut self, divisor: N) {
        self.scale(divisor.into().reciprocal());
    }
}

macro_rules! number_meets {
    ($number:ty: $($right:ty)*) => {$(
        impl Add<$right> for $number {
            type Output = Expr;
            fn add(self, right: $right) -> Expr {
                right + Number::from(self)
            }
        }

        impl Sub<$right> for $number {
            type Output = Expr;
            fn sub(self, right: $right) -> Expr {
                -right + Number::from(self)
            }
        }

        impl Mul<$right> for $number {
            type Output = Expr;
            fn mul(self, right: $right) -> Expr {
                right * Number::from(self)
            }
        }
    )*};
}

macro_rules! left_is_a_number {
    ($($number:ty)*) => {$(
        number_meets!($number: Var &Var Expr &Expr);
    )*};
}
// Of the floats only `f64`, so that the type of a bare `0.1` in front of a variable is certain.
left_is_a_number!(i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize f64);
left_is_a_number!(BigInt Rational &Rational Number);

macro_rules! number_is_an_expression {
    ($($number:ty)*) => {$(
        impl From<$number> for Expr {
            fn from(number: $number) -> Self {
                Self::from(Number::from(number))
            }
        }
    )*};
}
number_is_an_expression!(i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize f32 f64);
number_is_an_expression!(BigInt Rational &Rational);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Model, dec};
    use crate::num::{int, ratio};

    /// The value of an expression over one variable that is 3.
    fn at_three(expression: impl Into<Expr>) -> Rational {
        expression.into().value(|_| int(3)).unwrap()
    }

    #[test]
    fn every_kind_of_number_stands_on_either_side() {
        let x = Model::new().exists().integer("x", 0..=9);
        let half = ratio(1, 2);
        assert_eq!(at_three(2 * x), at_three(x * 2));
        assert_eq!(at_three(&half * x), ratio(3, 2));
        assert_eq!(at_three(half.clone() * x), ratio(3, 2));
        let each: Vec<_> = [x].iter().map(|var| 2 * var - 1).collect();
        assert_eq!(at_three(&each[0]), int(5));
        assert_eq!(at_three(0.1 * x), ratio(3, 10));
        assert_eq!(at_three(x * dec("0.1")), ratio(3, 10));
        assert_eq!(at_three(dec("0.1") * x), ratio(3, 10));
        assert_eq!(at_three(7_u64 - x), int(4));
        assert_eq!(at_three(x - 7_usize), int(-4));
        assert_eq!(at_three(x / 6), half);
    }

    #[test]
    fn references_leave_the_expression_usable() {
        let x = Model::new().exists().integer("x", 0..=9);
        let base = x + 1;
        let all = &base + &base - 2 * &base + -&base + &base * 3;
        assert_eq!(at_three(all), int(8));
        assert_eq!(at_three(1 - &base), int(-3));
    }

    #[test]
    fn assigning_operators_do_what_the_plain_ones_do() {
        let x = Model::new().exists().integer("x", 0..=9);
        let mut total = Expr::new();
        total += x;
        total -= 2 * x + 1;
        total *= -6;
        total /= 4;
        assert_eq!(at_three(total), int(6));
    }
}
