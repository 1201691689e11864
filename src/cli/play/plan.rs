//! `strategy` at the table: a whole plan of the first side.

use quip::games::play::End;
use quip::outcome::Status;
use quip::program::Quantifier;

use super::Session;
use crate::cli::exit::Failure;

/// Most answers of a strategy that are shown.
const LONGEST_PLAN: usize = 2000;

impl Session {
    /// What the first side answers to everything, from the beginning: in the way of the game, or
    /// play by play.
    pub(super) fn strategy(&mut self) -> Result<String, Failure> {
        let made: Vec<String> = self.table.words().collect();
        while self.table.take_back_one() {}
        let mut plan = Vec::new();
        let wins = self.wins()?;
        let complete = wins && self.plan(&mut plan)?;
        for word in &made {
            self.move_by_program(word)?;
        }
        let first = self.name(Quantifier::Exists);
        if !wins {
            return Ok(format!("From the beginning {first} is not sure to win.\n"));
        }
        if !complete {
            return Ok(format!("It has more than {LONGEST_PLAN} answers.\n"));
        }
        let in_own_way = self.table.rules().spelled_plan(&plan);
        Ok(in_own_way.unwrap_or_else(|| self.play_by_play(&plan)))
    }

    fn wins(&self) -> Result<bool, Failure> {
        let program = self.table.program();
        let outcome = self.solved(&program)?;
        Ok(match (outcome.status, &outcome.objective) {
            (Status::Optimal, Some(value)) => self.table.rules().end_of_value(value) == End::First,
            (status, _) => !matches!(status, Status::Infeasible | Status::Interrupted),
        })
    }

    /// Adds the answers after the moves made; false if they are too many. The position stays.
    fn plan(&mut self, plan: &mut Vec<(Vec<usize>, usize)>) -> Result<bool, Failure> {
        let Some(player) = self.table.mover() else {
            return Ok(true);
        };
        if plan.len() >= LONGEST_PLAN {
            return Ok(false);
        }
        let words = match player {
            Quantifier::Exists => vec![self.thought(player)?.choice().0.to_owned()],
            Quantifier::Forall => self.table.moves(),
        };
        let mut complete = true;
        for word in words {
            let before = self.table.history().to_vec();
            self.move_by_program(&word)?;
            if let (Quantifier::Exists, Some(&answer)) = (player, self.table.history().last()) {
                plan.push((before, answer));
            }
            complete = complete && self.plan(plan)?;
            self.table.take_back_one();
        }
        Ok(complete)
    }

    fn play_by_play(&self, plan: &[(Vec<usize>, usize)]) -> String {
        let rules = self.table.rules();
        let line = |(made, answer): &(Vec<usize>, usize)| {
            let made: Vec<String> = made.iter().map(|&option| rules.word(option)).collect();
            let made = if made.is_empty() {
                "the beginning".to_owned()
            } else {
                made.join(" ")
            };
            format!("after {made}: {}\n", rules.word(*answer))
        };
        plan.iter().map(line).collect()
    }
}
