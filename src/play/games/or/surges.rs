//! Facility location with surges: open sites, then some customers ask for more, then assign.
//!
//! **Model.** First we open sites, each at its own cost. Then at most `surges` customers surge (a
//! universal row). Then every customer is assigned to one open site, as a whole, at a price for the
//! pair. What customers ask of a site beyond its capacity is bought elsewhere, in real quantities,
//! at a price for each unit. We minimise the worst total cost.
//!
//! The surge of an assigned customer, a product of two binaries, is a real variable that is at least
//! their sum less one. Demands are uniform in 5 … 15, surges in 3 … 10, opening costs 60 … 120; sites
//! and customers lie on a grid of 30 by 30, and the price of a pair is the distance along the
//! grid lines. A site serves twice its part of all usual demands; a unit from elsewhere costs 10.

use rand::Rng;

use super::{built, dice};
use crate::model::{Expr, Model, exactly_one, grid, row};
use crate::program::Program;

/// What to generate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Surges {
    /// Sites that may be opened; at least one.
    pub sites: usize,
    /// Customers to assign.
    pub customers: usize,
    /// How many customers may surge.
    pub surges: i64,
    /// The dice.
    pub seed: u64,
}

/// What a unit costs that is bought elsewhere.
const ELSEWHERE: i64 = 10;

/// The program.
///
/// ```
/// use quip::games::or::surges::{Surges, generate};
/// let program = generate(&Surges { sites: 3, customers: 4, surges: 1, seed: 1 });
/// assert_eq!(program.variables().len(), 3 + 4 + 2 * 3 * 4 + 3);
/// ```
pub fn generate(family: &Surges) -> Program {
    let mut dice = dice(family.seed);
    let (sites, customers) = (0..family.sites.max(1), 0..family.customers);
    let opening: Vec<i64> = sites.clone().map(|_| dice.random_range(60..=120)).collect();
    let asked: Vec<(i64, i64)> = customers
        .clone()
        .map(|_| (dice.random_range(5..=15), dice.random_range(3..=10)))
        .collect();
    let mut somewhere = || (dice.random_range(0..30i64), dice.random_range(0..30i64));
    let site_at: Vec<_> = sites.clone().map(|_| somewhere()).collect();
    let customer_at: Vec<_> = customers.clone().map(|_| somewhere()).collect();
    let usual: i64 = asked.iter().map(|(usual, _)| usual).sum();
    let most: i64 = asked.iter().map(|(usual, more)| usual + more).sum();
    let capacity = 2 * usual / (sites.len() as i64) + 1;
    let mut model = Model::new();
    let open = model.decide().binaries("open", sites.clone());
    let surge = model.reveal().binaries("surge", customers.clone());
    let mut ours = model.decide();
    let pairs = || grid(sites.clone(), customers.clone());
    let assign = ours.binaries("assign", pairs());
    let more = ours.reals("more", pairs(), 0..=1);
    let elsewhere = ours.reals("elsewhere", sites.clone(), 0..=most);
    model.uncertainty(row!("surges": surge.sum() <= family.surges));
    for customer in customers.clone() {
        let one = sites.clone().map(|site| assign[(site, customer)]);
        model.subject_to(exactly_one(one));
    }
    for site in sites.clone() {
        let mut load = Expr::new();
        for customer in customers.clone() {
            let pair = (site, customer);
            let (usual, extra) = asked[customer];
            load += usual * assign[pair] + extra * more[pair];
            model.subject_to(row!(assign[pair] <= open[site]));
            model.subject_to(row!(more[pair] >= assign[pair] + surge[customer] - 1));
        }
        model.subject_to(row!(load <= capacity * open[site] + elsewhere[site]));
    }
    let distance = |&(site, customer): &(usize, usize)| {
        let ((a, b), (c, d)) = (site_at[site], customer_at[customer]);
        (a - c).abs() + (b - d).abs()
    };
    let cost = open.weighted(|&site| opening[site])
        + assign.weighted(distance)
        + elsewhere.weighted(|_| ELSEWHERE);
    model.minimize_as("cost", cost);
    built(&model)
}
