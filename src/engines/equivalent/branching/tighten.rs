//! Boxes: the trail, and propagation of bounds in integers.

use super::Branching;

/// The queue entry that stands for the costs, which must stay below the limit.
const COSTS: u32 = u32::MAX;

/// No value is left.
#[derive(Debug)]
pub(super) struct Contradiction;

impl Branching {
    /// Remembers that the linear program does not know the box of the column.
    pub(super) fn tell_later(&mut self, column: usize) {
        if !self.is_untold[column] {
            self.is_untold[column] = true;
            self.untold.push(column);
        }
    }

    pub(super) fn tell_boxes(&mut self) {
        while let Some(column) = self.untold.pop() {
            self.is_untold[column] = false;
            let (lower, upper) = (self.lower[column], self.upper[column]);
            self.solver.set_column_bounds(column, lower, upper);
        }
    }

    /// Replaces a box until the trail is undone.
    pub(super) fn narrow(&mut self, column: usize, lower: i64, upper: i64) {
        self.trail
            .push((column, self.lower[column], self.upper[column]));
        (self.lower[column], self.upper[column]) = (lower, upper);
        self.tell_later(column);
        for at in 0..self.rows_of[column].len() {
            let row = self.rows_of[column][at];
            if !self.is_queued[row as usize] {
                self.is_queued[row as usize] = true;
                self.queue.push(row);
            }
        }
    }

    pub(super) fn undo_to(&mut self, length: usize) {
        while self.trail.len() > length {
            let (column, lower, upper) = self.trail.pop().expect("invariant: longer than length");
            (self.lower[column], self.upper[column]) = (lower, upper);
            self.tell_later(column);
        }
        self.forget_queue();
    }

    pub(super) fn forget_queue(&mut self) {
        for row in self.queue.drain(..) {
            self.is_queued[row as usize] = false;
        }
    }

    pub(super) fn queue_everything(&mut self) {
        self.forget_queue();
        self.is_queued.fill(true);
        self.queue.extend(0..self.problem.rows.len() as u32);
    }

    /// Narrows boxes by one row after the other until nothing more follows, or until that would
    /// take too long: wide boxes can shrink by one for a long time.
    pub(super) fn tighten(&mut self) -> Result<(), Contradiction> {
        let mut visits_left = 16 * self.problem.rows.len() + 64;
        let mut result = self.tighten_by(COSTS);
        while result.is_ok() && visits_left > 0 {
            let Some(row) = self.queue.pop() else { break };
            self.is_queued[row as usize] = false;
            visits_left -= 1;
            result = self.tighten_by(row);
        }
        self.forget_queue();
        result
    }

    fn tighten_by(&mut self, row: u32) -> Result<(), Contradiction> {
        if row == COSTS {
            let Some(limit) = self.limit else {
                return Ok(());
            };
            let most = Some(i128::from(limit) - 1);
            if let Some(layout) = self.cost_layout.take() {
                let result = self.tighten_grouped(&layout, None, most);
                self.cost_layout = Some(layout);
                return result;
            }
            let costs = std::mem::take(&mut self.costs);
            let result = self.tighten_sum(&costs, None, most);
            self.costs = costs;
            return result;
        }
        let row = row as usize;
        let sides = self.sides[row];
        let (lower, upper) = (sides.lower.map(i128::from), sides.upper.map(i128::from));
        if let Some(layout) = self.layouts[row].take() {
            let result = self.tighten_grouped(&layout, lower, upper);
            self.layouts[row] = Some(layout);
            return result;
        }
        let terms = std::mem::take(&mut self.problem.rows[row].terms);
        let result = self.tighten_sum(&terms, lower, upper);
        self.problem.rows[row].terms = terms;
        result
    }

    /// `lower <= Σ terms <= upper`.
    fn tighten_sum(
        &mut self,
        terms: &[(usize, i64)],
        lower: Option<i128>,
        upper: Option<i128>,
    ) -> Result<(), Contradiction> {
        let Some((least, most)) = self.reach(terms) else {
            return Ok(());
        };
        // How far the sum may rise above its least, and fall below its most.
        let rise = upper.map_or(i128::MAX, |upper| upper.saturating_sub(least));
        let fall = lower.map_or(i128::MAX, |lower| most.saturating_sub(lower));
        self.spend_slack(terms, rise, fall)
    }

    /// The least and the most that a sum can be; `None` if that does not fit.
    pub(super) fn reach(&self, terms: &[(usize, i64)]) -> Option<(i128, i128)> {
        let (mut least, mut most) = (0i128, 0i128);
        for &(column, by) in terms {
            let (low, up) = (self.lower[column], self.upper[column]);
            let (first, second) = if by > 0 { (low, up) } else { (up, low) };
            least = least.checked_add(i128::from(by) * i128::from(first))?;
            most = most.checked_add(i128::from(by) * i128::from(second))?;
        }
        Some((least, most))
    }

    /// Narrows the boxes of terms whose sum may rise above its least and fall below its most by
    /// only so much.
    pub(super) fn spend_slack(
        &mut self,
        terms: &[(usize, i64)],
        rise: i128,
        fall: i128,
    ) -> Result<(), Contradiction> {
        if rise < 0 || fall < 0 {
            return Err(Contradiction);
        }
        for &(column, by) in terms {
            let (low, up) = (self.lower[column], self.upper[column]);
            let step = i128::from(by.unsigned_abs());
            let width = i128::from(up) - i128::from(low);
            if step.saturating_mul(width) <= rise.min(fall) {
                continue;
            }
            let (from_low, from_up) = if by > 0 { (rise, fall) } else { (fall, rise) };
            let new_up = (i128::from(low) + (from_low / step).min(width)) as i64;
            let new_low = (i128::from(up) - (from_up / step).min(width)) as i64;
            if new_low > new_up {
                return Err(Contradiction);
            }
            self.narrow(column, new_low, new_up);
        }
        Ok(())
    }
}
