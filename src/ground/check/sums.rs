//! Rows over columns: sums, what a room makes of them, and what integers make of their sides.

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Zero};

use super::near::Near;
use super::view::finite;
use crate::num::{Exact, Rational};
use crate::strategy::words::Checked;

/// `Σ terms <= rhs`.
#[derive(Clone, Debug, Default)]
pub(super) struct Row {
    pub terms: Vec<(usize, Exact)>,
    pub rhs: Near,
}

impl Row {
    /// Adds another row so many times; [`Row::collected`] puts the terms together.
    pub fn add(&mut self, other: &Self, by: &Exact) {
        self.terms
            .extend(other.terms.iter().map(|(column, own)| (*column, own * by)));
        self.rhs = &self.rhs + &(&other.rhs * by);
    }

    /// This row less another one.
    pub fn less(mut self, other: &Self) -> Self {
        self.add(other, &-&Exact::ONE);
        self.collected()
    }

    /// One term for each column, and none that is zero.
    pub fn collected(mut self) -> Self {
        self.terms.sort_by_key(|term| term.0);
        let mut kept: Vec<(usize, Exact)> = Vec::with_capacity(self.terms.len());
        for (column, by) in self.terms {
            match kept.last_mut() {
                Some(last) if last.0 == column => last.1 = &last.1 + &by,
                _ => kept.push((column, by)),
            }
        }
        kept.retain(|term| !term.1.is_zero());
        Self {
            terms: kept,
            rhs: self.rhs,
        }
    }

    /// The row with the largest side that its sum can reach, where all columns are integers.
    pub fn strengthened(mut self, whole: &[bool]) -> Self {
        if !self.terms.is_empty() && self.terms.iter().all(|term| whole[term.0]) {
            let step = step(&self.terms);
            self.rhs = &self.rhs.over(&step).floor() * &step;
        }
        self
    }
}

/// What the terms add up to at least.
pub(super) fn least<'a>(
    terms: impl Iterator<Item = &'a (usize, Exact)>,
    ends: &[[Option<Near>; 2]],
) -> Checked<Near> {
    let mut total = Near::default();
    for (column, by) in terms {
        let end = &ends[*column][usize::from(!by.is_positive())];
        total = &total + &(finite(end)? * by);
    }
    Ok(total)
}

/// Every sum of the terms over integers is a multiple of this.
fn step(terms: &[(usize, Exact)]) -> Exact {
    if terms
        .iter()
        .any(|(_, by)| by.to_i64().is_some_and(|by| by.abs() == 1))
        && terms.iter().all(|(_, by)| by.is_whole())
    {
        return Exact::ONE;
    }
    let numbers: Vec<Rational> = terms.iter().map(|(_, by)| by.to_rational()).collect();
    let common = (numbers.iter()).fold(BigInt::one(), |common, by| common.lcm(by.denom()));
    let whole = numbers.iter().map(|by| by.numer() * (&common / by.denom()));
    let divisor = whole.fold(BigInt::zero(), |divisor, by| divisor.gcd(&by));
    Rational::new(divisor, common).into()
}
