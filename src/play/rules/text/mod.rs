//! Rule files: reading them, and what they say.
//!
//! Text becomes tokens in `token`, statements in `parse`; `check` looks for names without meaning,
//! `ground` gives the indices values, and `axioms` makes a game of what is left. The grammar is in `docs/format-rules.md`.
//!
//! **Invariant:** no bytes make the reader panic, hang or guess; whatever it cannot give a meaning
//! to is an error with a place.

mod assemble;
mod axiom_game;
mod axioms;
mod check;
mod cursor;
mod ground;
mod parse;
mod syntax;
mod theory;
mod token;

pub use axiom_game::AxiomGame;
pub(super) use axiom_game::Successor;
pub use theory::{Theory, TheoryError};
