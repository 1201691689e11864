//! The dearest play where nobody replies: an integer program over moves, with the decisions fixed.
//!
//! A play also wins by breaking an existential row. There is one program for each side of a row that moves can break, asked
//! for any point.

use super::{Board, Play, left_to};
use crate::budget::Budget;
use crate::equivalent::{Branching, Skeleton, SystemRow};
use crate::lp::{Column, LpProblem, LpRow};
use crate::outcome::Stop;
use crate::program::{Id, VarId};

/// The first play need not be the dearest after so many nodes.
const FEW_NODES: u64 = 200;

/// See the module.
pub(super) struct Direct {
    /// All variables, the rules of the universal player, and costs turned round.
    costs: Branching,
    /// The same with one existential row broken; what broke last comes first.
    breaks: Vec<Branching>,
}

impl Direct {
    pub(super) fn new(skeleton: &Skeleton) -> Self {
        let mut rules = rules(skeleton);
        let last = skeleton.rows.len() - 1;
        let is_answered = !skeleton.stages[last].is_empty();
        if is_answered {
            // Only the first play is asked for: large values are more often the bad ones.
            rules.columns.iter_mut().for_each(|column| column.cost = 0);
            for var in &skeleton.universals {
                rules.columns[var.index()].cost = -1;
            }
        }
        let sides = skeleton.rows[last].iter().flat_map(broken);
        let can_hold = |row: &LpRow| {
            let ends = row.terms.iter().map(|&(column, by)| {
                let box_of = &rules.columns[column];
                (by * box_of.lower).max(by * box_of.upper)
            });
            row.lower.is_none_or(|lower| ends.sum::<i64>() >= lower)
        };
        let program = |row: LpRow| {
            let mut problem = rules.clone();
            problem
                .columns
                .iter_mut()
                .for_each(|column| column.cost = 0);
            problem.rows.push(row);
            Branching::new(&problem)
        };
        let breaks = match is_answered {
            true => Vec::new(),
            false => sides.filter(can_hold).map(program).collect(),
        };
        Self {
            costs: Branching::new(&rules),
            breaks,
        }
    }

    pub(super) fn lps(&self) -> u64 {
        self.costs.lps() + self.breaks.iter().map(Branching::lps).sum::<u64>()
    }

    /// See [`Adversary::first_play`](super::Adversary::first_play).
    pub(super) fn first(
        &mut self,
        skeleton: &Skeleton,
        budget: &mut Budget,
    ) -> Result<Option<Play>, Stop> {
        let answer = self.costs.minimise_within(None, Some(FEW_NODES), budget);
        let point = match (answer.best, answer.stop) {
            (Some(point), _) => Some(point),
            (None, Some(Stop::Nodes)) => self.costs.any_point_below(None, budget)?,
            (None, Some(stop)) => return Err(stop),
            (None, None) => None,
        };
        Ok(point.map(|point| play(skeleton, &point.values)))
    }

    /// See [`Adversary::steady_play`](super::Adversary::steady_play).
    pub(super) fn steady(
        &self,
        skeleton: &Skeleton,
        budget: &mut Budget,
    ) -> Result<Option<Play>, Stop> {
        let mut problem = self.costs.problem().clone();
        let is_decided =
            |column: usize| !skeleton.universals.iter().any(|var| var.index() == column);
        let boxes: Vec<(i64, i64)> = { problem.columns.iter() }
            .map(|column| (column.lower, column.upper))
            .collect();
        for row in problem.rows.iter_mut().filter(|row| row.upper.is_some()) {
            let decided = row.terms.iter().filter(|(column, _)| is_decided(*column));
            let most =
                decided.map(|&(column, by)| (by * boxes[column].0).max(by * boxes[column].1));
            let most: i64 = most.sum();
            row.upper = row.upper.map(|upper| upper - most);
            row.terms.retain(|(column, _)| !is_decided(*column));
        }
        let mut program = Branching::new(&problem);
        let point = program.any_point_below(None, budget)?;
        Ok(point.map(|point| play(skeleton, &point.values)))
    }

    /// See [`Adversary::dearest`](super::Adversary::dearest).
    pub(super) fn dearest(
        &mut self,
        skeleton: &Skeleton,
        board: &Board,
        (reached, limit): (i64, i64),
        budget: &mut Budget,
    ) -> Result<Option<Play>, Stop> {
        for place in 0..self.breaks.len() {
            let program = &mut self.breaks[place];
            hold(program, skeleton, board);
            if let Some(point) = program.any_point_below(None, budget)? {
                self.breaks[..=place].rotate_right(1);
                return Ok(Some(play(skeleton, &point.values)));
            }
        }
        hold(&mut self.costs, skeleton, board);
        let point = self.costs.point_below(-reached, -limit, budget)?;
        Ok(point.map(|point| play(skeleton, &point.values)))
    }
}

/// Fixes the decisions on the board, and what gates leave.
fn hold(program: &mut Branching, skeleton: &Skeleton, board: &Board) {
    for &var in &skeleton.stages[0] {
        program.set_box(var.index(), board[var], board[var]);
    }
    for (number, var) in skeleton.universals.iter().enumerate() {
        let (lower, upper) = left_to(skeleton, number, board);
        program.set_box(var.index(), lower, upper);
    }
}

fn play(skeleton: &Skeleton, values: &[i64]) -> Play {
    let universals = skeleton.universals.iter();
    universals.map(|var| values[var.index()]).collect()
}

/// All variables, what the universal player must keep, and costs turned round.
fn rules(skeleton: &Skeleton) -> LpProblem {
    let columns = skeleton.boxes.iter().map(|&(lower, upper)| Column {
        cost: 0,
        lower,
        upper,
    });
    let mut columns: Vec<Column> = columns.collect();
    for &(var, cost) in &skeleton.costs {
        columns[var.index()].cost = -cost;
    }
    let own = skeleton.universal_rows.iter().map(|row| LpRow {
        terms: terms(&row.terms, 1),
        lower: row.lower,
        upper: row.upper,
    });
    let conditions = skeleton.conditions.all.iter().map(|condition| LpRow {
        terms: terms(&condition.terms, 1),
        lower: None,
        upper: Some(condition.bound),
    });
    LpProblem {
        columns,
        rows: own.chain(conditions).collect(),
    }
}

/// For each side of a row the row that says that it is broken.
fn broken(row: &SystemRow) -> Vec<LpRow> {
    let over = row.upper.map(|upper| (1, upper + 1));
    let under = row.lower.map(|lower| (-1, 1 - lower));
    let sides = over.into_iter().chain(under);
    sides
        .map(|(sign, least)| LpRow {
            terms: terms(&row.terms, sign),
            lower: Some(least),
            upper: None,
        })
        .collect()
}

fn terms(terms: &[(VarId, i64)], sign: i64) -> Vec<(usize, i64)> {
    let terms = terms.iter();
    terms.map(|&(var, by)| (var.index(), sign * by)).collect()
}
