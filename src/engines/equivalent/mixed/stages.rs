//! Where the variables of a mixed program stand.

use crate::num::Rational;
use crate::outcome::cost_of_objective;
use crate::program::{IdVec, Kind, Program, Quantifier, Term, VarId};

/// Where the variables of a program stand.
pub(crate) struct Stages<'a> {
    pub program: &'a Program,
    /// The universal variables in playing order: block by block, real ones last.
    pub universals: Vec<VarId>,
    /// How many universal variables come before each variable.
    pub seen: IdVec<VarId, usize>,
    /// The existential variables after so many universal ones, in playing order.
    decided: Vec<Vec<VarId>>,
    /// What the existential player pays.
    pub costs: Vec<Term>,
}

impl<'a> Stages<'a> {
    /// Reads the prefix.
    pub fn new(program: &'a Program) -> Self {
        let mut universals = Vec::new();
        let mut seen = IdVec::filled(program.variables().len(), 0);
        let mut decided = vec![Vec::new()];
        for var in program.playing_order() {
            seen[var] = universals.len();
            match program.variables()[var].quantifier {
                Quantifier::Exists => decided[universals.len()].push(var),
                Quantifier::Forall => {
                    universals.push(var);
                    decided.push(Vec::new());
                }
            }
        }
        let terms = program.objective().map(|objective| &objective.terms);
        let costs = terms.into_iter().flatten();
        // Without the objective's constant; an objective that is maximised counts negatively.
        let cost = |(var, by): &Term| (*var, cost_of_objective(program, by.clone()));
        Self {
            program,
            universals,
            seen,
            decided,
            costs: costs.map(cost).collect(),
        }
    }

    /// The objective that a cost without the constant stands for, where there is one.
    pub fn objective(&self, cost: Rational) -> Option<Rational> {
        let objective = self.program.objective()?;
        Some(cost_of_objective(self.program, cost) + &objective.constant)
    }

    /// The cost without the constant that an objective's cost stands for.
    pub fn cost(&self, cost: Rational) -> Rational {
        let constant = self.program.objective().map(|it| it.constant.clone());
        cost - cost_of_objective(self.program, constant.unwrap_or_default())
    }

    /// After how many universal variables everything in the terms is fixed.
    pub fn depth(&self, terms: &[Term]) -> usize {
        let depth = |(var, _): &Term| {
            let later = self.program.variables()[*var].quantifier == Quantifier::Forall;
            self.seen[*var] + usize::from(later)
        };
        terms.iter().map(depth).max().unwrap_or(0)
    }

    /// The existential variables of a stage, in playing order.
    pub fn of_stage(&self, stage: usize) -> impl Iterator<Item = VarId> + '_ {
        self.decided[stage].iter().copied()
    }

    /// Whether there are two stages, and the second one decides reals only.
    pub fn has_real_replies(&self) -> bool {
        let last = self.universals.len();
        let variables = self.program.variables();
        let is_real = |var: VarId| variables[var].kind == Kind::Real;
        self.next_decision(0) == last && self.of_stage(last).all(is_real)
    }

    /// The next stage at which there is something to decide, or the end of the play.
    pub fn next_decision(&self, stage: usize) -> usize {
        let last = self.universals.len();
        let mut after = stage + 1..last;
        let next = after.find(|&next| self.of_stage(next).next().is_some());
        next.unwrap_or(last)
    }
}
