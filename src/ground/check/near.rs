//! Numbers just beside numbers: `at + apart·δ + beside·ε`. The infinitesimal δ is positive and smaller than
//! every number, ε is positive and smaller than every multiple of δ. All that is ever compared is
//! linear, so that comparing the three parts one after the other is exact.

use std::ops::{Add, Mul, Sub};

use crate::num::Exact;
use crate::strategy::words::{Checked, number};

/// See the module; the order of the fields is the order of the numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Near {
    at: Exact,
    apart: Exact,
    beside: Exact,
}

impl Near {
    /// A number that is less than this one by δ.
    pub fn below(at: Exact) -> Self {
        Self {
            at,
            apart: -&Exact::ONE,
            beside: Exact::ZERO,
        }
    }

    /// Reads `3`, `3+e` or `3-1/2e`.
    pub fn parse(word: &str) -> Checked<Self> {
        let Some(rest) = word.strip_suffix('e') else {
            return Ok(number(word)?.into());
        };
        let sign = rest.rfind(['+', '-']).filter(|&sign| sign > 0);
        let sign =
            sign.ok_or_else(|| format!("expected a number beside a number, found `{word}`"))?;
        let by = match &rest[sign + 1..] {
            "" => Exact::ONE,
            digits => number(digits)?,
        };
        Ok(Self {
            at: number(&rest[..sign])?,
            apart: Exact::ZERO,
            beside: if rest[sign..].starts_with('-') {
                -&by
            } else {
                by
            },
        })
    }

    /// The number, if nothing is beside it.
    pub fn plain(&self) -> Option<&Exact> {
        (self.apart.is_zero() && self.beside.is_zero()).then_some(&self.at)
    }

    /// The largest integer that is no larger.
    pub fn floor(&self) -> Self {
        let floor = self.at.floor();
        let falls = (&self.apart, &self.beside) < (&Exact::ZERO, &Exact::ZERO);
        match floor == self.at && falls {
            true => (&floor - &Exact::ONE).into(),
            false => floor.into(),
        }
    }

    pub fn negated(&self) -> Self {
        self * &-&Exact::ONE
    }

    pub fn over(&self, by: &Exact) -> Self {
        Self {
            at: &self.at / by,
            apart: &self.apart / by,
            beside: &self.beside / by,
        }
    }
}

impl From<Exact> for Near {
    fn from(at: Exact) -> Self {
        Self {
            at,
            ..Self::default()
        }
    }
}

impl Add for &Near {
    type Output = Near;

    fn add(self, other: Self) -> Near {
        Near {
            at: &self.at + &other.at,
            apart: &self.apart + &other.apart,
            beside: &self.beside + &other.beside,
        }
    }
}

impl Sub for &Near {
    type Output = Near;

    fn sub(self, other: Self) -> Near {
        Near {
            at: &self.at - &other.at,
            apart: &self.apart - &other.apart,
            beside: &self.beside - &other.beside,
        }
    }
}

impl Mul<&Exact> for &Near {
    type Output = Near;

    fn mul(self, by: &Exact) -> Near {
        Near {
            at: &self.at * by,
            apart: &self.apart * by,
            beside: &self.beside * by,
        }
    }
}
