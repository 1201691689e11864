//! `quip doctor`: what works on this machine, each with a remedy.

mod beside;
mod machine;

use clap::Args;
use quip::check::check;
use quip::format::parse_qip;
use quip::num::int;
use quip::solver::{Options, Solver};
use serde::Serialize;

use super::about;
use super::exit::{Exit, Failure};
use super::json;
use super::output::answer;

/// Say what works on this machine, and what to do about the rest
///
/// Solves a small model and checks its certificate, looks at threads, memory and the terminal, and
/// for what other tools do: a browser for pages, Graphviz for .dot files, the Python package, the
/// manual. Exit code 1 if something does not work that every use needs.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  quip doctor
  quip doctor --json | jq '.checks[] | select(.state != \"works\")'")]
pub struct DoctorArgs {
    /// Answer with JSON
    #[arg(long)]
    json: bool,
}

/// How something is.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
enum State {
    Works,
    /// Works, but less than it could.
    Limited,
    /// Not there; only some uses need it.
    Missing,
    /// Every use needs it.
    Broken,
}

/// One thing that was looked at.
#[derive(Debug, Serialize)]
struct Finding {
    check: &'static str,
    state: State,
    says: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    remedy: Option<String>,
}

impl Finding {
    fn works(check: &'static str, says: impl Into<String>) -> Self {
        Self {
            check,
            state: State::Works,
            says: says.into(),
            remedy: None,
        }
    }

    fn other(check: &'static str, state: State, says: impl Into<String>, remedy: &str) -> Self {
        Self {
            check,
            state,
            says: says.into(),
            remedy: Some(remedy.to_owned()),
        }
    }
}

#[derive(Serialize)]
struct DoctorJson {
    schema: &'static str,
    version: &'static str,
    checks: Vec<Finding>,
}

/// Looks at everything.
pub fn run(wanted: &DoctorArgs) -> Result<Exit, Failure> {
    let checks = vec![
        build(),
        solving(),
        machine::threads(),
        machine::memory(),
        machine::terminal(),
        machine::path(),
        beside::browser(),
        beside::graphviz(),
        beside::python(),
        beside::manual(),
    ];
    let is_broken = checks.iter().any(|it| it.state == State::Broken);
    if wanted.json {
        answer(&json::to_line(&DoctorJson {
            schema: "quip-doctor/1",
            version: env!("CARGO_PKG_VERSION"),
            checks,
        }))?;
    } else {
        answer(&checks.iter().map(line).collect::<String>())?;
    }
    Ok(if is_broken {
        Exit::Invalid
    } else {
        Exit::Proved
    })
}

fn line(finding: &Finding) -> String {
    let state = match finding.state {
        State::Works => "works",
        State::Limited => "limited",
        State::Missing => "missing",
        State::Broken => "BROKEN",
    };
    let (check, says) = (finding.check, &finding.says);
    let mut text = format!("{state:<8} {check:<9} {says}\n");
    if let Some(remedy) = &finding.remedy {
        text += &format!("{:<18} → {remedy}\n", "");
    }
    text
}

fn build() -> Finding {
    Finding::works(
        "quip",
        format!(
            "{} (commit {}, HiGHS {}, {})",
            env!("CARGO_PKG_VERSION"),
            about::COMMIT.unwrap_or("not told"),
            quip::lp::version(),
            about::TARGET.unwrap_or("target not told"),
        ),
    )
}

/// Whether a model is solved, and its certificate accepted.
fn solving() -> Finding {
    match solved() {
        Ok(()) => Finding::works("solving", "a model was solved and its certificate checked"),
        Err(reason) => Finding::other(
            "solving",
            State::Broken,
            reason,
            "this is a bug: report it with what `quip bug` packs, and install another build",
        ),
    }
}

fn solved() -> Result<(), String> {
    const MODEL: &str = "minimize 3 stock + 7/2 rush  subject to stock + rush >= demand
        prefix exists integer stock in [0, 9]  forall integer demand in [2, 4]
               exists integer rush in [0, 9] end";
    let program = parse_qip(MODEL).map_err(|_| "the model cannot be read")?;
    let options = Options {
        certificate: true,
        ..Options::default()
    };
    let outcome = Solver::new(options).solve(&program);
    let outcome = outcome.map_err(|refusal| refusal.to_string())?;
    if outcome.objective != Some(int(12)) {
        return Err("a small model was answered wrongly".to_owned());
    }
    let certificate = match outcome.certificate {
        Some(Ok(certificate)) => certificate,
        Some(Err(reason)) => return Err(format!("there is no certificate: {reason}")),
        None => return Err("there is no certificate".to_owned()),
    };
    let mut text = Vec::new();
    let written = certificate.write(&program, &mut text);
    written.map_err(|fault| fault.to_string())?;
    let checked = check(&program, text.as_slice()).map_err(|fault| fault.to_string());
    checked.map(drop)
}
