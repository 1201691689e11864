//! Questions of `quip verify` that are answered by a quantified program.

use quip::budget::Limits;
use quip::format::write_qip;
use quip::outcome::{Outcome, Status, Stop};
use quip::program::Program;
use quip::rules::{
    EncodeError, Encoded, Formula, Guarantee, PlayerId, Question, Role, encode, tabulated,
};
use quip::solver::{Options, Solver};

use super::answer::Answer;
use super::{Break, Table};
use crate::cli::check;
use crate::cli::exit::Failure;
use crate::cli::output::save;

impl Table<'_> {
    pub(super) fn asks_program(&self) -> bool {
        let wanted = self.wanted;
        wanted.program || wanted.write.is_some() || wanted.certificate.is_some()
    }

    /// Writes the program, solves it, proves the answer: as far as each was asked for.
    pub(super) fn by_program(
        &mut self,
        player: PlayerId,
        goal: &Formula,
        text: &str,
    ) -> Result<Option<Answer>, Break> {
        let encoded = self.encoded(player, goal);
        let encoded = encoded.map_err(|fault| Failure::Model(format!("error: {fault}")))?;
        if let Some(path) = &self.wanted.write {
            save(path, write_qip(&encoded.program).as_bytes())?;
            if !self.wanted.program && self.wanted.certificate.is_none() {
                return Ok(None);
            }
        }
        let outcome = self.solved(&encoded.program)?;
        let holds = outcome.status != Status::Infeasible;
        let play = encoded.play(&outcome.principal_variation);
        let mut answer = if self.wanted.best {
            Answer::response(self, player, text, holds, &[], &play)
        } else if holds {
            Answer::guarantee(self, player, text, &Guarantee::Holds)
        } else {
            Answer::guarantee(self, player, text, &Guarantee::Refuted(play))
        };
        if let Some(proof) = self.proved(&encoded.program, &outcome)? {
            answer.add_proof(&proof);
        }
        Ok(Some(answer))
    }

    fn solved(&self, program: &Program) -> Result<Outcome, Break> {
        let options = Options {
            limits: Limits {
                time: self.budget.remaining(),
                ..Limits::default()
            },
            certificate: self.wanted.certificate.is_some(),
            ..Options::default()
        };
        let solver = Solver::new(options).with_signal(self.budget.signal());
        let outcome = solver.solve(program).map_err(Failure::from)?;
        match outcome.status {
            Status::Interrupted => Err(outcome.stop.unwrap_or(Stop::Signal).into()),
            _ => Ok(outcome),
        }
    }

    /// Writes the certificate, if one was asked for, and checks it; what it proves, in words.
    fn proved(&self, program: &Program, outcome: &Outcome) -> Result<Option<String>, Failure> {
        let (Some(path), Some(made)) = (&self.wanted.certificate, &outcome.certificate) else {
            return Ok(None);
        };
        let refused = |reason: String| {
            let message = format!("there is no certificate of this answer: {reason}");
            Err(Failure::System(message))
        };
        match made {
            Ok(certificate) => match check::save(certificate, program, path)? {
                Ok(verdict) => Ok(Some(format!("`{}`, checked exactly", verdict.claim))),
                Err(fault) => refused(format!("it did not pass its check: {fault}")),
            },
            Err(reason) => refused(reason.to_string()),
        }
    }

    fn encoded(&self, player: PlayerId, goal: &Formula) -> Result<Encoded, EncodeError> {
        let of_table;
        let game = match self.theory.game() {
            Ok(game) => game,
            // The game is a referee's.
            Err(_) => {
                of_table = tabulated(&self.graph)?;
                &of_table
            }
        };
        encode(&Question {
            game,
            graph: &self.graph,
            rules: &self.rules,
            player,
            role: match self.wanted.best {
                true => Role::Chooses,
                false => Role::Follows,
            },
            goal,
            reading: self.reading(),
        })
    }
}
