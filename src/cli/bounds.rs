//! `quip bounds`: every relaxation of a model beside its value.

use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::time::Duration;

use clap::Args;
use quip::budget::Limits;
use quip::experiment::bounds::{BoundsOptions, Entry, Measured, Report, Side, measure};
use quip::experiment::plot::{Bar, bars};
use quip::num::{Digits, Rational, fitting};
use quip::outcome::Score;
use quip::program::{Program, cost_of_objective};
use serde::Serialize;

use super::args::Style;
use super::exit::{Exit, Failure};
use super::files;
use super::output::{answer, complain};
use super::reading::ReadArgs;
use super::results::ShapeArgs;
use super::table::Table;
use super::text::{DigitsArgs, relative_gap};
use super::ticker::Ticker;
use super::{quantity, reading, signals};

/// Measure how good the relaxations of a model are
///
/// Each relaxation is solved exactly, as a linear program and with its integers, and compared with
/// the value of the model. The theorems that order them are checked on the way; a number that
/// breaks one is an internal error.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  quip bounds models/or/lot-sizing.qip
  quip bounds -t 10 --csv models/or/*.qip > bounds.csv
  quip bounds --svg bounds.svg models/or/knapsack.qip")]
pub struct BoundsArgs {
    /// Model files (.qip or .qlp, also .gz)
    #[arg(required = true, value_name = "MODEL")]
    models: Vec<PathBuf>,
    #[command(flatten)]
    read: ReadArgs,
    /// Time for the value and for each relaxation, such as 60, 5m or 1h
    #[arg(short, long, value_name = "TIME", value_parser = quantity::duration, default_value = "60")]
    time: Duration,
    /// How many random scenarios to look at
    #[arg(long, value_name = "N", default_value_t = 13)]
    random: usize,
    /// Largest set of scenarios
    #[arg(long, value_name = "N", default_value_t = 16)]
    scenarios: usize,
    /// Look at all plays together if there are at most this many
    #[arg(long, value_name = "N", default_value_t = 64)]
    plays: usize,
    /// Seed of the random scenarios
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    #[command(flatten)]
    shape: ShapeArgs,
    #[command(flatten)]
    digits: DigitsArgs,
    /// Draw the bounds of a single model as bars
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
}

/// One line of the answer.
#[derive(Serialize)]
struct Line {
    schema: &'static str,
    model: String,
    relaxation: String,
    side: Side,
    /// `value`, `feasible`, `infeasible`, `won`, `unbounded`, `at_least`, `at_most` or `unknown`.
    status: &'static str,
    /// In the user's objective, exactly.
    value: Option<String>,
    /// The same for people.
    #[serde(skip)]
    told: Option<String>,
    gap: Option<f64>,
    /// See [`Report::closed`].
    closed: Option<f64>,
    seconds: f64,
    nodes: u64,
    lps: u64,
    note: Option<String>,
}

/// Measures and shows.
pub fn run(wanted: &BoundsArgs, style: Style) -> Result<Exit, Failure> {
    if wanted.svg.is_some() && wanted.models.len() != 1 {
        return Err(Failure::Usage(
            "--svg draws one model; name only one".to_owned(),
        ));
    }
    let read: Vec<_> = wanted
        .models
        .iter()
        .map(|path| ("MODEL", &**path))
        .collect();
    let svg = wanted.svg.as_deref().map(|path| ("--svg", path));
    let mut outputs = files::open(&read, [svg])?;
    // Before signals only raise a flag: a model may come from a pipe.
    let models = wanted
        .models
        .iter()
        .map(|path| reading::read(path, &wanted.read, style.log));
    let models: Result<Vec<_>, _> = models.collect();
    let models = files::before_work(&mut outputs, models)?;
    let [mut svg] = outputs;
    let options = BoundsOptions {
        limits: Limits {
            time: Some(wanted.time),
            ..Limits::default()
        },
        random: wanted.random,
        largest_set: wanted.scenarios,
        most_plays: wanted.plays,
        each_play: 0,
        seed: wanted.seed,
        stop: signals::stop_flag()?,
    };
    let ticker = Ticker::new("measuring");
    let (mut lines, mut drawn) = (Vec::new(), Vec::new());
    let mut faults = Vec::new();
    for (path, model) in wanted.models.iter().zip(&models) {
        ticker.tell(&format!("measuring {}", model.name));
        let report = measure(&model.program, &options);
        faults.extend(
            report
                .faults
                .iter()
                .map(|it| format!("{}: {it}", model.name)),
        );
        if let Some(file) = svg.take() {
            file.save(picture(&model.program, path, &report).as_bytes())?;
        }
        let entries = report.entries.iter();
        let digits = wanted.digits.digits();
        lines
            .extend(entries.map(|entry| line(&model.name, digits, &model.program, &report, entry)));
        drawn.push((model.name.as_str(), report.drawn));
    }
    drop(ticker);
    answer(&match (wanted.shape.csv, wanted.shape.json) {
        (true, _) => csv_of(&lines).csv(),
        (_, true) => super::json::to_line(&lines),
        _ => text_of(&lines, &drawn, wanted.seed),
    })?;
    if faults.is_empty() && options.stop.load(Ordering::Relaxed) {
        complain("stopped: what was not measured any more is `unknown`");
        return Ok(Exit::StoppedEmptyHanded);
    }
    if faults.is_empty() {
        return Ok(Exit::Proved);
    }
    faults.iter().for_each(|fault| complain(fault));
    Err(Failure::System(
        "the bounds contradict a theorem".to_owned(),
    ))
}

fn line(model: &str, digits: Digits, program: &Program, report: &Report, entry: &Entry) -> Line {
    let user = |cost: &Rational| cost_of_objective(program, cost.clone());
    let (status, value) = entry.measured.spelled(program);
    let best = match report.value() {
        Some(Score::Cost(cost)) if program.objective().is_some() => Some(user(cost)),
        _ => None,
    };
    Line {
        schema: "quip-bounds/1",
        model: model.to_owned(),
        relaxation: entry.name.clone(),
        side: entry.side,
        status,
        gap: relative_gap(best.as_ref(), value.as_ref()),
        told: value.as_ref().map(|value| digits.short(value)),
        value: value.map(|value| value.to_string()),
        closed: report.closed(entry).filter(|_| entry.side != Side::Above),
        seconds: entry.seconds,
        nodes: entry.effort.nodes,
        lps: entry.effort.lps,
        note: match &entry.measured {
            Measured::Nothing(reason) => Some(reason.clone()),
            _ => None,
        },
    }
}

/// A model's name, and its random scenarios.
type Drawn<'a> = (&'a str, Vec<(String, String)>);

/// One table for each model, and what its random scenarios are.
fn text_of(lines: &[Line], drawn: &[Drawn<'_>], seed: u64) -> String {
    let head = ["relaxation", "bound", "gap", "seconds", "nodes", "LPs"];
    let parts = lines.chunk_by(|one, other| one.model == other.model);
    let tables = parts.map(|part| {
        let mut table = Table::new(&head, 1);
        for line in part {
            table.row(vec![
                line.relaxation.clone(),
                shown(line),
                line.gap
                    .map_or("-".to_owned(), |gap| format!("{:.1}%", gap * 100.0)),
                format!("{:.3}", line.seconds),
                line.nodes.to_string(),
                line.lps.to_string(),
            ]);
        }
        let notes = part.iter().filter_map(|line| {
            let note = line.note.as_ref()?;
            Some(format!("{}: {note}\n", line.relaxation))
        });
        let scenarios = drawn.iter().filter(|(model, _)| *model == part[0].model);
        let scenarios = scenarios.flat_map(|(_, drawn)| drawn);
        let mut scenarios: String = scenarios
            .map(|(name, play)| format!("  {name:<10} {}\n", shortened(play)))
            .collect();
        if !scenarios.is_empty() {
            scenarios.insert_str(0, &format!("drawn with seed {seed}:\n"));
        }
        format!(
            "{}\n{}{}{scenarios}",
            part[0].model,
            table.text(),
            notes.collect::<String>()
        )
    });
    tables.collect::<Vec<_>>().join("\n")
}

/// A play that fits a line.
fn shortened(play: &str) -> String {
    /// How many moves are shown.
    const SHOWN: usize = 8;
    let moves: Vec<&str> = play.split(", ").collect();
    match moves.len() {
        many if many > SHOWN => {
            format!("{}, … {} more", moves[..SHOWN].join(", "), many - SHOWN)
        }
        _ => play.to_owned(),
    }
}

fn shown(line: &Line) -> String {
    match (&line.told, line.status) {
        (Some(value), "at_least") => format!("from {value}"),
        (Some(value), "at_most") => format!("up to {value}"),
        (Some(value), _) => value.clone(),
        (None, status) => status.to_owned(),
    }
}

fn csv_of(lines: &[Line]) -> Table {
    let head = [
        "model",
        "relaxation",
        "side",
        "status",
        "value",
        "gap",
        "closed",
        "seconds",
        "nodes",
        "lps",
        "note",
    ];
    let mut table = Table::new(&head, 3);
    for line in lines {
        let number = |number: Option<f64>| number.map_or(String::new(), |it| format!("{it:.6}"));
        let side = match line.side {
            Side::Below => "below",
            Side::Value => "value",
            Side::Above => "above",
        };
        table.row(vec![
            line.model.clone(),
            line.relaxation.clone(),
            side.to_owned(),
            line.status.to_owned(),
            line.value.clone().unwrap_or_default(),
            number(line.gap),
            number(line.closed),
            format!("{:.6}", line.seconds),
            line.nodes.to_string(),
            line.lps.to_string(),
            line.note.clone().unwrap_or_default(),
        ]);
    }
    table
}

/// How far each relaxation gets from the existential LP to the value.
fn picture(program: &Program, path: &Path, report: &Report) -> String {
    let entries = report
        .entries
        .iter()
        .filter(|entry| entry.side == Side::Below);
    let drawn: Vec<Bar> = entries
        .map(|entry| Bar {
            name: entry.name.clone(),
            length: report.closed(entry).unwrap_or(f64::NAN),
            label: label(program, &entry.measured),
        })
        .collect();
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let title = format!("{name}: from the existential LP to the value");
    bars(&title, &drawn, 1.0, "value")
}

fn label(program: &Program, measured: &Measured) -> String {
    match measured.floor() {
        Some(Score::Cost(_)) if program.objective().is_none() => "feasible".to_owned(),
        Some(Score::Cost(cost)) => {
            let value = cost_of_objective(program, cost);
            fitting(&value, 10)
        }
        Some(Score::Lost) => "infeasible".to_owned(),
        Some(Score::Won) => "won".to_owned(),
        Some(Score::Unbounded) => "unbounded".to_owned(),
        None => "unknown".to_owned(),
    }
}
