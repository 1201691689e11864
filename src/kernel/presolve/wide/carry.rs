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
    let (mut high, mut low, base) = digits(row, DIGITS, domains);
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
    let bits = row.reach(domains).bits();
    let base = BigInt::one() << bits.saturating_sub(digits);
    let half = &base >> 1;
    let (mut high, mut low) = (Vec::new(), Vec::new());
    let matters = |(var, _): &&(VarId, BigInt)| domains[var.index()] != (0, 0);
    for (var, by) in row.terms.iter().filter(matters) {
        let top = Integer::div_floor(&(by + &half), &base);
        let rest = by - &top * &base;
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
    (part(high), part(low), base)
}
