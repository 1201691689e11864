//! Solving with a certificate: the search first, then the plans of both sides.

use std::sync::Arc;
use std::time::Duration;

use crate::budget::{Budget, Limits};
use crate::empty;
use crate::num::Rational;
use crate::outcome::{CertificateError, Outcome, SolveError, Status, Stop, cost_of_objective};
use crate::presolve::with_implied_integers;
use crate::program::{Id, Kind, Program, Quantifier, VarId};
use crate::search::worth::{LOST, WON, Worth};
use crate::search::{Search, Settings};
use crate::strategy::{Certificate, Evidence, Guarantee};

/// What an interrupted solve may take to prove each of its bounds.
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
        let mut outcome = crate::search::solve(program, settings, budget)?;
        outcome.certificate = Some(empty::certified(program, &outcome, budget));
        return Ok(outcome);
    }
    let Some((whole, arrangement)) = Arrangement::of(program) else {
        // The search refuses such a program with a reason.
        return crate::search::solve(program, settings, budget);
    };
    let mut search = Search::new(&whole, settings, budget)?;
    let mut outcome = search.solve_and_prove(arrangement.tail);
    arrangement.undo(program, &mut outcome);
    Ok(outcome)
}

/// Proves an answer that another engine has found, by a search that knows the value.
///
/// Every question it asks has a window without width. The outcome's certificate is set, or the
/// reason why there is none; the positions that were visited are added to its effort.
///
/// ```
/// use quip::budget::Budget;
/// use quip::check::check;
/// use quip::format::parse_qip;
/// use quip::search::{Settings, prove};
///
/// let program = parse_qip("minimize x subject to x >= 2 prefix exists integer x in [0, 5] end")?;
/// let mut outcome = quip::reference::solve(&program, &mut Budget::unlimited())?;
/// prove(&program, &Settings::default(), &mut outcome, &mut Budget::unlimited())?;
/// let text = outcome.certificate.expect("it is set")?.to_text(&program);
/// assert_eq!(check(&program, text.as_bytes())?.claim, "optimal 2");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn prove(
    program: &Program,
    settings: &Settings,
    outcome: &mut Outcome,
    budget: &mut Budget,
) -> Result<(), SolveError> {
    let reason = "real variables of such blocks".to_owned();
    let mut made = Err(CertificateError::Unsupported(reason));
    let nodes = budget.nodes();
    if program.first_empty_domain().is_some() {
        made = empty::certified(program, outcome, budget);
    } else if let Some((whole, arrangement)) = Arrangement::of(program) {
        let mut search = Search::new(&whole, settings, budget)?;
        let proofs = match outcome.status {
            Status::Interrupted => search.proofs_of_report(outcome, arrangement.tail),
            _ => search.proofs_of_outcome(outcome, arrangement.tail),
        };
        made = proofs;
        if let Ok(certificate) = &mut made {
            arrangement.rename(program, certificate);
        }
    }
    outcome.certificate = Some(made);
    outcome.effort.nodes += budget.nodes() - nodes;
    Ok(())
}

impl Search<'_> {
    /// The plans of both sides for what an outcome says of the program.
    fn proofs_of_outcome(
        &mut self,
        outcome: &Outcome,
        tail: usize,
    ) -> Result<Certificate, CertificateError> {
        let worth = match (outcome.status, &outcome.objective) {
            (Status::Infeasible, _) => Some(LOST),
            (Status::UniversalStuck, _) => Some(WON),
            (Status::Feasible, _) => Some(0),
            (Status::Optimal, Some(value)) => {
                let cost = cost_of_objective(self.program, value.clone());
                self.inequalities.scaled_cost_floor(&cost)
            }
            _ => None,
        };
        let Some(worth) = worth else {
            let reason = format!("the answer is {}", outcome.status);
            return Err(CertificateError::Unsupported(reason));
        };
        self.proofs(outcome, worth, tail)
    }

    /// What an interrupted run of another engine reports, as far as a little time is enough to
    /// prove it again; the rest is not reported.
    fn proofs_of_report(
        &mut self,
        outcome: &mut Outcome,
        tail: usize,
    ) -> Result<Certificate, CertificateError> {
        let mut proof = |owner, value: &mut Option<Rational>| {
            let cost = value.take().map(|it| cost_of_objective(self.program, it));
            let Some(worth) = cost.and_then(|cost| self.inequalities.scaled_cost_floor(&cost))
            else {
                return Ok::<_, CertificateError>(None);
            };
            let evidence = self.extract_if_in_grace(owner, worth, tail)?;
            *value = evidence.as_ref().and_then(|_| self.objective(worth));
            Ok(evidence)
        };
        let strategy = proof(Quantifier::Exists, &mut outcome.objective)?;
        let refutation = proof(Quantifier::Forall, &mut outcome.bound)?;
        if strategy.is_none() {
            outcome.first_stage.clear();
            outcome.principal_variation.clear();
        }
        Ok(Certificate {
            strategy,
            refutation,
            ..outcome.claim(self.program)
        })
    }

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
            Err(stop) => self.proofs_of_bounds(stop, tail),
        };
        outcome.certificate = Some(certificate);
        outcome.effort = self.effort();
        outcome
    }

    fn proofs(
        &mut self,
        outcome: &Outcome,
        worth: Worth,
        tail: usize,
    ) -> Result<Certificate, CertificateError> {
        let mut certificate = outcome.claim(self.program);
        if worth != LOST {
            let mut strategy = self.extract(Quantifier::Exists, worth, tail)?;
            if outcome.status == Status::Feasible {
                strategy.guarantee = Guarantee::Kept;
            }
            certificate.strategy = Some(strategy);
        }
        // Who wins a question without an objective is proved by the winner's plan alone.
        if worth != WON && outcome.status != Status::Feasible {
            certificate.refutation = Some(self.extract(Quantifier::Forall, worth, tail)?);
        }
        Ok(certificate)
    }

    /// What an interrupted search reports, and the plans that prove it.
    ///
    /// Only what could be proved in the time of grace is reported: the strategy in hand, and the
    /// bound of the root relaxation or else the objective's least value.
    fn proofs_of_bounds(
        &mut self,
        stop: Stop,
        tail: usize,
    ) -> (Outcome, Result<Certificate, CertificateError>) {
        self.position.store.ignore_choices();
        let in_hand = self.incumbent.as_ref().map(|found| found.worth);
        let cheapest = self.cheapest();
        let floor = self.floor.max(cheapest);
        let mut outcome = self.interrupted(stop);
        let mut certificate = outcome.claim(self.program);
        if let Some(worth) = in_hand.filter(|_| outcome.objective.is_some()) {
            match self.extract_if_in_grace(Quantifier::Exists, worth, tail) {
                Ok(strategy) => certificate.strategy = strategy,
                Err(fault) => return (outcome, Err(fault)),
            }
        }
        if certificate.strategy.is_none() {
            outcome.objective = None;
            outcome.first_stage.clear();
        }
        if self.objective(cheapest).is_none() {
            outcome.bound = None;
            return (outcome, Ok(certificate));
        }
        let mut refutation = self.extract_in_grace(Quantifier::Forall, floor, tail);
        outcome.bound = self.objective(floor);
        let stopped = matches!(&refutation, Err(error) if !error.is_fault());
        if stopped && floor != cheapest {
            outcome.bound = self.objective(cheapest);
            refutation = self.extract_in_grace(Quantifier::Forall, cheapest, tail);
        }
        let made = refutation.map(|refutation| {
            certificate.refutation = Some(refutation);
            certificate
        });
        (outcome, made)
    }

    /// A plan, or none if a little time is not enough for it. What does not hold is an error.
    fn extract_if_in_grace(
        &mut self,
        owner: Quantifier,
        target: Worth,
        tail: usize,
    ) -> Result<Option<Evidence>, CertificateError> {
        CertificateError::unless_fault(self.extract_in_grace(owner, target, tail))
    }

    /// A plan, within a little time of its own: the search has used up its limits.
    fn extract_in_grace(
        &mut self,
        owner: Quantifier,
        target: Worth,
        tail: usize,
    ) -> Result<Evidence, CertificateError> {
        let limits = Limits {
            time: Some(GRACE),
            ..Limits::default()
        };
        let grace = Budget::new(limits, Arc::default(), None);
        let spent = std::mem::replace(self.budget, grace);
        let evidence = self.extract(owner, target, tail);
        *self.budget = spent;
        evidence
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
        let original = program.playing_order();
        let tail = original.iter().position(is_real);
        let tail = tail.unwrap_or(original.len());
        // A proof for a tail of reals does not see a universal move in it.
        let is_moved = |var: &VarId| {
            let (variable, domain) = (
                &program.variables()[*var],
                program.variables()[*var].domain(),
            );
            variable.quantifier == Quantifier::Forall && domain.lower != domain.upper
        };
        if original[tail..].iter().any(is_moved) {
            return None;
        }
        // Without real variables nothing changes its place.
        let whole = if tail == original.len() {
            program.clone()
        } else {
            with_implied_integers(&arranged(program, &original)?)?
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
            self.rename(program, certificate);
        }
    }

    /// Makes the certificate one of the user's program.
    fn rename(&self, program: &Program, certificate: &mut Certificate) {
        certificate.model = program.fingerprint();
        let sides = [&mut certificate.strategy, &mut certificate.refutation];
        for evidence in sides.into_iter().flatten() {
            evidence.rename(|var| *var = self.original[var.index()]);
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
