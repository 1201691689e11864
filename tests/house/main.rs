//! The rules of the house, read from the source itself: who may import whom, how long a file may
//! be, where printing and `unsafe` are at home.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::fs;
use std::path::{Path, PathBuf};

/// Every module of the library and what it may import. Imports go downward only.
const IMPORTS: &[(&str, &[&str])] = &[
    ("num", &[]),
    ("switch", &[]),
    ("program", &["num"]),
    ("strategy", &["program", "num"]),
    ("outcome", &["strategy", "program", "num"]),
    ("budget", &["outcome", "num"]),
    ("model", &["program", "num"]),
    ("format", &["program", "num"]),
    ("games", &["model", "format", "program", "num"]),
    (
        "rules",
        &[
            "games", "model", "format", "budget", "outcome", "program", "num",
        ],
    ),
    ("check", &["strategy", "program", "num"]),
    ("lp", &["budget", "outcome", "program", "num"]),
    (
        "certify",
        &["lp", "strategy", "outcome", "budget", "program", "num"],
    ),
    (
        "presolve",
        &["strategy", "outcome", "budget", "program", "switch", "num"],
    ),
    ("draw", &["lp", "strategy", "program", "num"]),
    ("propagate", &["program", "num"]),
    ("symmetry", &["propagate", "program", "num"]),
    (
        "benders",
        &[
            "lp", "strategy", "outcome", "budget", "program", "switch", "num",
        ],
    ),
    (
        "relax",
        &[
            "benders",
            "propagate",
            "lp",
            "budget",
            "outcome",
            "program",
            "num",
        ],
    ),
    ("learn", &["propagate", "lp", "program", "num"]),
    (
        "reference",
        &["lp", "strategy", "outcome", "budget", "program", "num"],
    ),
    ("search", ENGINE),
    ("qbf", ENGINE),
    ("equivalent", ENGINE),
    (
        "expand",
        &[
            "equivalent",
            "presolve",
            "lp",
            "outcome",
            "budget",
            "program",
            "switch",
            "num",
        ],
    ),
    (
        "solver",
        &[
            "reference",
            "search",
            "qbf",
            "expand",
            "benders",
            "equivalent",
            "presolve",
            "lp",
            "certify",
            "strategy",
            "outcome",
            "budget",
            "program",
            "switch",
            "num",
        ],
    ),
    (
        "experiment",
        &[
            "solver",
            "equivalent",
            "relax",
            "lp",
            "format",
            "games",
            "outcome",
            "budget",
            "program",
            "switch",
            "num",
        ],
    ),
    (
        "explain",
        &[
            "experiment",
            "solver",
            "strategy",
            "outcome",
            "budget",
            "program",
            "num",
        ],
    ),
];

/// Names under `crate::` that are macros, not modules.
const MACROS: &[&str] = &["row"];

/// What a solving engine stands on.
const ENGINE: &[&str] = &[
    "presolve",
    "learn",
    "relax",
    "symmetry",
    "propagate",
    "lp",
    "certify",
    "strategy",
    "outcome",
    "budget",
    "program",
    "switch",
    "num",
];

/// A source file of the library or the binary.
struct Source {
    path: PathBuf,
    text: String,
}

impl Source {
    /// `src/program/row.rs` and `src/program.rs` belong to `program`.
    fn module(&self) -> String {
        let inside = self.path.strip_prefix("src").unwrap();
        let first = inside.components().next().unwrap().as_os_str();
        first.to_string_lossy().trim_end_matches(".rs").to_owned()
    }

    /// The lines that are compiled into the crate: no comments, no tests, be they at the end of
    /// a file or in a folder of their own.
    fn code(&self) -> impl Iterator<Item = (usize, &str)> {
        let is_test = self
            .path
            .iter()
            .any(|part| part == "tests" || part == "tests.rs");
        let text = if is_test { "" } else { self.text.as_str() };
        text.lines()
            .enumerate()
            .take_while(|(_, line)| line.trim() != "#[cfg(test)]")
            .filter(|(_, line)| !line.trim_start().starts_with("//"))
            .map(|(place, line)| (place + 1, line))
    }
}

fn sources() -> Vec<Source> {
    let mut found = Vec::new();
    collect(Path::new("src"), &mut found);
    assert!(found.len() > 10, "the tests run in the package's folder");
    found
}

fn collect(folder: &Path, found: &mut Vec<Source>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(&path, found);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            let text = fs::read_to_string(&path).unwrap();
            found.push(Source { path, text });
        }
    }
}

/// The modules that a line reaches by `crate::…`, those in braces included.
fn imported(line: &str) -> Vec<String> {
    let mut modules = Vec::new();
    for (at, prefix) in line.match_indices("crate::") {
        let rest = &line[at + prefix.len()..];
        let listed = match rest.strip_prefix('{') {
            Some(list) => list.split(',').collect(),
            None => vec![rest],
        };
        modules.extend(listed.into_iter().map(leading_word));
    }
    modules.retain(|name| !name.is_empty() && !MACROS.contains(&name.as_str()));
    modules
}

fn leading_word(text: &str) -> String {
    let is_word = |character: &char| character.is_alphanumeric() || *character == '_';
    text.trim_start().chars().take_while(is_word).collect()
}

fn has_word(line: &str, word: &str) -> bool {
    let is_word = |character: char| character.is_alphanumeric() || character == '_';
    line.match_indices(word).any(|(at, _)| {
        let before = line[..at].chars().next_back();
        let after = line[at + word.len()..].chars().next();
        !before.is_some_and(is_word) && !after.is_some_and(is_word)
    })
}

#[test]
fn the_checker_has_less_than_a_thousand_lines() {
    let sources = sources();
    let checker = sources.iter().filter(|source| source.module() == "check");
    let before_tests = |line: &&str| !line.contains("#[cfg(test)]");
    // Comments and blank lines count: all of it has to be read by who wants to trust it.
    let lines = checker.map(|source| source.text.lines().take_while(before_tests).count());
    let lines: usize = lines.sum();
    assert!((1..1000).contains(&lines), "{lines} lines");
}

#[test]
fn imports_go_downward_only() {
    let mut faults = Vec::new();
    for source in sources() {
        let module = source.module();
        if ["lib", "main", "cli"].contains(&module.as_str()) {
            continue;
        }
        let Some((_, allowed)) = IMPORTS.iter().find(|(name, _)| *name == module) else {
            faults.push(format!("module `{module}` is not in the import table"));
            continue;
        };
        for (place, line) in source.code() {
            for used in imported(line) {
                if used != module && !allowed.contains(&used.as_str()) {
                    let path = source.path.display();
                    faults.push(format!(
                        "{path}:{place}: `{module}` must not import `{used}`"
                    ));
                }
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn the_import_table_has_no_cycle() {
    for (place, (module, allowed)) in IMPORTS.iter().enumerate() {
        for used in *allowed {
            let known = IMPORTS.iter().position(|(name, _)| name == used);
            let known = known.unwrap_or_else(|| panic!("`{used}` is not in the table"));
            assert!(
                known < place,
                "`{module}` imports `{used}`, which stands below it"
            );
        }
    }
}

#[test]
fn no_file_is_longer_than_500_lines() {
    for source in sources() {
        let lines = source.text.lines().count();
        let path = source.path.display();
        assert!(lines <= 500, "{path} has {lines} lines: probably two ideas");
    }
}

#[test]
fn only_the_command_line_prints() {
    for source in sources().iter().filter(|source| source.module() != "cli") {
        for (place, line) in source.code() {
            for printing in ["println!", "eprintln!", "print!", "eprint!", "dbg!"] {
                let path = source.path.display();
                let prints =
                    has_word(line, printing.trim_end_matches('!')) && line.contains(printing);
                assert!(!prints, "{path}:{place} prints");
            }
        }
    }
}

#[test]
fn unsafe_is_at_home_in_one_file() {
    let home = Path::new("src/lp/highs.rs");
    for source in sources().iter().filter(|source| source.path != home) {
        for (place, line) in source.code() {
            let path = source.path.display();
            assert!(!has_word(line, "unsafe"), "{path}:{place} is unsafe");
        }
    }
}

#[test]
fn main_is_small() {
    let text = fs::read_to_string("src/main.rs").unwrap();
    assert!(text.lines().count() <= 40);
}

#[test]
fn the_reader_of_imports_sees_every_spelling() {
    assert_eq!(imported("use crate::num::{int, ratio};"), ["num"]);
    assert_eq!(
        imported("use crate::{num::int, program};"),
        ["num", "program"]
    );
    assert_eq!(
        imported("let x = crate::lp::solve(crate::num::int(1));"),
        ["lp", "num"]
    );
    assert!(imported("use super::row;").is_empty());
    assert!(has_word("unsafe { }", "unsafe") && !has_word("unsafe_code", "unsafe"));
}
