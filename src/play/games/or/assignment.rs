//! Multistage assignment: a perfect matching, parts of it fixed before prices are known.
//!
//! **Model.** Every one of `n` workers gets one of `n` jobs. First, pairs may be fixed at fixed
//! prices. Then, `stages` times, one of `scenarios` price lists is revealed and further pairs may be
//! fixed at those prices. We minimise what is paid in the worst case.
//!
//! Prices are uniform in 1 … 100; published sizes are `n` in 4 … 10, two, four or eight lists, one
//! to four stages (Goerigk and Hartisch 2021).

use rand::Rng;

use super::{Revealed, built, dice};
use crate::model::{Expr, Model, grid, row, sum};
use crate::program::Program;

/// What to generate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assignment {
    /// Workers, and jobs.
    pub size: usize,
    /// Price lists in each stage; at least one.
    pub scenarios: usize,
    /// How often prices are revealed.
    pub stages: usize,
    /// The dice.
    pub seed: u64,
}

/// The program.
///
/// ```
/// use quip::games::or::assignment::{Assignment, generate};
/// let program = generate(&Assignment { size: 4, scenarios: 2, stages: 1, seed: 1 });
/// assert_eq!(program.blocks().len(), 3);
/// ```
pub fn generate(family: &Assignment) -> Program {
    let mut dice = dice(family.seed);
    let size = family.size;
    let mut prices = move || -> Vec<i64> {
        (0..size * size)
            .map(|_| dice.random_range(1..=100))
            .collect()
    };
    let place = |&(worker, job): &(usize, usize)| worker * size + job;
    let mut model = Model::new();
    let now = model.decide().binaries("x", grid(0..size, 0..size));
    let first = prices();
    let mut cost = now.weighted(|pair| first[place(pair)]);
    let mut fixed: Vec<Expr> = now.iter().map(Expr::from).collect();
    for stage in 1..=family.stages {
        let count = family.scenarios.max(1);
        let revealed = Revealed::new(&mut model.reveal(), &format!("list{stage}"), count);
        let lists: Vec<_> = (0..count).map(|_| prices()).collect();
        let most = lists
            .iter()
            .map(|list| list.iter().sum())
            .max()
            .unwrap_or(0);
        let mut ours = model.decide();
        let later = ours.binaries(format!("y{stage}").as_str(), grid(0..size, 0..size));
        let paid = ours.integer(format!("z{stage}").as_str(), 0..=most);
        for (code, number) in revealed.codes() {
            let list = &lists[number];
            let total: i64 = list.iter().sum();
            let price = later.weighted(|pair| list[place(pair)]);
            model.subject_to(row!(paid + total * revealed.distance(code) >= price));
        }
        for (pair, later) in fixed.iter_mut().zip(later.iter()) {
            *pair += later;
        }
        cost += paid;
    }
    for one in 0..size {
        let of_worker = (0..size).map(|job| fixed[one * size + job].clone());
        model.subject_to(row!(sum(of_worker) == 1));
        let of_job = (0..size).map(|worker| fixed[worker * size + one].clone());
        model.subject_to(row!(sum(of_job) == 1));
    }
    model.minimize_as("price", cost);
    built(&model)
}
