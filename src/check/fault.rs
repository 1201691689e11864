//! Why a certificate is not accepted.

use crate::num::{NumberError, Rational};

/// The first thing that is wrong with a certificate.
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
        /// What is wrong there.
        reason: Reason,
    },
}

/// What is wrong with a line of a certificate.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Reason {
    /// The text does not follow the grammar.
    #[error("expected {expected}, found {found}")]
    Syntax {
        /// What the grammar wants.
        expected: &'static str,
        /// What is there.
        found: String,
    },
    /// A number that cannot be read.
    #[error(transparent)]
    Number(#[from] NumberError),
    /// A version of the format that this checker does not know.
    #[error("version `{0}` of the certificate format is unknown; this checker reads version 1")]
    Version(String),
    /// The certificate is about another program.
    #[error("the certificate is for the model {certificate}, but this model is {model}")]
    OtherModel {
        /// The certificate's fingerprint.
        certificate: String,
        /// The model's fingerprint.
        model: String,
    },
    /// A name that the program does not have.
    #[error("the model has no variable `{0}`")]
    UnknownVariable(String),
    /// A row side that the program does not have.
    #[error("the model has no row side `{0}` that may be used here")]
    UnknownSide(String),
    /// Nodes are numbered from zero in the order of their lines.
    #[error("node {found} stands where node {expected} is due")]
    OutOfOrder {
        /// The number that is due.
        expected: u64,
        /// The number that is there.
        found: u64,
    },
    /// A reference forward, to the node itself, or to a node that was used for the last time.
    #[error("node {0} is not there: it does not come before this line, or was given up")]
    MissingNode(u64),
    /// A node leads to a place that does not follow.
    #[error("node {node} begins at place {found}, but place {expected} follows here")]
    WrongPlace {
        /// The node referred to.
        node: u64,
        /// Where it begins.
        found: usize,
        /// Where it should.
        expected: usize,
    },
    /// A variable is moved by the wrong player.
    #[error("`{0}` is not a variable that can be {1} here")]
    WrongPlayer(String, &'static str),
    /// A value outside the domain.
    #[error("{value} is not in the domain of `{variable}`")]
    OutsideDomain {
        /// The variable.
        variable: String,
        /// The value.
        value: Rational,
    },
    /// The branches leave a value out or answer one twice.
    #[error("the branches do not follow one another from end to end of the domain of `{0}`")]
    Coverage(String),
    /// A plan without evidence that its owner's system is alive.
    #[error("nothing shows that the owner's system is alive here")]
    NoWitness,
    /// A sum of an owner's row, or the cost, that is too large.
    #[error("{side} is exceeded by {by}")]
    Broken {
        /// The row or the objective.
        side: String,
        /// By how much.
        by: Rational,
    },
    /// A row that was to show a loss, or a cost that was to be reached, falls short.
    #[error("{side} falls short of what the proof needs by {by}")]
    Short {
        /// The row or the objective.
        side: String,
        /// By how much; zero means that equality is not enough.
        by: Rational,
    },
    /// A proof that ends without a contradiction.
    #[error("the proof ends without a contradiction")]
    NoContradiction,
    /// A row is used whose fixed part the proof does not state.
    #[error("the proof uses {0} without stating what the moves before add to it")]
    NoGiven(String),
    /// A variable that a step of a proof may not touch.
    #[error("a proof may not {step} `{variable}` here")]
    NotForProof {
        /// The step.
        step: &'static str,
        /// The variable.
        variable: String,
    },
    /// A multiplier that is negative.
    #[error("the multiplier {0} is negative")]
    NegativeMultiplier(Rational),
    /// A sum over an infinite domain.
    #[error("a sum over an infinite domain has no bound")]
    Infinite,
    /// A side that has no demand although its variables are not all fixed.
    #[error("{0} is still open where the plan ends")]
    Unfinished(String),
    /// An end that does not fit the value that is claimed.
    #[error("`{0}` cannot prove the value that this side claims")]
    WrongEnd(&'static str),
    /// A domain without values that is handled as if it had some, or the other way round.
    #[error("the certificate does not deal with the empty domain of `{0}`")]
    EmptyDomain(String),
    /// A direction that does not improve the objective without end.
    #[error("the direction is not a ray: {0}")]
    NotARay(String),
    /// The sides do not add up to the claim.
    #[error("the certificate claims `{0}` but does not prove it")]
    Unproved(String),
    /// The text goes on after its end, or ends too early.
    #[error("the certificate is truncated")]
    Truncated,
}
