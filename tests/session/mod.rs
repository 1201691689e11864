//! Running the command and writing down what happened.

use std::fmt::Write as _;
use std::io::{BufRead, BufReader, Read};
use std::process::{Child, ChildStderr, Command, Output, Stdio};

/// What one run said and how it ended.
pub struct Session {
    pub typed: String,
    pub stdout: String,
    pub stderr: String,
    pub code: i32,
}

impl Session {
    pub fn of(typed: &[&str], ran: &Output) -> Self {
        Self {
            typed: typed.join(" "),
            stdout: String::from_utf8(ran.stdout.clone()).unwrap(),
            stderr: String::from_utf8(ran.stderr.clone()).unwrap(),
            code: ran.status.code().expect("the command is not killed"),
        }
    }

    /// The whole session, without what differs from run to run or from engine to engine.
    pub fn transcript(&self) -> String {
        let mut text = format!("$ quip {}\n", self.typed);
        let _ = write!(text, "{}exit {}", self.transcript_of_streams(), self.code);
        text
    }

    /// What was said on both streams, masked like the transcript.
    pub fn transcript_of_streams(&self) -> String {
        let mut text = String::new();
        for line in self.stderr.lines().filter(|line| !is_progress(line)) {
            let _ = writeln!(text, "2> {line}");
        }
        for line in self.stdout.lines() {
            let _ = writeln!(text, "1> {}", masked(line));
        }
        text
    }
}

/// Whether the line belongs to the table of the log.
fn is_progress(line: &str) -> bool {
    line.matches(" |").count() == 2
}

/// The line without times, sizes and counts that depend on the engine.
fn masked(line: &str) -> String {
    if line.starts_with("  effort ") || line.starts_with("  proof ") {
        let is_word = |word: &&str| word.chars().all(char::is_alphabetic);
        let kept = line.split(&[' ', ','][..]).filter(is_word);
        return format!(
            "  {}",
            kept.filter(|word| !word.is_empty())
                .collect::<Vec<_>>()
                .join(" ")
        );
    }
    line.to_owned()
}

/// The command, in a quiet environment.
pub fn quip() -> assert_cmd::Command {
    let mut command = assert_cmd::Command::new(env!("CARGO_BIN_EXE_quip"));
    command.env_remove("NO_COLOR").env("COLUMNS", "100");
    command
}

/// Runs the command to its end.
pub fn run(typed: &[&str]) -> Session {
    let ran = quip().args(typed).output().unwrap();
    Session::of(typed, &ran)
}

/// Six equations of the market-split kind over sixty binaries: neither bounds nor branching end here.
pub fn endless_model() -> String {
    let names: Vec<String> = (0..60).map(|place| format!("x{place}")).collect();
    let mut text = format!("minimize {}\nsubject to\n", names.join(" + "));
    let mut state = 1_u64;
    for _ in 0..6 {
        let mut sum = 0;
        for name in &names {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            let weight = state >> 57;
            sum += weight;
            let _ = write!(text, " + {weight} {name}");
        }
        let _ = writeln!(text, " = {}", sum / 2);
    }
    let _ = writeln!(
        text,
        "prefix\n  forall binary y\n  exists binary {}\nend",
        names.join(" ")
    );
    text
}

/// A solve that is under way.
pub struct Running {
    child: Child,
    log: BufReader<ChildStderr>,
    _folder: tempfile::TempDir,
}

/// Starts an endless solve and waits until its log says that it is under way.
pub fn wait_for_log() -> Running {
    let folder = tempfile::tempdir().unwrap();
    let model = folder.path().join("endless.qip");
    std::fs::write(&model, endless_model()).unwrap();
    let mut child = Command::new(env!("CARGO_BIN_EXE_quip"))
        .arg("solve")
        .arg(model)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut log = BufReader::new(child.stderr.take().unwrap());
    let mut line = String::new();
    while !line.contains("method") {
        line.clear();
        assert!(log.read_line(&mut line).unwrap() > 0, "the log ended early");
    }
    Running {
        child,
        log,
        _folder: folder,
    }
}

impl Running {
    pub fn send(&mut self, signal: &str) {
        let sent = Command::new("kill")
            .arg(format!("-{signal}"))
            .arg(self.child.id().to_string())
            .status();
        assert!(sent.unwrap().success());
    }

    /// Waits for the end: the exit code and the answer.
    pub fn finish(mut self) -> (Option<i32>, String) {
        let mut stdout = String::new();
        self.child
            .stdout
            .take()
            .unwrap()
            .read_to_string(&mut stdout)
            .unwrap();
        let mut rest = String::new();
        self.log.read_to_string(&mut rest).unwrap();
        (self.child.wait().unwrap().code(), stdout)
    }
}
