//! Rows that bind only under conditions. What becomes of them is in
//! [`relaxed`](crate::program::relaxed).

use super::ModelFault;
use super::build::Builder;
use super::constraint::Constraint;
use crate::program::{Id, Row, VarId, normalized, relaxed};

impl Builder<'_> {
    /// The conditional row as one unconditional row per side.
    pub(super) fn relax(
        &mut self,
        constraint: &Constraint,
        row: Row,
        place: &str,
        rows: &mut Vec<Row>,
    ) {
        // Only added-up terms tell the true range: a variable may stand on both sides.
        let row = Row {
            terms: normalized(row.terms),
            ..row
        };
        let conditions = self.conditions(constraint, place);
        match relaxed(&row, &conditions, |id| self.variables[id.index()].domain()) {
            Ok(relaxed) => rows.extend(relaxed),
            Err(open) => {
                self.faults
                    .extend(open.into_iter().map(|end| ModelFault::UnboundedCondition {
                        place: place.to_owned(),
                        side: end.side,
                        variable: self.variables[end.variable.index()].name.clone(),
                    }));
            }
        }
    }

    /// For every condition its variable, and whether it holds at 1.
    fn conditions(&mut self, constraint: &Constraint, place: &str) -> Vec<(VarId, bool)> {
        let mut conditions = Vec::with_capacity(constraint.conditions.len());
        for literal in &constraint.conditions {
            match self.id(literal.var) {
                Some(id) => {
                    self.expect_binary(id, place);
                    conditions.push((id, literal.positive));
                }
                None => self.blame_stranger(place),
            }
        }
        conditions
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Model;
    use crate::row;

    #[test]
    fn every_infinite_bound_that_matters_is_named() {
        let mut model = Model::new();
        let b = model.exists().binary("b");
        let x = model.exists().real("x", 0..);
        let y = model.exists().real("y", ..=5);
        let z = model.exists().real("z", 0..);
        model.subject_to(row!("r": x - y - z <= 0).when(b));
        let error = model.build().unwrap_err();
        let culprit = |fault: &ModelFault| match fault {
            ModelFault::UnboundedCondition { side, variable, .. } => format!("{side} {variable}"),
            other => panic!("unexpected: {other}"),
        };
        let culprits: Vec<_> = error.faults().iter().map(culprit).collect();
        assert_eq!(culprits, ["upper x", "lower y"]);
    }

    #[test]
    fn a_condition_that_is_not_binary_is_refused() {
        let mut model = Model::new();
        let n = model.exists().integer("n", 0..=2);
        model.subject_to(row!("r": n <= 1).when(n));
        assert_eq!(
            model.build().unwrap_err().to_string(),
            "row `r` speaks of `n` as true or false, but it is not binary"
        );
    }
}
