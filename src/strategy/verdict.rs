//! What comes of checking a certificate.

use super::Guarantee;

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
