//! Solving with a certificate: the search first, then the plans of both sides.

use super::worth::{LOST, WON, Worth};
use super::{Search, Settings};
use std::sync::Arc;
use std::time::Duration;

use crate::budget::{Budget, Limits};
use crate::outcome::{Outcome, Score, SolveError, Status};
use crate::program::{Kind, Program, Quantifier};
use crate::strategy::{Certificate, CertifyError, EvidenceBuilder, EvidenceNode};

/// Solves a program and proves the answer.
///
/// The certificate of an interrupted search proves the bound that was reached. Where there is no
/// certificate the outcome says why, and stands nevertheless.
pub fn solve_with_certificate(
    program: &Program,
    settings: &Settings,
    budget: &mut Budget,
) -> Result<Outcome, SolveError> {
    let is_real = program
        .variables()
        .iter()
        .any(|variable| variable.kind == Kind::Real);
    if is_real || program.first_empty_domain().is_some() {
        let mut outcome = super::solve(program, settings, budget)?;
        let certificate = if is_real {
            Err(CertifyError::Unsupported(
                "it has real variables".to_owned(),
            ))
        } else {
            Ok(empty_domain(program, &outcome))
        };
        outcome.certificate = Some(certificate);
        return Ok(outcome);
    }
    let mut search = Search::new(program, settings, budget)?;
    search.tracking = true;
    let answer = search.root_worth();
    search.tracking = false;
    let (mut outcome, certificate) = match answer {
        Ok(worth) => {
            let outcome = search.finished(worth);
            let certificate = search.proofs(&outcome, worth);
            (outcome, certificate)
        }
        Err(stop) => {
            let bound = search.cheapest();
            let outcome = search.interrupted(stop);
            let certificate = search.trivial(&outcome, bound);
            (outcome, certificate)
        }
    };
    outcome.certificate = Some(certificate);
    outcome.effort = search.effort();
    Ok(outcome)
}

/// What an interrupted solve may take to prove its bound.
const GRACE: Duration = Duration::from_millis(200);

impl Search<'_> {
    fn proofs(&mut self, outcome: &Outcome, worth: Worth) -> Result<Certificate, CertifyError> {
        let mut certificate = certificate(self.program, outcome);
        if worth != LOST {
            certificate.strategy = Some(self.extract(Quantifier::Exists, worth)?);
        }
        if worth != WON {
            certificate.refutation = Some(self.extract(Quantifier::Forall, worth)?);
        }
        Ok(certificate)
    }

    /// What is proved without any search: no play costs less than the objective's least value.
    fn trivial(&mut self, outcome: &Outcome, bound: Worth) -> Result<Certificate, CertifyError> {
        let mut certificate = certificate(self.program, outcome);
        if outcome.bound.is_some() && bound != WON {
            // The search has used up its own limits; this needs next to nothing.
            let limits = Limits {
                time: Some(GRACE),
                ..Limits::default()
            };
            let grace = Budget::new(limits, Arc::default(), None);
            let spent = std::mem::replace(self.budget, grace);
            let refutation = self.extract(Quantifier::Forall, bound);
            *self.budget = spent;
            certificate.refutation = Some(refutation?);
        }
        Ok(certificate)
    }
}

fn certificate(program: &Program, outcome: &Outcome) -> Certificate {
    Certificate {
        model: program.fingerprint(),
        status: outcome.status,
        value: match outcome.status {
            Status::Optimal => outcome.objective.clone(),
            _ => None,
        },
        strategy: None,
        refutation: None,
    }
}

/// A domain without values decides the game before it begins.
fn empty_domain(program: &Program, outcome: &Outcome) -> Certificate {
    let mut certificate = certificate(program, outcome);
    if let Some(var) = program.first_empty_domain() {
        let winner = program.variables()[var].quantifier.opponent();
        let mut builder = EvidenceBuilder::default();
        let root = builder.add(EvidenceNode::Empty(var));
        let evidence = builder.finish(winner, Score::worst_for(winner.opponent()), root);
        match winner {
            Quantifier::Exists => certificate.strategy = Some(evidence),
            Quantifier::Forall => certificate.refutation = Some(evidence),
        }
    }
    certificate
}
