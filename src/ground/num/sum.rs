//! Sums of products, in machine words while they fit.
//!
//! A sum of fractions of arbitrary size spends nearly all of its time on greatest common divisors
//! of numbers that would fit a machine word. Here numerator and denominator are kept in 128 bits
//! and reduced once, at the end; what does not fit goes on in arbitrary size.
//!
//! **Invariant:** the sum is exact on either way.

use std::cmp::Ordering;

use num_integer::Integer;
use num_traits::{ToPrimitive, Zero};

use super::Rational;

/// A sum that is being added up.
///
/// ```
/// use quip::num::{Sum, ratio};
/// let mut sum = Sum::default();
/// sum.add_product(&ratio(1, 2), &ratio(2, 3));
/// sum.add_product(&ratio(-1, 6), &ratio(1, 1));
/// assert_eq!(sum.finish(), ratio(1, 6));
/// ```
#[derive(Clone, Debug)]
pub struct Sum {
    /// The part in machine words; the denominator is positive.
    numerator: i128,
    denominator: i128,
    /// The part that did not fit.
    rest: Option<Rational>,
}

impl Default for Sum {
    fn default() -> Self {
        Self {
            numerator: 0,
            denominator: 1,
            rest: None,
        }
    }
}

impl Sum {
    /// Adds `left · right`.
    pub fn add_product(&mut self, left: &Rational, right: &Rational) {
        if left.is_zero() || right.is_zero() {
            return;
        }
        let product = words(left).zip(words(right));
        let product = product.map(|(left, right)| (left.0 * right.0, left.1 * right.1));
        if product
            .and_then(|product| self.add_words(product))
            .is_none()
        {
            self.add_rest(left * right);
        }
    }

    /// Takes `left · right` away.
    pub fn subtract_product(&mut self, left: &Rational, right: &Rational) {
        if left.is_zero() || right.is_zero() {
            return;
        }
        let product = words(left).zip(words(right));
        let product = product.map(|(left, right)| (-left.0 * right.0, left.1 * right.1));
        if product
            .and_then(|product| self.add_words(product))
            .is_none()
        {
            self.add_rest(-(left * right));
        }
    }

    /// Adds a number.
    pub fn add(&mut self, number: &Rational) {
        if words(number)
            .and_then(|number| self.add_words(number))
            .is_none()
        {
            self.add_rest(number.clone());
        }
    }

    /// Takes a number away.
    pub fn subtract(&mut self, number: &Rational) {
        let negated = words(number).map(|number| (-number.0, number.1));
        if negated.and_then(|number| self.add_words(number)).is_none() {
            self.add_rest(-number);
        }
    }

    fn add_words(&mut self, (numerator, denominator): Pair) -> Option<()> {
        if denominator == self.denominator {
            self.numerator = self.numerator.checked_add(numerator)?;
            return Some(());
        }
        let widened = widened((self.numerator, self.denominator), (numerator, denominator));
        let (numerator, denominator) = match widened {
            Some(sum) => sum,
            None => widened_reduced((self.numerator, self.denominator), (numerator, denominator))?,
        };
        (self.numerator, self.denominator) = (numerator, denominator);
        Some(())
    }

    fn add_rest(&mut self, number: Rational) {
        self.rest = Some(match self.rest.take() {
            Some(rest) => rest + number,
            None => number,
        });
    }

    /// The sum, in lowest terms.
    pub fn finish(self) -> Rational {
        let (numerator, denominator) = reduced((self.numerator, self.denominator));
        let small = Rational::new_raw(numerator.into(), denominator.into());
        match self.rest {
            Some(rest) => rest + small,
            None => small,
        }
    }
}

/// `left − right`.
///
/// ```
/// use quip::num::{difference, ratio};
/// assert_eq!(difference(&ratio(1, 2), &ratio(1, 3)), ratio(1, 6));
/// ```
pub fn difference(left: &Rational, right: &Rational) -> Rational {
    let mut sum = Sum::default();
    sum.add(left);
    sum.subtract(right);
    sum.finish()
}

/// The order of two numbers.
///
/// ```
/// use quip::num::{compare, ratio};
/// assert!(compare(&ratio(1, 3), &ratio(1, 2)).is_lt());
/// ```
pub fn compare(left: &Rational, right: &Rational) -> Ordering {
    match (words(left), words(right)) {
        // Each factor fits 64 bits.
        (Some(left), Some(right)) => (left.0 * right.1).cmp(&(right.0 * left.1)),
        _ => left.cmp(right),
    }
}

type Pair = (i128, i128);

/// Numerator and denominator, if they fit 64 bits.
fn words(number: &Rational) -> Option<Pair> {
    let numerator = number.numer().to_i64()?;
    let denominator = number.denom().to_i64()?;
    Some((numerator.into(), denominator.into()))
}

fn widened(left: Pair, right: Pair) -> Option<Pair> {
    if left.1 == 1 {
        return Some((left.0.checked_mul(right.1)?.checked_add(right.0)?, right.1));
    }
    if right.1 == 1 {
        return Some((right.0.checked_mul(left.1)?.checked_add(left.0)?, left.1));
    }
    let first = left.0.checked_mul(right.1)?;
    let second = right.0.checked_mul(left.1)?;
    Some((first.checked_add(second)?, left.1.checked_mul(right.1)?))
}

fn widened_reduced(left: Pair, right: Pair) -> Option<Pair> {
    widened(reduced(left), reduced(right))
}

fn reduced((numerator, denominator): Pair) -> Pair {
    if denominator == 1 {
        return (numerator, 1);
    }
    let divisor = match (i64::try_from(numerator), i64::try_from(denominator)) {
        (Ok(numerator), Ok(denominator)) if numerator != i64::MIN => {
            i128::from(numerator.gcd(&denominator))
        }
        _ if numerator == i128::MIN => 1,
        _ => numerator.gcd(&denominator),
    };
    (numerator / divisor, denominator / divisor)
}

#[cfg(test)]
mod tests {
    use rand::Rng;
    use rand_chacha::ChaCha8Rng;
    use rand_chacha::rand_core::SeedableRng;

    use super::*;
    use crate::num::ratio;

    #[test]
    fn a_sum_is_that_of_its_products_whatever_their_size() {
        let dice = &mut ChaCha8Rng::seed_from_u64(1);
        for round in 0..2000 {
            let most = 10i64.pow(round % 19);
            let number = |dice: &mut ChaCha8Rng| {
                let exact = ratio(dice.random_range(-most..=most), dice.random_range(1..=most));
                if dice.random_range(0..20) == 0 {
                    exact.pow(3)
                } else {
                    exact
                }
            };
            let mut sum = Sum::default();
            let mut expected = Rational::zero();
            for _ in 0..dice.random_range(0..8) {
                let (left, right) = (number(dice), number(dice));
                match dice.random_range(0..4) {
                    0 => {
                        sum.subtract_product(&left, &right);
                        expected -= &left * &right;
                    }
                    1 => {
                        sum.add(&left);
                        expected += &left;
                    }
                    2 => {
                        sum.subtract(&left);
                        expected -= &left;
                    }
                    _ => {
                        sum.add_product(&left, &right);
                        expected += &left * &right;
                    }
                }
                assert_eq!(compare(&left, &right), left.cmp(&right));
                assert_eq!(difference(&left, &right), &left - &right);
            }
            let found = sum.finish();
            assert_eq!(found, expected);
            assert_eq!(found, found.reduced());
        }
    }

    #[test]
    fn extreme_words_are_added_exactly() {
        let (least, most) = (ratio(i64::MIN, 1), ratio(i64::MAX, i64::MAX - 1));
        let mut sum = Sum::default();
        let mut expected = Rational::zero();
        for _ in 0..4 {
            for (left, right) in [(&least, &least), (&least, &most), (&most, &most)] {
                sum.add_product(left, right);
                sum.subtract(left);
                expected += left * right - left;
                assert_eq!(compare(left, right), left.cmp(right));
            }
        }
        assert_eq!(sum.finish(), expected);
    }
}
