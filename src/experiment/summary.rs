//! A few numbers for each solver: what a table in a paper says.
//!
//! **Definitions.** The *shifted geometric mean* of `t` with shift `s` is `exp(mean ln(t + s)) − s`;
//! an instance that was not solved counts with its time limit. *PAR2* is the mean time with twice
//! the limit for what was not solved. Both are over the instances that no solver refused: one that
//! takes fewer programs is not slower or faster for it. With repeats, an instance counts as solved if every repeat
//! was, with the median of the times.

use serde::Serialize;

use super::cells::{Cell, Results};

/// What is said about one solver.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Summary {
    /// The solver.
    pub solver: String,
    /// Instances that it was given.
    pub instances: usize,
    /// Instances that it does not take.
    pub refused: usize,
    /// Instances that it solved.
    pub solved: usize,
    /// Instances that it alone solved.
    pub alone: usize,
    /// Instances that nobody solved faster.
    pub fastest: usize,
    /// Shifted geometric mean of the times, in seconds.
    pub mean_seconds: f64,
    /// Mean time, unsolved ones at twice the limit.
    pub par2: f64,
    /// Shifted geometric mean of the positions, over the instances that every solver solved.
    pub mean_nodes: Option<f64>,
    /// The same of the linear programs.
    pub mean_lps: Option<f64>,
}

/// The shift of times unless another is wanted, in seconds.
pub const TIME_SHIFT: f64 = 1.0;

/// The shift of counts.
const COUNT_SHIFT: f64 = 100.0;

/// One summary for each solver, in their order.
pub fn summaries(results: &Results, shift: f64) -> Vec<Summary> {
    let solvers = results.solvers.iter();
    solvers
        .map(|solver| summary(results, solver, shift))
        .collect()
}

fn summary(results: &Results, solver: &str, shift: f64) -> Summary {
    let cells: Vec<&Cell> = results.of(solver).collect();
    let taken = fingerprints(results, |fingerprint| results.all_take(fingerprint));
    let taken = taken.iter();
    let taken: Vec<&Cell> = taken
        .filter_map(|fingerprint| results.cell(solver, fingerprint))
        .collect();
    let solved: Vec<&str> = fingerprints(results, |fingerprint| {
        is_solved(results, solver, fingerprint)
    });
    let others_fail = |fingerprint: &&&str| {
        let mut others = results.solvers.iter().filter(|other| *other != solver);
        others.all(|other| !is_solved(results, other, fingerprint))
    };
    let common = fingerprints(results, |fingerprint| {
        let mut all = results.solvers.iter();
        all.all(|solver| is_solved(results, solver, fingerprint))
    });
    let common: Vec<&Cell> = common
        .iter()
        .filter_map(|fingerprint| results.cell(solver, fingerprint))
        .collect();
    Summary {
        solver: solver.to_owned(),
        instances: cells.len(),
        refused: cells.iter().filter(|cell| cell.is_refused()).count(),
        solved: solved.len(),
        alone: solved.iter().filter(others_fail).count(),
        fastest: solved
            .iter()
            .filter(|fingerprint| is_fastest(results, solver, fingerprint))
            .count(),
        mean_seconds: shifted_mean(taken.iter().map(|cell| counted_seconds(cell, 1.0)), shift),
        par2: mean(taken.iter().map(|cell| counted_seconds(cell, 2.0))),
        mean_nodes: mean_count(&common, |cell| cell.count(|run| run.nodes)),
        mean_lps: mean_count(&common, |cell| cell.count(|run| run.lps)),
    }
}

fn fingerprints(results: &Results, keep: impl Fn(&str) -> bool) -> Vec<&str> {
    let all = results.instances.keys().map(String::as_str);
    all.filter(|fingerprint| keep(fingerprint)).collect()
}

fn is_solved(results: &Results, solver: &str, fingerprint: &str) -> bool {
    results
        .cell(solver, fingerprint)
        .is_some_and(Cell::is_solved)
}

fn is_fastest(results: &Results, solver: &str, fingerprint: &str) -> bool {
    let time = |solver: &str| {
        let cell = results.cell(solver, fingerprint)?;
        cell.is_solved().then(|| cell.seconds())
    };
    let mine = time(solver);
    let others = results.solvers.iter().filter_map(|other| time(other));
    mine.is_some_and(|mine| others.into_iter().all(|other| mine <= other))
}

/// The time of a cell, or `factor` times the limit if it was not solved.
fn counted_seconds(cell: &Cell, factor: f64) -> f64 {
    if cell.is_solved() {
        cell.seconds()
    } else {
        factor * cell.limit()
    }
}

fn mean_count(cells: &[&Cell], of: impl Fn(&Cell) -> Option<f64>) -> Option<f64> {
    let counts: Option<Vec<f64>> = cells.iter().map(|cell| of(cell)).collect();
    let counts = counts.filter(|counts| !counts.is_empty())?;
    Some(shifted_mean(counts.into_iter(), COUNT_SHIFT))
}

/// See the module; zero of nothing.
///
/// ```
/// use quip::experiment::summary::shifted_mean;
/// assert!((shifted_mean([1.0, 7.0].into_iter(), 1.0) - 3.0).abs() < 1e-12);
/// ```
pub fn shifted_mean(numbers: impl Iterator<Item = f64>, shift: f64) -> f64 {
    let logarithms: Vec<f64> = numbers.map(|number| (number + shift).ln()).collect();
    if logarithms.is_empty() {
        return 0.0;
    }
    // Rounding must not make a mean of zeros negative.
    (mean(logarithms.into_iter()).exp() - shift).max(0.0)
}

fn mean(numbers: impl Iterator<Item = f64>) -> f64 {
    let (sum, count) = numbers.fold((0.0, 0usize), |(sum, count), number| {
        (sum + number, count + 1)
    });
    if count == 0 { 0.0 } else { sum / count as f64 }
}

#[cfg(test)]
mod tests {
    use super::super::Record;
    use super::*;

    fn run(solver: &str, instance: &str, seconds: f64, solved: bool) -> Record {
        Record {
            key: format!("{instance} | {solver} | 0"),
            solver: solver.to_owned(),
            instance: instance.to_owned(),
            fingerprint: instance.to_owned(),
            status: if solved { "optimal" } else { "interrupted" }.to_owned(),
            value: solved.then(|| "5".to_owned()),
            seconds,
            limit_seconds: 10.0,
            nodes: Some(100),
            ..Record::default()
        }
    }

    #[test]
    fn what_is_not_solved_counts_with_the_limit() {
        let results = Results::new(vec![
            run("a", "one", 1.0, true),
            run("a", "two", 10.0, false),
            run("b", "one", 2.0, true),
            run("b", "two", 4.0, true),
        ]);
        let [a, b] = summaries(&results, 1.0).try_into().unwrap();
        assert_eq!((a.solved, a.alone, a.fastest), (1, 0, 1));
        assert_eq!((b.solved, b.alone, b.fastest), (2, 1, 1));
        assert!((a.par2 - 10.5).abs() < 1e-12);
        assert!((a.mean_seconds - (22.0f64.sqrt() - 1.0)).abs() < 1e-12);
        assert!((a.mean_nodes.unwrap() - 100.0).abs() < 1e-9);
    }

    #[test]
    fn what_a_solver_refuses_is_no_time() {
        let refused = Record {
            status: "unsupported".to_owned(),
            ..run("a", "two", 0.01, false)
        };
        let results = Results::new(vec![
            run("a", "one", 1.0, true),
            refused,
            run("b", "one", 2.0, true),
            run("b", "two", 4.0, true),
        ]);
        let [a, b] = summaries(&results, 1.0).try_into().unwrap();
        assert_eq!((a.instances, a.refused, a.solved), (2, 1, 1));
        assert_eq!((b.instances, b.refused, b.solved), (2, 0, 2));
        assert!((a.par2 - 1.0).abs() < 1e-12 && (b.par2 - 2.0).abs() < 1e-12);
        assert_eq!(results.limit_reached(), None);
    }

    #[test]
    fn different_values_are_a_disagreement() {
        let wrong = Record {
            value: Some("6".to_owned()),
            ..run("b", "one", 1.0, true)
        };
        let results = Results::new(vec![run("a", "one", 1.0, true), wrong.clone()]);
        assert_eq!(results.disagreements().len(), 1);
        let stopped = Record {
            status: "interrupted".to_owned(),
            ..wrong
        };
        let results = Results::new(vec![run("a", "one", 1.0, true), stopped]);
        assert!(results.disagreements().is_empty());
    }
}
