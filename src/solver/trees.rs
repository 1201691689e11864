//! Which of the scenario engines begins on a mixed program, and for how long.
//!
//! A small tree is solved at once before a few plays are tried; with a large one it is the other way
//! round, since a node of it takes as long as hundreds of the others. With integers among the replies,
//! or with several stages, few trees are small: set-ups of two products over four periods, 594 columns,
//! take 4 s at once and 0.1 s where the plays that matter are found one by one.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::{Method, Options, settings_of_trees};
use crate::budget::Budget;
use crate::program::Program;
use crate::{equivalent, presolve};

/// Trees with up to so many columns are small, where replies are real and where they are not.
const SMALL: usize = 3_000;
const SMALL_OF_INTEGERS: usize = 250;

/// The first slices of both engines, in nodes.
const SLICES_OF_SMALL: [u64; 2] = [2_000, 250];
const SLICES_OF_LARGE: [u64; 2] = [4_000, 16];

/// Both engines in the order of their turns, with their first slices.
pub(super) fn who_begins(
    program: &Program,
    options: &Options,
    signal: &Arc<AtomicBool>,
) -> ([Method; 2], [u64; 2]) {
    let easier = presolve::simplify(program, &options.presolve);
    let mut budget = Budget::new(options.limits.clone(), Arc::clone(signal), None);
    let settings = settings_of_trees(options);
    let small = match equivalent::has_real_replies(&easier.program) {
        true => SMALL,
        false => SMALL_OF_INTEGERS,
    };
    match equivalent::mixed_columns(&easier.program, &settings, &mut budget) {
        Some(columns) if columns <= small => {
            ([Method::Equivalent, Method::Expand], SLICES_OF_SMALL)
        }
        _ => ([Method::Expand, Method::Equivalent], SLICES_OF_LARGE),
    }
}
