//! Hydro scheduling: commit a thermal unit, see the inflow, release water.
//!
//! **Model.** Reservoirs form a cascade: what one releases flows into the next. In every period we first
//! commit the thermal unit or not, at a cost; then the inflow of the period is revealed: what is usual,
//! less a share of a drought, the same for every reservoir, and the shares of all periods add up to at
//! most `budget` (a universal row); then we release and spill water and run the unit between its
//! least and its largest output, all real. Each unit of released water is one of energy; a load
//! that is not met is dear. Levels stay within the reservoirs, and what is left in the end is
//! paid for. We minimise the worst total cost.
//!
//! A reservoir holds 30 … 50 and is half full at first. Usual inflows are uniform in 8 … 14 with
//! droughts of 4 … 7, loads in 18 … 28 for every reservoir; the unit makes 5 … 15 at 8 … 12 each and
//! costs 30 … 60 when it is committed. A unit of load that is not met costs 100, one of water left is
//! worth 3.

use rand::Rng;

use super::{Deviation, built, dice};
use crate::model::{Expr, Model, Var, row, sum};
use crate::program::Program;

/// What to generate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hydro {
    /// Reservoirs; at least one.
    pub reservoirs: usize,
    /// Periods; at least one.
    pub periods: usize,
    /// How many droughts there may be.
    pub budget: i64,
    /// What a drought is.
    pub inflow: Deviation,
    /// The dice.
    pub seed: u64,
}

/// What a unit of load costs that is not met.
const UNMET: i64 = 100;

/// What a unit of water is worth that is left in the end.
const WATER: i64 = 3;

/// The program.
///
/// ```
/// use quip::games::or::Deviation;
/// use quip::games::or::hydro::{Hydro, generate};
/// let inflow = Deviation::Binary;
/// let program = generate(&Hydro { reservoirs: 2, periods: 3, budget: 1, inflow, seed: 1 });
/// assert_eq!(program.variables().len(), 3 * (1 + 1 + 2 * 3 + 2));
/// ```
pub fn generate(family: &Hydro) -> Program {
    let mut dice = dice(family.seed);
    let reservoirs = 0..family.reservoirs.max(1);
    let volume: Vec<i64> = reservoirs
        .clone()
        .map(|_| dice.random_range(30..=50))
        .collect();
    let running = dice.random_range(8..=12i64);
    let committing = dice.random_range(30..=60i64);
    let count = reservoirs.len() as i64;
    let (least, largest) = (5 * count, 15 * count);
    // More than all inflows of a period.
    let most = 200.max(40 * count);
    let mut level: Vec<Expr> = volume.iter().map(|all| Expr::from(all / 2)).collect();
    let mut model = Model::new();
    let mut cost = Expr::new();
    let mut shares: Vec<Var> = Vec::new();
    for period in 0..family.periods.max(1) {
        let on = model.decide().binary(format!("on{period}").as_str());
        let drought = family
            .inflow
            .share(&mut model.reveal(), &format!("drought{period}"));
        let name = |what: &str| format!("{what}{period}");
        let mut ours = model.decide();
        let kept = ours.reals_by(name("level").as_str(), reservoirs.clone(), |&at| {
            0..=volume[at]
        });
        let release = ours.reals(name("release").as_str(), reservoirs.clone(), 0..=30);
        let spill = ours.reals(name("spill").as_str(), reservoirs.clone(), 0..=most);
        let thermal = ours.real(name("thermal").as_str(), 0..=largest);
        let load = dice.random_range(18..=28i64) * count;
        let unmet = ours.real(name("unmet").as_str(), 0..=load);
        for at in reservoirs.clone() {
            let usual = dice.random_range(8..=14i64);
            let less = dice.random_range(4..=7i64);
            let mut water = level[at].clone() + usual - less * drought;
            if at > 0 {
                water += release[at - 1] + spill[at - 1];
            }
            model.subject_to(row!(kept[at] == water - release[at] - spill[at]));
            level[at] = kept[at].into();
        }
        model.subject_to(row!(thermal <= largest * on));
        model.subject_to(row!(thermal >= least * on));
        model.subject_to(row!(release.sum() + thermal + unmet >= load));
        cost += committing * count * on + running * thermal + UNMET * unmet;
        shares.push(drought);
    }
    model.uncertainty(row!("budget": sum(shares) <= family.budget));
    model.minimize_as("cost", cost - WATER * sum(level));
    built(&model)
}
