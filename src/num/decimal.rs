//! Between exact numbers and the decimals that people read and floats that they type.

use num_traits::ToPrimitive;

use super::{NumberError, Rational, parse_rational};

/// The decimal that a float prints as, exactly: `0.1_f64` becomes 1/10, not the binary fraction
/// next to it. NaN and infinities are refused.
///
/// ```
/// use quip::num::{from_f64_shortest, ratio};
/// assert_eq!(from_f64_shortest(0.1), Ok(ratio(1, 10)));
/// assert!(from_f64_shortest(f64::NAN).is_err());
/// ```
pub fn from_f64_shortest(value: f64) -> Result<Rational, NumberError> {
    parse_rational(&format!("{value:e}"))
}

/// The nearest float, for logs and heuristics. Never for a decision.
///
/// ```
/// assert_eq!(quip::num::approximate(&quip::num::ratio(1, 4)), 0.25);
/// ```
pub fn approximate(value: &Rational) -> f64 {
    value.to_f64().unwrap_or(f64::NAN)
}

/// The exact spelling, followed by a decimal where the number is not an integer.
///
/// ```
/// use quip::num::{int, ratio, with_decimal};
/// assert_eq!(with_decimal(&int(16)), "16");
/// assert_eq!(with_decimal(&ratio(7, 3)), "7/3 (2.33333)");
/// ```
pub fn with_decimal(value: &Rational) -> String {
    if value.is_integer() {
        return value.to_string();
    }
    let decimal = format!("{:.5}", approximate(value));
    format!("{value} ({})", decimal.trim_end_matches('0'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::num::{int, ratio};

    #[test]
    fn a_float_is_the_decimal_it_prints() {
        assert_eq!(from_f64_shortest(1e-3), Ok(ratio(1, 1000)));
        assert_eq!(from_f64_shortest(-2.5), Ok(ratio(-5, 2)));
        assert_eq!(from_f64_shortest(-0.0), Ok(int(0)));
        assert_eq!(from_f64_shortest(1e21), Ok(int(10).pow(21)));
        assert!(from_f64_shortest(f64::INFINITY).is_err());
    }
}
