//! Multistage lot sizing: order cheaply before the demand is known, dearly afterwards.
//!
//! **Model.** In every period we may place each of `basic` basic orders, of half the size each; then
//! the demand of the period is revealed, high or low (one universal bit); then we may place each of
//! `urgent` urgent orders, again of half the size each. The stock must never run out. What is left
//! is carried over at a cost for each piece and period. We minimise the worst total cost.
//!
//! Basic lots are 64, 32, … pieces at a fixed price for each piece, urgent lots 100, 50, … pieces at
//! more than twice that price. The spread of the demand is uniform in 60 … 90. Published sizes: five
//! to ten periods, three or four basic and two or three urgent orders (Goerigk and Hartisch 2021).

use rand::Rng;

use super::{built, dice};
use crate::model::{Expr, Model, row};
use crate::program::Program;

/// What to generate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LotSizing {
    /// Periods.
    pub periods: usize,
    /// Basic orders in each period; at most 7.
    pub basic: usize,
    /// Urgent orders in each period; at most 7.
    pub urgent: usize,
    /// The dice.
    pub seed: u64,
}

/// What a piece costs, ordered in time, ordered late, and kept for a period.
const BASIC: i64 = 4;
const URGENT: i64 = 9;
const KEPT: i64 = 2;

/// The program.
///
/// ```
/// use quip::games::or::lotsizing::{LotSizing, generate};
/// let program = generate(&LotSizing { periods: 3, basic: 3, urgent: 2, seed: 1 });
/// assert_eq!(program.variables().len(), 3 * (3 + 1 + 2));
/// ```
pub fn generate(family: &LotSizing) -> Program {
    let mut dice = dice(family.seed);
    let mut model = Model::new();
    let mut stock = Expr::new();
    let mut cost = Expr::new();
    let basic = lots(64, family.basic);
    let urgent = lots(100, family.urgent);
    for period in 0..family.periods {
        let low = dice.random_range(0..=30i64);
        let spread = dice.random_range(60..=90i64);
        let early = model
            .decide()
            .binaries(format!("x{period}").as_str(), 0..basic.len());
        let high = model.reveal().binary(format!("d{period}").as_str());
        let late = model
            .decide()
            .binaries(format!("y{period}").as_str(), 0..urgent.len());
        let in_time = early.weighted(|&lot| basic[lot]);
        let too_late = late.weighted(|&lot| urgent[lot]);
        cost += BASIC * in_time.clone() + URGENT * too_late.clone();
        stock += in_time + too_late - spread * high - low;
        model.subject_to(row!(stock.clone() >= 0));
        cost += KEPT * stock.clone();
    }
    model.minimize_as("cost", cost);
    built(&model)
}

/// Halves, and their halves, down to one piece.
fn lots(largest: i64, count: usize) -> Vec<i64> {
    (0..count.min(7))
        .map(|lot| (largest >> lot).max(1))
        .collect()
}
