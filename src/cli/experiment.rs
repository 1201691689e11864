//! `quip experiment`: making the runs of a suite.

use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::{Args, Subcommand};
use quip::experiment::{
    Conduct, Environment, Ledger, LedgerError, Plan, PlanError, Progress, Source, Suite, conduct,
};

use super::exit::{Exit, Failure};
use super::files;
use super::output::complain;
use super::reading::text_of;
use super::results::{self, PlotArgs, RunsArgs, TableArgs};
use super::signals;

/// Run a suite of models and solvers, and look at the results
///
/// Every run is a process of its own, with the limits of the suite. Results are appended to a file,
/// one JSON line for each finished run; the same command goes on where it was stopped.
#[derive(Args, Debug)]
#[command(
    args_conflicts_with_subcommands = true,
    arg_required_else_help = true,
    after_help = "\
Examples:
  quip experiment benches/suites/ablation.toml -o ablation.jsonl
  quip experiment table ablation.jsonl
  quip experiment plot cactus ablation.jsonl -o cactus.svg"
)]
pub struct ExperimentArgs {
    #[command(subcommand)]
    view: Option<View>,
    /// Suite file
    #[arg(value_name = "SUITE.toml", required = true)]
    suite: Option<PathBuf>,
    /// Results file; goes on where it ends [default: the suite's name with .jsonl, in this folder]
    #[arg(short, long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// How many runs at once
    #[arg(short, long, value_name = "N", default_value_t = 1)]
    jobs: usize,
    /// Go on with results that another build of quip began
    #[arg(long)]
    mix: bool,
    /// Only say what would be run
    #[arg(long)]
    dry_run: bool,
}

#[derive(Debug, Subcommand)]
enum View {
    Table(TableArgs),
    Plot(PlotArgs),
    Runs(RunsArgs),
}

/// Runs or shows.
pub fn run(wanted: &ExperimentArgs) -> Result<Exit, Failure> {
    match (&wanted.view, &wanted.suite) {
        (Some(View::Table(wanted)), _) => results::table(wanted),
        (Some(View::Plot(wanted)), _) => results::plot(wanted),
        (Some(View::Runs(wanted)), _) => results::runs(wanted),
        (None, Some(suite)) => start(wanted, suite),
        (None, None) => Err(Failure::Usage("name a suite file".to_owned())),
    }
}

fn start(wanted: &ExperimentArgs, path: &Path) -> Result<Exit, Failure> {
    let wrong = |fault: PlanError| Failure::Model(format!("error: {}: {fault}", path.display()));
    let suite = Suite::parse(&text_of(path)?).map_err(|fault| wrong(fault.into()))?;
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    let folder = path.parent().unwrap_or(Path::new(""));
    let plan = Plan::new(&name, &suite, folder).map_err(wrong)?;
    for instance in &plan.repeated_instances {
        complain(&format!(
            "warning: {instance} is the same program as another instance"
        ));
    }
    if wanted.dry_run {
        return announce(&plan);
    }
    let out = wanted.out.clone();
    let out = out.unwrap_or_else(|| PathBuf::from(format!("{name}.jsonl")));
    let mut read = vec![("SUITE.toml", path)];
    let models = plan
        .runs
        .iter()
        .filter_map(|run| match &run.instance.source {
            Source::File(path) => Some(("a model of the suite", &**path)),
            Source::Text(_) => None,
        });
    read.extend(models);
    files::distinct(&read, &[("--out", &out)])?;
    files::can_grow(&out)?;
    let mut ledger = Ledger::open(&out).map_err(failure)?;
    let quip = std::env::current_exe()
        .map_err(|reason| Failure::System(format!("cannot find this program: {reason}")))?;
    enter(
        &mut ledger,
        &Environment::here(&quip, wanted.jobs),
        wanted.mix,
    )?;
    let how = Conduct {
        quip,
        jobs: wanted.jobs,
        stop: signals::stop_flag()?,
    };
    let ended = conduct(&plan, &mut ledger, &how, show).map_err(failure)?;
    let total = plan.runs.len();
    let (kept, missing) = (total - ended.made - ended.missing, ended.missing);
    let shown = out.display();
    if missing > 0 {
        complain(&format!(
            "stopped: {missing} of {total} runs are missing in {shown}; the same command goes on"
        ));
        return Ok(Exit::StoppedWithStrategy);
    }
    let made = ended.made;
    complain(&format!(
        "done: {total} runs in {shown}, {made} made now, {kept} there before"
    ));
    Ok(Exit::Proved)
}

/// Says what would be run.
fn announce(plan: &Plan) -> Result<Exit, Failure> {
    let lines = plan.runs.iter().map(|run| {
        let (instance, solver) = (&run.instance.name, &run.contender.name);
        format!("{instance}\t{solver}\t{}\n", run.repeat)
    });
    super::output::answer(&lines.collect::<String>())?;
    Ok(Exit::Proved)
}

/// Times of two builds in one table would compare builds, not options.
fn enter(ledger: &mut Ledger, here: &Environment, mix: bool) -> Result<(), Failure> {
    if let Some(there) = ledger.environment()
        && !there.same_program(here)
        && !mix
    {
        return Err(Failure::Usage(format!(
            "these results were begun by another build of quip {}; name another file with --out, \
             or mix them with --mix",
            there.version
        )));
    }
    ledger.enter(here).map_err(failure)
}

/// One line: how far, how long still, what has just finished.
fn show(progress: &Progress<'_>) {
    let last = progress.last;
    let line = format!(
        "{:>5}/{} {:>7} left {:>7}  {} · {}: {} in {:.2} s",
        progress.done,
        progress.total,
        spoken(progress.elapsed),
        spoken(progress.left),
        last.instance,
        last.solver,
        last.status,
        last.seconds
    );
    if !io::stderr().is_terminal() {
        return complain(&line);
    }
    let end = if progress.done == progress.total {
        "\n"
    } else {
        ""
    };
    let mut log = io::stderr().lock();
    // Nobody can be told if that fails.
    let _ = write!(log, "\r\u{1b}[K{line}{end}").and_then(|()| log.flush());
}

fn spoken(time: Duration) -> String {
    let seconds = time.as_secs();
    match seconds {
        0..=99 => format!("{seconds}s"),
        100..=5999 => format!("{}m{:02}s", seconds / 60, seconds % 60),
        _ => format!("{}h{:02}m", seconds / 3600, seconds / 60 % 60),
    }
}

/// What a results file can do wrong, as exit codes know it.
pub fn failure(error: LedgerError) -> Failure {
    match error {
        LedgerError::Read { path, reason } => Failure::Read {
            name: format!("`{}`", path.display()),
            reason,
        },
        LedgerError::Write { path, reason } => Failure::Write {
            name: format!("`{}`", path.display()),
            reason,
        },
        LedgerError::Foreign { .. } => Failure::Model(format!("error: {error}")),
    }
}
