//! `quip solve`.

pub mod ask;
mod start;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use clap::Args;
use num_traits::Signed;
use quip::budget::{Enough, Limits, Observer};
use quip::num::{Rational, int};
use quip::outcome::{CertificateError, Outcome, SolveError};
use quip::program::Quantifier;
use quip::solver::{Method, Options, Solver, near_miss};

use super::args::{Setting, Style, exact, methods, setting};
use super::check;
use super::count::{self, CountArgs};
use super::exit::{Exit, Failure};
use super::files::{self, Output};
use super::formula;
use super::json::{self, Event, ModelJson, ProgressJson, RefusalJson, ResultJson};
use super::lint::opponents_rows;
use super::log;
use super::output::{answer, answer_in_words, complain};
use super::patience::Patience;
use super::reading::{self, Model, ReadArgs};
use super::report::{Proof, Solved, report};
use super::speech::Told;
use super::text::DigitsArgs;
use super::{quantity, signals, strategy};

/// Solve a model and prove the answer
///
/// The answer goes to standard output, the log to standard error. Ctrl-C stops the search and
/// reports the best answer so far; a second Ctrl-C ends the process at once.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  quip solve lot.qip
  quip solve -t 60 --json lot.qip > result.json
  quip solve --decide game.qip          only who wins
  quip solve --target 16 lot.qip        can a cost of 16 be guaranteed?
  quip solve --strategy lot.txt lot.qip what to do, as a decision tree
  quip solve --fix open=0 lot.qip       what if this is decided?
  quip solve --gap 1% lot.qip           stop when this close to the best
  quip solve --all-first-moves lot.qip  every best first decision, not one
  quip solve --vary budget=0..6 lot.qip the value for each side of a row")]
pub struct SolveArgs {
    /// Model file (.qip, .qlp, .mps, .lp, .qdimacs, …, also .gz), or `-` for standard input
    pub model: PathBuf,
    #[command(flatten)]
    pub read: ReadArgs,
    /// Stop after this wall-clock time, such as 60, 5m or 1h
    #[arg(short, long, value_name = "TIME", value_parser = quantity::duration)]
    pub time: Option<Duration>,
    /// Stop after visiting this many positions
    #[arg(long, value_name = "N")]
    pub nodes: Option<u64>,
    /// Stop when the process uses this much memory, such as 512M or 4G
    #[arg(long, value_name = "SIZE", value_parser = quantity::bytes)]
    pub memory: Option<u64>,
    /// Stop when no strategy can be better by more than this share, such as 1% or 0.01
    #[arg(long, value_name = "SHARE", value_parser = share, conflicts_with_all = ["target", "decide", "first"])]
    pub gap: Option<Rational>,
    /// Stop with the first strategy
    #[arg(long, conflicts_with_all = ["target", "decide"])]
    pub first: bool,
    /// Begin with these first decisions: a result or strategy as JSON, or a text such as `x=1, y=0`
    #[arg(long, value_name = "FILE", conflicts_with_all = ["target", "decide"])]
    pub start: Option<PathBuf>,
    /// How many engines may work at the same time; as many as there are cores if not given
    #[arg(short = 'j', long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub threads: Option<u16>,
    /// Which engine solves
    #[arg(short, long, value_parser = methods(), default_value = Method::Auto.name())]
    pub method: Method,
    /// Write the result as JSON to this file
    #[arg(short, long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Prove the answer, write the certificate to this file and check it
    #[arg(long, value_name = "FILE")]
    pub certificate: Option<PathBuf>,
    /// Write the strategy, or the refutation of a lost model, to this file: .txt a decision tree,
    /// .ite terms, .ghostq terms in lists, .json, .dot for Graphviz, .svg
    #[arg(long, value_name = "FILE", conflicts_with_all = ["target", "decide"])]
    pub strategy: Option<PathBuf>,
    /// Write the opponent's strategy to this file: what it plays so that nothing better is possible; in
    /// the same formats
    #[arg(long, value_name = "FILE", conflicts_with_all = ["target", "decide"])]
    pub refutation: Option<PathBuf>,
    /// Answer with the result as JSON
    #[arg(long)]
    pub json: bool,
    /// Answer with one JSON object per line: start, progress, result
    #[arg(long, conflicts_with = "json")]
    pub json_stream: bool,
    /// Only find out whether this objective value can be guaranteed
    #[arg(long, value_name = "V", value_parser = exact, allow_hyphen_values = true)]
    pub target: Option<Rational>,
    /// Only find out who wins; the objective is ignored
    #[arg(long, conflicts_with = "target")]
    pub decide: bool,
    /// List every best first decision, not one of them
    #[arg(long, conflicts_with_all = ["target", "decide", "certificate", "strategy", "refutation", "gap", "first", "start", "json_stream", "qbf_exit", "set", "method", "nodes", "threads"])]
    pub all_first_moves: bool,
    /// At most so many first decisions
    #[arg(long, value_name = "N", default_value_t = 100, requires = "all_first_moves", value_parser = clap::value_parser!(u32).range(1..))]
    pub most: u32,
    /// The value for other sides of a row, or values of a variable: NAME=0..6, NAME=0..6:2 in steps
    /// of 2, or NAME=0,3,5; with -o FILE.svg a curve, with .csv a table
    #[arg(long, value_name = "NAME=NUMBERS", value_parser = ask::varied, conflicts_with_all = ["all_first_moves", "target", "decide", "certificate", "strategy", "refutation", "gap", "first", "start", "json_stream", "qbf_exit", "set", "method", "nodes", "threads"])]
    pub vary: Option<ask::Numbers>,
    /// Exit as QBF solvers do: 10 true, 20 false, 0 unknown; always so for .qdimacs and .qcir
    #[arg(long)]
    pub qbf_exit: bool,
    /// Set a switch of an engine, such as search.relax=off; `quip options` lists them
    #[arg(long, value_name = "KEY=VALUE", value_parser = setting)]
    pub set: Vec<Setting>,
    /// No log and no warnings, only the answer
    #[arg(short, long, conflicts_with = "verbose")]
    pub quiet: bool,
    /// List every move instead of the first few
    #[arg(short, long)]
    pub verbose: bool,
    #[command(flatten)]
    pub digits: DigitsArgs,
    #[command(flatten)]
    pub count_args: CountArgs,
}

impl SolveArgs {
    /// What is meant.
    pub fn options(&self) -> Options {
        let mut options = Options {
            method: self.method,
            limits: Limits {
                time: self.time,
                nodes: self.nodes,
                memory: self.memory,
                enough: match &self.gap {
                    Some(share) => Some(Enough::Gap(share.clone())),
                    None => self.first.then_some(Enough::First),
                },
            },
            target: self.target.clone(),
            decide: self.decide,
            certificate: self.certificate.is_some()
                || self.strategy.is_some()
                || self.refutation.is_some(),
            threads: self.threads.map(usize::from),
            ..Options::default()
        };
        for Setting { key, value } in &self.set {
            options
                .set(key, value)
                .expect("invariant: settings were tried when they were typed");
        }
        options
    }
}

/// `1%`, `0.01`.
fn share(text: &str) -> Result<Rational, String> {
    let (number, whole) = match text.strip_suffix('%') {
        Some(number) => (number, int(100)),
        None => (text, int(1)),
    };
    let share = exact(number.trim())? / whole;
    match share.is_negative() {
        true => Err("a gap is not negative; write it like 1%".to_owned()),
        false => Ok(share),
    }
}

/// Reads, solves, reports.
pub fn run(wanted: &SolveArgs, style: Style) -> Result<Exit, Failure> {
    if wanted.all_first_moves || wanted.vary.is_some() {
        return ask::run(wanted, style);
    }
    for path in wanted.strategy.iter().chain(&wanted.refutation) {
        strategy::Shape::of(path)?;
    }
    let mut outputs = files::open(
        &start::files(&wanted.model, wanted.start.as_deref()),
        [
            wanted.out.as_deref().map(|path| ("--out", path)),
            wanted
                .certificate
                .as_deref()
                .map(|path| ("--certificate", path)),
            wanted.strategy.as_deref().map(|path| ("--strategy", path)),
            wanted
                .refutation
                .as_deref()
                .map(|path| ("--refutation", path)),
        ],
    )?;
    let model = reading::read(&wanted.model, &wanted.read, style.log);
    let mut model = files::before_work(&mut outputs, model)?;
    let begun = start::read(wanted.start.as_deref(), &model.program);
    let begun = files::before_work(&mut outputs, begun)?;
    let [out, certificate, strategy, refutation] = outputs;
    note_misplaced_rows(&mut model);
    if !wanted.quiet {
        model
            .rendered_warnings
            .iter()
            .for_each(|text| complain(text));
    }
    if wanted.count_args.is_wanted() {
        return count::run(wanted, &model);
    }
    let options = wanted.options();
    let signal = signals::stop_flag()?;
    let patience = Patience::new(Arc::clone(&signal), wanted.time);
    let solver = Solver::new(options.clone())
        .with_signal(Arc::clone(&signal))
        .with_observer(observer(wanted));
    let solver = match wanted.quiet {
        true => solver,
        false => solver.with_notice(Box::new(|refusal| {
            complain(&format!(
                "note: no faster engine takes this model, so its plays are enumerated: {refusal}"
            ));
        })),
    };
    let method = solver.method_for(&model.program);
    announce(wanted, &model, method)?;

    let start = Instant::now();
    let outcome = match start::solve(solver, &model.program, &begun) {
        Ok((outcome, remark)) => {
            remark.iter().for_each(|text| complain(text));
            outcome
        }
        Err(refusal) => {
            refuse(wanted, &model, &refusal)?;
            return Err(refusal.into());
        }
    };
    let elapsed = start.elapsed();
    let (proof, unproved) = prove(certificate, &model, &outcome, &patience);
    let near = near_miss(&model.program, &outcome, &options, elapsed, signal);
    let solved = Solved {
        program: &model.program,
        options: &options,
        digits: wanted.digits.digits(),
        method: outcome.engine.unwrap_or(method.name()),
        outcome: &outcome,
        elapsed,
        proof,
        near,
        told: model
            .game
            .as_deref()
            .and_then(|comment| Told::of(comment, &model.program, &outcome)),
    };
    let said = conclude(wanted, &model, &solved, style);
    // Files are written even if standard output could not be.
    let saved = out.map_or(Ok(()), |out| {
        let result = ResultJson::new(&solved, &model);
        out.save(json::to_line(&result).as_bytes())
    });
    let written = |output: Option<Output>, whose| {
        let Some(output) = output else {
            return Ok(());
        };
        let digits = wanted.digits.digits();
        let done = strategy::write(&model, &outcome, whose, digits, output)?;
        if !wanted.quiet {
            complain(&done);
        }
        Ok(())
    };
    let planned = written(strategy, None);
    let refuted = written(refutation, Some(Quantifier::Forall));
    said?;
    saved?;
    let made = outcome.certificate.as_ref();
    let made = made.and_then(|made| made.as_ref().err());
    let is_fault = made.is_some_and(CertificateError::is_fault)
        || solved.proof.as_ref().is_some_and(Proof::is_fault);
    let exit = if is_fault {
        Exit::Internal
    } else if wanted.qbf_exit || model.formula.is_some() {
        Exit::of_formula(&outcome)
    } else {
        Exit::of(&outcome)
    };
    [unproved, planned.err(), refuted.err()]
        .into_iter()
        .flatten()
        .try_fold(exit, unmade)
}

/// Rows that look like rules of the opponent in the wrong section are worth a word before the solve.
fn note_misplaced_rows(model: &mut Model) {
    /// How many are named.
    const NAMED: usize = 3;
    // A clause of universal variables is ordinary.
    if model.formula.is_some() || model.program.class().clausal {
        return;
    }
    let rows = opponents_rows(&model.program);
    let named = rows.iter().take(NAMED).map(ToString::to_string);
    let more = rows.len().saturating_sub(NAMED);
    let more = (more > 0).then(|| format!("{more} more rows have variables of the opponent only"));
    for text in named.chain(more) {
        model.rendered_warnings.push(format!("note: {text}"));
        model.warnings.push(text);
    }
}

/// How a command ends that could not make a file: a run that was stopped has said so by its code.
fn unmade(exit: Exit, failure: Failure) -> Result<Exit, Failure> {
    match (exit, &failure) {
        (Exit::StoppedWithStrategy | Exit::StoppedEmptyHanded, Failure::NotMade { .. }) => {
            complain(&failure.to_string());
            Ok(exit)
        }
        _ => Err(failure),
    }
}

/// Writes the certificate, if one was asked for, and checks it; also says why that failed.
fn prove(
    output: Option<Output>,
    model: &Model,
    outcome: &Outcome,
    patience: &Patience,
) -> (Option<Proof>, Option<Failure>) {
    let Some(output) = output else {
        return (None, None);
    };
    let file = output.name();
    let made = match &outcome.certificate {
        Some(Ok(certificate)) => check::save(certificate, &model.program, output, patience),
        Some(Err(reason)) => {
            let failure = output.forgo("certificate", &reason.to_string());
            Err((reason.clone(), failure))
        }
        None => {
            let reason = CertificateError::Unsupported("this engine makes none".into());
            let failure = output.forgo("certificate", &reason.to_string());
            Err((reason, failure))
        }
    };
    let (checked, failure) = match made {
        Ok(verdict) => (Ok(verdict), None),
        Err((reason, failure)) => (Err(reason), Some(failure)),
    };
    (Some(Proof { file, checked }), failure)
}

/// A refusal is a result for whoever reads JSON.
fn refuse(wanted: &SolveArgs, model: &Model, refusal: &SolveError) -> Result<(), Failure> {
    let result = RefusalJson::new(&model.program, &model.name, refusal);
    if wanted.json_stream {
        answer(&json::to_line(&Event::Refusal(result)))
    } else if wanted.json {
        answer(&json::to_line(&result))
    } else {
        Ok(())
    }
}

/// Says what is going to be solved.
fn announce(wanted: &SolveArgs, model: &Model, method: Method) -> Result<(), Failure> {
    if !wanted.quiet {
        complain(&log::header(&model.name, &model.program, method));
    }
    if wanted.json_stream {
        let start = Event::Start {
            model: ModelJson::new(&model.program, &model.name),
            method: method.name(),
        };
        answer(&json::to_line(&start))?;
    }
    Ok(())
}

/// Heartbeats go to the log, and to the stream if there is one.
fn observer(wanted: &SolveArgs) -> Observer {
    let (quiet, stream) = (wanted.quiet, wanted.json_stream);
    let mut has_columns = false;
    Box::new(move |progress, elapsed| {
        if !quiet {
            if !std::mem::replace(&mut has_columns, true) {
                complain(&log::columns());
            }
            complain(&log::line(progress, elapsed));
        }
        if stream {
            let event = Event::Progress(ProgressJson::new(progress, elapsed));
            // A full disk is reported with the result; a lost heartbeat is no reason to stop.
            let _ = answer(&json::to_line(&event));
        }
    })
}

fn conclude(
    wanted: &SolveArgs,
    model: &Model,
    solved: &Solved<'_>,
    style: Style,
) -> Result<(), Failure> {
    let result = || ResultJson::new(solved, model);
    if wanted.json_stream {
        return answer(&json::to_line(&Event::Result(Box::new(result()))));
    }
    if wanted.json {
        return answer(&json::to_line(&result()));
    }
    if !wanted.quiet {
        complain("");
    }
    match &model.formula {
        Some(formula) => answer(&formula::report(solved, formula, wanted)),
        None => answer_in_words(&report(solved, wanted.verbose, style.answer)),
    }
}
