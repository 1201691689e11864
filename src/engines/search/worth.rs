//! Scores inside the search: scaled integer costs with a value for each way a game can end.

use crate::outcome::Score;
use crate::propagate::{Inequalities, NO_LIMIT};

/// A cost in the objective's integers; smaller is better for the existential player.
pub type Worth = i64;

/// The universal system died.
pub const WON: Worth = -NO_LIMIT;

/// The existential system died.
pub const LOST: Worth = NO_LIMIT;

/// The open interval of worths that matter: a result at or below `alpha` is only an upper bound,
/// one at or above `beta` only a lower bound, one between them is exact.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Window {
    /// What the universal player already has elsewhere.
    pub alpha: Worth,
    /// What the existential player already has elsewhere.
    pub beta: Worth,
}

impl Window {
    /// The window that asks only whether the worth is at most `limit`: it is if the result is.
    pub fn at_most(limit: Worth) -> Self {
        Self {
            alpha: limit,
            beta: limit + 1,
        }
    }

    /// Whether nothing is left to ask.
    pub fn is_empty(self) -> bool {
        self.alpha >= self.beta
    }
}

/// A worth with a cost added; the ends of the scale stay where they are.
pub fn shifted(worth: Worth, cost: i64) -> Worth {
    if worth == WON || worth == LOST {
        worth
    } else {
        worth + cost
    }
}

/// The score that a proved worth stands for.
pub fn score(worth: Worth, inequalities: &Inequalities) -> Score {
    match worth {
        WON => Score::Won,
        LOST => Score::Lost,
        cost => Score::Cost(inequalities.cost(cost)),
    }
}

/// The largest cost below `beta`.
pub(super) fn cost_limit(beta: Worth) -> i64 {
    if beta == LOST { NO_LIMIT } else { beta - 1 }
}
