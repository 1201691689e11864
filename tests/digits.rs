//! Numbers as people type and read them: long answers rounded and marked, data that floats have spelled.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

#[expect(dead_code, reason = "golden sessions have more needs")]
mod session;

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;
use session::{Session, run};
use tempfile::TempDir;

/// A value of many digits, and a third.
const LONG: &str = "minimize 0.1234567890123457 x + 10/3 y
    subject to x >= 3 + 1/7 u
      need: y >= 1
    prefix forall binary u  exists integer x in [0, 9]  exists real y in [0, 9] end";

/// What its author means is one of each.
const THIRDS: &str = "minimize a + 2 b + c
    subject to share: 0.3333333333333333 a + 0.3333333333333333 b + 0.3333333333333333 c = 1
      other: 0.1234567890123457 a >= 0.1
    prefix exists binary a b c end";

struct Folder(TempDir);

impl Folder {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn with(&self, name: &str, text: &str) -> String {
        fs::write(self.path(name), text).unwrap();
        typed(&self.path(name))
    }
}

fn typed(path: &Path) -> String {
    path.to_str().unwrap().to_owned()
}

fn json(session: &Session) -> Value {
    serde_json::from_str(&session.stdout).unwrap_or_else(|_| panic!("{}", session.stdout))
}

#[test]
fn long_values_are_rounded_and_marked_and_exact_on_demand() {
    let folder = Folder::new();
    let model = folder.with("long.qip", LONG);
    let told = run(&["-q", &model]).stdout;
    assert!(
        told.starts_with("Optimal: ≈3.82716 can be guaranteed"),
        "{told}"
    );
    let asked = run(&["-q", "--exact", &model]).stdout;
    let answer = json(&run(&["-q", "--json", &model]));
    let value = answer["objective"].as_str().unwrap();
    assert!(value.contains('/') && value.len() > 20, "{value}");
    assert!(
        asked.starts_with(&format!("Optimal: {value} can be")),
        "{asked}"
    );
}

#[test]
fn every_command_that_tells_values_rounds_them_and_takes_exact() {
    let folder = Folder::new();
    let model = folder.with("long.qip", LONG);
    let certificate = typed(&folder.path("long.cert"));
    assert_eq!(run(&["-q", &model, "--certificate", &certificate]).code, 0);
    let value = json(&run(&["-q", "--json", &model]));
    let value = value["objective"].as_str().unwrap();
    let commands: [&[&str]; 6] = [
        &["solve", "-q", &model],
        &["check", &model, &certificate],
        &["explain", &model],
        &["advise", &model, "--given", "u=1"],
        &["simulate", &model, "--runs", "9"],
        &["bounds", &model],
    ];
    for command in commands {
        let told = run(command);
        assert!(
            told.stdout.contains("≈3.82716"),
            "{command:?}: {}",
            told.stdout
        );
        assert!(!told.stdout.contains(value), "{command:?}: {}", told.stdout);
        let exact = run(&[command, &["--exact"]].concat());
        assert!(
            exact.stdout.contains(value),
            "{command:?}: {}",
            exact.stdout
        );
        assert!(!exact.stdout.contains('≈'), "{command:?}: {}", exact.stdout);
    }
}

#[test]
fn a_strategy_in_words_is_rounded_and_terms_are_exact() {
    let folder = Folder::new();
    let text =
        "minimize y subject to 3 y >= 1 + u prefix forall binary u exists real y in [0, 9] end";
    let model = folder.with("thirds.qip", text);
    let written = |name: &str, option: &str| {
        let file = typed(&folder.path(name));
        assert_eq!(run(&["solve", &model, "--strategy", &file, option]).code, 0);
        fs::read_to_string(file).unwrap()
    };
    let words = written("s.txt", "-q");
    assert!(words.contains("at most ≈0.6666667 (2/3)"), "{words}");
    assert!(words.contains("y ≈ 0.6666667 (2/3)"), "{words}");
    let exact = written("t.txt", "--exact");
    assert!(exact.contains("y = 2/3") && !exact.contains('≈'), "{exact}");
    let terms = written("s.ite", "-q");
    assert!(terms.contains("2/3") && !terms.contains('≈'), "{terms}");
}

#[test]
fn what_is_read_as_a_simple_fraction_is_listed_and_has_a_fingerprint_of_its_own() {
    let folder = Folder::new();
    let model = folder.with("thirds.qip", THIRDS);
    let certificate = typed(&folder.path("thirds.cert"));
    assert_eq!(run(&["-q", &model]).code, 10);
    let solved = run(&[
        &model,
        "--rationalize",
        "1e-12",
        "--certificate",
        &certificate,
    ]);
    assert_eq!(solved.code, 0, "{}", solved.stdout);
    assert!(solved.stdout.starts_with("Optimal: the minimum is 4."));
    let note = "note: --rationalize reads 0.3333333333333333 as 1/3, 3 times, first in row `share`";
    assert!(solved.stderr.contains(note), "{}", solved.stderr);

    let answer = json(&run(&["-q", "--json", &model, "--rationalize", "1e-12"]));
    let plain = json(&run(&["-q", "--json", &model]));
    let number = &answer["rationalized"]["numbers"][0];
    assert_eq!(answer["rationalized"]["within"], "1/1000000000000");
    assert_eq!(
        (&number["from"], &number["to"]),
        (&"0.3333333333333333".into(), &"1/3".into())
    );
    assert_eq!(number["times"], 3);
    assert_ne!(
        answer["model"]["fingerprint"],
        plain["model"]["fingerprint"]
    );
    assert!(plain.get("rationalized").is_none());

    let refused = run(&["check", &model, &certificate]);
    assert_eq!(refused.code, 1);
    assert!(
        refused.stdout.contains("rationalized is another one"),
        "{}",
        refused.stdout
    );
    let checked = run(&["check", "--rationalize", "1e-12", &model, &certificate]);
    assert_eq!(checked.code, 0, "{}", checked.stdout);
}

#[test]
fn a_converted_model_holds_what_was_read() {
    let folder = Folder::new();
    let model = folder.with("thirds.qip", THIRDS);
    let flat = run(&[
        "convert",
        "--rationalize",
        "1e-12",
        &model,
        "--to",
        "qip",
        "-",
    ]);
    assert!(
        flat.stdout.contains("1/3 a + 1/3 b + 1/3 c = 1"),
        "{}",
        flat.stdout
    );
    let again = folder.with("flat.qip", &flat.stdout);
    assert_eq!(run(&["-q", &again]).code, 0);
    let thirds = folder.with("short.qip", &flat.stdout.replace("other", "\\ other"));
    let nothing = run(&["info", "--rationalize", "1e-12", &thirds]);
    assert!(
        nothing.stderr.contains("--rationalize changes no number"),
        "{}",
        nothing.stderr
    );
    for wrong in ["0", "-1", "0.5", "x"] {
        assert_eq!(
            run(&["info", &again, &format!("--rationalize={wrong}")]).code,
            2
        );
    }
}

#[test]
fn a_stored_result_is_shown_with_its_model_as_it_was_read() {
    let folder = Folder::new();
    let model = folder.with("thirds.qip", THIRDS);
    let result = typed(&folder.path("result.json"));
    assert_eq!(
        run(&["-q", &model, "--rationalize", "1e-12", "-o", &result]).code,
        0
    );
    let page = run(&["report", "--brief", "-q", &result]);
    assert_eq!(page.code, 0, "{}", page.stderr);
    assert!(page.stdout.contains("The minimum is 4") || page.stdout.contains("the minimum is 4"));
}

#[test]
fn numbers_that_look_rounded_are_remarked_on_with_the_option_that_reads_them() {
    let folder = Folder::new();
    let model = folder.with("thirds.qip", THIRDS);
    let remark = "0.3333333333333333 looks like 1/3, rounded (row `share`, variable `a`, and 2 more \
                  numbers do); rows are taken exactly: --rationalize 1e-12 reads it as 1/3";
    let info = run(&["info", &model]);
    assert!(info.stdout.contains(remark), "{}", info.stdout);
    let lint = run(&["lint", &model]);
    assert!(
        lint.stdout.contains(&format!("warning[L009]: {remark}")),
        "{}",
        lint.stdout
    );
    let allowed = run(&["lint", "--allow", "L009", "--allow", "L005", &model]);
    assert_eq!(allowed.code, 0, "{}", allowed.stdout);
    let coarse = folder.with(
        "coarse.qip",
        "subject to 0.6666666667 a <= 1 prefix exists integer a in [0, 9] end",
    );
    let coarse_remark = run(&["lint", &coarse]).stdout;
    assert!(
        coarse_remark.contains("--rationalize 1e-10 reads it as 2/3"),
        "{coarse_remark}"
    );
    let read = run(&[
        "convert",
        "--rationalize",
        "1e-10",
        &coarse,
        "--to",
        "qip",
        "-",
    ]);
    assert!(read.stdout.contains("2/3 a"), "{}", read.stdout);
}

#[test]
fn a_loss_by_less_than_a_billionth_names_the_rows_and_what_there_would_be() {
    let folder = Folder::new();
    let model = folder.with("thirds.qip", THIRDS);
    let lost = run(&["-q", &model]);
    assert_eq!(lost.code, 10);
    let words = "near miss    with `share` relaxed by 1e-16 there is a plan worth 4; --rationalize";
    assert!(lost.stdout.contains(words), "{}", lost.stdout);
    let answer = json(&run(&["-q", "--json", &model]));
    assert_eq!(answer["near_miss"]["rows"], serde_json::json!(["share"]));
    assert_eq!(answer["near_miss"]["by"], "1/10000000000000000");
    assert_eq!(answer["near_miss"]["objective"], "4");

    let far = folder.with("far.qip", &THIRDS.replace("c = 1", "c = 1.001"));
    assert!(!run(&["-q", &far]).stdout.contains("near miss"));
    let short = folder.with(
        "short.qip",
        "subject to 2 a = 1 prefix exists integer a in [0, 9] end",
    );
    assert!(!run(&["-q", &short]).stdout.contains("near miss"));
}

#[test]
fn an_opponent_may_be_in_a_near_miss() {
    let folder = Folder::new();
    let text = "minimize x
        subject to even: 0.6666666666666666 x >= 0.6666666666666667 u + 0.6666666666666667
        prefix forall binary u exists integer x in [0, 2] end";
    let model = folder.with("even.qip", text);
    let lost = run(&["-q", &model]);
    assert_eq!(lost.code, 10, "{}", lost.stdout);
    let words = "with `even` relaxed by 1e-15 there is a plan worth 2;";
    assert!(lost.stdout.contains(words), "{}", lost.stdout);
}
