//! Yasol's dialect: quantifiers, kinds, bounds and order in sections of their own.

mod bounds;
mod lists;
mod writer;

pub(super) use lists::Lists;
pub use writer::{WriteError, write_qlp};
