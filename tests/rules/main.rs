//! Strategy rules: the results of Zhang and Thielscher, *Representing and reasoning about game
//! strategies*, with corrections where its text disagrees with its definitions.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod algebra;
mod crossdot;
mod observations;
mod page;
mod programs;
mod referees;
mod support;
mod text;
