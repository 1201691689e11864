//! Files that a command was asked to write: made whole or not at all, and never in the place of
//! another file of the same command.

#![allow(clippy::unwrap_used, reason = "a test may panic")]
#![cfg(unix)]

#[allow(dead_code, reason = "other tests use the rest")]
mod session;

use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use session::{Session, quip};

const LOT: &str = "models/or/lot-sizing.qip";

/// A suite of one model.
const SUITE: &str = "limits = { seconds = 1 }\n[[instances]]\nfiles = [\"m.qip\"]\n\
     [[solvers]]\nname = \"a\"\n";

struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn with(name: &str, text: &str) -> Self {
        let folder = Self::new();
        fs::write(folder.path(name), text).unwrap();
        folder
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    /// Everything that is there, hidden files included.
    fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(self.0.path()).unwrap();
        let names = entries.map(|entry| entry.unwrap().file_name());
        let mut names: Vec<String> = names
            .map(|name| name.to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    }

    fn pipe(&self, name: &str) -> PathBuf {
        let path = self.path(name);
        let made = Command::new("mkfifo").arg(&path).status();
        assert!(made.unwrap().success());
        path
    }

    /// Runs the command in this folder.
    fn run(&self, typed: &[&str]) -> Session {
        let ran = quip().current_dir(self.0.path()).args(typed).output();
        Session::of(typed, &ran.unwrap())
    }

    fn start(&self, typed: &[&str]) -> Child {
        Command::new(env!("CARGO_BIN_EXE_quip"))
            .current_dir(self.0.path())
            .args(typed)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap()
    }
}

fn lot() -> Folder {
    Folder::with("m.qip", &fs::read_to_string(LOT).unwrap())
}

/// The exit code, unless the process is still there after a while.
fn ended(child: &mut Child) -> Option<i32> {
    let start = Instant::now();
    while start.elapsed() < Duration::from_secs(10) {
        match child.try_wait().unwrap() {
            Some(status) => return status.code(),
            None => thread::sleep(Duration::from_millis(10)),
        }
    }
    child.kill().unwrap();
    panic!("the command hangs");
}

#[test]
fn what_could_not_be_made_is_said_and_has_an_exit_code() {
    let folder = lot();
    for name in ["c", "s.txt"] {
        fs::write(folder.path(name), "an older file").unwrap();
    }
    // Enough positions for the answer, not for its proof.
    let few = ["solve", "m.qip", "-q", "-m", "equivalent", "--nodes", "3"];
    let files = ["--certificate", "c", "--strategy", "s.txt", "-o", "r.json"];
    let session = folder.run(&[&few[..], &files[..]].concat());
    assert_eq!(session.code, 73, "{}", session.stderr);
    assert!(session.stdout.starts_with("Optimal: 16"));
    for said in [
        "no certificate was written to `c`",
        "the older file of that name was removed",
    ] {
        assert!(session.stderr.contains(said), "{}", session.stderr);
    }
    assert_eq!(folder.names(), ["m.qip", "r.json"]);
    let result: serde_json::Value = serde_json::from_str(&folder.read("r.json")).unwrap();
    assert_eq!(result["certificate"]["file"], serde_json::Value::Null);
}

#[test]
fn after_a_refusal_there_is_no_file() {
    let model = "minimize x\nprefix\n exists real x in [0, 1]\n forall integer u in [0, 1]\n \
         exists integer y in [0, 1]\nend\n";
    let folder = Folder::with("m.qip", model);
    fs::write(folder.path("c"), "an older certificate").unwrap();
    let typed = [
        "solve",
        "-q",
        "-m",
        "reference",
        "m.qip",
        "--certificate",
        "c",
        "-o",
        "r.json",
    ];
    let session = folder.run(&typed);
    assert_eq!(session.code, 65, "{}", session.stdout);
    assert!(
        session.stderr.contains("`c` was not written"),
        "{}",
        session.stderr
    );
    assert_eq!(folder.names(), ["m.qip"]);
    let session = folder.run(&["solve", "-q", "nowhere.qip", "-o", "m.qip"]);
    assert_eq!(session.code, 66);
    assert_eq!(
        folder.names(),
        ["m.qip"],
        "nothing was begun, so nothing is lost"
    );
}

#[test]
fn a_full_disk_costs_the_file_but_not_the_answer() {
    if !Path::new("/dev/full").exists() {
        eprintln!("skipped: there is no /dev/full");
        return;
    }
    let folder = lot();
    for option in ["-o", "--certificate"] {
        let session = folder.run(&["solve", "-q", "m.qip", option, "/dev/full"]);
        assert_eq!(session.code, 74, "{}", session.stderr);
        assert!(
            session.stdout.starts_with("Optimal: 16"),
            "{}",
            session.stdout
        );
    }
}

#[test]
fn an_answer_to_a_full_disk_is_no_success() {
    let Ok(full) = File::options().write(true).open("/dev/full") else {
        eprintln!("skipped: there is no /dev/full");
        return;
    };
    for typed in [
        &["--help"][..],
        &["-V"],
        &["solve", "--help"],
        &["info", LOT],
        &["options"],
        &["man"],
        &["completions", "bash"],
        &["generate", "nim", "--heaps", "1,2"],
        &["convert", LOT, "--to", "qlp", "-"],
        &["explain", LOT],
        &["verify", "models/rules/crossdot.rules"],
        &["play", "nim", "--heaps", "1,2"],
        &["solve", "-q", "--json-stream", LOT],
    ] {
        let status = Command::new(env!("CARGO_BIN_EXE_quip"))
            .args(typed)
            .stdin(Stdio::null())
            .stdout(full.try_clone().unwrap())
            .stderr(Stdio::null())
            .status();
        assert_eq!(status.unwrap().code(), Some(74), "{typed:?}");
    }
}

#[test]
fn no_command_writes_over_what_it_reads() {
    let folder = lot();
    let before = folder.read("m.qip");
    fs::hard_link(folder.path("m.qip"), folder.path("hard.svg")).unwrap();
    std::os::unix::fs::symlink("m.qip", folder.path("soft.lp")).unwrap();
    fs::write(folder.path("s.toml"), SUITE).unwrap();
    for typed in [
        &["solve", "m.qip", "-o", "m.qip"][..],
        &["solve", "m.qip", "-o", "./hard.svg"],
        &["solve", "m.qip", "--certificate", "soft.lp"],
        &["solve", "m.qip", "--strategy", "hard.svg"],
        &["solve", "soft.lp", "-o", "hard.svg"],
        &["convert", "m.qip", "m.qip"],
        &["convert", "--equivalent", "m.qip", "soft.lp"],
        &["draw", "m.qip", "-o", "hard.svg"],
        &["bounds", "m.qip", "--svg", "hard.svg"],
        &["experiment", "s.toml", "-o", "s.toml"],
        &["experiment", "s.toml", "-o", "m.qip"],
        &["generate", "geography", "m.qip", "-o", "m.qip"],
        &["verify", "m.qip", "--best", "--write", "m.qip"],
        &["verify", "m.qip", "--best", "--certificate", "hard.svg"],
        &["experiment", "plot", "cactus", "m.qip", "-o", "hard.svg"],
    ] {
        let session = folder.run(typed);
        assert_eq!(session.code, 2, "{typed:?}: {}", session.stderr);
        assert!(session.stderr.contains("same file"), "{}", session.stderr);
        assert_eq!(folder.read("m.qip"), before, "{typed:?}");
    }
}

#[test]
fn standard_input_is_a_file_that_is_read() {
    let folder = lot();
    let status = Command::new(env!("CARGO_BIN_EXE_quip"))
        .current_dir(folder.0.path())
        .args(["solve", "-q", "-", "-o", "m.qip"])
        .stdin(File::open(folder.path("m.qip")).unwrap())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    assert_eq!(status.unwrap().code(), Some(2));
    assert_eq!(folder.read("m.qip"), fs::read_to_string(LOT).unwrap());
}

#[test]
fn two_outputs_are_two_files() {
    let folder = lot();
    std::os::unix::fs::symlink("x.json", folder.path("y.json")).unwrap();
    for typed in [
        &["solve", "m.qip", "-o", "x", "--certificate", "x"][..],
        &["solve", "m.qip", "-o", "x.json", "--strategy", "y.json"],
        &[
            "solve",
            "m.qip",
            "--certificate",
            "x.txt",
            "--strategy",
            "./x.txt",
        ],
        &[
            "verify",
            "m.qip",
            "--best",
            "--write",
            "x",
            "--certificate",
            "x",
        ],
    ] {
        let session = folder.run(typed);
        assert_eq!(session.code, 2, "{typed:?}: {}", session.stderr);
        assert!(session.stderr.contains("one file"), "{}", session.stderr);
    }
    assert_eq!(folder.names(), ["m.qip", "y.json"]);
    let both = [
        "solve",
        "-q",
        "m.qip",
        "-o",
        "/dev/null",
        "--certificate",
        "/dev/null",
    ];
    assert_eq!(folder.run(&both).code, 0);
}

#[test]
fn two_runs_leave_one_whole_file() {
    let folder = lot();
    for _ in 0..10 {
        let typed = ["solve", "-q", "m.qip", "--certificate", "c", "-o", "r.json"];
        let mut runs = [folder.start(&typed), folder.start(&typed)];
        assert_eq!(runs.each_mut().map(ended), [Some(0); 2]);
        assert_eq!(folder.run(&["check", "m.qip", "c"]).code, 0);
        serde_json::from_str::<serde_json::Value>(&folder.read("r.json")).unwrap();
        assert_eq!(folder.names(), ["c", "m.qip", "r.json"]);
    }
}

#[test]
fn a_pipe_that_nobody_reads_is_refused() {
    let folder = lot();
    folder.pipe("p.svg");
    fs::write(folder.path("s.toml"), SUITE).unwrap();
    for (typed, code) in [
        (&["solve", "m.qip", "-o", "p.svg"][..], 74),
        (&["solve", "m.qip", "--certificate", "p.svg"], 74),
        (&["solve", "m.qip", "--strategy", "p.svg"], 74),
        (&["convert", "m.qip", "--to", "qip", "p.svg"], 74),
        (&["draw", "m.qip", "-o", "p.svg"], 74),
        (&["bounds", "m.qip", "--svg", "p.svg"], 74),
        (&["experiment", "s.toml", "-o", "p.svg"], 2),
    ] {
        let mut child = folder.start(typed);
        assert_eq!(ended(&mut child), Some(code), "{typed:?}");
        let mut said = String::new();
        child.stderr.unwrap().read_to_string(&mut said).unwrap();
        assert!(
            said.contains("nobody reads") || said.contains("is no file"),
            "{said}"
        );
    }
}

#[test]
fn a_pipe_with_a_reader_gets_everything() {
    let folder = lot();
    let pipe = folder.pipe("p");
    for option in ["-o", "--certificate"] {
        let typed = ["solve", "-q", "m.qip", option, "p"];
        let reader = {
            let pipe = pipe.clone();
            thread::spawn(move || fs::read_to_string(pipe).unwrap())
        };
        // The reader may come a moment later than the writer looks.
        let mut code = Some(74);
        while code == Some(74) {
            code = ended(&mut folder.start(&typed));
        }
        assert_eq!(code, Some(0));
        let got = reader.join().unwrap();
        fs::write(folder.path("got"), &got).unwrap();
        if option == "-o" {
            serde_json::from_str::<serde_json::Value>(&got).unwrap();
        } else {
            assert_eq!(folder.run(&["check", "m.qip", "got"]).code, 0);
        }
    }
}

#[test]
fn one_signal_ends_who_waits_for_a_reader() {
    let folder = Folder::new();
    let big = [
        "generate", "gomoku", "--size", "8", "--row", "5", "-o", "m.qip",
    ];
    assert_eq!(folder.run(&big).code, 0);
    let pipe = folder.pipe("p.lp");
    // Reads and writes, so that it waits for nobody; nothing is taken from it.
    let _reader = File::options().read(true).write(true).open(pipe).unwrap();
    let mut child = folder.start(&["convert", "m.qip", "--to", "qip", "p.lp"]);
    thread::sleep(Duration::from_millis(700));
    assert!(child.try_wait().unwrap().is_none(), "it waits for a reader");
    let sent = Command::new("kill").arg(child.id().to_string()).status();
    assert!(sent.unwrap().success());
    let start = Instant::now();
    ended(&mut child);
    assert!(start.elapsed() < Duration::from_secs(2));
}

#[test]
fn results_of_a_suite_do_not_cut_another_file() {
    let folder = lot();
    fs::write(folder.path("s.toml"), SUITE).unwrap();
    fs::write(folder.path("notes"), "one line without an end").unwrap();
    let session = folder.run(&["experiment", "s.toml", "-o", "notes"]);
    assert_eq!(session.code, 65, "{}", session.stderr);
    assert_eq!(folder.read("notes"), "one line without an end");
}

fn interrupt(child: &Child) {
    let sent = Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status();
    assert!(sent.unwrap().success());
}

#[test]
fn a_suite_that_was_stopped_goes_on_and_no_run_is_there_twice() {
    let folder = Folder::new();
    let suite = "limits = { seconds = 1 }\n[[instances]]\ngenerate = \"gomoku\"\n\
        with = { size = 4, row = 4, guard = [\"rows\", \"indicator\", \"index\"] }\n\
        [[solvers]]\nname = \"a\"\n[[solvers]]\nname = \"b\"\nmethod = \"search\"\n";
    fs::write(folder.path("s.toml"), suite).unwrap();
    let typed = ["experiment", "s.toml", "-o", "r.jsonl"];
    let runs = || -> Vec<String> {
        let text = fs::read_to_string(folder.path("r.jsonl")).unwrap_or_default();
        let lines = text
            .lines()
            .filter(|line| line.contains("\"kind\":\"run\""));
        let parsed = lines.map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
        parsed.map(|it| it["key"].to_string()).collect()
    };
    let mut child = folder.start(&typed);
    let start = Instant::now();
    while runs().is_empty() && start.elapsed() < Duration::from_secs(20) {
        thread::sleep(Duration::from_millis(20));
    }
    interrupt(&child);
    ended(&mut child);
    let before = runs().len();
    assert!(before < 6, "it was stopped");
    assert_eq!(folder.run(&typed).code, 0);
    let mut all = runs();
    all.sort();
    all.dedup();
    assert_eq!((runs().len(), all.len()), (6, 6));
}

#[test]
fn verify_and_play_stop_when_they_are_asked_to() {
    let folder = Folder::new();
    let best = ["verify", "--game", "tictactoe --size 4", "--best"];
    let mut child = folder.start(&best);
    thread::sleep(Duration::from_millis(300));
    interrupt(&child);
    assert_eq!(ended(&mut child), Some(21));
    // The program thinks about its first move.
    let mut child = folder.start(&[
        "play", "gomoku", "--size", "5", "--row", "5", "--side", "second",
    ]);
    thread::sleep(Duration::from_millis(300));
    interrupt(&child);
    ended(&mut child);
    assert!(folder.names().is_empty());
}
