//! Branch and bound: one node after the other is closed by a proof, or split.
//!
//! The child that is nearer to the linear program's point is looked at next (a *plunge*); when a
//! plunge ends, the open node with the least bound is taken up. Columns are chosen by pseudocosts,
//! which strong branching begins (reliability branching; Achterberg, Koch and Martin 2005).

use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;
use std::rc::Rc;

use super::{Bound, End, Event, Half, Listener, Mip, Question, Step};
use crate::budget::Budget;
use crate::lp::{LpVerdict, Region};
use crate::num::tolerance::{INTEGRALITY, nearest_integer};
use crate::outcome::Stop;

/// After so many nodes HiGHS's branch and cut is asked for a point, and again after so many times more.
pub(super) const NODES_BEFORE_CLAIM: u64 = 24;
const MORE_BEFORE_CLAIM: u64 = 16;

/// Questions of fewer nodes are not worth a claim, as long as there is a point.
const LONG: u64 = 500;

/// Columns whose pseudocosts are begun by strong branching at one node.
const MOST_TRIED: usize = 8;

/// So many nodes are cut, and one of so many after them.
const NODES_CUT: u64 = 64;
const CUT_EVERY: u64 = 16;

/// One of so many nodes begins a dive.
const DIVE_EVERY: u64 = 100;

/// A node that waits.
#[derive(Debug)]
pub(super) struct Node {
    bound: Bound,
    depth: u32,
    serial: u64,
    path: Option<Rc<Step>>,
    half: Option<Half>,
    /// Its number in the log.
    logged: usize,
}

impl Node {
    pub fn root() -> Self {
        Self {
            bound: Bound::MIN,
            depth: 0,
            serial: 0,
            path: None,
            half: None,
            logged: 0,
        }
    }

    /// Least bound first, then the deeper one, then the later one.
    fn key(&self) -> (Reverse<Bound>, u32, u64) {
        (Reverse(self.bound), self.depth, self.serial)
    }
}

impl PartialEq for Node {
    fn eq(&self, other: &Self) -> bool {
        self.key() == other.key()
    }
}

impl Eq for Node {}

impl PartialOrd for Node {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Node {
    fn cmp(&self, other: &Self) -> Ordering {
        self.key().cmp(&other.key())
    }
}

/// The nodes that wait, and the one at hand.
#[derive(Debug, Default)]
pub(super) struct Open {
    heap: BinaryHeap<Node>,
    /// The bound of the node at hand.
    current: Option<Bound>,
    serial: u64,
}

impl Open {
    pub fn push(&mut self, mut node: Node) {
        self.serial += 1;
        node.serial = self.serial;
        self.heap.push(node);
    }

    /// The least bound of all open nodes.
    pub fn least(&self) -> Option<Bound> {
        let waiting = self.heap.peek().map(|node| node.bound);
        waiting.into_iter().chain(self.current).min()
    }
}

/// What becomes of a node.
enum Fate {
    /// No point in it matters.
    Closed,
    /// To be split at a column, at the first value of its upper half.
    Split(Split),
}

struct Split {
    column: usize,
    above: i64,
    upward: bool,
    bound: Bound,
    /// The linear program's cost and the column's value in it, for pseudocosts.
    before: Option<(f64, f64)>,
    /// Boxes that became smaller in the node.
    fixed: Vec<(usize, i64, i64)>,
}

impl Mip {
    /// Looks at nodes until none is open.
    pub(super) fn exhaust(
        &mut self,
        question: &Question,
        budget: &mut Budget,
        listener: &mut Listener<'_>,
    ) -> Result<End, Stop> {
        let mut next: Option<Node> = None;
        loop {
            let Some(node) = next.take().or_else(|| self.open.heap.pop()) else {
                return Ok(End::Proved);
            };
            if self.is_closed_at(node.bound) {
                self.open.current = None;
                continue;
            }
            self.open.current = Some(node.bound);
            budget.spend_node()?;
            self.nodes += 1;
            if question.nodes.is_some_and(|most| self.nodes > most) {
                return Err(Stop::Nodes);
            }
            if self.nodes == self.next_claim && self.log.is_none() {
                self.next_claim *= MORE_BEFORE_CLAIM;
                let is_long = question.nodes.is_none_or(|most| most >= LONG);
                if is_long || self.best.is_none() {
                    self.take_claim(budget, listener)?;
                }
            }
            self.log_enters(node.logged);
            let fate = self.examine(&node, budget, listener)?;
            let best = self.best.as_ref();
            if best.is_some_and(|best| question.enough.as_ref().is_some_and(|it| &best.cost <= it))
            {
                return Ok(End::Enough);
            }
            self.open.current = None;
            match fate {
                Fate::Closed => self.log_closed(),
                Fate::Split(split) => {
                    let child = self.children(&node, split);
                    self.open.current = Some(child.bound);
                    next = Some(child);
                }
            }
            if budget.heartbeat_due() {
                let bound = self.open_bound();
                let event = Event {
                    best: None,
                    bound: bound.as_ref(),
                    lps: self.lps(),
                };
                listener(&event, budget);
            }
        }
    }

    /// Both halves: one to go on with, the other to wait.
    fn children(&mut self, node: &Node, split: Split) -> Node {
        let Split {
            column,
            above,
            upward,
            bound,
            before,
            fixed,
        } = split;
        let bound = bound.max(node.bound);
        let mut path = node.path.clone();
        for (column, lower, upper) in fixed {
            path = Some(Rc::new(Step {
                before: path,
                column,
                lower,
                upper,
            }));
        }
        let logged = self.log_split(column, above);
        let half = |is_upper: bool, lower: i64, upper: i64| Node {
            logged: logged[usize::from(is_upper)],
            bound,
            depth: node.depth + 1,
            serial: 0,
            path: Some(Rc::new(Step {
                before: path.clone(),
                column,
                lower,
                upper,
            })),
            half: before.map(|before| Half {
                column,
                is_upper,
                before,
            }),
        };
        let below = half(false, self.lower[column], above - 1);
        let above = half(true, above, self.upper[column]);
        let (now, later) = if upward {
            (above, below)
        } else {
            (below, above)
        };
        self.open.push(later);
        now
    }

    /// Puts the boxes of a node in place; `false` if one of them is empty.
    fn enter(&mut self, node: &Node) -> bool {
        self.lower.clone_from(&self.root.0);
        self.upper.clone_from(&self.root.1);
        if node.path.is_none() {
            self.queue_everything();
        }
        let mut steps = Vec::new();
        let mut path = node.path.as_ref();
        while let Some(step) = path {
            steps.push(Rc::clone(step));
            path = step.before.as_ref();
        }
        for step in steps.into_iter().rev() {
            let lower = step.lower.max(self.lower[step.column]);
            let upper = step.upper.min(self.upper[step.column]);
            self.narrow(step.column, lower, upper);
        }
        let mut boxes = self.lower.iter().zip(&self.upper);
        boxes.all(|(lower, upper)| lower <= upper)
    }

    fn examine(
        &mut self,
        node: &Node,
        budget: &mut Budget,
        listener: &mut Listener<'_>,
    ) -> Result<Fate, Stop> {
        // Step 1. Integers alone.
        if !self.enter(node) || !self.propagate() {
            return Ok(Fate::Closed);
        }
        let is_root = node.path.is_none();
        if is_root {
            self.root = (self.lower.clone(), self.upper.clone());
        }
        // Step 2. The linear program, with cuts at the root, and a proof of what it says.
        let mut verdict = self.solve_lp(budget)?;
        if is_root && verdict == LpVerdict::Optimal {
            self.first_iterations = self.solver.counters().iterations;
            self.open.current = Some(self.safe_bound().unwrap_or(Bound::MIN));
            if self.has_fraction() && self.log.is_none() {
                self.offer_first_points(budget, listener)?;
                verdict = self.solve_lp(budget)?;
            }
            if verdict == LpVerdict::Optimal {
                verdict = self.cut_the_root(budget)?;
            }
        } else if verdict == LpVerdict::Optimal && self.cuts_here() && self.has_fraction() {
            verdict = self.cut_a_node(budget)?;
        }
        // Who proves needs no points.
        let looks_for_points = self.log.is_none() && self.dives_here();
        if verdict == LpVerdict::Optimal && looks_for_points && self.has_fraction() {
            self.dive(budget, listener)?;
            verdict = self.solve_lp(budget)?;
        }
        let bound = match self.bound_of(verdict, budget)? {
            Proved::Closed => return Ok(Fate::Closed),
            Proved::AtLeast(bound) => bound,
        };
        if self.is_closed_at(bound) {
            self.log_bound();
            return Ok(Fate::Closed);
        }
        // Step 3. A point, perhaps.
        if verdict != LpVerdict::Optimal {
            return self.split_blindly(bound, budget, listener);
        }
        if let Some(half) = node.half {
            let ends = (self.lower[half.column], self.upper[half.column]);
            self.gains
                .learn(half, self.solver.objective(), ends.0, ends.1);
        }
        if !self.has_fraction() {
            if self.examine_leaf(budget, listener)? || self.is_closed_at(bound) {
                return Ok(Fate::Closed);
            }
            return self.split_blindly(bound, budget, listener);
        }
        // Step 4. Split, after fixing what the reduced costs fix.
        let fixed = self.fix_by_reduced_costs(bound);
        if is_root {
            self.root = (self.lower.clone(), self.upper.clone());
        }
        let (column, value, before) = self.branching_column(budget)?;
        let (lower, upper) = (self.lower[column], self.upper[column]);
        if lower == upper {
            // Reduced costs have fixed it: the linear program does not know that yet.
            return Ok(Fate::Split(Split {
                column,
                above: upper + 1,
                upward: false,
                bound,
                before: None,
                fixed,
            }));
        }
        let above = (value.ceil() as i64).clamp(lower + 1, upper);
        Ok(Fate::Split(Split {
            column,
            above,
            upward: value - value.floor() > 0.5,
            bound,
            before: Some(before),
            fixed,
        }))
    }

    /// The first nodes are cut, and some of the others.
    fn cuts_here(&self) -> bool {
        self.nodes < NODES_CUT || self.nodes.is_multiple_of(CUT_EVERY)
    }

    /// The root dives, and a node now and then.
    fn dives_here(&self) -> bool {
        self.nodes.is_power_of_two() || self.nodes.is_multiple_of(DIVE_EVERY)
    }

    /// Splits without a fraction to go by; with all integers fixed the exact simplex decides.
    fn split_blindly(
        &mut self,
        bound: Bound,
        budget: &mut Budget,
        listener: &mut Listener<'_>,
    ) -> Result<Fate, Stop> {
        let columns = 0..self.lower.len();
        let open = columns.filter(|&at| self.integer[at] && self.lower[at] < self.upper[at]);
        let widest = open.max_by_key(|&at| (self.upper[at].abs_diff(self.lower[at]), Reverse(at)));
        let Some(column) = widest else {
            self.decide_exactly(budget, listener)?;
            return Ok(Fate::Closed);
        };
        let (lower, upper) = (self.lower[column], self.upper[column]);
        let value = self.solver.primal().get(column).copied().unwrap_or(0.0);
        let middle = nearest_integer(value).unwrap_or(lower);
        Ok(Fate::Split(Split {
            column,
            above: middle.clamp(lower + 1, upper),
            upward: middle > lower,
            bound,
            before: None,
            fixed: Vec::new(),
        }))
    }

    /// Solves the linear program, with looks at the signal in between.
    pub(super) fn solve_lp(&mut self, budget: &mut Budget) -> Result<LpVerdict, Stop> {
        self.tell_boxes();
        let cutoff = self.limit.as_ref().map(|limit| limit.float);
        self.solver.set_cutoff(cutoff);
        for looks in 0.. {
            let verdict = self.solver.solve(Some(budget.patience(looks)));
            if verdict != LpVerdict::Stopped {
                return Ok(verdict);
            }
            budget.look()?;
        }
        unreachable!("the looks never end")
    }

    /// What the linear program's last run proves.
    fn bound_of(&mut self, verdict: LpVerdict, budget: &mut Budget) -> Result<Proved, Stop> {
        Ok(match verdict {
            LpVerdict::Infeasible if self.is_proved_empty() => Proved::Closed,
            LpVerdict::Optimal | LpVerdict::CutOff => {
                let bound = self.safe_bound().unwrap_or(Bound::MIN);
                let is_near = self.limit.as_ref().is_some_and(|limit| {
                    let margin = 1e-6 * limit.float.abs().max(1.0);
                    self.solver.objective() >= limit.float - margin
                });
                let closes = is_near && !self.is_closed_at(bound) && self.closes_exactly(budget)?;
                match closes {
                    true => Proved::Closed,
                    false => Proved::AtLeast(bound),
                }
            }
            _ => Proved::AtLeast(Bound::MIN),
        })
    }

    fn safe_bound(&mut self) -> Option<Bound> {
        let region = Region {
            lower: &self.lower,
            upper: &self.upper,
            sides: &self.sides,
        };
        self.proof
            .bound_in_units(&self.rows, region, self.solver.row_duals(), self.unit)
    }

    /// Whether a column that must be an integer is none in the linear program's point.
    pub(super) fn has_fraction(&self) -> bool {
        let columns = self.solver.primal().iter().zip(&self.integer);
        let mut columns = columns.filter(|(_, integer)| **integer);
        columns.any(|(value, _)| (value - value.round()).abs() > INTEGRALITY)
    }

    /// The column to split, its value, and the cost and value before, for pseudocosts.
    fn branching_column(&mut self, budget: &mut Budget) -> Result<(usize, f64, (f64, f64)), Stop> {
        let primal = self.solver.primal().to_vec();
        let cost = self.solver.objective();
        let part = |value: f64| value - value.floor();
        let is_fraction =
            |at: usize| self.integer[at] && (primal[at] - primal[at].round()).abs() > INTEGRALITY;
        let mut fractions: Vec<usize> = (0..primal.len()).filter(|&at| is_fraction(at)).collect();
        let promise = |mip: &Self, at: usize| mip.gains.promise(at, part(primal[at]));
        fractions.sort_by(|&left, &right| promise(self, right).total_cmp(&promise(self, left)));
        let untried = fractions.iter().copied();
        let untried = untried.filter(|&at| self.lower[at] < self.upper[at]);
        let untried: Vec<usize> = untried
            .filter(|&at| !self.gains.is_known(at))
            .take(MOST_TRIED)
            .collect();
        // Strong branching may take half of the linear programs.
        if !untried.is_empty() && 2 * self.strong_lps <= self.lps() + 64 {
            let basis = self.solver.save_basis();
            for at in untried {
                self.try_both_halves(at, cost, primal[at], budget)?;
                self.solver.restore_basis(&basis);
            }
            fractions.sort_by(|&left, &right| promise(self, right).total_cmp(&promise(self, left)));
        }
        let column = fractions[0];
        Ok((column, primal[column], (cost, primal[column])))
    }

    /// Strong branching: solves both halves and remembers what they cost.
    fn try_both_halves(
        &mut self,
        column: usize,
        cost: f64,
        value: f64,
        budget: &mut Budget,
    ) -> Result<(), Stop> {
        let ends = (self.lower[column], self.upper[column]);
        for is_upper in [false, true] {
            let half = match is_upper {
                false => (ends.0, (value.floor() as i64).clamp(ends.0, ends.1)),
                true => ((value.ceil() as i64).clamp(ends.0, ends.1), ends.1),
            };
            (self.lower[column], self.upper[column]) = half;
            self.strong_lps += 1;
            let verdict = self.solve_lp(budget)?;
            let now = match verdict {
                LpVerdict::Optimal => self.solver.objective(),
                // Nothing is left there: as good as it gets.
                _ => cost + cost.abs().max(1.0),
            };
            let tried = Half {
                column,
                is_upper,
                before: (cost, value),
            };
            self.gains.learn(tried, now, half.0, half.1);
            (self.lower[column], self.upper[column]) = ends;
        }
        Ok(())
    }
}

/// What the linear program of a node proves.
enum Proved {
    /// That nothing in the node matters.
    Closed,
    /// That points of the node cost at least this.
    AtLeast(Bound),
}
