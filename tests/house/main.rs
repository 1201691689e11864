//! The rules of the house, read from the source itself: who may import whom, how long a file may
//! be, where printing and `unsafe` are at home.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod lean;
mod source;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use lean::Tree;
use source::{Source, seen, sources};

/// Every module of the library and what it imports: no more and no less. Imports go downward only.
const IMPORTS: &[(&str, &[&str])] = &[
    ("num", &[]),
    ("switch", &[]),
    ("program", &["num"]),
    ("strategy", &["program", "num"]),
    ("outcome", &["strategy", "program", "num"]),
    ("budget", &["outcome", "num"]),
    ("model", &["program", "num"]),
    ("format", &["program", "num"]),
    ("games", &["model", "program", "num"]),
    (
        "rules",
        &[
            "games", "model", "format", "budget", "outcome", "program", "num",
        ],
    ),
    ("check", &["strategy", "program", "num"]),
    ("lp", &["budget", "outcome", "program", "num"]),
    (
        "empty",
        &["lp", "strategy", "outcome", "budget", "program", "num"],
    ),
    ("mip", &["lp", "budget", "outcome", "program", "num"]),
    ("interleave", &["budget", "outcome", "program", "num"]),
    (
        "certify",
        &[
            "empty", "lp", "strategy", "outcome", "budget", "program", "num",
        ],
    ),
    ("presolve", &["program", "switch", "num"]),
    ("draw", &["lp", "strategy", "program", "num"]),
    ("propagate", &["program", "num"]),
    (
        "count",
        &["propagate", "budget", "outcome", "program", "num"],
    ),
    ("symmetry", &["propagate", "program", "num"]),
    (
        "benders",
        &[
            "empty", "lp", "strategy", "outcome", "budget", "program", "switch", "num",
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
    (
        "reference",
        &[
            "empty", "lp", "strategy", "outcome", "budget", "program", "num",
        ],
    ),
    (
        "search",
        &[
            "empty",
            "presolve",
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
        ],
    ),
    (
        "qbf",
        &[
            "certify", "strategy", "outcome", "budget", "program", "switch", "num",
        ],
    ),
    (
        "equivalent",
        &[
            "certify",
            "empty",
            "mip",
            "strategy",
            "presolve",
            "propagate",
            "lp",
            "outcome",
            "budget",
            "program",
            "num",
        ],
    ),
    (
        "expand",
        &[
            "empty",
            "mip",
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
            "interleave",
            "reference",
            "search",
            "qbf",
            "expand",
            "benders",
            "equivalent",
            "presolve",
            "certify",
            "model",
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
        "report",
        &["games", "strategy", "outcome", "program", "num"],
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
    (
        "fuzz",
        &[
            "explain",
            "experiment",
            "reference",
            "solver",
            "check",
            "format",
            "games",
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

/// The modules that a file imports, its own not among them.
fn imported(source: &Source) -> BTreeSet<String> {
    let imports = source.seen.imports.iter().map(|(_, path)| path);
    let paths = imports.chain(&source.seen.paths);
    let absolute = paths.filter_map(|path| source.absolute(path, |_| false));
    let modules = absolute.filter_map(|path| path.into_iter().next());
    let is_other = |name: &String| name != source.module() && !MACROS.contains(&name.as_str());
    modules.filter(is_other).collect()
}

/// Rounded to a hundred, with a comma.
fn about(lines: usize) -> String {
    let hundreds = (lines + 50) / 100;
    match hundreds / 10 {
        0 => format!("{hundreds}00"),
        thousands => format!("{thousands},{}00", hundreds % 10),
    }
}

#[test]
fn the_checker_is_as_small_as_the_architecture_says() {
    let sources = sources();
    let leans = Tree::new(&sources).leans("check");
    let is_ground = |it: &&&Source| ["num", "program"].contains(&it.module());
    let ground: usize = leans.iter().filter(is_ground).map(|it| it.lines()).sum();
    let all: usize = leans.iter().map(|it| it.lines()).sum();
    let own = all - ground;
    let names: Vec<String> = leans
        .iter()
        .map(|it| it.path.display().to_string())
        .collect();
    let said = format!(
        "`check` leans on about {} lines of its own and on {} of exact numbers and programs",
        about(own),
        about(ground)
    );
    let page = fs::read_to_string("ARCHITECTURE.md").unwrap();
    let page = page.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(own > 500 && own < 2300, "{own} lines: {names:?}");
    assert!(
        page.contains(&said),
        "ARCHITECTURE.md does not say: {said}\n{names:?}"
    );
}

#[test]
fn the_import_table_is_exactly_what_is_used() {
    let mut used: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for source in sources() {
        if !["lib", "main", "cli"].contains(&source.module()) {
            let of_module = used.entry(source.module().to_owned()).or_default();
            of_module.extend(imported(&source));
        }
    }
    let table = IMPORTS.iter().map(|(module, allowed)| {
        let allowed = allowed.iter().map(|&name| name.to_owned());
        ((*module).to_owned(), allowed.collect::<BTreeSet<_>>())
    });
    let table: BTreeMap<String, BTreeSet<String>> = table.collect();
    let mut faults = Vec::new();
    for (module, used) in &used {
        let Some(allowed) = table.get(module) else {
            faults.push(format!(
                "`{module}` is not in the table; it imports {used:?}"
            ));
            continue;
        };
        for name in used.difference(allowed) {
            faults.push(format!("`{module}` must not import `{name}`"));
        }
        for name in allowed.difference(used) {
            faults.push(format!("`{module}` may import `{name}` and does not"));
        }
    }
    for module in table.keys().filter(|module| !used.contains_key(*module)) {
        faults.push(format!("there is no module `{module}`"));
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
        for printing in ["println", "eprintln", "print", "eprint", "dbg"] {
            let path = source.path.display();
            assert!(!source.seen.macros.contains(printing), "{path} prints");
        }
    }
}

#[test]
fn unsafe_is_at_home_in_one_file() {
    for source in sources() {
        let is_home = source.path == Path::new("src/kernel/lp/highs.rs");
        assert_eq!(source.seen.is_unsafe, is_home, "{}", source.path.display());
    }
}

#[test]
fn main_is_small() {
    let text = fs::read_to_string("src/main.rs").unwrap();
    assert!(text.lines().count() <= 40);
}

#[test]
fn the_reader_of_imports_sees_every_spelling() {
    let modules = |text: &str| {
        let source = Source {
            path: "src/engines/search/tree/visit.rs".into(),
            text: text.to_owned(),
            place: vec!["search".to_owned(), "tree".to_owned(), "visit".to_owned()],
            seen: seen(text),
        };
        imported(&source).into_iter().collect::<Vec<_>>()
    };
    assert_eq!(modules("use crate::num::{int, ratio};"), ["num"]);
    assert_eq!(
        modules("use crate::{num::int, program};"),
        ["num", "program"]
    );
    assert_eq!(
        modules("use crate::{\n    lp,\n    num::{self, int},\n};"),
        ["lp", "num"]
    );
    assert_eq!(
        modules("fn f() { crate::lp::solve(crate::num::int(1)); }"),
        ["lp", "num"]
    );
    assert_eq!(modules("fn f() { vec![crate::num::int(1)]; }"), ["num"]);
    assert_eq!(modules("use super::super::super::lp::Column;"), ["lp"]);
    assert!(modules("use super::table; use std::fmt;").is_empty());
    assert!(modules("// use crate::lp;\n#[cfg(test)] mod tests { use crate::lp; }").is_empty());
    assert!(seen("fn f() { unsafe { g() } }").is_unsafe && !seen("fn unsafe_code() {}").is_unsafe);
    assert!(
        seen("fn f() { if true { println!(); } }")
            .macros
            .contains("println")
    );
}
