//! Plays that are not listed: the adversary finds them when they matter.

use super::{Game, Worst};
use crate::budget::Budget;
use crate::expand::adversary::Adversary;
use crate::outcome::Stop;

impl Game<'_> {
    /// Who finds plays that are not known.
    pub fn has_adversary(&self) -> bool {
        self.adversary.is_some()
    }

    /// Whether moves that are found so are answered.
    pub fn is_dual(&self) -> bool {
        self.adversary.as_ref().is_some_and(Adversary::is_answered)
    }

    /// The dearest play against the board, and what it costs, where the known ones cost so much at most; `None` if no
    /// play costs more.
    pub fn dearest_play(
        &mut self,
        reached: i64,
        budget: &mut Budget,
    ) -> Result<Option<(usize, Option<i64>)>, Stop> {
        let window = (reached, self.skeleton.cost_range().1 + 1);
        let found = self.unlisted(self.next_decision(0), window, budget)?;
        Ok(found.map(|(number, worst)| match worst {
            Worst::Refuted(_) => (number, None),
            Worst::Cost(cost) => (number, Some(cost)),
        }))
    }

    /// What plays that are not known make of a board where the known ones cost so much.
    pub(super) fn ask_adversary(
        &mut self,
        end: usize,
        (reached, limit): (i64, i64),
        budget: &mut Budget,
    ) -> Result<Worst, Stop> {
        let found = self.unlisted(end, (reached, limit), budget)?;
        Ok(match found {
            None => Worst::Cost(reached),
            Some((_, Worst::Cost(cost))) => Worst::Cost(cost.max(reached)),
            Some((_, refuted)) => refuted,
        })
    }

    /// The dearest play against the board that costs more than `reached`, or any that costs the limit, with its worth.
    fn unlisted(
        &mut self,
        end: usize,
        window: (i64, i64),
        budget: &mut Budget,
    ) -> Result<Option<(usize, Worst)>, Stop> {
        let Some(adversary) = &mut self.adversary else {
            return Ok(None);
        };
        let Some(play) = adversary.dearest(self.skeleton, &self.board, window, budget)? else {
            return Ok(None);
        };
        let known = self.plays.iter().position(|known| *known == play);
        let number = known.unwrap_or(self.plays.len());
        if known.is_none() {
            self.plays.push(play);
        }
        let worst = self.answer(0..end, number, self.plays.len(), window, budget)?;
        if let Worst::Refuted(_) = worst {
            self.remember(0..end, number);
        }
        Ok(Some((number, worst)))
    }
}
