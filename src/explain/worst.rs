//! Best play of both sides: what it costs and which rows leave no room there.

use num_traits::Zero;

use crate::num::Rational;
use crate::outcome::{Move, Outcome, Status};
use crate::program::{Id, IdVec, Program, Quantifier, Row, RowId, VarId};

/// A play in which both do their best, from the first move to the last.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorstPlay {
    /// Every move.
    pub moves: Vec<Move>,
    /// What it is worth, if there is an objective.
    pub value: Option<Rational>,
    /// What each variable adds to the objective; zeros are left out.
    pub parts: Vec<Move>,
    /// Rows of the existential player at one of their sides, equations left out.
    pub tight: Vec<RowId>,
    /// Rows of the universal player at one of their sides, equations left out.
    pub tight_universal: Vec<RowId>,
}

impl WorstPlay {
    /// The play of an outcome, if both sides stay alive and it is known to its end.
    pub(super) fn of(program: &Program, outcome: &Outcome) -> Option<Self> {
        let moves = &outcome.principal_variation;
        let complete = moves
            .iter()
            .map(|(var, _)| var.index())
            .eq(0..program.variables().len());
        let decided = matches!(outcome.status, Status::Optimal | Status::Feasible);
        if !complete || !decided {
            return None;
        }
        let values = moves.iter().map(|(_, value)| value.clone()).collect();
        let values: IdVec<VarId, Rational> = IdVec::from_vec(values);
        let objective = program.objective();
        let terms = objective.map_or(&[][..], |objective| &objective.terms);
        let parts = terms.iter().map(|(var, by)| (*var, by * &values[*var]));
        Some(Self {
            moves: moves.clone(),
            value: objective.map(|_| program.objective_value(&values)),
            parts: parts.filter(|(_, part)| !part.is_zero()).collect(),
            tight: tight(program, Quantifier::Exists, &values),
            tight_universal: tight(program, Quantifier::Forall, &values),
        })
    }
}

fn tight(program: &Program, owner: Quantifier, values: &IdVec<VarId, Rational>) -> Vec<RowId> {
    let is_tight = |row: &Row| {
        let sum = Some(row.activity(|var| &values[var]));
        !row.is_equation() && !row.terms.is_empty() && (row.lower == sum || row.upper == sum)
    };
    let rows = program.system(owner).pairs();
    rows.filter_map(|(id, row)| is_tight(row).then_some(id))
        .collect()
}
