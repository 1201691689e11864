//! Solving with a certificate: the search first, then the plans of both sides.

use std::sync::Arc;
use std::time::Duration;

use super::worth::{LOST, WON, Worth};
use super::{Search, Settings};
use crate::budget::{Budget, Limits};
use crate::certify::CertifyError;
use crate::outcome::{Outcome, Score, SolveError, Status};
use crate::presolve::with_implied_integers;
use crate::program::{Id, Kind, Program, Quantifier, VarId};
use crate::strategy::{Certificate, EvidenceBuilder, EvidenceNode};

/// What an interrupted solve may take to prove its bound.
const GRACE: Duration = Duration::from_millis(200);

/// Solves a program and proves the answer.
///
/// The certificate of an interrupted search proves the bound that was reached. Where there is no
/// certificate the outcome says why, and stands nevertheless.
///
/// ```
/// use quip::budget::Budget;
/// use quip::check::check;
/// use quip::format::parse_qip;
/// use quip::search::{Settings, solve_with_certificate};
///
/// let program = parse_qip(
///     "minimize x subject to cover: x >= y
///      prefix forall integer y in [0, 2]  exists integer x in [0, 5]  end",
/// )?;
/// let outcome =
///     solve_with_certificate(&program, &Settings::default(), &mut Budget::unlimited())?;
/// let certificate = outcome.certificate.expect("it was asked for")?;
/// let text = certificate.to_text(&program);
/// assert_eq!(check(&program, text.as_bytes())?.claim, "optimal 2");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn solve_with_certificate(
    program: &Program,
    settings: &Settings,
    budget: &mut Budget,
) -> Result<Outcome, SolveError> {
    if program.first_empty_domain().is_some() {
        let mut outcome = super::solve(program, settings, budget)?;
        outcome.certificate = Some(Ok(empty_domain(program, &outcome)));
        return Ok(outcome);
    }
    let Some((whole, arrangement)) = Arrangement::of(program) else {
        // The search refuses such a program with a reason.
        return super::solve(program, settings, budget);
    };
    let mut search = Search::new(&whole, settings, budget)?;
    let mut outcome = search.solve_and_prove(arrangement.tail);
    arrangement.undo(program, &mut outcome);
    Ok(outcome)
}

impl Search<'_> {
    fn solve_and_prove(&mut self, tail: usize) -> Outcome {
        self.tracking = true;
        let answer = self.root_worth();
        self.tracking = false;
        let (mut outcome, certificate) = match answer {
            Ok(worth) => {
                let outcome = self.finished(worth);
                self.position.store.ignore_choices();
                let certificate = self.proofs(&outcome, worth, tail);
                (outcome, certificate)
            }
            Err(stop) => {
                // A certificate proves this bound; the root relaxation's may be better.
                self.position.store.ignore_choices();
                let bound = self.cheapest();
                let mut outcome = self.interrupted(stop);
                outcome.bound = self.objective(bound);
                let certificate = self.trivial(&outcome, bound, tail);
                (outcome, certificate)
            }
        };
        outcome.certificate = Some(certificate.map_err(|error| error.to_string()));
        outcome.effort = self.effort();
        outcome
    }

    fn proofs(
        &mut self,
        outcome: &Outcome,
        worth: Worth,
        tail: usize,
    ) -> Result<Certificate, CertifyError> {
        let mut certificate = certificate(self.program, outcome);
        if worth != LOST {
            certificate.strategy = Some(self.extract(Quantifier::Exists, worth, tail)?);
        }
        // Who wins a question without an objective is proved by the winner's plan alone.
        if worth != WON && outcome.status != Status::Feasible {
            certificate.refutation = Some(self.extract(Quantifier::Forall, worth, tail)?);
        }
        Ok(certificate)
    }

    /// What is proved without any search: no play costs less than the objective's least value.
    fn trivial(
        &mut self,
        outcome: &Outcome,
        bound: Worth,
        tail: usize,
    ) -> Result<Certificate, CertifyError> {
        let mut certificate = certificate(self.program, outcome);
        if outcome.bound.is_some() && bound != WON {
            // The search has used up its own limits; this needs next to nothing.
            let limits = Limits {
                time: Some(GRACE),
                ..Limits::default()
            };
            let grace = Budget::new(limits, Arc::default(), None);
            let spent = std::mem::replace(self.budget, grace);
            let refutation = self.extract(Quantifier::Forall, bound, tail);
            *self.budget = spent;
            certificate.refutation = Some(refutation?);
        }
        Ok(certificate)
    }
}

/// The program as it is searched: the real variables of the last block come last, as integers.
struct Arrangement {
    /// For each variable of the searched program, which one it is in the user's.
    original: Vec<VarId>,
    /// Where the real variables begin.
    tail: usize,
}

impl Arrangement {
    /// `None` if some real variable cannot be taken for an integer.
    fn of(program: &Program) -> Option<(Program, Self)> {
        let is_real = |var: &VarId| program.variables()[*var].kind == Kind::Real;
        let mut original: Vec<VarId> = program.variables().ids().collect();
        for block in program.blocks() {
            original[block.range()].sort_by_key(is_real);
        }
        let tail = original.iter().position(is_real);
        let tail = tail.unwrap_or(original.len());
        let arranged = arranged(program, &original)?;
        let whole = if tail == original.len() {
            arranged
        } else {
            with_implied_integers(&arranged)?
        };
        Some((whole, Self { original, tail }))
    }

    /// Says in the user's variables what was said in the searched ones.
    fn undo(&self, program: &Program, outcome: &mut Outcome) {
        let original = |var: &mut VarId| *var = self.original[var.index()];
        for moves in [&mut outcome.first_stage, &mut outcome.principal_variation] {
            moves.iter_mut().for_each(|(var, _)| original(var));
            moves.sort_by_key(|(var, _)| *var);
        }
        if let Some(Ok(certificate)) = &mut outcome.certificate {
            certificate.model = program.fingerprint();
            let sides = [&mut certificate.strategy, &mut certificate.refutation];
            for evidence in sides.into_iter().flatten() {
                evidence.rename(original);
            }
        }
    }
}

/// The same program with its variables in another order.
fn arranged(program: &Program, order: &[VarId]) -> Option<Program> {
    let mut place = vec![VarId::new(0); order.len()];
    for (index, var) in order.iter().enumerate() {
        place[var.index()] = VarId::new(index);
    }
    let mut data = program.clone().into_data();
    let variable = |var: &VarId| program.variables()[*var].clone();
    data.variables = order.iter().map(variable).collect();
    let rows = data.rows.iter_mut().chain(&mut data.universal_rows);
    let sums = rows.map(|row| &mut row.terms);
    let costs = data.objective.iter_mut().map(|it| &mut it.terms);
    for (var, _) in sums.chain(costs).flatten() {
        *var = place[var.index()];
    }
    Program::new(data).ok()
}

fn certificate(program: &Program, outcome: &Outcome) -> Certificate {
    Certificate {
        model: program.fingerprint(),
        status: outcome.status.to_string(),
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
        let evidence = builder.finish(winner, Score::worst_for(winner.opponent()).into(), root);
        match winner {
            Quantifier::Exists => certificate.strategy = Some(evidence),
            Quantifier::Forall => certificate.refutation = Some(evidence),
        }
    }
    certificate
}
