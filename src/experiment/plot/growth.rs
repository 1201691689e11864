//! How effort grows with a parameter of a generator.

use std::collections::BTreeMap;

use super::SHORTEST;
use super::chart::{Chart, Frame};
use super::scale::Scale;
use crate::experiment::summary::shifted_mean;
use crate::experiment::{Cell, Results};

/// What is drawn against the parameter.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Measure {
    /// Time.
    Seconds,
    /// Positions.
    Nodes,
    /// Linear programs.
    Lps,
    /// Memory.
    Megabytes,
}

impl Measure {
    fn title(self) -> &'static str {
        match self {
            Self::Seconds => "seconds",
            Self::Nodes => "positions",
            Self::Lps => "linear programs",
            Self::Megabytes => "megabytes",
        }
    }

    fn of(self, cell: &Cell) -> Option<f64> {
        match self {
            Self::Seconds => Some(cell.seconds().max(SHORTEST)),
            Self::Nodes => cell.count(|run| run.nodes).map(|it| it.max(1.0)),
            Self::Lps => cell.count(|run| run.lps).map(|it| it.max(1.0)),
            Self::Megabytes => cell.count(|run| run.peak_mb).map(|it| it.max(1.0)),
        }
    }
}

/// One line for each solver: the geometric mean over the instances that share a value of the
/// parameter, where all of them were solved. `None` if no instance has the parameter.
///
/// A parameter is found in the names of generated instances: `nim(heaps=3 seed=1)` has `heaps` 3.
pub fn growth(results: &Results, parameter: &str, of: Measure, title: &str) -> Option<String> {
    let solvers = results.solvers.iter();
    let lines: Vec<(&str, Vec<(f64, f64)>)> = solvers
        .map(|solver| (solver.as_str(), line(results, solver, parameter, of)))
        .collect();
    let mut names = results.instances.values();
    names.find(|name| value_of(name, parameter).is_some())?;
    let points = || lines.iter().flat_map(|(_, points)| points);
    let heights = points().map(|point| point.1);
    let mut chart = Chart::new(&Frame {
        title,
        x_title: parameter,
        y_title: of.title(),
        x: Scale::linear(points().map(|point| point.0)),
        // Memory grows by less than a power of ten.
        y: match of {
            Measure::Megabytes => Scale::linear(heights.chain([0.0])),
            _ => Scale::logarithmic(heights),
        },
    });
    for (solver, points) in &lines {
        chart.series(solver, points, points);
    }
    Some(chart.picture.finish())
}

fn line(results: &Results, solver: &str, parameter: &str, of: Measure) -> Vec<(f64, f64)> {
    let mut groups: BTreeMap<u64, Vec<Option<f64>>> = BTreeMap::new();
    for (fingerprint, name) in &results.instances {
        let (Some(value), Some(cell)) =
            (value_of(name, parameter), results.cell(solver, fingerprint))
        else {
            continue;
        };
        let measured = cell.is_solved().then(|| of.of(cell)).flatten();
        groups.entry(value).or_default().push(measured);
    }
    let points = groups.into_iter().filter_map(|(value, group)| {
        let numbers: Vec<f64> = group.into_iter().collect::<Option<_>>()?;
        Some((value as f64, shifted_mean(numbers.into_iter(), 0.0)))
    });
    points.collect()
}

/// The value of a parameter in the name of a generated instance.
fn value_of(name: &str, parameter: &str) -> Option<u64> {
    let (_, inside) = name.strip_suffix(')')?.split_once('(')?;
    let mut given = inside.split(' ').filter_map(|part| part.split_once('='));
    let (_, value) = given.find(|(known, _)| *known == parameter)?;
    value.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::Record;

    fn run(place: usize, boxes: usize, solved: bool) -> Record {
        Record {
            key: place.to_string(),
            place,
            solver: "a".to_owned(),
            instance: format!("line(boxes={boxes} seed={place})"),
            fingerprint: place.to_string(),
            status: if solved { "optimal" } else { "interrupted" }.to_owned(),
            seconds: if place == 0 { 1.0 } else { 4.0 },
            lps: Some(7),
            ..Record::default()
        }
    }

    #[test]
    fn a_point_is_the_mean_over_instances_that_were_all_solved() {
        let results = Results::new(vec![run(0, 3, true), run(1, 3, true), run(2, 4, false)]);
        let seconds = line(&results, "a", "boxes", Measure::Seconds);
        assert_eq!(seconds.len(), 1);
        assert!((seconds[0].0 - 3.0).abs() < 1e-9 && (seconds[0].1 - 2.0).abs() < 1e-9);
        let lps = line(&results, "a", "boxes", Measure::Lps);
        assert!((lps[0].1 - 7.0).abs() < 1e-9);
        assert!(line(&results, "a", "boxes", Measure::Nodes).is_empty());
        assert!(growth(&results, "boxes", Measure::Lps, "t").is_some());
        assert!(growth(&results, "rows", Measure::Lps, "t").is_none());
    }

    #[test]
    fn a_parameter_is_found_by_its_whole_name() {
        assert_eq!(value_of("nim(heaps=3 seed=12)", "seed"), Some(12));
        assert_eq!(value_of("nim(heaps=3 seed=12)", "eed"), None);
        assert_eq!(value_of("nim(heaps=1,2)", "heaps"), None);
        assert_eq!(value_of("or/knapsack.qip", "seed"), None);
    }
}
