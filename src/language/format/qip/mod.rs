//! The native format: linear expressions in the manner of LP files, and a quantifier prefix.

mod prefix;
mod writer;

pub use writer::{QipParts, write_qip};
pub(super) use writer::{push_declaration, push_objective, push_row};
