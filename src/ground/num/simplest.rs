//! Simplest fractions: of all near a number the one with the smallest denominator.

use num_bigint::BigInt;
use num_traits::{One, Signed, Zero};

use super::digits::places;
use super::{Rational, int};

/// Fractions with larger denominators do not look simple.
const LARGEST_DENOMINATOR: i64 = 1000;
/// Decimals with fewer digits behind the point may well be meant as they are.
const FEWEST_PLACES: u32 = 10;
/// How many of them, and how many of a float's digits, a rounding may be off.
const UNITS: i64 = 2;
const FLOAT_UNITS: u32 = 52;

/// The fraction of the smallest denominator in `[from, to]`; of several the one nearest to zero.
/// There must be a number in between.
///
/// ```
/// use quip::num::{int, ratio, simplest_between};
/// assert_eq!(simplest_between(&ratio(3, 10), &ratio(4, 10)), ratio(1, 3));
/// assert_eq!(simplest_between(&ratio(-7, 2), &ratio(-13, 5)), int(-3));
/// ```
pub fn simplest_between(from: &Rational, to: &Rational) -> Rational {
    debug_assert!(from <= to);
    if !from.is_positive() && !to.is_negative() {
        return Rational::zero();
    }
    if to.is_negative() {
        return -simplest_between(&-to, &-from);
    }
    // Both continue with the same whole part until an integer lies between what is left; that is
    // the last term of a continued fraction whose terms are the parts that were met.
    let (mut from, mut to) = (from.clone(), to.clone());
    let mut parts: Vec<BigInt> = Vec::new();
    let last = loop {
        let least = from.ceil();
        if least <= to {
            break least.to_integer();
        }
        let whole = from.floor();
        let rest = (&to - &whole).recip();
        to = (&from - &whole).recip();
        from = rest;
        parts.push(whole.to_integer());
    };
    let (mut above, mut below) = (last, BigInt::one());
    for part in parts.into_iter().rev() {
        (above, below) = (part * &above + below, above);
    }
    Rational::new(above, below)
}

/// The simplest fraction at most `distance` away, and never more than a quarter; for a number below
/// one, at most that share of the number. Integers stay what they are.
///
/// Of two numbers the larger one is read as no less than the other.
///
/// ```
/// use quip::num::{parse_rational, ratio, simplest_within};
/// let third = parse_rational("0.3333333333333333").unwrap();
/// assert_eq!(simplest_within(&third, &ratio(1, 1_000_000_000_000)), ratio(1, 3));
/// ```
pub fn simplest_within(value: &Rational, distance: &Rational) -> Rational {
    if value.is_integer() || !distance.is_positive() {
        return value.clone();
    }
    let quarter = Rational::new(1.into(), 4.into());
    let distance = distance.min(&quarter) * value.abs().min(Rational::one());
    simplest_between(&(value - &distance), &(value + distance))
}

/// The simple fraction that a long decimal looks like a rounding of, as `0.6666666666666667` looks
/// like 2/3 and `0.30000000000000004` like 3/10.
///
/// ```
/// use quip::num::{parse_rational, ratio, rounded_from};
/// let rounded = |text| rounded_from(&parse_rational(text).unwrap());
/// assert_eq!(rounded("0.6666666666666667"), Some(ratio(2, 3)));
/// assert_eq!(rounded("33.333333333333336"), Some(ratio(100, 3)));
/// assert_eq!(rounded("0.30000000000000004"), Some(ratio(3, 10)));
/// assert_eq!(rounded("0.6667"), None);
/// assert_eq!(rounded("0.1234567890123456"), None);
/// assert_eq!(rounded("1/3"), None);
/// ```
pub fn rounded_from(value: &Rational) -> Option<Rational> {
    let places = places(value).filter(|places| *places >= FEWEST_PLACES)?;
    let unit = int(UNITS) / int(10).pow(places as i32);
    let of_float = value.abs() * int(UNITS) / int(2).pow(FLOAT_UNITS as i32);
    let near = unit.max(of_float);
    let simple = simplest_between(&(value - &near), &(value + &near));
    let is_simple = *simple.denom() <= LARGEST_DENOMINATOR.into();
    (is_simple && simple != *value && !simple.is_zero()).then_some(simple)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::num::ratio;
    use rand::Rng;
    use rand_chacha::ChaCha8Rng;
    use rand_chacha::rand_core::SeedableRng;

    /// The same by trying denominators.
    fn by_trying(from: &Rational, to: &Rational) -> Rational {
        for below in 1.. {
            let below = int(below);
            let (least, most) = ((from * &below).ceil(), (to * &below).floor());
            if least <= most {
                let zero = Rational::zero();
                let above = if least > zero { least } else { most.min(zero) };
                return above / below;
            }
        }
        unreachable!("some denominator fits")
    }

    #[test]
    fn the_simplest_is_the_one_that_trying_finds() {
        let dice = &mut ChaCha8Rng::seed_from_u64(7);
        for _ in 0..2_000 {
            let from = ratio(dice.random_range(-5_000..5_000), dice.random_range(1..400));
            let to = &from + ratio(1, dice.random_range(1..160_000));
            assert_eq!(simplest_between(&from, &to), by_trying(&from, &to));
        }
    }

    #[test]
    fn small_numbers_do_not_become_zero_and_integers_stay() {
        let near = ratio(1, 1_000_000);
        let small = ratio(1, 3_000_000_000);
        let read = simplest_within(&small, &near);
        assert!((&read - &small).abs() <= &near * &small, "{read}");
        assert_eq!(simplest_within(&int(7_000_001), &near), int(7_000_001));
        assert_eq!(simplest_within(&Rational::zero(), &near), Rational::zero());
    }
}
