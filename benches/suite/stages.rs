//! Time against the number of stages, for knapsack and lot-sizing.
//!
//! The first number in an instance's name is its number of stages.

use std::collections::BTreeMap;
use std::path::Path;

use crate::instances::Instance;
use crate::plot::{Series, draw};
use crate::run::solve;

/// The families that have stages in their names.
const FAMILIES: [&str; 2] = ["knapsack", "lotsizing"];

/// Solves them, prints the median time for each number of stages and draws a plot.
pub fn study(instances: &[Instance], limit: u64, plot: &Path) {
    let mut series = Vec::new();
    println!("| family | stages | solved | median s | slowest s |");
    println!("| --- | --: | --: | --: | --: |");
    for family in FAMILIES {
        let points = by_stages(
            instances
                .iter()
                .filter(|instance| instance.family() == family),
            limit,
        );
        let points = points.into_iter().map(|(stages, times)| {
            let (median, solved) = (median(&times), times.iter().flatten().count());
            let all = times.len();
            let slowest = times
                .iter()
                .flatten()
                .fold(0.0, |most: f64, time| most.max(*time));
            let shown = median.map_or(format!("> {limit}"), |time| format!("{time:.3}"));
            println!("| {family} | {stages} | {solved} of {all} | {shown} | {slowest:.3} |");
            (stages as f64, median.unwrap_or(limit as f64))
        });
        series.push(Series {
            name: family,
            points: points.collect(),
        });
    }
    match std::fs::write(plot, draw(&series)) {
        Ok(()) => println!("\nplot: {}", plot.display()),
        Err(fault) => eprintln!("{}: {fault}", plot.display()),
    }
}

/// The times for each number of stages; `None` is an instance that was not solved.
fn by_stages<'a>(
    instances: impl Iterator<Item = &'a Instance>,
    limit: u64,
) -> BTreeMap<u32, Vec<Option<f64>>> {
    let mut times: BTreeMap<u32, Vec<Option<f64>>> = BTreeMap::new();
    for instance in instances {
        let mut numbers = instance
            .name()
            .split(['-', '_'])
            .filter_map(|part| part.parse().ok());
        if let Some(stages) = numbers.next() {
            let run = solve(&instance.file, limit, &[]);
            times
                .entry(stages)
                .or_default()
                .push(run.solved.then_some(run.seconds));
        }
    }
    times
}

/// The median, if at least half of the instances were solved.
fn median(times: &[Option<f64>]) -> Option<f64> {
    let mut sorted: Vec<f64> = times
        .iter()
        .map(|time| time.unwrap_or(f64::INFINITY))
        .collect();
    sorted.sort_by(f64::total_cmp);
    sorted
        .get(sorted.len() / 2)
        .copied()
        .filter(|time| time.is_finite())
}
