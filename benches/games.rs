//! Games: nodes of the program's search against positions of the direct search by the referee's rules.
//!
//! `cargo bench --bench games -- --limit 20 --only nim`. The direct search looks at every position once
//! and knows nothing but the rules; the program knows nothing but rows. The last column is what
//! the detour through rows costs.

#![allow(clippy::print_stdout, reason = "a benchmark reports")]

use std::time::{Duration, Instant};

use quip::budget::Limits;
use quip::games::family;
use quip::games::play::direct;
use quip::outcome::Status;
use quip::solver::{Method, Options, Solver};

const ROOK: &str = "k...\n....\n.KR.\n";
const SQUARE: &str = "3\n0 1 4\n1 2\n2 3\n3 0\n4 2\n";
const FANO: &str = "a b c\nc d e\ne f a\na g d\nb g e\nc g f\nb d f\n";

type Game = (&'static str, &'static [(&'static str, &'static str)]);

const GAMES: &[Game] = &[
    (
        "gomoku",
        &[("size", "3"), ("row", "2"), ("after-win", "freeze")],
    ),
    (
        "gomoku",
        &[("size", "3"), ("row", "3"), ("after-win", "freeze")],
    ),
    (
        "gomoku",
        &[
            ("size", "4"),
            ("row", "3"),
            ("horizon", "5"),
            ("after-win", "freeze"),
        ],
    ),
    ("tictactoe", &[("size", "3"), ("reading", "first-line")]),
    ("tictactoe", &[("size", "3"), ("reading", "final-board")]),
    ("tictactoe", &[("size", "3"), ("player", "o")]),
    ("tictactoe", &[("size", "4"), ("reading", "final-board")]),
    (
        "dgr-random",
        &[
            ("nodes", "10"),
            ("edges", "30"),
            ("failures", "20"),
            ("seed", "3"),
        ],
    ),
    ("geography-random", &[("nodes", "10"), ("rounds", "7")]),
    ("geography-random", &[("nodes", "20"), ("rounds", "10")]),
    ("crossdot", &[("boxes", "8"), ("row", "2")]),
    ("crossdot", &[("boxes", "8"), ("row", "3")]),
    ("crossdot", &[("boxes", "10"), ("row", "3")]),
    ("chess", &[("board", ROOK), ("steps", "3")]),
    ("chess", &[("board", ROOK), ("steps", "5")]),
    (
        "connect",
        &[("columns", "3"), ("height", "3"), ("row", "3")],
    ),
    (
        "connect",
        &[("columns", "4"), ("height", "3"), ("row", "3")],
    ),
    ("positional", &[("sets", FANO)]),
    ("hex", &[("size", "3")]),
    ("nim", &[("heaps", "1,2,3")]),
    ("nim", &[("heaps", "2,3,3")]),
    ("cops", &[("graph", SQUARE), ("cops", "1")]),
    ("cops", &[("graph", SQUARE), ("cops", "2")]),
];

/// What was typed behind `--`.
struct Wanted {
    limit: Duration,
    only: String,
}

fn wanted() -> Wanted {
    let typed: Vec<String> = std::env::args().collect();
    let behind = |name: &str| {
        let place = typed.iter().position(|word| word == name)?;
        typed.get(place + 1).cloned()
    };
    let seconds = behind("--limit").and_then(|text| text.parse().ok());
    Wanted {
        limit: Duration::from_secs(seconds.unwrap_or(20)),
        only: behind("--only").unwrap_or_default(),
    }
}

/// The arguments without the content of files.
fn spelled(name: &str, given: &[(&str, &str)]) -> String {
    let short = given.iter().filter(|(_, value)| !value.contains('\n'));
    let words = short.map(|(_, value)| (*value).to_owned());
    let words: Vec<String> = std::iter::once(name.to_owned()).chain(words).collect();
    words.join(" ")
}

fn run((name, given): &Game, limit: Duration) -> Result<String, Box<dyn std::error::Error>> {
    let family = family(name).ok_or("no such family")?;
    let program = family.program(given)?;
    let options = Options {
        method: Method::Search,
        limits: Limits {
            time: Some(limit),
            ..Limits::default()
        },
        ..Options::default()
    };
    let start = Instant::now();
    let outcome = Solver::new(options).solve(&program)?;
    let time = start.elapsed();
    let rules = family.rules(given)?;
    let start = Instant::now();
    let found = direct(&*rules, &[]);
    let direct_time = start.elapsed();
    let ratio = outcome.effort.nodes as f64 / found.positions as f64;
    let ratio = match outcome.status {
        Status::Interrupted => format!("> {ratio:.1}"),
        _ => format!("{ratio:.1}"),
    };
    Ok(format!(
        "| {} | {} | {} | {:.2} | {} | {:.2} | {ratio} |",
        spelled(name, given),
        program.variables().len(),
        outcome.effort.nodes,
        time.as_secs_f64(),
        found.positions,
        direct_time.as_secs_f64(),
    ))
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let wanted = wanted();
    println!("| game | variables | nodes | seconds | positions | seconds | nodes per position |");
    println!("| --- | --- | --- | --- | --- | --- | --- |");
    for game in GAMES {
        if spelled(game.0, game.1).contains(&wanted.only) {
            println!("{}", run(game, wanted.limit)?);
        }
    }
    Ok(())
}
