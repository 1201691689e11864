//! Results that `quip solve -o`, `--json` or `--json-stream` has written, read again.

use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::time::Duration;

use quip::check::check;
use quip::num::{Rational, parse_rational};
use quip::outcome::{Move, Outcome, Status, Stop};
use quip::program::Program;
use quip::solver::Options;
use serde::Deserialize;
use serde_json::Value;

use super::{Answered, Trace, accepted};
use crate::cli::exit::Failure;
use crate::cli::reading::{Model, ReadArgs, spoken};

/// A result, as far as a page needs it.
#[derive(Debug, Deserialize)]
struct ResultJson {
    schema: String,
    model: ModelJson,
    status: Status,
    stop: Option<Stop>,
    method: String,
    decide: bool,
    target: Option<String>,
    objective: Option<String>,
    bound: Option<String>,
    first_stage: serde_json::Map<String, Value>,
    principal_variation: Vec<MoveJson>,
    certificate: CertificateJson,
    effort: EffortJson,
    rationalized: Option<RationalizedJson>,
    #[serde(default)]
    fixed: Vec<(String, String)>,
}

#[derive(Debug, Deserialize)]
struct ModelJson {
    file: String,
    fingerprint: String,
}

#[derive(Debug, Deserialize)]
struct MoveJson {
    variable: String,
    value: String,
}

#[derive(Debug, Deserialize)]
struct CertificateJson {
    file: Option<String>,
}

#[derive(Debug, Deserialize)]
struct EffortJson {
    seconds: f64,
    nodes: u64,
    lps: u64,
}

#[derive(Debug, Deserialize)]
struct RationalizedJson {
    within: String,
}

#[derive(Debug, Deserialize)]
struct ProgressJson {
    seconds: f64,
    objective: Option<String>,
    bound: Option<String>,
}

/// A stored result and what its stream said on the way.
#[derive(Debug)]
pub struct Stored {
    result: ResultJson,
    trace: Trace,
    /// Where the result stands.
    place: PathBuf,
}

impl Stored {
    /// Reads a result; nothing if these bytes are no JSON, and so a model.
    pub fn read(path: &Path, bytes: &[u8]) -> Result<Option<Self>, Failure> {
        if bytes.trim_ascii_start().first() != Some(&b'{') {
            return Ok(None);
        }
        let wrong = |reason: String| {
            Failure::Model(format!(
                "error: {} is no result of `quip solve`: {reason}; write one with `quip solve -o FILE`",
                spoken(path)
            ))
        };
        let mut trace = Vec::new();
        let mut result = None;
        for value in serde_json::Deserializer::from_slice(bytes).into_iter::<Value>() {
            let value = value.map_err(|fault| wrong(fault.to_string()))?;
            match value["event"].as_str() {
                Some("start") => {}
                Some("progress") => {
                    let point: ProgressJson =
                        serde_json::from_value(value).map_err(|fault| wrong(fault.to_string()))?;
                    trace.push((
                        point.seconds,
                        number(&point.objective),
                        number(&point.bound),
                    ));
                }
                _ => result = Some(value),
            }
        }
        let value = result.ok_or_else(|| wrong("it has no last line".to_owned()))?;
        if value["status"] == "refused" {
            let reason = value["reason"].as_str().unwrap_or("the model was refused");
            return Err(wrong(format!("nothing was solved, since {reason}")));
        }
        let result: ResultJson =
            serde_json::from_value(value).map_err(|fault| wrong(fault.to_string()))?;
        if result.schema != "quip-result/1" {
            return Err(wrong(format!("its schema is `{}`", result.schema)));
        }
        Ok(Some(Self {
            result,
            trace,
            place: path.to_owned(),
        }))
    }

    /// Where the model is: as it was typed then, or beside the result.
    pub fn model_path(&self, result: &Path) -> PathBuf {
        found(result, &self.result.model.file)
    }

    /// How the model was read then, unless it is to be read otherwise.
    pub fn read_as(&self, wanted: &ReadArgs) -> ReadArgs {
        let then = self.result.rationalized.as_ref();
        let then = then.and_then(|it| parse_rational(&it.within).ok());
        ReadArgs {
            data: wanted.data.clone(),
            rationalize: wanted.rationalize.clone().or(then),
            fix: match wanted.fix.is_empty() {
                true => self.fixed_then(),
                false => wanted.fix.clone(),
            },
        }
    }

    /// What was held then, as it is typed.
    fn fixed_then(&self) -> Vec<String> {
        let fixed = self.result.fixed.iter();
        fixed
            .map(|(name, value)| format!("{name}={value}"))
            .collect()
    }

    /// Whether this is the model that was solved.
    pub fn compare(&self, model: &Model) -> Result<(), Failure> {
        let (then, now) = (&self.result.model.fingerprint, model.program.fingerprint());
        if *then == now {
            return Ok(());
        }
        Err(Failure::Usage(format!(
            "`{}` is another model than the one of this result: its fingerprint is {now}, not {then}",
            model.name
        )))
    }

    /// The answer that is stored.
    pub fn answered(self, model: &Model) -> Answered {
        let Self {
            result,
            trace,
            place,
        } = self;
        let program = &model.program;
        let first = result.first_stage.iter().filter_map(|(name, value)| {
            let value = parse_rational(value.as_str()?).ok()?;
            Some((program.find(name)?, value))
        });
        let mut first_stage: Vec<Move> = first.collect();
        first_stage.sort_by_key(|(var, _)| *var);
        let play = result.principal_variation.iter().filter_map(|made| {
            let value = parse_rational(&made.value).ok()?;
            Some((program.find(&made.variable)?, value))
        });
        let outcome = Outcome {
            status: result.status,
            objective: number(&result.objective),
            bound: number(&result.bound),
            first_stage,
            principal_variation: play.collect(),
            ..Outcome::interrupted(result.stop)
        };
        let options = Options {
            target: number(&result.target),
            decide: result.decide,
            ..Options::default()
        };
        let seconds = result.effort.seconds.clamp(0.0, 1e12);
        let (nodes, lps) = (result.effort.nodes, result.effort.lps);
        Answered {
            options,
            proof: proof(program, &place, result.certificate.file.as_deref()),
            is_fault: false,
            trace,
            effort: format!(
                "{seconds:.2} s, {nodes} nodes, {lps} LPs, method {}",
                result.method
            ),
            method: result.method,
            elapsed: Duration::from_secs_f64(seconds),
            missing: vec![
                "This page was made from a stored result, which holds no strategy to play against; \
                 `quip report` with the model itself solves it and shows one."
                    .to_owned(),
            ],
            outcome,
        }
    }
}

/// Checks the certificate that the result names, if it is still there.
fn proof(program: &Program, result: &Path, file: Option<&str>) -> (bool, String) {
    let Some(file) = file else {
        return (false, "No certificate was stored with the result.".into());
    };
    let Ok(opened) = File::open(found(result, file)) else {
        return (
            false,
            format!("The certificate {file} is not there any more."),
        );
    };
    match check(program, BufReader::new(opened)) {
        Ok(verdict) => accepted(&verdict),
        Err(fault) => (
            false,
            format!("The certificate {file} is not valid: {fault}."),
        ),
    }
}

/// A file by the name that a result knows: from here, or beside the result.
fn found(result: &Path, name: &str) -> PathBuf {
    let typed = PathBuf::from(name);
    let beside = result.with_file_name(&typed);
    match !typed.exists() && beside.exists() {
        true => beside,
        false => typed,
    }
}

fn number(text: &Option<String>) -> Option<Rational> {
    parse_rational(text.as_deref()?).ok()
}
