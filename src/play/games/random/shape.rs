//! How large random programs are and how often each feature occurs.

use std::ops::RangeInclusive;

/// What random programs look like. Ranges must not be empty; chances are percentages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RandomShape {
    /// How many variables.
    pub variables: RangeInclusive<usize>,
    /// Variables in one block, before neighbouring blocks happen to merge.
    pub block: RangeInclusive<usize>,
    /// Distance between the bounds of an integer variable.
    pub width: RangeInclusive<i64>,
    /// Smallest and largest lower bound.
    pub lower: RangeInclusive<i64>,
    /// How many existential rows.
    pub rows: RangeInclusive<usize>,
    /// How many universal rows.
    pub universal_rows: RangeInclusive<usize>,
    /// Variables in one row.
    pub terms: RangeInclusive<usize>,
    /// Coefficients, before they are divided; one is taken instead of zero.
    pub coefficients: RangeInclusive<i64>,
    /// Chance that a coefficient or a bound is a decimal or another fraction.
    pub fractions: u32,
    /// Chance that a row is an equation.
    pub equations: u32,
    /// Chance that a universal row mentions existential variables.
    pub decision_dependent: u32,
    /// Chance that there is an objective.
    pub objective: u32,
    /// Chance that the last variables are real.
    pub real_tail: u32,
    /// Whether the existential variables are all real, and some of the universal ones.
    pub all_real: bool,
    /// Chance that a real variable that may be unbounded is.
    pub infinite: u32,
    /// Chance that some domain is empty.
    pub empty_domain: u32,
}

impl RandomShape {
    /// A few general integers and a little of everything but reals.
    pub fn small() -> Self {
        Self {
            variables: 0..=7,
            block: 1..=2,
            width: 0..=3,
            lower: -2..=1,
            rows: 0..=4,
            universal_rows: 0..=2,
            terms: 0..=4,
            coefficients: -4..=4,
            fractions: 15,
            equations: 15,
            decision_dependent: 40,
            objective: 80,
            real_tail: 0,
            all_real: false,
            infinite: 0,
            empty_domain: 2,
        }
    }

    /// Zero-one variables, more of them.
    pub fn binary() -> Self {
        Self {
            variables: 4..=11,
            block: 1..=3,
            width: 1..=1,
            lower: 0..=0,
            rows: 2..=7,
            terms: 2..=4,
            coefficients: -3..=3,
            fractions: 0,
            empty_domain: 0,
            ..Self::small()
        }
    }

    /// Like [`RandomShape::small`], with a tail of real variables.
    pub fn with_reals() -> Self {
        Self {
            variables: 1..=6,
            width: 0..=2,
            real_tail: 100,
            infinite: 20,
            ..Self::small()
        }
    }

    /// Quantified linear programs: all existential variables are real, universal ones are real or
    /// whole, and there are no universal rows.
    pub fn qlp() -> Self {
        Self {
            variables: 1..=8,
            rows: 1..=6,
            universal_rows: 0..=0,
            terms: 1..=5,
            all_real: true,
            infinite: 15,
            empty_domain: 1,
            ..Self::small()
        }
    }

    /// Alternating single moves under rules that both players can break.
    pub fn game() -> Self {
        Self {
            variables: 3..=9,
            block: 1..=1,
            width: 1..=2,
            lower: 0..=0,
            rows: 2..=6,
            universal_rows: 1..=3,
            terms: 2..=4,
            fractions: 0,
            equations: 5,
            decision_dependent: 80,
            empty_domain: 0,
            ..Self::small()
        }
    }
}
