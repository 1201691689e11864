//! One player's rows, and whether some completion still satisfies them all.
//!
//! A completion is looked for by trying all values in order, except those that break a row on its
//! own; see [`Reach`](super::reach::Reach).
//!
//! **Invariant:** `broken` and `unsettled` count the rows that are, with the places fixed that are.

use super::Halt;
use super::board::Board;
use super::reach::{Entry, Reach};
use super::reals::RealRows;
use crate::budget::Budget;
use crate::program::{Id, Program, Quantifier, Row, ScaledRow};

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

/// Values still to try at one place of a completion.
struct Trial {
    current: Option<i128>,
    next: i128,
    last: i128,
}

impl System {
    /// The system of `owner`, nothing fixed.
    pub fn new(program: &Program, board: &Board, owner: Quantifier) -> Self {
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
        for (id, row) in program.system(owner).pairs() {
            match program.scaled_row(owner, id) {
                Ok(row) => system.push_row(program, &row, &place_of),
                Err(_) => system.push_long_row(row, &place_of),
            }
        }
        system.relevant = (0..board.places.len())
            .filter(|&place| board.places[place].range.is_some())
            .filter(|&place| !system.columns[place].is_empty())
            .collect();
        system
    }

    fn push_row(&mut self, program: &Program, row: &ScaledRow, place_of: &[usize]) {
        let mut reach = Reach::new(row);
        for &(var, coefficient) in &row.terms {
            let domain = program.variables()[var].domain();
            let entry = Entry::new(self.rows.len(), coefficient, &domain);
            reach.enter(&entry);
            self.columns[place_of[var.index()]].push(entry);
        }
        self.broken += usize::from(reach.is_broken());
        self.unsettled += usize::from(!reach.is_settled());
        self.rows.push(reach);
    }

    /// A row of longer numbers: it is judged where all integers are fixed.
    fn push_long_row(&mut self, row: &Row, place_of: &[usize]) {
        for (var, _) in &row.terms {
            self.columns[place_of[var.index()]].push(Entry::unknown(self.rows.len()));
        }
        self.unsettled += 1;
        self.rows.push(Reach::never_known(row.terms.len()));
    }

    /// Fixes an integer place.
    pub fn fix(&mut self, place: usize, value: i128) {
        self.values[place] = Some(value);
        self.swap(place, |entry, reach| reach.fix(entry, value));
    }

    /// Takes [`System::fix`] back.
    pub fn unfix(&mut self, place: usize, value: i128) {
        self.values[place] = None;
        self.swap(place, |entry, reach| reach.unfix(entry, value));
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
            let (from, to) = self.rows[entry.row].window(entry);
            first = from.map_or(first, |from| first.max(from));
            last = to.map_or(last, |to| last.min(to));
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
        let relevant = std::mem::take(&mut self.relevant);
        let fixed = relevant.partition_point(|&place| place < from);
        let answer = self.has_completion(board, &relevant[fixed..], budget);
        self.relevant = relevant;
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
        while let Some(mut trial) = trials.pop() {
            let place = free[trials.len()];
            if let Some(value) = trial.current {
                self.unfix(place, value);
            }
            if trial.next <= trial.last {
                self.fix(place, trial.next);
                trial.current = Some(trial.next);
                trial.next += 1;
                trials.push(trial);
                return true;
            }
        }
        false
    }
}
