//! Variables of the opponent of which a plan answers a few values, since answers to values between two of them
//! mix: reals, integers that nothing but reals follow, and what budgets count.

use super::{CertificateError, Completion, Walk};
use crate::budget::Budget;
use crate::num::Rational;
use crate::program::{IdVec, Kind, Program, Quantifier, VarId};
use crate::strategy::{Answer, Branch, Budgets, Reply};

/// See the module.
pub(super) struct Mixing {
    budgets: Budgets,
    mixes: IdVec<VarId, bool>,
}

impl Mixing {
    /// For a plan of that player; integers of the opponent mix in strategies only.
    pub fn new(program: &Program, order: &[VarId], owner: Quantifier) -> Self {
        let variables = program.variables();
        let budgets = Budgets::new(program);
        let mut held = IdVec::filled(variables.len(), false);
        for (var, _) in program.universal_rows().iter().flat_map(|row| &row.terms) {
            held[*var] = true;
        }
        let mut mixes = IdVec::filled(variables.len(), false);
        // From the end on, as long as what is decided is real and in no universal row.
        let mut free = owner == Quantifier::Exists;
        for var in order.iter().rev() {
            let variable = &variables[*var];
            if variable.quantifier == Quantifier::Exists {
                free &= variable.kind == Kind::Real && !held[*var];
            }
            mixes[*var] = variable.kind == Kind::Real || budgets.count(*var) || free && !held[*var];
        }
        Self { budgets, mixes }
    }

    /// Whether the plan's branches are all that must be answered of a variable.
    pub fn mixes(&self, var: VarId) -> bool {
        self.mixes[var]
    }

    /// What stands for a branch among the moves so far: a number, which is nothing for reals that no row
    /// of the opponent holds, and says which end a counted variable is at.
    pub fn stand_in(&self, program: &Program, var: VarId, value: &Rational) -> i128 {
        match self.budgets.part(var, value) {
            Some(part) => i128::from(part.numer() == part.denom()),
            None if program.variables()[var].kind == Kind::Real => 0,
            None => super::whole(value).unwrap_or(0),
        }
    }

    /// The value that such a number stands for.
    pub fn value(&self, var: VarId, number: i128) -> Rational {
        let end = self.budgets.end(var, number == 1);
        end.unwrap_or_else(|| Rational::from_integer(number.into()))
    }

    /// The ends of a counted variable, the lower one first.
    fn ends(&self, var: VarId) -> Option<[Rational; 2]> {
        let mut ends = [self.budgets.end(var, false)?, self.budgets.end(var, true)?];
        ends.sort();
        Some(ends)
    }
}

impl Walk<'_> {
    /// The branch that a frame has come to, after what his own rows forbid.
    pub(super) fn next_branch<'b>(
        &mut self,
        variable: VarId,
        branches: &'b [Branch],
        budget: &mut Budget,
    ) -> Result<Option<&'b Branch>, CertificateError> {
        let frame = self.frames.last().expect("invariant: a frame is open");
        let is_next = |reply: &&Reply| matches!(reply.answer, Answer::Next(_));
        let (count, answered) = (
            frame.replies.len(),
            frame.replies.iter().filter(is_next).count(),
        );
        let branch = branches.get(answered);
        let Some([lower, upper]) = self.mixing.ends(variable) else {
            return Ok(branch);
        };
        let missing = match branch {
            Some(branch) if count == 0 && branch.from != lower => lower,
            None if branches.last().is_none_or(|last| last.to != upper) && count == answered => {
                upper
            }
            _ => return Ok(branch),
        };
        self.exclude_end(variable, &missing, budget)?;
        Ok(branch)
    }

    /// An end of a counted variable that no branch answers: it must be illegal.
    fn exclude_end(
        &mut self,
        variable: VarId,
        end: &Rational,
        budget: &mut Budget,
    ) -> Result<(), CertificateError> {
        let number = self.mixing.stand_in(self.program, variable, end);
        self.values.push(number);
        let completion = self.other.completion(&self.mixing, &self.values, budget)?;
        self.values.pop();
        let Completion::Dead(proof) = completion else {
            let name = &self.program.variables()[variable].name;
            return Err(CertificateError::Wrong(format!("{name} = {end} is legal")));
        };
        let frame = self.frames.last_mut().expect("invariant: a frame is open");
        frame.replies.push(Reply {
            from: end.clone().into(),
            to: end.clone().into(),
            answer: Answer::Illegal(Box::new(proof)),
        });
        Ok(())
    }
}
