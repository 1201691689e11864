//! Files that released versions have written: they are read, and mean the same, for ever.
//!
//! `tests/kept/VERSION` has models in every format with the results and certificates that this version
//! wrote, and one file for each kind of JSON. Nothing in such a folder is ever changed.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

#[allow(dead_code, reason = "other tests use the rest")]
mod session;

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;
use session::{Session, quip};

fn folders() -> Vec<PathBuf> {
    let entries = fs::read_dir("tests/kept").unwrap();
    let folders: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    assert!(!folders.is_empty());
    folders
}

/// The files of a folder that end so, without the ending.
fn files(folder: &Path, ending: &str) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<String> = names
        .filter_map(|name| name.strip_suffix(ending).map(str::to_owned))
        .collect();
    names.sort();
    names
}

fn said(folder: &Path, typed: &[&str]) -> Session {
    let ran = quip().current_dir(folder).args(typed).output().unwrap();
    Session::of(typed, &ran)
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

fn stored(folder: &Path, name: &str) -> Value {
    json(&fs::read_to_string(folder.join(name)).unwrap())
}

/// What today's value lacks of an older one: a field, or the kind of value in it.
fn lost(older: &Value, today: &Value, place: &str, found: &mut Vec<String>) {
    match (older, today) {
        (Value::Object(older), Value::Object(today)) => {
            for (key, value) in older {
                let place = format!("{place}.{key}");
                match today.get(key) {
                    Some(today) => lost(value, today, &place, found),
                    None => found.push(place),
                }
            }
        }
        (Value::Array(older), Value::Array(today)) => {
            for (older, today) in older.iter().zip(today).take(1) {
                lost(older, today, &format!("{place}[]"), found);
            }
        }
        // A number may be missing today or then.
        (Value::Null, _) | (_, Value::Null) => {}
        _ => {
            if std::mem::discriminant(older) != std::mem::discriminant(today) {
                found.push(place.to_owned());
            }
        }
    }
}

#[test]
fn models_keep_their_meaning_and_their_certificates() {
    for folder in folders() {
        let names = files(&folder, ".result.json");
        assert!(names.len() > 9, "{names:?}");
        for name in names {
            let result = stored(&folder, &format!("{name}.result.json"));
            let model = result["model"]["file"].as_str().unwrap();
            let info = json(&said(&folder, &["info", "--json", model]).stdout);
            let fingerprint = &result["model"]["fingerprint"];
            assert_eq!(&info["fingerprint"], fingerprint, "{model}");
            let checked = said(&folder, &["check", model, &format!("{name}.cert")]);
            assert_eq!(checked.code, 0, "{model}: {}", checked.stdout);
            let again = said(&folder, &["solve", "-q", "--json", "-t", "60", model]);
            let again = json(&again.stdout);
            for field in ["schema", "status", "objective", "bound"] {
                assert_eq!(again[field], result[field], "{model}: {field}");
            }
            let mut missing = Vec::new();
            lost(&result, &again, "", &mut missing);
            // What only a certificate brings is not there without one.
            missing.retain(|place| !place.starts_with(".certificate"));
            missing.retain(|place| !place.starts_with(".first_stage."));
            assert!(missing.is_empty(), "{model}: {missing:?}");
        }
    }
}

#[test]
fn results_are_shown_as_pages() {
    for folder in folders() {
        for name in files(&folder, ".result.json") {
            let page = said(&folder, &["report", "-q", &format!("{name}.result.json")]);
            assert!(
                page.stdout.starts_with("<!doctype html>"),
                "{}",
                page.stderr
            );
        }
    }
}

#[test]
fn every_kind_of_json_has_the_fields_that_it_had() {
    const LOT: &str = "lot-sizing.qip";
    let rules = ["crossdot.rules", "strategies.rules", "--json"];
    for folder in folders() {
        let plan = tempfile::tempdir().unwrap();
        let plan = plan.path().join("plan.json");
        let plan = plan.to_str().unwrap();
        let follow = ["--follow", "1=fill_leftmost", "--follow", "2=cautious"];
        let today: [(&str, Vec<&str>); 5] = [
            ("lot-sizing.info.json", vec!["info", "--json", LOT]),
            ("lot-sizing.bounds.json", vec!["bounds", "--json", LOT]),
            ("lot-sizing.explain.json", vec!["explain", "--json", LOT]),
            (
                "lot-sizing.strategy.json",
                vec!["solve", "-q", "--strategy", plan, LOT],
            ),
            (
                "crossdot.verify.json",
                [&["verify"][..], &rules, &follow].concat(),
            ),
        ];
        for (name, typed) in today {
            let session = said(&folder, &typed);
            let text = match typed.contains(&plan) {
                true => fs::read_to_string(plan).unwrap(),
                false => session.stdout,
            };
            let (older, today) = (stored(&folder, name), json(&text));
            let mut missing = Vec::new();
            lost(&older, &today, "", &mut missing);
            assert!(missing.is_empty(), "{name}: {missing:?}");
            let schema = |value: &Value| {
                let one = value.get(0).unwrap_or(value);
                one["schema"].clone()
            };
            assert_eq!(schema(&older), schema(&today), "{name}");
        }
    }
}

#[test]
fn results_of_suites_make_the_same_table() {
    for folder in folders() {
        let table = said(&folder, &["experiment", "table", "suite.jsonl"]);
        assert_eq!(table.code, 0, "{}", table.stderr);
        for name in ["search", "reference"] {
            assert!(table.stdout.contains(name), "{}", table.stdout);
        }
    }
}

#[test]
fn what_other_versions_write_is_refused_with_a_sentence() {
    let folder = tempfile::tempdir().unwrap();
    let kept = Path::new("tests/kept/0.1");
    let model = fs::canonicalize(kept.join("lot-sizing.qip")).unwrap();
    let model = model.to_str().unwrap();
    let certificate = fs::read_to_string(kept.join("lot-sizing.cert")).unwrap();
    for version in ["2", "4"] {
        let other = certificate.replacen(
            "quip-certificate 3",
            &format!("quip-certificate {version}"),
            1,
        );
        assert_ne!(other, certificate);
        fs::write(folder.path().join("other.cert"), other).unwrap();
        let refused = said(folder.path(), &["check", model, "other.cert"]);
        assert_eq!(refused.code, 1);
        let sentence = format!("of the format, not {version}");
        assert!(refused.stdout.contains(&sentence), "{}", refused.stdout);
    }
    let result = fs::read_to_string(kept.join("lot-sizing.result.json")).unwrap();
    let other = result.replacen("quip-result/1", "quip-result/2", 1);
    fs::write(folder.path().join("other.json"), other).unwrap();
    let refused = said(folder.path(), &["report", "other.json"]);
    assert_eq!(refused.code, 65, "{}", refused.stdout);
    assert!(
        refused.stderr.contains("quip-result/2"),
        "{}",
        refused.stderr
    );
}
