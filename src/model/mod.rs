//! The builder that people write: from stages, variables and rows to a [`Program`].
//!
//! A model is a sequence of *stages*. In each, one player fixes some variables, knowing all
//! earlier ones: [`exists`](Model::exists) (or [`decide`](Model::decide)) opens a stage of ours,
//! [`forall`](Model::forall) (or [`reveal`](Model::reveal)) one of the opponent, who may be a
//! rival, the weather or the demand. Rows that we must satisfy are given to
//! [`subject_to`](Model::subject_to); rows that bind the opponent to
//! [`uncertainty`](Model::uncertainty). Numbers are exact: `0.1` is 1/10.
//!
//! Lot sizing on two days. We decide whether to open the plant, then the demand of a day is
//! revealed, then we produce, and so on; not more than three pieces are demanded in total:
//!
//! ```
//! use quip::model::*;
//!
//! let mut model = Model::new();
//! let open = model.decide().binary("open");
//! let d1 = model.reveal().integer("d1", 0..=2);
//! let mut first_day = model.decide();
//! let q1 = first_day.integer("q1", 0..=3);
//! let s1 = first_day.integer("s1", 0..=9);
//! let d2 = model.reveal().integer("d2", 0..=2);
//! let mut second_day = model.decide();
//! let q2 = second_day.integer("q2", 0..=3);
//! let s2 = second_day.real("s2", 0..=9);
//!
//! model
//!     .minimize_as("cost", 10 * open + 2 * (q1 + q2) + dec("0.5") * (s1 + s2))
//!     .subject_to(row!("cap1": q1 <= 3 * open))
//!     .subject_to(row!("stock1": s1 == q1 - d1))
//!     .subject_to(row!("cap2": q2 <= 3 * open))
//!     .subject_to(row!("stock2": s2 == s1 + q2 - d2))
//!     .uncertainty(row!("budget": d1 + d2 <= 3));
//!
//! let program = model.build()?;
//! let prefix: String = program.blocks().iter().map(|block| block.quantifier.symbol()).collect();
//! assert_eq!(prefix, "∃∀∃∀∃");
//! assert_eq!(program.rows().len(), 4);
//! assert_eq!(program.universal_rows().len(), 1);
//! # Ok::<(), ModelError>(())
//! ```
//!
//! **Invariant:** nothing here panics on what a user gives (but for indexing a [`Family`] with an
//! index it does not have). Faults are collected and returned by [`Model::build`], all together.

mod build;
mod constraint;
mod error;
mod expression;
mod family;
mod good_lp;
mod group;
mod logic;
mod number;
mod operators;
mod prefix;
mod stage;
mod variable;

pub use self::good_lp::{GoodLp, GoodLpError};
pub use crate::row;
pub use constraint::{Compare, Constraint};
pub use error::{ModelError, ModelFault};
pub use expression::{Expr, sum};
pub use family::{Family, Key, grid};
pub use group::RowBlock;
pub use logic::{
    Literal, at_least_one, at_most_one, conjunction, disjunction, exactly_one, implies,
};
pub use number::{Number, dec};
pub use prefix::PrefixError;
pub use stage::Stage;
pub use variable::{Auto, Interval, Name, Var};

use rustc_hash::FxHashMap;

use crate::program::{Bounds, Id, Kind, Quantifier, Sense, VarId};
use variable::Token;

/// A quantified program in the making: see the module.
#[derive(Debug)]
pub struct Model {
    token: Token,
    /// In the order of the game.
    stages: Vec<StageData>,
    /// In the order in which they were added.
    variables: Vec<Placed>,
    rows: Vec<Constraint>,
    universal_rows: Vec<Constraint>,
    objective: Option<ObjectiveData>,
    /// How many unnamed rows each block of rows has.
    unnamed: FxHashMap<String, usize>,
    faults: Vec<ModelFault>,
}

#[derive(Debug)]
struct StageData {
    quantifier: Quantifier,
    name: Option<String>,
    members: Vec<u32>,
}

/// A variable, and where in the prefix it stands.
#[derive(Debug)]
struct Placed {
    name: String,
    kind: Kind,
    bounds: Bounds,
    stage: usize,
    place: usize,
}

#[derive(Debug)]
struct ObjectiveData {
    name: Option<String>,
    sense: Sense,
    expression: Expr,
}

impl Model {
    /// A model without anything. As a program it asks nothing, and the answer is yes.
    ///
    /// ```
    /// use quip::model::Model;
    /// assert_eq!(Model::new().build().unwrap().variables().len(), 0);
    /// ```
    pub fn new() -> Self {
        Self {
            token: Token::fresh(),
            stages: Vec::new(),
            variables: Vec::new(),
            rows: Vec::new(),
            universal_rows: Vec::new(),
            objective: None,
            unnamed: FxHashMap::default(),
            faults: Vec::new(),
        }
    }

    /// A model whose stages are given at once by a quantifier string over named blocks, to be
    /// filled in any order: `exists a, forall b, exists c` or `∃a ∀b ∃c`; the blocks of `EAE` or
    /// `∃∀∃` are called `1`, `2`, `3`.
    ///
    /// ```
    /// use quip::model::*;
    /// let mut model = Model::with_prefix("exists a, forall b, exists c")?;
    /// let answer = model.block("c").binary("answer");
    /// let question = model.block("b").binary("question");
    /// model.subject_to(row!(answer == question));
    /// let program = model.build()?;
    /// assert_eq!(program.find("question").map(|id| program.variables()[id].quantifier.symbol()), Some('∀'));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn with_prefix(prefix: &str) -> Result<Self, PrefixError> {
        let mut model = Self::new();
        for block in prefix::parse(prefix)? {
            model.stages.push(StageData {
                quantifier: block.quantifier,
                name: Some(block.name),
                members: Vec::new(),
            });
        }
        Ok(model)
    }

    /// Opens a stage of the existential player after all stages there are. A stage that stays
    /// empty leaves no trace, and neighbours of one player are one block.
    ///
    /// ```
    /// use quip::model::*;
    /// let mut model = Model::new();
    /// let x = model.exists().binary("x");
    /// let y = model.exists().binary("y");
    /// assert_eq!(model.build()?.blocks().len(), 1);
    /// # let _ = (x, y);
    /// # Ok::<(), ModelError>(())
    /// ```
    pub fn exists(&mut self) -> Stage<'_> {
        self.open(Quantifier::Exists)
    }

    /// Opens a stage of the universal player after all stages there are.
    ///
    /// ```
    /// use quip::model::*;
    /// let mut model = Model::new();
    /// let demand = model.forall().integers("demand", 1..=3, 0..=9);
    /// assert_eq!(model.build()?.blocks().len(), 1);
    /// # let _ = demand;
    /// # Ok::<(), ModelError>(())
    /// ```
    pub fn forall(&mut self) -> Stage<'_> {
        self.open(Quantifier::Forall)
    }

    /// Here we decide: the same as [`Model::exists`].
    ///
    /// ```
    /// use quip::model::*;
    /// let order = Model::new().decide().integer("order", 0..=99);
    /// # let _ = order;
    /// ```
    pub fn decide(&mut self) -> Stage<'_> {
        self.exists()
    }

    /// Here something is revealed: the same as [`Model::forall`].
    ///
    /// ```
    /// use quip::model::*;
    /// let weather = Model::new().reveal().binary("weather");
    /// # let _ = weather;
    /// ```
    pub fn reveal(&mut self) -> Stage<'_> {
        self.forall()
    }

    /// Opens again the stage of that name, from [`Model::with_prefix`] or [`Stage::called`]. A
    /// name that no stage has is reported when the model is built.
    ///
    /// ```
    /// use quip::model::*;
    /// let mut model = Model::with_prefix("EAE").unwrap();
    /// model.block("4").binary("x");
    /// let error = model.build().unwrap_err();
    /// assert_eq!(error.to_string(), "there is no block `4`; the blocks are: 1, 2, 3");
    /// ```
    pub fn block(&mut self, name: &str) -> Stage<'_> {
        match self.stage_called(name) {
            Some(stage) => Stage::new(self, stage),
            None => {
                let known: Vec<&str> = self
                    .stages
                    .iter()
                    .filter_map(|s| s.name.as_deref())
                    .collect();
                let fault = ModelFault::UnknownBlock {
                    name: name.to_owned(),
                    known: known.join(", "),
                };
                self.faults.push(fault);
                self.exists()
            }
        }
    }

    /// The name of a variable of this model.
    ///
    /// ```
    /// use quip::model::*;
    /// let mut model = Model::new();
    /// let x = model.exists().binaries("x", 1..=2);
    /// assert_eq!(model.name(x[2]), Some("x[2]"));
    /// assert_eq!(Model::new().name(x[2]), None);
    /// ```
    pub fn name(&self, var: Var) -> Option<&str> {
        self.placed(var).map(|placed| placed.name.as_str())
    }

    /// The variable of the program that `var` is when the model is built as it stands now.
    ///
    /// ```
    /// use quip::model::*;
    /// let mut model = Model::with_prefix("∃a ∀b")?;
    /// let y = model.block("b").binary("y");
    /// let x = model.block("a").binary("x");
    /// let program = model.build()?;
    /// assert_eq!(model.id(y), program.find("y"));
    /// assert_eq!(model.id(x), program.find("x"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn id(&self, var: Var) -> Option<VarId> {
        let placed = self.placed(var)?;
        let earlier: usize = self.stages[..placed.stage]
            .iter()
            .map(|stage| stage.members.len())
            .sum();
        Some(VarId::new(earlier + placed.place))
    }

    /// The existential player must satisfy the constraint.
    ///
    /// ```
    /// use quip::model::*;
    /// let mut model = Model::new();
    /// let x = model.exists().integer("x", 0..=9);
    /// model.subject_to(row!("low": x >= 2)).subject_to((2 * x).leq(11));
    /// assert_eq!(model.build()?.rows().len(), 2);
    /// # Ok::<(), ModelError>(())
    /// ```
    pub fn subject_to(&mut self, constraint: Constraint) -> &mut Self {
        self.rows.push(constraint);
        self
    }

    /// The existential player must satisfy all the constraints.
    ///
    /// ```
    /// use quip::model::*;
    /// let mut model = Model::new();
    /// let x = model.exists().integers("x", 0..4, 0..=9);
    /// model.subject_to_all((1..4).map(|t| row!("up[{t}]": x[t] >= x[t - 1])));
    /// assert_eq!(model.build()?.rows().len(), 3);
    /// # Ok::<(), ModelError>(())
    /// ```
    pub fn subject_to_all(
        &mut self,
        constraints: impl IntoIterator<Item = Constraint>,
    ) -> &mut Self {
        self.rows.extend(constraints);
        self
    }

    /// The universal player must satisfy the constraint: it describes which of his moves are
    /// possible at all.
    ///
    /// ```
    /// use quip::model::*;
    /// let mut model = Model::new();
    /// let failure = model.forall().binaries("failure", 0..5);
    /// model.uncertainty(row!("budget": failure.sum() <= 2));
    /// assert_eq!(model.build()?.universal_rows().len(), 1);
    /// # Ok::<(), ModelError>(())
    /// ```
    pub fn uncertainty(&mut self, constraint: Constraint) -> &mut Self {
        self.universal_rows.push(constraint);
        self
    }

    /// The universal player must satisfy all the constraints.
    ///
    /// ```
    /// use quip::model::*;
    /// let mut model = Model::new();
    /// let d = model.forall().integers("d", 0..3, 0..=9);
    /// model.uncertainty_all((1..3).map(|t| row!(-1 <= d[t] - d[t - 1] <= 1)));
    /// assert_eq!(model.build()?.universal_rows().len(), 2);
    /// # Ok::<(), ModelError>(())
    /// ```
    pub fn uncertainty_all(
        &mut self,
        constraints: impl IntoIterator<Item = Constraint>,
    ) -> &mut Self {
        self.universal_rows.extend(constraints);
        self
    }

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
        if self.objective.is_some() {
            self.faults.push(ModelFault::SecondObjective);
        }
        self.objective = Some(ObjectiveData {
            name: name.map(str::to_owned),
            sense,
            expression,
        });
        self
    }

    fn open(&mut self, quantifier: Quantifier) -> Stage<'_> {
        self.stages.push(StageData {
            quantifier,
            name: None,
            members: Vec::new(),
        });
        let last = self.stages.len() - 1;
        Stage::new(self, last)
    }

    fn stage_called(&self, name: &str) -> Option<usize> {
        self.stages
            .iter()
            .position(|stage| stage.name.as_deref() == Some(name))
    }

    fn placed(&self, var: Var) -> Option<&Placed> {
        (var.model == self.token).then(|| &self.variables[var.index as usize])
    }

    fn system(&mut self, owner: Quantifier) -> &mut Vec<Constraint> {
        match owner {
            Quantifier::Exists => &mut self.rows,
            Quantifier::Forall => &mut self.universal_rows,
        }
    }

    /// The interval as exact bounds; an end that cannot be read is a fault of the model.
    fn checked_bounds(&mut self, name: &str, interval: Interval) -> Bounds {
        let mut end = |number: Option<Number>| match number?.into_value() {
            Ok(value) => Some(value),
            Err(fault) => {
                self.faults.push(ModelFault::Bound {
                    variable: name.to_owned(),
                    fault,
                });
                // Any number will do: the model does not build, and no second fault should arise.
                Some(crate::num::int(0))
            }
        };
        Bounds {
            lower: end(interval.lower),
            upper: end(interval.upper),
        }
    }
}

impl Default for Model {
    fn default() -> Self {
        Self::new()
    }
}
