//! Long rows in parts, as numbers are added on paper.
//!
//! Let `Σ a x <= b` be in integers. With a base `B` write `a = B·h + l` and `b = B·p + q`. Then
//!
//! ```text
//! Σ a x <= b   ⟺   some integer k has   Σ l x - B k <= q   and   Σ h x + k <= p.
//! ```
//!
//! ⟸: add the first row to `B` times the second. ⟹: take `k = ⌈(Σ l x - q) / B⌉`. The first row holds;
//! from `B Σ h x + Σ l x <= B p + q` follows `Σ h x <= p + ⌊(q - Σ l x) / B⌋ = p - k`. For an equation
//! `k` is that quotient, and both rows are equations. The values that `k` may need over the box are its
//! domain, so nothing is lost. A part that is still too long is split again.
//!
//! The row of the high digits by itself is nearly as strong as the whole: that is what propagation
//! and linear programs lean on; the carry is fixed when everything else is.
//!
//! The base is a power of two, unless the digits are noise behind short numbers, as those of short data
//! that floats have touched: then it is the *unit* of which all coefficients are nearly multiples, and
//! the high digits are the short numbers.

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, ToPrimitive};

use super::cleared::Cleared;
use crate::program::{Id, VarId};

/// Sums of the high digits have so many binary digits: as many as a float holds.
const DIGITS: u64 = 36;

/// The domain of the carry, which is the variable behind all others, and the parts of the row; `None`
/// if the parts are no shorter or the carry is too large.
pub(super) fn split(row: &Cleared, domains: &[(i64, i64)]) -> Option<((i64, i64), [Cleared; 2])> {
    if row.upper.is_none() {
        return split(&row.clone().negated(), domains);
    }
    let bases = unit(row, DIGITS, domains).into_iter();
    let mut bases = bases.chain([binary(row, DIGITS, domains)]);
    bases.find_map(|base| split_at(row, base, domains))
}

fn split_at(
    row: &Cleared,
    base: BigInt,
    domains: &[(i64, i64)],
) -> Option<((i64, i64), [Cleared; 2])> {
    let (mut high, mut low) = parts(row, &base, domains);
    let before = row.reach(domains);
    let upper = row.upper.clone()?;
    let (above, below) = upper.div_mod_floor(&base);
    let (least, most) = low.range(domains);
    let carry = |sum: BigInt| Integer::div_ceil(&(sum - &below), &base).to_i64();
    let carry = (carry(least)?, carry(most)?);
    let var = VarId::new(domains.len());
    high.terms.push((var, BigInt::one()));
    low.terms.push((var, -base));
    if row.lower.is_some() {
        (high.lower, low.lower) = (Some(above.clone()), Some(below.clone()));
    }
    (high.upper, low.upper) = (Some(above), Some(below));
    let domains: Vec<_> = domains.iter().copied().chain([carry]).collect();
    let shorter = [&high, &low]
        .iter()
        .all(|part| part.reach(&domains) < before);
    shorter.then_some((carry, [low, high]))
}

/// The high digits of the coefficients, so that their sums have no more than so many binary digits,
/// what is left of the coefficients, and the base.
pub(super) fn digits(
    row: &Cleared,
    digits: u64,
    domains: &[(i64, i64)],
) -> (Cleared, Cleared, BigInt) {
    let base = unit(row, digits, domains).unwrap_or_else(|| binary(row, digits, domains));
    let (high, low) = parts(row, &base, domains);
    (high, low, base)
}

/// The power of two that leaves sums so many binary digits.
fn binary(row: &Cleared, digits: u64, domains: &[(i64, i64)]) -> BigInt {
    BigInt::one() << row.reach(domains).bits().saturating_sub(digits)
}

/// The unit of which all coefficients are nearly multiples: what is left of them over the box is less
/// than a millionth of it, and sums of the multiples have no more than so many binary digits.
fn unit(row: &Cleared, digits: u64, domains: &[(i64, i64)]) -> Option<BigInt> {
    /// The largest coefficient is that many units at most.
    const MOST: u32 = 100_000;
    const NOISE: i32 = 1_000_000;
    /// A longer unit does not leave the low digits room in a machine integer.
    const LONGEST: u64 = 54;
    let largest = row.terms.iter().map(|(_, by)| by.magnitude()).max()?;
    let size = largest.to_f64().filter(|size| size.is_finite())?;
    let far = |var: &VarId| {
        let (lower, upper) = domains[var.index()];
        lower.unsigned_abs().max(upper.unsigned_abs()) as f64
    };
    let terms = row.terms.iter();
    let terms = terms.map(|(var, by)| Some((by.to_f64()? / size, far(var))));
    let terms: Vec<(f64, f64)> = terms.collect::<Option<_>>()?;
    // Floats look for it, integers decide.
    let is_near = |units: &u32| {
        let mut left = f64::from(NOISE).recip();
        terms.iter().all(|(by, far)| {
            let multiple = by * f64::from(*units);
            left -= (multiple - multiple.round()).abs() * far;
            left >= 0.0
        })
    };
    let units = (1..=MOST).find(is_near)?;
    let base = (BigInt::from(largest.clone()) + units / 2) / units;
    let (high, low) = parts(row, &base, domains);
    let is_good = base.bits() <= LONGEST
        && high.reach(domains).bits() <= digits
        && low.reach(domains) * NOISE < base;
    is_good.then_some(base)
}

/// The high digits and what is left of the coefficients.
fn parts(row: &Cleared, base: &BigInt, domains: &[(i64, i64)]) -> (Cleared, Cleared) {
    let half = base >> 1;
    let (mut high, mut low) = (Vec::new(), Vec::new());
    let matters = |(var, _): &&(VarId, BigInt)| domains[var.index()] != (0, 0);
    for (var, by) in row.terms.iter().filter(matters) {
        let top = Integer::div_floor(&(by + &half), base);
        let rest = by - &top * base;
        high.push((*var, top));
        low.push((*var, rest));
    }
    let part = |mut terms: Vec<(VarId, BigInt)>| {
        terms.retain(|(_, by)| *by != BigInt::ZERO);
        Cleared {
            terms,
            lower: None,
            upper: None,
        }
    };
    (part(high), part(low))
}
