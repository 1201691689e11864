//! Rows with small coefficients that the same integer points satisfy.
//!
//! *The same plays.* Count every variable from the end of its domain at which it adds least, so that
//! the row is `Σ a y <= b` with `a > 0` and `0 <= y <= d`. Let `s` be the greatest sum of a point that
//! satisfies the row and `s'` the least of one that does not; both are found by adding up the
//! variables in two halves. Let `M` be the largest coefficient and `t` an integer, and round each
//! `t a / M` to a whole number `a'`, which leaves the errors `e = a' - t a / M`. Over the box the sum of
//! the rounded row is at most `F = Σ max(e, 0) d` above and at most `G = Σ max(-e, 0) d` below `t / M`
//! times the sum of the row. So with `b' = ⌊t s / M + F⌋` every point that satisfies the row satisfies
//! `Σ a' y <= b'`; and if `t s' / M - G > b'`, no other point does. The smallest `t` for which that holds
//! is looked for; then `b'` is lowered to the greatest sum `Σ a' y` of a point that satisfies the row.
//! For an equation the same is asked of both sides.
//!
//! This finds the fractions of a row of two variables as its continued fraction would, and the
//! equivalent knapsack rows of Bradley, Hammer and Wolsey (1974) up to rounding to nearest. It is for
//! data with many digits: the row that is left merges positions which the digits had kept apart.

use num_traits::{Signed, ToPrimitive};

use super::cleared::Cleared;
use crate::program::{Id, VarId};

/// Each half of the variables may have so many points.
const POINTS: usize = 1 << 14;

/// Coefficients larger than this are no gain.
const LARGEST: i128 = 1 << 40;

/// A variable counted from the end at which it adds least.
struct Counted {
    var: VarId,
    /// What each step adds; positive.
    by: i128,
    steps: i128,
    /// Whether it is counted downward from its upper end.
    down: bool,
}

/// An equivalent row with smaller coefficients, if one is found.
///
/// Pre: the row is an inequality with one side or an equation.
pub(super) fn small_form(row: &Cleared, domains: &[(i64, i64)]) -> Option<Cleared> {
    if row.upper.is_none() {
        return small_form(&row.clone().negated(), domains);
    }
    let (least, _) = row.range(domains);
    let side = (row.upper.as_ref()? - least).to_i128()?;
    let counted = counted(row, domains)?;
    let gap = Gap::around(&counted, side)?;
    if row.lower.is_some() && gap.below != side {
        // No point satisfies the equation; other rows say that as well.
        return None;
    }
    let under = match row.lower {
        Some(_) => Some(Gap::around(&counted, side - 1)?.below),
        None => None,
    };
    let largest = counted.iter().map(|it| it.by).max()?;
    let mut times = 1;
    while times <= LARGEST && times < largest {
        if let Some((factors, lower, upper)) = rounded(&counted, times, largest, &gap, under)? {
            // The points of an equation have one sum, and need not have one in the rounded row.
            let upper = match lower {
                Some(_) => upper,
                None => tightest(&counted, &factors, side)?,
            };
            return written(&counted, &factors, lower, upper, domains);
        }
        times += 1.max(times / 16);
    }
    None
}

fn counted(row: &Cleared, domains: &[(i64, i64)]) -> Option<Vec<Counted>> {
    let counted = row.terms.iter().map(|(var, by)| {
        let (lower, upper) = domains[var.index()];
        Some(Counted {
            var: *var,
            by: by.abs().to_i128()?,
            steps: i128::from(upper) - i128::from(lower),
            down: by.is_negative(),
        })
    });
    let counted: Vec<_> = counted.collect::<Option<_>>()?;
    // Every product below stays inside `i128`.
    let sum = counted.iter().try_fold(0_i128, |sum, it| {
        sum.checked_add(it.by.checked_mul(it.steps)?)
    })?;
    (sum < 1 << 80).then_some(counted)
}

/// Sums of points next to a side.
struct Gap {
    /// The greatest sum that is not above the side, or -1.
    below: i128,
    /// The least sum above it.
    above: i128,
}

impl Gap {
    /// `None` if there are too many points, or none above the side.
    fn around(counted: &[Counted], side: i128) -> Option<Self> {
        let [left, right] = halves(counted, |place| counted[place].by)?;
        let (mut left, mut right) = (left, right);
        left.sort_unstable();
        right.sort_unstable();
        let mut gap = Self {
            below: -1,
            above: i128::MAX,
        };
        let mut over = right.len();
        for sum in left {
            // The right sums from `over` on are too large beside this one.
            while over > 0 && sum + right[over - 1] > side {
                over -= 1;
            }
            if let Some(more) = right.get(over) {
                gap.above = gap.above.min(sum + more);
            }
            if over > 0 {
                gap.below = gap.below.max(sum + right[over - 1]);
            }
        }
        (gap.above < i128::MAX).then_some(gap)
    }
}

/// What the points of two halves of the variables add up to; `None` if there are too many.
fn halves<N: Copy + Default + std::ops::Add<Output = N>>(
    counted: &[Counted],
    by: impl Fn(usize) -> N,
) -> Option<[Vec<N>; 2]> {
    let mut halves = [vec![N::default()], vec![N::default()]];
    for (at, it) in counted.iter().enumerate() {
        let half = &mut halves[usize::from(halves[1].len() < halves[0].len())];
        let before = half.len();
        let points = usize::try_from(it.steps + 1).ok()?;
        (before.checked_mul(points)? <= POINTS).then_some(())?;
        for place in 0..before * (points - 1) {
            half.push(half[place] + by(at));
        }
    }
    Some(halves)
}

/// Two sums of one point, of the row and of the rounded row.
#[derive(Copy, Clone, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Pair(i128, i128);

impl std::ops::Add for Pair {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0, self.1 + other.1)
    }
}

/// The greatest sum of the rounded row among the points that satisfy the row: the tightest side that
/// it may have. Without it linear relaxations become weak.
fn tightest(counted: &[Counted], factors: &[i128], side: i128) -> Option<i128> {
    let [mut left, mut right] = halves(counted, |place| Pair(counted[place].by, factors[place]))?;
    left.sort_unstable();
    right.sort_unstable();
    let mut most = Vec::with_capacity(right.len());
    for pair in &right {
        most.push(most.last().map_or(pair.1, |&most: &i128| most.max(pair.1)));
    }
    let mut over = right.len();
    let mut best = None;
    for Pair(sum, rounded) in left {
        while over > 0 && sum + right[over - 1].0 > side {
            over -= 1;
        }
        if over > 0 {
            best = best.max(Some(rounded + most[over - 1]));
        }
    }
    best
}

/// The rounded coefficients with the sides they need, if these separate the points.
type Rounded = (Vec<i128>, Option<i128>, i128);

/// `None` where numbers become too large.
fn rounded(
    counted: &[Counted],
    times: i128,
    largest: i128,
    gap: &Gap,
    under: Option<i128>,
) -> Option<Option<Rounded>> {
    let (mut over, mut short) = (0_i128, 0_i128);
    let mut factors = Vec::with_capacity(counted.len());
    for it in counted {
        let exact = times.checked_mul(it.by)?;
        let factor = (exact + largest / 2) / largest;
        let error = (factor * largest - exact).checked_mul(it.steps)?;
        over += error.max(0);
        short += (-error).max(0);
        factors.push(factor);
    }
    let upper = times
        .checked_mul(gap.below)?
        .checked_add(over)?
        .div_euclid(largest);
    if times.checked_mul(gap.above)? - short <= upper.checked_mul(largest)? {
        return Some(None);
    }
    let Some(under) = under else {
        return Some(Some((factors, None, upper)));
    };
    // The least that a point on the side can have, and the most of a point below it.
    let lower = -(-(times.checked_mul(gap.below)? - short)).div_euclid(largest);
    let separates = times.checked_mul(under)? + over < lower.checked_mul(largest)?;
    Some(separates.then_some((factors, Some(lower), upper)))
}

/// The row in the variables themselves.
fn written(
    counted: &[Counted],
    factors: &[i128],
    lower: Option<i128>,
    upper: i128,
    domains: &[(i64, i64)],
) -> Option<Cleared> {
    let mut start = 0_i128;
    let mut terms = Vec::new();
    for (it, &factor) in counted.iter().zip(factors) {
        let (low, up) = domains[it.var.index()];
        let (by, end) = if it.down {
            (-factor, up)
        } else {
            (factor, low)
        };
        start = start.checked_add(by.checked_mul(i128::from(end))?)?;
        if by != 0 {
            terms.push((it.var, by.into()));
        }
    }
    let side = |side: i128| side.checked_add(start).map(Into::into);
    Some(Cleared {
        terms,
        lower: match lower {
            Some(lower) => Some(side(lower)?),
            None => None,
        },
        upper: Some(side(upper)?),
    })
}
