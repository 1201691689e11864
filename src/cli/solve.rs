//! `quip solve`.

use std::time::Instant;

use quip::budget::Observer;
use quip::outcome::{CertificateError, Outcome};
use quip::solver::{Method, Solver};

use super::args::{SolveArgs, Style};
use super::check;
use super::exit::{Exit, Failure};
use super::formula;
use super::json::{self, Event, ModelJson, ProgressJson, ResultJson};
use super::log;
use super::output::{answer, complain, probe, save};
use super::reading::{self, Model};
use super::report::{Proof, Solved, report};
use super::{signals, strategy};

/// Reads, solves, reports.
pub fn run(wanted: &SolveArgs, style: Style) -> Result<Exit, Failure> {
    let model = reading::read(&wanted.model, style.log)?;
    if let Some(path) = &wanted.strategy {
        strategy::Shape::of(path)?;
    }
    let files = wanted.out.iter().chain(&wanted.certificate);
    for path in files.chain(&wanted.strategy) {
        probe(path)?;
    }
    if !wanted.quiet {
        model
            .rendered_warnings
            .iter()
            .for_each(|text| complain(text));
    }
    let options = wanted.options();
    let solver = Solver::new(options.clone())
        .with_signal(signals::stop_flag()?)
        .with_observer(observer(wanted));
    let method = solver.method_for(&model.program);
    announce(wanted, &model, method)?;

    let start = Instant::now();
    let outcome = solver.solve(&model.program)?;
    let elapsed = start.elapsed();
    let solved = Solved {
        program: &model.program,
        options: &options,
        method: outcome.engine.unwrap_or(method.name()),
        outcome: &outcome,
        elapsed,
        proof: prove(wanted, &model, &outcome)?,
    };
    conclude(wanted, &model, &solved, style)?;
    if let Some(path) = &wanted.strategy {
        let done = strategy::write(&model.program, &outcome, path)?;
        if !wanted.quiet {
            complain(&done);
        }
    }
    let made = outcome
        .certificate
        .as_ref()
        .and_then(|made| made.as_ref().err());
    let is_fault = made.is_some_and(CertificateError::is_fault)
        || solved.proof.as_ref().is_some_and(Proof::is_fault);
    Ok(if is_fault {
        Exit::Internal
    } else if wanted.qbf_exit || model.formula.is_some() {
        Exit::of_formula(&outcome)
    } else {
        Exit::of(&outcome)
    })
}

/// Writes the certificate, if one was asked for, and checks it.
fn prove(wanted: &SolveArgs, model: &Model, outcome: &Outcome) -> Result<Option<Proof>, Failure> {
    let (Some(path), Some(made)) = (&wanted.certificate, &outcome.certificate) else {
        return Ok(None);
    };
    let checked = match made {
        Ok(certificate) => match check::save(certificate, &model.program, path)? {
            Ok(verdict) => Ok(verdict),
            Err(fault) => Err(CertificateError::Rejected(fault.to_string())),
        },
        Err(reason) => Err(reason.clone()),
    };
    Ok(Some(Proof {
        file: path.display().to_string(),
        checked,
    }))
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
    let result = || ResultJson::new(solved, &model.name, &model.warnings);
    let said = if wanted.json_stream {
        answer(&json::to_line(&Event::Result(Box::new(result()))))
    } else if wanted.json {
        answer(&json::to_line(&result()))
    } else {
        if !wanted.quiet {
            complain("");
        }
        match &model.formula {
            Some(formula) => answer(&formula::report(solved, formula, wanted)),
            None => answer(&report(solved, wanted.verbose, style.answer)),
        }
    };
    // The file is written even if standard output could not be.
    if let Some(path) = &wanted.out {
        save(path, json::to_line(&result()).as_bytes())?;
    }
    said
}
