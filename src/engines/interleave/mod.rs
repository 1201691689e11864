//! Programs of two blocks, `exists x… forall y…`, group by group.
//!
//! Let `f(x, y)` be the cost of a play, less than anything if `y` is not legal after `x`, more than
//! anything if it is legal and breaks an existential row. Where every first stage leaves a legal `y`,
//! the value is `min over x of max over y of f`: a legal `y` can be played to the end, and one that
//! breaks an existential row wins for the universal player whenever that happens. Now let the variables be
//! partitioned into groups, with `x1` and `y1` in the first one and so on. Then
//!
//! `min x1 max y1 min x2 max y2 … f  <=  min x1 min x2 … max y1 max y2 … f`,
//!
//! since a `min` that moves outward past a `max` never makes less of it. The left side, the
//! *interleaved* game, is a dynamic program over what is left of the few rows that connect groups
//! ([`table`]). With `x1 … xk` decided, and all replies to them kept side by side, the same table
//! bounds what follows: that makes a search over the first stage ([`descent`]) whose leaves are
//! exact. The groups' order is free. For knapsack interdiction this is the bound of Weninger and
//! Fukasawa (2024); nothing here knows of knapsacks.
//!
//! **Invariant:** an answer is proved in whole numbers. A first stage without a legal reply ends the
//! attempt, since whose system dies first would have to be found out.

mod board;
mod descent;
mod table;
#[cfg(test)]
mod tests;

use crate::budget::Budget;
use crate::num::{Rational, int};
use crate::outcome::{Move, Outcome, Score, Status, Stop};
use crate::program::{Program, VarId, cost_of_objective};

use board::Board;
use descent::{Descent, End, Found};
use table::{LOST, Table, WON};

/// How much an attempt may take.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Cells of the tables of one round after the other, and the members of fronts made with them.
    pub rounds: Vec<(usize, u64)>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            rounds: vec![(1 << 18, 1 << 20), (1 << 22, 1 << 23), (1 << 26, 1 << 27)],
        }
    }
}

/// Solves a program of this kind, or finds a bound and a first stage within what the attempt may
/// take; nothing if the program is of another kind.
///
/// ```
/// use quip::budget::Budget;
/// use quip::format::parse_qip;
/// use quip::interleave::{Settings, attempt};
///
/// let program = parse_qip(
///     "minimize 3 y1 + 2 y2
///      subject to x1 + x2 <= 1
///      uncertainty y1 + x1 <= 1
///      y2 + x2 <= 1
///      prefix exists binary x1 x2  forall binary y1 y2
///      end",
/// )?;
/// let outcome = attempt(&program, &Settings::default(), &mut Budget::unlimited());
/// assert_eq!(outcome.and_then(|it| it.objective).map(|it| it.to_string()), Some("2".to_owned()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn attempt(program: &Program, settings: &Settings, budget: &mut Budget) -> Option<Outcome> {
    let board = Board::of(program).filter(|board| !board.is_dead())?;
    let mut best: Option<Found> = None;
    let mut reply = None;
    let mut bound = i64::from(WON);
    let mut stop = Some(Stop::Nodes);
    for &(cells, work) in &settings.rounds {
        let table = match Table::new(&board, cells, budget) {
            Ok(table) => table,
            Err(reason) => {
                stop = Some(reason);
                break;
            }
        };
        bound = bound.max(i64::from(table.bound(&board, 0, &board.start())));
        let mut descent = Descent::new(&board, &table, work, best.take(), budget);
        let end = descent.run();
        best = descent.best.take();
        reply = best.as_ref().and_then(|best| descent.reply(&best.1));
        match end {
            End::Stuck => return None,
            End::Proved => {
                stop = None;
                break;
            }
            End::Work => {}
            End::Stopped(reason) => {
                stop = Some(reason);
                break;
            }
        }
    }
    let mut outcome = match (&best, stop) {
        (None, None) => Outcome::proved(program, &Score::Lost),
        (_, stop) => Outcome::interrupted(stop),
    };
    if let Some((cost, moves)) = best {
        tell(program, &board, &moves, reply, &mut outcome);
        outcome.objective = Some(objective(program, &board, cost));
        if stop.is_none() {
            outcome.status = Status::Optimal;
            outcome.bound = outcome.objective.clone();
        }
    }
    if stop.is_some() && bound > i64::from(WON) && bound < i64::from(LOST) {
        outcome.bound = Some(objective(program, &board, bound));
    }
    outcome.effort.nodes = budget.nodes();
    Some(outcome)
}

/// What a cost is in the user's objective.
fn objective(program: &Program, board: &Board, cost: i64) -> Rational {
    let constant = program.objective().map(|objective| &objective.constant);
    let cost = Rational::new(cost.into(), board.scale.clone());
    cost_of_objective(program, cost) + constant.cloned().unwrap_or_default()
}

/// Writes down a first stage and the reply to it.
fn tell(
    program: &Program,
    board: &Board,
    moves: &[usize],
    reply: Option<Vec<usize>>,
    outcome: &mut Outcome,
) {
    let in_order = |values: Vec<(VarId, i64)>| {
        let mut values: Vec<Move> = { values.into_iter() }
            .map(|(var, value)| (var, int(value)))
            .collect();
        values.sort_by_key(|(var, _)| *var);
        values
    };
    let made = || {
        board
            .groups
            .iter()
            .zip(moves)
            .map(|(group, &number)| &group.moves[number])
    };
    outcome.first_stage = in_order(made().flat_map(|made| made.values.clone()).collect());
    if let Some(replies) = reply {
        let replies = made()
            .zip(replies)
            .map(|(made, number)| &made.replies[number]);
        let replies = in_order(replies.flat_map(|reply| reply.values.clone()).collect());
        outcome.principal_variation = outcome.first_stage.iter().cloned().chain(replies).collect();
        debug_assert_eq!(outcome.principal_variation.len(), program.variables().len());
    }
}
