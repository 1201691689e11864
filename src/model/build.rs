//! From the model to the program: variables into prefix order, rows into their exact form.
//!
//! A row under conditions `c_1, …, c_k` is relaxed: `expression <= rhs` becomes
//! `expression + M (c_1 + … + c_k) <= rhs + k M`, where `M` is the amount by which the expression
//! can exceed `rhs` inside the bounds. With one condition broken the row gives way by `M`, which
//! is enough for every value; no smaller number would be.

use num_traits::{Signed, Zero};

use super::constraint::Constraint;
use super::expression::Expr;
use super::variable::Var;
use super::{Model, ModelError, ModelFault};
use crate::num::Rational;
use crate::program::{
    Bounds, Id, Objective, Program, ProgramData, Quantifier, Row, Term, VarId, Variable, normalized,
};

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
        let data = ProgramData {
            variables: builder.variables.clone(),
            rows: builder.system(&self.rows, Quantifier::Exists),
            universal_rows: builder.system(&self.universal_rows, Quantifier::Forall),
            objective: builder.objective(),
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

struct Builder<'a> {
    model: &'a Model,
    /// In prefix order.
    variables: Vec<Variable>,
    /// The place in the prefix of the model's `n`-th variable.
    ids: Vec<VarId>,
    faults: Vec<ModelFault>,
}

impl<'a> Builder<'a> {
    fn new(model: &'a Model) -> Self {
        let mut variables = Vec::with_capacity(model.variables.len());
        let mut ids = vec![VarId::new(0); model.variables.len()];
        for stage in &model.stages {
            for &member in &stage.members {
                let placed = &model.variables[member as usize];
                ids[member as usize] = VarId::new(variables.len());
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
            ids,
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

    fn objective(&mut self) -> Option<Objective> {
        let model = self.model;
        let objective = model.objective.as_ref()?;
        Some(Objective {
            name: objective.name.clone(),
            sense: objective.sense,
            terms: self.terms(&objective.expression, "the objective"),
            constant: objective.expression.constant().clone(),
        })
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

    fn id(&self, var: Var) -> Option<VarId> {
        (var.model == self.model.token).then(|| self.ids[var.index as usize])
    }

    fn blame_stranger(&mut self, place: &str) {
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

    fn expect_binary(&mut self, id: VarId, place: &str) {
        let variable = &self.variables[id.index()];
        if !variable.is_binary() {
            self.faults.push(ModelFault::NotBinary {
                place: place.to_owned(),
                variable: variable.name.clone(),
            });
        }
    }

    /// The conditional row as one unconditional row per side.
    fn relax(&mut self, constraint: &Constraint, row: Row, place: &str, rows: &mut Vec<Row>) {
        // Only added-up terms tell the true range: a variable may stand on both sides.
        let terms = normalized(row.terms);
        let broken = self.broken_conditions(constraint, place);
        let both = row.lower.is_some() && row.upper.is_some();
        let called = |side: &str| match &row.name {
            Some(name) if both => Some(format!("{name}.{side}")),
            name => name.clone(),
        };
        if let Some(lower) = &row.lower
            && let Some(least) = self.extreme(&terms, Side::Lower, place)
        {
            let slack = -nonnegative(lower - least);
            let (terms, rhs) = give_way(&terms, lower, &broken, &slack);
            let name = called("lower");
            rows.push(Row {
                name,
                ..Row::at_least(terms, rhs)
            });
        }
        if let Some(upper) = &row.upper
            && let Some(most) = self.extreme(&terms, Side::Upper, place)
        {
            let slack = nonnegative(most - upper);
            let (terms, rhs) = give_way(&terms, upper, &broken, &slack);
            let name = called("upper");
            rows.push(Row {
                name,
                ..Row::at_most(terms, rhs)
            });
        }
    }

    /// For every condition its variable, and whether it holds at 1.
    fn broken_conditions(&mut self, constraint: &Constraint, place: &str) -> Vec<(VarId, bool)> {
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

    /// The largest or smallest sum inside the bounds; a fault if it is infinite.
    fn extreme(&mut self, terms: &[Term], side: Side, place: &str) -> Option<Rational> {
        let mut total = Rational::zero();
        for (id, coefficient) in terms {
            let end = if coefficient.is_positive() {
                side
            } else {
                side.other()
            };
            let variable = &self.variables[id.index()];
            let Some(bound) = end.of(variable.domain()) else {
                self.faults.push(ModelFault::UnboundedCondition {
                    place: place.to_owned(),
                    side: end.name(),
                    variable: variable.name.clone(),
                });
                return None;
            };
            total += coefficient * bound;
        }
        Some(total)
    }
}

/// `terms + slack · Σ conditions`, and `rhs + slack · (number of conditions)`: the two sides of the
/// relaxed row. A negated condition `1 - b` leaves its constant on the right.
fn give_way(
    terms: &[Term],
    rhs: &Rational,
    conditions: &[(VarId, bool)],
    slack: &Rational,
) -> (Vec<Term>, Rational) {
    let mut terms = terms.to_vec();
    let mut rhs = rhs.clone();
    for &(id, positive) in conditions {
        if positive {
            terms.push((id, slack.clone()));
            rhs += slack;
        } else {
            terms.push((id, -slack));
        }
    }
    (terms, rhs)
}

fn nonnegative(value: Rational) -> Rational {
    if value.is_negative() {
        Rational::zero()
    } else {
        value
    }
}

fn place(constraint: &Constraint, owner: Quantifier, number: usize) -> String {
    match (&constraint.name, owner) {
        (Some(name), _) => format!("row `{name}`"),
        (None, Quantifier::Exists) => format!("row number {number}"),
        (None, Quantifier::Forall) => format!("row number {number} of the uncertainty"),
    }
}

/// One end of an interval.
#[derive(Copy, Clone)]
enum Side {
    Lower,
    Upper,
}

impl Side {
    fn other(self) -> Self {
        match self {
            Self::Lower => Self::Upper,
            Self::Upper => Self::Lower,
        }
    }

    fn of(self, bounds: Bounds) -> Option<Rational> {
        match self {
            Self::Lower => bounds.lower,
            Self::Upper => bounds.upper,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Lower => "lower",
            Self::Upper => "upper",
        }
    }
}
