//! What was known when: the objective in hand and the bound, closing on each other.

use super::SHORTEST;
use super::chart::{Chart, Frame};
use super::scale::Scale;
use crate::experiment::{Record, Results, TracePoint};
use crate::num::{approximate, parse_rational};

/// One line for the objective in hand and one for the bound of each solver, on one instance; `None`
/// if no run of it has a trace.
pub fn trace(results: &Results, fingerprint: &str, title: &str) -> Option<String> {
    let cells = results.solvers.iter();
    let cells = cells.filter_map(|solver| results.cell(solver, fingerprint));
    let runs: Vec<&Record> = cells.filter_map(|cell| cell.runs.first()).collect();
    let lines: Vec<(String, Vec<(f64, f64)>)> = runs
        .iter()
        .flat_map(|run| {
            let objective = steps(run, |point| point.objective.as_deref());
            let bound = steps(run, |point| point.bound.as_deref());
            [
                (format!("{}: strategy", run.solver), objective),
                (format!("{}: bound", run.solver), bound),
            ]
        })
        .collect();
    let points = || lines.iter().flat_map(|(_, line)| line);
    points().next()?;
    let mut chart = Chart::new(&Frame {
        title,
        x_title: "seconds",
        y_title: "objective",
        x: Scale::logarithmic(points().map(|point| point.0)),
        y: Scale::linear(points().map(|point| point.1)),
    });
    for (name, line) in &lines {
        let marked: Vec<(f64, f64)> = line.iter().step_by(2).copied().collect();
        chart.series(name, line, &marked);
    }
    Some(chart.picture.finish())
}

/// A staircase from the first known number to the end of the run.
fn steps(run: &Record, of: impl Fn(&TracePoint) -> Option<&str>) -> Vec<(f64, f64)> {
    let mut line: Vec<(f64, f64)> = Vec::new();
    for point in &run.trace {
        let Some(number) = of(point).and_then(|text| parse_rational(text).ok()) else {
            continue;
        };
        let (time, number) = (point.seconds.max(SHORTEST), approximate(&number));
        if let Some(&(_, before)) = line.last() {
            line.push((time, before));
        }
        line.push((time, number));
    }
    line
}
