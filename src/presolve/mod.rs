//! Presolve: programs that are easier and have the same value, one technique per file.
//!
//! **Invariant:** every technique keeps the variables, so that an answer to the result is an
//! answer to the original, move by move.

mod implied_integers;

pub use implied_integers::with_implied_integers;
