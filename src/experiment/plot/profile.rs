//! How often a solver is within a factor of the best (after Dolan and Moré).

use super::SHORTEST;
use super::chart::{Chart, Frame};
use super::scale::Scale;
use crate::experiment::Results;

/// The performance profile: `(τ, p)` says that the solver is at most τ times slower than the best
/// one on the share `p` of the instances.
pub fn profile(results: &Results, title: &str) -> String {
    let lines: Vec<(&str, Vec<f64>)> = results
        .solvers
        .iter()
        .map(|solver| (solver.as_str(), ratios(results, solver)))
        .collect();
    let largest = lines.iter().flat_map(|(_, ratios)| ratios.iter().copied());
    let largest = largest.fold(1.0, f64::max);
    let mut chart = Chart::new(&Frame {
        title,
        x_title: "times slower than the best",
        y_title: "share of instances",
        x: Scale::logarithmic([1.0, largest].into_iter()),
        y: Scale::Linear {
            low: 0.0,
            high: 1.0,
        },
    });
    let total = results.instances.len().max(1) as f64;
    for (solver, ratios) in &lines {
        let (line, corners) = steps(ratios, total, largest);
        chart.series(solver, &line, &corners);
    }
    chart.picture.finish()
}

/// Points in the numbers of the axes.
type Line = Vec<(f64, f64)>;

/// A staircase, and the upper end of each step.
fn steps(ratios: &[f64], total: f64, largest: f64) -> (Line, Line) {
    let mut line = vec![(1.0, 0.0)];
    let mut corners = Vec::new();
    for (place, &ratio) in ratios.iter().enumerate() {
        let share = (place + 1) as f64 / total;
        line.extend([(ratio, place as f64 / total), (ratio, share)]);
        if ratios.get(place + 1).is_none_or(|next| *next > ratio) {
            corners.push((ratio, share));
        }
    }
    line.push((largest, ratios.len() as f64 / total));
    (line, corners)
}

/// Time over the best time, for each instance that the solver solved, smallest first.
fn ratios(results: &Results, solver: &str) -> Vec<f64> {
    let time = |solver: &str, fingerprint: &str| {
        let cell = results.cell(solver, fingerprint)?;
        cell.is_solved().then(|| cell.seconds().max(SHORTEST))
    };
    let instances = results.instances.keys();
    let mut ratios: Vec<f64> = instances
        .filter_map(|fingerprint| {
            let mine = time(solver, fingerprint)?;
            let all = results.solvers.iter();
            let all = all.filter_map(|other| time(other, fingerprint));
            Some(mine / all.fold(mine, f64::min))
        })
        .collect();
    ratios.sort_by(f64::total_cmp);
    ratios
}
