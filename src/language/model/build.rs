//! From the model to the program: variables into prefix order, rows into their exact form.

use super::constraint::Constraint;
use super::expression::Expr;
use super::variable::Var;
use super::{Ids, Model, ModelError, ModelFault};
use crate::program::{Id, Objective, Program, ProgramData, Quantifier, Row, Term, VarId, Variable};

impl Model {
    /// The program that the model describes, or everything that is wrong with it. The model
    /// stays as it is and can be extended and built again.
    ///
    /// ```
    /// use quip::model::*;
    /// let mut model = Model::new();
    /// let y = model.forall().integer("y", 0..=2);
    /// let x = model.exists().binary("x");
    /// model.subject_to(row!(2 * x == y));
    /// let program = model.build()?;
    /// assert_eq!(program.blocks().len(), 2);
    /// # Ok::<(), ModelError>(())
    /// ```
    pub fn build(&self) -> Result<Program, ModelError> {
        let mut builder = Builder::new(self);
        let rows = builder.system(&self.rows, Quantifier::Exists);
        let universal_rows = builder.system(&self.universal_rows, Quantifier::Forall);
        let objective = builder.objective();
        let data = ProgramData {
            variables: builder.variables,
            rows,
            universal_rows,
            objective,
        };
        let mut faults = builder.faults;
        match Program::new(data) {
            Ok(program) if faults.is_empty() => Ok(program),
            Ok(_) => Err(ModelError::new(faults)),
            Err(more) => {
                faults.extend(more.into_iter().map(ModelFault::from));
                Err(ModelError::new(faults))
            }
        }
    }
}

pub(super) struct Builder<'a> {
    model: &'a Model,
    /// In prefix order.
    pub(super) variables: Vec<Variable>,
    ids: Ids,
    pub(super) faults: Vec<ModelFault>,
}

impl<'a> Builder<'a> {
    fn new(model: &'a Model) -> Self {
        let mut variables = Vec::with_capacity(model.variables.len());
        for stage in &model.stages {
            for &member in &stage.members {
                let placed = &model.variables[member as usize];
                variables.push(Variable {
                    name: placed.name.clone(),
                    quantifier: stage.quantifier,
                    kind: placed.kind,
                    bounds: placed.bounds.clone(),
                });
            }
        }
        Self {
            model,
            variables,
            ids: model.ids(),
            faults: model.faults.clone(),
        }
    }

    fn system(&mut self, constraints: &[Constraint], owner: Quantifier) -> Vec<Row> {
        let mut rows = Vec::with_capacity(constraints.len());
        for (number, constraint) in (1..).zip(constraints) {
            let place = place(constraint, owner, number);
            self.lower(constraint, &place, &mut rows);
        }
        rows
    }

    /// The last objective given; the others are only checked.
    fn objective(&mut self) -> Option<Objective> {
        let mut last = None;
        for given in &self.model.objectives {
            last = Some(Objective {
                name: given.name.clone(),
                sense: given.sense,
                terms: self.terms(&given.expression, "the objective"),
                constant: given.expression.constant().clone(),
            });
        }
        last
    }

    /// The terms over the program's variables. Whatever is wrong with them becomes a fault.
    fn terms(&mut self, expression: &Expr, place: &str) -> Vec<Term> {
        for fault in expression.faults() {
            self.faults.push(ModelFault::Number {
                place: place.to_owned(),
                fault: fault.clone(),
            });
        }
        let mut terms = Vec::with_capacity(expression.terms().len());
        let mut stranger = false;
        for (var, coefficient) in expression.terms() {
            match self.id(*var) {
                Some(id) => terms.push((id, coefficient.clone())),
                None => stranger = true,
            }
        }
        if stranger {
            self.blame_stranger(place);
        }
        terms
    }

    pub(super) fn id(&self, var: Var) -> Option<VarId> {
        self.ids.get(var)
    }

    pub(super) fn blame_stranger(&mut self, place: &str) {
        self.faults.push(ModelFault::ForeignVariable {
            place: place.to_owned(),
        });
    }

    fn lower(&mut self, constraint: &Constraint, place: &str, rows: &mut Vec<Row>) {
        let terms = self.terms(&constraint.expression, place);
        if constraint.logical {
            for (id, _) in &terms {
                self.expect_binary(*id, place);
            }
        }
        let constant = constraint.expression.constant();
        let row = Row {
            name: constraint.name.clone(),
            terms,
            lower: constraint.lower.as_ref().map(|lower| lower - constant),
            upper: constraint.upper.as_ref().map(|upper| upper - constant),
        };
        if constraint.conditions.is_empty() {
            rows.push(row);
        } else {
            self.relax(constraint, row, place, rows);
        }
    }

    pub(super) fn expect_binary(&mut self, id: VarId, place: &str) {
        let variable = &self.variables[id.index()];
        if !variable.is_binary() {
            self.faults.push(ModelFault::NotBinary {
                place: place.to_owned(),
                variable: variable.name.clone(),
            });
        }
    }
}

fn place(constraint: &Constraint, owner: Quantifier, number: usize) -> String {
    match (&constraint.name, owner) {
        (Some(name), _) => format!("row `{name}`"),
        (None, Quantifier::Exists) => format!("row number {number}"),
        (None, Quantifier::Forall) => format!("row number {number} of the uncertainty"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::num::int;
    use crate::row;

    #[test]
    fn variables_stand_in_the_order_of_their_stages_and_terms_follow_them() {
        let mut model = Model::with_prefix("∃a ∀b").unwrap();
        let y = model.block("b").binary("y");
        let x = model.block("a").binary("x");
        model.subject_to(row!(x + 2 * y <= 2));
        let program = model.build().unwrap();
        let terms = &program.rows().as_slice()[0].terms;
        assert_eq!(terms, &[(VarId::new(0), int(1)), (VarId::new(1), int(2))]);
        assert_eq!(program.find("x"), Some(VarId::new(0)));
    }

    #[test]
    fn a_stranger_is_blamed_once_per_row() {
        let mut other = Model::new();
        let stranger = other.exists().binary("stranger");
        let mut model = Model::new();
        model.subject_to(row!("r": stranger + stranger <= 1));
        let error = model.build().unwrap_err();
        let place = "row `r`".to_owned();
        assert_eq!(error.faults(), [ModelFault::ForeignVariable { place }]);
    }
}
