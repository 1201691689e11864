//! Numbers of the requirements: machine integers where they fit, fractions where they do not.

use std::cmp::Ordering;
use std::ops::Sub;

use num_traits::ToPrimitive;

use crate::num::Rational;

/// An exact number. Equal numbers are equal however they are kept.
#[derive(Clone, Debug)]
pub(super) enum Number {
    Whole(i128),
    Fraction(Rational),
}

impl Number {
    pub fn zero() -> Self {
        Self::Whole(0)
    }

    pub fn to_rational(&self) -> Rational {
        match self {
            Self::Whole(whole) => Rational::from_integer((*whole).into()),
            Self::Fraction(fraction) => fraction.clone(),
        }
    }

    /// The product of two numbers.
    pub fn times(&self, other: &Self) -> Self {
        if let (Self::Whole(left), Self::Whole(right)) = (self, other)
            && let Some(product) = left.checked_mul(*right)
        {
            return Self::Whole(product);
        }
        Self::from(self.to_rational() * other.to_rational())
    }

    pub fn is_positive(&self) -> bool {
        *self > Self::zero()
    }
}

impl From<Rational> for Number {
    fn from(number: Rational) -> Self {
        match number.numer().to_i128() {
            Some(whole) if number.is_integer() => Self::Whole(whole),
            _ => Self::Fraction(number),
        }
    }
}

impl Sub for Number {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        if let (Self::Whole(left), Self::Whole(right)) = (&self, &other)
            && let Some(difference) = left.checked_sub(*right)
        {
            return Self::Whole(difference);
        }
        Self::from(self.to_rational() - other.to_rational())
    }
}

impl Ord for Number {
    fn cmp(&self, other: &Self) -> Ordering {
        match (self, other) {
            (Self::Whole(left), Self::Whole(right)) => left.cmp(right),
            _ => self.to_rational().cmp(&other.to_rational()),
        }
    }
}

impl PartialOrd for Number {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Number {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Number {}
