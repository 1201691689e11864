//! A strategy as a function of what has been observed.
//!
//! **Invariant:** what a policy answers keeps what its strategy guarantees, and what the rows of the other
//! player forbid is refused with the row that does.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::model::{Ids, Number, Var};
use crate::num::{NumberError, Rational};
use crate::outcome::Move;
use crate::program::{Program, VarId};
use crate::strategy::{End, Play, Refusal, Strategy, Turn};

/// A variable as people speak of it: by the handle of a model, the id of a program, or its name.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Asked<'v> {
    /// The handle.
    Var(Var),
    /// The id.
    Id(VarId),
    /// The name.
    Name(&'v str),
}

impl From<Var> for Asked<'_> {
    fn from(var: Var) -> Self {
        Self::Var(var)
    }
}

impl From<VarId> for Asked<'_> {
    fn from(id: VarId) -> Self {
        Self::Id(id)
    }
}

impl<'v> From<&'v str> for Asked<'v> {
    fn from(name: &'v str) -> Self {
        Self::Name(name)
    }
}

/// A program whose variables are found by all that people may call them.
#[derive(Clone, Debug)]
pub(super) struct Names {
    program: Arc<Program>,
    ids: Option<Arc<Ids>>,
}

impl Names {
    pub(super) fn new(program: Arc<Program>, ids: Option<Ids>) -> Self {
        let ids = ids.map(Arc::new);
        Self { program, ids }
    }

    pub(super) fn program(&self) -> &Program {
        &self.program
    }

    /// The variable, if the program has it.
    pub(super) fn find(&self, asked: Asked<'_>) -> Option<VarId> {
        match asked {
            Asked::Var(var) => self.ids.as_ref()?.get(var),
            Asked::Id(id) => self.program.variables().ids().find(|known| *known == id),
            Asked::Name(name) => self.program.find(name),
        }
    }
}

/// Why a policy has no reply.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoReply {
    /// An observation is illegal, or comes when none is awaited.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// The model as it was solved has no such variable.
    #[error("{0} is no variable of the model that was solved")]
    Unknown(String),
    /// The owner of the strategy fixes the variable.
    #[error("`{0}` is no variable of the other player")]
    Own(String),
    /// An observation is missing.
    #[error("`{awaited}` is revealed before {told}; tell it too")]
    Early {
        /// What is to be told first.
        awaited: String,
        /// What was told instead.
        told: String,
    },
    /// What was observed is no number.
    #[error(transparent)]
    Number(#[from] NumberError),
}

/// A strategy as a function: tell what has been observed, get what to do.
///
/// ```
/// use quip::model::*;
/// use quip::num::int;
/// use quip::solver::Solver;
///
/// let mut model = Model::new();
/// let d1 = model.reveal().integer("d1", 0..=2);
/// let q1 = model.decide().integer("q1", 0..=9);
/// let d2 = model.reveal().integer("d2", 0..=2);
/// let q2 = model.decide().integer("q2", 0..=9);
/// model
///     .minimize(q1 + q2)
///     .subject_to(row!(q1 >= d1))
///     .subject_to(row!(q1 + q2 >= d1 + d2))
///     .uncertainty(row!("budget": d1 + d2 <= 3));
/// let policy = Solver::default().solve_model(&model)?.policy()?;
///
/// // All at once, or in the course of the play.
/// assert_eq!(policy.reply([(d1, 2), (d2, 1)])?.value(q2), Some(&int(1)));
/// let mut play = policy.reply([(d1, 2)])?;
/// assert_eq!(play.value(q1), Some(&int(2)));
/// let refused = play.observe(d2, 2).unwrap_err();
/// assert_eq!(refused.to_string(), "d2 = 2 is illegal: it breaks row `budget` of the opponent");
/// assert_eq!(play.observe(d2, 0)?.value(q2), Some(&int(0)));
/// assert!(play.is_over());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Policy {
    names: Names,
    strategy: Strategy,
}

impl Policy {
    /// The policy that follows a strategy which was made for this program.
    pub fn new(program: impl Into<Arc<Program>>, strategy: Strategy) -> Self {
        Self::of(Names::new(program.into(), None), strategy)
    }

    pub(super) fn of(names: Names, strategy: Strategy) -> Self {
        Self { names, strategy }
    }

    /// The strategy that it follows.
    pub fn strategy(&self) -> &Strategy {
        &self.strategy
    }

    /// The program that it plays.
    pub fn program(&self) -> &Program {
        self.names.program()
    }

    /// The play after these observations, which are given in any order, and without gaps as far as they go.
    /// Of two of one variable the later one counts.
    pub fn reply<'v, V: Into<Asked<'v>>, N: Into<Number>>(
        &self,
        observed: impl IntoIterator<Item = (V, N)>,
    ) -> Result<Reply<'_>, NoReply> {
        let mut told = BTreeMap::new();
        for (var, value) in observed {
            told.insert(self.theirs(var.into())?, value.into().into_value()?);
        }
        let mut reply = self.begin();
        while let Some(awaited) = reply.awaits()
            && !told.is_empty()
        {
            let Some(value) = told.remove(&awaited) else {
                let names: Vec<&str> = told.keys().map(|var| self.name(*var)).collect();
                return Err(NoReply::Early {
                    awaited: self.name(awaited).to_owned(),
                    told: names.join(", "),
                });
            };
            reply.play.observe(value)?;
            reply.play.reply();
        }
        // The play is decided; what is told nevertheless must be possible.
        for (var, value) in &told {
            if let Some(refusal) = Refusal::of_move(self.program(), (*var, value), |_| None) {
                return Err(refusal.into());
            }
        }
        Ok(reply)
    }

    /// A play before anything was observed.
    pub fn begin(&self) -> Reply<'_> {
        let mut play = self.strategy.play(self.program());
        play.reply();
        Reply { policy: self, play }
    }

    fn name(&self, var: VarId) -> &str {
        &self.program().variables()[var].name
    }

    /// A variable of the other player.
    fn theirs(&self, asked: Asked<'_>) -> Result<VarId, NoReply> {
        let Some(var) = self.names.find(asked) else {
            return Err(NoReply::Unknown(match asked {
                Asked::Name(name) => format!("`{name}`"),
                Asked::Var(_) | Asked::Id(_) => "this".to_owned(),
            }));
        };
        let is_own = self.program().variables()[var].quantifier == self.strategy.owner();
        match is_own {
            true => Err(NoReply::Own(self.name(var).to_owned())),
            false => Ok(var),
        }
    }
}

/// What a policy does after what was observed so far; more can be observed.
#[derive(Clone, Debug)]
pub struct Reply<'a> {
    policy: &'a Policy,
    play: Play<'a>,
}

impl<'a> Reply<'a> {
    /// The value of a variable in this play, if it is fixed already, or settled by a refutation that has ended.
    pub fn value<'v>(&self, var: impl Into<Asked<'v>>) -> Option<&Rational> {
        let var = self.policy.names.find(var.into())?;
        let settled = match self.play.turn() {
            Turn::Over(End::Settled(moves) | End::Open(moves)) => moves.as_slice(),
            _ => &[],
        };
        let mut moves = self.moves().iter().chain(settled);
        moves.find_map(|(fixed, value)| (*fixed == var).then_some(value))
    }

    /// Every move so far, of both players, in order.
    pub fn moves(&self) -> &[Move] {
        self.play.moves()
    }

    /// What is to be observed next; `None` where the play is over.
    pub fn awaits(&self) -> Option<VarId> {
        match self.play.turn() {
            Turn::Observe(var) => Some(var),
            Turn::Reply(_) | Turn::Over(_) => None,
        }
    }

    /// Whether nothing is left to play, or nothing that matters.
    pub fn is_over(&self) -> bool {
        self.play.is_over()
    }

    /// The play, with all that it knows.
    pub fn play(&self) -> &Play<'a> {
        &self.play
    }

    /// The other player fixes the variable that is awaited. What is refused changes nothing.
    pub fn observe<'v>(
        &mut self,
        var: impl Into<Asked<'v>>,
        value: impl Into<Number>,
    ) -> Result<&mut Self, NoReply> {
        let var = self.policy.theirs(var.into())?;
        match self.awaits() {
            Some(awaited) if awaited != var => Err(NoReply::Early {
                awaited: self.policy.name(awaited).to_owned(),
                told: self.policy.name(var).to_owned(),
            }),
            _ => {
                self.play.observe(value.into().into_value()?)?;
                self.play.reply();
                Ok(self)
            }
        }
    }
}
