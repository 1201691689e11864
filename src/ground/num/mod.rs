//! Exact numbers: rationals for data and answers, scaled integers for hot loops.
//!
//! **Invariant:** nothing in this module rounds but what [`Digits`] writes for people, which marks it.
//! A decimal literal is the fraction it spells (`0.1` is 1/10), and an operation that does not fit its
//! integer type is an error.

mod decimal;
mod digits;
mod exact;
mod literal;
mod simplest;
mod sum;
pub mod tolerance;

pub use decimal::{approximate, from_f64_shortest, simplest_near};
pub use digits::{Digits, decimal, fitting};
pub use exact::Exact;
pub use literal::{MAX_DIGITS, MAX_EXPONENT, NumberError, parse_rational};
pub use simplest::{rounded_from, simplest_between, simplest_within};
pub use sum::{Sum, compare, difference};

use num_traits::ToPrimitive;

/// An exact fraction of arbitrary size, always in lowest terms with a positive denominator.
pub type Rational = num_rational::BigRational;

/// An integer as a rational.
///
/// ```
/// assert_eq!(quip::num::int(3).to_string(), "3");
/// ```
pub fn int(value: i64) -> Rational {
    Rational::from_integer(value.into())
}

/// The fraction `numerator / denominator`; the denominator must not be zero.
///
/// ```
/// assert_eq!(quip::num::ratio(14, 6).to_string(), "7/3");
/// ```
pub fn ratio(numerator: i64, denominator: i64) -> Rational {
    Rational::new(numerator.into(), denominator.into())
}

/// The value as an `i64`, if it is an integer that fits.
///
/// ```
/// use quip::num::{int, ratio, to_i64};
/// assert_eq!(to_i64(&int(-5)), Some(-5));
/// assert_eq!(to_i64(&ratio(1, 2)), None);
/// ```
pub fn to_i64(value: &Rational) -> Option<i64> {
    if value.is_integer() {
        value.numer().to_i64()
    } else {
        None
    }
}
