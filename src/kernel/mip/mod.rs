//! An exact kernel for mixed-integer linear programs.
//!
//! Linear programs in floats suggest; everything that closes a node is proved in exact arithmetic:
//! a safe dual bound, a Farkas combination, propagation, or the vertex of a basis computed again in
//! rationals (`leaf`). Integers are branched on by pseudocosts, best bound first with plunges;
//! cuts by rounding (`cuts`) are derived in integers from whatever multipliers floats suggest, and HiGHS's own branch and cut proposes points (`claim`).
//!
//! **Invariant:** a point that is answered satisfies every row and costs what is said; a bound that
//! is answered is proved; floats change only how long that takes.

mod boxes;
mod claim;
mod cuts;
mod dive;
mod ends;
mod grid;
mod leaf;
mod log;
mod node;
mod paths;
pub mod pseudocosts;
mod slow;

pub use log::{ProofRow, ProofSide, ProofStep, ProofSum, Rounding, refute};
pub use slow::{Unanswered, cheapest};

use std::rc::Rc;
use std::time::Duration;

use num_bigint::BigInt;
use num_traits::ToPrimitive;

use crate::budget::Budget;
use crate::lp::simplex::LinearProgram;
use crate::lp::{DualProof, ExactRows, LpProblem, LpSolver, RowSides};
use crate::num::{Rational, approximate, int};
use crate::outcome::Stop;
use crate::program::{IdVec, VarId};
use grid::Grid;
use log::Log;
use node::{Node, Open};
use pseudocosts::{Gains, Half};

/// A linear program some of whose columns must be integers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MixedProgram {
    /// The program.
    pub linear: LinearProgram,
    /// Whether a column must be an integer.
    pub integer: IdVec<VarId, bool>,
}

/// A point that satisfies everything, and what it costs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Point {
    /// The value of every column.
    pub values: IdVec<VarId, Rational>,
    /// Its cost.
    pub cost: Rational,
}

/// What is asked of a program.
#[derive(Clone, Debug, Default)]
pub struct Question {
    /// Points that cost more than this do not matter,
    pub most: Option<Rational>,
    /// and neither do those that cost as much.
    pub strict: bool,
    /// A point that costs no more than this ends the search.
    pub enough: Option<Rational>,
    /// Give up with [`Stop::Nodes`] after this many nodes.
    pub nodes: Option<u64>,
}

/// Why a search ended.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// Everything was looked at: the best point is the optimum, or there is none that matters.
    Proved,
    /// A point that is good enough was found.
    Enough,
    /// The objective falls below every number.
    Unbounded,
    /// A limit was reached.
    Stopped(Stop),
}

/// What a question came to.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The cheapest point that was found.
    pub best: Option<Point>,
    /// No point costs less; `None` if nothing is known.
    pub bound: Option<Rational>,
    /// Why it ended.
    pub end: End,
}

/// What a search tells while it runs.
pub struct Event<'a> {
    /// The best point, if it is new.
    pub best: Option<&'a Point>,
    /// No point costs less.
    pub bound: Option<&'a Rational>,
    /// Linear programs solved so far.
    pub lps: u64,
}

/// Listens to a search.
pub type Listener<'a> = dyn FnMut(&Event<'_>, &mut Budget) + 'a;

/// Finds the cheapest point of a program and proves it.
///
/// ```
/// use quip::budget::Budget;
/// use quip::lp::simplex::LinearProgram;
/// use quip::mip::{End, MixedProgram, Question, minimise};
/// use quip::num::{int, ratio};
/// use quip::program::{Bounds, Id, IdVec, Row, VarId};
///
/// // minimize 3 y + z  subject to  y + z >= 5/2,  y in {0, 1, 2, 3},  z in [0, 1]
/// let (y, z) = (VarId::new(0), VarId::new(1));
/// let program = MixedProgram {
///     linear: LinearProgram {
///         objective: vec![(y, int(3)), (z, int(1))],
///         bounds: IdVec::from_vec(vec![
///             Bounds::between(int(0), int(3)),
///             Bounds::between(int(0), int(1)),
///         ]),
///         rows: IdVec::from_vec(vec![Row::at_least(vec![(y, int(1)), (z, int(1))], ratio(5, 2))]),
///     },
///     integer: IdVec::from_vec(vec![true, false]),
/// };
/// let question = Question::default();
/// let answer = minimise(&program, &question, &mut Budget::unlimited(), &mut |_, _| {});
/// assert_eq!(answer.end, End::Proved);
/// assert_eq!(answer.best.unwrap().cost, ratio(13, 2));
/// ```
pub fn minimise(
    program: &MixedProgram,
    question: &Question,
    budget: &mut Budget,
    listener: &mut Listener<'_>,
) -> Answer {
    match Mip::new(program) {
        Some(mip) => mip.minimise(question, budget, listener),
        // A column without an end: exact linear programs at every node.
        None => slow::minimise(program, question, budget),
    }
}

/// Multipliers of proofs are multiples of one over this, or over a power of two times this: it has
/// many divisors, so that multipliers that are simple fractions are exact, and with them the bound.
const UNIT: i64 = 45_045 << 14;

/// A bound of a node in units of [`Mip::unit`] of the image's cost; the least one is no bound at all.
type Bound = i128;

/// A program that is searched. See the module.
pub struct Mip {
    grid: Grid,
    integer: Vec<bool>,
    /// Whether the cost of every point is an integer in the image's units.
    whole_costs: bool,
    /// Bounds are multiples of one over this.
    unit: i64,
    /// The image with the cuts.
    problem: LpProblem,
    exact: LinearProgram,
    solver: LpSolver,
    rows: ExactRows,
    sides: Vec<RowSides>,
    proof: DualProof,
    rows_of: Vec<Vec<u32>>,
    costs: Vec<(usize, i64)>,
    /// The boxes of the root and of the node at hand, and those that the linear program knows.
    root: (Vec<i64>, Vec<i64>),
    lower: Vec<i64>,
    upper: Vec<i64>,
    told: (Vec<i64>, Vec<i64>),
    queue: Vec<u32>,
    is_queued: Vec<bool>,
    open: Open,
    gains: Gains,
    best: Option<Point>,
    limit: Option<Limit>,
    nodes: u64,
    strong_lps: u64,
    /// Simplex iterations of the root's first linear program.
    first_iterations: u64,
    /// When the question was asked, and when HiGHS is asked next.
    begun_at: Option<Duration>,
    next_claim: u64,
    /// Where what is proved is written down.
    log: Option<Box<Log>>,
}

/// What a point must cost to matter.
#[derive(Clone, Debug)]
struct Limit {
    /// Points that cost more do not matter,
    value: Rational,
    /// and neither do those that cost as much.
    strict: bool,
    /// A node with this bound holds none that matters; `None` if that does not fit.
    closed_at: Option<Bound>,
    /// The most that the image's costs may add up to.
    most: Option<i128>,
    /// The same in floats, in the image's units.
    float: f64,
}

impl Mip {
    /// `None` if a column has no end that its rows show, or numbers beyond machine integers.
    pub fn new(program: &MixedProgram) -> Option<Self> {
        let grid = Grid::new(program)?;
        let problem = grid.problem.clone();
        let columns = problem.columns.len();
        let integer = program.integer.as_slice().to_vec();
        let costs = problem.columns.iter().enumerate();
        let costs = costs.filter(|(_, column)| column.cost != 0);
        let costs: Vec<(usize, i64)> = costs.map(|(at, column)| (at, column.cost)).collect();
        let is_exact = grid.slack == Rational::default();
        let whole_costs = is_exact && costs.iter().all(|&(at, _)| integer[at]);
        let lower: Vec<i64> = problem.columns.iter().map(|column| column.lower).collect();
        let upper: Vec<i64> = problem.columns.iter().map(|column| column.upper).collect();
        let mut gains = Gains::default();
        gains.grow(columns);
        let dearest = costs.iter().map(|&(_, cost)| cost.unsigned_abs()).max();
        let spare = 20u32.saturating_sub(dearest.unwrap_or(0).checked_ilog2().unwrap_or(0));
        let unit = UNIT << spare;
        let mut mip = Self {
            solver: LpSolver::scaled(&problem),
            rows: ExactRows::new(&problem),
            sides: problem.rows.iter().map(crate::lp::LpRow::sides).collect(),
            exact: grid.exact.clone(),
            rows_of: vec![Vec::new(); columns],
            is_queued: vec![false; problem.rows.len()],
            root: (lower.clone(), upper.clone()),
            told: (lower.clone(), upper.clone()),
            lower,
            upper,
            grid,
            integer,
            whole_costs,
            unit,
            problem,
            proof: DualProof::default(),
            costs,
            queue: Vec::new(),
            open: Open::default(),
            gains,
            best: None,
            limit: None,
            nodes: 0,
            strong_lps: 0,
            first_iterations: 0,
            begun_at: None,
            next_claim: node::NODES_BEFORE_CLAIM,
            log: None,
        };
        for (row, terms) in mip.problem.rows.iter().enumerate() {
            for &(column, _) in &terms.terms {
                mip.rows_of[column].push(row as u32);
            }
        }
        Some(mip)
    }

    /// Linear programs solved so far.
    pub fn lps(&self) -> u64 {
        self.solver.counters().solves
    }

    /// Answers a question, the only one: cuts and boxes may lean on its limit.
    pub fn minimise(
        mut self,
        question: &Question,
        budget: &mut Budget,
        listener: &mut Listener<'_>,
    ) -> Answer {
        self.best = None;
        self.limit = None;
        self.nodes = 0;
        self.next_claim = node::NODES_BEFORE_CLAIM;
        self.begun_at = Some(budget.elapsed());
        if let Some(most) = &question.most {
            self.limit = Some(self.limit_at(most.clone(), question.strict));
        }
        self.open = Open::default();
        self.open.push(Node::root());
        let ended = self.exhaust(question, budget, listener);
        let end = match ended {
            Ok(end) => end,
            Err(stop) => End::Stopped(stop),
        };
        let bound = match end {
            End::Proved => self.best.as_ref().map(|best| best.cost.clone()),
            _ => self.open_bound(),
        };
        Answer {
            best: self.best.take(),
            bound,
            end,
        }
    }

    /// The limit that leaves points of at most that cost, or below it.
    fn limit_at(&self, value: Rational, strict: bool) -> Limit {
        let scaled = &value * &self.grid.cost_scale + &self.grid.slack;
        let unit = Rational::from_integer(BigInt::from(self.unit));
        let number = |number: Rational| number.to_integer().to_i128();
        let (closed_at, most) = if self.whole_costs {
            // The least integer cost that does not matter.
            let least = match strict {
                true => scaled.ceil(),
                false => scaled.floor() + int(1),
            };
            let below = &least - int(1);
            (number(&below * &unit + int(1)), number(below))
        } else {
            let exact = &scaled * &unit;
            let closed_at = match strict {
                true => exact.ceil(),
                false => exact.floor() + int(1),
            };
            (number(closed_at), number(scaled.floor()))
        };
        // Real columns leave room above the largest integer sum.
        let most = most.map(|most| most + i128::from(!self.whole_costs));
        Limit {
            float: approximate(&scaled),
            value,
            strict,
            closed_at,
            most,
        }
    }

    /// What a bound of the image proves about the cost.
    fn cost_of(&self, bound: Bound) -> Rational {
        let bound = Rational::new(bound.into(), BigInt::from(self.unit));
        let bound = if self.whole_costs {
            bound.ceil()
        } else {
            bound
        };
        (bound - &self.grid.slack) / &self.grid.cost_scale
    }

    /// The cheapest that an open node may still be.
    fn open_bound(&self) -> Option<Rational> {
        let best = self.best.as_ref().map(|best| best.cost.clone());
        match self.open.least() {
            None => best,
            Some(Bound::MIN) => None,
            Some(bound) => {
                let bound = self.cost_of(bound);
                Some(match best {
                    Some(best) if best < bound => best,
                    _ => bound,
                })
            }
        }
    }

    fn is_closed_at(&self, bound: Bound) -> bool {
        let limit = self.limit.as_ref().and_then(|limit| limit.closed_at);
        limit.is_some_and(|limit| bound >= limit)
    }

    /// Whether a cost in exact numbers matters.
    fn matters(&self, cost: &Rational) -> bool {
        self.limit.as_ref().is_none_or(|limit| match limit.strict {
            true => cost < &limit.value,
            false => cost <= &limit.value,
        })
    }
}

/// A change of one box, and those before it.
#[derive(Debug)]
struct Step {
    before: Option<Rc<Step>>,
    column: usize,
    lower: i64,
    upper: i64,
}

#[cfg(test)]
mod tests;
