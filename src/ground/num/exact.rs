//! Exact numbers that are usually small: fractions of machine integers while they fit, fractions of
//! arbitrary size otherwise.
//!
//! **Invariant:** a number that fits is kept small and in lowest terms, so that equal numbers are
//! kept alike; no operation rounds or wraps.

use std::cmp::Ordering;
use std::fmt;
use std::ops::{Add, Div, Mul, Neg, Sub};

use num_integer::Integer;
use num_traits::{Signed, ToPrimitive};

use super::{NumberError, Rational, int, parse_rational};

/// An exact number.
///
/// ```
/// use quip::num::{Exact, ratio};
/// let third = Exact::from(ratio(1, 3));
/// assert_eq!(&(&third + &third) + &third, Exact::from(1));
/// assert_eq!(third.ceil().to_string(), "1");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Exact(Kept);

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Kept {
    /// Numerator and positive denominator, in lowest terms.
    Small(i64, i64),
    Large(Box<Rational>),
}

impl Exact {
    /// Nothing.
    pub const ZERO: Self = Self(Kept::Small(0, 1));

    /// One.
    pub const ONE: Self = Self(Kept::Small(1, 1));

    /// Reads a number as it is spelled.
    ///
    /// ```
    /// # use quip::num::{Exact, ratio};
    /// assert_eq!(Exact::parse("-0.5"), Ok(ratio(-1, 2).into()));
    /// assert!(Exact::parse("half").is_err());
    /// ```
    pub fn parse(text: &str) -> Result<Self, NumberError> {
        match text.parse::<i64>() {
            Ok(whole) => Ok(whole.into()),
            Err(_) => parse_rational(text).map(Self::from),
        }
    }

    /// The same number as a fraction.
    pub fn to_rational(&self) -> Rational {
        match &self.0 {
            Kept::Small(numerator, 1) => int(*numerator),
            Kept::Small(numerator, denominator) => {
                Rational::new_raw((*numerator).into(), (*denominator).into())
            }
            Kept::Large(fraction) => fraction.as_ref().clone(),
        }
    }

    /// The number, if it is whole and fits.
    pub fn to_i64(&self) -> Option<i64> {
        match self.0 {
            Kept::Small(whole, 1) => Some(whole),
            _ => None,
        }
    }

    /// Whether it is above zero.
    pub fn is_positive(&self) -> bool {
        match &self.0 {
            Kept::Small(numerator, _) => *numerator > 0,
            Kept::Large(fraction) => fraction.is_positive(),
        }
    }

    /// Whether it is zero.
    pub fn is_zero(&self) -> bool {
        *self == Self::ZERO
    }

    /// Whether it is a whole number.
    pub fn is_whole(&self) -> bool {
        match &self.0 {
            Kept::Small(_, denominator) => *denominator == 1,
            Kept::Large(fraction) => fraction.is_integer(),
        }
    }

    /// The largest whole number that is not above it.
    #[must_use]
    pub fn floor(&self) -> Self {
        match &self.0 {
            Kept::Small(numerator, denominator) => numerator.div_euclid(*denominator).into(),
            Kept::Large(fraction) => fraction.floor().into(),
        }
    }

    /// The smallest whole number that is not below it.
    #[must_use]
    pub fn ceil(&self) -> Self {
        -&(-self).floor()
    }

    /// The fraction in lowest terms, if it fits; the denominator is not zero.
    fn reduced(numerator: i128, denominator: i128) -> Option<Self> {
        let divisor = match denominator {
            1 => 1,
            _ => numerator.gcd(&denominator) * denominator.signum(),
        };
        let numerator = i64::try_from(numerator / divisor).ok()?;
        let denominator = i64::try_from(denominator / divisor).ok()?;
        Some(Self(Kept::Small(numerator, denominator)))
    }

    /// Puts two numbers together: `small` on fractions of machine integers, `large` on any.
    fn combined(
        &self,
        other: &Self,
        small: fn([i128; 2], [i128; 2]) -> Option<[i128; 2]>,
        large: fn(Rational, Rational) -> Rational,
    ) -> Self {
        if let (Kept::Small(a, b), Kept::Small(c, d)) = (&self.0, &other.0)
            && let Some([numerator, denominator]) =
                small([(*a).into(), (*b).into()], [(*c).into(), (*d).into()])
            && let Some(exact) = Self::reduced(numerator, denominator)
        {
            return exact;
        }
        large(self.to_rational(), other.to_rational()).into()
    }
}

impl Default for Exact {
    /// Nothing.
    fn default() -> Self {
        Self::ZERO
    }
}

impl From<Rational> for Exact {
    fn from(number: Rational) -> Self {
        match (number.numer().to_i64(), number.denom().to_i64()) {
            (Some(numerator), Some(denominator)) => Self(Kept::Small(numerator, denominator)),
            _ => Self(Kept::Large(Box::new(number))),
        }
    }
}

impl From<i64> for Exact {
    fn from(whole: i64) -> Self {
        Self(Kept::Small(whole, 1))
    }
}

/// The sum of two fractions; products of 64-bit integers leave room for it.
fn sum([a, b]: [i128; 2], [c, d]: [i128; 2]) -> Option<[i128; 2]> {
    Some([(a * d).checked_add(c * b)?, b * d])
}

impl Add for &Exact {
    type Output = Exact;

    fn add(self, other: Self) -> Exact {
        if let (Kept::Small(left, 1), Kept::Small(right, 1)) = (&self.0, &other.0)
            && let Some(sum) = left.checked_add(*right)
        {
            return sum.into();
        }
        self.combined(other, sum, Rational::add)
    }
}

impl Sub for &Exact {
    type Output = Exact;

    fn sub(self, other: Self) -> Exact {
        if let (Kept::Small(left, 1), Kept::Small(right, 1)) = (&self.0, &other.0)
            && let Some(difference) = left.checked_sub(*right)
        {
            return difference.into();
        }
        self.combined(other, |left, [c, d]| sum(left, [-c, d]), Rational::sub)
    }
}

impl Mul for &Exact {
    type Output = Exact;

    fn mul(self, other: Self) -> Exact {
        if let (Kept::Small(left, 1), Kept::Small(right, 1)) = (&self.0, &other.0)
            && let Some(product) = left.checked_mul(*right)
        {
            return product.into();
        }
        self.combined(other, |[a, b], [c, d]| Some([a * c, b * d]), Rational::mul)
    }
}

/// Pre: the divisor is not zero.
impl Div for &Exact {
    type Output = Exact;

    fn div(self, by: Self) -> Exact {
        let quotient = |[a, b]: [i128; 2], [c, d]: [i128; 2]| (c != 0).then_some([a * d, b * c]);
        self.combined(by, quotient, Rational::div)
    }
}

impl Neg for &Exact {
    type Output = Exact;

    fn neg(self) -> Exact {
        &Exact::ZERO - self
    }
}

impl Ord for Exact {
    fn cmp(&self, other: &Self) -> Ordering {
        match (&self.0, &other.0) {
            (Kept::Small(a, b), Kept::Small(c, d)) => {
                (i128::from(*a) * i128::from(*d)).cmp(&(i128::from(*c) * i128::from(*b)))
            }
            _ => self.to_rational().cmp(&other.to_rational()),
        }
    }
}

impl PartialOrd for Exact {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for Exact {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Kept::Small(whole, 1) => whole.fmt(out),
            Kept::Small(numerator, denominator) => write!(out, "{numerator}/{denominator}"),
            Kept::Large(fraction) => fraction.fmt(out),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::num::ratio;

    #[test]
    fn every_operation_is_that_of_fractions_whatever_the_size() {
        let numbers = [
            int(0),
            int(1),
            int(-3),
            int(i64::MAX),
            int(i64::MIN),
            ratio(7, 3),
            ratio(-1, i64::MAX),
            ratio(i64::MIN, 3),
            ratio(5, 6),
            int(i64::MIN) * int(5),
        ];
        for left in &numbers {
            let small = Exact::from(left.clone());
            assert_eq!(small.to_rational(), *left);
            assert_eq!(small.floor().to_rational(), left.floor());
            assert_eq!(small.ceil().to_rational(), left.ceil());
            assert_eq!((-&small).to_rational(), -left);
            assert_eq!(small.to_string(), left.to_string());
            assert_eq!(small.is_positive(), left.is_positive());
            assert_eq!(small.is_whole(), left.is_integer());
            for right in &numbers {
                let other = Exact::from(right.clone());
                assert_eq!((&small + &other).to_rational(), left + right);
                assert_eq!((&small - &other).to_rational(), left - right);
                assert_eq!((&small * &other).to_rational(), left * right);
                if !other.is_zero() {
                    assert_eq!((&small / &other).to_rational(), left / right);
                }
                assert_eq!(small.cmp(&other), left.cmp(right));
                assert_eq!(small == other, left == right);
            }
        }
    }
}
