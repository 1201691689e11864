//! Results arranged for comparison: one cell for each instance and solver.

use std::collections::{BTreeMap, BTreeSet};

use num_traits::Signed;

use super::record::Record;
use crate::num::tolerance::FOREIGN_AGREEMENT;
use crate::num::{Rational, approximate};

/// The repeats of one instance with one solver.
#[derive(Clone, Debug, PartialEq)]
pub struct Cell {
    /// The repeats, in order.
    pub runs: Vec<Record>,
}

/// Every cell of some results.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Results {
    /// Solvers in the order of the suite: the first is the natural baseline.
    pub solvers: Vec<String>,
    /// Names of instances by fingerprint.
    pub instances: BTreeMap<String, String>,
    cells: BTreeMap<(String, String), Cell>,
}

impl Results {
    /// Arranges records. A key that comes twice counts once, as it was first noted.
    pub fn new(mut records: Vec<Record>) -> Self {
        // The order of the suite, not the one in which runs happened to finish.
        records.sort_by_key(|record| record.place);
        let mut results = Self::default();
        let mut keys = BTreeSet::new();
        for record in records {
            if !keys.insert(record.key.clone()) {
                continue;
            }
            if !results.solvers.contains(&record.solver) {
                results.solvers.push(record.solver.clone());
            }
            let instance = record.fingerprint.clone();
            results
                .instances
                .entry(instance.clone())
                .or_insert_with(|| record.instance.clone());
            let place = (record.solver.clone(), instance);
            let cell = results
                .cells
                .entry(place)
                .or_insert(Cell { runs: Vec::new() });
            cell.runs.push(record);
        }
        for cell in results.cells.values_mut() {
            cell.runs.sort_by_key(|run| run.repeat);
        }
        results
    }

    /// The cells of a solver, by instance.
    pub fn of<'a>(&'a self, solver: &'a str) -> impl Iterator<Item = &'a Cell> {
        let cells = self.cells.iter();
        let mine = cells.filter(move |((name, _), _)| name == solver);
        mine.map(|(_, cell)| cell)
    }

    /// The cell of a solver and an instance.
    pub fn cell(&self, solver: &str, fingerprint: &str) -> Option<&Cell> {
        self.cells.get(&(solver.to_owned(), fingerprint.to_owned()))
    }

    /// Whether no solver refused the instance: times are compared on these.
    pub fn all_take(&self, fingerprint: &str) -> bool {
        let cells = self.solvers.iter();
        let mut cells = cells.filter_map(|solver| self.cell(solver, fingerprint));
        !cells.any(Cell::is_refused)
    }

    /// The largest time limit of a run that nobody refused and nobody ended: where such runs are drawn.
    pub fn limit_reached(&self) -> Option<f64> {
        let ended = self
            .runs()
            .filter(|run| !run.is_solved() && !run.is_refused());
        ended.map(|run| run.limit_seconds).reduce(f64::max)
    }

    /// Every run, in the order of the suite.
    pub fn runs(&self) -> impl Iterator<Item = &Record> {
        let mut runs: Vec<&Record> = self.cells.values().flat_map(|cell| &cell.runs).collect();
        runs.sort_by_key(|run| run.place);
        runs.into_iter()
    }

    /// The same of one family only.
    #[must_use]
    pub fn family(&self, family: &str) -> Self {
        let runs = self.runs().filter(|run| run.family == family);
        let mut part = Self::new(runs.cloned().collect());
        part.solvers.clone_from(&self.solvers);
        part
    }

    /// The families, by name.
    pub fn families(&self) -> BTreeSet<&str> {
        self.runs().map(|run| run.family.as_str()).collect()
    }

    /// Instances whose solved runs contradict each other, one sentence each.
    pub fn disagreements(&self) -> Vec<String> {
        let named = self.instances.iter();
        named
            .filter_map(|(fingerprint, name)| {
                let cells = self.solvers.iter();
                let cells = cells.filter_map(|solver| self.cell(solver, fingerprint));
                let runs = cells.flat_map(|cell| &cell.runs);
                let solved: Vec<&Record> = runs.filter(|run| run.is_solved()).collect();
                let (first, rest) = solved.split_first()?;
                let other = rest.iter().find(|run| !agree(first, run))?;
                Some(format!(
                    "{name}: `{}` says {}, `{}` says {}",
                    first.solver,
                    verdict(first),
                    other.solver,
                    verdict(other)
                ))
            })
            .collect()
    }
}

fn verdict(run: &Record) -> String {
    match &run.value {
        Some(value) => format!("{} {value}", run.status),
        None => run.status.clone(),
    }
}

/// Runs of this program agree to the last digit; a foreign one is granted the digits it prints.
fn agree(first: &Record, second: &Record) -> bool {
    let foreign = first.is_foreign() || second.is_foreign();
    match (first.number(), second.number()) {
        (Some(one), Some(other)) if foreign => near(&one, &other),
        (Some(one), Some(other)) => one == other,
        // A value may stand for "feasible" where there is no objective.
        _ if foreign => (first.status == "infeasible") == (second.status == "infeasible"),
        (one, other) => one == other && first.status == second.status,
    }
}

fn near(one: &Rational, other: &Rational) -> bool {
    let size = approximate(&one.abs()).max(1.0);
    approximate(&(one - other)).abs() <= FOREIGN_AGREEMENT * size
}

impl Cell {
    /// Whether every repeat was solved.
    pub fn is_solved(&self) -> bool {
        self.runs.iter().all(Record::is_solved)
    }

    /// Whether the solver does not take the instance.
    pub fn is_refused(&self) -> bool {
        self.runs.iter().any(Record::is_refused)
    }

    /// The median time of the repeats.
    pub fn seconds(&self) -> f64 {
        self.median(|run| run.seconds)
    }

    /// The time limit.
    pub fn limit(&self) -> f64 {
        self.median(|run| run.limit_seconds)
    }

    /// The median of a count, if every repeat has it.
    pub fn count(&self, of: impl Fn(&Record) -> Option<u64>) -> Option<f64> {
        let known = self.runs.iter().all(|run| of(run).is_some());
        known.then(|| self.median(|run| of(run).unwrap_or_default() as f64))
    }

    fn median(&self, of: impl Fn(&Record) -> f64) -> f64 {
        let mut numbers: Vec<f64> = self.runs.iter().map(of).collect();
        numbers.sort_by(f64::total_cmp);
        let middle = numbers.len() / 2;
        match numbers.len() {
            0 => 0.0,
            odd if odd % 2 == 1 => numbers[middle],
            _ => f64::midpoint(numbers[middle - 1], numbers[middle]),
        }
    }
}
