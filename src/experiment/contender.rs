//! A solver in a suite: this program with options, or a foreign command.

use std::ffi::OsString;
use std::fs::OpenOptions;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use itertools::Itertools;

use super::instance::{Instance, Source};
use super::process::Call;
use super::suite::{External, OwnSolver, Suite};
use crate::format::{Format, write_lp, write_mps, write_qcir, write_qdimacs, write_qip, write_qlp};

/// See the module.
#[derive(Clone, Debug, PartialEq)]
pub struct Contender {
    /// What tables call it.
    pub name: String,
    /// Everything that may change its results, in one line.
    pub identity: String,
    /// What one run may take.
    pub time: Duration,
    /// Whether bounds are recorded over time.
    pub trace: bool,
    pub(super) kind: Kind,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Kind {
    /// Arguments of `quip solve`.
    Own(Vec<String>),
    External(External),
}

/// A file that lives as long as this value.
pub(super) struct Scratch(PathBuf);

impl Drop for Scratch {
    fn drop(&mut self) {
        // A temporary file that stays behind is no reason to lose a result.
        let _ = std::fs::remove_file(&self.0);
    }
}

impl Contender {
    pub(super) fn own(solver: &OwnSolver, suite: &Suite) -> Self {
        let limits = &suite.limits;
        let mut arguments = vec!["--method".to_owned(), solver.method.clone()];
        for (key, value) in &solver.set {
            arguments.extend(["--set".to_owned(), format!("{key}={value}")]);
        }
        arguments.extend(["--time".to_owned(), limits.seconds.to_string()]);
        if let Some(nodes) = limits.nodes {
            arguments.extend(["--nodes".to_owned(), nodes.to_string()]);
        }
        if let Some(megabytes) = limits.megabytes {
            arguments.extend(["--memory".to_owned(), format!("{megabytes}M")]);
        }
        let stream = if suite.trace {
            "--json-stream"
        } else {
            "--json"
        };
        arguments.push(stream.to_owned());
        Self {
            name: solver.name.clone(),
            identity: format!("quip {}", arguments.join(" ")),
            time: Duration::from_secs_f64(limits.seconds),
            trace: suite.trace,
            kind: Kind::Own(arguments),
        }
    }

    pub(super) fn external(solver: &External, suite: &Suite) -> Self {
        let seconds = suite.limits.seconds;
        let patterns = [
            Some(&solver.value),
            solver.seconds.as_ref(),
            solver.infeasible.as_ref(),
        ];
        let identity = format!(
            "external {:?} {} {:?} {seconds} s",
            solver.command,
            solver.format,
            patterns.iter().flatten().collect_vec()
        );
        Self {
            name: solver.name.clone(),
            identity,
            time: Duration::from_secs_f64(seconds),
            trace: false,
            kind: Kind::External(solver.clone()),
        }
    }

    /// The command line that solves an instance, and a file that has to live as long as the run;
    /// `quip` is this program.
    pub(super) fn call(
        &self,
        instance: &Instance,
        quip: &Path,
    ) -> io::Result<(Call, Option<Scratch>)> {
        match &self.kind {
            Kind::Own(arguments) => Ok((own_call(arguments, instance, quip), None)),
            Kind::External(solver) => external_call(solver, instance, self.time),
        }
    }
}

fn own_call(arguments: &[String], instance: &Instance, quip: &Path) -> Call {
    let (model, input) = match &instance.source {
        Source::File(path) => (path.clone().into_os_string(), None),
        Source::Text(text) => ("-".into(), Some(text.clone())),
    };
    let mut line: Vec<OsString> = vec!["solve".into(), "--quiet".into()];
    line.extend(arguments.iter().map(OsString::from));
    // A model whose name begins with a dash is still a model.
    line.extend(["--".into(), model]);
    Call {
        program: quip.into(),
        arguments: line,
        input,
    }
}

fn external_call(
    solver: &External,
    instance: &Instance,
    time: Duration,
) -> io::Result<(Call, Option<Scratch>)> {
    let text = text_for(solver, instance).map_err(io::Error::other)?;
    let needs_file = solver.command.iter().any(|word| word.contains("{file}"));
    let scratch = needs_file
        .then(|| scratch_file(&text, &solver.format))
        .transpose()?;
    let file = scratch.as_ref().map(|scratch| scratch.0.to_string_lossy());
    let seconds = time.as_secs_f64().to_string();
    let mut words = solver.command.iter().map(|word| {
        let word = word.replace("{seconds}", &seconds);
        OsString::from(word.replace("{file}", file.as_deref().unwrap_or_default()))
    });
    let program = words.next().unwrap_or_default();
    let arguments = words.collect();
    let call = Call {
        program,
        arguments,
        input: (!needs_file).then_some(text),
    };
    Ok((call, scratch))
}

fn text_for(solver: &External, instance: &Instance) -> Result<String, String> {
    let program = instance.program().map_err(|fault| fault.to_string())?;
    let text = match solver.file_format() {
        None | Some(Format::Qip) => return Ok(write_qip(&program)),
        Some(Format::Qlp) => write_qlp(&program),
        Some(Format::Qdimacs) => write_qdimacs(&program),
        Some(Format::Qcir) => write_qcir(&program),
        Some(Format::Mps) => write_mps(&program),
        Some(Format::Lp) => write_lp(&program),
        Some(format @ (Format::Prefix | Format::Aux)) => {
            return Err(format!(".{format} files are not written"));
        }
    };
    text.map_err(|fault| fault.to_string())
}

fn scratch_file(text: &str, extension: &str) -> io::Result<Scratch> {
    static NUMBER: AtomicU64 = AtomicU64::new(0);
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let name = format!("quip-{}-{number}.{extension}", std::process::id());
    let path = std::env::temp_dir().join(name);
    let mut file = OpenOptions::new()
        .write(true)
        .create_new(true)
        .open(&path)?;
    let scratch = Scratch(path);
    file.write_all(text.as_bytes())?;
    Ok(scratch)
}
