//! A child process with a time limit that holds for everything it starts.

use std::ffi::OsString;
use std::io::{self, Read, Write};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::Duration;

use crate::budget::{Budget, Limits};
use crate::outcome::Stop;

/// How often a child is looked at: short beside any time worth measuring, which the child itself
/// reports.
const PACE: Duration = Duration::from_millis(4);

/// How long the last output may take after the end of a process.
const LAST_WORDS: Duration = Duration::from_secs(2);

/// A program with what is typed behind it.
#[derive(Clone, Debug, Default)]
pub struct Call {
    /// Its name or path.
    pub program: OsString,
    /// One argument each.
    pub arguments: Vec<OsString>,
    /// What goes to standard input.
    pub input: Option<String>,
}

/// How a child ended.
#[derive(Clone, Debug)]
pub struct Finished {
    /// What it wrote.
    pub stdout: String,
    /// What it wrote beside it.
    pub stderr: String,
    /// `None` after a signal.
    pub exit: Option<i32>,
    /// How long it took.
    pub wall: Duration,
    /// Whether it was ended because its time was up.
    pub timed_out: bool,
}

/// Runs a call to its end, with a time limit that holds for everything it starts; `None` if it was
/// stopped on request.
pub fn run_limited(
    call: &Call,
    time: Duration,
    stop: &Arc<AtomicBool>,
) -> io::Result<Option<Finished>> {
    let mut child = Command::new(&call.program)
        .args(&call.arguments)
        .stdin(if call.input.is_some() {
            Stdio::piped()
        } else {
            Stdio::null()
        })
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        // A group of its own: a limit ends its children too, and Ctrl-C is ours to pass on.
        .process_group(0)
        .spawn()?;
    feed(&mut child, call.input.clone());
    let stdout = drained(child.stdout.take());
    let stderr = drained(child.stderr.take());
    let limits = Limits {
        time: Some(time),
        ..Limits::default()
    };
    let mut budget = Budget::new(limits, Arc::clone(stop), None);
    let (status, stopped) = watch(&mut child, &mut budget)?;
    let wall = budget.elapsed();
    if stopped == Some(Stop::Signal) {
        return Ok(None);
    }
    Ok(Some(Finished {
        stdout: last_words(&stdout),
        stderr: last_words(&stderr),
        exit: status.code(),
        wall,
        timed_out: stopped.is_some(),
    }))
}

fn watch(child: &mut Child, budget: &mut Budget) -> io::Result<(ExitStatus, Option<Stop>)> {
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok((status, None));
        }
        if let Err(stop) = budget.look() {
            end(child);
            return Ok((child.wait()?, Some(stop)));
        }
        thread::sleep(PACE);
    }
}

/// Ends the child and whatever it started.
fn end(child: &mut Child) {
    let group = format!("-{}", child.id());
    // The process may be gone already; there is nothing to do about either.
    let _ = Command::new("kill")
        .args(["-KILL", "--", &group])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    let _ = child.kill();
}

/// Writes the input in a thread of its own: a child that does not read it must not block us.
fn feed(child: &mut Child, input: Option<String>) {
    if let (Some(mut pipe), Some(text)) = (child.stdin.take(), input) {
        thread::spawn(move || {
            // A child that closes its input has its reasons.
            let _ = pipe.write_all(text.as_bytes());
        });
    }
}

/// Reads a pipe to its end in a thread of its own.
fn drained(pipe: Option<impl Read + Send + 'static>) -> Receiver<Vec<u8>> {
    let (sender, receiver) = mpsc::channel();
    if let Some(mut pipe) = pipe {
        thread::spawn(move || {
            let mut bytes = Vec::new();
            // What was read before an error is kept.
            let _ = pipe.read_to_end(&mut bytes);
            let _ = sender.send(bytes);
        });
    }
    receiver
}

fn last_words(receiver: &Receiver<Vec<u8>>) -> String {
    let bytes = receiver.recv_timeout(LAST_WORDS).unwrap_or_default();
    String::from_utf8_lossy(&bytes).into_owned()
}
