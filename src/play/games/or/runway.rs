//! Runway scheduling: plan landings before the time windows are known, then re-plan.
//!
//! **Model.** `planes` planes land on `runways` runways in `slots` time slots, at most one plane on
//! a runway in a slot. First a plan is made: a slot for every plane, at the cost of its distance
//! from the plane's wished slot. Then the windows are disclosed, one group of planes after the
//! other: the opponent may shift a plane's window of two slots by one, and may lengthen it by one.
//! After each disclosure every plane of the group gets its final slot, inside its window; twice the
//! distance from the planned slot is paid. We minimise the worst total cost.
//!
//! After Hartisch, Ederer, Lorenz and Wolf (2016); published sizes reach 150 planes and 200 slots.

use rand::Rng;

use super::{built, dice};
use crate::model::{Expr, Model, grid, row, sum};
use crate::program::Program;

/// What to generate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Runway {
    /// Planes.
    pub planes: usize,
    /// Runways.
    pub runways: i64,
    /// Time slots; at least three.
    pub slots: usize,
    /// Disclosures: the planes are disclosed in this many groups; at least one.
    pub disclosures: usize,
    /// The dice.
    pub seed: u64,
}

/// What a slot of re-planning costs, relative to a slot of a bad plan.
const REPLANNING: i64 = 2;

/// The program.
///
/// ```
/// use quip::games::or::runway::{Runway, generate};
/// let family = Runway { planes: 4, runways: 2, slots: 5, disclosures: 2, seed: 1 };
/// assert_eq!(generate(&family).blocks().len(), 5);
/// ```
pub fn generate(family: &Runway) -> Program {
    let mut dice = dice(family.seed);
    let (planes, slots) = (family.planes, family.slots.max(3));
    let wished: Vec<usize> = (0..planes).map(|_| dice.random_range(0..slots)).collect();
    let mut model = Model::new();
    let plan = model.decide().binaries("plan", grid(0..planes, 0..slots));
    let mut cost = plan.weighted(|&(plane, slot)| slot.abs_diff(wished[plane]) as i64);
    let mut landed: Vec<Vec<Expr>> = vec![Vec::new(); slots];
    let groups = family.disclosures.max(1);
    for group in 0..groups {
        let members: Vec<usize> = (0..planes)
            .filter(|plane| plane % groups == group)
            .collect();
        let mut opponent = model.reveal();
        let later = opponent.binaries(format!("later{group}").as_str(), members.clone());
        let longer = opponent.binaries(format!("longer{group}").as_str(), members.clone());
        let mut ours = model.decide();
        let name = format!("slot{group}");
        let lands = ours.binaries(name.as_str(), grid(members.clone(), 0..slots));
        let most = slots as i64;
        let moved = ours.integers(format!("moved{group}").as_str(), members.clone(), 0..=most);
        for &plane in &members {
            // Its window, wide enough for one shift, around the wish.
            let begin = wished[plane].saturating_sub(1).min(slots - 3) as i64;
            let at = sum((0..slots).map(|slot| slot as i64 * lands[(plane, slot)]));
            let planned = sum((0..slots).map(|slot| slot as i64 * plan[(plane, slot)]));
            let row_of = |slot| Expr::from(lands[(plane, slot)]);
            model.subject_to(row!(sum((0..slots).map(row_of)) == 1));
            model.subject_to(row!(at.clone() - later[plane] >= begin));
            model.subject_to(row!(at.clone() - later[plane] - longer[plane] <= begin + 1));
            model.subject_to(row!(moved[plane] >= at.clone() - planned.clone()));
            model.subject_to(row!(moved[plane] >= planned - at));
            cost += REPLANNING * moved[plane];
        }
        for (slot, landed) in landed.iter_mut().enumerate() {
            landed.extend(
                members
                    .iter()
                    .map(|&plane| Expr::from(lands[(plane, slot)])),
            );
        }
    }
    for plane in 0..planes {
        let row_of = |slot| Expr::from(plan[(plane, slot)]);
        model.subject_to(row!(sum((0..slots).map(row_of)) == 1));
    }
    for (slot, landed) in landed.into_iter().enumerate() {
        let planned = (0..planes).map(|plane| Expr::from(plan[(plane, slot)]));
        model.subject_to(row!(sum(planned) <= family.runways));
        model.subject_to(row!(sum(landed) <= family.runways));
    }
    model.minimize_as("delay", cost);
    built(&model)
}
