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
use crate::cli::patience::Patience;

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
        if let Some(output) = self.outputs[0].take() {
            output.save(write_qip(&encoded.program).as_bytes())?;
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
        match self.proved(&encoded.program, &outcome) {
            Ok(Some(proof)) => answer.add_proof(&proof),
            Ok(None) => {}
            Err(failure) => self.unmade = Some(failure),
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
    fn proved(&mut self, program: &Program, outcome: &Outcome) -> Result<Option<String>, Failure> {
        let Some(output) = self.outputs[1].take() else {
            return Ok(None);
        };
        let patience = Patience::new(self.budget.signal(), self.budget.remaining());
        match &outcome.certificate {
            Some(Ok(certificate)) => {
                let verdict = check::save(certificate, program, output, &patience);
                let verdict = verdict.map_err(|(_, failure)| failure)?;
                Ok(Some(format!("`{}`, checked exactly", verdict.claim)))
            }
            Some(Err(reason)) => Err(output.forgo("certificate", &reason.to_string())),
            None => Err(output.forgo("certificate", "this engine makes none")),
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
