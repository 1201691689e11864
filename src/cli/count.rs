//! `quip solve --count` and `--all N`: the solutions of a program without an opponent.

use std::sync::Arc;

use clap::Args;
use quip::budget::{Budget, Limits};
use quip::count::{Count, count};
use quip::program::VarId;
use serde::Serialize;

use super::exit::{Exit, Failure};
use super::json;
use super::output::answer;
use super::reading::Model;
use super::signals;
use super::solve::SolveArgs;
use super::text::counted;

/// What is asked instead of an answer.
#[derive(Args, Clone, Debug, Default)]
pub struct CountArgs {
    /// Count the solutions, of a program of integers without an opponent; the objective is ignored
    #[arg(long, conflicts_with_all = ["certificate", "strategy", "target", "json_stream", "out"])]
    pub count: bool,
    /// List the first N solutions
    #[arg(long, value_name = "N", conflicts_with_all = ["certificate", "strategy", "target", "json_stream", "out"])]
    pub all: Option<usize>,
}

impl CountArgs {
    pub fn is_wanted(&self) -> bool {
        self.count || self.all.is_some()
    }
}

#[derive(Serialize)]
struct CountJson<'a> {
    schema: &'static str,
    file: &'a str,
    fingerprint: String,
    /// How many, or at least how many.
    solutions: String,
    complete: bool,
    listed: Vec<serde_json::Map<String, serde_json::Value>>,
}

/// Counts and lists.
pub fn run(wanted: &SolveArgs, model: &Model) -> Result<Exit, Failure> {
    let program = &model.program;
    let named: Vec<(VarId, String)> = match &model.formula {
        Some(formula) => formula.outermost.clone(),
        None => {
            let variables = program.variables().pairs();
            variables.map(|(id, it)| (id, it.name.clone())).collect()
        }
    };
    let shown: Vec<VarId> = named.iter().map(|(var, _)| *var).collect();
    let limits = Limits {
        time: wanted.time,
        nodes: wanted.nodes,
        memory: wanted.memory,
        enough: None,
    };
    let mut budget = Budget::new(limits, Arc::clone(&signals::stop_flag()?), None);
    let list = wanted.count_args.all.unwrap_or(0);
    let found = count(program, &shown, list, &mut budget)?;
    if wanted.json {
        answer(&json::to_line(&CountJson {
            schema: "quip-count/1",
            file: &model.name,
            fingerprint: program.fingerprint(),
            solutions: found.solutions.to_string(),
            complete: found.stop.is_none(),
            listed: found
                .listed
                .iter()
                .map(|moves| {
                    let values = named.iter().zip(moves);
                    values
                        .map(|((_, name), (_, value))| (name.clone(), value.to_string().into()))
                        .collect()
                })
                .collect(),
        }))?;
    } else {
        answer(&text(&found, &named))?;
    }
    let none = found.solutions.to_string() == "0";
    Ok(match (found.stop, none) {
        (None, false) => Exit::Proved,
        (None, true) => Exit::Infeasible,
        (Some(_), false) => Exit::StoppedWithStrategy,
        (Some(_), true) => Exit::StoppedEmptyHanded,
    })
}

fn text(found: &Count, named: &[(VarId, String)]) -> String {
    let number = found.solutions.to_string();
    let what = match (number.parse::<usize>(), named.len()) {
        (Ok(small), _) => counted(small, "solution"),
        (Err(_), _) => format!("{number} solutions"),
    };
    let mut text = match found.stop {
        None => format!("{what}.\n"),
        Some(_) => format!("At least {what}; the count was stopped.\n"),
    };
    for moves in &found.listed {
        let values = named.iter().zip(moves);
        let values = values.map(|((_, name), (_, value))| format!("{name}={value}"));
        text += &format!("  {}\n", values.collect::<Vec<_>>().join(" "));
    }
    text
}
