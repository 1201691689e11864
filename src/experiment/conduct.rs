//! Making the runs of a plan, several at once, each in a process of its own.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;
use std::time::Duration;

use regex::Regex;
use serde_json::Value;

use super::contender::{Contender, Kind};
use super::ledger::{Ledger, LedgerError};
use super::plan::{Plan, PlannedRun};
use super::process::{Finished, run_limited};
use super::record::{Record, TracePoint};
use super::suite::External;
use crate::budget::Budget;

/// How to make the runs.
#[derive(Clone, Debug)]
pub struct Conduct {
    /// The executable that solves: this program.
    pub quip: PathBuf,
    /// How many runs at once.
    pub jobs: usize,
    /// Raised to stop; runs under way are dropped.
    pub stop: Arc<AtomicBool>,
}

/// How far an experiment is.
#[derive(Clone, Debug)]
pub struct Progress<'a> {
    /// Runs that have finished, earlier sessions included.
    pub done: usize,
    /// Runs of the plan.
    pub total: usize,
    /// Since the session began.
    pub elapsed: Duration,
    /// What the rest takes if it goes on like this.
    pub left: Duration,
    /// The run that has just finished.
    pub last: &'a Record,
}

/// How a session ended.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Ended {
    /// Runs that were made.
    pub made: usize,
    /// Runs that are still missing.
    pub missing: usize,
}

/// How much longer than its limit a run of this program may take before it is ended by force.
const GRACE: Duration = Duration::from_secs(5);

/// Makes every run of the plan that the ledger does not have.
pub fn conduct(
    plan: &Plan,
    ledger: &mut Ledger,
    how: &Conduct,
    mut listener: impl FnMut(&Progress<'_>),
) -> Result<Ended, LedgerError> {
    let missing: Vec<&PlannedRun> = plan
        .runs
        .iter()
        .filter(|run| !ledger.has(&run.key))
        .collect();
    let before = plan.runs.len() - missing.len();
    let clock = Budget::unlimited();
    let mut made = 0;
    let mut failure = None;
    let next = AtomicUsize::new(0);
    thread::scope(|scope| {
        let (sender, finished) = mpsc::channel();
        for _ in 0..how.jobs.clamp(1, missing.len().max(1)) {
            let sender = sender.clone();
            let (next, missing) = (&next, &missing);
            scope.spawn(move || work(&plan.name, missing, next, how, &sender));
        }
        drop(sender);
        note_all(&finished, |record| {
            ledger
                .note(record)
                .inspect_err(|_| how.stop.store(true, Ordering::Relaxed))?;
            made += 1;
            let rest = missing.len() - made;
            listener(&Progress {
                done: before + made,
                total: plan.runs.len(),
                elapsed: clock.elapsed(),
                left: clock.elapsed().mul_f64(rest as f64 / made as f64),
                last: record,
            });
            Ok(())
        })
        .unwrap_or_else(|error| failure = Some(error));
    });
    match failure {
        Some(error) => Err(error),
        None => Ok(Ended {
            made,
            missing: missing.len() - made,
        }),
    }
}

fn note_all(
    finished: &Receiver<Record>,
    mut note: impl FnMut(&Record) -> Result<(), LedgerError>,
) -> Result<(), LedgerError> {
    finished.iter().try_for_each(|record| note(&record))
}

/// Takes one run after the other until none is left or somebody says stop.
fn work(
    suite: &str,
    runs: &[&PlannedRun],
    next: &AtomicUsize,
    how: &Conduct,
    sender: &Sender<Record>,
) {
    while !how.stop.load(Ordering::Relaxed) {
        let Some(run) = runs.get(next.fetch_add(1, Ordering::Relaxed)) else {
            return;
        };
        let Some(record) = make(suite, run, &how.quip, &how.stop) else {
            return;
        };
        if sender.send(record).is_err() {
            return;
        }
    }
}

/// Makes one run; `None` if it was stopped on request.
fn make(suite: &str, run: &PlannedRun, quip: &Path, stop: &Arc<AtomicBool>) -> Option<Record> {
    let contender = &run.contender;
    let blank = Record {
        key: run.key.clone(),
        place: run.place,
        suite: suite.to_owned(),
        instance: run.instance.name.clone(),
        family: run.instance.family.clone(),
        fingerprint: run.instance.fingerprint.clone(),
        solver: contender.name.clone(),
        repeat: run.repeat,
        limit_seconds: contender.time.as_secs_f64(),
        ..Record::default()
    };
    let grace = match contender.kind {
        Kind::Own(_) => GRACE,
        Kind::External(_) => Duration::ZERO,
    };
    let ended = contender
        .call(&run.instance, quip)
        .and_then(|(call, _scratch)| run_limited(&call, contender.time + grace, stop));
    match ended {
        Ok(None) => None,
        Ok(Some(finished)) => Some(judged(contender, blank, &finished)),
        Err(reason) => Some(Record {
            status: "failed".to_owned(),
            message: Some(reason.to_string()),
            ..blank
        }),
    }
}

fn judged(contender: &Contender, blank: Record, finished: &Finished) -> Record {
    let wall = finished.wall.as_secs_f64();
    let record = Record {
        seconds: wall,
        wall_seconds: wall,
        status: "failed".to_owned(),
        ..blank
    };
    if finished.timed_out {
        return Record {
            status: "timeout".to_owned(),
            ..record
        };
    }
    let judged = match &contender.kind {
        Kind::Own(_) => own_result(&finished.stdout, &record),
        Kind::External(solver) => external_result(solver, &finished.stdout, &record),
    };
    judged.unwrap_or_else(|| Record {
        status: match (&contender.kind, finished.exit) {
            (Kind::Own(_), Some(65)) => "unsupported",
            _ => "failed",
        }
        .to_owned(),
        message: Some(refusal(&finished.stdout).unwrap_or_else(|| complaint(finished))),
        ..record
    })
}

/// Why a program was refused, where that is what was answered.
fn refusal(stdout: &str) -> Option<String> {
    let line: Value = serde_json::from_str(stdout.lines().last()?).ok()?;
    (line["status"] == "refused").then_some(())?;
    Some(line["reason"].as_str()?.to_owned())
}

/// The last thing that was said, or how it ended.
fn complaint(finished: &Finished) -> String {
    let lines = finished.stderr.lines().chain(finished.stdout.lines());
    let said = lines.map(str::trim).rfind(|line| !line.is_empty());
    match (said, finished.exit) {
        (Some(line), _) => line.chars().take(300).collect(),
        (None, Some(code)) => format!("ended with code {code} and said nothing"),
        (None, None) => "ended by a signal".to_owned(),
    }
}

/// Reads the last line, which is the result, and the heartbeats before it.
fn own_result(stdout: &str, record: &Record) -> Option<Record> {
    let lines: Vec<Value> = stdout
        .lines()
        .map(serde_json::from_str)
        .collect::<Result<_, _>>()
        .ok()?;
    let result = lines.last()?;
    let text = |field: &str| Some(result.get(field)?.as_str()?.to_owned());
    let effort = |field: &str| result.get("effort")?.get(field);
    if text("schema")? != "quip-result/1" {
        return None;
    }
    let mut trace: Vec<TracePoint> = lines
        .iter()
        .filter(|line| line["event"] == "progress")
        .filter_map(|line| serde_json::from_value(line.clone()).ok())
        .collect();
    let seconds = effort("seconds")?.as_f64()?;
    if result.get("event").is_some() {
        trace.push(TracePoint {
            seconds,
            objective: text("objective"),
            bound: text("bound"),
        });
    }
    Some(Record {
        status: text("status")?,
        value: text("objective"),
        bound: text("bound"),
        sense: text("sense"),
        seconds,
        nodes: effort("nodes").and_then(Value::as_u64),
        lps: effort("lps").and_then(Value::as_u64),
        peak_mb: effort("peak_mb").and_then(Value::as_u64),
        trace,
        ..record.clone()
    })
}

/// Finds value and time by the patterns of the suite.
fn external_result(solver: &External, stdout: &str, record: &Record) -> Option<Record> {
    let seconds = solver.seconds.as_ref();
    let seconds = seconds.and_then(|pattern| found(pattern, stdout)?.parse().ok());
    let record = Record {
        seconds: seconds.unwrap_or(record.wall_seconds),
        ..record.clone()
    };
    if let Some(pattern) = &solver.infeasible
        && found(pattern, stdout).is_some()
    {
        return Some(Record {
            status: "infeasible".to_owned(),
            ..record
        });
    }
    let value = found(&solver.value, stdout)?;
    Some(Record {
        status: "solved".to_owned(),
        bound: Some(value.clone()),
        value: Some(value),
        ..record
    })
}

/// The last match: solvers print improving values. Its first group if it has one.
fn found(pattern: &str, text: &str) -> Option<String> {
    let pattern = Regex::new(pattern).ok()?;
    let last = pattern.captures_iter(text).last()?;
    let group = last.get(1).or_else(|| last.get(0))?;
    Some(group.as_str().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_match_counts_and_its_group_if_it_has_one() {
        let text = "value: 7\nvalue: 5\n";
        assert_eq!(found(r"value: (\d+)", text).as_deref(), Some("5"));
        assert_eq!(found(r"value", text).as_deref(), Some("value"));
        assert_eq!(found(r"none", text), None);
    }

    #[test]
    fn a_refusal_is_kept_as_its_sentence() {
        let answer = r#"{"event":"refusal","schema":"quip-result/1","status":"refused","reason":"too many `y`"}"#;
        let said = format!("{{\"event\":\"start\"}}\n{answer}\n");
        assert_eq!(refusal(&said).as_deref(), Some("too many `y`"));
        assert_eq!(refusal("x 1\n"), None);
    }

    #[test]
    fn a_stream_is_a_result_with_a_trace() {
        let stream = concat!(
            r#"{"event":"start"}"#,
            "\n",
            r#"{"event":"progress","seconds":0.5,"objective":"7","bound":null}"#,
            "\n",
            r#"{"event":"result","schema":"quip-result/1","status":"optimal","objective":"5","#,
            r#""bound":"5","sense":"minimize","effort":{"seconds":0.9,"nodes":3,"lps":1}}"#,
            "\n"
        );
        let record = own_result(stream, &Record::default()).unwrap();
        assert_eq!(record.value.as_deref(), Some("5"));
        assert_eq!((record.nodes, record.lps), (Some(3), Some(1)));
        assert_eq!(record.trace.len(), 2);
        assert_eq!(record.trace[0].objective.as_deref(), Some("7"));
        assert_eq!(record.trace[1].bound.as_deref(), Some("5"));
    }
}
