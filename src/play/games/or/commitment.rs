//! Unit commitment: decide which units run, then meet a load that deviates.
//!
//! **Model.** First we decide which units run in which period; running costs, and so does starting.
//! Then the loads are revealed: each is a forecast and a share of a deviation, and the shares add up
//! to at most `budget` (a universal row). Units that run make power within their limits, at a price for
//! each unit, and what is missing is shed, which is dear. In *two* stages all loads are revealed at
//! once; in *many*, the power of a period is decided before the load of the next one is known, and
//! differs from the period before by at most a ramp. Power is real, or whole for the first unit or
//! for all. We minimise the worst total cost.
//!
//! Largest outputs are 50, 40, 30, 20 and again, least outputs a fifth of them, ramps three fifths.
//! Forecasts rise and fall between 40 and 85 in a hundred of all outputs, deviations are 5 … 15 in a
//! hundred. Running costs twice the largest output at most, power 2 … 6, shedding 100.

use rand::Rng;

use super::{Deviation, built, dice};
use crate::model::{Expr, Model, Stage, Var, grid, row, sum};
use crate::program::Program;

/// What to generate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Commitment {
    /// Periods; at least one.
    pub periods: usize,
    /// Units; at least one.
    pub units: usize,
    /// How many deviations there may be.
    pub budget: i64,
    /// Whether the loads are revealed one after the other.
    pub many_stages: bool,
    /// What a deviation is.
    pub demand: Deviation,
    /// Which units make whole numbers of power.
    pub whole: Whole,
    /// The dice.
    pub seed: u64,
}

/// Units whose power is a whole number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Whole {
    /// None.
    None,
    /// The first one.
    First,
    /// All of them.
    All,
}

/// What a unit of load costs that is shed.
const SHED: i64 = 100;

/// A unit: its largest output, what running, starting and power cost.
struct Unit {
    largest: i64,
    running: i64,
    starting: i64,
    price: i64,
}

/// What is decided when the load of a period is known.
struct Dispatch {
    power: Vec<Var>,
    shed: Var,
}

/// The program.
///
/// ```
/// use quip::games::or::Deviation;
/// use quip::games::or::commitment::{Commitment, Whole, generate};
/// let program = generate(&Commitment {
///     periods: 3,
///     units: 2,
///     budget: 1,
///     many_stages: true,
///     demand: Deviation::Binary,
///     whole: Whole::First,
///     seed: 1,
/// });
/// assert_eq!(program.variables().len(), 3 * (2 * 2 + 1 + 2 + 1));
/// assert_eq!(program.blocks().len(), 7);
/// ```
pub fn generate(family: &Commitment) -> Program {
    let mut dice = dice(family.seed);
    let (periods, count) = (0..family.periods.max(1), family.units.max(1));
    let units: Vec<Unit> = (0..count)
        .map(|unit| {
            let largest = [50, 40, 30, 20][unit % 4];
            Unit {
                largest,
                running: dice.random_range(largest..=2 * largest),
                starting: dice.random_range(largest / 2..=largest),
                price: dice.random_range(2..=6),
            }
        })
        .collect();
    let all: i64 = units.iter().map(|unit| unit.largest).sum();
    let mut model = Model::new();
    let mut ours = model.decide();
    let on = ours.binaries("on", grid(periods.clone(), 0..count));
    let start = ours.binaries("start", grid(periods.clone(), 0..count));
    let mut shares: Vec<Var> = Vec::new();
    let mut dispatches: Vec<Dispatch> = Vec::new();
    let share = |model: &mut Model, period: usize| {
        let name = format!("share[{period}]");
        family.demand.share(&mut model.reveal(), &name)
    };
    if !family.many_stages {
        shares.extend(periods.clone().map(|period| share(&mut model, period)));
    }
    for period in periods.clone() {
        if family.many_stages {
            shares.push(share(&mut model, period));
        }
        dispatches.push(dispatch(&mut model.decide(), period, &units, family.whole));
    }
    let mut cost = on.weighted(|&(_, unit)| units[unit].running)
        + start.weighted(|&(_, unit)| units[unit].starting);
    for (period, here) in dispatches.iter().enumerate() {
        let forecast = all * dice.random_range(40..=85) / 100;
        let deviation = all * dice.random_range(5..=15) / 100;
        let made = sum(here.power.iter().copied());
        let load = forecast + deviation * shares[period];
        model.subject_to(row!(made + here.shed >= load));
        for (number, unit) in units.iter().enumerate() {
            let (running, power) = (on[(period, number)], here.power[number]);
            model.subject_to(row!(power <= unit.largest * running));
            model.subject_to(row!(power >= unit.largest / 5 * running));
            let mut before = Expr::new();
            if let Some(past) = period.checked_sub(1) {
                before += on[(past, number)];
                let change = power - dispatches[past].power[number];
                let ramp = unit.largest * 3 / 5;
                model.subject_to(row!(change.clone() <= ramp));
                model.subject_to(row!(change >= -ramp));
            }
            model.subject_to(row!(start[(period, number)] >= running - before));
            cost += unit.price * power;
        }
        cost += SHED * here.shed;
    }
    model.uncertainty(row!("budget": sum(shares) <= family.budget));
    model.minimize_as("cost", cost);
    built(&model)
}

fn dispatch(stage: &mut Stage<'_>, period: usize, units: &[Unit], whole: Whole) -> Dispatch {
    let mut power = |(number, unit): (usize, &Unit)| {
        let name = format!("power[{period},{number}]");
        let whole = match whole {
            Whole::None => false,
            Whole::First => number == 0,
            Whole::All => true,
        };
        if whole {
            stage.integer(name.as_str(), 0..=unit.largest)
        } else {
            stage.real(name.as_str(), 0..=unit.largest)
        }
    };
    let power = units.iter().enumerate().map(&mut power).collect();
    let all: i64 = units.iter().map(|unit| unit.largest).sum();
    let shed = stage.real(format!("shed[{period}]").as_str(), 0..=all);
    Dispatch { power, shed }
}
