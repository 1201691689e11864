//! Exact solver for quantified integer linear programs.
//!
//! A quantified program is a linear program whose variables are fixed in order by two players. The
//! existential player wants the rows to hold and the objective to be good; the universal player
//! wants the opposite. Solving it means to find the best value that the existential player can
//! guarantee, and to prove it.
//!
//! Order stock, see the demand of two days, and order in a rush what is missing; not more than five pieces are demanded:
//!
//! ```
//! use std::time::Duration;
//! use quip::model::*;
//! use quip::num::int;
//! use quip::solver::{Options, Solver};
//!
//! let mut model = Model::new();
//! let stock = model.decide().integer("stock", 0..=9);
//! let d1 = model.reveal().integer("d1", 1..=4);
//! let rush1 = model.decide().integer("rush1", 0..=9);
//! let d2 = model.reveal().integer("d2", 1..=4);
//! let rush2 = model.decide().integer("rush2", 0..=9);
//! model
//!     .minimize(3 * stock + dec("3.5") * (rush1 + rush2))
//!     .subject_to(row!("first": stock + rush1 >= d1))
//!     .subject_to(row!("both": stock + rush1 + rush2 >= d1 + d2))
//!     .uncertainty(row!("budget": d1 + d2 <= 5));
//!
//! // A solver is used as often as there are models, with options that are built or plain.
//! let solver = Solver::new(Options::default().with_time(Duration::from_secs(60)));
//! let solution = solver.solve_model(&model)?;
//! assert_eq!(solution.objective(), Some(&int(15)));
//! assert_eq!(solution.value(stock), Some(&int(5)));
//!
//! // What to do after what has been observed; what the opponent's rows forbid is refused with the row.
//! let policy = solution.policy()?;
//! assert_eq!(policy.reply([(d1, 3), (d2, 2)])?.value(rush2), Some(&int(0)));
//! let refused = policy.reply([(d1, 3), (d2, 3)]).err().unwrap();
//! assert_eq!(refused.to_string(), "d2 = 3 is illegal: it breaks row `budget` of the opponent");
//!
//! // The model goes on, and so does the solver. Numbers are exact.
//! model.subject_to(row!("shelf": stock <= dec("3.3")));
//! assert_eq!(solver.solve_model(&model)?.objective(), Some(&int(16)));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A model in a file is solved in the same way:
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
//! A model goes one way: [`mod@format`] makes a [`program`] of a text and [`model`] of Rust code,
//! [`solver`] makes an [`outcome`] of it with the engine of its choice ([`search`], [`benders`], [`mod@reference`]), within a
//! [`budget`], and with the plans ([`strategy`]) that prove it; a [`Solution`](solver::Solution) is an outcome that is asked by
//! variable and acted on. All numbers are exact ([`num`]).
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
