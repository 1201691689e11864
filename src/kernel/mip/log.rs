//! What a search proves, written down while it runs: which row narrowed which box, how a cut follows,
//! where a node was split and why it was closed.
//!
//! **Invariant:** a refutation speaks of the program that was given, its columns and its rows, and of
//! rows that it derives from them; numbers are exact. Boxes of whoever follows it step by step are
//! those of the search or smaller.

use num_bigint::BigInt;
use num_traits::Zero;

use super::cuts::{From, Measured};
use super::{Mip, MixedProgram, Question};
use crate::budget::Budget;
use crate::lp::LpRow;
use crate::num::{Rational, int};
use crate::outcome::Stop;
use crate::program::{Id, RowId, Term, VarId, normalized};

/// A row of a refutation.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum ProofRow {
    /// A row of the program.
    Given(RowId),
    /// A row that was derived, by its place.
    Derived(usize),
}

/// One side of a row: its upper one, or its lower one negated.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub struct ProofSide {
    /// The row.
    pub row: ProofRow,
    /// Whether it is the upper side; derived rows have no other.
    pub is_upper: bool,
}

/// Sides with weights that are not negative.
pub type ProofSum = Vec<(ProofSide, Rational)>;

/// A row `Σ terms <= side` that follows on either side of an integer sum.
#[derive(Clone, Debug)]
pub struct Rounding {
    /// The row.
    pub terms: Vec<Term>,
    /// Its side.
    pub side: Rational,
    /// The integer sum,
    pub at: Vec<Term>,
    /// which is at most this or at least one more.
    pub at_most: Rational,
    /// Why the row follows below and above, with the weight of the half beside the sum.
    pub halves: [(ProofSum, Rational); 2],
}

/// A step of a refutation, in prefix order: after a split comes the lower half, then the upper one.
#[derive(Clone, Debug)]
pub enum ProofStep {
    /// The side leaves less of the column.
    Cut(ProofSide, VarId),
    /// The sum leaves less of its columns.
    Tighten(ProofSum),
    /// A row follows; they are numbered in their order.
    Round(Box<Rounding>),
    /// The integer column is at most the value, or greater.
    Split(VarId, i64),
    /// The sum cannot hold, or a box is empty. Ends a branch.
    Mix(ProofSum),
}

/// Steps of one proof at most.
const MOST_STEPS: usize = 3_000_000;

/// What is known of a node.
#[derive(Debug, Default)]
struct Entry {
    steps: Vec<Logged>,
    end: Option<End>,
}

#[derive(Debug)]
enum Logged {
    Step(ProofStep),
    /// A row was derived, by its place in [`Log::derived`].
    Derived(usize),
}

#[derive(Debug)]
enum End {
    Closed(ProofSum),
    /// The column, the first value of the upper half, the lower half and the upper one.
    Split(usize, i64, [usize; 2]),
}

/// What a search writes down.
#[derive(Debug, Default)]
pub(super) struct Log {
    entries: Vec<Entry>,
    current: usize,
    /// Why the node at hand is closed, once that is known.
    closing: ProofSum,
    /// Every row that was derived.
    derived: Vec<Rounding>,
    /// Which row was derived for each row of the image after those of the program.
    pub cuts: Vec<usize>,
    steps: usize,
}

/// Proves that no point of a program costs less than the limit, or that it has none; `None` if that
/// is wrong, or cannot be written down.
pub fn refute(
    program: &MixedProgram,
    limit: Option<Rational>,
    budget: &mut Budget,
) -> Result<Option<Vec<ProofStep>>, Stop> {
    let Some(mut mip) = Mip::new(program).filter(|mip| mip.grid.is_exact) else {
        return Ok(None);
    };
    let log = Log {
        entries: vec![Entry::default()],
        ..Log::default()
    };
    mip.log = Some(Box::new(log));
    for &(row, is_upper, column) in &mip.grid.closed_by.clone() {
        mip.log_cut(row.index(), is_upper, column.index());
    }
    mip.limit = limit.map(|limit| mip.limit_at(limit, true));
    mip.open.push(super::node::Node::root());
    mip.exhaust(&Question::default(), budget, &mut |_, _| {})?;
    let is_refuted = mip.best.is_none();
    let log = mip
        .log
        .take()
        .filter(|log| is_refuted && log.steps < MOST_STEPS);
    Ok(log.and_then(|log| log.written()))
}

impl Mip {
    /// What the image multiplies a row by, and what the row is in the program.
    fn row_of_proof(&self, row: usize) -> (ProofRow, Rational) {
        let given = self.grid.row_scales.len();
        match (row.checked_sub(given), &self.log) {
            (Some(cut), Some(log)) => (ProofRow::Derived(log.cuts[cut]), int(1)),
            _ => (
                ProofRow::Given(RowId::new(row)),
                self.grid.row_scales[row].clone(),
            ),
        }
    }

    fn side_of_proof(&self, row: usize, is_upper: bool) -> ProofSide {
        let (row, _) = self.row_of_proof(row);
        match row {
            ProofRow::Given(_) => ProofSide { row, is_upper },
            // Cuts are lower sides, and derived rows upper ones.
            ProofRow::Derived(_) => ProofSide {
                row,
                is_upper: true,
            },
        }
    }

    /// The multipliers of the image's rows as a sum of sides.
    fn sum_of_proof(&self, multipliers: impl Iterator<Item = (usize, Rational)>) -> ProofSum {
        let items = multipliers
            .filter(|(_, by)| !by.is_zero())
            .map(|(row, by)| {
                let is_upper = by < Rational::zero();
                let (_, scale) = self.row_of_proof(row);
                let by = if is_upper { -by } else { by };
                (self.side_of_proof(row, is_upper), by * scale)
            });
        items.collect()
    }

    /// A row has narrowed a column.
    pub(super) fn log_cut(&mut self, row: usize, is_upper: bool, column: usize) {
        if self.log.is_some() {
            let step = ProofStep::Cut(self.side_of_proof(row, is_upper), VarId::new(column));
            self.log_step(step);
        }
    }

    /// A row cannot hold.
    pub(super) fn log_dead_row(&mut self, row: usize, is_upper: bool) {
        if self.log.is_some() {
            let side = self.side_of_proof(row, is_upper);
            self.log_closing(vec![(side, int(1))]);
        }
    }

    /// The last safe bound closes the node.
    pub(super) fn log_bound(&mut self) {
        if self.log.is_some() {
            let sum = self.last_proof();
            self.log_closing(sum);
        }
    }

    /// Multipliers of the exact program's rows close the node.
    pub(super) fn log_exact<'m>(&mut self, multipliers: impl Iterator<Item = &'m Rational>) {
        if self.log.is_some() {
            let given = self.grid.row_scales.len();
            // The exact program has the program's rows as they are.
            let unscaled = multipliers.enumerate().map(|(row, by)| match row < given {
                true => (row, by / &self.grid.row_scales[row]),
                false => (row, by.clone()),
            });
            let sum = self.sum_of_proof(unscaled);
            self.log_closing(sum);
        }
    }

    /// The reduced costs of the last safe bound narrow boxes.
    pub(super) fn log_reduced_costs(&mut self) {
        if self.log.is_some() {
            let sum = self.last_proof();
            self.log_step(ProofStep::Tighten(sum));
        }
    }

    fn last_proof(&self) -> ProofSum {
        let multipliers = self.proof.multipliers().iter();
        self.sum_of_proof(multipliers.map(|&(row, by)| (row, int(by))))
    }

    fn log_step(&mut self, step: ProofStep) {
        if let Some(log) = &mut self.log
            && log.steps < MOST_STEPS
        {
            log.steps += match &step {
                ProofStep::Tighten(sum) => 1 + sum.len(),
                _ => 1,
            };
            log.entries[log.current].steps.push(Logged::Step(step));
        }
    }

    fn log_closing(&mut self, sum: ProofSum) {
        if let Some(log) = &mut self.log {
            log.closing = sum;
        }
    }

    /// A node is looked at.
    pub(super) fn log_enters(&mut self, node: usize) {
        if let Some(log) = &mut self.log {
            log.current = node;
            log.closing.clear();
        }
    }

    /// The node at hand is closed.
    pub(super) fn log_closed(&mut self) {
        if let Some(log) = &mut self.log {
            let sum = std::mem::take(&mut log.closing);
            log.steps += 1 + sum.len();
            log.entries[log.current].end = Some(End::Closed(sum));
        }
    }

    /// The node at hand is split: the numbers of the lower and the upper half.
    pub(super) fn log_split(&mut self, column: usize, above: i64) -> [usize; 2] {
        let Some(log) = &mut self.log else {
            return [0, 0];
        };
        let halves = [log.entries.len(), log.entries.len() + 1];
        log.entries.extend([Entry::default(), Entry::default()]);
        log.entries[log.current].end = Some(End::Split(column, above, halves));
        halves
    }

    /// A cut was derived; its number.
    pub(super) fn log_derived(&mut self, rounding: Rounding) -> usize {
        let Some(log) = &mut self.log else { return 0 };
        log.derived.push(rounding);
        let number = log.derived.len() - 1;
        // It holds everywhere, and leans on the boxes of the root.
        log.entries[0].steps.push(Logged::Derived(number));
        number
    }

    /// How a cut `Σ by · t = side` follows, all in the unit: `cut` is `scale` times the sum of the
    /// `gammas`, which are at least `factor` times those of the rounded row.
    pub(super) fn rounding(
        &self,
        measured: &[(Measured, i128)],
        (side, unit): (i128, i128),
        factor: &Rational,
        scale: &Rational,
        (cut, lower): (&LpRow, Rational),
    ) -> Rounding {
        let number = |number: i128| Rational::from_integer(BigInt::from(number));
        let (part, mut at_most) = (side.rem_euclid(unit), side.div_euclid(unit));
        let rest = unit - part;
        let mut at: Vec<(usize, i128)> = Vec::new();
        let mut halves: [ProofSum; 2] = Default::default();
        for (it, gamma) in measured {
            // The integer part of the coefficient, and what is left of it.
            let own = it.by.rem_euclid(unit);
            let whole = match it.is_integer {
                true => it.by.div_euclid(unit) + i128::from(own > part),
                false => 0,
            };
            let left = it.by - whole * unit;
            if whole != 0 {
                // whole · (x − end), or whole · (end − x).
                let by = if it.at_upper { -whole } else { whole };
                at_most += by * i128::from(it.end);
                match it.from {
                    From::Column(column) => at.push((column, by)),
                    From::Row(row) => {
                        let terms = &self.problem.rows[row].terms;
                        at.extend(
                            terms
                                .iter()
                                .map(|&(column, own)| (column, by * i128::from(own))),
                        );
                    }
                }
            }
            if let From::Row(row) = it.from {
                let (_, row_scale) = self.row_of_proof(row);
                let side = self.side_of_proof(row, it.at_upper);
                let below = number(*gamma) - factor * number(rest * left);
                let above = number(*gamma) + factor * number(part * left);
                for (half, by) in halves.iter_mut().zip([below, above]) {
                    if !by.is_zero() {
                        half.push((side, by * scale * &row_scale));
                    }
                }
            }
        }
        let at = at
            .into_iter()
            .map(|(column, by)| (VarId::new(column), number(by)));
        let [below, above] = halves;
        let half = |part: i128| factor * scale * number(part) * number(unit);
        let terms = cut.terms.iter().map(|&(column, by)| {
            let grid = Rational::from_integer(self.grid.grid[column].clone());
            (VarId::new(column), -int(by) * grid)
        });
        Rounding {
            terms: terms.collect(),
            side: -lower,
            at: normalized(at.collect()),
            at_most: number(at_most),
            halves: [(below, half(rest)), (above, half(part))],
        }
    }
}

impl Log {
    /// The steps in order, with the derived rows that are needed.
    fn written(mut self) -> Option<Vec<ProofStep>> {
        let numbers = self.needed();
        let mut steps = Vec::with_capacity(self.steps);
        let mut derived: Vec<Option<Rounding>> = self.derived.drain(..).map(Some).collect();
        let mut nodes = vec![0];
        while let Some(node) = nodes.pop() {
            for logged in std::mem::take(&mut self.entries[node].steps) {
                let step = match logged {
                    Logged::Step(step) => Some(step),
                    Logged::Derived(number) => derived[number]
                        .take_if(|_| numbers[number].is_some())
                        .map(|rounding| ProofStep::Round(Box::new(rounding))),
                };
                steps.extend(step.map(|step| renamed(step, &numbers)));
            }
            match self.entries[node].end.take()? {
                End::Closed(sum) => {
                    steps.push(renamed(ProofStep::Mix(sum), &numbers));
                }
                End::Split(column, above, [lower, upper]) => {
                    steps.push(ProofStep::Split(VarId::new(column), above - 1));
                    nodes.extend([upper, lower]);
                }
            }
        }
        Some(steps)
    }

    /// The new number of every derived row that something leans on.
    fn needed(&self) -> Vec<Option<usize>> {
        let mut needed = vec![false; self.derived.len()];
        let mark = |sum: &ProofSum, needed: &mut Vec<bool>| {
            for (side, _) in sum {
                if let ProofRow::Derived(number) = side.row {
                    needed[number] = true;
                }
            }
        };
        for entry in &self.entries {
            for logged in &entry.steps {
                match logged {
                    Logged::Step(ProofStep::Cut(side, _)) => {
                        mark(&vec![(*side, int(1))], &mut needed);
                    }
                    Logged::Step(ProofStep::Tighten(sum)) => mark(sum, &mut needed),
                    _ => {}
                }
            }
            if let Some(End::Closed(sum)) = &entry.end {
                mark(sum, &mut needed);
            }
        }
        for number in (0..self.derived.len()).rev() {
            if needed[number] {
                for (sum, _) in &self.derived[number].halves {
                    mark(sum, &mut needed);
                }
            }
        }
        let mut next = 0;
        let numbered = needed.into_iter().map(|needed| {
            needed.then(|| {
                next += 1;
                next - 1
            })
        });
        numbered.collect()
    }
}

/// Calls derived rows by their new numbers.
fn renamed(mut step: ProofStep, numbers: &[Option<usize>]) -> ProofStep {
    let side = |side: &mut ProofSide| {
        if let ProofRow::Derived(number) = &mut side.row {
            *number = numbers[*number].expect("invariant: what is leant on is needed");
        }
    };
    let sum = |sum: &mut ProofSum| sum.iter_mut().for_each(|(it, _)| side(it));
    match &mut step {
        ProofStep::Cut(it, _) => side(it),
        ProofStep::Tighten(it) | ProofStep::Mix(it) => sum(it),
        ProofStep::Round(rounding) => rounding.halves.iter_mut().for_each(|(it, _)| sum(it)),
        ProofStep::Split(..) => {}
    }
    step
}
