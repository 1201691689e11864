//! Foresight: the quantified linear program of the root, once the search has shown itself hard.
//!
//! Its value is the strongest bound that linear programs give, but its tree of corners grows with
//! the universal variables. So it is asked only where they are few, and between slices of the search
//! that grow, until it has answered: each time it may take a part of what the search has taken.

use crate::budget::Limits;
use crate::num::Rational;
use crate::outcome::cost_of_objective;
use crate::program::Quantifier;
use crate::relax::{QlpBound, qlp_bound};
use crate::search::Search;
use crate::search::worth::{LOST, Worth};

/// More universal variables have too many corners.
const MOST_UNIVERSALS: usize = 10;

/// Larger programs have too large linear programs.
const LARGEST: usize = 600;

/// What a linear program of the decomposition is worth in positions, for each of its rows and columns.
/// Exact arithmetic makes it dear: on assignment programs of 170 rows and columns it took three
/// milliseconds, and a fixed number of them five times as long as the rest of the search.
const POSITIONS_PER_SIZE: u64 = 16;

impl Search<'_> {
    /// What the quantified linear program proves about the root, if it is worth no more than so many
    /// positions; nothing where it is not asked.
    pub(in crate::search) fn foreseen(&mut self, positions: u64) -> Option<Worth> {
        let variables = self.program.variables();
        let is_universal = |quantifier: Quantifier| quantifier == Quantifier::Forall;
        let universals = variables
            .iter()
            .filter(|it| is_universal(it.quantifier))
            .count();
        let size = variables.len() + self.program.rows().len();
        let asks = self.settings.foresight
            && self.may_cut_by_cost
            && (1..=MOST_UNIVERSALS).contains(&universals)
            && size <= LARGEST;
        if !asks {
            return None;
        }
        let limits = Limits {
            time: self.budget.remaining(),
            nodes: Some(positions / (POSITIONS_PER_SIZE * size as u64)),
            ..Limits::default()
        };
        // A stop leaves the bound as it is; the search goes on, or stops by itself.
        match qlp_bound(self.program, &mut self.budget.part(limits)) {
            Ok(QlpBound::Infeasible) => Some(LOST),
            Ok(QlpBound::Objective(value)) => self.worth_of_at_least(value),
            Ok(QlpBound::Unknown) | Err(_) => None,
        }
    }

    /// The smallest worth of a play whose objective is no better than `value`.
    fn worth_of_at_least(&self, value: Rational) -> Option<Worth> {
        let cost = cost_of_objective(self.program, value);
        let floor = self.inequalities.scaled_cost_floor(&cost)?;
        Some(floor + Worth::from(self.inequalities.cost(floor) < cost))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::budget::Budget;
    use crate::games::random::{RandomShape, random_program};
    use crate::search::Settings;

    #[test]
    fn what_is_foreseen_never_exceeds_the_worth() {
        let (mut free, mut foreseen, mut exact) = (0, 0, 0);
        for seed in 0..1500 {
            let program = random_program(seed, &RandomShape::small());
            if program.first_empty_domain().is_some() {
                continue;
            }
            let mut budget = Budget::unlimited();
            let Ok(mut search) = Search::new(&program, &Settings::default(), &mut budget) else {
                continue;
            };
            free += u32::from(search.foreseen(1).is_some());
            if let Some(bound) = search.foreseen(u64::MAX) {
                let worth = search.root_worth().expect("nothing limits it");
                assert!(bound <= worth, "seed {seed}: {bound} above {worth}");
                foreseen += 1;
                exact += u32::from(bound == worth);
            }
        }
        assert!(
            foreseen > 300 && exact > 100,
            "{foreseen} bounds, {exact} of them the worth"
        );
        // Some programs are decided without a linear program; the others were not worth one.
        assert!(
            2 * free < foreseen,
            "{free} of {foreseen} bounds for nothing"
        );
    }
}
