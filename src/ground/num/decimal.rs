//! Between exact numbers and floats.

use num_traits::ToPrimitive;

use super::tolerance::FRACTION_NEARNESS;
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

/// The fraction with the smallest denominator among the continued fractions of a float that come
/// within [`FRACTION_NEARNESS`] of it; `None` for NaN, infinities and numbers beyond 2⁶².
///
/// A guess at the number that a float computation was meant to give; it must be proved to be one.
///
/// ```
/// use quip::num::{ratio, simplest_near};
/// assert_eq!(simplest_near(0.333_333_333_333), Some(ratio(1, 3)));
/// assert_eq!(simplest_near(-2.5), Some(ratio(-5, 2)));
/// assert_eq!(simplest_near(f64::NAN), None);
/// ```
pub fn simplest_near(value: f64) -> Option<Rational> {
    const LARGEST: f64 = (1u64 << 62) as f64;
    if value.is_nan() || value.abs() >= LARGEST {
        return None;
    }
    let near = FRACTION_NEARNESS * value.abs().max(1.0);
    // Two neighbouring convergents, the later one first.
    let (mut numerators, mut denominators) = ((1i128, 0i128), (0i128, 1i128));
    let mut rest = value;
    loop {
        let whole = rest.floor();
        if whole.abs() >= LARGEST {
            break;
        }
        let next = |pair: (i128, i128)| {
            let product = (whole as i128).checked_mul(pair.0)?;
            product.checked_add(pair.1)
        };
        let (Some(numerator), Some(denominator)) = (next(numerators), next(denominators)) else {
            break;
        };
        numerators = (numerator, numerators.0);
        denominators = (denominator, denominators.0);
        let fraction = rest - whole;
        let met = (numerator as f64 / denominator as f64 - value).abs() <= near;
        if met || fraction == 0.0 {
            break;
        }
        rest = fraction.recip();
    }
    Some(Rational::new(numerators.0.into(), denominators.0.into()))
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
