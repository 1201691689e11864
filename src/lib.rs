//! Exact solver for quantified integer linear programs.

pub mod budget;
pub mod format;
pub mod games;
pub mod lp;
pub mod num;
pub mod outcome;
pub mod program;
pub mod reference;
pub mod solver;
pub mod strategy;

/// The examples of the README are tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct Readme;
