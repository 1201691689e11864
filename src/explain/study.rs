//! One budget for many solves.

use super::ExplainOptions;
use crate::budget::{Budget, Limits};
use crate::outcome::{Outcome, SolveError, Status};
use crate::program::{Program, Quantifier};
use crate::solver::{Options, Solver};
use crate::strategy::Strategy;

/// Solves one program after the other within one time limit.
pub(super) struct Study<'a> {
    options: &'a ExplainOptions,
    budget: Budget,
}

impl<'a> Study<'a> {
    pub fn new(options: &'a ExplainOptions) -> Self {
        let budget = Budget::new(options.limits.clone(), options.stop.clone(), None);
        Self { options, budget }
    }

    /// At most this many alternatives.
    pub fn most_alternatives(&self) -> usize {
        self.options.alternatives
    }

    /// What one more solve may spend.
    pub fn limits(&self) -> Limits {
        Limits {
            time: self.budget.remaining(),
            ..self.options.limits.clone()
        }
    }

    /// The options of the whole.
    pub fn options(&self) -> &ExplainOptions {
        self.options
    }

    /// Solves a program with what is left.
    pub fn solve(&mut self, program: &Program) -> Result<Outcome, SolveError> {
        self.solve_with(program, Options::default())
    }

    fn solve_with(&mut self, program: &Program, options: Options) -> Result<Outcome, SolveError> {
        if let Err(stop) = self.budget.look() {
            return Ok(Outcome::interrupted(stop));
        }
        let options = Options {
            limits: self.limits(),
            ..options
        };
        Solver::new(options)
            .with_signal(self.budget.signal())
            .solve(program)
    }

    /// How the universal player wins a lost program, if that was found out.
    pub fn refutation(&mut self, program: &Program) -> Option<Strategy> {
        let options = Options {
            certificate: true,
            ..Options::default()
        };
        let outcome = self.solve_with(program, options).ok()?;
        let lost = outcome.status == Status::Infeasible;
        lost.then(|| outcome.held(program, Quantifier::Forall))?
    }

    /// Whether the existential player loses; `None` if that was not found out.
    pub fn is_lost(&mut self, program: &Program) -> Option<bool> {
        let outcome = self.solve(program).ok()?;
        match outcome.status {
            Status::Interrupted => None,
            status => Some(status == Status::Infeasible),
        }
    }
}
