//! How good each relaxation is: its proved value beside the value of the game.
//!
//! A relaxation here is another program, without an opponent, whose value is never worse for the
//! existential player than that of the game; a restriction is one whose value is never better.
//! Each is solved twice, as a linear program and with its integers, both exactly. The theorems that
//! order them (`order`) are checked on the numbers that come out: a number that breaks one is a
//! bug and is reported as a fault.
//!
//! **How to add one:** derive its program in `derive.rs`, measure it in [`measure`], and say in
//! `order.rs` which theorem puts it where.

mod derive;
mod measure;
mod order;
mod scenario;

pub use measure::{BoundsOptions, measure};
pub use order::Theorem;
pub use scenario::are_listed;

use crate::num::{Rational, approximate};
use crate::outcome::{Effort, Score};
use crate::program::{Program, Sense, cost_of_objective};

/// On which side of the value a number lies, in the existential player's costs.
#[derive(Copy, Clone, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Side {
    /// A relaxation: never above the value.
    Below,
    /// The value itself.
    Value,
    /// A restriction: never below the value.
    Above,
}

/// What was proved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Measured {
    /// This is the value of the relaxation.
    Exact(Score),
    /// A limit was reached: the value of the relaxation is at least this cost.
    AtLeast(Rational),
    /// Nothing; why.
    Nothing(String),
}

impl Measured {
    /// The word that results have for it, and its value in the user's sense.
    pub fn spelled(&self, program: &Program) -> (&'static str, Option<Rational>) {
        let user = |cost: &Rational| Some(cost_of_objective(program, cost.clone()));
        match self {
            Self::Exact(Score::Cost(_)) if program.objective().is_none() => ("feasible", None),
            Self::Exact(Score::Cost(cost)) => ("value", user(cost)),
            Self::Exact(Score::Lost) => ("infeasible", None),
            Self::Exact(Score::Won) => ("won", None),
            Self::Exact(Score::Unbounded) => ("unbounded", None),
            // What bounds the cost from below bounds a gain from above.
            Self::AtLeast(cost) => match program.objective().map(|it| it.sense) {
                Some(Sense::Maximize) => ("at_most", user(cost)),
                _ => ("at_least", user(cost)),
            },
            Self::Nothing(_) => ("unknown", None),
        }
    }

    /// A score that is proved not to be above the value of the relaxation.
    pub fn floor(&self) -> Option<Score> {
        match self {
            Self::Exact(score) => Some(score.clone()),
            Self::AtLeast(cost) => Some(Score::Cost(cost.clone())),
            Self::Nothing(_) => None,
        }
    }

    /// The value of the relaxation, if it is known.
    pub fn exact(&self) -> Option<&Score> {
        match self {
            Self::Exact(score) => Some(score),
            _ => None,
        }
    }
}

/// One relaxation of one program.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// What it is called.
    pub name: String,
    /// Where it lies.
    pub side: Side,
    /// What was proved.
    pub measured: Measured,
    /// How long it took.
    pub seconds: f64,
    /// Positions and linear programs.
    pub effort: Effort,
}

/// All relaxations of one program.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// In the order in which they were measured; the value is the first.
    pub entries: Vec<Entry>,
    /// The random scenarios by their names, and the moves of each.
    pub drawn: Vec<(String, String)>,
    /// Theorems that the numbers break; empty unless there is a bug.
    pub faults: Vec<String>,
}

impl Report {
    /// The value of the game, if it is known.
    pub fn value(&self) -> Option<&Score> {
        let value = self.entries.iter().find(|entry| entry.side == Side::Value);
        value?.measured.exact()
    }

    /// How much of the distance between the existential LP and the value a relaxation covers: 0 is
    /// no better, 1 is the value.
    pub fn closed(&self, entry: &Entry) -> Option<f64> {
        let first = self.entries.iter().find(|it| it.side == Side::Below)?;
        let (from, to) = (first.measured.exact()?, self.value()?);
        let here = entry.measured.floor()?;
        match (from, &here, to) {
            (_, here, to) if here == to => Some(1.0),
            (from, here, _) if from == here => Some(0.0),
            (Score::Cost(from), Score::Cost(here), Score::Cost(to)) => {
                Some(approximate(&((here - from) / (to - from))))
            }
            _ => None,
        }
    }
}
