//! Cuts by mixed-integer rounding, at the root and at some nodes.
//!
//! Rows of the tableau (Gomory 1960) and paths of rows ([`super::paths`]) are combinations of rows. With every column and every row's sum measured
//! from an end (`t >= 0`) it reads `Σ a·t = b`; if `b` has the fractional part `f`, every point
//! satisfies `Σ γ·t >= f (1 − f)` with `γ` from the fractional parts of `a` for integer `t`, and
//! from `a` itself for real `t`. That holds for *any* multipliers: floats suggest
//! them, they are read as simple fractions, and the cut is derived from those in exact numbers.
//! Coefficients are rounded up, which `t >= 0` allows.
//!
//! **Invariant:** a cut holds for every point of the program.

use num_integer::Integer;
use num_traits::ToPrimitive;

use super::Mip;
use super::log::Rounding;
use super::paths::Paths;
use crate::budget::Budget;
use crate::lp::{LpRow, LpVerdict};
use crate::num::tolerance::INTEGRALITY;
use crate::num::{Rational, int, simplest_near};
use crate::outcome::Stop;
use crate::program::{Id, Row, VarId};

/// Rounds of cuts at most.
const ROUNDS: usize = 16;

/// Cuts of a round at most.
const MOST_OF_A_ROUND: usize = 200;

/// Cuts of a node at most.
const MOST_OF_A_NODE: usize = 20;

/// Rounds end when they have taken so many times the iterations of the first linear program.
const PATIENCE: u64 = 8;

/// Rows of the tableau that are tried in a round.
const MOST_TRIED: usize = 60;

/// Multipliers below this are noise.
const NOISE: f64 = 1e-9;

/// Multipliers are multiples of a fraction with at most this denominator.
const FINEST: i128 = 1 << 26;

/// Coefficients of a cut in `t` are integers up to this.
const FINENESS: i128 = 1 << 16;

/// Coefficients in the columns stay below this,
const LARGEST: i128 = 1 << 40;

/// and the largest is at most so many times the least: others make linear programs slow.
const WIDEST: u64 = 1 << 20;

/// Cuts of more terms than this and a part of all columns are too dense.
const DENSE: (usize, usize) = (100, 4);

/// Two cuts whose cosine is above this say the same.
const ALIKE: f64 = 0.8;

/// A cut must be missed by this much, relative to its length.
const LEAST_DEPTH: f64 = 1e-4;

impl Mip {
    /// Adds cuts while they raise the bound, and keeps those that bind.
    pub(super) fn cut_the_root(&mut self, budget: &mut Budget) -> Result<LpVerdict, Stop> {
        let base = self.problem.rows.len();
        let mut verdict = LpVerdict::Optimal;
        let mut stalled = 0;
        let begun = self.solver.counters().iterations;
        let longest = PATIENCE * self.first_iterations + 2_000;
        for _ in 0..ROUNDS {
            if self.solver.counters().iterations - begun > longest
                || verdict != LpVerdict::Optimal
                || !self.has_fraction()
                || stalled >= 3
            {
                break;
            }
            budget.look()?;
            let before = self.solver.objective();
            let cuts = self.round_of_cuts(true, budget)?;
            if cuts.is_empty() {
                break;
            }
            self.add_cuts(cuts);
            verdict = self.solve_lp(budget)?;
            if verdict != LpVerdict::Optimal {
                break;
            }
            let rise = self.solver.objective() - before;
            let is_much = rise > 1e-4 * before.abs().max(1.0);
            stalled = if is_much { 0 } else { stalled + 1 };
            self.drop_slack_cuts(base);
            verdict = self.solve_lp(budget)?;
        }
        Ok(verdict)
    }

    /// One round of cuts at a node; they hold everywhere and stay.
    pub(super) fn cut_a_node(&mut self, budget: &mut Budget) -> Result<LpVerdict, Stop> {
        let base = self.grid.problem.rows.len();
        if self.problem.rows.len() > base + base / 2 + 100 {
            self.drop_slack_cuts(base);
        }
        let mut cuts = self.round_of_cuts(false, budget)?;
        cuts.truncate(MOST_OF_A_NODE);
        if cuts.is_empty() {
            return Ok(LpVerdict::Optimal);
        }
        self.add_cuts(cuts);
        self.solve_lp(budget)
    }

    /// The cuts that paths suggest, and the present tableau, deepest first.
    fn round_of_cuts(&mut self, with_tableau: bool, budget: &mut Budget) -> Result<Vec<Cut>, Stop> {
        let primal = self.solver.primal().to_vec();
        let columns = self.integer.len();
        let fraction = |at: usize| (primal[at] - primal[at].round()).abs();
        let mut wanted: Vec<usize> = (0..columns)
            .filter(|&at| self.integer[at] && fraction(at) > 0.005)
            .collect();
        wanted.sort_by(|&left, &right| fraction(right).total_cmp(&fraction(left)));
        wanted.truncate(if with_tableau { MOST_TRIED } else { 0 });
        let tableau = self.solver.tableau_rows(|at| wanted.contains(&at));
        let sums: Vec<f64> = self
            .problem
            .rows
            .iter()
            .map(|row| float_sum(row, &primal))
            .collect();
        let mut cuts: Vec<(f64, Cut)> = Vec::new();
        let paths = Paths::new(self, &primal, &sums).multipliers(budget)?;
        let tableau = tableau.into_iter().map(|(_, multipliers)| multipliers);
        for multipliers in tableau.chain(paths) {
            budget.look_sometimes()?;
            if let Some(cut) = self.derived(&multipliers, &primal, &sums) {
                let depth = depth(&cut.row, &primal);
                if depth > LEAST_DEPTH && !cuts.iter().any(|(_, other)| other.row == cut.row) {
                    cuts.push((depth, cut));
                }
            }
        }
        cuts.sort_by(|left, right| right.0.total_cmp(&left.0));
        let most = (20 + columns / 4).min(MOST_OF_A_ROUND);
        let mut chosen: Vec<Cut> = Vec::new();
        for (_, cut) in cuts {
            let is_alike = |other: &Cut| cosine(&other.row, &cut.row) >= ALIKE;
            if chosen.len() < most && !chosen.iter().any(is_alike) {
                chosen.push(cut);
            }
        }
        Ok(chosen)
    }

    /// The cut of a combination of rows, if it has one.
    fn derived(&self, multipliers: &[(usize, f64)], primal: &[f64], sums: &[f64]) -> Option<Cut> {
        let (weights, unit) = weights(multipliers)?;
        let mut columns = vec![0i128; primal.len()];
        for &(row, weight) in &weights {
            for &(column, by) in &self.problem.rows[row].terms {
                let more = weight.checked_mul(by.into())?;
                columns[column] = columns[column].checked_add(more)?;
            }
        }
        let mut measured: Vec<Measured> = Vec::with_capacity(weights.len() + 16);
        let mut side = 0i128;
        for (column, &by) in columns.iter().enumerate().filter(|(_, by)| **by != 0) {
            let (lower, upper) = (self.root.0[column], self.root.1[column]);
            let at_upper = primal[column] - lower as f64 > upper as f64 - primal[column];
            let end = if at_upper { upper } else { lower };
            side = side.checked_sub(by.checked_mul(end.into())?)?;
            measured.push(Measured {
                from: From::Column(column),
                end,
                at_upper,
                is_integer: self.integer[column],
                by: if at_upper { -by } else { by },
            });
        }
        for (row, weight) in weights {
            let sides = self.sides[row];
            let at_upper = match (sides.lower, sides.upper) {
                (Some(lower), Some(upper)) => sums[row] - lower as f64 > upper as f64 - sums[row],
                (lower, _) => lower.is_none(),
            };
            let end = if at_upper { sides.upper? } else { sides.lower? };
            side = side.checked_add(weight.checked_mul(end.into())?)?;
            let terms = &self.problem.rows[row].terms;
            measured.push(Measured {
                from: From::Row(row),
                end,
                at_upper,
                is_integer: terms.iter().all(|&(column, _)| self.integer[column]),
                by: if at_upper { weight } else { -weight },
            });
        }
        self.rounded(&measured, side, unit)
    }

    /// The cut of `Σ by · t = side`, all in the unit, over the columns.
    fn rounded(&self, measured: &[Measured], side: i128, unit: i128) -> Option<Cut> {
        let part = side.rem_euclid(unit);
        let rest = unit - part;
        if part.min(rest) * 200 < unit {
            return None;
        }
        let gamma = |it: &Measured| {
            if it.is_integer {
                let own = it.by.rem_euclid(unit);
                match own <= part {
                    true => own.checked_mul(rest),
                    false => (unit - own).checked_mul(part),
                }
            } else if it.by > 0 {
                it.by.checked_mul(rest)
            } else {
                (-it.by).checked_mul(part)
            }
        };
        let gammas: Vec<i128> = measured.iter().map(gamma).collect::<Option<_>>()?;
        let least = part.checked_mul(rest)?;
        let numbers = gammas.iter().copied().chain([least]);
        let largest = numbers.clone().max()?;
        let divisor = numbers.fold(0, |divisor: i128, next| divisor.gcd(&next));
        // Exact where that makes small numbers, rounded so that the cut stays valid elsewhere.
        let (factor, divisor) = match largest / divisor <= FINENESS {
            true => (1, divisor),
            false => (FINENESS, largest),
        };
        let mut lower = least.checked_mul(factor)? / divisor;
        let mut sum = vec![0i128; self.integer.len()];
        let gammas = gammas.iter().map(|gamma| gamma.checked_mul(factor));
        let gammas = gammas.map(|gamma| Some(Integer::div_ceil(&gamma?, &divisor)));
        let gammas: Vec<i128> = gammas.collect::<Option<_>>()?;
        let shrunk = (factor, divisor);
        for (it, by) in measured.iter().zip(gammas.iter().copied()) {
            if by == 0 {
                continue;
            }
            // by · (x − end), or by · (end − x).
            let by = if it.at_upper { -by } else { by };
            lower = lower.checked_add(by.checked_mul(it.end.into())?)?;
            match it.from {
                From::Column(column) => sum[column] = sum[column].checked_add(by)?,
                From::Row(row) => {
                    for &(column, factor) in &self.problem.rows[row].terms {
                        let more = by.checked_mul(factor.into())?;
                        sum[column] = sum[column].checked_add(more)?;
                    }
                }
            }
        }
        let mut terms: Vec<(usize, i64)> = Vec::new();
        for (column, by) in sum.into_iter().enumerate() {
            if by.abs() >= LARGEST {
                return None;
            }
            if by != 0 {
                terms.push((column, by as i64));
            }
        }
        let sizes = || terms.iter().map(|term| term.1.unsigned_abs());
        let is_wide = sizes().max() > sizes().min().map(|least| least.saturating_mul(WIDEST));
        if is_wide || terms.len() > DENSE.0 + self.integer.len() / DENSE.1 {
            return None;
        }
        let divisor = terms
            .iter()
            .fold(0i64, |divisor, term| divisor.gcd(&term.1));
        if divisor == 0 || lower.abs() >= 1 << 60 {
            return None;
        }
        for term in &mut terms {
            term.1 /= divisor;
        }
        let unreduced = lower;
        let is_whole = terms.iter().all(|&(column, _)| self.integer[column]);
        // Sums of integers are rounded up, others keep their side by a common factor.
        let (factor, lower) = match (lower % i128::from(divisor) == 0, is_whole) {
            (true, _) => (1, lower / i128::from(divisor)),
            (false, true) => (1, Integer::div_ceil(&lower, &i128::from(divisor))),
            (false, false) => (divisor, lower),
        };
        for term in &mut terms {
            term.1 *= factor;
        }
        let row = LpRow {
            terms,
            lower: Some(i64::try_from(lower).ok()?),
            upper: None,
        };
        let rounding = self.log.is_some().then(|| {
            let whole = |number: i128| Rational::from_integer(number.into());
            let scale = int(factor) / int(divisor);
            let exact_lower = whole(unreduced) * &scale;
            let measured: Vec<_> = measured.iter().copied().zip(gammas).collect();
            let shrunk = whole(shrunk.0) / whole(shrunk.1);
            self.rounding(
                &measured,
                (side, unit),
                &shrunk,
                &scale,
                (&row, exact_lower),
            )
        });
        Some(Cut {
            row,
            origin: Origin::of(rounding),
        })
    }

    fn add_cuts(&mut self, cuts: Vec<Cut>) {
        let mut rows = Vec::with_capacity(cuts.len());
        for cut in cuts {
            let number = match cut.origin {
                Origin::Known(number) => number,
                Origin::New(rounding) => self.log_derived(*rounding),
                Origin::Untold => 0,
            };
            if let Some(log) = &mut self.log {
                log.cuts.push(number);
            }
            rows.push(cut.row);
        }
        for cut in &rows {
            let terms = cut.terms.iter();
            let terms = terms.map(|&(column, by)| (VarId::new(column), int(by)));
            self.exact.rows.push(Row {
                name: None,
                terms: terms.collect(),
                lower: cut.lower.map(int),
                upper: cut.upper.map(int),
            });
            self.rows.push(cut);
            self.sides.push(cut.sides());
        }
        self.solver.add_rows(&rows);
        self.problem.rows.extend(rows);
    }

    /// Forgets the cuts that do not bind at the present point.
    fn drop_slack_cuts(&mut self, base: usize) {
        let duals = self.solver.row_duals();
        let binds = |row: usize| duals.get(row).is_some_and(|dual| dual.abs() > NOISE);
        let kept = (base..self.problem.rows.len()).filter(|&row| binds(row));
        let cut = |row: usize| Cut {
            row: self.problem.rows[row].clone(),
            origin: match &self.log {
                Some(log) => Origin::Known(log.cuts[row - base]),
                None => Origin::Untold,
            },
        };
        let kept: Vec<Cut> = kept.map(cut).collect();
        if kept.len() == self.problem.rows.len() - base {
            return;
        }
        if let Some(log) = &mut self.log {
            log.cuts.clear();
        }
        self.problem.rows.truncate(base);
        self.sides.truncate(base);
        self.rows.truncate(base);
        self.exact.rows.truncate(base);
        self.solver.delete_rows_from(base);
        self.add_cuts(kept);
    }
}

/// A cut, and where it is from.
#[derive(Debug)]
struct Cut {
    row: LpRow,
    origin: Origin,
}

#[derive(Debug)]
enum Origin {
    /// Nobody wants to know.
    Untold,
    New(Box<Rounding>),
    /// It is in the log already.
    Known(usize),
}

impl Origin {
    fn of(rounding: Option<Rounding>) -> Self {
        rounding.map_or(Self::Untold, |it| Self::New(Box::new(it)))
    }
}

/// What a `t` measures.
#[derive(Copy, Clone, Debug)]
pub(super) enum From {
    Column(usize),
    Row(usize),
}

/// A column or a row's sum, measured from an end.
#[derive(Copy, Clone, Debug)]
pub(super) struct Measured {
    pub from: From,
    pub end: i64,
    pub at_upper: bool,
    pub is_integer: bool,
    pub by: i128,
}

/// The multipliers as integers, and the unit they are multiples of: simple fractions where they are
/// ones, so that columns of the basis drop out exactly.
fn weights(multipliers: &[(usize, f64)]) -> Option<(Vec<(usize, i128)>, i128)> {
    let multipliers = multipliers.iter().filter(|(_, by)| by.abs() > NOISE);
    let mut unit: i128 = 1;
    for (_, by) in multipliers.clone() {
        let denominator = simplest_near(*by)?.denom().to_i64()?;
        unit = unit.lcm(&denominator.into());
        if unit > FINEST {
            unit = FINEST;
            break;
        }
    }
    let weights = multipliers.map(|&(row, by)| (row, (by * unit as f64).round() as i128));
    Some((weights.filter(|weight| weight.1 != 0).collect(), unit))
}

fn float_sum(row: &LpRow, point: &[f64]) -> f64 {
    let terms = row.terms.iter();
    terms.map(|&(column, by)| by as f64 * point[column]).sum()
}

/// The cosine of the angle between two cuts.
fn cosine(one: &LpRow, two: &LpRow) -> f64 {
    let length = |row: &LpRow| -> f64 {
        let squares = row.terms.iter().map(|&(_, by)| (by as f64).powi(2));
        squares.sum::<f64>().sqrt().max(INTEGRALITY)
    };
    let (mut product, mut rest) = (0.0, two.terms.iter().peekable());
    for &(column, by) in &one.terms {
        while rest.next_if(|term| term.0 < column).is_some() {}
        if let Some(&&(at, other)) = rest.peek()
            && at == column
        {
            product += by as f64 * other as f64;
        }
    }
    product / (length(one) * length(two))
}

/// By how much a point misses a cut, relative to the cut's length.
fn depth(cut: &LpRow, point: &[f64]) -> f64 {
    let squares: f64 = cut.terms.iter().map(|&(_, by)| (by as f64).powi(2)).sum();
    let missed = cut.lower.map_or(0.0, |lower| lower as f64) - float_sum(cut, point);
    missed / squares.sqrt().max(INTEGRALITY)
}
