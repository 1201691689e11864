//! Sums of products, in machine words while they fit.
//!
//! A sum of fractions of arbitrary size spends nearly all of its time on greatest common divisors
//! of numbers that would fit a machine word. Here numerator and denominator are kept in 128 bits
//! and reduced once, at the end; what does not fit goes on in arbitrary size.
//!
//! **Invariant:** the sum is exact on either way.

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
        if self.add_small(left, right).is_none() {
            let product = left * right;
            self.rest = Some(match self.rest.take() {
                Some(rest) => rest + product,
                None => product,
            });
        }
    }

    /// Adds a number.
    pub fn add(&mut self, number: &Rational) {
        self.add_product(number, &super::int(1));
    }

    fn add_small(&mut self, left: &Rational, right: &Rational) -> Option<()> {
        let numerator = i128::from(left.numer().to_i64()?) * i128::from(right.numer().to_i64()?);
        let denominator = i128::from(left.denom().to_i64()?) * i128::from(right.denom().to_i64()?);
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

type Pair = (i128, i128);

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
                sum.add_product(&left, &right);
                expected += left * right;
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
                expected += left * right;
            }
        }
        assert_eq!(sum.finish(), expected);
    }
}
