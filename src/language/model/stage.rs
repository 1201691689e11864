//! Stages: runs of variables that one player fixes at one time.

use super::family::{Family, Key};
use super::logic::{Literal, conjunction, disjunction};
use super::variable::{Interval, Name, Var};
use super::{Model, ModelFault, Placed};
use crate::program::{Kind, Quantifier};

/// An open stage of a model: the variables added through it are fixed by its player, after all
/// earlier stages and before all later ones.
///
/// ```
/// use quip::model::*;
/// let mut model = Model::new();
/// let mut today = model.decide();
/// let open = today.binary("open");
/// let lot = today.integer("lot", 0..=9);
/// let demand = model.reveal().integer("demand", 2..=5);
/// model.subject_to(row!(lot <= 9 * open)).subject_to(row!(lot >= demand));
/// assert_eq!(model.build()?.blocks().len(), 2);
/// # Ok::<(), ModelError>(())
/// ```
#[derive(Debug)]
pub struct Stage<'a> {
    model: &'a mut Model,
    stage: usize,
}

impl<'a> Stage<'a> {
    /// The `stage`-th stage of the model.
    pub(super) fn new(model: &'a mut Model, stage: usize) -> Self {
        Self { model, stage }
    }

    /// Gives the stage a name under which [`Model::block`] finds it again.
    ///
    /// ```
    /// use quip::model::*;
    /// let mut model = Model::new();
    /// let x = model.exists().called("today").binary("x");
    /// let late = model.forall().binary("late");
    /// let y = model.block("today").binary("y");
    /// let program = model.build()?;
    /// assert_eq!(program.variables().iter().map(|v| &*v.name).collect::<Vec<_>>(), ["x", "y", "late"]);
    /// # let _ = (x, y, late);
    /// # Ok::<(), ModelError>(())
    /// ```
    #[must_use = "the open stage is where variables are added"]
    pub fn called(self, name: &str) -> Self {
        if self.model.stage_called(name).is_some() {
            let name = name.to_owned();
            self.model.faults.push(ModelFault::DuplicateBlock { name });
        } else {
            self.model.stages[self.stage].name = Some(name.to_owned());
        }
        self
    }

    /// Who fixes the variables of this stage.
    ///
    /// ```
    /// use quip::model::*;
    /// use quip::program::Quantifier;
    /// assert_eq!(Model::new().reveal().quantifier(), Quantifier::Forall);
    /// ```
    pub fn quantifier(&self) -> Quantifier {
        self.model.stages[self.stage].quantifier
    }

    /// A variable that is 0 or 1.
    ///
    /// ```
    /// use quip::model::*;
    /// let mut model = Model::new();
    /// let x = model.exists().binary("x");
    /// # let _ = x;
    /// ```
    pub fn binary(&mut self, name: impl Into<Name>) -> Var {
        self.add(name.into(), Kind::Integer, Interval::unit())
    }

    /// A whole number inside `interval`.
    ///
    /// ```
    /// use quip::model::*;
    /// let mut model = Model::new();
    /// let x = model.exists().integer("x", -3..=3);
    /// # let _ = x;
    /// ```
    pub fn integer(&mut self, name: impl Into<Name>, interval: impl Into<Interval>) -> Var {
        self.add(name.into(), Kind::Integer, interval.into())
    }

    /// Any number inside `interval`. Only a real variable of the last existential block may be
    /// unbounded.
    ///
    /// ```
    /// use quip::model::*;
    /// let mut model = Model::new();
    /// let x = model.exists().real("x", 0..);
    /// let y = model.exists().real("y", dec("0.1")..=dec("0.9"));
    /// assert!(model.build().is_ok());
    /// # let _ = (x, y);
    /// ```
    pub fn real(&mut self, name: impl Into<Name>, interval: impl Into<Interval>) -> Var {
        self.add(name.into(), Kind::Real, interval.into())
    }

    /// A family of variables that are 0 or 1.
    ///
    /// ```
    /// use quip::model::*;
    /// let mut model = Model::new();
    /// let x = model.exists().binaries("x", ["oil", "gas"]);
    /// assert_eq!(model.name(x["oil"]), Some("x[oil]"));
    /// ```
    pub fn binaries<K: Key>(
        &mut self,
        name: impl Into<Name>,
        keys: impl IntoIterator<Item = K>,
    ) -> Family<K> {
        self.family(name.into(), keys, Kind::Integer, |_| Interval::unit())
    }

    /// A family of whole numbers, all inside `interval`.
    ///
    /// ```
    /// use quip::model::*;
    /// let mut model = Model::new();
    /// let demand = model.forall().integers("d", 1..=3, 0..=2);
    /// assert_eq!(demand.len(), 3);
    /// ```
    pub fn integers<K: Key>(
        &mut self,
        name: impl Into<Name>,
        keys: impl IntoIterator<Item = K>,
        interval: impl Into<Interval>,
    ) -> Family<K> {
        let interval = interval.into();
        self.family(name.into(), keys, Kind::Integer, |_| interval.clone())
    }

    /// A family of whole numbers, each inside its own interval.
    ///
    /// ```
    /// use quip::model::*;
    /// let capacity = [4, 2, 7];
    /// let mut model = Model::new();
    /// let load = model.exists().integers_by("load", 0..3, |&i: &usize| 0..=capacity[i]);
    /// assert_eq!(load.len(), 3);
    /// ```
    pub fn integers_by<K: Key, I: Into<Interval>>(
        &mut self,
        name: impl Into<Name>,
        keys: impl IntoIterator<Item = K>,
        interval: impl Fn(&K) -> I,
    ) -> Family<K> {
        self.family(name.into(), keys, Kind::Integer, |key| interval(key).into())
    }

    /// A family of real numbers, all inside `interval`.
    ///
    /// ```
    /// use quip::model::*;
    /// let mut model = Model::new();
    /// let flow = model.exists().reals("flow", grid(0..2, 0..2), 0..);
    /// assert_eq!(flow.len(), 4);
    /// ```
    pub fn reals<K: Key>(
        &mut self,
        name: impl Into<Name>,
        keys: impl IntoIterator<Item = K>,
        interval: impl Into<Interval>,
    ) -> Family<K> {
        let interval = interval.into();
        self.family(name.into(), keys, Kind::Real, |_| interval.clone())
    }

    /// A family of real numbers, each inside its own interval.
    ///
    /// ```
    /// use quip::model::*;
    /// let mut model = Model::new();
    /// let share = model.exists().reals_by("share", 1..=3, |_| (0, dec("0.5")));
    /// assert_eq!(share.len(), 3);
    /// ```
    pub fn reals_by<K: Key, I: Into<Interval>>(
        &mut self,
        name: impl Into<Name>,
        keys: impl IntoIterator<Item = K>,
        interval: impl Fn(&K) -> I,
    ) -> Family<K> {
        self.family(name.into(), keys, Kind::Real, |key| interval(key).into())
    }

    /// A new binary variable that is true exactly when all operands are. Its rows go into the
    /// system of the player of this stage, who must keep the definition.
    ///
    /// ```
    /// use quip::model::*;
    /// let mut model = Model::new();
    /// let x = model.exists().binaries("x", 0..3);
    /// let full = model.exists().conjunction("full", &x);
    /// model.maximize(full);
    /// assert_eq!(model.build()?.rows().len(), 4);
    /// # Ok::<(), ModelError>(())
    /// ```
    pub fn conjunction<L: Into<Literal>>(
        &mut self,
        name: impl Into<Name>,
        operands: impl IntoIterator<Item = L>,
    ) -> Var {
        let result = self.binary(name);
        let owner = self.quantifier();
        self.model
            .system(owner)
            .extend(conjunction(result, operands));
        result
    }

    /// A new binary variable that is true exactly when some operand is. Its rows go into the
    /// system of the player of this stage, who must keep the definition.
    ///
    /// ```
    /// use quip::model::*;
    /// let mut model = Model::new();
    /// let attack = model.forall().binaries("attack", 0..3);
    /// let alarm = model.forall().disjunction("alarm", &attack);
    /// assert_eq!(model.build()?.universal_rows().len(), 4);
    /// # let _ = alarm;
    /// # Ok::<(), ModelError>(())
    /// ```
    pub fn disjunction<L: Into<Literal>>(
        &mut self,
        name: impl Into<Name>,
        operands: impl IntoIterator<Item = L>,
    ) -> Var {
        let result = self.binary(name);
        let owner = self.quantifier();
        self.model
            .system(owner)
            .extend(disjunction(result, operands));
        result
    }

    fn family<K: Key>(
        &mut self,
        name: Name,
        keys: impl IntoIterator<Item = K>,
        kind: Kind,
        interval: impl Fn(&K) -> Interval,
    ) -> Family<K> {
        let base = self.spelled(name);
        let keys: Vec<K> = keys.into_iter().collect();
        let mut variables = Vec::with_capacity(keys.len());
        for key in &keys {
            let member = Name::Given(format!("{base}[{}]", key.label()));
            variables.push(self.add(member, kind, interval(key)));
        }
        Family::new(keys, variables)
    }

    fn spelled(&self, name: Name) -> String {
        match name {
            Name::Given(name) => name,
            Name::Generated => format!("_{}", self.model.variables.len() + 1),
        }
    }

    fn add(&mut self, name: Name, kind: Kind, interval: Interval) -> Var {
        let name = self.spelled(name);
        let bounds = self.model.checked_bounds(&name, interval);
        let model = &mut *self.model;
        let index = u32::try_from(model.variables.len()).expect("invariant: ids fit 32 bits");
        let members = &mut model.stages[self.stage].members;
        model.variables.push(Placed {
            name,
            kind,
            bounds,
            stage: self.stage,
            place: members.len(),
        });
        members.push(index);
        Var {
            model: model.token,
            index,
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::model::{Model, dec};
    use crate::num::{int, ratio};
    use crate::program::{Bounds, Kind};

    #[test]
    fn each_member_of_a_family_may_have_its_own_interval() {
        let mut model = Model::new();
        model.exists().reals_by("x", 1..=2, |&i| (-i, dec("0.5")));
        let program = model.build().unwrap();
        let [first, second] = program.variables().as_slice() else {
            panic!("the family has two members");
        };
        assert_eq!(first.bounds, Bounds::between(int(-1), ratio(1, 2)));
        assert_eq!(second.bounds, Bounds::between(int(-2), ratio(1, 2)));
        assert_eq!(second.kind, Kind::Real);
    }

    #[test]
    fn variables_of_an_unknown_block_cause_no_second_fault() {
        let mut model = Model::with_prefix("∃a ∀b").unwrap();
        model.block("a").real("x", 0..);
        model.block("c").binary("lost");
        assert_eq!(model.build().unwrap_err().faults().len(), 1);
    }

    #[test]
    fn an_empty_stage_leaves_no_trace() {
        let mut model = Model::new();
        model.exists().binary("x");
        model.forall();
        model.exists().binary("y");
        assert_eq!(model.build().unwrap().blocks().len(), 1);
    }
}
