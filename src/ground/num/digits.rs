//! Numbers as people read them: a decimal first, the fraction behind it where that is short.
//!
//! **Invariant:** what is rounded is marked with `≈`, and only that.

use num_bigint::{BigInt, BigUint};
use num_integer::Integer;
use num_traits::{One, Signed, Zero};

use super::{Rational, parse_rational};

/// Longest integer that is written out.
const LONGEST_INTEGER: usize = 20;
/// Most digits of a decimal that is written out.
const LONGEST_DECIMAL: usize = 12;
/// Longest fraction that stands behind its decimal.
const LONGEST_FRACTION: usize = 9;
/// Digits of what is rounded, and decimals at least.
const ROUNDED: i64 = 7;
const DECIMALS: i64 = 2;

/// How numbers are written for people.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub enum Digits {
    /// As many as there are to act on: long numbers are rounded, and marked.
    #[default]
    Rounded,
    /// All of them, as a fraction where it is none.
    Exact,
}

impl Digits {
    /// The number: a decimal, and the fraction in brackets where the decimal is rounded and the
    /// fraction is short.
    ///
    /// ```
    /// use quip::num::{Digits, int, parse_rational, ratio};
    /// let written = |value| Digits::Rounded.write(&value);
    /// assert_eq!(written(int(16)), "16");
    /// assert_eq!(written(ratio(5, 2)), "2.5");
    /// assert_eq!(written(ratio(7, 3)), "≈2.333333 (7/3)");
    /// assert_eq!(written(ratio(-10_000_001, 3_000_000)), "≈-3.333334");
    /// assert_eq!(written(parse_rational("1e-30").unwrap()), "1e-30");
    /// assert_eq!(Digits::Exact.write(&ratio(5, 2)), "5/2");
    /// ```
    pub fn write(self, value: &Rational) -> String {
        let text = self.short(value);
        let fraction = value.to_string();
        match text.starts_with('≈') && !value.is_integer() && fraction.len() <= LONGEST_FRACTION {
            true => format!("{text} ({fraction})"),
            false => text,
        }
    }

    /// The number without a fraction behind it.
    ///
    /// ```
    /// use quip::num::{Digits, ratio};
    /// assert_eq!(Digits::Rounded.short(&ratio(7, 3)), "≈2.333333");
    /// ```
    pub fn short(self, value: &Rational) -> String {
        match self {
            Self::Exact => value.to_string(),
            Self::Rounded => plain(value).unwrap_or_else(|| {
                let places = (ROUNDED - 1 - magnitude(value)).max(DECIMALS);
                marked(
                    value,
                    match (-5..15).contains(&magnitude(value)) {
                        true => fixed(value, places),
                        false => scientific(value, ROUNDED),
                    },
                )
            }),
        }
    }

    /// `x = 2.5`, `x ≈ 2.333333 (7/3)`.
    ///
    /// ```
    /// use quip::num::{Digits, ratio};
    /// assert_eq!(Digits::Rounded.equation("x", &ratio(5, 2)), "x = 2.5");
    /// assert_eq!(Digits::Rounded.equation("x", &ratio(7, 3)), "x ≈ 2.333333 (7/3)");
    /// ```
    pub fn equation(self, name: &str, value: &Rational) -> String {
        let text = self.write(value);
        match text.strip_prefix('≈') {
            Some(rounded) => format!("{name} ≈ {rounded}"),
            None => format!("{name} = {text}"),
        }
    }
}

/// The number in a cell of a table: exactly if it fits, otherwise by as many digits as do.
///
/// ```
/// use quip::num::{int, fitting, ratio};
/// assert_eq!(fitting(&ratio(1, 3), 10), "1/3");
/// assert_eq!(fitting(&ratio(1_234_567_890_123, 1_000_000_007), 10), "≈1234.57");
/// assert_eq!(fitting(&int(-i64::MAX), 10), "≈-9.223e18");
/// ```
pub fn fitting(value: &Rational, width: usize) -> String {
    let exact = value.to_string();
    if exact.len() <= width {
        return exact;
    }
    if let Some(text) = plain(value).filter(|text| text.len() <= width) {
        return text;
    }
    let magnitude = magnitude(value);
    let is_near = (-3..15).contains(&magnitude);
    let fixed = (1..=ROUNDED - 1).rev().filter(|_| is_near);
    let fixed = fixed.map(|digits| self::fixed(value, (digits - 1 - magnitude).max(0)));
    let far = (1..=ROUNDED - 2).rev();
    let far = far.map(|digits| scientific(value, digits));
    let mut texts = fixed.chain(far).map(|text| marked(value, text));
    let found = texts.find(|text| text.chars().count() <= width);
    found.unwrap_or_else(|| marked(value, scientific(value, 1)))
}

/// The text, marked if it is not the number.
fn marked(value: &Rational, text: String) -> String {
    match parse_rational(&text).as_ref() == Ok(value) {
        true => text,
        false => format!("≈{text}"),
    }
}

/// The decimal that is the number, if it is short.
fn plain(value: &Rational) -> Option<String> {
    if value.is_integer() {
        let text = value.to_string();
        return (text.len() <= LONGEST_INTEGER).then_some(text);
    }
    let places = places(value).filter(|places| *places as usize <= LONGEST_DECIMAL)?;
    let text = fixed(value, places.into());
    let digits = text.trim_start_matches(['-', '0', '.']).len();
    (digits <= LONGEST_DECIMAL + 1).then_some(text)
}

/// The decimal that spells the number, if one of at most forty places does.
///
/// ```
/// use quip::num::{decimal, ratio};
/// assert_eq!(decimal(&ratio(-1, 8)), Some("-0.125".to_owned()));
/// assert_eq!(decimal(&ratio(1, 3)), None);
/// ```
pub fn decimal(value: &Rational) -> Option<String> {
    let places = places(value).filter(|places| *places <= 40)?;
    Some(fixed(value, places.into()))
}

/// How many decimals spell the number, if they do.
pub(super) fn places(value: &Rational) -> Option<u32> {
    let mut rest = value.denom().clone();
    let mut power = |prime: u32| {
        let prime = BigInt::from(prime);
        let mut count = 0;
        while rest.is_multiple_of(&prime) {
            rest /= &prime;
            count += 1;
        }
        count
    };
    let places = power(2).max(power(5));
    rest.is_one().then_some(places)
}

/// The power of ten of the first digit that is not zero; zero has none, which counts as 0.
fn magnitude(value: &Rational) -> i64 {
    if value.is_zero() {
        return 0;
    }
    let length = |number: &BigUint| number.to_string().len() as i64;
    let (above, below) = (value.numer().magnitude(), value.denom().magnitude());
    let guess = length(above) - length(below);
    // The quotient lies between the powers `guess - 1` and `guess + 1`.
    guess - i64::from(value.abs() < power_of_ten(guess))
}

fn power_of_ten(power: i64) -> Rational {
    Rational::from_integer(10.into()).pow(power as i32)
}

/// The nearest integer of the absolute value, halves upward.
fn nearest(value: &Rational) -> BigUint {
    let (above, below) = (value.numer().magnitude(), value.denom().magnitude());
    let two = BigUint::from(2u8);
    (above * &two + below).div_floor(&(below * two))
}

/// With so many decimals, zeros at the end left out.
fn fixed(value: &Rational, places: i64) -> String {
    let digits = nearest(&(value * power_of_ten(places))).to_string();
    let places = places as usize;
    let digits = format!("{digits:0>width$}", width = places + 1);
    let (whole, decimals) = digits.split_at(digits.len() - places);
    let decimals = decimals.trim_end_matches('0');
    let point = if decimals.is_empty() { "" } else { "." };
    format!("{}{whole}{point}{decimals}", sign(value))
}

/// With so many digits in front of a power of ten.
fn scientific(value: &Rational, digits: i64) -> String {
    let mut magnitude = magnitude(value);
    let mut rounded = nearest(&(value * power_of_ten(digits - 1 - magnitude)));
    if BigInt::from(rounded.clone()) == power_of_ten(digits).to_integer() {
        (magnitude, rounded) = (magnitude + 1, BigUint::one());
    }
    let text = rounded.to_string();
    let (first, rest) = text.split_at(1);
    let rest = rest.trim_end_matches('0');
    let point = if rest.is_empty() { "" } else { "." };
    format!("{}{first}{point}{rest}e{magnitude}", sign(value))
}

fn sign(value: &Rational) -> &'static str {
    if value.is_negative() { "-" } else { "" }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::num::{int, parse_rational, ratio};

    fn written(text: &str) -> String {
        Digits::Rounded.write(&parse_rational(text).expect("a number"))
    }

    #[test]
    fn what_is_rounded_is_marked_and_nothing_else() {
        let same = [
            "0",
            "-7",
            "0.25",
            "84.5901234567",
            "9223372036854775807",
            "1e-16",
            "-2.5e40",
        ];
        for text in same {
            assert_eq!(written(text), text);
        }
        assert_eq!(written("1/3"), "≈0.3333333 (1/3)");
        assert_eq!(written("-1/3"), "≈-0.3333333 (-1/3)");
        assert_eq!(written("0.99999999999999"), "≈1");
        assert_eq!(written("1234567.890123456"), "≈1234567.89");
        assert_eq!(written("123456789012345678901234"), "≈1.234568e23");
        assert_eq!(written("99999999999999999999999"), "≈1e23");
        assert_eq!(written("12345678901234567.5"), "≈1.234568e16");
    }

    #[test]
    fn a_value_of_many_digits_is_a_short_decimal() {
        let long = "19222050861323169746037022234967341110557052917704503964034367/\
                    235545560582978872063008626108041452681755396300000000000000";
        assert_eq!(written(long), "≈81.60651");
        let value = parse_rational(long).expect("a number");
        assert_eq!(Digits::Exact.write(&value), long);
    }

    #[test]
    fn rounded_numbers_are_nearest() {
        for (above, below) in [(22, 7), (-355, 113), (1, 999_983), (123_456_789, 7)] {
            let value = ratio(above, below);
            let text = Digits::Rounded.short(&value);
            let near = parse_rational(text.trim_start_matches('≈')).expect("a number");
            let apart = (&near - &value).abs() / value.abs();
            assert!(apart < ratio(1, 1_000_000), "{text}");
            assert!(text.starts_with('≈'));
        }
    }

    #[test]
    fn cells_keep_their_width() {
        let huge = int(i64::MAX) * int(i64::MAX);
        let tiny = int(1) / &huge;
        let numbers = [
            huge.clone(),
            -huge,
            tiny.clone(),
            -tiny,
            ratio(-1, 3),
            ratio(10_000_001, 3),
        ];
        for number in numbers {
            let text = fitting(&number, 10);
            assert!(text.chars().count() <= 10, "{text}");
        }
        assert_eq!(fitting(&ratio(10_000_001, 3), 9), "≈3333334");
    }
}
