//! Rule files: reading them, and what they say.
//!
//! Text becomes tokens in `token`, statements in `parse`; `ground` gives the indices values, and
//! `axioms` makes a game of what is left. The grammar is in `docs/format-rules.md`.
//!
//! **Invariant:** no bytes make the reader panic, hang or guess; whatever it cannot give a meaning
//! to is an error with a place.

mod axioms;
mod check;
mod ground;
mod parse;
mod syntax;
mod theory;
mod token;

pub use axioms::AxiomGame;
pub(super) use axioms::Successor;
pub use theory::{Theory, TheoryError};
