//! Variables: who fixes them, what they may be.

use std::cmp::Ordering;
use std::fmt;

use num_traits::{One, Zero};

use crate::num::{Rational, compare, int, to_i64};

/// The two players. The existential player wants the rows to hold and the objective to be good;
/// the universal player wants the opposite.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum Quantifier {
    /// The existential player.
    Exists,
    /// The universal player.
    Forall,
}

impl Quantifier {
    /// The other player.
    pub fn opponent(self) -> Self {
        match self {
            Self::Exists => Self::Forall,
            Self::Forall => Self::Exists,
        }
    }

    /// `∃` or `∀`.
    pub fn symbol(self) -> char {
        match self {
            Self::Exists => '∃',
            Self::Forall => '∀',
        }
    }
}

impl fmt::Display for Quantifier {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Self::Exists => "exists",
            Self::Forall => "forall",
        })
    }
}

/// Which numbers a variable may take inside its bounds.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Whole numbers only.
    Integer,
    /// Any number.
    Real,
}

/// An interval; `None` is an infinite end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// The smallest value, if there is one.
    pub lower: Option<Rational>,
    /// The largest value, if there is one.
    pub upper: Option<Rational>,
}

impl Bounds {
    /// The finite interval `[lower, upper]`.
    pub fn between(lower: Rational, upper: Rational) -> Self {
        Self {
            lower: Some(lower),
            upper: Some(upper),
        }
    }

    /// `[0, 1]`.
    pub fn unit() -> Self {
        Self::between(int(0), int(1))
    }

    /// Every number.
    pub fn free() -> Self {
        Self {
            lower: None,
            upper: None,
        }
    }

    /// Whether both ends are finite.
    pub fn is_finite(&self) -> bool {
        self.lower.is_some() && self.upper.is_some()
    }

    /// Whether `value` lies inside.
    pub fn contains(&self, value: &Rational) -> bool {
        let within = |end: &Option<Rational>, outside: Ordering| {
            let mut ends = end.iter();
            ends.all(|end| compare(value, end) != outside)
        };
        within(&self.lower, Ordering::Less) && within(&self.upper, Ordering::Greater)
    }

    /// The interval with its ends rounded inward to whole numbers.
    pub fn rounded_inward(&self) -> Self {
        // Dividing large integers takes long, and nearly every end is whole already.
        let whole = |end: &Rational, round: fn(&Rational) -> Rational| match end.is_integer() {
            true => end.clone(),
            false => round(end),
        };
        Self {
            lower: self.lower.as_ref().map(|end| whole(end, Rational::ceil)),
            upper: self.upper.as_ref().map(|end| whole(end, Rational::floor)),
        }
    }

    /// Whether the ends have crossed.
    pub fn is_crossed(&self) -> bool {
        matches!((&self.lower, &self.upper), (Some(lower), Some(upper)) if lower > upper)
    }
}

/// A variable of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    /// Unique in its program, and spelled so that every file format can carry it.
    pub name: String,
    /// Who fixes it.
    pub quantifier: Quantifier,
    /// Whole numbers or any.
    pub kind: Kind,
    /// As the user gave them; see [`Variable::domain`] for the rounded ones.
    pub bounds: Bounds,
}

impl Variable {
    /// The bounds that count: those of an integer variable are rounded inward.
    pub fn domain(&self) -> Bounds {
        match self.kind {
            Kind::Integer => self.bounds.rounded_inward(),
            Kind::Real => self.bounds.clone(),
        }
    }

    /// How far from zero the finite ends of the domain are, where they were given as machine
    /// integers; `None` elsewhere.
    pub fn farthest(&self) -> Option<u64> {
        let ends = self.bounds.lower.iter().chain(&self.bounds.upper);
        let mut distances = ends.map(|end| to_i64(end).map(i64::unsigned_abs));
        distances.try_fold(0, |farthest, distance| Some(distance?.max(farthest)))
    }

    /// Whether there is no value to take: the bounds are crossed or hold no whole number.
    pub fn has_empty_domain(&self) -> bool {
        self.domain().is_crossed()
    }

    /// Whether this is an integer variable over `{0, 1}`.
    pub fn is_binary(&self) -> bool {
        self.kind == Kind::Integer
            && self.bounds.lower.as_ref().is_some_and(Zero::is_zero)
            && self.bounds.upper.as_ref().is_some_and(One::is_one)
    }

    /// Whether `value` may be taken.
    pub fn admits(&self, value: &Rational) -> bool {
        self.bounds.contains(value) && (self.kind == Kind::Real || value.is_integer())
    }
}
