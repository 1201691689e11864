//! Multistage selection: choose half of the items, now or later, before prices are known.
//!
//! **Model.** There are `2p` items, of which `p` must be chosen. First, items may be chosen at fixed
//! prices. Then, `stages` times, one of `scenarios` price lists is revealed and further items may be
//! chosen at those prices. An item is chosen once. We minimise what is paid in the worst case.
//!
//! The revealed list is written in bits; what a stage costs is an integer `z` that each list
//! bounds from below when it is the revealed one. Prices are uniform in 1 … 100; published sizes
//! are `2p` in 10 … 50, four lists, one to eight stages (Goerigk and Hartisch 2021).

use rand::Rng;

use super::{Revealed, built, dice};
use crate::model::{Expr, Model, row, sum};
use crate::program::Program;

/// What to generate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Selection {
    /// How many items are chosen; there are twice as many.
    pub chosen: usize,
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
/// use quip::games::or::selection::{Selection, generate};
/// let program = generate(&Selection { chosen: 3, scenarios: 4, stages: 2, seed: 1 });
/// assert_eq!(program.blocks().len(), 5);
/// ```
pub fn generate(family: &Selection) -> Program {
    let mut dice = dice(family.seed);
    let mut price = move || dice.random_range(1..=100i64);
    let items = 2 * family.chosen;
    let mut model = Model::new();
    let now = model.decide().binaries("x", 0..items);
    let first: Vec<i64> = (0..items).map(|_| price()).collect();
    let mut cost = now.weighted(|&item| first[item]);
    let mut taken: Vec<Expr> = (0..items).map(|item| Expr::from(now[item])).collect();
    for stage in 1..=family.stages {
        let mut opponent = model.reveal();
        let revealed = Revealed::new(
            &mut opponent,
            &format!("list{stage}"),
            family.scenarios.max(1),
        );
        let lists: Vec<Vec<i64>> = (0..family.scenarios.max(1))
            .map(|_| (0..items).map(|_| price()).collect())
            .collect();
        let most = lists
            .iter()
            .map(|list| list.iter().sum())
            .max()
            .unwrap_or(0);
        let mut ours = model.decide();
        let later = ours.binaries(format!("y{stage}").as_str(), 0..items);
        let paid = ours.integer(format!("z{stage}").as_str(), 0..=most);
        for (code, number) in revealed.codes() {
            let list = &lists[number];
            let total: i64 = list.iter().sum();
            let price = later.weighted(|&item| list[item]);
            model.subject_to(row!(paid + total * revealed.distance(code) >= price));
        }
        for (item, taken) in taken.iter_mut().enumerate() {
            *taken += later[item];
        }
        cost += paid;
    }
    for once in &taken {
        model.subject_to(row!(once.clone() <= 1));
    }
    let chosen = i64::try_from(family.chosen).unwrap_or(i64::MAX);
    model.subject_to(row!(sum(taken) == chosen));
    model.minimize_as("price", cost);
    built(&model)
}
