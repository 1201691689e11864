//! Rows that linear programs leave: combinations of rows, asked again at other positions.
//!
//! What a linear program proves at one position it proves by multipliers, and those make a row that
//! holds in every play (`propagate/combination.rs`). At another position the row is a bound for the
//! price of one pass over its terms.
//!
//! **Soundness.** The row follows from the existential rows and the cost; its numbers are exact. It is
//! read as rows are read in propagation, with open free universals at their worst.

use crate::program::{Id, Quantifier, VarId};
use crate::propagate::Said;
use crate::search::Search;
use crate::search::worth::Window;

/// Rows that are kept at a time.
pub(in crate::search) const ROOM: usize = 64;

impl Search<'_> {
    /// Keeps the combination that the last linear program proved.
    pub(in crate::search) fn keep_combination(&mut self, is_cost: bool) {
        if let Some(guide) = self.guide.as_mut().filter(|_| self.settings.combine) {
            let combination = guide.combination(is_cost);
            let store = &mut self.position.store;
            let kept = combination.and_then(|it| store.keep_combination(it));
            guide.kept += u64::from(kept.is_some_and(|(is_new, _)| is_new));
        }
    }

    /// Keeps the combination that the last linear program proved, and has it narrow the present
    /// block.
    pub(in crate::search) fn narrow_by_combination(&mut self) {
        let Some(guide) = self.guide.as_mut().filter(|_| self.settings.combine) else {
            return;
        };
        let store = &mut self.position.store;
        let combination = guide.combination(true);
        let kept = combination.and_then(|it| store.keep_combination(it));
        let passed = self.position.passed();
        if let Some((is_new, id)) = kept {
            guide.kept += u64::from(is_new);
            let block = guide.block_from(passed);
            self.position.store.ask_combination(id, block);
        }
    }

    /// Whether a kept combination shows that the position is not worth less than beta; narrows the
    /// present block otherwise.
    #[cfg_attr(
        not(any(test, feature = "paranoid")),
        expect(unused_variables, reason = "the window is for the twin")
    )]
    pub(in crate::search) fn is_lost_by_combination(&mut self, window: Window) -> bool {
        let passed = self.position.passed();
        let Some(guide) = self.guide.as_mut().filter(|_| self.settings.combine) else {
            return false;
        };
        if !guide.asks_combinations(passed) {
            return false;
        }
        let block = match self.position.store.owner(VarId::new(passed)) {
            Quantifier::Exists => guide.block_from(passed),
            Quantifier::Forall => 0..0,
        };
        #[cfg(any(test, feature = "paranoid"))]
        let before = self.position.store.mark();
        match self.position.store.ask_combinations(block) {
            Said::Alive => {
                #[cfg(any(test, feature = "paranoid"))]
                crate::search::twin::assert_narrowed(
                    self.program,
                    &self.position,
                    before,
                    window.beta,
                );
                false
            }
            Said::Lost => {
                guide.combination_cut(passed);
                #[cfg(any(test, feature = "paranoid"))]
                crate::search::twin::assert_lost_here(self.program, &self.position, window.beta);
                true
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::budget::Budget;
    use crate::games::random::{RandomShape, random_program};
    use crate::search::{Settings, solve};

    #[test]
    fn what_a_combination_says_is_true_by_its_slow_twin() {
        let wide = RandomShape {
            variables: 7..=9,
            rows: 3..=6,
            universal_rows: 0..=0,
            ..RandomShape::small()
        };
        let mut kept = 0;
        for seed in 0..1200 {
            for shape in [RandomShape::small(), RandomShape::game(), wide.clone()] {
                let settings = Settings {
                    combine: true,
                    caution: [0, 16][seed as usize % 2],
                    table_bytes: [0, 4096][seed as usize / 2 % 2],
                    rise: seed % 3 == 0,
                    ..Settings::default()
                };
                // The twin is asked about each answer inside; see `twin`.
                let program = random_program(seed, &shape);
                let outcome = solve(&program, &settings, &mut Budget::unlimited());
                kept += outcome.expect("integers").effort.learnt;
            }
        }
        assert!(kept > 1000, "{kept}");
    }
}
