//! The engines: each shows its idea, on top of the kernel.

pub mod benders;
pub mod equivalent;
pub mod expand;
pub mod interleave;
pub mod qbf;
pub mod reference;
pub mod relax;
pub mod search;

use quip_ground::{budget, num, outcome, program, strategy, switch};
use quip_kernel::{certify, empty, lp, mip, presolve, propagate, symmetry};

#[cfg(test)]
use {quip_language::format, quip_play::games};
