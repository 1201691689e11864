//! The end of a branch in exact numbers.
//!
//! Where floats see a point whose integers are integers, or a cost at the limit, the basis that
//! they ended with is computed again in rationals: its point is put into the rows, its multipliers
//! into a dual bound. Only where both fail is the exact simplex asked.

use super::{Event, Listener, Mip, Point};
use crate::budget::Budget;
use crate::lp::simplex::{Answer, dual_bound};
use crate::lp::{LpVerdict, Region, farkas_multipliers, vertex};
use crate::num::tolerance::INTEGRALITY;
use crate::num::{Rational, int};
use crate::outcome::Stop;
use crate::program::{Bounds, Id, IdVec, VarId, evaluate};

/// Programs of more columns ask HiGHS for a point before they are cut.
const LARGE: usize = 3_000;

impl Mip {
    /// Takes the point at hand; `true` if the node is done with.
    pub(super) fn examine_leaf(
        &mut self,
        budget: &mut Budget,
        listener: &mut Listener<'_>,
    ) -> Result<bool, Stop> {
        self.follow_boxes();
        let basis = self.solver.save_basis();
        if let Some(vertex) = vertex(&self.exact, &basis, budget)? {
            let bound = dual_bound(&self.exact, &self.exact.objective, &vertex.multipliers);
            self.offer(&vertex.point, budget, listener);
            if bound.is_some_and(|bound| !self.matters(&bound)) {
                self.log_exact(vertex.multipliers.iter());
                return Ok(true);
            }
        }
        self.offer_fixed(budget, listener)?;
        Ok(false)
    }

    /// Points at sight, before anything is branched on: the linear program's integers rounded, all
    /// rounded up, all at their upper and all at their lower ends. Large programs ask HiGHS at once.
    pub(super) fn offer_first_points(
        &mut self,
        budget: &mut Budget,
        listener: &mut Listener<'_>,
    ) -> Result<(), Stop> {
        let primal = self.solver.primal().to_vec();
        let end = |ends: &[i64]| ends.iter().map(|&end| end as f64).collect::<Vec<f64>>();
        let points = [
            primal.clone(),
            primal
                .iter()
                .map(|value| (value - INTEGRALITY).ceil())
                .collect(),
            end(&self.upper),
            end(&self.lower),
        ];
        for point in points {
            if self.best.is_none() {
                self.offer_near(&point, budget, listener)?;
            }
        }
        if self.lower.len() > LARGE {
            self.take_claim(budget, listener)?;
        }
        Ok(())
    }

    /// Fixes the integers where floats see them, and takes the best point of the rest.
    pub(super) fn offer_fixed(
        &mut self,
        budget: &mut Budget,
        listener: &mut Listener<'_>,
    ) -> Result<(), Stop> {
        let primal = self.solver.primal().to_vec();
        self.offer_near(&primal, budget, listener)
    }

    /// Fixes the integers at the nearest ones of a float point, and takes the best point of the rest.
    pub(super) fn offer_near(
        &mut self,
        point: &[f64],
        budget: &mut Budget,
        listener: &mut Listener<'_>,
    ) -> Result<(), Stop> {
        let before = (self.lower.clone(), self.upper.clone());
        let warm = self.solver.save_basis();
        for (column, &value) in point.iter().enumerate() {
            if self.integer[column] {
                let value = (value.round() as i64).clamp(self.lower[column], self.upper[column]);
                (self.lower[column], self.upper[column]) = (value, value);
            }
        }
        if self.solve_lp(budget)? == LpVerdict::Optimal {
            self.follow_boxes();
            let basis = self.solver.save_basis();
            if let Some(vertex) = vertex(&self.exact, &basis, budget)? {
                self.offer(&vertex.point, budget, listener);
            }
        }
        (self.lower, self.upper) = before;
        self.solver.restore_basis(&warm);
        Ok(())
    }

    /// Lets the exact program have the boxes of the node.
    fn follow_boxes(&mut self) {
        let ends = self.lower.iter().zip(&self.upper);
        let ends = ends.map(|(&lower, &upper)| Bounds::between(int(lower), int(upper)));
        self.exact.bounds = ends.collect();
    }

    /// Takes a point of the image if it satisfies everything and matters.
    fn offer(
        &mut self,
        point: &IdVec<VarId, Rational>,
        budget: &mut Budget,
        listener: &mut Listener<'_>,
    ) {
        let is_whole = |(column, value): (VarId, &Rational)| {
            !self.integer[column.index()] || value.is_integer()
        };
        let rows = &self.grid.exact.rows;
        let satisfies = point.pairs().all(is_whole)
            && self
                .grid
                .exact
                .bounds
                .pairs()
                .all(|(column, range)| range.contains(&point[column]))
            && rows
                .iter()
                .all(|row| row.admits(&row.activity(|column| &point[column])));
        if !satisfies {
            return;
        }
        let cost = evaluate(&self.grid.exact.objective, |column| &point[column]);
        if !self.matters(&cost) {
            return;
        }
        self.limit = Some(self.limit_at(cost.clone(), true));
        let best = Point {
            values: self.grid.original(point),
            cost,
        };
        let bound = self.open_bound();
        let event = Event {
            best: Some(&best),
            bound: bound.as_ref(),
            lps: self.lps(),
        };
        listener(&event, budget);
        self.best = Some(best);
    }

    /// Whether the multipliers of the basis, in rationals, show that no point of the node matters.
    pub(super) fn closes_exactly(&mut self, budget: &mut Budget) -> Result<bool, Stop> {
        self.follow_boxes();
        let basis = self.solver.save_basis();
        let Some(vertex) = vertex(&self.exact, &basis, budget)? else {
            return Ok(false);
        };
        let bound = dual_bound(&self.exact, &self.exact.objective, &vertex.multipliers);
        let closes = bound.is_some_and(|bound| !self.matters(&bound));
        if closes {
            self.log_exact(vertex.multipliers.iter());
        }
        Ok(closes)
    }

    /// Whether the ray of an infeasible run proves that the node is empty.
    pub(super) fn is_proved_empty(&mut self) -> bool {
        let region = Region {
            lower: &self.lower,
            upper: &self.upper,
            sides: &self.sides,
        };
        let Some(ray) = self.solver.farkas_ray().map(<[f64]>::to_vec) else {
            return false;
        };
        if self.proof.proves_infeasible(&self.rows, region, &ray) {
            self.log_bound();
            return true;
        }
        self.follow_boxes();
        let multipliers = farkas_multipliers(&self.exact, &ray);
        if let Some(multipliers) = &multipliers {
            self.log_exact(multipliers.iter());
        }
        multipliers.is_some()
    }

    /// All integers are fixed and floats have not settled the rest: the exact simplex does.
    pub(super) fn decide_exactly(
        &mut self,
        budget: &mut Budget,
        listener: &mut Listener<'_>,
    ) -> Result<(), Stop> {
        self.follow_boxes();
        match self.exact.solve(budget)? {
            Answer::Optimal {
                point, multipliers, ..
            } => {
                self.offer(&point, budget, listener);
                self.log_exact(multipliers.iter());
            }
            Answer::Infeasible { multipliers } => self.log_exact(multipliers.iter()),
            Answer::Unbounded { .. } => {}
        }
        Ok(())
    }
}
