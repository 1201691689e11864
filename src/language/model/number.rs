//! Numbers as people write them in a model, kept exact.
//!
//! Whatever can stand as a coefficient turns into a [`Number`]: every integer type, [`Rational`],
//! a decimal text through [`dec`], and floats, which are read as the shortest decimal that prints
//! them. A number that cannot be read travels along as its error and is reported by
//! [`Model::build`](super::Model::build), with the place where it was used; nothing panics.

use num_bigint::BigInt;
use num_traits::Zero;

use crate::num::{NumberError, Rational, parse_rational};

/// An exact number, or the reason why there is none.
///
/// ```
/// use quip::model::Number;
/// use quip::num::ratio;
/// assert_eq!(Number::from(0.1).value(), Ok(&ratio(1, 10)));
/// assert!(Number::from(f64::NAN).value().is_err());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Number(Result<Rational, NumberError>);

impl Number {
    /// The number, unless it could not be read.
    ///
    /// ```
    /// use quip::model::Number;
    /// use quip::num::int;
    /// assert_eq!(Number::from(3_u8).value(), Ok(&int(3)));
    /// ```
    pub fn value(&self) -> Result<&Rational, &NumberError> {
        self.0.as_ref()
    }

    /// The number itself, unless it could not be read.
    ///
    /// ```
    /// use quip::model::dec;
    /// use quip::num::{int, NumberError};
    /// assert_eq!(dec("1e2").into_value()?, int(100));
    /// # Ok::<(), NumberError>(())
    /// ```
    pub fn into_value(self) -> Result<Rational, NumberError> {
        self.0
    }

    /// `1 / number`; zero has none.
    pub(super) fn reciprocal(self) -> Self {
        Self(self.0.and_then(|value| {
            if value.is_zero() {
                Err(NumberError::ZeroDenominator("1/0".to_owned()))
            } else {
                Ok(value.recip())
            }
        }))
    }
}

/// The number that `text` spells: `0.1`, `-3`, `1e-3` or `7/3`. A text that spells none is
/// reported when the model is built.
///
/// ```
/// use quip::model::dec;
/// use quip::num::ratio;
/// assert_eq!(dec("0.1").value(), Ok(&ratio(1, 10)));
/// assert!(dec("a tenth").value().is_err());
/// ```
pub fn dec(text: &str) -> Number {
    Number(parse_rational(text))
}

macro_rules! from_integers {
    ($($integer:ty)*) => {$(
        impl From<$integer> for Number {
            fn from(value: $integer) -> Self {
                Self(Ok(Rational::from_integer(BigInt::from(value))))
            }
        }
    )*};
}
from_integers!(i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize BigInt);

macro_rules! from_floats {
    ($($float:ty)*) => {$(
        impl From<$float> for Number {
            fn from(value: $float) -> Self {
                // `{:e}` prints the shortest decimal that reads back as this float.
                Self(parse_rational(&format!("{value:e}")))
            }
        }
    )*};
}
from_floats!(f32 f64);

impl From<Rational> for Number {
    fn from(value: Rational) -> Self {
        Self(Ok(value))
    }
}

impl From<&Rational> for Number {
    fn from(value: &Rational) -> Self {
        Self(Ok(value.clone()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::num::{int, ratio};

    #[test]
    fn a_float_of_either_width_is_the_decimal_it_prints() {
        assert_eq!(Number::from(0.1_f32).into_value(), Ok(ratio(1, 10)));
        assert_eq!(Number::from(0.1_f64).into_value(), Ok(ratio(1, 10)));
        assert_eq!(Number::from(-2.5).into_value(), Ok(ratio(-5, 2)));
    }

    #[test]
    fn what_is_no_number_keeps_its_reason() {
        for strange in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            assert!(matches!(
                Number::from(strange).into_value(),
                Err(NumberError::Malformed(_))
            ));
        }
        assert!(matches!(
            dec("1/0").into_value(),
            Err(NumberError::ZeroDenominator(_))
        ));
    }

    #[test]
    fn zero_has_no_reciprocal() {
        assert_eq!(Number::from(4).reciprocal().into_value(), Ok(ratio(1, 4)));
        assert!(Number::from(0).reciprocal().into_value().is_err());
    }

    #[test]
    fn the_largest_machine_integers_fit() {
        let huge = Number::from(u128::MAX).into_value().unwrap();
        assert_eq!(huge, int(2).pow(128) - int(1));
    }
}
