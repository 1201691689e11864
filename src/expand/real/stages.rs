//! Where the variables of a program with real replies stand, and whether it is of the class.

use crate::num::Rational;
use crate::outcome::cost_of_objective;
use crate::program::{Id, IdVec, Kind, Program, Quantifier, Term, VarId};

/// Where the variables of a program stand.
pub struct Stages<'a> {
    pub program: &'a Program,
    /// The universal variables in order.
    pub universals: Vec<VarId>,
    /// How many universal variables come before each variable.
    pub seen: IdVec<VarId, usize>,
    /// What the existential player pays.
    pub costs: Vec<Term>,
}

impl<'a> Stages<'a> {
    /// Reads the prefix.
    pub fn new(program: &'a Program) -> Self {
        let mut universals = Vec::new();
        let mut seen = IdVec::default();
        for (var, variable) in program.variables().pairs() {
            seen.push(universals.len());
            if variable.quantifier == Quantifier::Forall {
                universals.push(var);
            }
        }
        let terms = program.objective().map(|objective| &objective.terms);
        let costs = terms.into_iter().flatten();
        let cost = |(var, by): &Term| (*var, signed(program, by.clone()));
        Self {
            program,
            universals,
            seen,
            costs: costs.map(cost).collect(),
        }
    }

    /// After how many universal variables everything in the terms is fixed.
    pub fn depth(&self, terms: &[Term]) -> usize {
        let depth = |(var, _): &Term| {
            let later = self.program.variables()[*var].quantifier == Quantifier::Forall;
            self.seen[*var] + usize::from(later)
        };
        terms.iter().map(depth).max().unwrap_or(0)
    }

    /// The existential variables of a stage.
    pub fn of_stage(&self, stage: usize) -> impl Iterator<Item = VarId> + '_ {
        let variables = self.program.variables().pairs();
        let own = variables.filter(move |(var, variable)| {
            variable.quantifier == Quantifier::Exists && self.seen[*var] == stage
        });
        own.map(|(var, _)| var)
    }

    /// The next stage at which there is something to decide, or the end of the play.
    pub fn next_decision(&self, stage: usize) -> usize {
        let last = self.universals.len();
        let mut after = stage + 1..last;
        let next = after.find(|&next| self.of_stage(next).next().is_some());
        next.unwrap_or(last)
    }
}

/// A cost without the objective's constant; an objective that is maximised counts negatively.
fn signed(program: &Program, value: Rational) -> Rational {
    cost_of_objective(program, value)
}

/// Whether the program has reals and is of the class.
pub fn accepts(program: &Program) -> bool {
    refusal(program).is_none() && program.variables().iter().any(|it| it.kind == Kind::Real)
}

/// Why the program is not of the class.
pub fn refusal(program: &Program) -> Option<String> {
    let last = program
        .blocks()
        .iter()
        .rev()
        .find(|block| block.quantifier == Quantifier::Exists);
    let first_of_last = last.map_or(0, |block| block.range().start);
    let mut variables = program.variables().pairs();
    let early = variables.find(|(var, variable)| {
        let own = variable.quantifier == Quantifier::Exists && var.index() >= first_of_last;
        variable.kind == Kind::Real && !own
    });
    if let Some((_, variable)) = early {
        return Some(format!(
            "variable `{}` is real and not of the last existential block",
            variable.name
        ));
    }
    let is_universal = |var: VarId| program.variables()[var].quantifier == Quantifier::Forall;
    let mut rows = program.universal_rows().pairs();
    let tied = rows.find(|(_, row)| !row.terms.iter().all(|(var, _)| is_universal(*var)));
    tied.map(|(id, _)| {
        let label = program.row_label(Quantifier::Forall, id);
        format!("the universal row {label} depends on existential decisions, and replies are real")
    })
}
