//! Generators of programs: families with a seed or a size, for tests, benchmarks and play.

pub mod dgr;
mod error;
pub mod random;
mod text;

pub use error::GameError;
