//! Variables of a model: a small copyable handle, a name and an interval.

use std::ops::{RangeFrom, RangeFull, RangeInclusive, RangeToInclusive};
use std::sync::atomic::{AtomicU64, Ordering};

use super::number::Number;

/// Which model a variable belongs to, so that a stranger is noticed.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Token(u64);

impl Token {
    /// A token that no other model of this process has.
    pub(super) fn fresh() -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        Self(NEXT.fetch_add(1, Ordering::Relaxed))
    }
}

/// A variable of a model. It is a handle: copy it freely, put it into expressions.
///
/// `==` between two variables asks whether they are the same variable.
///
/// ```
/// use quip::model::*;
/// let mut model = Model::new();
/// let x = model.exists().binary("x");
/// let twice = x + x;
/// assert_eq!(model.name(x), Some("x"));
/// # let _ = twice;
/// ```
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Var {
    pub(super) model: Token,
    pub(super) index: u32,
}

/// What a variable or a family is called.
///
/// ```
/// use quip::model::{Auto, Name};
/// assert_eq!(Name::from("x"), Name::Given("x".to_owned()));
/// assert_eq!(Name::from(Auto), Name::Generated);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Name {
    /// The user's name.
    Given(String),
    /// The model chooses one: `_` and the number of the variable.
    Generated,
}

/// Asks the model to choose a name. Chosen names are `_1`, `_2`, …: the number counts all variables of the model.
///
/// ```
/// use quip::model::*;
/// let mut model = Model::new();
/// let x = model.exists().binary(Auto);
/// assert_eq!(model.name(x), Some("_1"));
/// ```
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Auto;

impl From<&str> for Name {
    fn from(name: &str) -> Self {
        Self::Given(name.to_owned())
    }
}

impl From<String> for Name {
    fn from(name: String) -> Self {
        Self::Given(name)
    }
}

impl From<&String> for Name {
    fn from(name: &String) -> Self {
        Self::Given(name.clone())
    }
}

impl From<Auto> for Name {
    fn from(_: Auto) -> Self {
        Self::Generated
    }
}

/// The values a variable may take, written as a Rust range whose ends belong to it: `0..=3`,
/// `dec("-0.5")..=dec("0.5")`, `0..` and `..` where a bound may be infinite, or a pair of two
/// different number types: `(0, dec("2.5"))`.
///
/// ```
/// use quip::model::{Interval, dec};
/// let ends_of_two_types = Interval::from((0, dec("2.5")));
/// assert_eq!(ends_of_two_types, Interval::from(0.0..=2.5));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Interval {
    pub(super) lower: Option<Number>,
    pub(super) upper: Option<Number>,
}

impl Interval {
    /// `[0, 1]`.
    pub(super) fn unit() -> Self {
        Self::from(0..=1)
    }
}

impl<N: Into<Number>> From<RangeInclusive<N>> for Interval {
    fn from(range: RangeInclusive<N>) -> Self {
        Self::from(range.into_inner())
    }
}

impl<L: Into<Number>, U: Into<Number>> From<(L, U)> for Interval {
    fn from((lower, upper): (L, U)) -> Self {
        Self {
            lower: Some(lower.into()),
            upper: Some(upper.into()),
        }
    }
}

impl<N: Into<Number>> From<RangeFrom<N>> for Interval {
    fn from(range: RangeFrom<N>) -> Self {
        Self {
            lower: Some(range.start.into()),
            upper: None,
        }
    }
}

impl<N: Into<Number>> From<RangeToInclusive<N>> for Interval {
    fn from(range: RangeToInclusive<N>) -> Self {
        Self {
            lower: None,
            upper: Some(range.end.into()),
        }
    }
}

impl From<RangeFull> for Interval {
    fn from(_: RangeFull) -> Self {
        Self {
            lower: None,
            upper: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_models_never_share_a_token() {
        assert_ne!(Token::fresh(), Token::fresh());
    }

    #[test]
    fn an_open_end_is_infinite() {
        assert_eq!(Interval::from(0..).upper, None);
        assert_eq!(Interval::from(..=1).lower, None);
        let free = Interval::from(..);
        assert_eq!((free.lower, free.upper), (None, None));
    }
}
