//! Dives: points that are found by fixing integers and looking again.
//!
//! Integers that a linear program already shows as such are fixed, with the fraction that is nearest
//! to one; rows follow, the linear program is solved again, until it has a point or none is left
//! (Berthold 2006, "fractional diving"). Where a fixing leaves nothing, the other side is tried once.
//!
//! **Invariant:** the boxes are those before the dive; a point is offered, and checked there.

use super::{Listener, Mip};
use crate::budget::Budget;
use crate::lp::LpVerdict;
use crate::num::tolerance::INTEGRALITY;
use crate::outcome::Stop;

/// Linear programs of a dive at most.
const DEEPEST: usize = 60;

/// Fractions up to this are rounded together with the nearest one, so many at a time at most.
const NEAR: f64 = 0.2;
const TOGETHER: usize = 8;

impl Mip {
    /// Dives from the point at hand.
    pub(super) fn dive(
        &mut self,
        budget: &mut Budget,
        listener: &mut Listener<'_>,
    ) -> Result<(), Stop> {
        let before = (self.lower.clone(), self.upper.clone());
        let basis = self.solver.save_basis();
        let ended = self.dive_on(budget, listener);
        (self.lower, self.upper) = before;
        self.solver.restore_basis(&basis);
        ended
    }

    fn dive_on(&mut self, budget: &mut Budget, listener: &mut Listener<'_>) -> Result<(), Stop> {
        for _ in 0..DEEPEST {
            let primal = self.solver.primal().to_vec();
            let mut fractions: Vec<(f64, usize)> = Vec::new();
            let mut settled: Vec<usize> = Vec::new();
            for (column, &value) in primal.iter().enumerate() {
                if self.integer[column] && self.lower[column] < self.upper[column] {
                    let distance = (value - value.round()).abs();
                    match distance <= INTEGRALITY {
                        true => settled.push(column),
                        false => fractions.push((distance, column)),
                    }
                }
            }
            if fractions.is_empty() {
                return self.offer_near(&primal, budget, listener);
            }
            fractions.sort_by(|left, right| left.0.total_cmp(&right.0).then(left.1.cmp(&right.1)));
            let mut alive = true;
            // Settled ones away from zero carry the point; those at zero are left to the others.
            for column in settled {
                let value = primal[column].round() as i64;
                if value > self.lower[column] {
                    alive = alive && self.fix(column, value);
                }
            }
            if !alive {
                return Ok(());
            }
            let near = fractions
                .iter()
                .take_while(|(distance, _)| *distance <= NEAR);
            let count = near.count().clamp(1, TOGETHER);
            for &(_, column) in &fractions[..count] {
                let nearest = primal[column].round() as i64;
                if self.lower[column] == self.upper[column] {
                    continue;
                }
                let kept = (self.lower.clone(), self.upper.clone());
                if !self.fix(column, nearest) {
                    (self.lower, self.upper) = kept;
                    let other = match (nearest as f64) > primal[column] {
                        true => nearest - 1,
                        false => nearest + 1,
                    };
                    if !self.fix(column, other) {
                        return Ok(());
                    }
                }
            }
            if self.solve_lp(budget)? != LpVerdict::Optimal {
                return Ok(());
            }
        }
        Ok(())
    }

    /// Fixes an integer and lets the rows follow; `false` if nothing is left.
    fn fix(&mut self, column: usize, value: i64) -> bool {
        if value < self.lower[column] || value > self.upper[column] {
            return false;
        }
        self.narrow(column, value, value);
        self.propagate()
    }
}
