//! Easier formulas with the same winner, before the search.
//!
//! One technique per file, each with a switch in [`Settings`] and the reason why it keeps the winner
//! in its head. They take turns until none finds anything. A technique that takes a variable away
//! leaves a step by which [`Undo`] finds the variable's value in the winner's first moves.
//!
//! Clauses that define gates stay as they are, apart from what units, equivalences and copies do to
//! them: the universal player's constraints are made of them.

mod blocked;
mod draft;
mod early;
mod elimination;
mod equivalences;
mod expansion;
mod independence;
mod subsumption;
mod undo;
mod units;

pub(super) use undo::Undo;

use draft::Draft;

use super::matrix::Matrix;
use super::settings::Settings;
use crate::budget::Budget;
use crate::outcome::Stop;

/// Every technique once is a round; later ones find little.
const ROUNDS: usize = 8;

/// One change in so many clauses makes another round worth while.
const WORTH_A_ROUND: usize = 200;

/// A formula with the same winner, and how to find his first moves in the given one.
pub(super) fn simplify(
    matrix: Matrix,
    settings: &Settings,
    budget: &mut Budget,
) -> Result<(Matrix, Undo), Stop> {
    budget.look()?;
    let mut draft = Draft::new(matrix, budget);
    for _ in 0..ROUNDS {
        let before = draft.changes;
        type Technique = fn(&mut Draft<'_>);
        let techniques: [(bool, Technique); 9] = [
            (settings.units, units::propagate),
            (settings.pure, units::fix_pure),
            (settings.equivalences, equivalences::merge),
            (settings.subsumption, subsumption::strengthen),
            (settings.early, early::place_gates),
            (settings.independence, independence::move_out),
            (settings.blocked, blocked::drop_blocked),
            (settings.elimination, elimination::eliminate),
            (settings.expansion, expansion::expand),
        ];
        for (_, technique) in techniques.into_iter().filter(|(on, _)| *on) {
            if draft.is_over_now() {
                break;
            }
            #[cfg(any(test, feature = "paranoid"))]
            let winner = draft.winner();
            technique(&mut draft);
            #[cfg(any(test, feature = "paranoid"))]
            draft.assert_winner(winner);
            draft.vanished.clear();
            draft.shortened.clear();
        }
        let changes = draft.changes - before;
        if changes <= draft.clauses().count() / WORTH_A_ROUND || draft.is_over_now() {
            break;
        }
    }
    match draft.stop {
        Some(stop) => Err(stop),
        None => Ok(draft.finish()),
    }
}

#[cfg(test)]
mod tests;
