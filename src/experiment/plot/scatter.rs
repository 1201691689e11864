//! Two solvers, instance by instance.

use super::SHORTEST;
use super::chart::{Chart, Frame};
use super::scale::Scale;
use crate::experiment::{Cell, Results};

/// The scatter plot: below the diagonal `vertical` is faster. What was not solved lies at the
/// limit, where a line is drawn; what one of them refused is not there.
pub fn scatter(results: &Results, horizontal: &str, vertical: &str, title: &str) -> String {
    let pairs = pairs(results, horizontal, vertical);
    let numbers = || pairs.iter().flat_map(|(_, point)| [point.0, point.1]);
    let scale = Scale::logarithmic(numbers());
    let mut chart = Chart::new(&Frame {
        title,
        x_title: &format!("{horizontal}, seconds"),
        y_title: &format!("{vertical}, seconds"),
        x: scale,
        y: scale,
    });
    let Scale::Logarithmic { low, high } = scale else {
        unreachable!("the scale was made logarithmic")
    };
    let diagonal = [chart.point(low, low), chart.point(high, high)];
    let grey = "stroke=\"#888888\" stroke-dasharray=\"4 3\"";
    chart.picture.line(diagonal[0], diagonal[1], grey);
    let is_missed = |solver: &str| {
        let mut cells = results.of(solver).filter(|cell| !cell.is_refused());
        cells.any(|cell| !cell.is_solved())
    };
    if let Some(limit) = results.limit_reached().filter(|limit| *limit <= high) {
        if is_missed(horizontal) {
            chart.vertical_limit(limit);
        }
        if is_missed(vertical) {
            chart.horizontal_limit(limit);
        }
    }
    for family in results.families() {
        let points = pairs.iter().filter(|(of, _)| of == family);
        let points: Vec<(f64, f64)> = points.map(|(_, point)| *point).collect();
        chart.points(family, &points);
    }
    chart.picture.finish()
}

/// The family and both times of every instance that both solvers were given.
fn pairs(results: &Results, horizontal: &str, vertical: &str) -> Vec<(String, (f64, f64))> {
    let instances = results.instances.keys();
    let both = instances.filter_map(|fingerprint| {
        let x = results.cell(horizontal, fingerprint)?;
        let y = results.cell(vertical, fingerprint)?;
        if x.is_refused() || y.is_refused() {
            return None;
        }
        Some((x.runs.first()?.family.clone(), (time(x), time(y))))
    });
    both.collect()
}

fn time(cell: &Cell) -> f64 {
    if cell.is_solved() {
        cell.seconds().max(SHORTEST)
    } else {
        cell.limit()
    }
}
