//! Sessions about strategies: written in every shape, and explained in sentences.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod session;

use std::fs;

use session::run;

const LOT: &str = "models/or/lot-sizing.qip";

/// What `quip solve --strategy` writes under that extension.
fn written(model: &str, extension: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(format!("plan.{extension}"));
    run(&["solve", "-q", model, "--strategy", path.to_str().unwrap()]);
    fs::read_to_string(&path).unwrap()
}

#[test]
fn a_strategy_is_written_as_its_file_is_called() {
    insta::assert_snapshot!("strategy_txt", written(LOT, "txt"));
    insta::assert_snapshot!("strategy_ite", written(LOT, "ite"));
    insta::assert_snapshot!("strategy_json", written(LOT, "json"));
    insta::assert_snapshot!("strategy_dot", written(LOT, "dot"));
    assert!(written(LOT, "svg").starts_with("<svg"));
    assert_eq!(written(LOT, "gv"), written(LOT, "dot"));
    let lost = written("models/corner/interior-worst-case.qip", "txt");
    assert!(lost.starts_with("Refutation"), "{lost}");
}

#[test]
fn a_strategy_under_another_name_is_a_usage_error() {
    for name in ["plan.png", "plan"] {
        let session = run(&["solve", "-q", LOT, "--strategy", name]);
        assert_eq!(session.code, 2);
        assert!(session.stderr.contains(".txt, .ite, .json, .dot or .svg"));
        assert!(!fs::exists(name).unwrap());
    }
}
