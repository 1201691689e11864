//! Exact solver for quantified integer linear programs.

pub mod budget;
pub mod check;
pub mod games;
pub mod num;
pub mod outcome;
pub mod program;
pub mod propagate;
pub mod reference;
pub mod search;
pub mod solver;
pub mod strategy;
