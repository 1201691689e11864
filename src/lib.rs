//! Exact solver for quantified integer linear programs.
//!
//! A quantified program is a linear program whose variables are fixed in order by two players. The
//! existential player wants the rows to hold and the objective to be good; the universal player
//! wants the opposite. Solving it means to find the best value that the existential player can
//! guarantee, and to prove it.
//!
//! ```
//! use quip::format::parse_qip;
//! use quip::solver::Solver;
//!
//! let program = parse_qip(
//!     "maximize x - y
//!      subject to x <= 2 y + 1
//!      prefix forall integer y in [0, 2]  exists integer x in [0, 3]
//!      end",
//! )?;
//! let outcome = Solver::default().solve(&program)?;
//! assert_eq!(outcome.objective.unwrap().to_string(), "1");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A model goes one way: [`format`] makes a [`program`] of a text and [`model`] of Rust code,
//! [`solver`] makes an [`outcome`] of it with the engine of its choice ([`search`], [`benders`], [`reference`]), within a
//! [`budget`], and with the plans ([`strategy`]) that prove it. All numbers are exact ([`num`]).
//! [`explain`] finds out why an answer is what it is; [`count`] counts solutions where nobody plays against them.
//! [`rules`] describes games and strategies, and asks such programs what a strategy guarantees.

pub mod count;
pub mod draw;
pub mod experiment;
pub mod explain;
pub mod fuzz;
pub mod report;
pub mod solver;

pub use quip_ground::{budget, check, num, outcome, program, strategy, switch};
pub use quip_language::{format, model, row};
pub use quip_play::{games, rules};

// For benchmarks, tests and people who study how it works: what is below changes without notice.
#[doc(hidden)]
pub use quip_engines::{benders, equivalent, expand, interleave, qbf, reference, relax, search};
#[doc(hidden)]
pub use quip_kernel::{certify, empty, lp, mip, presolve, propagate, symmetry};

/// The examples of the README are tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct Readme;

/// So are those of the page about strategies.
#[cfg(doctest)]
#[doc = include_str!("../docs/strategy.md")]
pub struct StrategyPage;
