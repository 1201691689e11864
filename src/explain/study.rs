//! One budget for many solves.

use super::ExplainOptions;
use crate::budget::{Budget, Limits};
use crate::outcome::{Move, Outcome, SolveError, Status};
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

    /// Whether nothing is left to spend.
    pub fn is_over(&mut self) -> bool {
        self.budget.look().is_err()
    }

    /// Solves a program with what is left.
    pub fn solve(&mut self, program: &Program) -> Result<Outcome, SolveError> {
        self.solve_with(program, Options::default())
    }

    pub fn solve_with(
        &mut self,
        program: &Program,
        options: Options,
    ) -> Result<Outcome, SolveError> {
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

    /// Best play of a lost program, as far as it is known, and how the universal player wins it, if
    /// that was found out.
    pub fn refutation(&mut self, program: &Program) -> (Vec<Move>, Option<Strategy>) {
        let options = Options {
            certificate: true,
            ..Options::default()
        };
        match self.solve_with(program, options) {
            Ok(outcome) if outcome.status == Status::Infeasible => {
                let refutation = outcome.held(program, Quantifier::Forall);
                (outcome.principal_variation, refutation)
            }
            _ => (Vec::new(), None),
        }
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
