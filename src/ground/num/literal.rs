//! Reading a number exactly as it is spelled.

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::Zero;

use super::Rational;

/// Most digits a single literal may have. A longer one is a mistake or an attack, not data.
pub const MAX_DIGITS: usize = 1000;

/// Largest power of ten, in absolute value, that a literal may carry as its exponent.
pub const MAX_EXPONENT: i64 = 1000;

/// Why a text is not a number.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NumberError {
    /// The text does not spell a number at all.
    #[error("`{0}` is not a number; write it like 3, 0.1, 1e-3 or 7/3")]
    Malformed(String),
    /// More than [`MAX_DIGITS`] digits.
    #[error("a number of {0} digits is too long; at most {MAX_DIGITS} are read")]
    TooLong(usize),
    /// An exponent beyond [`MAX_EXPONENT`].
    #[error("the exponent of `{0}` is too large; at most {MAX_EXPONENT} is read")]
    HugeExponent(String),
    /// The denominator of a fraction is zero.
    #[error("the denominator of `{0}` is zero")]
    ZeroDenominator(String),
}

/// Reads `3`, `-0.1`, `1e-3` or `7/3` without rounding.
///
/// ```
/// use quip::num::{parse_rational, ratio};
/// assert_eq!(parse_rational("0.1"), Ok(ratio(1, 10)));
/// assert_eq!(parse_rational("-2.5e1"), Ok(ratio(-25, 1)));
/// assert_eq!(parse_rational("14/6"), Ok(ratio(7, 3)));
/// assert!(parse_rational("NaN").is_err());
/// ```
pub fn parse_rational(text: &str) -> Result<Rational, NumberError> {
    let (negative, unsigned) = match text.as_bytes().first() {
        Some(b'-') => (true, &text[1..]),
        Some(b'+') => (false, &text[1..]),
        _ => (false, text),
    };
    if let Some(magnitude) = short(unsigned) {
        return Ok(if negative { -magnitude } else { magnitude });
    }
    let digits = unsigned.bytes().filter(u8::is_ascii_digit).count();
    if digits > MAX_DIGITS {
        return Err(NumberError::TooLong(digits));
    }
    let magnitude = match unsigned.split_once('/') {
        Some((numerator, denominator)) => fraction(text, numerator, denominator)?,
        None => decimal(text, unsigned)?,
    };
    Ok(if negative { -magnitude } else { magnitude })
}

/// Digits with at most one dot that fit a machine word: nearly every literal of a real model, and
/// ten times faster than long arithmetic.
fn short(unsigned: &str) -> Option<Rational> {
    const LONGEST: usize = 18;
    if unsigned.len() > LONGEST || unsigned.is_empty() || unsigned == "." {
        return None;
    }
    let (mut digits, mut scale, mut after_dot) = (0_u64, 1_u64, false);
    for byte in unsigned.bytes() {
        match byte {
            b'0'..=b'9' => {
                digits = digits * 10 + u64::from(byte - b'0');
                scale *= if after_dot { 10 } else { 1 };
            }
            b'.' if !after_dot => after_dot = true,
            _ => return None,
        }
    }
    let common = digits.gcd(&scale);
    let (numerator, denominator) = (digits / common, scale / common);
    Some(Rational::new_raw(numerator.into(), denominator.into()))
}

fn fraction(text: &str, numerator: &str, denominator: &str) -> Result<Rational, NumberError> {
    let numerator = integer(text, numerator)?;
    let denominator = integer(text, denominator)?;
    if denominator.is_zero() {
        return Err(NumberError::ZeroDenominator(shorten(text)));
    }
    Ok(Rational::new(numerator, denominator))
}

fn decimal(text: &str, unsigned: &str) -> Result<Rational, NumberError> {
    let (mantissa, exponent) = match unsigned.find(['e', 'E']) {
        Some(at) => (&unsigned[..at], exponent(text, &unsigned[at + 1..])?),
        None => (unsigned, 0),
    };
    let (whole, fractional) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    if whole.is_empty() && fractional.is_empty() {
        return Err(NumberError::Malformed(shorten(text)));
    }
    // Trailing zeros of the fraction carry no value and would only cost a reduction later.
    let fractional_kept = fractional.trim_end_matches('0');
    if !fractional.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(NumberError::Malformed(shorten(text)));
    }
    let digits = integer_or_zero(text, &format!("{whole}{fractional_kept}"))?;
    let power = exponent - fractional_kept.len() as i64;
    let scale = BigInt::from(10).pow(power.unsigned_abs() as u32);
    Ok(match power {
        0 => Rational::from_integer(digits),
        1.. => Rational::from_integer(digits * scale),
        _ => Rational::new(digits, scale),
    })
}

fn exponent(text: &str, digits: &str) -> Result<i64, NumberError> {
    let unsigned = digits.strip_prefix(['+', '-']).unwrap_or(digits);
    if unsigned.is_empty() || !unsigned.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(NumberError::Malformed(shorten(text)));
    }
    match digits.parse::<i64>() {
        Ok(value) if value.abs() <= MAX_EXPONENT => Ok(value),
        _ => Err(NumberError::HugeExponent(shorten(text))),
    }
}

fn integer_or_zero(text: &str, digits: &str) -> Result<BigInt, NumberError> {
    if digits.is_empty() {
        Ok(BigInt::zero())
    } else {
        integer(text, digits)
    }
}

fn integer(text: &str, digits: &str) -> Result<BigInt, NumberError> {
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(NumberError::Malformed(shorten(text)));
    }
    // Nearly every literal of a real model fits a machine word.
    if digits.len() <= 18 {
        return Ok(BigInt::from(
            digits.parse::<u64>().expect("eighteen digits fit a u64"),
        ));
    }
    Ok(BigInt::parse_bytes(digits.as_bytes(), 10).expect("only digits"))
}

fn shorten(text: &str) -> String {
    const SHOWN: usize = 24;
    if text.chars().count() <= SHOWN {
        return text.to_owned();
    }
    text.chars().take(SHOWN).chain(['…']).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use num_traits::One;

    use crate::num::{int, ratio};

    #[test]
    fn spells_are_read_as_the_fraction_they_are() {
        for (text, expected) in [
            ("0", int(0)),
            ("007", int(7)),
            ("3.", int(3)),
            (".5", ratio(1, 2)),
            ("+0.10", ratio(1, 10)),
            ("1e-3", ratio(1, 1000)),
            ("1.5E2", int(150)),
            ("7/3", ratio(7, 3)),
            ("-10/4", ratio(-5, 2)),
            ("60.00000", int(60)),
        ] {
            assert_eq!(parse_rational(text), Ok(expected), "{text}");
        }
    }

    #[test]
    fn what_is_not_a_number_is_refused() {
        for text in [
            "", "-", ".", "e5", "1e", "1e+", "NaN", "inf", "1/2/3", "1.5/2", "1..2", "0x1", "1 2",
            "--1", "٣",
        ] {
            assert!(
                matches!(parse_rational(text), Err(NumberError::Malformed(_))),
                "{text}"
            );
        }
    }

    #[test]
    fn sizes_that_would_exhaust_memory_are_refused() {
        assert!(parse_rational("1e400").is_ok());
        assert!(matches!(
            parse_rational("1e1001"),
            Err(NumberError::HugeExponent(_))
        ));
        assert!(matches!(
            parse_rational("1e99999999999999999999"),
            Err(NumberError::HugeExponent(_))
        ));
        assert_eq!(
            parse_rational(&"9".repeat(100_000)),
            Err(NumberError::TooLong(100_000))
        );
        assert!(parse_rational(&"9".repeat(MAX_DIGITS)).is_ok());
        assert!(matches!(
            parse_rational("1/0"),
            Err(NumberError::ZeroDenominator(_))
        ));
    }

    #[test]
    fn short_literals_are_in_lowest_terms() {
        for text in [
            "0",
            "0.0",
            "1.50",
            "0.5",
            "10.",
            "123456789.25",
            "99999999999999999.",
            ".5",
        ] {
            let long = format!("{}{text}", "0".repeat(20));
            let value = parse_rational(text).unwrap();
            assert_eq!(parse_rational(&long), Ok(value.clone()), "{text}");
            assert_eq!(value, value.reduced(), "{text}");
        }
    }

    #[test]
    fn one_is_one() {
        assert!(parse_rational("1.000").unwrap().is_one());
    }
}
