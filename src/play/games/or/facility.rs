//! Facility location against failures: open sites, then some fail, then serve.
//!
//! **Model.** First we open sites, each at its own cost. Then the opponent closes at most `failures`
//! sites, open or not (a universal row). Then every customer is served by an open site that did not
//! fail, at the price of the pair, or not at all, at a penalty. We minimise the worst total cost.
//!
//! Opening costs are uniform in 50 … 100; sites and customers lie on a grid of 50 by 50, and serving
//! costs the distance along the grid lines. The penalty is 100.

use rand::Rng;

use super::{built, dice};
use crate::model::{Model, grid, row};
use crate::program::Program;

/// What to generate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Facility {
    /// Sites that may be opened.
    pub sites: usize,
    /// Customers to serve.
    pub customers: usize,
    /// How many sites may fail.
    pub failures: i64,
    /// The dice.
    pub seed: u64,
}

/// What it costs not to serve a customer.
const PENALTY: i64 = 100;

/// The program.
///
/// ```
/// use quip::games::or::facility::{Facility, generate};
/// let program = generate(&Facility { sites: 3, customers: 4, failures: 1, seed: 1 });
/// assert_eq!(program.variables().len(), 3 + 3 + 3 * 4 + 4);
/// ```
pub fn generate(family: &Facility) -> Program {
    let mut dice = dice(family.seed);
    let opening: Vec<i64> = (0..family.sites)
        .map(|_| dice.random_range(50..=100))
        .collect();
    let mut somewhere = || (dice.random_range(0..50i64), dice.random_range(0..50i64));
    let sites: Vec<_> = (0..family.sites).map(|_| somewhere()).collect();
    let customers: Vec<_> = (0..family.customers).map(|_| somewhere()).collect();
    let distance = |&(site, customer): &(usize, usize)| {
        let ((a, b), (c, d)) = (sites[site], customers[customer]);
        (a - c).abs() + (b - d).abs()
    };
    let mut model = Model::new();
    let open = model.decide().binaries("open", 0..family.sites);
    let fails = model.reveal().binaries("fails", 0..family.sites);
    let mut ours = model.decide();
    let serves = ours.binaries("serves", grid(0..family.sites, 0..family.customers));
    let lost = ours.binaries("lost", 0..family.customers);
    model.uncertainty(row!("failures": fails.sum() <= family.failures));
    for customer in 0..family.customers {
        let mut served = crate::model::Expr::from(lost[customer]);
        for site in 0..family.sites {
            served += serves[(site, customer)];
            model.subject_to(row!(serves[(site, customer)] <= open[site]));
            model.subject_to(row!(serves[(site, customer)] + fails[site] <= 1));
        }
        model.subject_to(row!(served == 1));
    }
    let cost = open.weighted(|&site| opening[site])
        + serves.weighted(distance)
        + lost.weighted(|_| PENALTY);
    model.minimize_as("cost", cost);
    built(&model)
}
