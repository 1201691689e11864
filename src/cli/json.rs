//! The result for programs: `quip-result/1`. Numbers that matter are exact strings.

use std::collections::BTreeMap;
use std::time::Duration;

use quip::budget::{Progress, peak_bytes};
use quip::check::Proved;
use quip::outcome::{Outcome, SolveError, Status, Stop};
use quip::program::{Program, Quantifier, VarId};
use serde::Serialize;

use super::explain::named;
use super::explain_json::rows;
use super::reading::{Model, spelled};
use super::report::{Proof, Solved, plan_sizes};
use super::speech::Told;
use super::text::relative_gap;

/// The name of the format.
const SCHEMA: &str = "quip-result/1";

/// A whole result.
#[derive(Serialize)]
pub struct ResultJson<'a> {
    schema: &'static str,
    quip: Version,
    model: ModelJson<'a>,
    status: Status,
    stop: Option<Stop>,
    sense: Option<String>,
    method: &'static str,
    decide: bool,
    target: Option<String>,
    objective: Option<String>,
    bound: Option<String>,
    gap: Option<f64>,
    first_stage: Moves<'a>,
    principal_variation: Vec<MoveJson<'a>>,
    /// Values that the worst play approaches, from `above` or `below`: none attains the value.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    approached: BTreeMap<&'a str, &'static str>,
    certificate: CertificateJson,
    effort: EffortJson,
    warnings: &'a [String],
    /// Rows that miss by less than a billionth, where the model is lost by that.
    #[serde(skip_serializing_if = "Option::is_none")]
    near_miss: Option<NearMissJson>,
    /// What `--rationalize` read as other numbers.
    #[serde(skip_serializing_if = "Option::is_none")]
    rationalized: Option<RationalizedJson<'a>>,
    /// What `--fix` holds.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    fixed: Vec<(String, String)>,
    /// The same in the words of a game, if the file is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    game: Option<&'a Told>,
}

#[derive(Serialize)]
struct NearMissJson {
    rows: Vec<String>,
    by: String,
    objective: Option<String>,
}

/// Numbers that were read as simpler fractions.
#[derive(Serialize)]
pub struct RationalizedJson<'a> {
    within: String,
    numbers: Vec<RereadJson<'a>>,
}

#[derive(Serialize)]
struct RereadJson<'a> {
    from: String,
    to: String,
    times: usize,
    /// The first place.
    place: &'a str,
}

impl<'a> RationalizedJson<'a> {
    /// Of a model that was read so.
    pub fn of(model: &'a Model) -> Option<Self> {
        let (within, reread) = model.rationalized.as_ref()?;
        let numbers = reread.iter().map(|it| RereadJson {
            from: spelled(&it.from),
            to: it.to.to_string(),
            times: it.times,
            place: &it.place,
        });
        Some(Self {
            within: within.to_string(),
            numbers: numbers.collect(),
        })
    }
}

#[derive(Serialize)]
struct Version {
    version: &'static str,
    highs: String,
}

impl Version {
    fn new() -> Self {
        Self {
            version: env!("CARGO_PKG_VERSION"),
            highs: quip::lp::version(),
        }
    }
}

/// What the model is, for results and streams.
#[derive(Serialize)]
pub struct ModelJson<'a> {
    file: &'a str,
    fingerprint: String,
    blocks: Vec<String>,
    variables: usize,
    rows: usize,
    uncertainty_rows: usize,
}

#[derive(Serialize)]
struct MoveJson<'a> {
    variable: &'a str,
    player: String,
    value: String,
}

#[derive(Serialize)]
struct CertificateJson {
    file: Option<String>,
    strategy_nodes: Option<usize>,
    refutation_nodes: Option<usize>,
    checked: bool,
    /// Why there is none: `stopped`, `unsupported`, `wrong` or `rejected`.
    #[serde(skip_serializing_if = "Option::is_none")]
    missing: Option<&'static str>,
}

#[derive(Serialize)]
struct EffortJson {
    seconds: f64,
    nodes: u64,
    lps: u64,
    learnt: u64,
    peak_mb: Option<u64>,
}

type Moves<'a> = BTreeMap<&'a str, String>;

impl<'a> ResultJson<'a> {
    /// Collects the result of a model.
    pub fn new(solved: &'a Solved<'a>, model: &'a Model) -> Self {
        let (program, outcome) = (solved.program, solved.outcome);
        let (objective, bound) = (outcome.objective.as_ref(), outcome.bound.as_ref());
        Self {
            schema: SCHEMA,
            quip: Version::new(),
            model: ModelJson::new(program, &model.name),
            status: outcome.status,
            stop: outcome.stop,
            sense: program
                .objective()
                .map(|objective| objective.sense.to_string()),
            method: solved.method,
            decide: solved.options.decide,
            target: solved.options.target.as_ref().map(ToString::to_string),
            objective: objective.map(ToString::to_string),
            bound: bound.map(ToString::to_string),
            gap: relative_gap(objective, bound),
            first_stage: first_stage(program, outcome),
            principal_variation: principal_variation(program, outcome),
            approached: approached(program, outcome),
            certificate: CertificateJson::new(solved),
            effort: EffortJson::new(outcome, solved.elapsed),
            warnings: &model.warnings,
            near_miss: solved.near.as_ref().map(|near| NearMissJson {
                rows: rows(program, Quantifier::Exists, &near.rows),
                by: near.by.to_string(),
                objective: near.objective.as_ref().map(ToString::to_string),
            }),
            rationalized: RationalizedJson::of(model),
            fixed: named(program, &model.fixed),
            game: solved.told.as_ref(),
        }
    }
}

fn approached<'a>(program: &'a Program, outcome: &Outcome) -> BTreeMap<&'a str, &'static str> {
    let name = |var| program.variables()[var].name.as_str();
    let side = |is_above| if is_above { "above" } else { "below" };
    let values = outcome.approached.iter();
    values
        .map(|&(var, is_above)| (name(var), side(is_above)))
        .collect()
}

impl<'a> ModelJson<'a> {
    /// Describes the model.
    pub fn new(program: &Program, file: &'a str) -> Self {
        let blocks = program.blocks().iter();
        Self {
            file,
            fingerprint: program.fingerprint(),
            blocks: blocks.map(|block| block.quantifier.to_string()).collect(),
            variables: program.variables().len(),
            rows: program.rows().len(),
            uncertainty_rows: program.universal_rows().len(),
        }
    }
}

impl CertificateJson {
    fn new(solved: &Solved<'_>) -> Self {
        let (strategy_nodes, refutation_nodes) = plan_sizes(solved.outcome);
        let nodes = |side: &Option<Proved>| side.as_ref().map(|side| side.nodes);
        match &solved.proof {
            Some(Proof {
                file,
                checked: Ok(verdict),
            }) => Self {
                file: Some(file.clone()),
                strategy_nodes: nodes(&verdict.strategy),
                refutation_nodes: nodes(&verdict.refutation),
                checked: true,
                missing: None,
            },
            proof => Self {
                file: None,
                strategy_nodes,
                refutation_nodes,
                checked: false,
                missing: proof.as_ref().and_then(|proof| {
                    let error = proof.checked.as_ref().err()?;
                    Some(error.kind())
                }),
            },
        }
    }
}

impl EffortJson {
    fn new(outcome: &Outcome, elapsed: Duration) -> Self {
        Self {
            seconds: elapsed.as_secs_f64(),
            nodes: outcome.effort.nodes,
            lps: outcome.effort.lps,
            learnt: outcome.effort.learnt,
            peak_mb: peak_bytes().map(|bytes| bytes >> 20),
        }
    }
}

fn first_stage<'a>(program: &'a Program, outcome: &Outcome) -> Moves<'a> {
    let moves = outcome.first_stage.iter();
    moves
        .map(|(var, value)| (name(program, *var), value.to_string()))
        .collect()
}

fn principal_variation<'a>(program: &'a Program, outcome: &Outcome) -> Vec<MoveJson<'a>> {
    let moves = outcome.principal_variation.iter();
    moves
        .map(|(var, value)| MoveJson {
            variable: name(program, *var),
            player: program.variables()[*var].quantifier.to_string(),
            value: value.to_string(),
        })
        .collect()
}

fn name(program: &Program, var: VarId) -> &str {
    &program.variables()[var].name
}

/// A line of a stream.
#[derive(Serialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum Event<'a> {
    /// The model is read, the solve begins.
    Start {
        /// The model.
        model: ModelJson<'a>,
        /// The engine.
        method: &'static str,
    },
    /// Where the solve stands.
    Progress(ProgressJson),
    /// The end; the last line.
    Result(Box<ResultJson<'a>>),
    /// The end of a program that no engine takes.
    Refusal(RefusalJson<'a>),
}

/// A program that no engine takes: there is no answer, and standard output says why.
#[derive(Serialize)]
pub struct RefusalJson<'a> {
    schema: &'static str,
    quip: Version,
    model: ModelJson<'a>,
    status: &'static str,
    /// A sentence that names the variable or row in the way, and what to write instead.
    reason: String,
}

impl<'a> RefusalJson<'a> {
    /// What the engines said.
    pub fn new(program: &'a Program, file: &'a str, reason: &SolveError) -> Self {
        Self {
            schema: SCHEMA,
            quip: Version::new(),
            model: ModelJson::new(program, file),
            status: "refused",
            reason: reason.to_string(),
        }
    }
}

/// A heartbeat.
#[derive(Serialize)]
pub struct ProgressJson {
    seconds: f64,
    nodes: u64,
    depth: usize,
    objective: Option<String>,
    bound: Option<String>,
    lps: u64,
    learnt: u64,
    new_strategy: bool,
    engine: Option<&'static str>,
}

impl ProgressJson {
    /// A heartbeat after `elapsed`.
    pub fn new(progress: &Progress, elapsed: Duration) -> Self {
        Self {
            seconds: elapsed.as_secs_f64(),
            nodes: progress.nodes,
            depth: progress.depth,
            objective: progress.objective.as_ref().map(ToString::to_string),
            bound: progress.bound.as_ref().map(ToString::to_string),
            lps: progress.lps,
            learnt: progress.learnt,
            new_strategy: progress.new_strategy,
            engine: progress.engine,
        }
    }
}

/// One line of JSON, newline included.
pub fn to_line(value: &impl Serialize) -> String {
    let mut line = serde_json::to_string(value)
        .expect("invariant: results have string keys and finite numbers");
    line.push('\n');
    line
}
