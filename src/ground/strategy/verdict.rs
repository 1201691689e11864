//! What comes of checking a certificate.

use std::fmt;

use crate::num::Rational;

/// Why a certificate is not accepted.
#[derive(Debug, thiserror::Error)]
pub enum CheckError {
    /// The text cannot be read from its source.
    #[error("cannot read the certificate: {0}")]
    Input(#[from] std::io::Error),
    /// The certificate does not prove its claim.
    #[error("line {line}: {reason}")]
    Invalid {
        /// The line, counted from one.
        line: usize,
        /// What is wrong there, in words.
        reason: String,
    },
}

/// What a certificate proves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// The claim, as the certificate words it: `optimal 16`, `infeasible`, …
    pub claim: String,
    /// What the existential player can guarantee.
    pub strategy: Option<Proved>,
    /// What the universal player can guarantee.
    pub refutation: Option<Proved>,
}

/// One side of a certificate that was accepted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proved {
    /// What its owner is guaranteed.
    pub guarantee: Guarantee,
    /// How many nodes it has.
    pub nodes: usize,
    /// The most nodes that had to be held at one time.
    pub peak: usize,
}

/// What a plan guarantees its owner, as a cost that the existential player wants to be small; in
/// the order of his wishes.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Guarantee {
    /// The universal system dies.
    Won,
    /// The objective is pushed beyond every bound.
    Unbounded,
    /// The existential rows are kept, whatever it costs.
    Kept,
    /// A strategy costs at most this, a refutation at least this.
    Cost(Rational),
    /// The existential system dies.
    Lost,
}

impl Guarantee {
    /// The cost, if one is guaranteed.
    pub fn cost(&self) -> Option<&Rational> {
        match self {
            Self::Cost(cost) => Some(cost),
            _ => None,
        }
    }
}

impl Guarantee {
    /// Its word in JSON.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Won => "won",
            Self::Unbounded => "unbounded",
            Self::Kept => "kept",
            Self::Cost(_) => "value",
            Self::Lost => "lost",
        }
    }
}

impl fmt::Display for Guarantee {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Won => out.write_str("won"),
            Self::Unbounded => out.write_str("unbounded"),
            Self::Kept => out.write_str("kept"),
            Self::Cost(cost) => cost.fmt(out),
            Self::Lost => out.write_str("lost"),
        }
    }
}
