//! One play of best moves on both sides, once the value is known.

use std::ops::Range;

use super::Real;
use crate::budget::Budget;
use crate::num::Rational;
use crate::outcome::{Halt, Move};

/// Groups of plays that are priced at most; more would cost more than a play is worth.
const MOST_PRICED: usize = 500;

impl Real<'_> {
    /// The play, from the first stage on the board; empty if it is not found cheaply.
    ///
    /// Pre: the first stage guarantees `cost` and nothing better.
    pub(super) fn variation(
        &mut self,
        cost: &Rational,
        budget: &mut Budget,
    ) -> Result<Vec<Move>, Halt> {
        let (mut stage, mut range) = (0, 0..self.plays.len());
        let mut priced = 0;
        while stage < self.stages.universals.len() {
            let end = self.stages.next_decision(stage);
            let Some(group) = self.dearest(stage, end, &range, cost, &mut priced, budget)? else {
                return Ok(Vec::new());
            };
            (stage, range) = (end, group);
        }
        let variables = self.stages.program.variables().ids();
        Ok(variables
            .map(|var| (var, self.board[var].clone()))
            .collect())
    }

    /// Universal moves that make the rest of the play cost as much as it can; they and the reply
    /// to them are put on the board.
    fn dearest(
        &mut self,
        stage: usize,
        end: usize,
        range: &Range<usize>,
        cost: &Rational,
        priced: &mut usize,
        budget: &mut Budget,
    ) -> Result<Option<Range<usize>>, Halt> {
        let killers = self.killers.iter().rev().copied();
        let mut order: Vec<usize> = killers.filter(|killer| range.contains(killer)).collect();
        order.extend(range.clone());
        let mut last: Option<Range<usize>> = None;
        for first in order {
            if last.as_ref().is_some_and(|group| group.contains(&first)) {
                continue;
            }
            *priced += 1;
            if *priced > MOST_PRICED {
                return Ok(None);
            }
            for number in stage..end {
                self.board[self.stages.universals[number]] = self.plays[first][number].clone();
            }
            let group = self.group(end, first, range);
            let answered = self.best(end, group.clone(), None, &mut None, budget)?;
            if answered.is_ok_and(|(found, _)| found >= *cost) {
                return Ok(Some(group));
            }
            last = Some(group);
        }
        Ok(None)
    }
}
