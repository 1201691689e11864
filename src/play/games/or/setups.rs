//! Lot sizing with adaptive set-ups: see the demand, then set up and make what is needed.
//!
//! **Model.** In every period the demands are revealed: each is a forecast and a share of a deviation,
//! and the shares of all periods add up to at most `budget` (a universal row). Then we set the machine
//! up for some products, each at a cost and a time; it makes real quantities of these only, within
//! the time of the period. What is left is kept at a price, what is missing is lost at a higher one.
//! Before the first period the machine is bought, small or large. We minimise the worst total
//! cost.
//!
//! Forecasts are uniform in 5 … 12, deviations in 3 … 8; a set-up costs 20 … 40 and takes the time of two
//! pieces, keeping a piece costs 1 … 2 and losing one 10 … 15. A small machine makes ten pieces of
//! each product in a period, a large one half as many again at a cost of 25 for each product and
//! period.

use rand::Rng;

use super::{Deviation, built, dice};
use crate::model::{Expr, Model, Var, row, sum};
use crate::program::Program;

/// What to generate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setups {
    /// Products; at least one.
    pub products: usize,
    /// Periods; at least one.
    pub periods: usize,
    /// How many deviations there may be.
    pub budget: i64,
    /// What a deviation is.
    pub demand: Deviation,
    /// The dice.
    pub seed: u64,
}

/// The program.
///
/// ```
/// use quip::games::or::Deviation;
/// use quip::games::or::setups::{Setups, generate};
/// let demand = Deviation::Binary;
/// let program = generate(&Setups { products: 2, periods: 3, budget: 2, demand, seed: 1 });
/// assert_eq!(program.variables().len(), 1 + 2 * 3 * 5);
/// ```
pub fn generate(family: &Setups) -> Program {
    let mut dice = dice(family.seed);
    let products = 0..family.products.max(1);
    let periods = family.periods.max(1);
    let count = products.len() as i64;
    let mut draw = |least: i64, most: i64| -> Vec<i64> {
        products
            .clone()
            .map(|_| dice.random_range(least..=most))
            .collect()
    };
    let (setting, keeping, losing) = (draw(20, 40), draw(1, 2), draw(10, 15));
    let mut model = Model::new();
    let large = model.decide().binary("large");
    let mut cost = 25 * count * periods as i64 * large;
    let mut shares: Vec<Var> = Vec::new();
    let mut stock: Vec<Expr> = vec![Expr::new(); products.len()];
    for period in 0..periods {
        let forecast = draw(5, 12);
        let deviation = draw(3, 8);
        let mut theirs = model.reveal();
        let share: Vec<Var> = products
            .clone()
            .map(|product| {
                let name = format!("share{period}[{product}]");
                family.demand.share(&mut theirs, &name)
            })
            .collect();
        let name = |what: &str| format!("{what}{period}");
        let mut ours = model.decide();
        let setup = ours.binaries(name("setup").as_str(), products.clone());
        let makes = ours.reals(name("makes").as_str(), products.clone(), 0..=15 * count);
        let kept = ours.reals(name("stock").as_str(), products.clone(), 0..=40);
        let lost = ours.reals(name("lost").as_str(), products.clone(), 0..=20);
        let time = 10 * count + 5 * count * large;
        model.subject_to(row!(makes.sum() + 2 * setup.sum() <= time));
        for product in products.clone() {
            let asked = forecast[product] + deviation[product] * share[product];
            let have = stock[product].clone() + makes[product] + lost[product];
            model.subject_to(row!(makes[product] <= 15 * count * setup[product]));
            model.subject_to(row!(have - asked == kept[product]));
            stock[product] = kept[product].into();
        }
        cost += setup.weighted(|&product| setting[product])
            + kept.weighted(|&product| keeping[product])
            + lost.weighted(|&product| losing[product]);
        shares.extend(share);
    }
    model.uncertainty(row!("budget": sum(shares) <= family.budget));
    model.minimize_as("cost", cost);
    built(&model)
}
