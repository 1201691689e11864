//! Every shipped model has the status and the value that `models/README.md` states.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use serde_json::Value;

/// One line of the tables in the README: a file, and what solving it must say.
#[derive(Debug)]
struct Stated {
    file: String,
    status: String,
    value: Option<String>,
    /// Whether the table says that there is a certificate.
    certified: bool,
}

fn stated() -> Vec<Stated> {
    let text = fs::read_to_string("models/README.md").unwrap();
    let sections = text.split("\n## ").flat_map(|section| {
        let certified = !section.lines().next().unwrap().ends_with("not certified");
        section.lines().map(move |line| (certified, line))
    });
    let rows = sections.filter(|(_, line)| line.starts_with("| `"));
    rows.map(|(certified, line)| {
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        let [file, status, value, _source] = cells[..] else {
            panic!("not four columns: {line}");
        };
        Stated {
            file: file.trim_matches('`').to_owned(),
            status: status.to_owned(),
            value: (value != "-").then(|| value.to_owned()),
            certified,
        }
    })
    .collect()
}

fn shipped() -> BTreeSet<String> {
    let folders = fs::read_dir("models")
        .unwrap()
        .map(|entry| entry.unwrap().path());
    folders
        // Rule files are no models; `tests/rules` is about them.
        .filter(|path| path.is_dir() && !path.ends_with("rules"))
        .flat_map(|folder| fs::read_dir(folder).unwrap())
        .map(|entry| entry.unwrap().path())
        // Data beside a model are no models.
        .filter(|path| {
            path.extension()
                .is_none_or(|it| it != "toml" && it != "csv")
        })
        .map(|path| {
            let inside = path.strip_prefix("models").unwrap();
            inside.to_string_lossy().into_owned()
        })
        .collect()
}

fn solved(file: &str) -> Value {
    let path = Path::new("models").join(file);
    let ran = assert_cmd::Command::new(env!("CARGO_BIN_EXE_quip"))
        .args(["solve", "--json", "-q", "-t", "60"])
        .arg(path)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&ran.stderr);
    serde_json::from_slice(&ran.stdout).unwrap_or_else(|fault| panic!("{file}: {fault}\n{said}"))
}

#[test]
fn every_shipped_model_is_stated_and_every_stated_model_is_shipped() {
    let stated: BTreeSet<String> = stated().into_iter().map(|model| model.file).collect();
    assert_eq!(stated, shipped());
}

#[test]
fn every_model_has_a_certificate_of_the_stated_value_unless_its_table_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let certificate = folder.path().join("certificate");
    for model in stated().into_iter().filter(|model| model.certified) {
        let path = Path::new("models").join(&model.file);
        let run = |words: &[&str]| {
            let mut command = assert_cmd::Command::new(env!("CARGO_BIN_EXE_quip"));
            let ran = command.args(words).output().unwrap();
            String::from_utf8_lossy(&ran.stdout).into_owned()
        };
        let (path, certificate) = (path.to_str().unwrap(), certificate.to_str().unwrap());
        run(&[
            "solve",
            "-q",
            "-t",
            "100",
            path,
            "--certificate",
            certificate,
        ]);
        let text = fs::read_to_string(certificate).unwrap();
        let said = run(&["check", "--json", path, certificate]);
        let said: Value = serde_json::from_str(&said).unwrap_or_else(|_| panic!("{path}: {said}"));
        let claim = match &model.value {
            Some(value) => format!("{} {value}", model.status),
            None => model.status.clone(),
        };
        assert_eq!(said["valid"], true, "{path}\n{said}");
        assert_eq!(said["claim"], claim.as_str(), "{path}\n{text}");
    }
}

#[test]
fn every_model_has_the_stated_value() {
    let mut faults = Vec::new();
    for model in stated() {
        let result = solved(&model.file);
        let status = result["status"].as_str().unwrap();
        let value = result["objective"].as_str();
        if (status, value) != (&model.status, model.value.as_deref()) {
            faults.push(format!("{model:?} came out as {status} {value:?}"));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
