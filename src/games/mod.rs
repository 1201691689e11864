//! Generators of programs: families with a seed or a size, for tests, benchmarks and play.

pub mod or;
pub mod random;
