//! What the command says of itself, of the machine and of its codes, and what it packs for a report.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

#[allow(dead_code, reason = "other tests use the rest")]
mod session;

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;
use session::{quip, run};

const LOT: &str = "models/or/lot-sizing.qip";

/// A model that no engine takes: an integer after a real opponent whose rows depend on each other.
const REFUSED: &str = "minimize 2 yield + 3 zeal - 2 unrest  subject to yield + zeal >= unrest
    uncertainty 2 unrest + 17 vigour <= 3
                unrest + 3 vigour <= 4
    prefix forall real unrest in [0, 3]  forall real vigour in [0, 1]
           exists integer yield in [0, 3]  exists real zeal in [0, 1] end";

#[test]
fn the_details_of_a_build_follow_its_version() {
    let session = run(&["--version", "--verbose"]);
    assert_eq!((session.code, session.stderr.as_str()), (0, ""));
    let mut lines = session.stdout.lines();
    let version = concat!("quip ", env!("CARGO_PKG_VERSION"));
    assert_eq!(lines.next(), Some(version));
    let what: Vec<_> = lines
        .map(|line| line.split_whitespace().next().unwrap())
        .collect();
    assert_eq!(what, ["commit", "HiGHS", "features", "target", "compiler"]);
    assert!(session.stdout.contains("rustc 1."), "{}", session.stdout);
    assert_eq!(run(&["-v", "-V"]).stdout, session.stdout);
}

#[test]
fn a_code_is_explained_where_it_is_asked_for() {
    let session = run(&["help", "e102"]);
    assert_eq!((session.code, session.stderr.as_str()), (0, ""));
    insta::assert_snapshot!("help_code", session.stdout);
    let unknown = run(&["help", "E999"]);
    assert_eq!((unknown.code, unknown.stdout.as_str()), (2, ""));
    assert!(unknown.stderr.contains("there is no code `E999`"));
    assert_eq!(
        run(&["help", "solve"]).stdout,
        run(&["solve", "--help"]).stdout
    );
}

#[test]
fn the_doctor_says_how_everything_is_and_what_to_do() {
    let session = run(&["doctor"]);
    assert_eq!((session.code, session.stderr.as_str()), (0, ""));
    let answer = &session.stdout;
    assert!(answer.contains("works    solving   a model was solved and its certificate checked"));
    for line in answer.lines().filter(|line| line.starts_with("missing")) {
        let behind = answer.lines().skip_while(|it| *it != line).nth(1).unwrap();
        assert!(behind.trim_start().starts_with('→'), "{line}");
    }
    let parsed: Value = serde_json::from_str(&run(&["doctor", "--json"]).stdout).unwrap();
    assert_eq!(parsed["schema"], "quip-doctor/1");
    let checks = parsed["checks"].as_array().unwrap();
    let names: Vec<&str> = checks
        .iter()
        .map(|it| it["check"].as_str().unwrap())
        .collect();
    let expected = [
        "quip", "solving", "threads", "memory", "terminal", "path", "browser", "graphviz",
        "python", "manual",
    ];
    assert_eq!(names, expected);
    assert!(
        checks
            .iter()
            .all(|it| (it["state"] == "works") == it["remedy"].is_null())
    );
}

#[test]
#[cfg(unix)]
fn the_doctor_finds_an_older_program_of_that_name() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let older = folder.path().join("quip");
    fs::write(&older, "#!/bin/sh\necho quip 0.0.7\n").unwrap();
    fs::set_permissions(&older, fs::Permissions::from_mode(0o755)).unwrap();
    let path = std::env::var("PATH").unwrap();
    let path = format!("{}:{path}", folder.path().display());
    let ran = quip().arg("doctor").env("PATH", path).output().unwrap();
    let said = String::from_utf8(ran.stdout).unwrap();
    let line = format!(
        "limited  path      typing `quip` starts {} (quip 0.0.7)",
        older.display()
    );
    assert!(said.contains(&line), "{said}");
}

/// Runs `quip bug` on a model in a folder and unpacks what it made.
fn packed(folder: &Path, typed: &[&str]) -> (session::Session, Vec<String>) {
    let output = folder.join("bug.tar.gz");
    let model = folder.join("secret.qip");
    let head = [
        "bug",
        model.to_str().unwrap(),
        "-o",
        output.to_str().unwrap(),
    ];
    let session = run(&[&head, typed].concat());
    let out = folder.join("out");
    fs::create_dir_all(&out).unwrap();
    if !output.exists() {
        return (session, Vec::new());
    }
    let mut tar = Command::new("tar");
    let unpacked = tar
        .arg("-xzvf")
        .arg(&output)
        .arg("-C")
        .arg(&out)
        .output()
        .unwrap();
    assert!(unpacked.status.success(), "{unpacked:?}");
    let names = String::from_utf8(unpacked.stdout).unwrap();
    (session, names.lines().map(str::to_owned).collect())
}

#[test]
fn a_report_has_what_somebody_else_needs() {
    let folder = tempfile::tempdir().unwrap();
    fs::copy(LOT, folder.path().join("secret.qip")).unwrap();
    let (session, names) = packed(folder.path(), &["--", "-m", "search", "--nodes", "1"]);
    assert_eq!(session.code, 0, "{}", session.stderr);
    let expected = [
        "secret.qip",
        "flat.qip",
        "report.txt",
        "stdout.txt",
        "stderr.txt",
    ];
    assert_eq!(names, expected);
    let read = |name: &str| fs::read_to_string(folder.path().join("out").join(name)).unwrap();
    assert_eq!(read("secret.qip"), fs::read_to_string(LOT).unwrap());
    let report = read("report.txt");
    for part in [
        concat!("quip ", env!("CARGO_PKG_VERSION"), "\n"),
        "command    quip solve MODEL -m search --nodes 1",
        "ending     exit code 2",
        "threads",
    ] {
        assert!(report.contains(part), "{part}\n{report}");
    }
    assert!(read("stderr.txt").contains("7 variables"));
    assert!(
        read("stdout.txt").starts_with("Stopped by"),
        "{}",
        read("stdout.txt")
    );
}

#[test]
fn a_scrambled_report_keeps_the_failure_and_no_name() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("secret.qip"), REFUSED).unwrap();
    let (session, names) = packed(folder.path(), &["--scramble", "--seed", "5"]);
    assert_eq!(session.code, 0, "{}", session.stderr);
    assert_eq!(
        names,
        ["model.qip", "report.txt", "stdout.txt", "stderr.txt"]
    );
    let out = folder.path().join("out");
    for name in &names {
        let text = fs::read_to_string(out.join(name)).unwrap();
        for word in ["yield", "zeal", "unrest", "vigour", "secret", "17 "] {
            assert!(!text.contains(word), "{name} has {word}:\n{text}");
        }
    }
    let model = out.join("model.qip");
    assert_eq!(run(&["solve", model.to_str().unwrap()]).code, 65);
    let report = fs::read_to_string(out.join("report.txt")).unwrap();
    assert!(
        report.contains("ending     exit code 65, error: "),
        "{report}"
    );
    assert!(
        report.contains("model      names and numbers replaced"),
        "{report}"
    );
}

#[test]
#[cfg(unix)]
fn a_signal_ends_the_packing_without_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let model = folder.path().join("endless.qip");
    fs::write(&model, session::endless_model()).unwrap();
    let output = folder.path().join("bug.tar.gz");
    let mut packing = Command::new(env!("CARGO_BIN_EXE_quip"))
        .arg("bug")
        .args([model, PathBuf::from("-o"), output])
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    let mut log = BufReader::new(packing.stderr.take().unwrap());
    log.read_line(&mut line).unwrap();
    assert!(line.starts_with("running"), "{line}");
    let sent = Command::new("kill")
        .args(["-INT", &packing.id().to_string()])
        .status();
    assert!(sent.unwrap().success());
    assert_eq!(packing.wait().unwrap().code(), Some(21));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn what_cannot_be_scrambled_or_packed_says_so_and_leaves_no_file() {
    let folder = tempfile::tempdir().unwrap();
    let model = folder.path().join("secret.qip");
    fs::write(&model, "minimize demnd prefix exists binary demand end").unwrap();
    let (session, names) = packed(folder.path(), &["--scramble"]);
    assert_eq!((session.code, names.len()), (2, 0));
    assert!(
        session.stderr.contains("cannot be read"),
        "{}",
        session.stderr
    );
    let (session, names) = packed(folder.path(), &[]);
    assert_eq!(session.code, 0, "{}", session.stderr);
    assert!(!names.contains(&"flat.qip".to_owned()));
    assert!(
        session.stdout.contains("exit code 65, error[E102]"),
        "{}",
        session.stdout
    );
    let (session, _) = packed(folder.path(), &["--", "--no-such-option"]);
    assert_eq!(session.code, 2);
    assert!(
        session.stderr.contains("typed wrongly"),
        "{}",
        session.stderr
    );
    let named = run(&["bug", LOT, "-o", "bug.zip"]);
    assert_eq!(named.code, 2);
    assert!(named.stderr.contains("name the file .tar.gz"));
    assert_eq!(run(&["bug", "no-such.qip", "-o", "x.tar.gz"]).code, 66);
    assert!(!Path::new("x.tar.gz").exists());
}
