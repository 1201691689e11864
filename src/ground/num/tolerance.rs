//! The only epsilons of the crate, each with its reason.
//!
//! **Invariant:** none of them decides an answer. They steer floating-point code (which linear
//! program to stop early, which float is probably an integer); whatever they suggest is proved or
//! rejected in exact arithmetic afterwards, so a bad value costs time and never correctness.

/// How far a linear program's float solution may leave a row or a bound.
///
/// The LP solver's own default. A smaller value buys nothing here, because no float solution is
/// taken at its word, and costs iterations.
pub const LP_FEASIBILITY: f64 = 1e-7;

/// How wrong the sign of a reduced cost may be in a float solution that is called optimal.
///
/// Smaller than the LP solver's default of `1e-7`: the duals become proofs, and a proved bound
/// loses this much for every unit that a column can move.
pub const LP_OPTIMALITY: f64 = 1e-9;

/// How near to an integer a float must be to be rounded to it.
///
/// Ten times [`LP_FEASIBILITY`]: columns that are combinations of others collect their errors. The
/// rounded point is substituted into the rows in integers before it is used.
pub const INTEGRALITY: f64 = 1e-6;

/// How far beyond a cut-off, relative to its size, the float objective must be before a linear
/// program is stopped early.
///
/// Without it the program stops exactly at the cut-off, and the proof that follows, which rounds
/// its multipliers, misses the cut-off by that rounding.
pub const CUTOFF_MARGIN: f64 = 1e-7;

/// How near a fraction must come to a float, relative to its size, to be what it stands for.
///
/// Well above the error of a small linear program in doubles and well below the distance between
/// fractions with small denominators.
pub const FRACTION_NEARNESS: f64 = 1e-10;

/// How far the value of a foreign solver, relative to its size, may be from ours before a table of
/// results says that they disagree: foreign solvers print rounded decimals.
pub const FOREIGN_AGREEMENT: f64 = 1e-5;

/// The integer that a float stands for, if it is near one.
///
/// ```
/// use quip::num::tolerance::nearest_integer;
/// assert_eq!(nearest_integer(2.999_999_9), Some(3));
/// assert_eq!(nearest_integer(2.5), None);
/// assert_eq!(nearest_integer(f64::NAN), None);
/// assert_eq!(nearest_integer(1e300), None);
/// ```
pub fn nearest_integer(value: f64) -> Option<i64> {
    // Every float below 2^63 in size converts without saturation.
    const LIMIT: f64 = 9_223_372_036_854_775_808.0;
    let rounded = value.round();
    let near = (value - rounded).abs() <= INTEGRALITY;
    (near && rounded.abs() < LIMIT).then_some(rounded as i64)
}
