//! Every engine takes as many nodes and linear programs as `benches/signature.txt` says, at its
//! defaults and on one thread. A change that is not meant to change an engine does not change these
//! numbers; one that is meant to is accepted with
//!
//! ```text
//! QUIP_UPDATE_SIGNATURE=1 cargo test --release --test signature
//! ```
//!
//! The suite is every shipped model, small instances of the generated families, and sums over random
//! programs. **Invariant:** every solve runs to its end, and none for long, so that no clock decides a
//! number.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::PathBuf;

use quip::check::check;
use quip::format::{read_bytes, read_path};
use quip::games::family;
use quip::games::random::{RandomShape, random_program};
use quip::outcome::{CertificateError, Outcome};
use quip::program::Program;
use quip::solver::{Method, Options, Solver};

const SIGNATURE: &str = "benches/signature.txt";

/// Arguments of a family.
type Given = &'static [(&'static str, &'static str)];

/// Families that the shipped models have no instances of, or only very small ones.
const GENERATED: [(&str, Given); 18] = [
    ("lotsizing", &[("periods", "4")]),
    ("lotsizing", &[("periods", "4"), ("seed", "1")]),
    ("knapsack", &[("periods", "3"), ("items", "4")]),
    ("knapsack", &[("periods", "3"), ("items", "6")]),
    ("selection", &[("chosen", "3"), ("scenarios", "3")]),
    ("selection", &[("chosen", "4"), ("scenarios", "3")]),
    ("assignment", &[("size", "3"), ("scenarios", "3")]),
    ("assignment", &[("size", "4"), ("stages", "2")]),
    ("facility", &[("sites", "3"), ("customers", "3")]),
    ("facility", &[("sites", "5"), ("customers", "6")]),
    ("interdiction", &[("nodes", "6")]),
    ("interdiction", &[("nodes", "10"), ("seed", "1")]),
    ("runway", &[("planes", "3"), ("slots", "4")]),
    ("runway", &[("planes", "4"), ("seed", "1")]),
    ("production", &[("periods", "3")]),
    ("production", &[("periods", "3"), ("seed", "1")]),
    ("dgr-random", &[("seed", "3")]),
    ("geography-random", &[("seed", "2")]),
];

/// Families as quantified Boolean formulas.
const FORMULAS: [(&str, Given); 5] = [
    ("tictactoe", &[("size", "2")]),
    ("tictactoe", &[("size", "3")]),
    ("geography-random", &[("nodes", "6"), ("seed", "1")]),
    ("geography-random", &[("nodes", "10"), ("seed", "2")]),
    ("geography-random", &[("nodes", "12"), ("seed", "3")]),
];

/// Programs that take a scenario engine or a certificate seconds: they begin with one of these.
const LARGE: [&str; 14] = [
    "connect/3x3-3.qip",
    "geography/20",
    "gomoku/",
    "knapsack periods=3 items=6",
    "nim/1-2-3.qip",
    "or/commitment-stages",
    "or/crashing",
    "or/hydro",
    "or/inventory",
    "or/location",
    "or/portfolio",
    "or/setups",
    "production",
    "tictactoe/3",
];

/// How many random programs of each shape are counted together.
const RANDOM: u64 = 150;

fn model_files() -> Vec<PathBuf> {
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

/// The suite, each program with its name.
fn suite() -> Vec<(String, Program)> {
    let mut suite = Vec::new();
    for path in model_files() {
        let inside = path.strip_prefix("models").unwrap();
        let read = read_path(&path).unwrap();
        suite.push((inside.display().to_string(), read.program));
    }
    for (name, given) in GENERATED {
        let program = family(name).unwrap().program(given).unwrap();
        suite.push((spelled(name, given, ""), program));
    }
    for (name, given) in FORMULAS {
        let text = family(name).unwrap().formula(given).unwrap().unwrap();
        let read = read_bytes("formula.qcir", text.as_bytes()).unwrap();
        suite.push((spelled(name, given, ".qcir"), read.program));
    }
    suite
}

fn spelled(name: &str, given: &[(&str, &str)], ending: &str) -> String {
    let given = given.iter().map(|(key, value)| format!(" {key}={value}"));
    format!("{name}{ending}{}", given.collect::<String>())
}

/// The outcome of a solve on one thread; `None` if the engine does not take the program.
fn solved(program: &Program, options: Options) -> Option<Outcome> {
    let options = Options {
        threads: Some(1),
        ..options
    };
    let outcome = Solver::new(options).solve(program).ok()?;
    assert_eq!(outcome.stop, None, "every solve runs to its end");
    Some(outcome)
}

/// What is counted in a solve.
type Count = fn(&Program) -> Option<Vec<u64>>;

/// Which programs of the suite an engine is asked to solve.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Taken {
    /// All of them.
    All,
    /// All but formulas, which are made for the clausal engine.
    NoFormulas,
    /// Those that are neither formulas nor large.
    Small,
}

impl Taken {
    fn takes(self, name: &str) -> bool {
        let is_large = LARGE.iter().any(|large| name.starts_with(large));
        match self {
            Self::All => true,
            Self::NoFormulas => !name.contains(".qcir"),
            Self::Small => !is_large && !name.contains(".qcir"),
        }
    }
}

/// Every part of the file: its title, which programs it is about, what is counted.
const PARTS: [(&str, Taken, Count); 8] = [
    (
        "search without linear programs: nodes",
        Taken::NoFormulas,
        |program| {
            let mut options = Options {
                method: Method::Search,
                ..Options::default()
            };
            options.set("search.relax", "off").unwrap();
            Some(vec![solved(program, options)?.effort.nodes])
        },
    ),
    ("search: nodes, LPs", Taken::NoFormulas, |program| {
        effort(program, Method::Search)
    }),
    ("expand: nodes, LPs", Taken::Small, |program| {
        effort(program, Method::Expand)
    }),
    ("equivalent: nodes, LPs", Taken::Small, |program| {
        effort(program, Method::Equivalent)
    }),
    ("benders: nodes, LPs", Taken::All, |program| {
        effort(program, Method::Benders)
    }),
    ("clausal: nodes, LPs", Taken::All, |program| {
        effort(program, Method::Clausal)
    }),
    ("auto: nodes, LPs", Taken::Small, |program| {
        effort(program, Method::Auto)
    }),
    (
        "certificates: nodes of the strategy, of the refutation, lines",
        Taken::Small,
        size_of_certificate,
    ),
];

fn effort(program: &Program, method: Method) -> Option<Vec<u64>> {
    let options = Options {
        method,
        ..Options::default()
    };
    let outcome = solved(program, options)?;
    Some(vec![outcome.effort.nodes, outcome.effort.lps])
}

/// The nodes of both sides of a certificate, and the lines of its text.
fn size_of_certificate(program: &Program) -> Option<Vec<u64>> {
    let options = Options {
        certificate: true,
        ..Options::default()
    };
    let made = solved(program, options)?.certificate;
    let text = match made.expect("it was asked for") {
        Ok(certificate) => certificate.to_text(program),
        Err(CertificateError::Unsupported(_)) => return None,
        Err(fault) => panic!("{fault}"),
    };
    let verdict = check(program, text.as_bytes()).unwrap();
    let nodes = [&verdict.strategy, &verdict.refutation]
        .map(|side| side.as_ref().map_or(0, |side| side.nodes));
    Some(vec![
        nodes[0] as u64,
        nodes[1] as u64,
        text.lines().count() as u64,
    ])
}

/// Sums over random programs, and how many of them are taken.
fn sums(shape: &RandomShape, count: Count) -> Option<Vec<u64>> {
    let mut sums = vec![0];
    for seed in 0..RANDOM {
        let Some(counts) = count(&random_program(seed, shape)) else {
            continue;
        };
        sums.resize(counts.len() + 1, 0);
        sums[counts.len()] += 1;
        for (sum, count) in sums.iter_mut().zip(counts) {
            *sum += count;
        }
    }
    (sums.len() > 1).then_some(sums)
}

fn measured() -> String {
    let suite = suite();
    let shapes = [
        ("random small", RandomShape::small()),
        ("random binary", RandomShape::binary()),
        ("random game", RandomShape::game()),
        ("random with reals", RandomShape::with_reals()),
        ("random qlp", RandomShape::qlp()),
    ];
    let mut text = String::new();
    for (title, taken, count) in PARTS {
        writeln!(text, "# {title}").unwrap();
        let mut write = |name: &str, counts: Option<Vec<u64>>| {
            if let Some(counts) = counts {
                let counts = counts.iter().map(|count| format!(" {count:>8}"));
                writeln!(text, "{name:<40}{}", counts.collect::<String>()).unwrap();
            }
        };
        for (name, program) in &suite {
            if taken.takes(name) {
                write(name, count(program));
            }
        }
        for (name, shape) in &shapes {
            write(name, sums(shape, count));
        }
        writeln!(text).unwrap();
    }
    text
}

/// The lines of a signature, each with the title of its part.
fn lines(text: &str) -> BTreeMap<(&str, &str), &str> {
    let mut title = "";
    let mut lines = BTreeMap::new();
    for line in text.lines().filter(|line| !line.is_empty()) {
        match line.strip_prefix("# ") {
            Some(new) => title = new,
            None => {
                let (name, numbers) = line.split_at(40.min(line.len()));
                lines.insert((title, name.trim()), numbers.trim());
            }
        }
    }
    lines
}

#[test]
fn every_engine_takes_as_much_work_as_before() {
    let now = measured();
    if std::env::var_os("QUIP_UPDATE_SIGNATURE").is_some() {
        fs::write(SIGNATURE, &now).unwrap();
    }
    let before = fs::read_to_string(SIGNATURE).unwrap_or_default();
    let (old, new) = (lines(&before), lines(&now));
    let mut changed = String::new();
    for key in old
        .keys()
        .chain(new.keys().filter(|key| !old.contains_key(*key)))
    {
        let (title, name) = key;
        let [was, is] = [&old, &new].map(|lines| lines.get(key).copied().unwrap_or("nothing"));
        if was != is {
            writeln!(changed, "  {title}\n    {name}: {was} -> {is}").unwrap();
        }
    }
    assert!(
        changed.is_empty() && now == before,
        "engines have changed; if that is meant, run\n  \
         QUIP_UPDATE_SIGNATURE=1 cargo test --release --test signature\nand commit {SIGNATURE}\n{changed}"
    );
}
