//! What the engines share: linear programs, the exact kernel for mixed-integer programs, presolve, propagation, and the
//! certificates that are made of them.

pub mod certify;
pub mod empty;
pub mod lp;
pub mod mip;
pub mod presolve;
pub mod propagate;
pub mod symmetry;

use quip_ground::{budget, num, outcome, program, strategy, switch};

#[cfg(test)]
use {quip_language::format, quip_play::games};
