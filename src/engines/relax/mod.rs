//! Relaxations: programs that are easier than the game and bound its value from below.
//!
//! **How to add one.** A relaxation looks at a box of values, asks the LP service, and answers
//! with a [`Bound`] that is proved in exact arithmetic, or with [`Bound::Unknown`]. It never says
//! what a float said. Put it into a file of its own, say in its module doc why it is a bound, and
//! compare it with the value of the game on random programs.

mod qlp;
mod scenario;

pub use qlp::{QlpBound, qlp_bound, solve_qlp};
pub use scenario::{Bound, ScenarioLp};
