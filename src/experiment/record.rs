//! A finished run, as one line of JSON.

use serde::{Deserialize, Serialize};

use super::environment::Environment;
use crate::num::{Rational, parse_rational};

/// One line of a results file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Line {
    /// Where the runs after this line were made.
    Environment(Environment),
    /// A run that has finished.
    Run(Box<Record>),
}

/// A finished run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Record {
    /// By which the plan knows it.
    pub key: String,
    /// Its number in the plan: runs that are made at once do not finish in order.
    pub place: usize,
    /// The suite.
    pub suite: String,
    /// The instance's name.
    pub instance: String,
    /// The instance's family.
    pub family: String,
    /// The instance's fingerprint.
    pub fingerprint: String,
    /// The solver's name.
    pub solver: String,
    /// The number of the repeat, from zero.
    pub repeat: u32,
    /// The time limit.
    pub limit_seconds: f64,
    /// As in the result of a solve; also `timeout`, `failed`, `unsupported`, and `solved` for a
    /// foreign solver that found a value.
    pub status: String,
    /// The objective in hand, exactly.
    pub value: Option<String>,
    /// What is proved on the other side, exactly.
    pub bound: Option<String>,
    /// `minimize` or `maximize`.
    pub sense: Option<String>,
    /// The time that counts: what the solver reports, otherwise the wall clock.
    pub seconds: f64,
    /// From the start of the process to its end.
    pub wall_seconds: f64,
    /// Positions.
    pub nodes: Option<u64>,
    /// Linear programs.
    pub lps: Option<u64>,
    /// Memory.
    pub peak_mb: Option<u64>,
    /// What went wrong, if something did.
    pub message: Option<String>,
    /// Bounds over time, if they were asked for.
    pub trace: Vec<TracePoint>,
}

/// What was known at a moment of a run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct TracePoint {
    /// Since the start of the solve.
    pub seconds: f64,
    /// The objective in hand.
    pub objective: Option<String>,
    /// What is proved on the other side.
    pub bound: Option<String>,
}

/// Statuses that mean a proved answer.
const SOLVED: [&str; 8] = [
    "optimal",
    "feasible",
    "infeasible",
    "universal_stuck",
    "unbounded",
    "target_reached",
    "good_enough",
    "solved",
];

impl Record {
    /// Whether the run ended with an answer.
    pub fn is_solved(&self) -> bool {
        SOLVED.contains(&self.status.as_str())
    }

    /// Whether the solver does not take such a program: that is no time and no answer.
    pub fn is_refused(&self) -> bool {
        self.status == "unsupported"
    }

    /// Whether a foreign solver says so.
    pub fn is_foreign(&self) -> bool {
        self.key.contains("| external ")
    }

    /// The value as a number.
    pub fn number(&self) -> Option<Rational> {
        parse_rational(self.value.as_deref()?).ok()
    }
}
