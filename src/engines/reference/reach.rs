//! What a row can still sum up to while some of its variables are free.
//!
//! A row is *broken* when not even the extremes of what it can reach meet its sides, and *settled*
//! when both extremes lie inside them.
//!
//! **Invariant:** `low <= every reachable sum <= high`. The contributions of integers are exact;
//! those of reals are rounded outward, and enormous ones of free variables count as infinite.

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{Signed, ToPrimitive};

use crate::num::Rational;
use crate::program::{Bounds, ScaledRow};

/// What one row can still sum up to.
pub(super) struct Reach {
    lower: Option<i128>,
    upper: Option<i128>,
    low: End,
    high: End,
}

/// An end of a range: a finite part and how many infinite contributions come on top.
#[derive(Copy, Clone, Default)]
struct End {
    finite: i128,
    infinite: usize,
}

/// A variable inside a row.
pub(super) struct Entry {
    /// The row.
    pub row: usize,
    coefficient: i128,
    /// The smallest and largest contribution; `None` is infinite.
    least: Option<i128>,
    most: Option<i128>,
}

impl End {
    fn add(&mut self, part: Option<i128>) {
        match part {
            Some(part) => self.finite += part,
            None => self.infinite += 1,
        }
    }

    fn remove(&mut self, part: Option<i128>) {
        match part {
            Some(part) => self.finite -= part,
            None => self.infinite -= 1,
        }
    }

    fn value(self) -> Option<i128> {
        (self.infinite == 0).then_some(self.finite)
    }
}

impl Reach {
    /// A row without its terms.
    pub fn new(row: &ScaledRow) -> Self {
        Self {
            lower: row.lower.map(i128::from),
            upper: row.upper.map(i128::from),
            low: End::default(),
            high: End::default(),
        }
    }

    /// A row that is neither broken nor settled, whatever becomes of its variables.
    pub fn never_known(variables: usize) -> Self {
        let open = End {
            finite: 0,
            infinite: variables + 1,
        };
        Self {
            lower: Some(0),
            upper: Some(0),
            low: open,
            high: open,
        }
    }

    /// Adds a free variable.
    pub fn enter(&mut self, entry: &Entry) {
        self.low.add(entry.least);
        self.high.add(entry.most);
    }

    /// Fixes a free variable.
    pub fn fix(&mut self, entry: &Entry, value: i128) {
        let part = Some(entry.coefficient * value);
        self.low.remove(entry.least);
        self.low.add(part);
        self.high.remove(entry.most);
        self.high.add(part);
    }

    /// Takes [`Reach::fix`] back.
    pub fn unfix(&mut self, entry: &Entry, value: i128) {
        let part = Some(entry.coefficient * value);
        self.low.remove(part);
        self.low.add(entry.least);
        self.high.remove(part);
        self.high.add(entry.most);
    }

    /// The values of a free integer variable that do not break the row; `None` is no limit.
    pub fn window(&self, entry: &Entry) -> (Option<i128>, Option<i128>) {
        let (mut from, mut to) = (None, None);
        if let (Some(low), Some(upper), Some(least)) = (self.low.value(), self.upper, entry.least) {
            // coefficient · value <= room
            let room = upper - (low - least);
            if entry.coefficient > 0 {
                to = Some(Integer::div_floor(&room, &entry.coefficient));
            } else {
                from = Some(Integer::div_ceil(&room, &entry.coefficient));
            }
        }
        if let (Some(high), Some(lower), Some(most)) = (self.high.value(), self.lower, entry.most) {
            // coefficient · value >= need
            let need = lower - (high - most);
            if entry.coefficient > 0 {
                let least = Integer::div_ceil(&need, &entry.coefficient);
                from = Some(from.map_or(least, |from: i128| from.max(least)));
            } else {
                let most = Integer::div_floor(&need, &entry.coefficient);
                to = Some(to.map_or(most, |to: i128| to.min(most)));
            }
        }
        (from, to)
    }

    /// Whether no reachable sum is inside the sides.
    pub fn is_broken(&self) -> bool {
        let crossed =
            matches!((self.lower, self.upper), (Some(lower), Some(upper)) if lower > upper);
        let above =
            matches!((self.low.value(), self.upper), (Some(low), Some(upper)) if low > upper);
        let below =
            matches!((self.high.value(), self.lower), (Some(high), Some(lower)) if high < lower);
        crossed || above || below
    }

    /// Whether every reachable sum is inside the sides.
    pub fn is_settled(&self) -> bool {
        let inside = |end: End, admits: &dyn Fn(i128) -> bool| end.value().is_some_and(admits);
        self.upper
            .is_none_or(|upper| inside(self.high, &|high| high <= upper))
            && self
                .lower
                .is_none_or(|lower| inside(self.low, &|low| low >= lower))
    }
}

impl Entry {
    /// A variable with its coefficient in a row.
    pub fn new(row: usize, coefficient: i64, domain: &Bounds) -> Self {
        let (least, most) = contribution(coefficient, domain);
        Self {
            row,
            coefficient: coefficient.into(),
            least,
            most,
        }
    }

    /// A variable in a row that is [`Reach::never_known`].
    pub fn unknown(row: usize) -> Self {
        Self {
            row,
            coefficient: 0,
            least: None,
            most: None,
        }
    }
}

/// The smallest and largest multiple of a variable; an end beyond 2¹⁰⁰ counts as infinite, so that
/// no sum of contributions can overflow.
fn contribution(coefficient: i64, domain: &Bounds) -> (Option<i128>, Option<i128>) {
    let (least, most) = if coefficient > 0 {
        (&domain.lower, &domain.upper)
    } else {
        (&domain.upper, &domain.lower)
    };
    let multiple = |bound: &Rational| bound * BigInt::from(coefficient);
    let moderate = |value: BigInt| value.to_i128().filter(|value| value.abs() < 1 << 100);
    (
        least
            .as_ref()
            .and_then(|bound| moderate(multiple(bound).floor().to_integer())),
        most.as_ref()
            .and_then(|bound| moderate(multiple(bound).ceil().to_integer())),
    )
}
