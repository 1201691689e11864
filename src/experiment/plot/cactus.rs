//! How many instances each solver solves within a time.

use super::SHORTEST;
use super::chart::{Chart, Frame};
use super::scale::Scale;
use crate::experiment::{Cell, Results};

/// The cactus plot: a point `(n, t)` says that `n` instances take at most `t` seconds each. A line is
/// drawn at the limit where something was not solved within it.
pub fn cactus(results: &Results, title: &str) -> String {
    let lines: Vec<(&str, Vec<(f64, f64)>)> = results
        .solvers
        .iter()
        .map(|solver| (solver.as_str(), line(results, solver)))
        .collect();
    let points = || lines.iter().flat_map(|(_, points)| points);
    let most = points().map(|point| point.0).fold(1.0, f64::max);
    let limit = results.limit_reached();
    let mut chart = Chart::new(&Frame {
        title,
        x_title: "instances solved",
        y_title: "seconds",
        x: Scale::linear([0.0, most].into_iter()),
        y: Scale::logarithmic(points().map(|point| point.1).chain(limit)),
    });
    if let Some(limit) = limit {
        chart.horizontal_limit(limit);
    }
    for (solver, points) in &lines {
        let name = format!("{solver} ({})", points.len());
        chart.series(&name, points, points);
    }
    chart.picture.finish()
}

fn line(results: &Results, solver: &str) -> Vec<(f64, f64)> {
    let solved = results.of(solver).filter(|cell| cell.is_solved());
    let mut times: Vec<f64> = solved.map(Cell::seconds).collect();
    times.sort_by(f64::total_cmp);
    let numbered = times.iter().enumerate();
    numbered
        .map(|(place, time)| ((place + 1) as f64, time.max(SHORTEST)))
        .collect()
}
