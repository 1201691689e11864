//! An answer that can be asked and acted on: values by variable, a policy, a proof.
//!
//! **Invariant:** what it says is about the program as it was solved, also when the model goes on.

use std::sync::{Arc, OnceLock};

use super::policy::{Asked, Names, Policy};
use super::{Options, Solver};
use crate::model::{Model, ModelError};
use crate::num::Rational;
use crate::outcome::{CertificateError, Outcome, SolveError, Status};
use crate::program::{Program, Quantifier};
use crate::strategy::Certificate;

/// Why a model has no solution.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ModelSolveError {
    /// It is no program.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// No engine takes it.
    #[error(transparent)]
    Solve(#[from] SolveError),
}

/// Why there is no policy, or no proof.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoPolicy {
    /// The player can guarantee nothing, or nothing was found yet.
    #[error("{0} has no strategy: the answer is {1}")]
    Nothing(&'static str, Status),
    /// Strategies come from proofs, and there is none.
    #[error(transparent)]
    Certificate(#[from] CertificateError),
    /// Solving once more for a proof was refused.
    #[error(transparent)]
    Solve(#[from] SolveError),
}

/// The answer to a model or a program, with what is needed to act on it.
///
/// ```
/// use quip::model::*;
/// use quip::num::int;
/// use quip::solver::Solver;
///
/// let mut model = Model::new();
/// let stock = model.decide().integer("stock", 0..=9);
/// let demand = model.reveal().integer("demand", 2..=4);
/// let rush = model.decide().integer("rush", 0..=9);
/// model
///     .minimize(3 * stock + dec("3.5") * rush)
///     .subject_to(row!("serve": stock + rush >= demand));
///
/// let solution = Solver::default().solve_model(&model)?;
/// assert_eq!(solution.objective(), Some(&int(12)));
/// assert_eq!(solution.value(stock), Some(&int(4)));
/// let policy = solution.policy()?;
/// assert_eq!(policy.reply([(demand, 3)])?.value(rush), Some(&int(0)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Solution {
    names: Names,
    outcome: Outcome,
    solver: Solver,
    /// The answer with a certificate, once it was asked for.
    proved: OnceLock<Result<Outcome, SolveError>>,
}

impl Solver {
    /// Solves what a model describes as it stands now.
    ///
    /// ```
    /// use quip::model::*;
    /// use quip::solver::Solver;
    ///
    /// let solver = Solver::default();
    /// let mut model = Model::new();
    /// let x = model.decide().integer("x", 0..=9);
    /// model.minimize(x);
    /// for least in [2, 5] {
    ///     model.subject_to(row!(x >= least));
    ///     assert_eq!(solver.solve_model(&model)?.value(x), Some(&quip::num::int(least)));
    /// }
    /// # Ok::<(), quip::solver::ModelSolveError>(())
    /// ```
    pub fn solve_model(&self, model: &Model) -> Result<Solution, ModelSolveError> {
        let names = Names::new(Arc::new(model.build()?), Some(model.ids()));
        Ok(self.solution(names)?)
    }

    /// Solves a program whose answer is to be acted on.
    ///
    /// ```
    /// use quip::format::parse_qip;
    /// use quip::solver::Solver;
    ///
    /// let program = parse_qip("minimize x subject to x >= 2 prefix exists integer x in [0, 5] end")?;
    /// let solution = Solver::default().solve_program(program)?;
    /// assert_eq!(solution.value("x"), Some(&quip::num::int(2)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn solve_program(&self, program: impl Into<Arc<Program>>) -> Result<Solution, SolveError> {
        self.solution(Names::new(program.into(), None))
    }

    fn solution(&self, names: Names) -> Result<Solution, SolveError> {
        Ok(Solution {
            outcome: self.solve(names.program())?,
            names,
            solver: self.clone(),
            proved: OnceLock::new(),
        })
    }
}

impl Solution {
    /// The kind of answer.
    pub fn status(&self) -> Status {
        self.outcome.status
    }

    /// What the strategy in hand guarantees.
    pub fn objective(&self) -> Option<&Rational> {
        self.outcome.objective.as_ref()
    }

    /// Nothing better than this can be guaranteed.
    pub fn bound(&self) -> Option<&Rational> {
        self.outcome.bound.as_ref()
    }

    /// The value of a variable, which is asked for by its handle, its id or its name: what to decide now, or what
    /// best play of both sides makes of it; `None` where that is not known.
    pub fn value<'v>(&self, var: impl Into<Asked<'v>>) -> Option<&Rational> {
        self.outcome.value(self.names.find(var.into())?)
    }

    /// Everything that the solve found out.
    pub fn outcome(&self) -> &Outcome {
        &self.outcome
    }

    /// The program that was solved.
    pub fn program(&self) -> &Program {
        self.names.program()
    }

    /// What to do against everything that the opponent may do. Unless the solve left a strategy behind, the
    /// program is solved again for a certificate, with the same options.
    pub fn policy(&self) -> Result<Policy, NoPolicy> {
        self.policy_of(Quantifier::Exists)
    }

    /// What the opponent does so that nothing better can be guaranteed. It observes our decisions.
    ///
    /// ```
    /// use quip::format::parse_qip;
    /// use quip::num::int;
    /// use quip::solver::Solver;
    ///
    /// let program = parse_qip("subject to x = y prefix exists binary x forall binary y end")?;
    /// let solution = Solver::default().solve_program(program)?;
    /// let refutation = solution.refutation()?;
    /// assert_eq!(refutation.reply([("x", 1)])?.value("y"), Some(&int(0)));
    /// assert!(solution.policy().is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn refutation(&self) -> Result<Policy, NoPolicy> {
        self.policy_of(Quantifier::Forall)
    }

    fn policy_of(&self, player: Quantifier) -> Result<Policy, NoPolicy> {
        let mut held = self.outcome.held(self.program(), player);
        if held.is_none() {
            let proved = self.proved()?;
            held = proved.held(self.program(), player);
            if let (None, Some(Err(error))) = (&held, &proved.certificate) {
                return Err(error.clone().into());
            }
        }
        let who = match player {
            Quantifier::Exists => "the player",
            Quantifier::Forall => "the opponent",
        };
        let strategy = held.ok_or(NoPolicy::Nothing(who, self.status()))?;
        Ok(Policy::of(self.names.clone(), strategy))
    }

    /// The proof of the answer; see `docs/certificate.md`. [`check`](crate::check) verifies it.
    pub fn certificate(&self) -> Result<&Certificate, NoPolicy> {
        match &self.proved()?.certificate {
            Some(Ok(made)) => Ok(made),
            Some(Err(error)) => Err(error.clone().into()),
            None => unreachable!("invariant: a certificate was asked for"),
        }
    }

    /// The answer with a certificate; solved for it once more, if need be.
    fn proved(&self) -> Result<&Outcome, NoPolicy> {
        if self.outcome.certificate.is_some() {
            return Ok(&self.outcome);
        }
        let proved = self.proved.get_or_init(|| {
            let options = Options {
                certificate: true,
                ..self.solver.options().clone()
            };
            let solver = Solver::new(options).with_signal(self.solver.signal());
            solver.solve(self.program())
        });
        proved.as_ref().map_err(|error| error.clone().into())
    }
}
