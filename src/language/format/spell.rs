//! Numbers as the writers spell them.

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Zero};

use crate::num::{MAX_DIGITS, MAX_EXPONENT, Rational};

/// `7/3`, or a power of ten where the digits alone would be too many to be read again.
pub(super) fn spelled(value: &Rational) -> String {
    let plain = value.to_string();
    if plain.len() <= MAX_DIGITS {
        return plain;
    }
    with_exponent(value).unwrap_or(plain)
}

/// Whether a reader takes the number back.
pub(super) fn is_readable(value: &Rational) -> bool {
    // A thousand digits have more than 3300 bits: nearly every number is decided without spelling.
    if value.numer().bits() + value.denom().bits() < 3300 {
        return true;
    }
    let digits = spelled(value).bytes().filter(u8::is_ascii_digit).count();
    digits <= MAX_DIGITS
}

fn with_exponent(value: &Rational) -> Option<String> {
    let ten = BigInt::from(10);
    let largest = ten.pow(MAX_EXPONENT as u32);
    if value.is_integer() {
        let (mut mantissa, mut exponent) = (value.numer().clone(), 0);
        while exponent < MAX_EXPONENT && !mantissa.is_zero() && mantissa.is_multiple_of(&ten) {
            mantissa /= &ten;
            exponent += 1;
        }
        return Some(format!("{mantissa}e{exponent}"));
    }
    let shifted = value * Rational::from_integer(largest);
    shifted.denom().is_one().then(|| {
        let (mut mantissa, mut exponent) = (shifted.numer().clone(), MAX_EXPONENT);
        while exponent > 0 && mantissa.is_multiple_of(&ten) {
            mantissa /= &ten;
            exponent -= 1;
        }
        format!("{mantissa}e-{exponent}")
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::num::{int, parse_rational, ratio};

    #[test]
    fn every_literal_that_is_read_can_be_written() {
        assert_eq!(spelled(&ratio(-7, 3)), "-7/3");
        for text in ["1e1000", "1e-1000", "-123e998", "1.5e-999", "7e1000"] {
            let value = parse_rational(text).unwrap();
            assert_eq!(parse_rational(&spelled(&value)), Ok(value), "{text}");
        }
    }

    #[test]
    fn a_number_that_no_literal_spells_is_known_as_such() {
        assert!(is_readable(&int(10).pow(1000)));
        assert!(!is_readable(&int(3).pow(3000)));
    }
}
