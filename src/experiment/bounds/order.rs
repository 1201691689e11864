//! The theorems that order relaxations, checked on numbers.
//!
//! In costs of the existential player, smaller is better for him:
//! - an LP is at most its integer program: it has more points;
//! - the cooperative value is at most that of any scenario: a scenario is one way to cooperate;
//! - a scenario is at most every set of scenarios that has it, and a set at most every larger one:
//!   the opponent may choose from more;
//! - a set of scenarios is at most the value: the opponent may also do something else;
//! - the quantified linear program is at most the value, and without universal rows no set of
//!   scenarios has an LP above it: what its real replies cost is convex in the universal moves, and
//!   it faces all corners;
//! - all legal plays together, with integers, are the value, and as a linear program, without
//!   universal rows, the quantified one;
//! - the value is at most that of a plan that is fixed in advance.
//!
//! Sources: these are the standard arguments of robust and stochastic programming; "may choose from
//! more" is monotonicity of the maximum.

use super::{Entry, Measured};
use crate::outcome::Score;

/// The entry of the first number is at most that of the second.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Theorem {
    /// The smaller one.
    pub smaller: usize,
    /// The larger one.
    pub larger: usize,
}

/// What is proved of the smaller one must not exceed the larger one.
pub(super) fn faults(entries: &[Entry], theorems: &[Theorem]) -> Vec<String> {
    let broken = theorems.iter().filter_map(|theorem| {
        let (smaller, larger) = (&entries[theorem.smaller], &entries[theorem.larger]);
        let (floor, exact) = (smaller.measured.floor()?, larger.measured.exact()?);
        (floor > *exact).then(|| {
            format!(
                "{} ({}) must not exceed {} ({})",
                smaller.name,
                spoken(&smaller.measured),
                larger.name,
                spoken(&larger.measured)
            )
        })
    });
    broken.collect()
}

fn spoken(measured: &Measured) -> String {
    match measured {
        Measured::Exact(Score::Cost(cost)) => format!("cost {cost}"),
        Measured::Exact(score) => format!("{score:?}"),
        Measured::AtLeast(cost) => format!("cost at least {cost}"),
        Measured::Nothing(reason) => reason.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::Side;
    use super::*;
    use crate::num::int;
    use crate::outcome::Effort;

    #[test]
    fn a_broken_theorem_is_a_fault() {
        let entry = |measured: Measured| Entry {
            name: "it".to_owned(),
            side: Side::Below,
            measured,
            seconds: 0.0,
            effort: Effort::default(),
        };
        let cost = |number: i64| Measured::Exact(Score::Cost(int(number)));
        let theorem = [Theorem {
            smaller: 0,
            larger: 1,
        }];
        let judged = |first, second| faults(&[entry(first), entry(second)], &theorem).len();
        assert_eq!(judged(cost(1), cost(2)), 0);
        assert_eq!(judged(cost(2), cost(2)), 0);
        assert_eq!(judged(cost(3), cost(2)), 1);
        assert_eq!(judged(Measured::AtLeast(int(3)), cost(2)), 1);
        assert_eq!(judged(Measured::Exact(Score::Lost), cost(2)), 1);
        assert_eq!(judged(cost(3), Measured::AtLeast(int(2))), 0);
        assert_eq!(judged(cost(3), Measured::Nothing(String::new())), 0);
    }
}
