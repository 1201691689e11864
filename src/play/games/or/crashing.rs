//! Project crashing: pay for days before each phase, then see what is late.
//!
//! **Model.** A project has phases with activities; each activity follows one or two of the phase before.
//! Before every phase we buy whole days by which its activities are shortened. Then the delays of
//! the phase are revealed: each is a share of a largest delay, and the shares of all phases add up to
//! at most `budget` (a universal row). Then the real times at which the activities end follow, and
//! what an activity takes too long may be made up by overtime, at a high price. Every day after the
//! deadline costs a penalty. We minimise the worst total cost.
//!
//! Durations are uniform in 4 … 9 days, largest delays in 2 … 5. Up to three days of each activity can be
//! bought at 5 … 12 each, up to two made up at twice the price. The deadline is six days for each
//! phase, a day after it costs 20.

use rand::Rng;

use super::{Deviation, built, dice};
use crate::model::{Expr, Model, Var, row, sum};
use crate::program::Program;

/// What to generate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Crashing {
    /// Phases; at least one.
    pub phases: usize,
    /// Activities of each phase; at least one.
    pub activities: usize,
    /// How many delays there may be.
    pub budget: i64,
    /// What a delay is.
    pub delay: Deviation,
    /// The dice.
    pub seed: u64,
}

/// What a day after the deadline costs.
const LATE: i64 = 20;

/// The program.
///
/// ```
/// use quip::games::or::Deviation;
/// use quip::games::or::crashing::{Crashing, generate};
/// let delay = Deviation::Binary;
/// let program = generate(&Crashing { phases: 3, activities: 2, budget: 2, delay, seed: 1 });
/// assert_eq!(program.variables().len(), 3 * 2 * 4 + 1);
/// ```
pub fn generate(family: &Crashing) -> Program {
    let mut dice = dice(family.seed);
    let activities = 0..family.activities.max(1);
    let phases = family.phases.max(1);
    let horizon = 14 * phases as i64;
    let mut model = Model::new();
    let mut cost = Expr::new();
    let mut shares: Vec<Var> = Vec::new();
    let mut before: Vec<Var> = Vec::new();
    for phase in 0..phases {
        let name = |what: &str| format!("{what}{phase}");
        let crash = model
            .decide()
            .integers(name("crash").as_str(), activities.clone(), 0..=3);
        let mut theirs = model.reveal();
        let share: Vec<Var> = activities
            .clone()
            .map(|activity| {
                let name = format!("delay{phase}[{activity}]");
                family.delay.share(&mut theirs, &name)
            })
            .collect();
        let mut ours = model.decide();
        let overtime = ours.reals(name("overtime").as_str(), activities.clone(), 0..=2);
        let end = ours.reals(name("end").as_str(), activities.clone(), 0..=horizon);
        for activity in activities.clone() {
            let duration = dice.random_range(4..=9i64);
            let delay = dice.random_range(2..=5i64);
            let price = dice.random_range(5..=12i64);
            let takes = duration - crash[activity] + delay * share[activity] - overtime[activity];
            cost += price * crash[activity] + 2 * price * overtime[activity];
            let other = dice.random_range(activities.clone());
            match before.as_slice() {
                [] => {
                    model.subject_to(row!(end[activity] >= takes));
                }
                [..] if other == activity => {
                    model.subject_to(row!(end[activity] >= before[activity] + takes));
                }
                [..] => {
                    model.subject_to(row!(end[activity] >= before[activity] + takes.clone()));
                    model.subject_to(row!(end[activity] >= before[other] + takes));
                }
            }
        }
        before = end.iter().collect();
        shares.extend(share);
    }
    let late = model.decide().real("late", 0..=horizon);
    for end in before {
        model.subject_to(row!(late >= end - 6 * phases as i64));
    }
    model.uncertainty(row!("budget": sum(shares) <= family.budget));
    model.minimize_as("cost", cost + LATE * late);
    built(&model)
}
