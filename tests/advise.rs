//! Decisions when they are needed: `quip advise` and `quip simulate`.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

#[expect(dead_code, reason = "sessions of other tests have more needs")]
mod session;

use std::fs;

use serde_json::{Value, json};
use session::run;

const LOT: &str = "models/or/lot-sizing.qip";

fn advised(given: &str) -> Value {
    let session = run(&["advise", "--json", LOT, "--given", given]);
    serde_json::from_str(&session.stdout).unwrap_or_else(|_| panic!("{}", session.stderr))
}

#[test]
fn advice_follows_what_has_happened() {
    let session = run(&["advise", LOT, "--given", "open=1, d1=2"]);
    assert_eq!(session.code, 0);
    assert!(
        session.stdout.contains("decide now   q1 = 2, s1 = 0\n"),
        "{}",
        session.stdout
    );
    assert!(
        session
            .stdout
            .contains("d2 = 2 is illegal: it breaks row `budget`")
    );
    let first = advised("");
    assert_eq!(
        (&first["now"], &first["guaranteed"]),
        (&json!([["open", "1"]]), &json!("16"))
    );
    assert_eq!(first["next"], "d1");
    let last = advised("d1=0, d2=1");
    assert_eq!(
        (&last["guaranteed"], &last["so_far"]),
        (&json!("12"), &json!("12"))
    );
    assert_eq!(last["next"], Value::Null);
}

#[test]
fn an_own_decision_that_was_not_advised_is_taken_as_it_is() {
    let worse = advised("open=1, d1=2, q1=3");
    assert_eq!(
        (&worse["now"], &worse["guaranteed"]),
        (&json!([["s1", "1"]]), &json!("17"))
    );
    let session = run(&["advise", LOT, "--given", "open=0"]);
    assert_eq!(session.code, 10);
    assert!(
        session
            .stdout
            .contains("After open = 0 nothing can be guaranteed"),
        "{}",
        session.stdout
    );
}

#[test]
fn an_observation_that_the_model_forbids_is_said_and_still_advised() {
    let it = advised("d1=2, d2=2");
    let why = it["unexpected"].as_str().unwrap();
    assert_eq!(
        why,
        "d2 = 2 is illegal: it breaks row `budget` of the opponent"
    );
    assert_eq!(it["guaranteed"], "18");
}

#[test]
fn models_without_a_written_strategy_are_advised_by_best_play() {
    let model = "models/or/location-real.qip";
    let first = run(&["advise", "--json", model]);
    assert_eq!(first.code, 0, "{}", first.stderr);
    let first: Value = serde_json::from_str(&first.stdout).unwrap();
    let value = run(&["solve", "-q", "--json", model]).stdout;
    let value: Value = serde_json::from_str(&value).unwrap();
    assert_eq!(first["guaranteed"], value["objective"]);
    assert!(!first["now"].as_array().unwrap().is_empty());
}

#[test]
fn what_cannot_have_happened_is_a_usage_error() {
    for (given, words) in [
        ("d2=1", "`d1` is fixed by the opponent before `d2`"),
        ("opne=1", "did you mean `open`?"),
        ("open=1, open=0", "given twice"),
    ] {
        let session = run(&["advise", LOT, "--given", given]);
        assert_eq!(session.code, 2, "{given}");
        assert!(session.stderr.contains(words), "{}", session.stderr);
    }
}

#[test]
fn simulated_plays_cost_no_more_than_is_guaranteed_and_the_worst_costs_that() {
    let session = run(&["simulate", "--json", "--runs", "200", LOT]);
    assert_eq!(session.code, 0);
    let it: Value = serde_json::from_str(&session.stdout).unwrap();
    assert_eq!(
        (&it["schema"], &it["guaranteed"]),
        (&json!("quip-simulation/1"), &json!("16"))
    );
    let summaries = &it["summaries"];
    assert_eq!(
        (&summaries[0]["count"], &summaries[0]["worst"]),
        (&json!(200), &json!("16"))
    );
    assert_eq!(
        (&summaries[1]["plays"], &summaries[1]["worst"]),
        (&json!("worst"), &json!("16"))
    );
    let again = run(&["simulate", "--json", "--runs", "200", LOT]);
    assert_eq!(session.stdout, again.stdout, "the same seed");
    let text = run(&["simulate", "--runs", "50", LOT]).stdout;
    assert!(text.contains("Cost of the random plays"), "{text}");
}

#[test]
fn scenarios_of_a_file_are_played_or_refused_with_their_row() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("plays.csv");
    let file = path.to_str().unwrap();
    let simulated = |text: &str| {
        fs::write(&path, text).unwrap();
        run(&["simulate", "--runs", "0", "--csv", "--scenarios", file, LOT])
    };
    let session = simulated("d1,d2\n0,2\n2,2\n");
    assert_eq!(session.code, 0, "{}", session.stderr);
    let lines: Vec<&str> = session.stdout.lines().collect();
    assert!(
        lines
            .iter()
            .any(|line| line.starts_with("given,1,played,14")),
        "{lines:?}"
    );
    assert!(
        lines.iter().any(|line| line.starts_with("given,2,refused")),
        "{lines:?}"
    );
    for (text, words) in [
        ("d1\n0\n", "there is no column for `d2`"),
        ("d1,d3\n0,1\n", "no variable `d3`"),
        ("d1,open\n0,1\n", "`open` is not the opponent's"),
        ("d1,d2\n0,x\n", "play 1, `d2`"),
    ] {
        let session = simulated(text);
        assert_eq!(session.code, 2, "{text}");
        assert!(session.stderr.contains(words), "{}", session.stderr);
    }
}

#[test]
fn a_lost_model_has_no_strategy_to_simulate() {
    let session = run(&["simulate", "models/corner/interior-worst-case.qip"]);
    assert_eq!(session.code, 10);
    assert!(
        session.stderr.contains("the model is lost"),
        "{}",
        session.stderr
    );
}
