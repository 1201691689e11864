//! The adversary as a program, where its plays are too many to list.
//!
//! In programs of two stages, "which legal play costs a candidate the most?" is an integer program, or can be made one:
//! without last replies at once ([`direct`]), with replies by the dual of their linear program ([`dual`]). What it
//! answers enters the list of plays that the [`Game`](super::game::Game) knows; everything else goes on as with a whole list.
//!
//! **Invariant:** that no play costs more is proved by exact branch and bound; a play that is handed back is legal, and
//! what it costs is found out by the game.

mod direct;
mod dual;
mod network;
mod products;
#[cfg(test)]
mod tests;
mod whole;

pub(super) use whole::on_a_network;

use crate::budget::Budget;
use crate::equivalent::{Place, Skeleton};
use crate::outcome::Stop;
use crate::program::{IdVec, VarId};

use direct::Direct;
use dual::Dual;

/// Values of all universal variables.
type Play = Vec<i64>;

/// What is on the board.
type Board = IdVec<VarId, i64>;

/// See the module.
pub struct Adversary {
    direct: Direct,
    dual: Option<Dual>,
}

impl Adversary {
    /// The adversary of a program of two stages; `None` if the program is of another kind.
    pub fn of(skeleton: &Skeleton) -> Option<Self> {
        let last = skeleton.stages.len() - 1;
        let replies = &skeleton.stages[last];
        let is_early = |var: VarId| {
            matches!(
                skeleton.places[var],
                Place::Existential(0, _) | Place::Universal(_)
            )
        };
        let mut ruled = skeleton.conditions.all.iter().flat_map(|it| &it.terms);
        let in_between = skeleton.stages[1..].iter().rev().skip(1);
        let is_ours = last > 0
            && in_between.clone().all(Vec::is_empty)
            && ruled.all(|&(var, _)| is_early(var));
        if !is_ours {
            return None;
        }
        let dual = match replies.is_empty() {
            true => None,
            false => Some(Dual::of(skeleton)?),
        };
        Some(Self {
            direct: Direct::new(skeleton),
            dual,
        })
    }

    /// A play that is legal after some decisions, to begin with; the dearest if nobody replies.
    pub fn first_play(
        &mut self,
        skeleton: &Skeleton,
        budget: &mut Budget,
    ) -> Result<Option<Play>, Stop> {
        self.direct.first(skeleton, budget)
    }

    /// A play that is legal whatever is decided, if there is one: where it is known, nobody hopes to leave the universal
    /// player without a move.
    pub fn steady_play(
        &self,
        skeleton: &Skeleton,
        budget: &mut Budget,
    ) -> Result<Option<Play>, Stop> {
        match skeleton.conditions.is_empty() {
            true => Ok(None),
            false => self.direct.steady(skeleton, budget),
        }
    }

    /// Whether somebody replies to the plays.
    pub fn is_answered(&self) -> bool {
        self.dual.is_some()
    }

    /// The legal play that costs the board the most, if that is more than `reached`; or any that costs the limit or more.
    pub fn dearest(
        &mut self,
        skeleton: &Skeleton,
        board: &Board,
        (reached, limit): (i64, i64),
        budget: &mut Budget,
    ) -> Result<Option<Play>, Stop> {
        match &self.dual {
            None => self
                .direct
                .dearest(skeleton, board, (reached, limit), budget),
            Some(dual) => dual.dearest(skeleton, board, (reached, limit), budget),
        }
    }

    /// Linear programs solved by branch and bound over moves.
    pub fn lps(&self) -> u64 {
        self.direct.lps() + self.dual.as_ref().map_or(0, Dual::lps)
    }
}

/// The values that the decisions on the board leave a universal variable.
fn left_to(skeleton: &Skeleton, number: usize, board: &Board) -> (i64, i64) {
    let is_open = |gate: &crate::equivalent::Gate| {
        let mut keepers = gate.keepers.iter();
        keepers.all(|&keeper| board[keeper] == gate.open_at)
    };
    match &skeleton.gates[number] {
        Some(gate) if !is_open(gate) => (gate.harmless, gate.harmless),
        _ => skeleton.boxes[skeleton.universals[number]],
    }
}
