//! The real replies of the last stage.

use crate::budget::Budget;
use crate::equivalent::mixed::stages::Stages;
use crate::lp::WarmLp;
use crate::lp::simplex::{Answer, LinearProgram};
use crate::num::Rational;
use crate::program::{Id, IdVec, Quantifier, Row, RowId, Term, VarId};

/// The program of the last stage, whose sides follow what was fixed before.
pub struct Recourse {
    pub warm: WarmLp,
    /// The variables of the stage, one for each column.
    pub own: Vec<VarId>,
    /// The rows that the last stage decides, and those that are decided before.
    pub rows: Vec<RowId>,
    earlier: Vec<RowId>,
}

impl Recourse {
    /// The program before anything is fixed.
    pub fn new(stages: &Stages<'_>) -> Self {
        let program = stages.program;
        let own: Vec<VarId> = stages.of_stage(stages.universals.len()).collect();
        let column = |var: VarId| own.iter().position(|&other| other == var).map(VarId::new);
        let columns = |terms: &[Term]| -> Vec<Term> {
            let own = terms.iter();
            own.filter_map(|(var, by)| Some((column(*var)?, by.clone())))
                .collect()
        };
        let decides = |id: &RowId| {
            let mut terms = program.rows()[*id].terms.iter();
            terms.any(|(var, _)| column(*var).is_some())
        };
        let (rows, earlier): (Vec<RowId>, Vec<RowId>) = program.rows().ids().partition(decides);
        let copies = rows.iter().map(|&id| {
            let row = &program.rows()[id];
            Row {
                name: None,
                terms: columns(&row.terms),
                lower: row.lower.clone(),
                upper: row.upper.clone(),
            }
        });
        let domains = own.iter().map(|&var| program.variables()[var].domain());
        let warm = WarmLp::new(&LinearProgram {
            objective: columns(&stages.costs),
            bounds: IdVec::from_vec(domains.collect()),
            rows: IdVec::from_vec(copies.collect()),
        });
        Self {
            warm,
            own,
            rows,
            earlier,
        }
    }

    /// Moves the sides to what the board leaves of them; `false` if a row is broken already.
    pub fn follow(&mut self, stages: &Stages<'_>, board: &IdVec<VarId, Rational>) -> bool {
        let last = stages.universals.len();
        let is_own = |var: VarId| {
            let variable = &stages.program.variables()[var];
            variable.quantifier == Quantifier::Exists && stages.seen[var] == last
        };
        let fixed = |row: &Row| -> Rational {
            let terms = row.terms.iter().filter(|(var, _)| !is_own(*var));
            terms.map(|(var, by)| by * &board[*var]).sum()
        };
        let rows = stages.program.rows();
        for (place, &id) in self.rows.iter().enumerate() {
            let sum = fixed(&rows[id]);
            let side = |side: &Option<Rational>| side.as_ref().map(|side| side - &sum);
            let (lower, upper) = (side(&rows[id].lower), side(&rows[id].upper));
            self.warm.set_sides(RowId::new(place), lower, upper);
        }
        self.earlier
            .iter()
            .all(|&id| rows[id].admits(&fixed(&rows[id])))
    }

    /// Multipliers of the optimum, which is known to exist.
    pub fn multipliers(&mut self, budget: &mut Budget) -> Option<Vec<Rational>> {
        match self.warm.solve(budget) {
            Ok(Answer::Optimal { multipliers, .. }) => Some(multipliers.as_slice().to_vec()),
            _ => None,
        }
    }
}
