//! Linear programs.

pub mod simplex;
