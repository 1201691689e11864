//! Presolve: programs that are easier and have the same value, one technique per file.
//!
//! Two kinds of argument are used, and every technique says which.
//! - *The same plays.* The rows of each system hold in exactly the same plays as before. Then
//!   either system is alive in exactly the same positions, so the game is the same, whoever can
//!   kill whose system. Such a technique takes every program.
//! - *Pressing.* The universal player is sure to have a legal move until the end, because his rows
//!   mention his variables only and can be satisfied. Then nobody wins before the end, the order in
//!   which systems die is irrelevant, and a play is judged by its last position: by the objective if
//!   the existential rows hold there, as lost if not. A universal variable of no universal row is
//!   *free*: the universal player can give it any value of its domain, whatever else happened.
//!
//! **Invariant:** every technique keeps the variables, their order, the objective and the domains of
//! universal variables. So a play of the result is a play of the original, with the same result; and
//! a strategy for the result, which has an answer to every universal move, is one for the original.

mod bounds;
mod coefficients;
mod dominated;
mod draft;
mod driver;
mod fixed;
mod implied_integers;
mod monotone;
mod parallel;
mod reduction;
mod redundant;
mod switches;
mod wide;

pub use driver::{Report, Simplified, simplify};
pub use implied_integers::with_implied_integers;
pub use switches::{Switches, Technique};
pub use wide::{Cleared, cleared_costs, objective_fits, objective_sums_fit, with_small_rows};
