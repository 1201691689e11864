//! The search visits as many positions as `benches/signature.txt` says, on every shipped model that
//! it takes, without linear programs. A change that is not meant to change the search does not
//! change these numbers; one that is meant to is accepted with
//!
//! ```text
//! QUIP_UPDATE_SIGNATURE=1 cargo test --release --test signature
//! ```

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use quip::format::read_bytes;
use quip::search;
use quip::solver::{Method, Options, Solver};

const SIGNATURE: &str = "benches/signature.txt";

fn models() -> Vec<PathBuf> {
    let folders = fs::read_dir("models")
        .unwrap()
        .map(|entry| entry.unwrap().path());
    let files = folders
        .filter(|path| path.is_dir())
        .flat_map(|folder| fs::read_dir(folder).unwrap())
        .map(|entry| entry.unwrap().path());
    let is_model = |path: &PathBuf| path.extension().is_some_and(|ending| ending == "qip");
    let mut files: Vec<PathBuf> = files.filter(is_model).collect();
    files.sort();
    files
}

/// The positions that a solve visits; `None` if the search does not take the model.
fn positions(path: &Path) -> Option<u64> {
    let bytes = fs::read(path).unwrap();
    let program = read_bytes(&path.to_string_lossy(), &bytes).unwrap().program;
    if !search::accepts(&program) {
        return None;
    }
    let mut options = Options {
        method: Method::Search,
        ..Options::default()
    };
    options.set("search.relax", "off").unwrap();
    let outcome = Solver::new(options).solve(&program).unwrap();
    Some(outcome.effort.nodes)
}

fn measured() -> String {
    let mut text = String::new();
    for path in models() {
        if let Some(nodes) = positions(&path) {
            let inside = path.strip_prefix("models").unwrap();
            writeln!(text, "{:<40} {nodes:>8}", inside.display()).unwrap();
        }
    }
    text
}

#[test]
fn the_search_visits_as_many_positions_as_before() {
    let now = measured();
    if std::env::var_os("QUIP_UPDATE_SIGNATURE").is_some() {
        fs::write(SIGNATURE, &now).unwrap();
    }
    let before = fs::read_to_string(SIGNATURE).unwrap_or_default();
    assert_eq!(
        now, before,
        "the search has changed; if that is meant, run\n  \
         QUIP_UPDATE_SIGNATURE=1 cargo test --release --test signature\nand commit {SIGNATURE}"
    );
}
