//! Experiments: a resumed one equals an uninterrupted one, wrong suites are refused where they are
//! wrong, pictures are XML, and bounds keep their order.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

#[allow(dead_code, reason = "shared with the golden sessions")]
mod session;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use quip::budget::Limits;
use quip::experiment::bounds::{BoundsOptions, Side, measure};
use quip::experiment::{Plan, Record, Results, Suite, TracePoint, plot};
use quip::games::random::{RandomShape, random_program};
use session::{quip, run};

const SUITE: &str = r#"
limits = { seconds = 20 }
repeats = 2
[[instances]]
files = ["*.qip"]
[[instances]]
generate = "random"
with = { seed = "1..=3" }
[[solvers]]
name = "search"
[[solvers]]
name = "reference"
method = "reference"
"#;

/// A folder with a suite and one model.
fn laboratory(suite: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("suite.toml"), suite).unwrap();
    fs::copy("models/or/lot-sizing.qip", folder.path().join("lot.qip")).unwrap();
    folder
}

fn experiment(folder: &Path, results: &Path) -> session::Session {
    let suite = folder.join("suite.toml");
    let words = [
        "experiment",
        suite.to_str().unwrap(),
        "-o",
        results.to_str().unwrap(),
    ];
    run(&words)
}

/// What must not depend on interruptions: everything but times.
fn substance(results: &Path) -> Vec<String> {
    let text = fs::read_to_string(results).unwrap();
    let lines = text
        .lines()
        .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
    let runs = lines.filter(|line| line["kind"] == "run");
    let mut runs: Vec<String> = runs
        .map(|run| {
            let fields = [
                "key", "place", "instance", "solver", "repeat", "status", "value", "bound", "nodes",
            ];
            fields.map(|field| run[field].to_string()).join(" ")
        })
        .collect();
    runs.sort();
    runs
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

#[test]
fn a_resumed_experiment_equals_an_uninterrupted_one() {
    let folder = laboratory(SUITE);
    let whole = folder.path().join("whole.jsonl");
    let session = experiment(folder.path(), &whole);
    assert_eq!(session.code, 0, "{}", session.stderr);
    let expected = substance(&whole);
    assert_eq!(expected.len(), 16);

    let bytes = fs::read(&whole).unwrap();
    // Torn in the middle of a line, at the end of one, and in the very first.
    let ends: Vec<usize> = (0..bytes.len())
        .filter(|&place| bytes[place] == b'\n')
        .collect();
    for cut in [ends[5] + 40, ends[7] + 1, 10, 0] {
        let torn = folder.path().join("torn.jsonl");
        fs::write(&torn, &bytes[..cut]).unwrap();
        assert_eq!(experiment(folder.path(), &torn).code, 0);
        assert_eq!(substance(&torn), expected, "cut at {cut}");
    }

    // Nothing is left to do, and nothing is done.
    let session = experiment(folder.path(), &whole);
    assert!(
        session.stderr.contains("0 made now, 16 there before"),
        "{}",
        session.stderr
    );
    assert_eq!(fs::read(&whole).unwrap(), bytes);
}

#[test]
fn a_killed_experiment_goes_on() {
    let folder = laboratory(&SUITE.replace("repeats = 2", "repeats = 20"));
    let results = folder.path().join("results.jsonl");
    let mut killed = Command::new(env!("CARGO_BIN_EXE_quip"))
        .args(["experiment", text(&folder.path().join("suite.toml"))])
        .args(["-o", text(&results)])
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    while fs::read_to_string(&results).map_or(0, |text| text.lines().count()) < 5 {
        std::thread::sleep(Duration::from_millis(5));
    }
    killed.kill().unwrap();
    killed.wait().unwrap();
    let session = experiment(folder.path(), &results);
    assert_eq!(session.code, 0, "{}", session.stderr);
    let runs = substance(&results);
    assert_eq!(runs.len(), 160);
    assert_eq!(
        runs.iter().collect::<BTreeSet<_>>().len(),
        160,
        "no run twice"
    );
}

#[test]
fn a_wrong_line_inside_the_results_is_an_error_with_its_number() {
    let folder = laboratory(SUITE);
    let results = folder.path().join("results.jsonl");
    fs::write(&results, "{}\n{}\n").unwrap();
    let session = experiment(folder.path(), &results);
    assert_eq!(session.code, 65);
    assert!(session.stderr.contains("line 1"), "{}", session.stderr);
    assert_eq!(
        fs::read_to_string(&results).unwrap(),
        "{}\n{}\n",
        "it is left alone"
    );
}

#[test]
fn unknown_keys_are_errors_with_line_and_column() {
    for (wrong, place) in [
        ("limits = { seconds = 1 }\nrepeat = 3\n", "line 2, column 1"),
        ("limits = { seconds = 1, hours = 2 }\n", "line 1, column 25"),
        (
            "limits = { seconds = 1 }\n[[solvers]]\nname = 'a'\n  metod = 'search'\n",
            "line 4, column 3",
        ),
        ("limits = { seconds = 1 \n", "line 1"),
    ] {
        let folder = laboratory(wrong);
        let session = experiment(folder.path(), &folder.path().join("out.jsonl"));
        assert_eq!(session.code, 65, "{wrong}");
        assert!(
            session.stderr.contains(place),
            "{wrong}: {}",
            session.stderr
        );
        assert!(
            !folder.path().join("out.jsonl").exists(),
            "nothing was written"
        );
    }
}

#[test]
fn a_suite_without_sense_is_refused_with_a_reason() {
    let with = |more: &str| format!("limits = {{ seconds = 1 }}\n{more}");
    let solver = "[[solvers]]\nname = 'a'\n";
    let files = "[[instances]]\nfiles = ['*.qip']\n";
    for (suite, reason) in [
        (with(solver), "no `[[instances]]`"),
        (with(files), "no `[[solvers]]`"),
        (
            with(&format!("{files}{solver}{solver}")),
            "two solvers are called `a`",
        ),
        (
            with(&format!("{files}{solver}method = 'magic'")),
            "`magic` is not a method",
        ),
        (
            with(&format!("{files}{solver}set = {{ 'search.x' = 'on' }}")),
            "search.x",
        ),
        (
            with(&format!("{files}{solver}[[solvers]]\nname = 'b'")),
            "the same options",
        ),
        (
            with(&format!("[[instances]]\nfiles = ['none']\n{solver}")),
            "no file is called",
        ),
        (
            with(&format!("[[instances]]\ngenerate = 'magic'\n{solver}")),
            "no such generator",
        ),
        (
            with(&format!(
                "{files}[[external]]\nname='x'\ncommand=['x']\nvalue='('"
            )),
            "external solver `x`",
        ),
        (
            format!("limits = {{ seconds = -1 }}\n{files}{solver}"),
            "no sensible time limit",
        ),
    ] {
        let folder = laboratory(&suite);
        let session = experiment(folder.path(), &folder.path().join("out.jsonl"));
        assert_eq!(session.code, 65, "{suite}");
        assert!(
            session.stderr.contains(reason),
            "{suite}: {}",
            session.stderr
        );
    }
}

#[test]
fn a_foreign_command_is_run_with_its_limit_and_read_by_its_patterns() {
    let suite = r#"
limits = { seconds = 1 }
[[instances]]
files = ["*.qip"]
[[solvers]]
name = "search"
[[external]]
name = "good"
command = ["sh", "-c", "test -s $0 && echo value: 7; echo value: 16.0; echo took 0.25 s", "{file}"]
value = 'value: (\S+)'
seconds = 'took (\S+)'
[[external]]
name = "reads its input"
command = ["sh", "-c", "grep -c open > /dev/null && echo 16"]
value = '\d+'
[[external]]
name = "slow"
command = ["sh", "-c", "sleep 60 & sleep 60; echo 16"]
value = '\d+'
[[external]]
name = "loses"
command = ["no-such-program-anywhere"]
value = '\d+'
"#;
    let folder = laboratory(suite);
    let results = folder.path().join("results.jsonl");
    assert_eq!(experiment(folder.path(), &results).code, 0);
    let session = run(&["experiment", "runs", "--json", text(&results)]);
    let runs: Vec<Record> = serde_json::from_str(&session.stdout).unwrap();
    let of = |name: &str| runs.iter().find(|run| run.solver == name).unwrap();
    assert_eq!(of("good").status, "solved");
    assert_eq!(of("good").value.as_deref(), Some("16.0"));
    assert!((of("good").seconds - 0.25).abs() < 1e-9);
    assert_eq!(of("reads its input").value.as_deref(), Some("16"));
    assert_eq!(of("slow").status, "timeout");
    assert!(of("slow").wall_seconds < 30.0);
    assert_eq!(of("loses").status, "failed");
    assert!(of("loses").message.is_some());
    assert_eq!(session.code, 0, "16.0 and 16 agree");

    let wrong = suite.replace("value: 16.0", "value: 17");
    fs::write(folder.path().join("suite.toml"), wrong).unwrap();
    let results = folder.path().join("wrong.jsonl");
    assert_eq!(experiment(folder.path(), &results).code, 0);
    let session = run(&["experiment", "table", text(&results)]);
    assert_eq!(session.code, 70);
    assert!(
        session.stderr.contains("`good` says solved 17"),
        "{}",
        session.stderr
    );
}

#[test]
fn the_suite_of_the_guide_runs() {
    let guide = fs::read_to_string("docs/experiments.md").unwrap();
    let suite = guide.split("```toml\n").nth(1).unwrap();
    let suite = suite
        .split("```")
        .next()
        .unwrap()
        .replace("models/or/*.qip", "*.qip");
    let folder = laboratory(&suite);
    let results = folder.path().join("results.jsonl");
    let session = experiment(folder.path(), &results);
    assert_eq!(session.code, 0, "{}", session.stderr);
    assert_eq!(substance(&results).len(), 6);
    for words in [
        &["table", "--by-family"][..],
        &["table", "--csv"],
        &["table", "--json"],
        &["runs"],
        &["runs", "--csv"],
    ] {
        let mut line = vec!["experiment"];
        line.extend(words);
        line.push(text(&results));
        let session = run(&line);
        assert_eq!(session.code, 0, "{words:?}: {}", session.stderr);
        assert!(session.stdout.contains("no table"), "{}", session.stdout);
    }
    for kind in ["cactus", "scatter", "profile", "ablation", "trace"] {
        let session = run(&["experiment", "plot", kind, text(&results)]);
        assert_eq!(session.code, 0, "{}", session.stderr);
        assert_well_formed(&session.stdout);
    }
}

#[test]
fn suites_that_ship_can_be_planned() {
    for entry in fs::read_dir("benches/suites").unwrap() {
        let path: PathBuf = entry.unwrap().path();
        let suite = Suite::parse(&fs::read_to_string(&path).unwrap()).unwrap();
        let plan = Plan::new("suite", &suite, path.parent().unwrap());
        let plan = plan.unwrap_or_else(|fault| panic!("{}: {fault}", path.display()));
        assert!(plan.runs.len() > 5, "{}", path.display());
        assert_eq!(plan.repeated_instances, [""; 0], "{}", path.display());
    }
}

#[test]
fn pictures_are_well_formed_whatever_the_names() {
    let odd = ["a < b & \"c\"", "ü 漢 \u{1}", "", "]]>", "<svg>"];
    let run_of = |(place, name): (usize, &&str)| Record {
        key: format!("{place}"),
        solver: (*name).to_owned(),
        instance: (*name).to_owned(),
        family: (*name).to_owned(),
        fingerprint: "f".to_owned(),
        status: "optimal".to_owned(),
        seconds: [0.0, f64::NAN, f64::INFINITY, -1.0, 1e300][place],
        limit_seconds: 1.0,
        trace: vec![
            TracePoint {
                seconds: place as f64,
                objective: Some("7/3".to_owned()),
                bound: Some("1e30".to_owned()),
            };
            place
        ],
        ..Record::default()
    };
    let records: Vec<Record> = odd.iter().enumerate().map(run_of).collect();
    for results in [Results::new(records), Results::new(Vec::new())] {
        for picture in [
            plot::cactus(&results, odd[0]),
            plot::profile(&results, odd[1]),
            plot::scatter(&results, odd[0], odd[1], odd[3]),
            plot::ablation(&results, odd[0], 1.0, odd[4]),
            plot::trace(&results, "f", odd[1]),
        ] {
            assert_well_formed(&picture);
            assert!(
                !picture.contains("NaN") && !picture.contains("inf,"),
                "{picture}"
            );
        }
    }
}

/// Tags match, attributes are quoted, nothing forbidden stands between.
fn assert_well_formed(xml: &str) {
    let mut open: Vec<&str> = Vec::new();
    let mut rest = xml.trim();
    assert!(rest.starts_with("<svg "), "{xml}");
    while let Some(start) = rest.find('<') {
        let between = &rest[..start];
        assert!(!between.contains('>'), "{between}");
        assert!(open.len() > usize::from(between.trim().is_empty()) || between.trim().is_empty());
        for (at, _) in between.match_indices('&') {
            let entity = between[at..].split(';').next().unwrap();
            assert!(
                ["&amp", "&lt", "&gt", "&quot"].contains(&entity),
                "{entity}"
            );
        }
        assert!(!between.chars().any(|it| it.is_control() && it != '\n'));
        let end = start + rest[start..].find('>').unwrap();
        let tag = &rest[start + 1..end];
        assert_eq!(tag.matches('"').count() % 2, 0, "{tag}");
        match tag.strip_prefix('/') {
            Some(name) => assert_eq!(open.pop(), Some(name)),
            None if tag.ends_with('/') => {}
            None => open.push(tag.split(' ').next().unwrap()),
        }
        rest = &rest[end + 1..];
        assert!(rest.is_empty() || !open.is_empty(), "one root");
    }
    assert!(open.is_empty() && rest.is_empty());
}

#[test]
fn bounds_keep_their_order_on_random_programs() {
    let shapes = [
        RandomShape::small(),
        RandomShape::binary(),
        RandomShape::game(),
        RandomShape::with_reals(),
    ];
    let (mut below, mut sharp, mut above) = (0, 0, 0);
    for shape in &shapes {
        for seed in 0..100 {
            let program = random_program(seed, shape);
            let options = BoundsOptions {
                limits: Limits {
                    nodes: Some(20_000),
                    time: Some(Duration::from_secs(5)),
                    ..Limits::default()
                },
                random: 4,
                largest_set: 4,
                most_plays: 12,
                seed,
                ..BoundsOptions::default()
            };
            let report = measure(&program, &options);
            assert!(report.faults.is_empty(), "seed {seed}: {:?}", report.faults);
            let Some(value) = report.value().cloned() else {
                continue;
            };
            for entry in &report.entries {
                let known = entry.measured.exact();
                below += usize::from(entry.side == Side::Below && known.is_some());
                sharp += usize::from(entry.side == Side::Below && known == Some(&value));
                above += usize::from(entry.side == Side::Above && known.is_some());
            }
        }
    }
    // The theorems were put to the test, and not by bounds that say nothing.
    assert!(
        below > 2000 && sharp > 500 && above > 50,
        "{below} {sharp} {above}"
    );
    assert!(sharp < below);
}

#[test]
fn bounds_are_shown_as_text_csv_json_and_picture() {
    const LOT: &str = "models/or/lot-sizing.qip";
    let folder = tempfile::tempdir().unwrap();
    let svg = folder.path().join("bounds.svg");
    let session = run(&["bounds", LOT, "--svg", text(&svg)]);
    assert_eq!(session.code, 0, "{}", session.stderr);
    assert!(
        session.stdout.contains("existential LP"),
        "{}",
        session.stdout
    );
    assert_well_formed(&fs::read_to_string(&svg).unwrap());
    let session = run(&["bounds", "--json", LOT, "models/or/knapsack.qip"]);
    let lines: serde_json::Value = serde_json::from_str(&session.stdout).unwrap();
    assert_eq!(lines[0]["relaxation"], "value");
    assert_eq!(lines[0]["value"], "16");
    let session = run(&["bounds", "--csv", LOT]);
    assert!(
        session
            .stdout
            .starts_with("model,relaxation,side,status,value,")
    );
    quip()
        .args(["bounds", "--svg", "x.svg", LOT, LOT])
        .assert()
        .code(2);
}
