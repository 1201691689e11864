//! Combinations of rows that promise a cut by mixed-integer rounding.
//!
//! A path begins at a row and goes on to rows that take its real columns away: along the stock of a
//! product, the water of a reservoir, the flow through a node. Real columns that rest on a variable
//! bound (`x <= 60 y`) are replaced by it, the sum is divided by a coefficient of an integer, and
//! rounded. Lot-sizing and flow-cover inequalities are of this kind (Marchand and Wolsey 2001).
//!
//! **Invariant:** what is answered are multipliers of rows, in floats; [`super::cuts`] derives the cut
//! from them in integers.

use rustc_hash::FxHashMap;

use super::Mip;
use crate::budget::Budget;
use crate::num::tolerance::INTEGRALITY;
use crate::outcome::Stop;

/// Rows of a path at most.
const LONGEST: usize = 6;

/// Paths that are begun in a round.
const MOST_STARTS: usize = 600;

/// Divisors that are tried for one sum.
const MOST_DIVISORS: usize = 8;

/// Rows of more terms begin no path and continue none.
const MOST_TERMS: usize = 400;

/// A cut must be missed by this much, relative to its length.
const LEAST_DEPTH: f64 = 1e-3;

/// A sum of rows in floats: its columns, and its multipliers.
#[derive(Clone, Debug, Default)]
struct Sum {
    columns: FxHashMap<usize, f64>,
    rows: Vec<(usize, f64)>,
}

impl Sum {
    fn add(&mut self, row: usize, by: f64, terms: &[(usize, i64)]) {
        for &(column, factor) in terms {
            *self.columns.entry(column).or_default() += by * factor as f64;
        }
        match self.rows.iter_mut().find(|(at, _)| *at == row) {
            Some(own) => own.1 += by,
            None => self.rows.push((row, by)),
        }
    }

    /// What a column counts; noise is nothing.
    fn of(&self, column: usize) -> f64 {
        let by = self.columns.get(&column).copied().unwrap_or(0.0);
        if by.abs() < 1e-9 { 0.0 } else { by }
    }
}

/// A row over one real and one integer column that holds the real one, from above or from below.
#[derive(Copy, Clone, Debug)]
struct VariableBound {
    row: usize,
    /// The coefficient of the real column.
    by: f64,
}

/// What separation looks at, made once a round.
pub(super) struct Paths<'m> {
    mip: &'m Mip,
    primal: &'m [f64],
    sums: &'m [f64],
    bounds: Vec<Vec<VariableBound>>,
    /// Rows whose columns are all integers.
    whole: Vec<bool>,
}

impl<'m> Paths<'m> {
    pub fn new(mip: &'m Mip, primal: &'m [f64], sums: &'m [f64]) -> Self {
        let mut bounds = vec![Vec::new(); primal.len()];
        for (number, row) in mip.problem.rows.iter().enumerate() {
            if let [one, two] = row.terms[..] {
                for (real, other) in [(one, two), (two, one)] {
                    if !mip.integer[real.0] && mip.integer[other.0] {
                        let by = real.1 as f64;
                        bounds[real.0].push(VariableBound { row: number, by });
                    }
                }
            }
        }
        let rows = mip.problem.rows.iter();
        let whole = rows.map(|row| row.terms.iter().all(|&(column, _)| mip.integer[column]));
        Self {
            mip,
            primal,
            sums,
            bounds,
            whole: whole.collect(),
        }
    }

    /// Multipliers that promise a cut which the point misses.
    pub fn multipliers(&self, budget: &mut Budget) -> Result<Vec<Vec<(usize, f64)>>, Stop> {
        let mut found = Vec::new();
        let mut starts: Vec<usize> = (0..self.mip.problem.rows.len()).collect();
        starts.retain(|&row| self.may_begin(row));
        starts.sort_by(|&left, &right| self.slack(left).total_cmp(&self.slack(right)));
        starts.truncate(MOST_STARTS);
        for row in starts {
            budget.look_sometimes()?;
            let mut sum = Sum::default();
            sum.add(row, 1.0, &self.mip.problem.rows[row].terms);
            for _ in 0..LONGEST {
                if let Some(multipliers) = self.rounded_from(&sum) {
                    found.push(multipliers);
                    break;
                }
                if !self.extend(&mut sum) {
                    break;
                }
            }
        }
        Ok(found)
    }

    fn may_begin(&self, row: usize) -> bool {
        self.mip.problem.rows[row].terms.len() <= MOST_TERMS && self.slack(row) < 1e-6
    }

    /// How far a row's sum is from its nearer side.
    fn slack(&self, row: usize) -> f64 {
        let sides = self.mip.sides[row];
        let below = sides
            .upper
            .map_or(f64::INFINITY, |side| side as f64 - self.sums[row]);
        let above = sides
            .lower
            .map_or(f64::INFINITY, |side| self.sums[row] - side as f64);
        below.min(above).max(0.0) / 1f64.max(self.sums[row].abs())
    }

    /// How far the value of a column is from its nearer end.
    fn distance(&self, column: usize) -> f64 {
        let (lower, upper) = (
            self.mip.root.0[column] as f64,
            self.mip.root.1[column] as f64,
        );
        (self.primal[column] - lower)
            .min(upper - self.primal[column])
            .max(0.0)
    }

    /// Takes away the real column that is farthest from its ends, by a row that has not been used.
    fn extend(&self, sum: &mut Sum) -> bool {
        let mut reals: Vec<(usize, f64)> = sum
            .columns
            .keys()
            .filter(|&&column| !self.mip.integer[column] && sum.of(column) != 0.0)
            .map(|&column| (column, self.distance_to_any_bound(column)))
            .filter(|&(_, distance)| distance > INTEGRALITY)
            .collect();
        reals.sort_by(|left, right| right.1.total_cmp(&left.1).then(left.0.cmp(&right.0)));
        for (column, _) in reals.into_iter().take(4) {
            let is_used = |row: usize| sum.rows.iter().any(|&(at, _)| at == row);
            let rows = self.mip.rows_of[column].iter().map(|&row| row as usize);
            let next = rows
                .filter(|&row| !is_used(row) && self.may_begin(row))
                .filter(|&row| self.mip.problem.rows[row].terms.len() > 2)
                .min_by_key(|&row| (self.mip.problem.rows[row].terms.len(), row));
            if let Some(row) = next {
                let terms = &self.mip.problem.rows[row].terms;
                let own = terms.iter().find(|term| term.0 == column);
                let own = own.map_or(1.0, |term| term.1 as f64);
                sum.add(row, -sum.of(column) / own, terms);
                return true;
            }
        }
        false
    }

    fn distance_to_any_bound(&self, column: usize) -> f64 {
        let bounds = self.bounds[column].iter();
        let slacks = bounds.map(|bound| self.slack(bound.row));
        slacks.fold(self.distance(column), f64::min)
    }

    /// Replaces real columns that rest on variable bounds, then looks for the best divisor.
    fn rounded_from(&self, sum: &Sum) -> Option<Vec<(usize, f64)>> {
        let mut sum = sum.clone();
        let mut reals: Vec<usize> = sum.columns.keys().copied().collect();
        reals.sort_unstable();
        for column in reals {
            if self.mip.integer[column] || sum.of(column) == 0.0 {
                continue;
            }
            let bounds = self.bounds[column].iter();
            let tight = bounds
                .map(|bound| (self.slack(bound.row), bound))
                .min_by(|left, right| left.0.total_cmp(&right.0));
            if let Some((slack, bound)) = tight
                && slack < self.distance(column).max(1e-6)
            {
                let terms = &self.mip.problem.rows[bound.row].terms;
                sum.add(bound.row, -sum.of(column) / bound.by, terms);
            }
        }
        let mut divisors: Vec<f64> = sum
            .columns
            .keys()
            .filter(|&&column| self.mip.integer[column] && self.distance(column) > INTEGRALITY)
            .map(|&column| sum.of(column).abs())
            .filter(|&by| by > 0.0)
            .collect();
        divisors.sort_by(f64::total_cmp);
        divisors.dedup_by(|left, right| (*left - *right).abs() < 1e-9);
        let step = divisors.len().div_ceil(MOST_DIVISORS).max(1);
        let deepest = |divisors: &mut dyn Iterator<Item = f64>| {
            let tried = divisors.map(|by| (self.depth(&sum, by), by));
            let tried = tried.filter(|(depth, _)| *depth > LEAST_DEPTH);
            tried.max_by(|left, right| left.0.total_cmp(&right.0))
        };
        let (_, divisor) = deepest(&mut divisors.into_iter().step_by(step))?;
        // Smaller steps round finer.
        let (_, divisor) = deepest(&mut [1.0, 2.0, 4.0, 8.0].iter().map(|by| divisor / by))?;
        let rows = sum.rows.iter().filter(|(_, by)| by.abs() > 1e-9);
        Some(rows.map(|&(row, by)| (row, by / divisor)).collect())
    }

    /// By how much the point misses the cut of the sum over the divisor, relative to its length.
    fn depth(&self, sum: &Sum, divisor: f64) -> f64 {
        // Σ by · t = side, with every t measured from the end that is nearer.
        let mut side = 0.0;
        let mut parts: Vec<(f64, f64, bool)> = Vec::with_capacity(sum.columns.len());
        for &column in sum.columns.keys() {
            let by = sum.of(column) / divisor;
            if by == 0.0 {
                continue;
            }
            let (lower, upper) = (
                self.mip.root.0[column] as f64,
                self.mip.root.1[column] as f64,
            );
            let value = self.primal[column];
            let at_upper = value - lower > upper - value;
            let end = if at_upper { upper } else { lower };
            side -= by * end;
            let by = if at_upper { -by } else { by };
            parts.push((by, (value - end).abs(), self.mip.integer[column]));
        }
        for &(row, by) in &sum.rows {
            let by = by / divisor;
            let sides = self.mip.sides[row];
            let lower = sides.lower.map(|side| side as f64);
            let upper = sides.upper.map(|side| side as f64);
            let at_upper = match (lower, upper) {
                (Some(lower), Some(upper)) => self.sums[row] - lower > upper - self.sums[row],
                (lower, _) => lower.is_none(),
            };
            let Some(end) = (if at_upper { upper } else { lower }) else {
                return 0.0;
            };
            side += by * end;
            if lower != upper {
                let by = if at_upper { by } else { -by };
                parts.push((by, (self.sums[row] - end).abs(), self.whole[row]));
            }
        }
        let part = side - side.floor();
        if !(0.01..=0.99).contains(&part) {
            return 0.0;
        }
        let (mut reached, mut squares) = (0.0, 0.0);
        for (by, value, is_integer) in parts {
            let own = by - by.floor();
            let gamma = match is_integer {
                true if own <= part => own * (1.0 - part),
                true => (1.0 - own) * part,
                false if by > 0.0 => by * (1.0 - part),
                false => -by * part,
            };
            reached += gamma * value;
            squares += gamma * gamma;
        }
        (part * (1.0 - part) - reached) / squares.sqrt().max(1e-9)
    }
}
