//! Generators of programs: families with a seed or a size, for tests, benchmarks and play.

pub mod board;
pub mod chess;
mod choice;
mod circuit;
pub mod connect;
pub mod cops;
pub mod crossdot;
pub mod dgr;
mod error;
mod families;
mod family;
pub mod geography;
pub mod gomoku;
pub mod hex;
pub mod nim;
pub mod or;
pub mod play;
pub mod positional;
pub mod random;
mod text;
pub mod tictactoe;

pub use error::GameError;
pub use families::{FAMILIES, family};
pub use family::{Arguments, Family, Parameter, ParameterKind, Part};
