//! The LP service: floats that suggest, exact arithmetic that decides.
//!
//! [`LpSolver`] keeps one warm model and answers in floats. [`DualProof`] turns such floats into
//! bounds and infeasibility proofs that hold whatever the floats were. [`mip`] asks for a whole
//! integer program at once and hands back a claim. [`simplex`] solves small programs in rationals,
//! and [`WarmLp`] does so faster, by proving what floats suggest.
//!
//! **Invariant:** nothing outside [`exact`], [`simplex`] and [`WarmLp`] may prune, fix or report on the strength
//! of a number from here.

mod basis;
pub mod exact;
mod flat;
mod float;
mod highs;
pub mod mip;
mod problem;
pub mod simplex;
mod solver;
mod sparse;
mod twin;
mod vertex;

#[cfg(test)]
mod tests;

pub use basis::{farkas_multipliers, square_solution};
pub use exact::{DualProof, ExactRows, FixedPoint, Region};
pub use float::{WarmCounts, WarmLp};
pub use highs::version;
pub use problem::{Column, LpProblem, LpRow, RowSides};
pub use solver::{Basis, Counters, LpSolver, LpVerdict};
pub use twin::exact_bound_slow;
pub use vertex::{Vertex, vertex};
