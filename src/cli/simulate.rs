//! `quip simulate`: a strategy against random, worst and given plays of the opponent.

mod plays;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use quip::budget::Limits;
use quip::num::{Digits, Rational, int};
use quip::program::{Program, Quantifier, cost_of_objective};
use quip::solver::{Method, Options, Solver};
use quip::strategy::Strategy;
use serde::Serialize;

use super::args::{Style, methods};
use super::exit::{Exit, Failure};
use super::json::to_line;
use super::output::{answer, complain};
use super::reading::ReadArgs;
use super::table::Table;
use super::text::{DigitsArgs, counted, play};
use super::ticker::Ticker;
use super::{files, quantity, reading, signals};
pub use plays::values;
use plays::{Played, Result as Ended, Table as Scenarios};

/// Play a strategy against random, worst and given plays of the opponent
///
/// The model is solved, and its strategy answers: plays drawn at random among the legal moves, one in
/// which the opponent follows its own best strategy, and those of a file. Shown is what they cost:
/// the best, the mean, the worst, and how they spread.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  quip simulate lot.qip
  quip simulate --runs 10000 --seed 7 --csv lot.qip > plays.csv
  quip simulate --runs 0 --scenarios history.csv lot.qip

A file of scenarios has the opponent's variables in its first line and a play in each other:
  d1,d2
  1,2
  0,0")]
pub struct SimulateArgs {
    /// Model file (.qip, .qlp, .qdimacs or .qcir, also .gz), or `-` for standard input
    model: PathBuf,
    #[command(flatten)]
    read: ReadArgs,
    /// How many plays are drawn at random
    #[arg(long, value_name = "N", default_value_t = 1000)]
    runs: usize,
    /// Plays of the opponent, as comma-separated values
    #[arg(long, value_name = "FILE")]
    scenarios: Option<PathBuf>,
    /// Seed of the random plays
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// Time for the solve, such as 60, 5m or 1h
    #[arg(short, long, value_name = "TIME", value_parser = quantity::duration)]
    time: Option<Duration>,
    /// Which engine solves
    #[arg(short, long, value_parser = methods(), default_value = Method::Auto.name())]
    method: Method,
    /// Every play, as comma-separated values
    #[arg(long, conflicts_with = "json")]
    csv: bool,
    /// Answer with JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    digits: DigitsArgs,
}

/// Solves and plays.
pub fn run(wanted: &SimulateArgs, style: Style) -> Result<Exit, Failure> {
    let scenarios = wanted.scenarios.as_deref();
    let scenarios = scenarios.map(|path| ("--scenarios", path));
    let read: Vec<files::Named<'_>> = [("MODEL", &*wanted.model)]
        .into_iter()
        .chain(scenarios)
        .collect();
    files::open(&read, [])?;
    let model = reading::read(&wanted.model, &wanted.read, style.log)?;
    let warnings = model.rendered_warnings.iter();
    warnings.for_each(|text| complain(text));
    let program = &model.program;
    let given = match &wanted.scenarios {
        Some(path) => Some(Scenarios::read(program, path)?),
        None => None,
    };
    let options = Options {
        method: wanted.method,
        limits: Limits {
            time: wanted.time,
            ..Limits::default()
        },
        certificate: true,
        ..Options::default()
    };
    let stop = signals::stop_flag()?;
    let ticker = Ticker::new("solving");
    let solver = Solver::new(options)
        .with_signal(stop.clone())
        .with_observer(ticker.observer("solving"));
    let outcome = solver.solve(program)?;
    ticker.tell("playing");
    let Some(strategy) = outcome.held(program, Quantifier::Exists) else {
        let reason = match outcome.status {
            quip::outcome::Status::Infeasible => "the model is lost, so there is none",
            quip::outcome::Status::Interrupted => "the solve was stopped before there was one",
            _ => "the engine that solved it writes none down",
        };
        complain(&format!("There is no strategy to play: {reason}."));
        return Ok(match Exit::of(&outcome) {
            Exit::Proved => Exit::NotMade,
            exit => exit,
        });
    };
    let refutation = outcome.held(program, Quantifier::Forall);
    let mut played = Vec::new();
    played.extend(plays::random(
        program,
        &strategy,
        wanted.runs,
        wanted.seed,
        &stop,
    ));
    played.extend(plays::worst(program, &strategy, refutation.as_ref()));
    if let Some(given) = &given {
        played.extend(plays::given(program, &strategy, given));
    }
    answer(&match (wanted.csv, wanted.json) {
        (true, _) => csv(program, &played),
        (_, true) => to_line(&SimulationJson::new(program, &strategy, &played)),
        _ => told(program, wanted.digits.digits(), &strategy, &played),
    })?;
    Ok(Exit::Proved)
}

/// The kinds of plays, in the order in which they are shown.
const KINDS: [&str; 3] = ["random", "worst", "given"];

/// What plays of one kind came to.
#[derive(Debug, Serialize)]
struct Summary {
    plays: &'static str,
    count: usize,
    /// How many ended with an outright win.
    won: usize,
    /// How many were not legal, or had no legal move that was found.
    refused: usize,
    best: Option<String>,
    mean: Option<String>,
    worst: Option<String>,
}

impl Summary {
    fn of(
        program: &Program,
        digits: Digits,
        kind: &'static str,
        played: &[Played],
    ) -> Option<Self> {
        let of_kind: Vec<&Played> = played.iter().filter(|it| it.kind == kind).collect();
        if of_kind.is_empty() {
            return None;
        }
        let mut values = values_of(&of_kind);
        values.sort_by_key(|value| cost_of_objective(program, value.clone()));
        let count = |test: fn(&Ended) -> bool| of_kind.iter().filter(|it| test(&it.result)).count();
        let mean = (!values.is_empty()).then(|| {
            let sum: Rational = values.iter().sum();
            sum / int(values.len() as i64)
        });
        let has_objective = program.objective().is_some();
        let spelled = |value: Option<&Rational>| {
            let value = value.filter(|_| has_objective);
            value.map(|value| digits.short(value))
        };
        Some(Self {
            plays: kind,
            count: of_kind.len(),
            won: count(|it| matches!(it, Ended::Won)),
            refused: count(|it| matches!(it, Ended::Refused(_))),
            best: spelled(values.first()),
            mean: spelled(mean.as_ref()),
            worst: spelled(values.last()),
        })
    }
}

fn values_of(played: &[&Played]) -> Vec<Rational> {
    let values = played.iter().filter_map(|it| match &it.result {
        Ended::Value(value) => Some(value.clone()),
        _ => None,
    });
    values.collect()
}

fn told(program: &Program, digits: Digits, strategy: &Strategy, played: &[Played]) -> String {
    let mut text = match strategy.guaranteed_value(program) {
        Some(value) => format!("The strategy guarantees {}.\n\n", digits.write(&value)),
        None => "The strategy keeps the rows, or wins outright.\n\n".to_owned(),
    };
    let mut table = Table::new(
        &["plays", "count", "won", "refused", "best", "mean", "worst"],
        1,
    );
    let kinds = KINDS.into_iter();
    for it in kinds.filter_map(|kind| Summary::of(program, digits, kind, played)) {
        let shown = |value: Option<String>| value.unwrap_or_else(|| "-".to_owned());
        table.row(vec![
            it.plays.to_owned(),
            it.count.to_string(),
            it.won.to_string(),
            it.refused.to_string(),
            shown(it.best),
            shown(it.mean),
            shown(it.worst),
        ]);
    }
    text += &table.text();
    let random: Vec<&Played> = played.iter().filter(|it| it.kind == "random").collect();
    if program.objective().is_some() && !random.is_empty() {
        text += &histogram(digits, &values_of(&random));
    }
    let refused = played.iter().filter_map(|it| match &it.result {
        Ended::Refused(reason) if it.kind == "given" => Some((it.number, reason)),
        _ => None,
    });
    let refused: Vec<String> = refused
        .map(|(number, reason)| format!("given play {number}: {reason}\n"))
        .collect();
    if !refused.is_empty() {
        text += "\n";
        text += &refused.concat();
    }
    text
}

/// Lines with a bar for each value, or for each of ten ranges of many values.
fn histogram(digits: Digits, values: &[Rational]) -> String {
    /// So many values get a line each.
    const FEW: usize = 12;
    const WIDTH: usize = 40;
    let mut counts: BTreeMap<&Rational, usize> = BTreeMap::new();
    values
        .iter()
        .for_each(|value| *counts.entry(value).or_default() += 1);
    let lines: Vec<(String, usize)> = if counts.len() <= FEW {
        let lines = counts.iter();
        lines
            .map(|(value, count)| (digits.write(value), *count))
            .collect()
    } else {
        ranges(digits, &counts)
    };
    let most = lines.iter().map(|(_, count)| *count).max().unwrap_or(1);
    let width = lines.iter().map(|(label, _)| label.chars().count()).max();
    let width = width.unwrap_or(0);
    let mut text = "\nCost of the random plays\n".to_owned();
    for (label, count) in &lines {
        let bar = "#".repeat((count * WIDTH).div_ceil(most));
        text += &format!("  {label:>width$}  {count:>6}  {bar}\n");
    }
    text
}

fn ranges(digits: Digits, counts: &BTreeMap<&Rational, usize>) -> Vec<(String, usize)> {
    const RANGES: usize = 10;
    let ends = (counts.keys().next(), counts.keys().next_back());
    let (Some(least), Some(most)) = ends else {
        return Vec::new();
    };
    let step = (*most - *least) / int(RANGES as i64);
    let mut lines: Vec<(String, usize)> = Vec::new();
    for place in 0..RANGES {
        let from = *least + &step * int(place as i64);
        let to = &from + &step;
        let is_last = place + 1 == RANGES;
        let inside = |value: &Rational| *value >= from && (*value < to || is_last);
        let count = counts.iter().filter(|(value, _)| inside(value));
        let label = format!("{} to {}", digits.short(&from), digits.short(&to));
        lines.push((label, count.map(|(_, count)| count).sum()));
    }
    lines
}

fn csv(program: &Program, played: &[Played]) -> String {
    let mut table = Table::new(&["plays", "number", "result", "value", "moves"], 1);
    for it in played {
        let (result, value) = match &it.result {
            Ended::Value(value) => ("played", value.to_string()),
            Ended::Won => ("won", String::new()),
            Ended::Refused(reason) => ("refused", reason.clone()),
        };
        let value = if program.objective().is_none() && result == "played" {
            String::new()
        } else {
            value
        };
        table.row(vec![
            it.kind.to_owned(),
            it.number.to_string(),
            result.to_owned(),
            value,
            play(program, Digits::Exact, &it.moves, usize::MAX),
        ]);
    }
    table.csv()
}

#[derive(Serialize)]
struct SimulationJson {
    schema: &'static str,
    model: String,
    guaranteed: Option<String>,
    summaries: Vec<Summary>,
    /// Values of the random plays and how often they came, in increasing order.
    histogram: Vec<(String, usize)>,
    plays: String,
}

impl SimulationJson {
    fn new(program: &Program, strategy: &Strategy, played: &[Played]) -> Self {
        let random: Vec<&Played> = played.iter().filter(|it| it.kind == "random").collect();
        let mut counts: BTreeMap<Rational, usize> = BTreeMap::new();
        for value in values_of(&random) {
            *counts.entry(value).or_default() += 1;
        }
        let kinds = KINDS.into_iter();
        let guaranteed = strategy.guaranteed_value(program);
        Self {
            schema: "quip-simulation/1",
            model: program.fingerprint(),
            guaranteed: guaranteed.map(|value| value.to_string()),
            summaries: kinds
                .filter_map(|kind| Summary::of(program, Digits::Exact, kind, played))
                .collect(),
            histogram: counts
                .into_iter()
                .map(|(value, count)| (value.to_string(), count))
                .collect(),
            plays: counted(played.len(), "play"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_values_are_shown_in_ten_ranges_that_hold_all_of_them() {
        let values: Vec<Rational> = (0..100).map(int).collect();
        let text = histogram(Digits::Rounded, &values);
        assert_eq!(
            text.lines().filter(|line| line.contains(" to ")).count(),
            10
        );
        let few = histogram(Digits::Rounded, &[int(1), int(1), int(0)]);
        assert!(few.contains("1       2  ####"), "{few}");
    }
}
