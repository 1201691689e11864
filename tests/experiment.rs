//! Experiments: a resumed one equals an uninterrupted one, wrong suites are refused where they are
//! wrong, pictures are XML, and bounds keep their order.

#![allow(clippy::print_stderr, reason = "a test says what it skipped")]
#![allow(clippy::unwrap_used, reason = "a test may panic")]

#[allow(dead_code, reason = "shared with the golden sessions")]
mod session;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use quip::budget::Limits;
use quip::experiment::bounds::{BoundsOptions, Side, measure};
use quip::experiment::{Conduct, Ledger, Plan, Record, Results, Suite, TracePoint, conduct, plot};
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
    // The last line of a killed experiment may be torn.
    let lines = text
        .lines()
        .filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok());
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

/// Kills the experiment, without a warning, as soon as its results have that many lines.
fn killed_after(folder: &Path, results: &Path, lines: usize, jobs: &str) {
    let mut killed = Command::new(env!("CARGO_BIN_EXE_quip"))
        .args(["experiment", text(&folder.join("suite.toml"))])
        .args(["-o", text(results), "-j", jobs])
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    while fs::read_to_string(results).map_or(0, |text| text.lines().count()) < lines {
        std::thread::sleep(Duration::from_millis(2));
    }
    killed.kill().unwrap();
    killed.wait().unwrap();
}

#[test]
fn an_experiment_that_is_killed_twice_and_resumed_equals_an_uninterrupted_one() {
    let folder = laboratory(&SUITE.replace("repeats = 2", "repeats = 10"));
    let whole = folder.path().join("whole.jsonl");
    assert_eq!(experiment(folder.path(), &whole).code, 0);
    let expected = substance(&whole);
    assert_eq!(expected.len(), 80);

    let results = folder.path().join("results.jsonl");
    killed_after(folder.path(), &results, 5, "1");
    let first = substance(&results).len();
    // A machine that is slow to kill may have finished.
    killed_after(folder.path(), &results, (first + 20).min(81), "3");
    let second = substance(&results).len();
    assert!(4 <= first && first <= second, "{first} {second}");
    let session = experiment(folder.path(), &results);
    assert_eq!(session.code, 0, "{}", session.stderr);
    let told = format!("{} made now, {second} there before", 80 - second);
    assert!(session.stderr.contains(&told), "{}", session.stderr);
    assert_eq!(substance(&results), expected, "no run lost, none twice");
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
            with(&format!(
                "[[instances]]\ngenerate = 'nim'\ndata = ['x.toml']\n{solver}"
            )),
            "`data` is for files",
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
fn data_make_instances_of_one_model() {
    let suite = "limits = { seconds = 20 }
[[instances]]
files = ['plan.qip']
data = ['low.toml']
[[instances]]
files = ['plan.qip']
data = ['high.toml']
[[solvers]]
name = 'auto'
";
    let folder = laboratory(suite);
    let model = "param cost\nminimize cost x\nsubject to\nx >= 1\nprefix\nexists binary x\nend\n";
    fs::write(folder.path().join("plan.qip"), model).unwrap();
    fs::write(folder.path().join("low.toml"), "cost = 2\n").unwrap();
    fs::write(folder.path().join("high.toml"), "cost = 2.5\n").unwrap();
    let results = folder.path().join("out.jsonl");
    assert_eq!(experiment(folder.path(), &results).code, 0);
    let runs = run(&["experiment", "runs", "--csv", text(&results)]).stdout;
    for (name, value) in [("low", "2"), ("high", "5/2")] {
        let line = runs
            .lines()
            .find(|line| line.contains(&format!("plan.qip with {name}.toml")));
        assert!(
            line.is_some_and(|line| line.contains(&format!(",{value},"))),
            "{runs}"
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
    // The suite records no bounds: there is nothing to draw.
    let session = run(&["experiment", "plot", "trace", text(&results)]);
    assert_eq!((session.code, session.stdout.as_str()), (2, ""));
    assert!(
        session.stderr.contains("`trace = true`"),
        "{}",
        session.stderr
    );
    for kind in ["cactus", "scatter", "profile", "ablation"] {
        let session = run(&["experiment", "plot", kind, text(&results)]);
        assert_eq!(session.code, 0, "{}", session.stderr);
        assert_well_formed(&session.stdout);
    }
}

/// The plans of the suites that ship, with little time for each run.
fn shipped_plans() -> Vec<(PathBuf, Plan)> {
    let entries = fs::read_dir("benches/suites").unwrap();
    let files = entries.map(|entry| entry.unwrap().path());
    files
        .filter(|path| path.extension().is_some_and(|it| it == "toml"))
        .filter(|path| {
            let is_public = fs::read_to_string(path)
                .unwrap()
                .contains("shared/instances");
            let is_there = Path::new("../shared/instances").exists();
            if is_public && !is_there {
                eprintln!("skipped: {} needs the public instances", path.display());
            }
            !is_public || is_there
        })
        .map(|path| {
            let mut suite = Suite::parse(&fs::read_to_string(&path).unwrap()).unwrap();
            suite.limits.seconds = 0.3;
            let plan = Plan::new("suite", &suite, path.parent().unwrap());
            let plan = plan.unwrap_or_else(|fault| panic!("{}: {fault}", path.display()));
            (path, plan)
        })
        .collect()
}

#[test]
fn suites_that_ship_can_be_planned_and_run_on_one_instance_of_each_family() {
    let plans = shipped_plans();
    assert!(plans.len() >= 5, "{} suites", plans.len());
    for (path, mut plan) in plans {
        assert!(plan.runs.len() > 5, "{}", path.display());
        // Some of the public models are the same.
        let is_public = ["scenarios.toml", "qbf.toml"];
        if !is_public.iter().any(|name| path.ends_with(name)) {
            assert_eq!(plan.repeated_instances, [""; 0], "{}", path.display());
        }
        let mut first: BTreeMap<String, String> = BTreeMap::new();
        plan.runs.retain(|run| {
            let instance = &run.instance;
            let chosen = first
                .entry(instance.family.clone())
                .or_insert_with(|| instance.name.clone());
            *chosen == instance.name
        });
        let folder = tempfile::tempdir().unwrap();
        let results = folder.path().join("results.jsonl");
        let how = Conduct {
            quip: env!("CARGO_BIN_EXE_quip").into(),
            jobs: 2,
            stop: Arc::default(),
        };
        let ended = conduct(&plan, &mut Ledger::open(&results).unwrap(), &how, |_| {}).unwrap();
        assert_eq!((ended.made, ended.missing), (plan.runs.len(), 0));
        let records = Ledger::records(&results).unwrap();
        let own = |run: &&Record| !run.is_foreign();
        assert!(records.iter().filter(own).all(|run| run.status != "failed"));
        assert!(records.iter().any(Record::is_solved), "{}", path.display());
        assert_eq!(Results::new(records).disagreements(), [""; 0]);
    }
}

#[test]
fn turned_switches_are_solvers_of_their_own() {
    let suite = |turn: &str| {
        let text = format!(
            "limits = {{ seconds = 1 }}\n[[instances]]\nfiles = ['*.qip']\n[[solvers]]\n\
             name = 'base'\nmethod = 'search'\nset = {{ 'search.relax' = 'off' }}\nturn = {turn}\n"
        );
        Suite::parse(&text)
    };
    let solvers = suite("['search.']").unwrap().own_solvers();
    let of = |name: &str| solvers.iter().find(|it| it.name == name).unwrap();
    assert!(of("base").set.len() == 1 && of("base").method == "search");
    assert_eq!(of("search.relax=on").set["search.relax"], "on");
    let no_table = &of("search.table=0").set;
    assert!(no_table["search.table"] == "0" && no_table["search.relax"] == "off");
    assert!(solvers.iter().all(|it| !it.name.starts_with("presolve")));
    let fault = suite("['magic.']").unwrap_err().to_string();
    assert!(fault.contains("no option begins with `magic.`"), "{fault}");
}

#[test]
fn pictures_are_well_formed_whatever_the_names() {
    let odd = ["a < b & \"c\"(n=3)", "ü 漢 \u{1}", "", "]]>", "<svg>"];
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
            plot::trace(&results, "f", odd[1])
                .unwrap_or_else(|| plot::bars(odd[1], &[], 1.0, odd[0])),
            plot::growth(&results, "n", plot::Measure::Seconds, odd[0])
                .unwrap_or_else(|| plot::bars(odd[0], &[], 1.0, odd[1])),
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
    let (mut below, mut sharp, mut above, mut quantified) = (0, 0, 0, 0);
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
            let measured = |name: &str| {
                let found = report.entries.iter().find(|entry| entry.name == name);
                found.and_then(|entry| entry.measured.exact().cloned())
            };
            quantified += usize::from(measured("QLP") > measured("existential LP"));
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
        below > 2000 && sharp > 500 && above > 50 && quantified > 50,
        "{below} {sharp} {above} {quantified}"
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
    for relaxation in [
        "existential LP",
        "cooperative value",
        "nominal play, LP",
        "worst play, integer",
        "random 2, LP",
        "2 scenarios, LP",
        "4 scenarios, integer",
        "QLP",
        "equivalent LP",
        "equivalent, integer",
        "robust static plan",
    ] {
        assert!(session.stdout.contains(relaxation), "{}", session.stdout);
    }
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
