//! What the players wish: one linear objective, or none for a question of who wins.

use super::expression::Expr;
use super::{Model, ModelFault};
use crate::program::Sense;

/// An objective as it was given.
#[derive(Debug)]
pub(super) struct ObjectiveData {
    pub(super) name: Option<String>,
    pub(super) sense: Sense,
    pub(super) expression: Expr,
}

impl Model {
    /// The existential player wishes `cost` to be small; the universal player, large.
    ///
    /// ```
    /// use quip::model::*;
    /// let mut model = Model::new();
    /// let x = model.exists().binary("x");
    /// model.minimize(3 * x + 10);
    /// assert!(model.build()?.objective().is_some());
    /// # Ok::<(), ModelError>(())
    /// ```
    pub fn minimize(&mut self, cost: impl Into<Expr>) -> &mut Self {
        self.set_objective(None, Sense::Minimize, cost.into())
    }

    /// The existential player wishes `gain` to be large; the universal player, small.
    ///
    /// ```
    /// use quip::model::*;
    /// let mut model = Model::new();
    /// let x = model.exists().binary("x");
    /// model.maximize(x);
    /// assert!(model.build()?.objective().is_some());
    /// # Ok::<(), ModelError>(())
    /// ```
    pub fn maximize(&mut self, gain: impl Into<Expr>) -> &mut Self {
        self.set_objective(None, Sense::Maximize, gain.into())
    }

    /// [`Model::minimize`], with a name for the objective.
    ///
    /// ```
    /// use quip::model::*;
    /// let mut model = Model::new();
    /// let x = model.exists().binary("x");
    /// model.minimize_as("cost", 3 * x);
    /// assert_eq!(model.build()?.objective().unwrap().name.as_deref(), Some("cost"));
    /// # Ok::<(), ModelError>(())
    /// ```
    pub fn minimize_as(&mut self, name: &str, cost: impl Into<Expr>) -> &mut Self {
        self.set_objective(Some(name), Sense::Minimize, cost.into())
    }

    /// [`Model::maximize`], with a name for the objective.
    ///
    /// ```
    /// use quip::model::*;
    /// let mut model = Model::new();
    /// let x = model.exists().binary("x");
    /// model.maximize_as("gain", 3 * x);
    /// assert_eq!(model.build()?.objective().unwrap().name.as_deref(), Some("gain"));
    /// # Ok::<(), ModelError>(())
    /// ```
    pub fn maximize_as(&mut self, name: &str, gain: impl Into<Expr>) -> &mut Self {
        self.set_objective(Some(name), Sense::Maximize, gain.into())
    }

    fn set_objective(&mut self, name: Option<&str>, sense: Sense, expression: Expr) -> &mut Self {
        if !self.objectives.is_empty() {
            self.faults.push(ModelFault::SecondObjective);
        }
        self.objectives.push(ObjectiveData {
            name: name.map(str::to_owned),
            sense,
            expression,
        });
        self
    }
}

#[cfg(test)]
mod tests {
    use crate::model::{Model, dec};
    use crate::num::ratio;
    use crate::program::Sense;

    #[test]
    fn the_constant_of_the_objective_is_kept() {
        let mut model = Model::new();
        let x = model.exists().binary("x");
        model.maximize(2 * (x + dec("0.25")));
        let program = model.build().unwrap();
        let objective = program.objective().unwrap();
        assert_eq!(objective.sense, Sense::Maximize);
        assert_eq!(objective.constant, ratio(1, 2));
    }

    #[test]
    fn a_second_objective_is_a_fault_and_hides_none_of_the_first() {
        let mut model = Model::new();
        let x = model.exists().binary("x");
        model.minimize(x * dec("?")).minimize(x);
        assert_eq!(model.build().unwrap_err().faults().len(), 2);
    }
}
