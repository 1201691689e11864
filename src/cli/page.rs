//! `quip report`: an answer as one self-contained page.

mod sections;
mod stored;

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use clap::Args;
use quip::budget::{Limits, Observer};
use quip::check::{Verdict, check};
use quip::explain::{BudgetCurve, ExplainOptions, Explanation, budget_curve, explain_outcome};
use quip::format::write_qip;
use quip::games::Family;
use quip::games::play::{Promise, Rules};
use quip::num::Rational;
use quip::outcome::{CertificateError, Outcome, Status};
use quip::program::{Program, Quantifier};
use quip::report::{Answer, FirstMoves, Page};
use quip::solver::{Method, Options, Solver};
use quip::strategy::Strategy;

use super::args::{Style, methods};
use super::exit::{Exit, Failure};
use super::family::Chosen;
use super::output::{answer, complain};
use super::reading::{self, Model, ReadArgs, is_stream};
use super::report::{Solved, effort};
use super::text::{DigitsArgs, counted};
use super::ticker::Ticker;
use super::{files, log, quantity, signals};
use sections::{alternatives, assumptions, budget, core, facts, first_moves, meaning, price, said};
use stored::Stored;

/// Write an answer as a page for the browser
///
/// One HTML file that needs no network: the answer, the worst play, a strategy to play against,
/// what robustness costs, what else could be decided first, or why the model is lost. A model is
/// solved with a certificate, which is checked; a result that `solve -o` or `--json-stream` wrote is
/// shown as it is, with its model found by its name, and without a strategy to play against.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  quip report lot.qip -o lot.html
  quip report -t 5m --title 'Lot sizing, week 12' lot.qip -o lot.html
  quip solve -o result.json lot.qip; quip report result.json -o lot.html
  quip report --game 'gomoku --size 3 --row 3' -o gomoku.html")]
pub struct ReportArgs {
    /// Model file (.qip, .qlp, .qdimacs or .qcir, also .gz), or a result as JSON
    #[arg(
        value_name = "MODEL|RESULT",
        required_unless_present = "game",
        conflicts_with = "game"
    )]
    model: Option<PathBuf>,
    /// A game of the library with its board, as it is typed behind `quip play`, such as 'nim --heaps 1,2,3'
    #[arg(long, value_name = "GAME", conflicts_with_all = ["files", "rationalize", "fix"])]
    game: Option<String>,
    #[command(flatten)]
    read: ReadArgs,
    /// File to write, or `-` for standard output
    #[arg(short, long, value_name = "FILE", default_value = "-")]
    output: PathBuf,
    /// Time for solving, and as much again for explaining, such as 60, 5m or 1h
    #[arg(short, long, value_name = "TIME", value_parser = quantity::duration)]
    time: Option<Duration>,
    /// Which engine solves
    #[arg(short, long, value_parser = methods(), default_value = Method::Auto.name())]
    method: Method,
    /// What the page is called; the name of the model if not given
    #[arg(long, value_name = "TEXT")]
    title: Option<String>,
    /// At most this many alternatives to the first decision
    #[arg(long, value_name = "N", default_value_t = 12)]
    alternatives: usize,
    /// Only the answer and the strategy: nothing else is solved
    #[arg(long)]
    brief: bool,
    /// No log and no warnings
    #[arg(short, long)]
    quiet: bool,
    #[command(flatten)]
    digits: DigitsArgs,
}

impl ReportArgs {
    /// The page of a game, or of a model, to play on.
    pub fn to_play(
        game: Option<String>,
        model: Option<(PathBuf, ReadArgs)>,
        output: PathBuf,
        time: Duration,
    ) -> Self {
        let (model, read) = model.unzip();
        Self {
            model,
            game,
            read: read.unwrap_or_default(),
            output,
            time: Some(time),
            method: Method::Auto,
            title: None,
            alternatives: 0,
            brief: true,
            quiet: true,
            digits: DigitsArgs::default(),
        }
    }
}

/// Seconds, value in hand and bound.
type Trace = Vec<(f64, Option<Rational>, Option<Rational>)>;

/// An answer, from wherever it comes.
struct Answered {
    options: Options,
    method: String,
    outcome: Outcome,
    elapsed: Duration,
    /// Whether the certificate was checked, and what proves the answer.
    proof: (bool, String),
    is_fault: bool,
    trace: Trace,
    /// What was spent, in words.
    effort: String,
    /// What the page cannot tell.
    missing: Vec<String>,
}

/// Solves, explains, writes.
pub fn run(wanted: &ReportArgs, style: Style) -> Result<Exit, Failure> {
    let out = (!is_stream(&wanted.output)).then_some(("--output", &*wanted.output));
    let named: Vec<files::Named<'_>> = wanted
        .model
        .iter()
        .map(|path| ("MODEL", path.as_path()))
        .collect();
    let mut outputs = files::open(&named, [out])?;
    let read = read(wanted, style);
    let Subject {
        model,
        text,
        stored,
        rules,
    } = files::before_work(&mut outputs, read)?;
    let [out] = outputs;
    if !wanted.quiet {
        let warnings = model.rendered_warnings.iter();
        warnings.for_each(|text| complain(text));
    }
    let stop = signals::stop_flag()?;
    let answered = match stored {
        Some(stored) => stored.answered(&model),
        None => solved(wanted, &model, &stop)?,
    };
    let ticker = match wanted.quiet {
        true => Ticker::silent("explaining"),
        false => Ticker::new("explaining"),
    };
    let options = ExplainOptions {
        limits: Limits {
            time: wanted.time,
            ..Limits::default()
        },
        alternatives: wanted.alternatives,
        stop,
        told: Some(ticker.told()),
    };
    // Of a game the board tells more than other games beside it.
    let is_explained = !wanted.brief && rules.is_none() && is_explained(&answered);
    if is_explained && !wanted.quiet {
        complain("explaining it by other models; --brief leaves that out");
    }
    let explanation =
        is_explained.then(|| explain_outcome(&model.program, answered.outcome.clone(), &options));
    let curve = match is_explained && answered.outcome.status != Status::Interrupted {
        true => budget_curve(&model.program, &options)?,
        false => None,
    };
    let first = match is_explained && answered.outcome.status != Status::Interrupted {
        true => first_moves(&model.program, wanted.digits.digits(), &options),
        false => None,
    };
    drop(ticker);
    let found = Found {
        explanation: explanation.as_ref(),
        curve: curve.as_ref(),
        first,
    };
    let html = page(wanted, &model, &answered, found, (&text, rules.as_deref()));
    match out {
        None => answer(&html)?,
        Some(out) => out.save(html.as_bytes())?,
    }
    Ok(match answered.is_fault {
        true => Exit::Internal,
        false => Exit::of(&answered.outcome),
    })
}

/// What a page is about.
struct Subject {
    model: Model,
    text: String,
    /// The answer, if it is stored.
    stored: Option<Stored>,
    /// How it is played, if it is a game.
    rules: Option<Box<dyn Rules>>,
}

/// The model that was named, the one of a result, or that of a game.
fn read(wanted: &ReportArgs, style: Style) -> Result<Subject, Failure> {
    if let Some(game) = &wanted.game {
        let rules = Chosen::typed(game)?.build(Family::rules)?;
        let program = rules.program();
        let program = program.map_err(|fault| Failure::Model(format!("error: {fault}")))?;
        let text = write_qip(&program);
        let path = PathBuf::from(format!("{game}.qip"));
        let mut model = reading::parse(&path, text.as_bytes(), &wanted.read, style.log)?;
        game.clone_into(&mut model.name);
        return Ok(Subject {
            model,
            text,
            stored: None,
            rules: Some(rules),
        });
    }
    let named = wanted.model.as_deref().unwrap_or(Path::new("-"));
    let bytes = reading::bytes_of(named).map_err(|reason| Failure::Read {
        name: reading::spoken(named),
        reason,
    })?;
    if let Some(stored) = Stored::read(named, &bytes)? {
        let path = stored.model_path(named);
        let bytes = reading::bytes_of(&path).map_err(|reason| Failure::Read {
            name: format!("{}, the model of this result", reading::spoken(&path)),
            reason,
        })?;
        let model = reading::parse(&path, &bytes, &stored.read_as(&wanted.read), style.log)?;
        stored.compare(&model)?;
        return Ok(Subject {
            model,
            text: text_of(&bytes),
            stored: Some(stored),
            rules: None,
        });
    }
    Ok(Subject {
        model: reading::parse(named, &bytes, &wanted.read, style.log)?,
        text: text_of(&bytes),
        stored: None,
        rules: None,
    })
}

/// The text of a model file; packed ones are told by their name only.
fn text_of(bytes: &[u8]) -> String {
    match std::str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        Err(_) => "The file is packed.".to_owned(),
    }
}

/// Other questions about a target or about who wins are not explained.
fn is_explained(answered: &Answered) -> bool {
    answered.options.target.is_none() && !answered.options.decide
}

fn solved(
    wanted: &ReportArgs,
    model: &Model,
    stop: &Arc<std::sync::atomic::AtomicBool>,
) -> Result<Answered, Failure> {
    let options = Options {
        method: wanted.method,
        limits: Limits {
            time: wanted.time,
            ..Limits::default()
        },
        certificate: true,
        ..Options::default()
    };
    let trace: Arc<Mutex<Trace>> = Arc::default();
    let solver = Solver::new(options.clone())
        .with_signal(Arc::clone(stop))
        .with_observer(observer(wanted.quiet, Arc::clone(&trace)));
    let method = solver.method_for(&model.program);
    if !wanted.quiet {
        complain(&log::header(&model.name, &model.program, method));
    }
    let start = Instant::now();
    let outcome = solver.solve(&model.program)?;
    let elapsed = start.elapsed();
    let (proof, is_fault) = proved(&model.program, &outcome);
    let mut trace = std::mem::take(&mut *trace.lock().expect("invariant: no observer panics"));
    let end = (outcome.objective.clone(), outcome.bound.clone());
    trace.push((elapsed.as_secs_f64(), end.0, end.1));
    let method = outcome.engine.unwrap_or(method.name());
    let solved = Solved {
        program: &model.program,
        options: &options,
        digits: wanted.digits.digits(),
        method,
        outcome: &outcome,
        elapsed,
        proof: None,
        near: None,
        told: None,
    };
    Ok(Answered {
        method: method.to_owned(),
        effort: effort(&solved),
        options,
        elapsed,
        proof,
        is_fault,
        trace,
        missing: Vec::new(),
        outcome,
    })
}

/// Keeps what the log says, for the picture of the solve.
fn observer(quiet: bool, trace: Arc<Mutex<Trace>>) -> Observer {
    /// A picture shows no more.
    const MOST_POINTS: usize = 2_000;
    let mut has_columns = false;
    Box::new(move |progress, elapsed| {
        if !quiet {
            if !std::mem::replace(&mut has_columns, true) {
                complain(&log::columns());
            }
            complain(&log::line(progress, elapsed));
        }
        let mut trace = trace.lock().expect("invariant: no observer panics");
        if trace.len() < MOST_POINTS {
            let (value, bound) = (progress.objective.clone(), progress.bound.clone());
            trace.push((elapsed.as_secs_f64(), value, bound));
        }
    })
}

/// Writes the certificate to memory and checks it.
fn proved(program: &Program, outcome: &Outcome) -> ((bool, String), bool) {
    let checked = match &outcome.certificate {
        Some(Ok(certificate)) => {
            let mut written = Vec::new();
            let done = certificate.write(program, &mut written);
            done.expect("invariant: memory takes what is written");
            check(program, written.as_slice())
                .map_err(|fault| CertificateError::Rejected(fault.to_string()))
        }
        Some(Err(reason)) => Err(reason.clone()),
        None => Err(CertificateError::Unsupported(
            "this engine makes none".into(),
        )),
    };
    match checked {
        Ok(verdict) => (accepted(&verdict), false),
        Err(reason) => {
            let fault = reason.is_fault();
            ((false, format!("No certificate: {reason}.")), fault)
        }
    }
}

/// What the checker accepted.
fn accepted(verdict: &Verdict) -> (bool, String) {
    let sides = [
        ("a strategy", &verdict.strategy),
        ("a refutation", &verdict.refutation),
    ];
    let sized = sides.into_iter().filter_map(|(name, side)| {
        let nodes = side.as_ref()?.nodes;
        Some(format!("{name} of {}", counted(nodes, "node")))
    });
    let sized: Vec<String> = sized.collect();
    match sized.is_empty() {
        true => (
            false,
            "The certificate is empty: nothing was proved yet.".into(),
        ),
        false => (
            true,
            format!(
                "Proved by {}, checked in exact arithmetic by a part of the program that solves nothing.",
                sized.join(" and ")
            ),
        ),
    }
}

fn page(
    wanted: &ReportArgs,
    model: &Model,
    answered: &Answered,
    found: Found<'_>,
    (text, rules): (&str, Option<&dyn Rules>),
) -> String {
    let (program, outcome) = (&model.program, &answered.outcome);
    let Found {
        explanation,
        curve,
        first,
    } = found;
    let digits = wanted.digits.digits();
    let held = |player| -> Option<Strategy> { outcome.held(program, player) };
    let strategy = held(Quantifier::Exists).filter(|_| outcome.status != Status::Infeasible);
    let refutation = held(Quantifier::Forall);
    let mut missing = answered.missing.clone();
    if let (None, None, true) = (&strategy, &refutation, missing.is_empty()) {
        missing.push("There is no strategy to play against: none was found, or the engine that answered writes none down.".to_owned());
    }
    if outcome.status == Status::Interrupted {
        missing.push("The solve was stopped before the value was proved; what would explain it was not looked at.".to_owned());
    }
    let shown = Page {
        program,
        digits,
        title: wanted.title.as_deref().unwrap_or(&model.name),
        command: command(),
        answer: played(rules, outcome, said(program, digits, answered)),
        first_stage: match outcome.status {
            Status::Infeasible => &[],
            _ => &outcome.first_stage,
        },
        play: &outcome.principal_variation,
        play_means: meaning(outcome),
        scene: rules.map(Rules::scene),
        strategy: strategy.as_ref(),
        refutation: refutation.as_ref(),
        price: explanation.and_then(|it| price(program, digits, outcome, it)),
        curve: curve.map(|it| budget(program, digits, it)),
        alternatives: explanation.and_then(|it| alternatives(program, digits, it)),
        first_moves: first,
        granted: assumptions(program, digits, explanation),
        core: explanation.and_then(|it| core(program, digits, it)),
        missing,
        trace: answered.trace.clone(),
        facts: facts(model, answered),
        text,
    };
    shown.html()
}

/// What else was found out.
struct Found<'a> {
    explanation: Option<&'a Explanation>,
    curve: Option<&'a BudgetCurve>,
    first: Option<FirstMoves>,
}

/// What the answer means in a game.
fn played(rules: Option<&dyn Rules>, outcome: &Outcome, answer: Answer) -> Answer {
    let promise = match (outcome.status, &outcome.objective) {
        (Status::Interrupted, _) => return answer,
        (Status::Infeasible, _) => Promise::Loss,
        (Status::Optimal, Some(value)) => Promise::Value(value),
        _ => Promise::Win,
    };
    match rules {
        None => answer,
        Some(rules) => Answer {
            sentence: format!("Best play: {}. {}", rules.meaning(promise), answer.sentence),
            ..answer
        },
    }
}

/// The command as it was typed, for a shell.
fn command() -> String {
    let typed = std::env::args_os().skip(1);
    let words: Vec<String> = typed
        .map(|word| word.to_string_lossy().into_owned())
        .collect();
    let words = words.iter().map(String::as_str);
    let quoted = shlex::try_join(words).unwrap_or_else(|_| "report …".to_owned());
    format!("quip {quoted}")
}
