//! One player's rows, and whether some completion still satisfies them all.
//!
//! Every row keeps the smallest and largest sum it can reach over the places that are not fixed.
//! A row is *broken* when not even these extremes reach its sides, and *settled* when both extremes
//! lie inside them.
//!
//! **Invariant:** `low <= every reachable sum <= high`. The contributions of integers are exact;
//! those of reals are rounded outward, or counted as infinite when they are enormous.

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{Signed, ToPrimitive};

use super::Halt;
use super::board::Board;
use super::reals::RealRows;
use crate::budget::Budget;
use crate::num::Rational;
use crate::program::{Bounds, Id, Program, Quantifier, ScaledRow, ScalingError};

/// The rows of one player.
pub(super) struct System {
    rows: Vec<Reach>,
    /// For each place, the rows it occurs in.
    columns: Vec<Vec<Entry>>,
    /// The integer places that occur in a row, in playing order.
    relevant: Vec<usize>,
    broken: usize,
    unsettled: usize,
    /// The values of the integer places that are fixed.
    values: Vec<Option<i128>>,
    reals: RealRows,
}

/// What one row can still sum up to.
struct Reach {
    lower: Option<i128>,
    upper: Option<i128>,
    low: End,
    high: End,
}

/// An end of a range: a finite part and how many infinite contributions come on top.
#[derive(Copy, Clone, Default)]
struct End {
    finite: i128,
    infinite: usize,
}

/// A variable inside a row.
struct Entry {
    row: usize,
    coefficient: i128,
    /// The smallest and largest contribution; `None` is infinite.
    least: Option<i128>,
    most: Option<i128>,
}

impl End {
    fn add(&mut self, part: Option<i128>) {
        match part {
            Some(part) => self.finite += part,
            None => self.infinite += 1,
        }
    }

    fn remove(&mut self, part: Option<i128>) {
        match part {
            Some(part) => self.finite -= part,
            None => self.infinite -= 1,
        }
    }

    fn value(self) -> Option<i128> {
        (self.infinite == 0).then_some(self.finite)
    }
}

impl Reach {
    fn is_broken(&self) -> bool {
        let crossed =
            matches!((self.lower, self.upper), (Some(lower), Some(upper)) if lower > upper);
        let above =
            matches!((self.low.value(), self.upper), (Some(low), Some(upper)) if low > upper);
        let below =
            matches!((self.high.value(), self.lower), (Some(high), Some(lower)) if high < lower);
        crossed || above || below
    }

    fn is_settled(&self) -> bool {
        let inside = |end: End, admits: &dyn Fn(i128) -> bool| end.value().is_some_and(admits);
        self.upper
            .is_none_or(|upper| inside(self.high, &|high| high <= upper))
            && self
                .lower
                .is_none_or(|lower| inside(self.low, &|low| low >= lower))
    }
}

/// Values still to try at one place of a completion.
struct Trial {
    current: Option<i128>,
    next: i128,
    last: i128,
}

impl System {
    /// The system of `owner`, nothing fixed.
    pub fn new(program: &Program, board: &Board, owner: Quantifier) -> Result<Self, ScalingError> {
        let mut place_of = vec![0; board.places.len()];
        for (index, place) in board.places.iter().enumerate() {
            place_of[place.var.index()] = index;
        }
        let mut system = Self {
            rows: Vec::new(),
            columns: board.places.iter().map(|_| Vec::new()).collect(),
            relevant: Vec::new(),
            broken: 0,
            unsettled: 0,
            values: vec![None; board.places.len()],
            reals: RealRows::new(program, owner),
        };
        for row in program.scaled_system(owner)? {
            system.push_row(program, &row, &place_of);
        }
        system.relevant = (0..board.places.len())
            .filter(|&place| board.places[place].range.is_some())
            .filter(|&place| !system.columns[place].is_empty())
            .collect();
        Ok(system)
    }

    fn push_row(&mut self, program: &Program, row: &ScaledRow, place_of: &[usize]) {
        let mut reach = Reach {
            lower: row.lower.map(i128::from),
            upper: row.upper.map(i128::from),
            low: End::default(),
            high: End::default(),
        };
        for &(var, coefficient) in &row.terms {
            let (least, most) = contribution(coefficient, &program.variables()[var].domain());
            reach.low.add(least);
            reach.high.add(most);
            self.columns[place_of[var.index()]].push(Entry {
                row: self.rows.len(),
                coefficient: coefficient.into(),
                least,
                most,
            });
        }
        self.broken += usize::from(reach.is_broken());
        self.unsettled += usize::from(!reach.is_settled());
        self.rows.push(reach);
    }

    /// Fixes an integer place.
    pub fn fix(&mut self, place: usize, value: i128) {
        self.values[place] = Some(value);
        self.swap(place, |entry, reach| {
            let part = Some(entry.coefficient * value);
            reach.low.remove(entry.least);
            reach.low.add(part);
            reach.high.remove(entry.most);
            reach.high.add(part);
        });
    }

    /// Takes [`System::fix`] back.
    pub fn unfix(&mut self, place: usize, value: i128) {
        self.values[place] = None;
        self.swap(place, |entry, reach| {
            let part = Some(entry.coefficient * value);
            reach.low.remove(part);
            reach.low.add(entry.least);
            reach.high.remove(part);
            reach.high.add(entry.most);
        });
    }

    fn swap(&mut self, place: usize, change: impl Fn(&Entry, &mut Reach)) {
        for entry in &self.columns[place] {
            let reach = &mut self.rows[entry.row];
            self.broken -= usize::from(reach.is_broken());
            self.unsettled -= usize::from(!reach.is_settled());
            change(entry, reach);
            self.broken += usize::from(reach.is_broken());
            self.unsettled += usize::from(!reach.is_settled());
        }
    }

    /// The values of a free integer place that leave no row of its own broken; possibly none
    /// (then the first number is the larger one).
    pub fn window(&self, place: usize, range: (i128, i128)) -> (i128, i128) {
        let (mut first, mut last) = range;
        for entry in &self.columns[place] {
            let reach = &self.rows[entry.row];
            let (least, most) = (entry.least.unwrap_or(0), entry.most.unwrap_or(0));
            let divisor = entry.coefficient;
            if let (Some(low), Some(upper)) = (reach.low.value(), reach.upper) {
                // coefficient · value <= room
                let room = upper - (low - least);
                if divisor > 0 {
                    last = last.min(Integer::div_floor(&room, &divisor));
                } else {
                    first = first.max(Integer::div_ceil(&room, &divisor));
                }
            }
            if let (Some(high), Some(lower)) = (reach.high.value(), reach.lower) {
                // coefficient · value >= need
                let need = lower - (high - most);
                if divisor > 0 {
                    first = first.max(Integer::div_ceil(&need, &divisor));
                } else {
                    last = last.min(Integer::div_floor(&need, &divisor));
                }
            }
        }
        (first, last)
    }

    /// Linear programs solved so far.
    pub fn lps(&self) -> u64 {
        self.reals.lps
    }

    /// Whether some values of the places from `from` on satisfy every row.
    ///
    /// Tries all of them in order, except those that break a row on its own.
    pub fn is_alive(
        &mut self,
        board: &Board,
        from: usize,
        budget: &mut Budget,
    ) -> Result<bool, Halt> {
        let skipped = self.relevant.partition_point(|&place| place < from);
        let free = self.relevant.split_off(skipped);
        let answer = self.has_completion(board, &free, budget);
        self.relevant.extend(free);
        answer
    }

    fn has_completion(
        &mut self,
        board: &Board,
        free: &[usize],
        budget: &mut Budget,
    ) -> Result<bool, Halt> {
        let mut trials: Vec<Trial> = Vec::new();
        let alive = loop {
            budget.spend_node()?;
            if self.broken == 0 {
                if self.unsettled == 0 {
                    break true;
                }
                if let Some(&place) = free.get(trials.len()) {
                    trials.push(self.trial(board, place));
                } else if self.reals.have_solution(board, &self.values, budget)? {
                    break true;
                }
            }
            if !self.next_trial(free, &mut trials) {
                break false;
            }
        };
        for (trial, &place) in trials.iter().zip(free) {
            if let Some(value) = trial.current {
                self.unfix(place, value);
            }
        }
        Ok(alive)
    }

    fn trial(&self, board: &Board, place: usize) -> Trial {
        let range = board.places[place].range;
        let (next, last) = self.window(place, range.expect("invariant: only integers are tried"));
        Trial {
            current: None,
            next,
            last,
        }
    }

    /// Moves on to the next assignment of the tried places; `false` when there is none.
    fn next_trial(&mut self, free: &[usize], trials: &mut Vec<Trial>) -> bool {
        while let Some(trial) = trials.last_mut() {
            let (next, last) = (trial.next, trial.last);
            let place = free[trials.len() - 1];
            let trial = trials.last_mut().expect("invariant: checked above");
            if let Some(value) = trial.current.take() {
                self.unfix(place, value);
            }
            if next <= last {
                trial.current = Some(next);
                trial.next = next + 1;
                self.fix(place, next);
                return true;
            }
            trials.pop();
        }
        false
    }
}

/// The smallest and largest multiple of a variable; an end beyond 2¹⁰⁰ counts as infinite, so that
/// no sum of contributions can overflow.
fn contribution(coefficient: i64, domain: &Bounds) -> (Option<i128>, Option<i128>) {
    let (least, most) = if coefficient > 0 {
        (&domain.lower, &domain.upper)
    } else {
        (&domain.upper, &domain.lower)
    };
    let multiple = |bound: &Rational| bound * BigInt::from(coefficient);
    let moderate = |value: BigInt| value.to_i128().filter(|value| value.abs() < 1 << 100);
    (
        least
            .as_ref()
            .and_then(|bound| moderate(multiple(bound).floor().to_integer())),
        most.as_ref()
            .and_then(|bound| moderate(multiple(bound).ceil().to_integer())),
    )
}
