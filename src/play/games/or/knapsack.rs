//! Multistage robust knapsack: pack again in every period while weights may rise.
//!
//! **Model.** In each of `periods` periods a subset of `items` items is packed under the same
//! capacity. An item earns its profit of the period, and a loyalty profit when it is packed, or left
//! out, just as in the period before. In the first period weights are known; before each later
//! period the opponent raises the weights of some items by their deviation. With `n` items he has
//! `n` raises for all periods together and `⌈n / periods⌉ + 1` in each (universal rows). We maximise
//! the profit in the worst case.
//!
//! As in the published programs, profits are uniform in 0 … 100, weights and loyalties in 0 … 50,
//! deviations in 5 … 20; the capacity is from 36 to 100 hundredths of the first period's total weight,
//! which is what the published ones span. Published sizes: two to seven periods, two to seven items
//! (Goerigk and Hartisch 2021).

use rand::Rng;

use super::{built, dice};
use crate::model::{Model, row, sum};
use crate::program::Program;

/// What to generate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Knapsack {
    /// Periods; at least one.
    pub periods: usize,
    /// Items; at least one.
    pub items: usize,
    /// The dice.
    pub seed: u64,
}

/// The program.
///
/// ```
/// use quip::games::or::knapsack::{Knapsack, generate};
/// let program = generate(&Knapsack { periods: 3, items: 2, seed: 1 });
/// assert_eq!(program.blocks().len(), 5);
/// assert_eq!(program.universal_rows().len(), 3);
/// ```
pub fn generate(family: &Knapsack) -> Program {
    let mut dice = dice(family.seed);
    let items = family.items.max(1);
    let periods = family.periods.max(1);
    let in_a_period = items.div_ceil(periods) as i64 + 1;
    let weights: Vec<Vec<i64>> = (0..periods)
        .map(|_| (0..items).map(|_| dice.random_range(0..=50)).collect())
        .collect();
    let first: i64 = weights[0].iter().sum();
    let capacity = first * dice.random_range(36..=100i64) / 100;
    let loyalty: Vec<i64> = (0..items).map(|_| dice.random_range(0..=50)).collect();
    let mut model = Model::new();
    let mut before = model.decide().binaries("x0", 0..items);
    let profit: Vec<i64> = (0..items).map(|_| dice.random_range(0..=100)).collect();
    let mut gain = before.weighted(|&item| profit[item]);
    model.subject_to(row!(before.weighted(|&item| weights[0][item]) <= capacity));
    let mut raises = Vec::new();
    for (period, weights) in weights.iter().enumerate().skip(1) {
        let raised = model
            .reveal()
            .binaries(format!("raised{period}").as_str(), 0..items);
        let mut ours = model.decide();
        let packed = ours.binaries(format!("x{period}").as_str(), 0..items);
        let heavy = ours.binaries(format!("heavy{period}").as_str(), 0..items);
        let loyal = ours.binaries(format!("loyal{period}").as_str(), 0..items);
        let deviation: Vec<i64> = (0..items).map(|_| dice.random_range(5..=20)).collect();
        let profit: Vec<i64> = (0..items).map(|_| dice.random_range(0..=100)).collect();
        let load = packed.weighted(|&item| weights[item]) + heavy.weighted(|&item| deviation[item]);
        model.subject_to(row!(load <= capacity));
        for item in 0..items {
            model.subject_to(row!(heavy[item] >= packed[item] + raised[item] - 1));
            model.subject_to(row!(loyal[item] + packed[item] - before[item] <= 1));
            model.subject_to(row!(loyal[item] - packed[item] + before[item] <= 1));
        }
        model.uncertainty(row!(raised.sum() <= in_a_period));
        gain += packed.weighted(|&item| profit[item]) + loyal.weighted(|&item| loyalty[item]);
        raises.extend(raised.iter());
        before = packed;
    }
    if !raises.is_empty() {
        model.uncertainty(row!(sum(raises) <= items as i64));
    }
    model.maximize_as("profit", gain);
    built(&model)
}
