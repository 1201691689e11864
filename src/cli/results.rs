//! `quip experiment table|plot|runs`: looking at results.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use quip::experiment::summary::{Summary, TIME_SHIFT, summaries};
use quip::experiment::{Ledger, Record, Results, plot};
use serde::Serialize;

use super::exit::{Exit, Failure};
use super::experiment::failure;
use super::files;
use super::output::{answer, complain};
use super::table::Table;

/// Solved counts, mean times and PAR2 of each solver
#[derive(Args, Debug)]
pub struct TableArgs {
    #[command(flatten)]
    results: ResultArgs,
    /// One table for each family
    #[arg(long)]
    by_family: bool,
    /// Shift of the geometric mean, in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = TIME_SHIFT)]
    shift: f64,
    #[command(flatten)]
    shape: ShapeArgs,
}

/// A picture of the results as SVG
#[derive(Args, Debug)]
pub struct PlotArgs {
    /// What to draw
    kind: PlotKind,
    #[command(flatten)]
    results: ResultArgs,
    /// File to write; standard output otherwise
    #[arg(short, long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Title of the picture
    #[arg(long)]
    title: Option<String>,
    /// scatter: the two solvers; ablation: the baseline; growth: only these
    #[arg(long, value_name = "NAME")]
    solver: Vec<String>,
    /// trace: the instance
    #[arg(long, value_name = "NAME")]
    instance: Option<String>,
    /// ablation: shift of the geometric mean, in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = TIME_SHIFT)]
    shift: f64,
    /// growth: the parameter of the generator
    #[arg(long, value_name = "PARAMETER", default_value = "stages")]
    by: String,
    /// growth: what grows
    #[arg(long, value_name = "WHAT", default_value = "seconds")]
    measure: Grows,
}

#[derive(Copy, Clone, Debug, ValueEnum)]
enum Grows {
    Seconds,
    Nodes,
    Lps,
    Megabytes,
}

impl From<Grows> for plot::Measure {
    fn from(grows: Grows) -> Self {
        match grows {
            Grows::Seconds => Self::Seconds,
            Grows::Nodes => Self::Nodes,
            Grows::Lps => Self::Lps,
            Grows::Megabytes => Self::Megabytes,
        }
    }
}

/// Every run, line by line
#[derive(Args, Debug)]
pub struct RunsArgs {
    #[command(flatten)]
    results: ResultArgs,
    #[command(flatten)]
    shape: ShapeArgs,
}

#[derive(Args, Debug)]
struct ResultArgs {
    /// Results files
    #[arg(required = true, value_name = "RESULTS")]
    files: Vec<PathBuf>,
    /// Only this family
    #[arg(long, value_name = "NAME")]
    family: Option<String>,
}

/// How to answer.
#[derive(Args, Debug)]
pub struct ShapeArgs {
    /// Answer with comma-separated values
    #[arg(long)]
    pub csv: bool,
    /// Answer with JSON
    #[arg(long, conflicts_with = "csv")]
    pub json: bool,
}

#[derive(Copy, Clone, Debug, ValueEnum)]
enum PlotKind {
    /// Instances solved within a time
    Cactus,
    /// Two solvers, instance by instance
    Scatter,
    /// Share of instances within a factor of the best
    Profile,
    /// How much slower than the baseline
    Ablation,
    /// Strategy and bound over time on one instance
    Trace,
    /// Effort against a parameter of a generator
    Growth,
}

impl ResultArgs {
    fn read(&self) -> Result<Results, Failure> {
        let mut records = Vec::new();
        for path in &self.files {
            records.extend(Ledger::records(path).map_err(failure)?);
        }
        let results = Results::new(records);
        let results = match &self.family {
            Some(family) => results.family(family),
            None => results,
        };
        if results.instances.is_empty() {
            return Err(Failure::Usage(
                "there are no results of that kind".to_owned(),
            ));
        }
        Ok(results)
    }
}

/// A line of the table; `family` is empty for all of them together.
#[derive(Serialize)]
struct Row {
    family: String,
    #[serde(flatten)]
    summary: Summary,
}

/// Prints the table.
pub fn table(wanted: &TableArgs) -> Result<Exit, Failure> {
    let results = wanted.results.read()?;
    let mut rows = Vec::new();
    if wanted.by_family {
        for family in results.families() {
            rows.extend(rows_of(family, &results.family(family), wanted.shift));
        }
    }
    rows.extend(rows_of("", &results, wanted.shift));
    let text = match (wanted.shape.csv, wanted.shape.json) {
        (true, _) => table_of(&rows, true).csv(),
        (_, true) => super::json::to_line(&rows),
        _ => table_of(&rows, wanted.by_family).text(),
    };
    answer(&text)?;
    agreement(&results)
}

fn rows_of(family: &str, results: &Results, shift: f64) -> Vec<Row> {
    let summaries = summaries(results, shift).into_iter();
    let rows = summaries.map(|summary| Row {
        family: family.to_owned(),
        summary,
    });
    rows.collect()
}

/// Contradictions are an error, after everything was shown.
fn agreement(results: &Results) -> Result<Exit, Failure> {
    let faults = results.disagreements();
    if faults.is_empty() {
        return Ok(Exit::Proved);
    }
    faults.iter().for_each(|fault| complain(fault));
    Err(Failure::System(
        "the results contradict each other".to_owned(),
    ))
}

fn table_of(rows: &[Row], with_family: bool) -> Table {
    let head = [
        "family",
        "solver",
        "instances",
        "refused",
        "solved",
        "alone",
        "fastest",
        "seconds",
        "PAR2",
        "nodes",
        "LPs",
    ];
    let start = usize::from(!with_family);
    let mut table = Table::new(&head[start..], 2 - start);
    for Row { family, summary } in rows {
        let count = |count: Option<f64>| count.map_or("-".to_owned(), |it| format!("{it:.1}"));
        let family = if family.is_empty() { "all" } else { family };
        let cells = [
            family.to_owned(),
            summary.solver.clone(),
            summary.instances.to_string(),
            summary.refused.to_string(),
            summary.solved.to_string(),
            summary.alone.to_string(),
            summary.fastest.to_string(),
            format!("{:.4}", summary.mean_seconds),
            format!("{:.3}", summary.par2),
            count(summary.mean_nodes),
            count(summary.mean_lps),
        ];
        table.row(cells[start..].to_vec());
    }
    table
}

/// Prints every run.
pub fn runs(wanted: &RunsArgs) -> Result<Exit, Failure> {
    let results = wanted.results.read()?;
    let runs: Vec<&Record> = results.runs().collect();
    let text = if wanted.shape.json {
        super::json::to_line(&runs)
    } else {
        let table = run_table(&runs);
        if wanted.shape.csv {
            table.csv()
        } else {
            table.text()
        }
    };
    answer(&text)?;
    agreement(&results)
}

fn run_table(runs: &[&Record]) -> Table {
    let head = [
        "instance", "solver", "family", "repeat", "status", "value", "bound", "seconds", "nodes",
        "lps", "mb", "message",
    ];
    let mut table = Table::new(&head, 3);
    for run in runs {
        let text = |text: &Option<String>| text.clone().unwrap_or_default();
        let count = |count: Option<u64>| count.map_or(String::new(), |count| count.to_string());
        table.row(vec![
            run.instance.clone(),
            run.solver.clone(),
            run.family.clone(),
            run.repeat.to_string(),
            run.status.clone(),
            text(&run.value),
            text(&run.bound),
            format!("{:.4}", run.seconds),
            count(run.nodes),
            count(run.lps),
            count(run.peak_mb),
            text(&run.message),
        ]);
    }
    table
}

/// Draws a picture.
pub fn plot(wanted: &PlotArgs) -> Result<Exit, Failure> {
    let read = wanted.results.files.iter();
    let read: Vec<_> = read.map(|path| ("RESULTS", &**path)).collect();
    let out = wanted.out.as_deref().map(|path| ("--out", path));
    let mut outputs = files::open(&read, [out])?;
    let picture = files::before_work(&mut outputs, drawn(wanted))?;
    let [out] = outputs;
    match out {
        Some(out) => out.save(picture.as_bytes())?,
        None => answer(&picture)?,
    }
    Ok(Exit::Proved)
}

fn drawn(wanted: &PlotArgs) -> Result<String, Failure> {
    let results = wanted.results.read()?;
    for name in &wanted.solver {
        if !results.solvers.contains(name) {
            let known = results.solvers.join(", ");
            return Err(Failure::Usage(format!(
                "no solver `{name}`; there are {known}"
            )));
        }
    }
    draw(wanted, &results)
}

fn draw(wanted: &PlotArgs, results: &Results) -> Result<String, Failure> {
    let title = |usual: &str| wanted.title.clone().unwrap_or_else(|| usual.to_owned());
    Ok(match wanted.kind {
        PlotKind::Cactus => plot::cactus(results, &title("Instances solved within a time")),
        PlotKind::Profile => plot::profile(results, &title("Performance profile")),
        PlotKind::Ablation => {
            let baseline = wanted.solver.first().unwrap_or(&results.solvers[0]);
            let title = title("Mean time beside the baseline");
            plot::ablation(results, baseline, wanted.shift, &title)
        }
        PlotKind::Growth => {
            let title = title("Growth");
            let mut shown = results.clone();
            if !wanted.solver.is_empty() {
                shown.solvers.clone_from(&wanted.solver);
            }
            let drawn = plot::growth(&shown, &wanted.by, wanted.measure.into(), &title);
            drawn.ok_or_else(|| {
                Failure::Usage(format!(
                    "no instance has a parameter `{}`; name one with --by",
                    wanted.by
                ))
            })?
        }
        PlotKind::Scatter => {
            let chosen = if wanted.solver.is_empty() {
                &results.solvers
            } else {
                &wanted.solver
            };
            let [x, y, ..] = chosen.as_slice() else {
                return Err(Failure::Usage(
                    "a scatter plot needs two solvers".to_owned(),
                ));
            };
            plot::scatter(results, x, y, &title("Instance by instance"))
        }
        PlotKind::Trace => {
            let is_meant = |name: &String| wanted.instance.as_ref().is_none_or(|it| it == name);
            let known = results.instances.iter();
            let mut known = known.filter(|(_, name)| is_meant(name)).peekable();
            if known.peek().is_none() {
                return Err(Failure::Usage("no instance is called like that".to_owned()));
            }
            let drawn = known
                .find_map(|(fingerprint, name)| plot::trace(results, fingerprint, &title(name)));
            drawn.ok_or_else(|| {
                Failure::Usage(
                    "no run has bounds over time; write `trace = true` into the suite, or name \
                     another instance with --instance"
                        .to_owned(),
                )
            })?
        }
    })
}
