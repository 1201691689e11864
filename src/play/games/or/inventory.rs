//! Inventory with batches: order whole batches, then see the demand of the period.
//!
//! **Model.** In every period we order a number of batches of each product, and one truck limits how
//! many there are of all of them. Then the demands of the period are revealed: each is a forecast and a
//! share of a deviation, and the shares of all periods add up to at most `budget` (a universal row).
//! What is left is kept at a price, what is missing is owed at a higher one; both are real. We
//! minimise the worst total cost.
//!
//! A batch has 8 … 15 pieces. Forecasts are uniform in 5 … 15, deviations in 3 … 9; a batch costs
//! 20 … 40, keeping a piece 1 … 3 and owing one 8 … 15 in a period.

use rand::Rng;

use super::{Deviation, built, dice};
use crate::model::{Expr, Model, Var, row, sum};
use crate::program::Program;

/// What to generate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Inventory {
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

/// A product: pieces of a batch, its cost, what a piece costs in stock and owed.
struct Product {
    batch: i64,
    price: i64,
    keeping: i64,
    owing: i64,
}

/// The program.
///
/// ```
/// use quip::games::or::Deviation;
/// use quip::games::or::inventory::{Inventory, generate};
/// let demand = Deviation::Binary;
/// let program = generate(&Inventory { products: 2, periods: 3, budget: 2, demand, seed: 1 });
/// assert_eq!(program.variables().len(), 2 * 3 * 4);
/// ```
pub fn generate(family: &Inventory) -> Program {
    let mut dice = dice(family.seed);
    let count = family.products.max(1);
    let products: Vec<Product> = (0..count)
        .map(|_| Product {
            batch: dice.random_range(8..=15),
            price: dice.random_range(20..=40),
            keeping: dice.random_range(1..=3),
            owing: dice.random_range(8..=15),
        })
        .collect();
    let truck = 2 * count as i64;
    let mut model = Model::new();
    let mut cost = Expr::new();
    let mut shares: Vec<Var> = Vec::new();
    let mut balance: Vec<Expr> = vec![Expr::new(); count];
    for period in 0..family.periods.max(1) {
        let name = format!("order{period}");
        let order = model.decide().integers(name.as_str(), 0..count, 0..=truck);
        model.subject_to(row!(order.sum() <= truck));
        let mut theirs = model.reveal();
        let share: Vec<Var> = (0..count)
            .map(|product| {
                let name = format!("share{period}[{product}]");
                family.demand.share(&mut theirs, &name)
            })
            .collect();
        let most = 24 * (family.periods.max(1) as i64) + 15 * truck;
        let mut ours = model.decide();
        let stock = ours.reals(format!("stock{period}").as_str(), 0..count, 0..=most);
        let owed = ours.reals(format!("owed{period}").as_str(), 0..count, 0..=most);
        for (number, product) in products.iter().enumerate() {
            let forecast = dice.random_range(5..=15i64);
            let deviation = dice.random_range(3..=9i64);
            let asked = forecast + deviation * share[number];
            let before = balance[number].clone() + product.batch * order[number];
            let after = stock[number] - owed[number];
            model.subject_to(row!(before - asked == after.clone()));
            balance[number] = after;
        }
        cost += order.weighted(|&number| products[number].price)
            + stock.weighted(|&number| products[number].keeping)
            + owed.weighted(|&number| products[number].owing);
        shares.extend(share);
    }
    model.uncertainty(row!("budget": sum(shares) <= family.budget));
    model.minimize_as("cost", cost);
    built(&model)
}
