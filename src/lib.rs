//! Exact solver for quantified integer linear programs.

pub mod budget;
pub mod check;
pub mod format;
pub mod games;
pub mod lp;
pub mod model;
pub mod num;
pub mod outcome;
pub mod presolve;
pub mod program;
pub mod propagate;
pub mod reference;
pub mod relax;
pub mod search;
pub mod solver;
pub mod strategy;
