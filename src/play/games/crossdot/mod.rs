//! CrossDot: two players mark boxes in a line of `m`; `k` in a row win.
//!
//! Source: Zhang and Thielscher, *Representing and reasoning about game strategies*, Example 1. The
//! document gives the game as a state transition system; here it is a [positional
//! game](crate::games::positional) whose winning sets are the runs of `k` boxes. Player 1 (×, existential)
//! moves first. The value is 1, 0 or -1.
//!
//! Nothing was corrected: for `k = 2` it is a tie for two boxes and a win for player 1 beyond, for
//! `k = 3, 4` and up to ten boxes a tie.

pub mod referee;

use crate::games::GameError;
use crate::games::positional::Positional;

/// The most boxes a program is built for.
pub const MOST_BOXES: usize = 64;

/// The game on `boxes` boxes with rows of `row`.
///
/// ```
/// use quip::games::crossdot;
/// assert_eq!(crossdot::game(4, 2)?.cells(), 4);
/// assert_eq!(
///     crossdot::game(4, 5).unwrap_err().to_string(),
///     "row: a row has more than 1 and at most 4 boxes, not 5"
/// );
/// # Ok::<(), quip::games::GameError>(())
/// ```
pub fn game(boxes: usize, row: usize) -> Result<Positional, GameError> {
    if !(2..=MOST_BOXES).contains(&boxes) {
        let message = format!("a line has 2 to {MOST_BOXES} boxes, not {boxes}");
        return Err(GameError::parameter("boxes", message));
    }
    if !(2..=boxes).contains(&row) {
        let message = format!("a row has more than 1 and at most {boxes} boxes, not {row}");
        return Err(GameError::parameter("row", message));
    }
    let runs = (0..=boxes - row).map(|first| (first..first + row).collect());
    Positional::new(boxes, runs.collect())
}
