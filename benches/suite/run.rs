//! One solve in a process of its own.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

use serde_json::Value;

/// What a solve cost and said.
#[derive(Clone, Debug)]
pub struct Run {
    /// Whether the answer is proved.
    pub solved: bool,
    /// CPU seconds like the peer's; below a twentieth of a second the wall clock, because the
    /// system counts CPU time in hundredths.
    pub seconds: f64,
    /// Positions visited.
    pub nodes: u64,
    /// Linear programs solved.
    pub lps: u64,
    /// Peak memory in megabytes.
    pub megabytes: u64,
    /// The objective, if there is one.
    pub objective: Option<String>,
}

/// Solves a model with a time limit in seconds and some `--set` arguments.
pub fn solve(file: &Path, limit: u64, switches: &[String]) -> Run {
    let mut command = Command::new(env!("CARGO_BIN_EXE_quip"));
    command
        .args(["solve", "--json", "--quiet", "--time", &limit.to_string()])
        .arg(file)
        .stderr(Stdio::null());
    for switch in switches {
        command.args(["--set", switch]);
    }
    let (start, cpu_before) = (Instant::now(), children_seconds());
    let output = command.output().expect("quip can be started");
    let wall = start.elapsed().as_secs_f64();
    let cpu = children_seconds() - cpu_before;
    let result: Value = serde_json::from_slice(&output.stdout).unwrap_or(Value::Null);
    let effort = |key: &str| result["effort"][key].as_u64().unwrap_or(0);
    let status = result["status"].as_str().unwrap_or("refused");
    Run {
        solved: !["interrupted", "refused"].contains(&status),
        seconds: if wall < 0.05 { wall } else { cpu },
        nodes: effort("nodes"),
        lps: effort("lps"),
        megabytes: effort("peak_mb"),
        objective: result["objective"].as_str().map(str::to_owned),
    }
}

/// CPU seconds of all children that have ended, where the system tells.
fn children_seconds() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    // The name in parentheses may hold spaces; user and system time of children are the 14th and
    // 15th fields after it.
    let fields = stat.rsplit(')').next().unwrap_or_default();
    let ticks = fields.split_whitespace().skip(13).take(2);
    ticks
        .filter_map(|field| field.parse::<f64>().ok())
        .sum::<f64>()
        / 100.0
}
