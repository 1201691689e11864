//! Which of the scenario engines begins on a mixed program of two stages, and for how long.
//!
//! A small tree is solved at once before a few plays are tried; with a large one it is the other way
//! round, since a node of it takes as long as hundreds of the others.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::{Method, Options, settings_of_trees};
use crate::budget::Budget;
use crate::program::Program;
use crate::{equivalent, presolve};

/// Trees with up to so many columns are small.
const SMALL: usize = 3_000;

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
    match equivalent::mixed_columns(&easier.program, &settings, &mut budget) {
        Some(columns) if columns <= SMALL => {
            ([Method::Equivalent, Method::Expand], SLICES_OF_SMALL)
        }
        _ => ([Method::Expand, Method::Equivalent], SLICES_OF_LARGE),
    }
}
