//! What an opponent costs: the value beside those of easier and harder games.
//!
//! The games and their values are those of [`bounds`](crate::experiment::bounds).

use super::study::Study;
use crate::experiment::bounds::{BoundsOptions, Measured, Side, are_listed, measure};
use crate::outcome::{Outcome, Status};
use crate::program::{Program, Quantifier};

/// Games that share what is left of the time.
const SHARES: u32 = 12;

/// If the opponent has at most this many legal plays, each of them is a scenario.
pub const MOST_SCENARIOS: usize = 16;

/// Another game beside the program's own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PriceEntry {
    /// `cooperative value`, `robust static plan`, or the scenario that the opponent is held to.
    pub name: String,
    /// Whether it is a scenario.
    pub is_scenario: bool,
    /// What that game is worth, as a cost.
    pub measured: Measured,
}

/// The price of robustness.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Price {
    /// The other games.
    pub entries: Vec<PriceEntry>,
    /// Whether every play of the opponent is among the scenarios.
    pub is_complete: bool,
}

/// `None` without an opponent or a legal play of it, or when nothing is left to spend.
pub(super) fn of(program: &Program, outcome: &Outcome, study: &mut Study<'_>) -> Option<Price> {
    let mut variables = program.variables().iter();
    // Where the opponent has no legal play, no game beside this one has a meaning.
    if outcome.status == Status::UniversalStuck {
        return None;
    }
    let has_opponent = variables.any(|variable| variable.quantifier == Quantifier::Forall);
    if !has_opponent || study.is_over() {
        return None;
    }
    study.tell("the price of robustness");
    let mut limits = study.limits();
    limits.time = limits.time.map(|left| left / SHARES);
    let options = BoundsOptions {
        limits,
        random: 0,
        largest_set: 1,
        most_plays: 0,
        each_play: MOST_SCENARIOS,
        stop: study.options().stop.clone(),
        ..BoundsOptions::default()
    };
    let report = measure(program, &options);
    let entries = report.entries.into_iter().filter_map(|entry| {
        let scenario = entry.name.strip_suffix(", integer");
        let wanted = entry.side == Side::Above || entry.name == "cooperative value";
        (wanted || scenario.is_some()).then(|| PriceEntry {
            name: scenario.unwrap_or(&entry.name).to_owned(),
            is_scenario: scenario.is_some(),
            measured: entry.measured,
        })
    });
    Some(Price {
        entries: entries.collect(),
        is_complete: are_listed(program, MOST_SCENARIOS),
    })
}
