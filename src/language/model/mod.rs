//! The builder that people write: from stages, variables and rows to a
//! [`Program`](crate::program::Program).
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
mod conditional;
mod constraint;
mod error;
mod expression;
mod family;
mod good_lp;
mod ids;
mod logic;
mod number;
mod objective;
mod operators;
mod prefix;
mod rows;
mod stage;
mod variable;

pub use self::good_lp::{GoodLp, GoodLpError};
pub use crate::row;
pub use constraint::{Compare, Constraint};
pub use error::{ModelError, ModelFault};
pub use expression::{Expr, sum};
pub use family::{Family, Key, grid};
pub use ids::Ids;
pub use logic::{
    Literal, at_least_one, at_most_one, conjunction, disjunction, exactly_one, implies,
};
pub use number::{Number, dec};
pub use prefix::PrefixError;
pub use rows::RowBlock;
pub use stage::Stage;
pub use variable::{Auto, Interval, Name, Var};

use rustc_hash::FxHashMap;

use crate::num::int;
use crate::program::{Bounds, Id, Kind, Quantifier, VarId};
use objective::ObjectiveData;
use variable::Token;

/// A quantified program in the making: see the module.
///
/// ```
/// use quip::model::*;
/// let mut model = Model::new();
/// let y = model.forall().integer("y", 0..=2);
/// let x = model.exists().real("x", 0..=1);
/// model.subject_to(row!(2 * x == y));
/// assert!(model.build().is_ok());
/// ```
#[derive(Debug)]
pub struct Model {
    token: Token,
    /// In the order of the game.
    stages: Vec<StageData>,
    /// In the order in which they were added.
    variables: Vec<Placed>,
    rows: Vec<Constraint>,
    universal_rows: Vec<Constraint>,
    /// More than one is a fault, but each is checked.
    objectives: Vec<ObjectiveData>,
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
            objectives: Vec::new(),
            unnamed: FxHashMap::default(),
            faults: Vec::new(),
        }
    }

    /// An empty model whose blocks of rows count on from those of this one, for programs that are built
    /// part by part.
    ///
    /// ```
    /// use quip::model::*;
    /// let mut model = Model::new();
    /// let x = model.exists().binary("x");
    /// model.rows("r").add(x.leq(1));
    /// let mut next = model.next_part();
    /// let y = next.exists().binary("y");
    /// next.rows("r").add(y.leq(1));
    /// assert_eq!(next.build()?.rows().iter().next().unwrap().name.as_deref(), Some("r[2]"));
    /// # Ok::<(), ModelError>(())
    /// ```
    #[must_use]
    pub fn next_part(&self) -> Self {
        Self {
            unnamed: self.unnamed.clone(),
            ..Self::new()
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
                let fault = ModelFault::UnknownBlock {
                    name: name.to_owned(),
                    known: self.known_blocks(),
                };
                self.faults.push(fault);
                self.refuge()
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

    /// Where variables of an unknown block go. The model does not build any more; the last
    /// existential stage is where they cause no second fault.
    fn refuge(&mut self) -> Stage<'_> {
        let last = self
            .stages
            .iter()
            .rposition(|stage| stage.quantifier == Quantifier::Exists);
        match last {
            Some(stage) => Stage::new(self, stage),
            None => self.exists(),
        }
    }

    fn known_blocks(&self) -> String {
        let names = self.stages.iter().filter_map(|stage| stage.name.as_deref());
        let names: Vec<&str> = names.collect();
        if names.is_empty() {
            "no block has a name".to_owned()
        } else {
            format!("the blocks are: {}", names.join(", "))
        }
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
                Some(int(0))
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
