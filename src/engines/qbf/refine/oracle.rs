//! The SAT solver; the only file that names it.
//!
//! BatSat is MiniSat in Rust: it keeps what it has learnt from one question to the next and takes
//! assumptions. It stops after a number of decisions, so that a run can be repeated.

use std::cell::Cell;

use batsat::{Callbacks, Solver, SolverInterface, SolverOpts, lbool};

/// A variable of the solver or its negation.
pub(super) type Lit = batsat::Lit;

/// Decisions that are left.
struct Patience(Cell<u64>);

impl Callbacks for Patience {
    fn stop(&self) -> bool {
        self.0.set(self.0.get().saturating_sub(1));
        self.0.get() == 0
    }
}

/// Decisions after which a question is interrupted.
const DECISIONS: u64 = 5_000;

pub(super) struct Oracle {
    solver: Solver<Patience>,
}

impl Oracle {
    pub fn new() -> Self {
        let patience = Patience(Cell::new(DECISIONS));
        Self {
            solver: Solver::new(SolverOpts::default(), patience),
        }
    }

    pub fn new_literal(&mut self) -> Lit {
        Lit::new(self.solver.new_var_default(), true)
    }

    pub fn add(&mut self, clause: &[Lit]) {
        self.solver.add_clause_reuse(&mut clause.to_vec());
    }

    /// Whether there is a model in which these literals are true; nothing if it takes longer.
    pub fn solve(&mut self, assumptions: &[Lit]) -> Option<bool> {
        self.solver.cb_mut().0.set(DECISIONS);
        match self.solver.solve_limited(assumptions) {
            answer if answer == lbool::TRUE => Some(true),
            answer if answer == lbool::FALSE => Some(false),
            _ => None,
        }
    }

    /// A literal's value in the last model.
    pub fn is_true(&self, literal: Lit) -> bool {
        self.solver.value_lit(literal) == lbool::TRUE
    }

    /// Literals propagated so far.
    pub fn work(&self) -> u64 {
        self.solver.num_propagations()
    }
}
