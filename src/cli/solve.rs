//! `quip solve`.

use std::sync::Arc;
use std::time::Instant;

use quip::budget::Observer;
use quip::outcome::{CertificateError, Outcome, SolveError};
use quip::solver::{Method, Solver, near_miss};

use super::args::{SolveArgs, Style};
use super::check;
use super::count;
use super::exit::{Exit, Failure};
use super::files::{self, Output};
use super::formula;
use super::json::{self, Event, ModelJson, ProgressJson, RefusalJson, ResultJson};
use super::lint::opponents_rows;
use super::log;
use super::output::{answer, answer_in_words, complain};
use super::patience::Patience;
use super::reading::{self, Model};
use super::report::{Proof, Solved, report};
use super::speech::Told;
use super::{signals, strategy};

/// Reads, solves, reports.
pub fn run(wanted: &SolveArgs, style: Style) -> Result<Exit, Failure> {
    if let Some(path) = &wanted.strategy {
        strategy::Shape::of(path)?;
    }
    let mut outputs = files::open(
        &[("MODEL", &wanted.model)],
        [
            wanted.out.as_deref().map(|path| ("--out", path)),
            wanted
                .certificate
                .as_deref()
                .map(|path| ("--certificate", path)),
            wanted.strategy.as_deref().map(|path| ("--strategy", path)),
        ],
    )?;
    let model = reading::read(&wanted.model, &wanted.read, style.log);
    let mut model = files::before_work(&mut outputs, model)?;
    let [out, certificate, strategy] = outputs;
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
    let outcome = match solver.solve(&model.program) {
        Ok(outcome) => outcome,
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
    let planned = strategy.map_or(Ok(()), |output| {
        let done = strategy::write(&model, &outcome, wanted.digits.digits(), output)?;
        if !wanted.quiet {
            complain(&done);
        }
        Ok(())
    });
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
    [unproved, planned.err()]
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
