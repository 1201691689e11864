//! What everything else of `quip` stands on: exact numbers, programs, plans, answers, limits and the checker.

pub mod budget;
pub mod check;
pub mod num;
pub mod outcome;
pub mod program;
pub mod strategy;
pub mod switch;
