//! Whole variables of the first stage, by branch and bound.
//!
//! Nothing is decided before the first stage, so whole variables there do not disturb the corners
//! of what follows. The first stage is solved with its whole variables relaxed; where its linear
//! program proposes a fraction, the box is split in two. Cuts speak about what follows and hold in
//! every box.

use num_traits::One;

use super::Engine;
use super::visit::{Verdict, Window};
use crate::budget::Budget;
use crate::num::Rational;
use crate::outcome::Stop;
use crate::program::{Bounds, Kind};

/// The ranges of the first stage's columns.
type Ranges = Vec<Bounds>;

impl Engine<'_> {
    /// Solves the first stage; `false` if the existential player loses.
    ///
    /// Post: `reached` and `best[0]` are the value and the moves that reach it.
    pub(super) fn solve_first_stage(&mut self, budget: &mut Budget) -> Result<bool, Stop> {
        let mut boxes = vec![self.first_box()];
        let mut at_root = true;
        while let Some(ranges) = boxes.pop() {
            if !at_root {
                self.watches_bound = false;
                self.stages[0].set_bounds(&ranges);
            }
            at_root = false;
            let window = Window {
                beta: self.reached.as_ref().map(|(value, _)| value.clone()),
                ..Window::default()
            };
            match self.visit(0, &window, budget)? {
                Verdict::Exact(value, _) => self.keep(value),
                Verdict::Fractional(column, value) => boxes.extend(halves(&ranges, column, &value)),
                Verdict::AtMost(_) | Verdict::AtLeast(_) | Verdict::Infeasible(_) => {}
            }
        }
        let found = self.reached.clone();
        if let Some((_, moves)) = &found {
            self.best[0] = moves.clone();
        }
        Ok(found.is_some())
    }

    fn first_box(&self) -> Ranges {
        let variables = self.stages[0].columns.iter();
        variables
            .map(|var| self.program.variables()[*var].domain())
            .collect()
    }

    fn keep(&mut self, value: Rational) {
        if self.reached.as_ref().is_none_or(|(best, _)| value < *best) {
            self.reached = Some((value, self.best[0].clone()));
        }
    }

    /// The first whole column that is proposed a fraction; there are none after the first stage.
    pub(super) fn fraction(&self, stage: usize) -> Option<(usize, Rational)> {
        if stage > 0 {
            return None;
        }
        let columns = self.stages[stage].columns.iter().enumerate();
        let mut broken = columns.filter(|(_, var)| {
            self.program.variables()[**var].kind == Kind::Integer
                && !self.values[**var].is_integer()
        });
        let (place, var) = broken.next()?;
        Some((place, self.values[*var].clone()))
    }
}

/// The box below and the box above a fraction; the nearer one comes last, to be taken first.
fn halves(ranges: &Ranges, column: usize, value: &Rational) -> [Ranges; 2] {
    let floor = value.floor();
    let (mut below, mut above) = (ranges.clone(), ranges.clone());
    above[column].lower = Some(&floor + Rational::one());
    let up = value - &floor > Rational::new(1.into(), 2.into());
    below[column].upper = Some(floor);
    if up { [below, above] } else { [above, below] }
}
