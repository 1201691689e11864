//! One node after the other: close it by a proof, or split it.

use num_traits::ToPrimitive;

use super::{Alternative, Branching, Point};
use crate::budget::Budget;
use crate::lp::exact::FRACTION_BITS;
use crate::lp::{FixedPoint, LpVerdict, Region};
use crate::mip::pseudocosts::Half;
use crate::num::tolerance::nearest_integer;
use crate::outcome::Stop;

/// What becomes of a node.
enum Fate {
    /// No point in it is cheaper than the limit.
    Closed,
    /// To be split: the column goes to `keep` first, and what is left of its box later.
    Split {
        column: usize,
        keep: (i64, i64),
        rest: (i64, i64),
        bound: Option<i64>,
        by_solution: bool,
    },
}

impl Branching {
    /// Looks at nodes until none is open.
    pub(super) fn exhaust(&mut self, budget: &mut Budget) -> Result<(), Stop> {
        if self.box_is_crossed() {
            return Ok(());
        }
        loop {
            self.spend_node(budget)?;
            match self.examine(budget)? {
                Fate::Closed => {
                    if self.has_enough() || !self.next_open() {
                        return Ok(());
                    }
                }
                Fate::Split {
                    column,
                    keep,
                    rest,
                    bound,
                    by_solution,
                } => {
                    self.stack.push(Alternative {
                        trail: self.trail.len(),
                        column,
                        lower: rest.0,
                        upper: rest.1,
                        bound,
                        half: self.half_of(column, rest.0 > keep.0, by_solution),
                    });
                    self.half = self.half_of(column, keep.0 > rest.0, by_solution);
                    self.inherited = bound;
                    self.narrow(column, keep.0, keep.1);
                    if keep.0 > keep.1 && !self.next_open() {
                        return Ok(());
                    }
                }
            }
        }
    }

    fn spend_node(&mut self, budget: &mut Budget) -> Result<(), Stop> {
        if let Some(left) = &mut self.nodes_left {
            *left = left.checked_sub(1).ok_or(Stop::Nodes)?;
        }
        budget.spend_node()
    }

    fn has_enough(&self) -> bool {
        let best = self.best.as_ref();
        best.is_some_and(|best| self.enough.is_some_and(|enough| best.cost <= enough))
    }

    fn box_is_crossed(&self) -> bool {
        self.lower.iter().zip(&self.upper).any(|(low, up)| low > up)
    }

    /// Goes to the most recent alternative that may hold something cheaper.
    fn next_open(&mut self) -> bool {
        while let Some(alternative) = self.stack.pop() {
            self.undo_to(alternative.trail);
            let hopeless = matches!((alternative.bound, self.limit), (Some(bound), Some(limit)) if bound >= limit);
            if !hopeless && alternative.lower <= alternative.upper {
                self.inherited = alternative.bound;
                self.half = alternative.half;
                self.narrow(alternative.column, alternative.lower, alternative.upper);
                return true;
            }
        }
        false
    }

    fn examine(&mut self, budget: &mut Budget) -> Result<Fate, Stop> {
        // Step 1. Integers alone.
        if self.tighten().is_err() {
            return Ok(Fate::Closed);
        }
        let Some(any) = self.first_open_column() else {
            self.offer(self.lower.clone());
            return Ok(Fate::Closed);
        };
        // Step 2. The linear program, and a proof of what it says.
        self.tell_boxes();
        self.solver.set_cutoff(self.limit.map(|limit| limit as f64));
        let verdict = self.solve_patiently(budget)?;
        let bound = match verdict {
            LpVerdict::Infeasible if self.farkas_holds() => return Ok(Fate::Closed),
            LpVerdict::Optimal | LpVerdict::CutOff => self.proved_bound(),
            LpVerdict::Infeasible | LpVerdict::Failed | LpVerdict::Stopped => None,
        };
        let whole = bound.and_then(|bound| bound.ceil().to_i64());
        if let (Some(whole), Some(limit)) = (whole, self.limit)
            && whole >= limit
        {
            return Ok(Fate::Closed);
        }
        // Step 3. A point, perhaps.
        if verdict == LpVerdict::Optimal {
            self.learn_gain();
            self.offer_rounded();
            let no_cheaper =
                matches!((whole, self.limit), (Some(whole), Some(limit)) if whole >= limit);
            if no_cheaper || self.has_enough() {
                return Ok(Fate::Closed);
            }
        }
        // Step 4. Split, after fixing what the reduced costs fix.
        let fate = self.split(
            any,
            verdict == LpVerdict::Optimal,
            whole.max(self.inherited),
        );
        if let Some(bound) = bound {
            self.fix_by_reduced_costs(bound);
        }
        Ok(self.still_a_split(fate))
    }

    /// Solves the linear program, with looks at the signal in between: it goes on from the basis
    /// that it had reached. Should that be lost, the growing patience still comes to an end.
    fn solve_patiently(&mut self, budget: &mut Budget) -> Result<LpVerdict, Stop> {
        for looks in 0.. {
            let verdict = self.solver.solve(Some(budget.patience(looks)));
            if verdict != LpVerdict::Stopped {
                return Ok(verdict);
            }
            budget.look()?;
        }
        unreachable!("the looks never end")
    }

    /// The box of the split column may have become smaller meanwhile.
    fn still_a_split(&self, fate: Fate) -> Fate {
        let Fate::Split {
            column,
            keep,
            rest,
            bound,
            by_solution,
        } = fate
        else {
            return fate;
        };
        let clip =
            |(low, up): (i64, i64)| (low.max(self.lower[column]), up.min(self.upper[column]));
        Fate::Split {
            column,
            keep: clip(keep),
            rest: clip(rest),
            bound,
            by_solution,
        }
    }

    /// The half of a split by the present linear program, for [`Gains`].
    fn half_of(&self, column: usize, is_upper: bool, by_solution: bool) -> Option<Half> {
        by_solution.then(|| Half {
            column,
            is_upper,
            before: (self.solver.objective(), self.solver.primal()[column]),
        })
    }

    fn learn_gain(&mut self) {
        if let Some(half) = self.half.take() {
            let (lower, upper) = (self.lower[half.column], self.upper[half.column]);
            let cost = self.solver.objective();
            self.gains.learn(half, cost, lower, upper);
        }
    }

    fn first_open_column(&self) -> Option<usize> {
        let open = (0..self.lower.len()).filter(|&column| self.lower[column] < self.upper[column]);
        open.min_by_key(|&column| (self.rank[column], column))
    }

    fn region(&self) -> Region<'_> {
        Region {
            lower: &self.lower,
            upper: &self.upper,
            sides: &self.sides,
        }
    }

    fn proved_bound(&mut self) -> Option<FixedPoint> {
        let mut proof = std::mem::take(&mut self.proof);
        let bound = proof.fine_bound(&self.exact, self.region(), self.solver.row_duals());
        self.proof = proof;
        bound
    }

    fn farkas_holds(&mut self) -> bool {
        let region = Region {
            lower: &self.lower,
            upper: &self.upper,
            sides: &self.sides,
        };
        let ray = self.solver.farkas_ray();
        ray.is_some_and(|ray| self.proof.proves_infeasible(&self.exact, region, ray))
    }

    fn offer_rounded(&mut self) {
        let floats = self.solver.primal().iter();
        let rounded: Option<Vec<i64>> = floats.map(|&value| nearest_integer(value)).collect();
        if let Some(values) = rounded {
            self.offer(values);
        }
    }

    /// Takes a point if it lies in the rows and is cheaper than the limit.
    pub(super) fn offer(&mut self, values: Vec<i64>) {
        if self.problem.contains(&values) != Some(true) {
            return;
        }
        let cost = self.problem.objective_at(&values);
        let Some(cost) = cost.and_then(|cost| i64::try_from(cost).ok()) else {
            return;
        };
        if self.limit.is_none_or(|limit| cost < limit) {
            self.limit = Some(cost);
            self.best = Some(Point { values, cost });
        }
    }

    /// Splits at a fractional column of the smallest rank, the most promising one; where no column
    /// is fractional, or there is no solution to go by, at `any`.
    fn split(&self, any: usize, by_solution: bool, bound: Option<i64>) -> Fate {
        let primal = self.solver.primal();
        let promise = |column: usize| {
            let part = primal[column] - primal[column].floor();
            if self.by_gains {
                self.gains.promise(column, part)
            } else {
                part.min(1.0 - part)
            }
        };
        let open = (0..self.lower.len()).filter(|&column| self.lower[column] < self.upper[column]);
        let fractional = open
            .filter(|&column| by_solution && nearest_integer(primal[column]).is_none())
            .min_by(|&left, &right| {
                let ranks = self.rank[left].cmp(&self.rank[right]);
                ranks.then_with(|| promise(right).total_cmp(&promise(left)))
            });
        let column = fractional.unwrap_or(any);
        let (low, up) = (self.lower[column], self.upper[column]);
        let value = if by_solution {
            primal[column]
        } else {
            low as f64
        };
        // Saturating casts keep any float inside the box.
        let cut = (value.floor() as i64).clamp(low, up - 1);
        let (below, above) = ((low, cut), (cut + 1, up));
        let upward = value - value.floor() > 0.5 || value >= above.0 as f64;
        let (keep, rest) = if upward {
            (above, below)
        } else {
            (below, above)
        };
        Fate::Split {
            column,
            keep,
            rest,
            bound,
            by_solution,
        }
    }

    /// A column that leaves its better end pays its reduced cost for every step.
    fn fix_by_reduced_costs(&mut self, bound: FixedPoint) {
        let Some(limit) = self.limit else { return };
        let most = (i128::from(limit) - 1) << FRACTION_BITS;
        let Some(room) = most.checked_sub(bound.0).filter(|&room| room >= 0) else {
            return;
        };
        for column in 0..self.lower.len() {
            let reduced = self.proof.reduced_costs()[column];
            let (low, up) = (self.lower[column], self.upper[column]);
            if reduced == 0 || low == up {
                continue;
            }
            let steps = i128::try_from(reduced.unsigned_abs()).map_or(0, |paid| room / paid);
            if steps >= i128::from(up) - i128::from(low) {
                continue;
            }
            let steps = steps as i64;
            if reduced > 0 {
                self.narrow(column, low, low + steps);
            } else {
                self.narrow(column, up - steps, up);
            }
        }
    }
}
