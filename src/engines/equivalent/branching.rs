//! Branch and bound in exact arithmetic for integer programs with integer data.
//!
//! Linear programs suggest where to branch and which multipliers to try; a node is closed only by
//! a proof: a safe dual bound, a Farkas combination, bound propagation in integers, or a point that
//! was put into every row. So the answer is the optimum whatever the floats said.
//!
//! The program may grow between two questions (columns and rows are only added) and its boxes may
//! be changed; the linear program stays warm.
//!
//! **Invariant:** between two questions `lower` and `upper` are the boxes that were set, and the
//! trail and the stack are empty.

mod groups;
mod node;
mod tighten;

use groups::{Groups, Layout};

use num_integer::Integer;

use crate::budget::Budget;
use crate::lp::{DualProof, ExactRows, LpProblem, LpRow, LpSolver, RowSides};
use crate::mip::pseudocosts::{Gains, Half};
use crate::outcome::Stop;

/// An integer point and what it costs, both checked exactly.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Point {
    /// One value for every column.
    pub values: Vec<i64>,
    /// Its cost.
    pub cost: i64,
}

/// What a question came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The cheapest point that is cheaper than the limit, as far as it is known.
    pub best: Option<Point>,
    /// No point that is cheaper than the limit costs less than this; `None` if nothing is known.
    /// When the question was answered, that is the best point's cost or the limit.
    pub bound: Option<i64>,
    /// Why the question was not answered to its end.
    pub stop: Option<Stop>,
}

/// The other half of a branching, to be looked at later.
#[derive(Clone, Debug)]
struct Alternative {
    trail: usize,
    column: usize,
    lower: i64,
    upper: i64,
    bound: Option<i64>,
    half: Option<Half>,
}

/// An integer program that is asked again and again. See the module.
///
/// ```
/// use quip::budget::Budget;
/// use quip::equivalent::Branching;
/// use quip::lp::{Column, LpProblem, LpRow};
/// let column = Column { cost: -1, lower: 0, upper: 5 };
/// let row = LpRow { terms: vec![(0, 2), (1, 2)], lower: None, upper: Some(13) };
/// let problem = LpProblem { columns: vec![column; 2], rows: vec![row] };
/// let answer = Branching::new(&problem).minimise(None, &mut Budget::unlimited());
/// assert_eq!(answer.best.unwrap().cost, -6);
/// assert_eq!(answer.stop, None);
/// ```
#[derive(Debug)]
pub struct Branching {
    problem: LpProblem,
    solver: LpSolver,
    exact: ExactRows,
    sides: Vec<RowSides>,
    lower: Vec<i64>,
    upper: Vec<i64>,
    /// What rows of one column leave of its box; they are boxes and no rows.
    narrowest: Vec<(i64, i64)>,
    /// How many rows came in, with those.
    rows_seen: usize,
    /// The rows of every column, for propagation.
    rows_of: Vec<Vec<u32>>,
    /// The columns that cost something, and how much.
    costs: Vec<(usize, i64)>,
    groups: Groups,
    /// The layout of every row that holds parts of groups, and of the costs.
    layouts: Vec<Option<Layout>>,
    cost_layout: Option<Layout>,
    /// Columns of a smaller rank are branched on first.
    rank: Vec<u32>,
    /// See [`Branching::branching_order`].
    order: Vec<usize>,
    trail: Vec<(usize, i64, i64)>,
    stack: Vec<Alternative>,
    /// Columns whose box the linear program has not been told yet.
    untold: Vec<usize>,
    is_untold: Vec<bool>,
    queue: Vec<u32>,
    is_queued: Vec<bool>,
    proof: DualProof,
    /// Only points that cost less matter.
    limit: Option<i64>,
    best: Option<Point>,
    /// What is known about the node at hand from its parent.
    inherited: Option<i64>,
    nodes_left: Option<u64>,
    /// A point that costs no more ends the question.
    enough: Option<i64>,
    gains: Gains,
    by_gains: bool,
    /// The half of a split that is looked at, until its linear program is solved.
    half: Option<Half>,
}

impl Branching {
    /// Takes a program; every column is integer.
    pub fn new(problem: &LpProblem) -> Self {
        let mut branching = Self {
            problem: LpProblem::default(),
            solver: LpSolver::new(&LpProblem::default()),
            exact: ExactRows::new(&LpProblem::default()),
            sides: Vec::new(),
            lower: Vec::new(),
            upper: Vec::new(),
            narrowest: Vec::new(),
            rows_seen: 0,
            rows_of: Vec::new(),
            costs: Vec::new(),
            groups: Groups::default(),
            layouts: Vec::new(),
            cost_layout: None,
            rank: Vec::new(),
            order: Vec::new(),
            trail: Vec::new(),
            stack: Vec::new(),
            untold: Vec::new(),
            is_untold: Vec::new(),
            queue: Vec::new(),
            is_queued: Vec::new(),
            proof: DualProof::default(),
            limit: None,
            best: None,
            inherited: None,
            nodes_left: None,
            enough: None,
            gains: Gains::default(),
            by_gains: false,
            half: None,
        };
        branching.take_in(problem);
        branching
    }

    /// Takes what `problem` has more than before: new columns, and new rows over all of them.
    ///
    /// The columns and rows that were there must be the same.
    pub fn grow(&mut self, problem: &LpProblem) {
        self.take_in(problem);
    }

    fn take_in(&mut self, problem: &LpProblem) {
        let (old_columns, old_rows) = (self.problem.columns.len(), self.problem.rows.len());
        let was_wide = self.exact.is_wide();
        for column in &problem.columns[old_columns..] {
            if column.cost != 0 {
                self.costs.push((self.problem.columns.len(), column.cost));
            }
            self.problem.columns.push(*column);
            self.exact.push_column(column.cost);
            self.lower.push(column.lower);
            self.upper.push(column.upper);
            self.narrowest.push((i64::MIN, i64::MAX));
            self.rows_of.push(Vec::new());
            self.rank.push(0);
            self.is_untold.push(false);
        }
        for row in &problem.rows[self.rows_seen..] {
            if let Some((column, lower, upper)) = box_of(row) {
                let narrowest = &mut self.narrowest[column];
                *narrowest = (narrowest.0.max(lower), narrowest.1.min(upper));
                self.set_box(column, self.lower[column], self.upper[column]);
                continue;
            }
            let number = self.problem.rows.len() as u32;
            for &(column, _) in &row.terms {
                self.rows_of[column].push(number);
            }
            self.exact.push(row);
            self.sides.push(row.sides());
            self.is_queued.push(false);
            self.problem.rows.push(row.clone());
        }
        self.rows_seen = problem.rows.len();
        if self.exact.is_wide() && !was_wide {
            self.solver.scale();
        }
        self.solver
            .add_columns(&self.problem.columns[old_columns..]);
        self.solver.add_rows(&self.problem.rows[old_rows..]);
        for row in old_rows..self.problem.rows.len() {
            self.groups
                .take_in(&self.problem.columns, row, &self.problem.rows[row]);
        }
        for row in &self.problem.rows[old_rows..] {
            let layout = self.groups.layout(&row.terms, Some(self.layouts.len()));
            self.layouts.push(layout);
        }
        self.cost_layout = self.groups.layout(&self.costs, None);
        self.gains.grow(self.problem.columns.len());
    }

    /// Says in which order columns are branched on: small ranks first.
    pub fn set_rank(&mut self, column: usize, rank: u32) {
        self.rank[column] = rank;
        self.order.clear();
    }

    /// Whether nodes are split where splits have raised the bound, or at the most fractional column.
    pub fn split_by_gains(&mut self, on: bool) {
        self.by_gains = on;
    }

    /// Takes over what splits have brought in another program with the same first columns, each as
    /// if it had been seen for one unit only.
    pub fn expect_gains_of(&mut self, other: &Self) {
        self.gains.expect(&other.gains);
    }

    /// Replaces the box of a column, for all questions to come.
    pub fn set_box(&mut self, column: usize, lower: i64, upper: i64) {
        let (least, most) = self.narrowest[column];
        let (lower, upper) = (lower.max(least), upper.min(most));
        if (self.lower[column], self.upper[column]) != (lower, upper) {
            (self.lower[column], self.upper[column]) = (lower, upper);
            (
                self.problem.columns[column].lower,
                self.problem.columns[column].upper,
            ) = (lower, upper);
            self.tell_later(column);
        }
    }

    /// The program as it stands.
    pub fn problem(&self) -> &LpProblem {
        &self.problem
    }

    /// Linear programs solved so far.
    pub fn lps(&self) -> u64 {
        self.solver.counters().solves
    }

    /// Finds the cheapest point among those that cost less than `limit`, and proves it.
    pub fn minimise(&mut self, limit: Option<i64>, budget: &mut Budget) -> Answer {
        self.minimise_within(limit, None, budget)
    }

    /// The cheapest point among those that cost less than `limit`, or any that costs no more than
    /// `enough`. `None`: there is none below the limit.
    pub fn point_below(
        &mut self,
        limit: i64,
        enough: i64,
        budget: &mut Budget,
    ) -> Result<Option<Point>, Stop> {
        self.enough = Some(enough);
        let answer = self.minimise(Some(limit), budget);
        self.enough = None;
        match answer.stop {
            Some(stop) => Err(stop),
            None => Ok(answer.best),
        }
    }

    /// Any point that costs less than `limit`, or any at all without a limit. `None`: there is none.
    pub fn any_point_below(
        &mut self,
        limit: Option<i64>,
        budget: &mut Budget,
    ) -> Result<Option<Point>, Stop> {
        self.enough = Some(limit.map_or(i64::MAX, |limit| limit - 1));
        let answer = self.minimise(limit, budget);
        self.enough = None;
        match answer.stop {
            Some(stop) => Err(stop),
            None => Ok(answer.best),
        }
    }

    /// Like [`Branching::minimise`], but gives up with [`Stop::Nodes`] after that many nodes.
    pub fn minimise_within(
        &mut self,
        limit: Option<i64>,
        nodes: Option<u64>,
        budget: &mut Budget,
    ) -> Answer {
        self.limit = limit;
        self.best = None;
        self.inherited = None;
        self.half = None;
        self.nodes_left = nodes;
        self.queue_everything();
        let stop = self.exhaust(budget).err();
        let bound = match stop {
            None => self.limit,
            Some(_) => self.open_bound(),
        };
        self.undo_to(0);
        self.stack.clear();
        Answer {
            best: self.best.take(),
            bound,
            stop,
        }
    }

    /// Follows a hint: one column after the other, in the order of branching, takes the hint's value
    /// or the nearest that is left, and what follows from it is drawn at once. Without any linear
    /// program this repairs a point that was good for slightly different boxes.
    pub fn follow(&mut self, hint: &[i64], limit: Option<i64>) -> Option<Point> {
        self.limit = limit;
        self.best = None;
        self.queue_everything();
        if self.tighten().is_ok() {
            self.follow_columns(hint);
        }
        self.undo_to(0);
        self.best.take()
    }

    /// The boxes that are left when these columns have these values: every column that changed.
    /// `None` if no value is left for some column. Without any linear program.
    pub fn consequences(&mut self, moves: &[(usize, i64)]) -> Option<Vec<(usize, i64, i64)>> {
        self.limit = None;
        self.forget_queue();
        for &(column, value) in moves {
            let (lower, upper) = (self.lower[column], self.upper[column]);
            if value < lower || upper < value {
                self.undo_to(0);
                return None;
            }
            if lower < upper {
                self.narrow(column, value, value);
            }
        }
        let alive = self.tighten().is_ok();
        let mut changed: Vec<usize> = self.trail.iter().map(|&(column, ..)| column).collect();
        changed.sort_unstable();
        changed.dedup();
        let boxes = changed.into_iter();
        let boxes = boxes.map(|column| (column, self.lower[column], self.upper[column]));
        let boxes = boxes.collect();
        self.undo_to(0);
        alive.then_some(boxes)
    }

    fn follow_columns(&mut self, hint: &[i64]) {
        for place in 0..self.branching_order().len() {
            let column = self.order[place];
            let (lower, upper) = (self.lower[column], self.upper[column]);
            if lower < upper {
                let value = hint[column].clamp(lower, upper);
                self.narrow(column, value, value);
                if self.tighten().is_err() {
                    return;
                }
            }
        }
        if self.lower == self.upper {
            self.offer(self.lower.clone());
        }
    }

    /// All columns by rank, made anew after a change.
    fn branching_order(&mut self) -> &[usize] {
        if self.order.len() != self.rank.len() {
            self.order = (0..self.rank.len()).collect();
            let rank = &self.rank;
            self.order.sort_by_key(|&column| (rank[column], column));
        }
        &self.order
    }

    /// The cheapest that an open node may still be, or the best point.
    fn open_bound(&self) -> Option<i64> {
        let open = self.stack.iter().map(|alternative| alternative.bound);
        let least = open.chain([self.inherited]).min().flatten();
        match (least, self.limit) {
            (Some(least), Some(limit)) => Some(least.min(limit)),
            (least, _) => least,
        }
    }
}

/// A row of one column: the column, and the integers that it leaves.
fn box_of(row: &LpRow) -> Option<(usize, i64, i64)> {
    let &[(column, by)] = row.terms.as_slice() else {
        return None;
    };
    if by == 0 {
        return None;
    }
    let (at_least, at_most) = if by > 0 {
        (row.lower, row.upper)
    } else {
        (row.upper, row.lower)
    };
    let lower = at_least.map_or(i64::MIN, |side| Integer::div_ceil(&side, &by));
    let upper = at_most.map_or(i64::MAX, |side| Integer::div_floor(&side, &by));
    Some((column, lower, upper))
}

#[cfg(test)]
mod tests;
