//! Best play of both sides: the game walked once more, with the worth known and the table warm.

use super::Search;
use super::position::Consequence;
use super::worth::{LOST, WON, Window, Worth};
use crate::num::int;
use crate::outcome::{Move, Stop};
use crate::program::{Id, Quantifier, VarId};

impl Search<'_> {
    /// A play in which both sides keep the proved worth, as far as it goes before a system dies.
    ///
    /// Post: the position is the one on entry. A stop ends the play where it is.
    pub(super) fn principal_variation(&mut self, worth: Worth) -> Vec<Move> {
        let entered = self.position.store.mark();
        let passed = self.position.passed();
        let mut decided = Vec::new();
        // A stop only shortens what is shown; the worth is proved already.
        let _ = self.walk(worth, &mut decided);
        self.position.pass_fixed();
        let moves = (passed..self.position.passed()).map(VarId::new);
        let moves = moves
            .map(|var| (var, int(self.position.store.lower(var))))
            .collect();
        self.position.return_to(passed);
        for var in decided.into_iter().rev() {
            self.position.forget_decision(var);
        }
        self.position.store.undo_to(entered);
        moves
    }

    fn walk(&mut self, worth: Worth, decided: &mut Vec<VarId>) -> Result<(), Stop> {
        while let Some(var) = self.position.pass_fixed() {
            let player = self.position.store.owner(var);
            loop {
                let (lower, upper) = (
                    self.position.store.lower(var),
                    self.position.store.upper(var),
                );
                if lower == upper && self.position.is_decided(var) {
                    break;
                }
                let (lower, upper) = self.keeping_part(var, player, worth)?;
                if self.position.decide(var, lower, upper) {
                    decided.push(var);
                }
                if self.position.settle(player, self.budget)? != Consequence::Alive {
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    /// A part of the variable's values among which one keeps the worth: a guess, or a half.
    fn keeping_part(
        &mut self,
        var: VarId,
        player: Quantifier,
        worth: Worth,
    ) -> Result<(i64, i64), Stop> {
        let (lower, upper) = (
            self.position.store.lower(var),
            self.position.store.upper(var),
        );
        let middle = lower + (upper - lower) / 2;
        let guess = self.guess(var, player);
        for (from, to) in [(guess, guess), (lower, middle)] {
            if self.keeps(var, player, (from, to), worth)? {
                return Ok((from, to));
            }
        }
        Ok((middle + 1, upper))
    }

    /// Whether the mover still has the worth after restricting himself to a part of the values.
    fn keeps(
        &mut self,
        var: VarId,
        player: Quantifier,
        part: (i64, i64),
        worth: Worth,
    ) -> Result<bool, Stop> {
        let mark = self.position.store.mark();
        let first = self.position.decide(var, part.0, part.1);
        let keeps = self.still_has(player, worth);
        if first {
            self.position.forget_decision(var);
        }
        self.position.store.undo_to(mark);
        keeps
    }

    /// Whether the player who has just moved still has the worth.
    fn still_has(&mut self, player: Quantifier, worth: Worth) -> Result<bool, Stop> {
        Ok(match (self.position.settle(player, self.budget)?, player) {
            (Consequence::Alive, Quantifier::Exists) if worth == LOST => true,
            (Consequence::Alive, Quantifier::Forall) if worth == WON => true,
            (Consequence::Alive, Quantifier::Exists) => {
                self.worth(Window::at_most(worth))? <= worth
            }
            (Consequence::Alive, Quantifier::Forall) => {
                self.worth(Window::at_most(worth - 1))? >= worth
            }
            (Consequence::ExistsDead, _) => worth == LOST,
            (Consequence::ForallDead, _) => true,
            (Consequence::Illegal, _) => false,
        })
    }
}
