//! Portfolios in lots: hold whole lots that pay in every period, unless the payment is cut.
//!
//! **Model.** In every period we buy and sell whole lots of assets with the cash in hand; a sale costs a
//! fee. Then payments are revealed: each asset pays for every lot, but the opponent cuts the payments
//! of some, at most `cuts` in all periods together (a universal row). Then the cash follows, which
//! is real and never negative. We maximise the least wealth in the end: cash, and lots at their
//! price.
//!
//! What a cut costs, a product of a binary and a number of lots, is a real variable that is at least
//! the loss of these lots, less the largest loss unless there is a cut. We begin with 100. A lot
//! costs 15 … 30 and there are up to four of each asset; a lot pays 2 … 6 in a period. A cut takes
//! some or all of that, and a fifth of the price besides. The fee is 1.

use rand::Rng;

use super::{built, dice};
use crate::model::{Expr, Model, Var, row, sum};
use crate::program::Program;

/// What to generate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Portfolio {
    /// Assets; at least one.
    pub assets: usize,
    /// Periods; at least one.
    pub periods: usize,
    /// How many payments may be cut.
    pub cuts: i64,
    /// The dice.
    pub seed: u64,
}

/// The cash at the beginning.
const CASH: i64 = 100;

/// The most lots of an asset.
const LOTS: i64 = 4;

/// The program.
///
/// ```
/// use quip::games::or::portfolio::{Portfolio, generate};
/// let program = generate(&Portfolio { assets: 2, periods: 3, cuts: 2, seed: 1 });
/// assert_eq!(program.variables().len(), 3 * (2 * 5 + 1));
/// ```
pub fn generate(family: &Portfolio) -> Program {
    let mut dice = dice(family.seed);
    let assets = 0..family.assets.max(1);
    let mut draw = |least: i64, most: i64| -> Vec<i64> {
        assets
            .clone()
            .map(|_| dice.random_range(least..=most))
            .collect()
    };
    let (price, pays) = (draw(15, 30), draw(2, 6));
    let taken: Vec<i64> = assets
        .clone()
        .map(|asset| dice.random_range(1..=pays[asset]) + price[asset] / 5)
        .collect();
    let mut model = Model::new();
    let mut cuts: Vec<Var> = Vec::new();
    let mut cash = Expr::from(CASH);
    let mut held: Vec<Expr> = vec![Expr::new(); assets.len()];
    for period in 0..family.periods.max(1) {
        let name = |what: &str| format!("{what}{period}");
        let mut ours = model.decide();
        let buy = ours.integers(name("buy").as_str(), assets.clone(), 0..=LOTS);
        let sell = ours.integers(name("sell").as_str(), assets.clone(), 0..=LOTS);
        let lots = ours.integers(name("lots").as_str(), assets.clone(), 0..=LOTS);
        let cut = model
            .reveal()
            .binaries(name("cut").as_str(), assets.clone());
        let mut ours = model.decide();
        let loss = ours.reals_by(name("loss").as_str(), assets.clone(), |&asset| {
            0..=LOTS * taken[asset]
        });
        let left = ours.real(name("cash").as_str(), 0..=100 * CASH);
        let spent = buy.weighted(|&asset| price[asset]);
        let after = cash - spent + sell.weighted(|&asset| price[asset] - 1);
        model.subject_to(row!(after.clone() >= 0));
        for asset in assets.clone() {
            let now = held[asset].clone() + buy[asset] - sell[asset];
            model.subject_to(row!(lots[asset] == now));
            let most = LOTS * taken[asset];
            let least = taken[asset] * lots[asset] - most + most * cut[asset];
            model.subject_to(row!(loss[asset] >= least));
            held[asset] = lots[asset].into();
        }
        let paid = lots.weighted(|&asset| pays[asset]) - loss.sum();
        model.subject_to(row!(left == after + paid));
        cash = left.into();
        cuts.extend(cut.iter());
    }
    model.uncertainty(row!("cuts": sum(cuts) <= family.cuts));
    let worth = sum(assets.map(|asset| price[asset] * held[asset].clone()));
    model.maximize_as("wealth", cash + worth);
    built(&model)
}
