//! Boxes of the node at hand, and what rows leave of them.
//!
//! Propagation in integers. Ends of integer columns are rounded inward, those of real columns
//! outward and only where much is gained: reals may shrink for ever.

use super::Mip;

/// The queue entry that stands for the costs.
const COSTS: u32 = u32::MAX;

/// A real column is narrowed only by at least this part of its box.
const LEAST_PART: i128 = 8;

impl Mip {
    /// Replaces a box and queues the rows that see it.
    pub(super) fn narrow(&mut self, column: usize, lower: i64, upper: i64) {
        (self.lower[column], self.upper[column]) = (lower, upper);
        for at in 0..self.rows_of[column].len() {
            let row = self.rows_of[column][at];
            if !self.is_queued[row as usize] {
                self.is_queued[row as usize] = true;
                self.queue.push(row);
            }
        }
    }

    /// Queues every row.
    pub(super) fn queue_everything(&mut self) {
        self.is_queued.fill(true);
        self.queue = (0..self.is_queued.len() as u32).collect();
    }

    /// Shows the linear program the boxes.
    pub(super) fn tell_boxes(&mut self) {
        for column in 0..self.lower.len() {
            let (lower, upper) = (self.lower[column], self.upper[column]);
            if (self.told.0[column], self.told.1[column]) != (lower, upper) {
                (self.told.0[column], self.told.1[column]) = (lower, upper);
                self.solver.set_column_bounds(column, lower, upper);
            }
        }
    }

    /// Narrows boxes by one row after the other; `false` if a row cannot hold.
    pub(super) fn propagate(&mut self) -> bool {
        let mut visits = 8 * self.problem.rows.len() + 64;
        let mut alive = self.propagate_row(COSTS);
        while alive && visits > 0 {
            let Some(row) = self.queue.pop() else { break };
            self.is_queued[row as usize] = false;
            visits -= 1;
            alive = self.propagate_row(row);
        }
        for row in self.queue.drain(..) {
            self.is_queued[row as usize] = false;
        }
        alive
    }

    fn propagate_row(&mut self, row: u32) -> bool {
        if row == COSTS {
            let Some(most) = self.limit.as_ref().and_then(|limit| limit.most) else {
                return true;
            };
            let costs = std::mem::take(&mut self.costs);
            let alive = self.propagate_sum(&costs, (None, Some(most)), None);
            self.costs = costs;
            return alive;
        }
        let row = row as usize;
        let sides = self.sides[row];
        let terms = std::mem::take(&mut self.problem.rows[row].terms);
        let ends = (sides.lower.map(i128::from), sides.upper.map(i128::from));
        let alive = self.propagate_sum(&terms, ends, Some(row));
        self.problem.rows[row].terms = terms;
        alive
    }

    /// `lower <= Σ terms <= upper`, which is a row or the costs.
    fn propagate_sum(
        &mut self,
        terms: &[(usize, i64)],
        (lower, upper): (Option<i128>, Option<i128>),
        row: Option<usize>,
    ) -> bool {
        let Some((least, most)) = self.reach(terms) else {
            return true;
        };
        // How far the sum may rise above its least, and fall below its most.
        let rise = upper.map_or(i128::MAX, |upper| upper.saturating_sub(least));
        let fall = lower.map_or(i128::MAX, |lower| most.saturating_sub(lower));
        if rise < 0 || fall < 0 {
            if let Some(row) = row {
                self.log_dead_row(row, rise < 0);
            }
            return false;
        }
        for &(column, by) in terms {
            let (low, up) = (self.lower[column], self.upper[column]);
            let step = i128::from(by.unsigned_abs());
            let width = i128::from(up) - i128::from(low);
            if step.saturating_mul(width) <= rise.min(fall) {
                continue;
            }
            let (from_low, from_up) = if by > 0 { (rise, fall) } else { (fall, rise) };
            let is_integer = self.integer[column];
            let steps = |room: i128| match is_integer {
                true => (room / step).min(width),
                false => num_integer::Integer::div_ceil(&room, &step).min(width),
            };
            let (kept_low, kept_up) = (steps(from_low), steps(from_up));
            let gained = 2 * width - kept_low - kept_up;
            if gained == 0 || !is_integer && gained * LEAST_PART < width {
                continue;
            }
            let new_up = (i128::from(low) + kept_low) as i64;
            let new_low = (i128::from(up) - kept_up) as i64;
            for (is_narrower, is_upper) in [(new_up < up, by > 0), (new_low > low, by < 0)] {
                if let (true, Some(row)) = (is_narrower, row) {
                    self.log_cut(row, is_upper, column);
                }
            }
            if new_low > new_up {
                return false;
            }
            self.narrow(column, new_low, new_up);
        }
        true
    }

    /// The least and the most that a sum can be; `None` if that does not fit.
    fn reach(&self, terms: &[(usize, i64)]) -> Option<(i128, i128)> {
        let (mut least, mut most) = (0i128, 0i128);
        for &(column, by) in terms {
            let (low, up) = (self.lower[column], self.upper[column]);
            let (first, second) = if by > 0 { (low, up) } else { (up, low) };
            least = least.checked_add(i128::from(by) * i128::from(first))?;
            most = most.checked_add(i128::from(by) * i128::from(second))?;
        }
        Some((least, most))
    }

    /// A column that leaves its better end pays its reduced cost for every step.
    /// The boxes that this leaves are answered.
    pub(super) fn fix_by_reduced_costs(&mut self, bound: super::Bound) -> Vec<(usize, i64, i64)> {
        let mut fixed = Vec::new();
        if bound == super::Bound::MIN {
            // There was no proof, and there are no reduced costs.
            return fixed;
        }
        let limit = self.limit.as_ref().and_then(|limit| limit.closed_at);
        let Some(room) = limit.and_then(|limit| limit.checked_sub(1)?.checked_sub(bound)) else {
            return fixed;
        };
        for column in 0..self.lower.len() {
            let reduced = self.proof.reduced_costs()[column];
            let (low, up) = (self.lower[column], self.upper[column]);
            if reduced == 0 || low == up || !self.integer[column] {
                continue;
            }
            let steps = i128::try_from(reduced.unsigned_abs()).map_or(0, |paid| room / paid);
            if steps < i128::from(up) - i128::from(low) {
                let steps = steps as i64;
                let (low, up) = match reduced > 0 {
                    true => (low, low + steps),
                    false => (up - steps, up),
                };
                self.narrow(column, low, up);
                fixed.push((column, low, up));
            }
        }
        if !fixed.is_empty() {
            self.log_reduced_costs();
        }
        fixed
    }
}
