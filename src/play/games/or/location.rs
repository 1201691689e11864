//! Location and transportation: open sites and build their capacity, then ship what is asked for.
//!
//! **Model.** First we open sites, each at its own cost, and choose the capacity of each, at a price for
//! every unit and up to a limit. Then the demands are revealed: each is a forecast and a share of a
//! deviation, and the shares add up to at most `budget` (a universal row). Then we ship real
//! quantities; every demand is met. We minimise the worst total cost.
//!
//! This is the example of column-and-constraint generation (Zeng and Zhao 2013). Forecasts are uniform
//! in 10 … 30, deviations a tenth to a half of that, opening costs 100 … 300, a unit of capacity 5 … 10
//! and a unit shipped 1 … 20. All sites together have twice the capacity that the largest demands
//! take.

use rand::Rng;

use super::{Deviation, built, dice};
use crate::model::{Model, grid, row, sum};
use crate::program::Program;

/// What to generate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Location {
    /// Sites that may be opened.
    pub sites: usize,
    /// Customers with a demand.
    pub customers: usize,
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
/// use quip::games::or::location::{Location, generate};
/// let demand = Deviation::Real;
/// let program = generate(&Location { sites: 3, customers: 4, budget: 2, demand, seed: 1 });
/// assert_eq!(program.variables().len(), 3 + 3 + 4 + 3 * 4);
/// ```
pub fn generate(family: &Location) -> Program {
    let mut dice = dice(family.seed);
    let (sites, customers) = (0..family.sites, 0..family.customers);
    let mut draw = |count: usize, least: i64, most: i64| -> Vec<i64> {
        (0..count)
            .map(|_| dice.random_range(least..=most))
            .collect()
    };
    let forecast = draw(family.customers, 10, 30);
    let tenths = draw(family.customers, 1, 5);
    let opening = draw(family.sites, 100, 300);
    let building = draw(family.sites, 5, 10);
    let shipping = draw(family.sites * family.customers, 1, 20);
    let deviation: Vec<i64> = forecast
        .iter()
        .zip(&tenths)
        .map(|(usual, tenths)| usual * tenths / 10)
        .collect();
    let most = forecast.iter().chain(&deviation).sum::<i64>();
    let limit = 2 * most / (family.sites.max(1) as i64) + 1;
    let mut model = Model::new();
    let mut ours = model.decide();
    let open = ours.binaries("open", sites.clone());
    let capacity = ours.reals("capacity", sites.clone(), 0..=limit);
    let mut theirs = model.reveal();
    let share: Vec<_> = customers
        .clone()
        .map(|customer| {
            let name = format!("share[{customer}]");
            family.demand.share(&mut theirs, &name)
        })
        .collect();
    let ship = model
        .decide()
        .reals("ship", grid(sites.clone(), customers.clone()), 0..=limit);
    model.uncertainty(row!("budget": sum(share.iter().copied()) <= family.budget));
    for site in sites.clone() {
        let sent = sum(customers.clone().map(|customer| ship[(site, customer)]));
        model.subject_to(row!(capacity[site] <= limit * open[site]));
        model.subject_to(row!(sent <= capacity[site]));
    }
    for customer in customers {
        let got = sum(sites.clone().map(|site| ship[(site, customer)]));
        let asked = forecast[customer] + deviation[customer] * share[customer];
        model.subject_to(row!(got >= asked));
    }
    let cost = open.weighted(|&site| opening[site])
        + capacity.weighted(|&site| building[site])
        + ship.weighted(|&(site, customer)| shipping[site * family.customers + customer]);
    model.minimize_as("cost", cost);
    built(&model)
}
