//! Golden sessions of the command: what is typed, what is said, how it ends.
//!
//! Times, sizes and the engine's counts are masked; everything else is compared to the letter.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod session;

use std::fs;
use std::io::{Read, Write};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;
use session::{Session, endless_model, quip, run, wait_for_log};

const LOT: &str = "models/or/lot-sizing.qip";

/// Compares a whole session with its golden copy.
macro_rules! golden {
    ($name:literal, $session:expr) => {
        insta::assert_snapshot!($name, $session.transcript())
    };
}

#[test]
fn solving_prints_the_answer_and_logs_beside_it() {
    let session = run(&["solve", LOT]);
    assert_eq!(session.code, 0);
    assert!(session.stdout.starts_with("Optimal: 16 can be guaranteed"));
    assert!(session.stderr.starts_with("quip "));
    golden!("solve", session);
}

#[test]
fn a_model_alone_is_solved() {
    let (short, long) = (run(&[LOT, "-q"]), run(&["solve", LOT, "-q"]));
    assert_eq!(short.transcript_of_streams(), long.transcript_of_streams());
    assert_eq!(short.stderr, "");
}

#[test]
fn a_rounded_decimal_is_marked_with_a_short_fraction_behind() {
    let session = run(&["-q", "models/corner/fraction.qip"]);
    assert!(
        session.stdout.contains("≈2.333333 (7/3) can be guaranteed"),
        "{}",
        session.stdout
    );
}

#[test]
fn a_model_that_is_enumerated_says_what_is_in_the_way() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("repair.qip");
    let text = "minimize x + 3 z
        subject to cover: 2 z + x >= u + 1/3
        tie: z <= 1.5 + 0.25 x
        uncertainty safe1: u + x <= 2
        more: 2 u + 3 v - x <= 4
        prefix exists integer x in [0, 2] forall integer u v in [0, 2]
               exists real z in [0, 5] exists integer w in [0, 2] end";
    fs::write(&path, text).unwrap();
    let repair = path.to_str().unwrap();
    let session = run(&["solve", repair]);
    assert_eq!(session.code, 0);
    let note = "note: no faster engine takes this model, so its plays are enumerated: ";
    let line = session.stderr.lines().find(|line| line.starts_with(note));
    assert!(
        line.is_some_and(|line| line.contains("`safe1`")),
        "{}",
        session.stderr
    );
    assert_eq!(run(&["solve", "-q", repair]).stderr, "");
    assert!(!run(&["solve", LOT]).stderr.contains("note:"));
}

#[test]
fn a_refusal_is_a_result_for_those_who_read_json() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("refused.qip");
    let text = "minimize 2 y + 3 z - 2 u  subject to y + z >= u
        uncertainty 2 u + v <= 3
                    u + 3 v <= 4
        prefix forall real u in [0, 3]  forall real v in [0, 1]
               exists integer y in [0, 3]  exists real z in [0, 1] end";
    fs::write(&path, text).unwrap();
    let session = run(&["solve", "--json", "-q", path.to_str().unwrap()]);
    let result: Value = serde_json::from_str(&session.stdout).unwrap();
    assert_eq!(result["schema"], "quip-result/1");
    assert_eq!(result["status"], "refused");
    let reason = result["reason"].as_str().unwrap();
    assert!(reason.contains("`y`") && reason.contains("`u`"), "{reason}");
    assert_eq!(session.code, 65);
}

#[test]
fn a_value_that_no_play_attains_says_what_is_approached() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("approached.qip");
    let text = "minimize y - u  subject to y >= u
        prefix forall real u in [0, 1]  exists integer y in [0, 2] end";
    fs::write(&path, text).unwrap();
    let session = run(&["solve", "-q", path.to_str().unwrap()]);
    assert!(
        session.stdout.starts_with("Optimal: 1 can be guaranteed"),
        "{}",
        session.stdout
    );
    let line = "  approached   u just above 0; no play attains the value\n";
    assert!(session.stdout.contains(line), "{}", session.stdout);
    let session = run(&["solve", "--json", "-q", path.to_str().unwrap()]);
    let result: Value = serde_json::from_str(&session.stdout).unwrap();
    assert_eq!(result["approached"], serde_json::json!({"u": "above"}));
}

#[test]
fn the_result_is_json_field_by_field() {
    let session = run(&["solve", "--json", "-q", LOT]);
    let result: Value = serde_json::from_str(&session.stdout).unwrap();
    assert_eq!(result["schema"], "quip-result/1");
    assert_eq!(result["quip"]["version"], env!("CARGO_PKG_VERSION"));
    assert!(result["quip"]["highs"].as_str().unwrap().starts_with("1."));
    assert_eq!(result["model"]["file"], LOT);
    assert_eq!(result["model"]["fingerprint"].as_str().unwrap().len(), 16);
    let blocks = ["exists", "forall", "exists", "forall", "exists"];
    assert_eq!(result["model"]["blocks"], serde_json::json!(blocks));
    assert_eq!(result["model"]["variables"], 7);
    assert_eq!(result["model"]["rows"], 4);
    assert_eq!(result["model"]["uncertainty_rows"], 1);
    assert_eq!(result["status"], "optimal");
    assert_eq!(result["stop"], Value::Null);
    assert_eq!(result["sense"], "minimize");
    assert_eq!(result["method"], "search");
    assert_eq!(result["objective"], "16");
    assert_eq!(result["bound"], "16");
    assert_eq!(result["gap"], 0.0);
    assert_eq!(result["first_stage"], serde_json::json!({"open": "1"}));
    let play = result["principal_variation"].as_array().unwrap();
    assert_eq!(play.len(), 7);
    let opening = serde_json::json!({"variable": "open", "player": "exists", "value": "1"});
    assert_eq!(play[0], opening);
    assert_eq!(play[1]["player"], "forall");
    assert_eq!(result["certificate"]["checked"], false);
    assert!(result["effort"]["nodes"].as_u64().unwrap() > 0);
    assert!(result["effort"]["seconds"].as_f64().unwrap() >= 0.0);
    assert_eq!(result["warnings"], serde_json::json!([]));
}

#[test]
fn the_stream_starts_and_ends_with_an_event() {
    let session = run(&["solve", "--json-stream", "-q", LOT]);
    let parsed = |line: &str| serde_json::from_str::<Value>(line).unwrap();
    let events: Vec<Value> = session.stdout.lines().map(parsed).collect();
    let (first, last) = (&events[0], &events[events.len() - 1]);
    assert_eq!(first["event"], "start");
    assert_eq!(first["model"]["file"], LOT);
    assert_eq!(last["event"], "result");
    assert_eq!(last["objective"], "16");
    assert!(events.len() >= 2);
}

#[test]
fn the_result_file_holds_what_json_prints() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("result.json");
    let session = run(&["solve", LOT, "-q", "-o", path.to_str().unwrap()]);
    assert!(session.stdout.starts_with("Optimal: 16"));
    let result: Value = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
    assert_eq!(result["objective"], "16");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn no_file_is_written_that_was_not_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let model = fs::canonicalize(LOT).unwrap();
    for command in ["solve", "info"] {
        quip()
            .arg(command)
            .arg(&model)
            .current_dir(folder.path())
            .output()
            .unwrap();
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn proofs_against_the_player_have_their_own_codes() {
    let session = run(&["-q", "models/corner/interior-worst-case.qip"]);
    assert_eq!(session.code, 10);
    golden!("infeasible", session);
    let session = run(&["-q", "models/corner/opponent-stuck.qip"]);
    assert_eq!(session.code, 11);
    golden!("stuck", session);
    assert_eq!(run(&["-q", "models/corner/unbounded.qip"]).code, 11);
}

#[test]
fn a_target_in_reach_is_a_success() {
    for target in ["16", "33/2", "100"] {
        let session = run(&["solve", "--json", "-q", "--target", target, LOT]);
        assert_eq!(session.code, 0, "{target}");
        let result: Value = serde_json::from_str(&session.stdout).unwrap();
        assert_eq!(result["status"], "target_reached");
        assert_eq!(result["stop"], Value::Null);
        assert!(!result["objective"].is_null());
    }
    golden!(
        "target_reached",
        run(&["-q", "--target", "5/2", "models/corner/fraction.qip"])
    );
    golden!(
        "target_out_of_reach",
        run(&["-q", "--target", "2", "models/corner/fraction.qip"])
    );
}

#[test]
fn a_target_out_of_reach_is_proved_infeasible_with_a_bound() {
    let session = run(&["solve", "--json", "-q", "--target", "15.9", LOT]);
    assert_eq!(session.code, 10);
    let result: Value = serde_json::from_str(&session.stdout).unwrap();
    assert_eq!(result["status"], "infeasible");
    assert_eq!(result["objective"], Value::Null);
    assert_eq!(result["target"], "159/10");
    assert_eq!(result["bound"], "16");
}

#[test]
fn an_outright_win_counts_as_reaching_any_target() {
    let session = run(&["-q", "--target", "-5", "models/corner/opponent-stuck.qip"]);
    assert_eq!(session.code, 11);
}

#[test]
fn a_target_without_an_objective_is_a_usage_error() {
    let session = run(&["-q", "--target", "1", "models/seed/three-variables.qip"]);
    assert_eq!(session.code, 2);
    assert!(
        session.stderr.contains("needs an objective"),
        "{}",
        session.stderr
    );
}

#[test]
fn deciding_ignores_the_objective() {
    let session = run(&["-q", "--decide", LOT]);
    assert_eq!(session.code, 0);
    golden!("decide", session);
}

#[test]
fn info_describes_without_solving() {
    golden!("info", run(&["info", LOT]));
    golden!(
        "info_notes",
        run(&["info", "models/corner/empty-domain.qip"])
    );
}

#[test]
fn info_speaks_json() {
    let session = run(&["info", "--json", LOT]);
    let info: Value = serde_json::from_str(&session.stdout).unwrap();
    assert_eq!(info["schema"], "quip-info/1");
    assert_eq!(info["format"], "qip");
    assert_eq!(info["class"]["decision_dependent"], false);
    assert_eq!(info["class"]["simply_restricted"], true);
    assert_eq!(
        info["exists"],
        serde_json::json!({"binary": 1, "integer": 3, "real": 1})
    );
    assert_eq!(info["existential"]["equations"], 2);
    assert_eq!(info["universal"]["rows"], 1);
    assert_eq!(info["coefficients"], serde_json::json!(["1/2", "10"]));
    assert_eq!(info["blocks"].as_array().unwrap().len(), 5);
    assert_eq!(info["lints"], serde_json::json!([]));
}

#[test]
fn converting_there_and_back_keeps_the_program() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (there, packed, back) = (path("lot.qlp"), path("lot.qlp.gz"), path("lot.qip"));
    assert_eq!(run(&["convert", LOT, &there]).code, 0);
    assert_eq!(run(&["convert", LOT, &packed]).code, 0);
    assert_eq!(run(&["convert", &packed, &back]).code, 0);
    let fingerprint = |file: &str| {
        let session = run(&["info", "--json", file]);
        let info: Value = serde_json::from_str(&session.stdout).unwrap();
        info["fingerprint"].as_str().unwrap().to_owned()
    };
    assert_eq!(fingerprint(&there), fingerprint(LOT));
    assert_eq!(fingerprint(&back), fingerprint(LOT));
    golden!("convert", run(&["convert", LOT, "--to", "qlp", "-"]));
}

#[test]
fn a_wrong_model_gets_carets_and_remedies() {
    let folder = tempfile::tempdir().unwrap();
    let wrong = "minimize\n  demnd\nsubject to\n  serve: q - demnd >= 0\n\
                 prefix\n  forall integer demand in [0, 2]\n  exists integer q in [0, 3]\nend\n";
    fs::write(folder.path().join("wrong.qip"), wrong).unwrap();
    let ran = quip()
        .args(["solve", "wrong.qip"])
        .current_dir(folder.path())
        .output()
        .unwrap();
    let session = Session::of(&["solve", "wrong.qip"], &ran);
    assert_eq!(session.code, 65);
    assert_eq!(session.stdout, "");
    golden!("wrong_model", session);
}

#[test]
fn files_that_cannot_be_read_or_written_have_their_codes() {
    let session = run(&["solve", "models/nowhere.qip"]);
    assert_eq!(session.code, 66);
    golden!("missing_file", session);
    assert_eq!(run(&["info", "models"]).code, 66);
    assert_eq!(
        run(&["solve", "-q", LOT, "-o", "models/nowhere/result.json"]).code,
        74
    );
    assert_eq!(run(&["convert", LOT, "models/nowhere/lot.qip"]).code, 74);
}

#[test]
fn a_full_disk_is_noticed() {
    if let Ok(full) = fs::OpenOptions::new().write(true).open("/dev/full") {
        let status = Command::new(env!("CARGO_BIN_EXE_quip"))
            .args(["solve", "-q", LOT])
            .stdout(full)
            .stderr(Stdio::null())
            .status();
        assert_eq!(status.unwrap().code(), Some(74));
    }
}

#[test]
fn wrong_usage_is_explained() {
    for typed in [
        vec![],
        vec!["solve"],
        vec!["solve", LOT, "--no-such-option"],
        vec!["solve", LOT, "-t", "soon"],
        vec!["solve", LOT, "--method", "magic"],
        vec!["solve", LOT, "--json", "--json-stream"],
        vec!["convert", LOT, "lot.unknown"],
        vec!["man", "nothing"],
        vec!["slove", LOT],
        vec!["solve", LOT, "--certificate", "-"],
        vec!["convert", LOT, "lot.prefix"],
    ] {
        let session = run(&typed);
        assert_eq!(session.code, 2, "{typed:?}: {}", session.stderr);
        assert!(!session.stderr.is_empty());
    }
}

#[test]
fn files_of_other_solvers_are_solved_and_written() {
    let solved = run(&["-q", "models/plain/interdiction.aux"]);
    assert!(
        solved.stdout.starts_with("Optimal: 7 can be guaranteed"),
        "{}",
        solved.stdout
    );
    let folder = tempfile::tempdir().unwrap();
    for name in ["copy.mps", "copy.lp", "copy.mps.gz"] {
        let copy = folder.path().join(name);
        let copy = copy.to_str().unwrap();
        assert_eq!(run(&["convert", "models/plain/plan.mps", copy]).code, 0);
        let solved = run(&["-q", copy]);
        assert!(
            solved.stdout.starts_with("Optimal: the minimum is 1."),
            "{}",
            solved.stdout
        );
    }
    let copy = folder.path().join("lot.lp");
    let refused = run(&["convert", LOT, copy.to_str().unwrap()]);
    assert_eq!(refused.code, 65);
    assert!(
        refused.stderr.contains("--equivalent"),
        "{}",
        refused.stderr
    );
}

#[test]
fn data_may_come_with_a_model() {
    let folder = tempfile::tempdir().unwrap();
    let place = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let model = "set S\nparam gain[S]\nmaximize sum{s in S} gain[s] x[s]\n\
                 prefix exists binary x[s in S] end\n";
    fs::write(place("m.qip"), model).unwrap();
    fs::write(place("d.toml"), "S = [\"a\", \"b\"]\ngain = [0.1, 0.2]\n").unwrap();
    let solved = run(&["-q", &place("m.qip"), "--data", &place("d.toml")]);
    assert!(
        solved.stdout.starts_with("Optimal: the maximum is 0.3"),
        "{}",
        solved.stdout
    );
    assert!(
        solved.stdout.contains("x[a] = 1, x[b] = 1"),
        "{}",
        solved.stdout
    );
    let refused = run(&["-q", &place("m.qip")]);
    assert_eq!(refused.code, 65);
    assert!(
        refused.stderr.contains("set `S` has no elements"),
        "{}",
        refused.stderr
    );
    let flat = run(&["convert", "models/sets/lot-sizing.qip", "--to", "qip", "-"]);
    assert!(
        flat.stdout.contains("budget_d: 1/2 d[1] + 1/2 d[2] <= 3/2"),
        "{}",
        flat.stdout
    );
}

#[test]
fn files_are_laid_out_in_place_or_only_checked() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("m.qip");
    let path = path.to_str().unwrap();
    fs::write(
        path,
        "minimize x\nsubject to\nr: x>=1  \\ note\nprefix\nexists binary x\nend",
    )
    .unwrap();
    let checked = run(&["fmt", "--check", path]);
    assert_eq!((checked.code, checked.stdout.trim()), (1, path));
    assert_eq!(run(&["fmt", path]).code, 0);
    let expected = "minimize x\nsubject to\n  r: x >= 1  \\ note\nprefix\n  exists binary x\nend\n";
    assert_eq!(fs::read_to_string(path).unwrap(), expected);
    assert_eq!(run(&["fmt", "--check", path]).code, 0);
    assert_eq!(run(&["fmt", "models/plain/plan.mps"]).code, 2);
    fs::write(path, "minimize x + \nprefix exists binary y end").unwrap();
    assert_eq!(run(&["fmt", path]).code, 65);
}

#[test]
fn remarks_have_codes_and_may_be_allowed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("m.qip");
    let path = path.to_str().unwrap();
    let model = "minimize x\nsubject to\n  budget: u + v < 1\n  cover: x >= u + v\n\
                 prefix\n  forall binary u v\n  exists integer x in [0, 2]\nend\n";
    fs::write(path, model).unwrap();
    let found = run(&["lint", path]);
    assert_eq!(found.code, 1);
    assert!(found.stdout.contains("warning[W502]") && found.stdout.contains("warning[L008]"));
    let found = run(&["lint", "--json", "--allow", "w502", path]);
    let json: Value = serde_json::from_str(&found.stdout).unwrap();
    assert_eq!(json["schema"], "quip-lint/1");
    assert_eq!(json["remarks"].as_array().unwrap().len(), 1);
    assert_eq!(json["remarks"][0]["code"], "L008");
    let quiet = run(&["lint", "--allow", "W502", "--allow", "L008", path]);
    assert_eq!((quiet.code, quiet.stdout.as_str()), (0, ""));
}

#[test]
fn help_is_an_answer() {
    for command in [
        "solve",
        "info",
        "convert",
        "fmt",
        "lint",
        "completions",
        "man",
    ] {
        let session = run(&[command, "--help"]);
        assert_eq!(session.code, 0);
        assert!(session.stdout.contains("Example"), "{command}");
    }
    golden!("help", run(&["--help"]));
    golden!("help_solve", run(&["solve", "--help"]));
    assert_eq!(
        run(&["-V"]).stdout,
        concat!("quip ", env!("CARGO_PKG_VERSION"), "\n")
    );
}

#[test]
fn completions_and_manual_pages_are_generated() {
    for shell in ["bash", "zsh", "fish"] {
        assert!(
            run(&["completions", shell]).stdout.contains("quip"),
            "{shell}"
        );
    }
    assert!(run(&["man"]).stdout.contains(".TH quip 1"));
    assert!(run(&["man", "solve"]).stdout.contains("json\\-stream"));
}

#[test]
fn standard_input_is_a_model_plain_or_compressed() {
    let plain = fs::read(LOT).unwrap();
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(&plain).unwrap();
    for bytes in [plain, encoder.finish().unwrap()] {
        let ran = quip()
            .args(["solve", "-q", "-"])
            .write_stdin(bytes)
            .output()
            .unwrap();
        assert!(String::from_utf8_lossy(&ran.stdout).starts_with("Optimal: 16"));
    }
}

#[test]
fn colours_come_only_when_wanted() {
    let escape = '\u{1b}';
    assert!(!run(&["solve", LOT]).stdout.contains(escape));
    assert!(
        run(&["solve", LOT, "--color", "always"])
            .stdout
            .contains(escape)
    );
    let ran = quip()
        .args(["solve", LOT])
        .env("NO_COLOR", "1")
        .output()
        .unwrap();
    assert!(!String::from_utf8_lossy(&ran.stdout).contains(escape));
}

#[test]
fn a_closed_pipe_is_no_reason_to_complain() {
    for typed in [
        ["info", LOT],
        ["solve", LOT],
        ["completions", "bash"],
        ["help", "solve"],
    ] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_quip"))
            .args(typed)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        let mut said = String::new();
        child
            .stderr
            .take()
            .unwrap()
            .read_to_string(&mut said)
            .unwrap();
        assert_eq!(child.wait().unwrap().code(), Some(0), "{typed:?}: {said}");
        assert!(!said.contains("error"), "{said}");
    }
}

/// Far above what a limit of a second or a signal may take on the busiest machine, far below what
/// the endless model takes.
const PATIENCE: Duration = Duration::from_secs(40);

#[test]
fn limits_end_a_solve_with_a_report() {
    let model = endless_model();
    for (limit, stop) in [(["--time", "1"], "time"), (["--nodes", "1000"], "nodes")] {
        let start = Instant::now();
        let ran = quip()
            .args(["solve", "-q", "--json", "-"])
            .args(limit)
            .write_stdin(model.as_bytes())
            .output()
            .unwrap();
        assert!(start.elapsed() < PATIENCE, "{stop}: {:?}", start.elapsed());
        let result: Value = serde_json::from_slice(&ran.stdout).unwrap();
        assert_eq!(result["status"], "interrupted");
        assert_eq!(result["stop"], stop);
        let code = if result["objective"].is_null() {
            21
        } else {
            20
        };
        assert_eq!(ran.status.code(), Some(code));
    }
}

#[test]
fn the_first_signal_asks_for_a_report() {
    for signal in ["INT", "TERM"] {
        let mut session = wait_for_log();
        let asked = Instant::now();
        session.send(signal);
        let (code, stdout) = session.finish();
        assert!(asked.elapsed() < PATIENCE, "{:?}", asked.elapsed());
        assert!(matches!(code, Some(20 | 21)), "{code:?}");
        assert!(stdout.starts_with("Stopped on request: "), "{stdout}");
        assert!(stdout.contains("effort"), "{stdout}");
    }
}

#[test]
fn the_second_signal_ends_the_process() {
    let mut session = wait_for_log();
    // Both signals wait until the process goes on, so none can slip in between.
    for signal in ["STOP", "INT", "TERM", "CONT"] {
        session.send(signal);
    }
    assert_eq!(session.finish().0, Some(130));
}

#[test]
fn easier_questions_are_proved_as_well() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("lot.cert");
    let file = path.to_str().unwrap();
    let claims = [
        (&["--decide"][..], "`feasible`"),
        (&["--target", "17"], "`optimal 16`"),
        (&["--target", "15"], "`optimal 16`"),
    ];
    for (question, claim) in claims {
        let solve = ["solve", "-q", "--certificate", file, LOT];
        let solved = run(&[&solve, question].concat());
        assert!(
            solved.stdout.contains("checked exactly"),
            "{}",
            solved.stdout
        );
        let checked = run(&["check", LOT, file]);
        assert_eq!(checked.code, 0, "{}", checked.stdout);
        assert!(checked.stdout.contains(claim), "{}", checked.stdout);
    }
}

#[test]
fn a_certificate_is_written_checked_and_checked_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("lot.cert");
    let file = path.to_str().unwrap();
    let solved = run(&["solve", "-q", "--certificate", file, LOT]);
    assert_eq!(solved.code, 0);
    assert!(
        solved.stdout.contains("both checked exactly"),
        "{}",
        solved.stdout
    );
    let checked = run(&["check", LOT, file]);
    assert_eq!(checked.code, 0, "{}", checked.stdout);
    assert!(
        checked
            .stdout
            .starts_with("Valid: the certificate proves `optimal 16`.")
    );

    let text = fs::read_to_string(&path).unwrap();
    fs::write(&path, text.replace("claim optimal 16", "claim optimal 15")).unwrap();
    let refused = run(&["check", LOT, file]);
    assert_eq!(refused.code, 1);
    assert!(
        refused.stdout.starts_with("Not valid:"),
        "{}",
        refused.stdout
    );
    assert_eq!(run(&["check", LOT, "no-such.cert"]).code, 66);
}

#[test]
fn a_tree_too_large_to_look_at_is_drawn_as_its_top_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("tree.svg");
    let start = Instant::now();
    let out = path.to_str().unwrap();
    let session = run(&["draw", "-t", "30", "models/gomoku/3x3-3.qip", "-o", out]);
    assert_eq!(session.code, 0, "{}", session.stderr);
    assert!(start.elapsed() < Duration::from_secs(30));
    assert!(
        session
            .stderr
            .contains("the whole tree is too large to look at")
    );
    let picture = fs::read_to_string(&path).unwrap();
    assert!(picture.starts_with("<svg"));
}

#[test]
fn a_wide_strategy_is_drawn_as_its_top_and_that_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("plan.svg");
    let out = path.to_str().unwrap();
    let session = run(&["solve", "--strategy", out, "models/gomoku/3x3-3.qip"]);
    assert!(
        session.stderr.contains("the picture is its top"),
        "{}",
        session.stderr
    );
    let picture = fs::read_to_string(&path).unwrap();
    let width = picture.split("width=\"").nth(1).unwrap();
    let width: f64 = width.split('"').next().unwrap().parse().unwrap();
    assert!(width <= 6_000.0, "{width}");
}

#[test]
fn a_rule_of_the_opponent_among_the_own_rows_gets_a_note() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("misplaced.qip");
    let text = "minimize x subject to serve: x >= a + b
        budget: a + b <= 1
        prefix forall binary a b exists integer x in [0, 5] end";
    fs::write(&path, text).unwrap();
    let model = path.to_str().unwrap();
    for typed in [&["solve", model][..], &["info", model]] {
        let session = run(typed);
        let said = session.stdout + &session.stderr;
        assert!(said.contains("did you mean `uncertainty`?"), "{said}");
    }
    let result: Value =
        serde_json::from_str(&run(&["solve", "-q", "--json", model]).stdout).unwrap();
    assert_eq!(result["warnings"].as_array().unwrap().len(), 1);
}

#[test]
fn an_opponent_without_any_legal_play_is_named_with_its_row() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("empty.qip");
    let text = "minimize x subject to x >= y uncertainty no: y >= 5
        prefix exists integer x in [0, 3] forall integer y in [0, 2] end";
    fs::write(&path, text).unwrap();
    let session = run(&["-q", path.to_str().unwrap()]);
    assert_eq!(session.code, 11);
    assert!(
        session
            .stdout
            .contains("the opponent has no legal play: its row `no` cannot hold"),
        "{}",
        session.stdout
    );
}

#[test]
fn huge_numbers_are_described_as_powers_of_ten() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("huge.qip");
    fs::write(
        &path,
        "subject to a + 1e300 b >= 1 prefix exists binary a b end",
    )
    .unwrap();
    let session = run(&["info", path.to_str().unwrap()]);
    assert!(
        session.stdout.contains("1 to 1e300 in absolute value"),
        "{}",
        session.stdout
    );
}

#[cfg(unix)]
#[test]
fn a_device_without_an_end_is_no_model_and_that_is_said_soon() {
    let start = Instant::now();
    let session = run(&["solve", "/dev/zero"]);
    assert_eq!(session.code, 65);
    assert!(start.elapsed() < Duration::from_secs(5));
}

#[test]
fn times_may_have_several_units() {
    assert_eq!(run(&["-q", "-t", "1h30m", LOT]).code, 0);
    assert_eq!(run(&["-q", "-t", "1h30x", LOT]).code, 2);
}

#[test]
fn the_families_are_not_all_called_games() {
    let help = run(&["generate", "--help"]).stdout;
    assert!(help.contains("games, and operations research"), "{help}");
}

#[test]
fn bounds_as_json_name_their_schema() {
    let session = run(&["bounds", "--json", "--random", "0", "--scenarios", "1", LOT]);
    let lines: Value = serde_json::from_str(&session.stdout).unwrap();
    assert_eq!(lines[0]["schema"], "quip-bounds/1");
}
