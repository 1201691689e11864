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
//! (`table`). With `x1 … xk` decided, and all replies to them kept side by side, the same table
//! bounds what follows: that makes a search over the first stage (`descent`) whose leaves are
//! exact. Where the sums are too large for a table, those of one player are paid for instead (`prices`), and the
//! states that prices do not decide are looked into one by one (`sparse`). The groups' order is free. For knapsack interdiction this is the bound of Weninger and
//! Fukasawa (2024); nothing here knows of knapsacks. A third, existential block is taken where each group has a
//! best reply in it, whatever the others do.
//!
//! **Invariant:** an answer is proved in whole numbers. A first stage without a legal reply ends the
//! attempt, since whose system dies first would have to be found out.

mod board;
mod descent;
mod front;
mod maker;
mod prices;
mod sparse;
mod table;
#[cfg(test)]
mod tests;

use crate::budget::Budget;
use crate::num::{Rational, int};
use crate::outcome::{Move, Outcome, Score, Status, Stop};
use crate::program::{Program, Quantifier, VarId, cost_of_objective};

use board::{Board, SUMS};
use descent::{Bounds, Descent, End, Found, worst_reply};
use sparse::Sparse;
use table::{LOST, Table, WON};

/// How much an attempt may take.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// One after the other.
    pub rounds: Vec<Round>,
}

/// One round of an attempt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Round {
    /// Cells of a table.
    pub cells: usize,
    /// Members of fronts made with it.
    pub work: u64,
    /// How many states of the game may be looked into where the table has only the sums of one player and prices
    /// for the others; zero for a table of all sums.
    pub states: u64,
}

impl Default for Settings {
    fn default() -> Self {
        let round = |cells, work, states| Round {
            cells,
            work,
            states,
        };
        Self {
            rounds: vec![
                round(1 << 18, 1 << 20, 0),
                round(1 << 24, 1 << 26, 1 << 22),
                round(1 << 22, 1 << 23, 0),
                round(1 << 24, 1 << 28, 1 << 24),
                round(1 << 26, 1 << 27, 0),
            ],
        }
    }
}

/// The most members of a front where the bound is made of prices.
const MEMBERS: usize = 64;

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
    let mut known = Known {
        best: None,
        bound: i64::from(WON),
    };
    let mut stop = Some(Stop::Nodes);
    for round in &settings.rounds {
        let end = match round.states {
            0 => known.by_table(&board, round, budget),
            _ => known.by_prices(&board, round, budget),
        };
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
    let Known { best, bound } = known;
    let reply = best.as_ref().and_then(|best| worst_reply(&board, &best.1));
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

/// What rounds have found.
struct Known {
    best: Option<Found>,
    /// The value is at least this.
    bound: i64,
}

impl Known {
    /// A round with a table of all sums.
    fn by_table(&mut self, board: &Board, round: &Round, budget: &mut Budget) -> End {
        let mut table = match Table::new(board, Quantifier::Exists, round.cells, budget) {
            Ok(table) => Whole { board, table },
            Err(reason) => return End::Stopped(reason),
        };
        self.bound = self.bound.max(table.bound(0, &board.start()));
        self.descend(
            board,
            &mut table,
            round.work,
            i64::from(LOST),
            usize::MAX,
            budget,
        )
        .0
    }

    /// A round with prices: first the value of the interleaved game, then first stages that cost no more, or little more.
    fn by_prices(&mut self, board: &Board, round: &Round, budget: &mut Budget) -> End {
        let mut sparse = match Sparse::new(board, round.cells, round.states, budget) {
            Ok(sparse) if sparse.has_prices() => sparse,
            Ok(_) => return End::Work,
            Err(reason) => return End::Stopped(reason),
        };
        let (value, end) = sparse.value(budget);
        self.bound = self.bound.max(value);
        if let Err(end) = end {
            return end;
        }
        let (mut step, mut work) = (1, round.work);
        loop {
            if self.best.as_ref().is_some_and(|best| best.0 <= self.bound) {
                return End::Proved;
            }
            let target = self.bound.saturating_add(step).min(i64::from(LOST));
            let (end, left) = self.descend(board, &mut sparse, work, target, MEMBERS, budget);
            let is_last = target == i64::from(LOST);
            let is_found = self.best.as_ref().is_some_and(|best| best.0 < target);
            if !matches!(end, End::Proved) || is_last || is_found {
                return end;
            }
            (self.bound, step, work) = (target, step.saturating_mul(2), left);
        }
    }

    /// One descent, and what is left of its work.
    fn descend<B: Bounds>(
        &mut self,
        board: &Board,
        bounds: &mut B,
        work: u64,
        target: i64,
        members: usize,
        budget: &mut Budget,
    ) -> (End, u64) {
        let mut descent = Descent {
            board,
            bounds,
            budget,
            work,
            members,
            target,
            moves: Vec::new(),
            best: self.best.take(),
        };
        let end = descent.run();
        let work = descent.work;
        self.best = descent.best.take();
        (end, work)
    }
}

/// A table of all sums as bounds.
struct Whole<'a> {
    board: &'a Board,
    table: Table,
}

impl Bounds for Whole<'_> {
    const ASKED: usize = 0;

    fn bound(&self, level: usize, left: &[i64; SUMS]) -> i64 {
        i64::from(self.table.bound(self.board, level, left))
    }

    fn reaches(
        &mut self,
        level: usize,
        left: &[i64; SUMS],
        target: i64,
        _: &mut Budget,
    ) -> Result<bool, End> {
        Ok(self.bound(level, left) >= target)
    }
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
