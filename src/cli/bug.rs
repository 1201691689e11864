//! `quip bug`: all that somebody else needs to see the same failure, in one file.

mod archive;
mod ending;
mod scramble;

use std::collections::hash_map::RandomState;
use std::ffi::OsString;
use std::hash::BuildHasher;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use clap::{Args, CommandFactory};
use quip::experiment::{Call, Environment, Finished, run_limited};
use quip::format::write_qip;
use quip::program::Program;

use super::args::{Arguments, Style};
use super::exit::{Exit, Failure};
use super::files;
use super::output::{answer, complain};
use super::reading::{self, DataArgs, ReadArgs, is_stream};
use super::{about, quantity, signals};
use archive::Archive;
use ending::Ending;
use scramble::Depth;

/// How long a run may go on after its own limit before it counts as one that hangs.
const GRACE: Duration = Duration::from_secs(10);

/// Pack what a report of a bug needs: version, options, machine, log and model
///
/// Runs the command once more and packs what it read, said and how it ended. With --scramble,
/// names and numbers are replaced as long as the run still ends in the same way: all numbers, or
/// else only scales of rows and objective, or else only names; what was kept is said. Nothing is
/// sent anywhere: look at the file before you do.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  quip bug lot.qip -o bug.tar.gz
  quip bug lot.qip -o bug.tar.gz --scramble -- -m search --certificate lot.cert
  quip bug lot.qip -o bug.tar.gz -- explain --rows")]
pub struct BugArgs {
    /// Model file
    model: PathBuf,
    #[command(flatten)]
    data: DataArgs,
    /// File to write, a .tar.gz
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// Replace names and numbers, as far as the failure stays
    #[arg(long)]
    scramble: bool,
    /// Scramble in the same way again; do not publish it with the report
    #[arg(long, value_name = "N", requires = "scramble")]
    seed: Option<u64>,
    /// Time limit of each run, such as 60, 5m or 1h
    #[arg(short, long, value_name = "TIME", value_parser = quantity::duration, default_value = "60")]
    time: Duration,
    /// Options of the run that goes wrong, or another command and its options
    #[arg(last = true, value_name = "OPTIONS")]
    options: Vec<String>,
}

/// One run and what it read.
struct Run {
    /// Behind `quip`, without the model.
    typed: Vec<String>,
    finished: Finished,
    ending: Ending,
}

/// Runs, scrambles, packs.
pub fn run(wanted: &BugArgs, style: Style) -> Result<Exit, Failure> {
    let name = wanted.output.to_string_lossy();
    if !name.ends_with(".tar.gz") && !name.ends_with(".tgz") {
        return Err(Failure::Usage(format!(
            "name the file .tar.gz, not `{name}`"
        )));
    }
    if is_stream(&wanted.model) {
        return Err(Failure::Usage(
            "the model is read more than once; name a file".into(),
        ));
    }
    let read = [("MODEL", wanted.model.as_path())];
    let mut outputs = files::open(&read, [Some(("--output", &*wanted.output))])?;
    let bytes = reading::bytes_of(&wanted.model).map_err(|reason| Failure::Read {
        name: reading::spoken(&wanted.model),
        reason,
    });
    let bytes = files::before_work(&mut outputs, bytes)?;
    let [Some(output)] = outputs else {
        unreachable!("invariant: a file was named")
    };
    let stop = signals::stop_flag()?;
    let as_typed = ReadArgs {
        data: wanted.data.clone(),
        ..ReadArgs::default()
    };
    let model = reading::parse(&wanted.model, &bytes, &as_typed, false).ok();
    let first = wanted.tried(Some(&wanted.model), None, &stop)?;
    if first.finished.exit == Some(Exit::Usage.code().into()) {
        return Err(Failure::Usage(format!(
            "the run was typed wrongly, so nothing was packed:\n{}",
            first.finished.stderr.trim_end()
        )));
    }
    complain(&format!("the run ended with {}", first.ending));
    let mut packed = Archive::default();
    let kept = if wanted.scramble {
        let Some(model) = &model else {
            return Err(Failure::Usage(
                "the model cannot be read, so its names and numbers cannot be told from the rest; \
                 nothing was packed. Change them by hand, and pack the file without --scramble"
                    .into(),
            ));
        };
        let (run, text, kept) = wanted.scrambled(&model.program, &first, &stop)?;
        packed.add("model.qip", text.as_bytes());
        packed.add("report.txt", run.report(&kept).as_bytes());
        packed.streams(&run.finished);
        kept
    } else {
        let kept = "the model is as it is".to_owned();
        packed.add(&file_name(&wanted.model), &bytes);
        for path in &wanted.data.files {
            let data = reading::bytes_of(path).map_err(|reason| Failure::Read {
                name: reading::spoken(path),
                reason,
            })?;
            packed.add(&file_name(path), &data);
        }
        // What stands beside the model, such as tables and prefix files, is spelled out in it.
        if let Some(model) = &model {
            packed.add("flat.qip", write_qip(&model.program).as_bytes());
        }
        packed.add("report.txt", first.report(&kept).as_bytes());
        packed.streams(&first.finished);
        kept
    };
    let names = packed.names().join(", ");
    output.save(&packed.compressed()?)?;
    let said = style.answer;
    let bold = |text: &str| {
        if said {
            format!("\x1b[1m{text}\x1b[0m")
        } else {
            text.to_owned()
        }
    };
    answer(&format!(
        "{}: {names}\n  ending   {}\n  model    {kept}\n{}",
        bold(&name),
        first.ending,
        "  Look at it before you send it, and say what you expected instead.\n",
    ))?;
    Ok(Exit::Proved)
}

fn file_name(path: &Path) -> String {
    let name = path.file_name().unwrap_or(path.as_os_str());
    name.to_string_lossy().into_owned()
}

impl BugArgs {
    /// The command and its options: `solve` unless another one was named.
    fn typed(&self) -> Vec<String> {
        let is_command = |word: &String| {
            let commands = Arguments::command();
            commands.get_subcommands().any(|it| it.get_name() == word)
        };
        let mut typed = self.options.clone();
        if !typed.first().is_some_and(is_command) {
            typed.insert(0, "solve".into());
        }
        let is_limited = |word: &String| word.starts_with("-t") || word.starts_with("--time");
        if typed[0] == "solve" && !typed.iter().any(is_limited) {
            typed.push(format!("--time={}", self.time.as_secs_f64()));
        }
        typed
    }

    /// Runs the command on a file, or on a text.
    fn tried(
        &self,
        model: Option<&Path>,
        text: Option<&str>,
        stop: &Arc<AtomicBool>,
    ) -> Result<Run, Failure> {
        let typed = self.typed();
        let mut arguments: Vec<OsString> = vec![typed[0].clone().into()];
        arguments.push(model.map_or_else(|| "-".into(), |path| path.as_os_str().to_owned()));
        if model.is_some() {
            let data = self
                .data
                .files
                .iter()
                .map(|path| path.as_os_str().to_owned());
            arguments.extend(data.flat_map(|path| ["--data".into(), path]));
        }
        arguments.extend(typed[1..].iter().map(OsString::from));
        let program = std::env::current_exe();
        let program = program.map_err(|reason| cannot_run(&reason))?.into();
        let call = Call {
            program,
            arguments,
            input: text.map(str::to_owned),
        };
        complain(&format!("running `quip {}`", shown(&typed)));
        let finished = run_limited(&call, self.time + GRACE, stop);
        let finished = finished.map_err(|reason| cannot_run(&reason))?;
        let finished =
            finished.ok_or_else(|| Failure::Stopped("stopped: nothing was packed".into()))?;
        let ending = Ending::of(&finished);
        Ok(Run {
            typed,
            finished,
            ending,
        })
    }

    /// The deepest scrambling under which the run ends in the same way.
    fn scrambled(
        &self,
        program: &Program,
        first: &Run,
        stop: &Arc<AtomicBool>,
    ) -> Result<(Run, String, String), Failure> {
        // Unless it is given, nobody can compute the numbers back.
        let seed = self
            .seed
            .unwrap_or_else(|| RandomState::new().hash_one(0_u8));
        for depth in Depth::ALL {
            let Some(other) = scramble::scrambled(program, depth, seed) else {
                continue;
            };
            let text = write_qip(&other);
            let run = self.tried(None, Some(&text), stop)?;
            if run.ending == first.ending {
                return Ok((run, text, depth.to_string()));
            }
            complain(&format!("  with {depth}, it ends with {}", run.ending));
        }
        Err(Failure::NotMade {
            what: "report",
            name: format!("`{}`", self.output.display()),
            reason:
                "the failure goes away as soon as names change; pack the model without --scramble"
                    .into(),
            note: String::new(),
        })
    }
}

fn cannot_run(reason: &std::io::Error) -> Failure {
    Failure::System(format!("cannot run quip: {reason}"))
}

fn shown(typed: &[String]) -> String {
    let words = [&typed[..1], &["MODEL".to_owned()], &typed[1..]].concat();
    let words = words.iter().map(String::as_str);
    shlex::try_join(words).unwrap_or_default()
}

impl Run {
    /// The first page of the report.
    fn report(&self, model: &str) -> String {
        let machine = Environment::here(Path::new(""), 1);
        let told = |value: Option<String>| value.unwrap_or_else(|| "not told".into());
        format!(
            "{}\ncommand    quip {}\nending     {}\nmodel      {model}\nseconds    {:.2}\n\n\
             system     {}\nprocessor  {}\nthreads    {}\nmemory     {} MB\n",
            about::details(),
            shown(&self.typed),
            self.ending,
            self.finished.wall.as_secs_f64(),
            machine.system,
            told(machine.processor),
            told(machine.threads.map(|it| it.to_string())),
            told(machine.memory_mb.map(|it| it.to_string())),
        )
    }
}
