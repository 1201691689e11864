//! The command on formulas: answers, exit codes, conversions.

use std::fs;

use crate::session::{Session, quip, run};

fn folder_with(name: &str, text: &str) -> (tempfile::TempDir, String) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    fs::write(&path, text).unwrap();
    let path = path.to_str().unwrap().to_owned();
    (folder, path)
}

fn solve(name: &str, text: &str, options: &[&str]) -> Session {
    let (_folder, path) = folder_with(name, text);
    run(&[&["solve", "-q"], options, &[&path]].concat())
}

#[test]
fn a_true_formula_shows_the_existential_players_first_moves() {
    let session = solve(
        "f.qdimacs",
        "p cnf 9 3\ne 9 2 0\na 1 0\n9 1 0\n-2 1 0\n9 2 0\n",
        &[],
    );
    assert_eq!(
        (session.stdout.as_str(), session.code),
        ("s cnf 1 9 3\nV 9 0\nV -2 0\n", 10)
    );
}

#[test]
fn a_false_formula_shows_the_universal_players_first_moves() {
    let session = solve("f.qdimacs", "p cnf 2 2\na 1 0\ne 2 0\n1 2 0\n1 -2 0\n", &[]);
    assert_eq!(
        (session.stdout.as_str(), session.code),
        ("s cnf 0 2 2\nV -1 0\n", 20)
    );
}

#[test]
fn the_losers_moves_are_not_shown() {
    let session = solve(
        "f.qdimacs",
        "p cnf 2 2\ne 1 0\na 2 0\n1 2 0\n-1 -2 0\n",
        &[],
    );
    assert_eq!(
        (session.stdout.as_str(), session.code),
        ("s cnf 0 2 2\n", 20)
    );
    let session = solve("f.qdimacs", "p cnf 2 1\na 2 0\ne 1 0\n1 2 0\n", &[]);
    assert_eq!(
        (session.stdout.as_str(), session.code),
        ("s cnf 1 2 1\n", 10)
    );
}

#[test]
fn circuits_answer_with_the_names_of_the_file() {
    let text =
        "#QCIR-G14\nexists(3, free)\nforall(b)\noutput(g)\ng = and(-3, h)\nh = or(b, free)\n";
    let session = solve("f.qcir", text, &[]);
    assert_eq!(
        (session.stdout.as_str(), session.code),
        ("s cnf 1 3 2\nV -3 0\nV free 0\n", 10)
    );
}

#[test]
fn an_open_formula_ends_with_zero() {
    let text = "p cnf 4 2\na 1 2 0\ne 3 4 0\n1 2 3 4 0\n-3 -4 0\n";
    let mut options = vec!["--nodes", "0"];
    // Else nothing would be left to search.
    for off in [
        "clausal.pure=off",
        "clausal.blocked=off",
        "clausal.elimination=off",
    ] {
        options.extend(["--set", off]);
    }
    let session = solve("f.qdimacs", text, &options);
    assert_eq!(
        (session.stdout.as_str(), session.code),
        ("s cnf -1 4 2\n", 0)
    );
}

#[test]
fn the_usual_report_is_a_comment() {
    let (_folder, path) = folder_with("f.qdimacs", "p cnf 1 1\ne 1 0\n1 0\n");
    let session = run(&["solve", &path]);
    assert!(
        session.stdout.starts_with("c Feasible: "),
        "{}",
        session.stdout
    );
    assert!(
        session.stdout.ends_with("\ns cnf 1 1 1\nV 1 0\n"),
        "{}",
        session.stdout
    );
}

#[test]
fn json_answers_keep_the_exit_code() {
    let session = solve("f.qdimacs", "p cnf 1 1\ne 1 0\n1 0\n", &["--json"]);
    let result: serde_json::Value = serde_json::from_str(&session.stdout).unwrap();
    assert_eq!(
        (result["status"].as_str(), session.code),
        (Some("feasible"), 10)
    );
}

#[test]
fn other_models_can_end_like_formulas() {
    let lot = "models/or/lot-sizing.qip";
    assert_eq!(run(&["solve", "-q", "--qbf-exit", lot]).code, 10);
    assert_eq!(
        run(&[
            "solve",
            "-q",
            "--qbf-exit",
            "models/corner/interior-worst-case.qip"
        ])
        .code,
        20
    );
    assert_eq!(
        run(&["solve", "-q", "--qbf-exit", "--nodes", "0", lot]).code,
        0
    );
}

#[test]
fn formulas_convert_between_all_formats() {
    let text = "p cnf 3 2\na 1 0\ne 2 3 0\n1 -2 0\n2 3 0\n";
    let (folder, path) = folder_with("f.qdimacs", text);
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let mut from = path;
    for name in ["f.qcir", "f.qip", "f.qlp", "f.qcir.gz", "g.qdimacs"] {
        let session = run(&["convert", &from, &at(name)]);
        assert_eq!((session.code, session.stderr.as_str()), (0, ""), "{name}");
        from = at(name);
    }
    assert_eq!(fs::read_to_string(from).unwrap(), text);
}

#[test]
fn what_is_no_formula_is_refused_with_the_reason() {
    let session = run(&["convert", "models/or/lot-sizing.qip", "--to", "qcir", "-"]);
    assert_eq!(session.code, 65);
    assert!(
        session.stderr.contains("it has an objective"),
        "{}",
        session.stderr
    );
}

#[test]
fn formulas_come_from_standard_input_and_can_be_described() {
    let text = "p cnf 2 1\na 1 0\ne 2 0\n1 2 0\n";
    let ran = quip()
        .args(["info", "-"])
        .write_stdin(text)
        .output()
        .unwrap();
    let said = String::from_utf8(ran.stdout).unwrap();
    assert!(
        said.contains("qdimacs") && said.contains("quantified Boolean formula"),
        "{said}"
    );
}
