//! Multistage lot sizing: order cheaply before the demand is known, dearly afterwards.
//!
//! **Model.** In every period we may place each of `basic` basic orders, each of half the size of the
//! one before; then the demand of the period is revealed, high or low (one universal bit); then we
//! may place each of `urgent` urgent orders. The stock must never run out. What is left is carried
//! over at a cost for each piece and period. We minimise the worst total cost.
//!
//! As in the published programs, basic lots are 64, 32, … pieces, urgent lots 100, 50, 33, … A low demand
//! is uniform in 0 … 25, a high one in 75 … 100. For each piece, keeping it costs 0 … 10 in a period, a
//! basic order 0 … 5, and every urgent lot has a price of its own that is higher, at most 10; these are
//! drawn once for a program. Published sizes: five to ten periods, three or four basic and two or
//! three urgent orders (Goerigk and Hartisch 2021).

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
    let basic: Vec<i64> = (0..family.basic.min(7)).map(|lot| 64 >> lot).collect();
    let urgent: Vec<i64> = (1..=family.urgent.min(7) as i64)
        .map(|part| 100 / part)
        .collect();
    let kept = dice.random_range(0..=10i64);
    let price = dice.random_range(0..=5i64);
    let dearer: Vec<i64> = urgent
        .iter()
        .map(|_| dice.random_range(price + 1..=10))
        .collect();
    for period in 0..family.periods {
        let low = dice.random_range(0..=25i64);
        let spread = dice.random_range(75..=100i64) - low;
        let early = model
            .decide()
            .binaries(format!("x{period}").as_str(), 0..basic.len());
        let high = model.reveal().binary(format!("d{period}").as_str());
        let late = model
            .decide()
            .binaries(format!("y{period}").as_str(), 0..urgent.len());
        let in_time = early.weighted(|&lot| basic[lot]);
        cost += price * in_time.clone() + late.weighted(|&lot| dearer[lot] * urgent[lot]);
        stock += in_time + late.weighted(|&lot| urgent[lot]) - spread * high - low;
        model.subject_to(row!(stock.clone() >= 0));
        cost += kept * stock.clone();
    }
    model.minimize_as("cost", cost);
    built(&model)
}
