//! Compared with the reference, on random programs of two stages.

use std::fmt::Write as _;

use super::whole::Whole;
use super::*;
use crate::equivalent::{Prepared, prepare};
use crate::expand::{Settings, solve_with};
use crate::format::parse_qip;
use crate::outcome::Status;
use crate::program::Program;
use crate::reference;

/// Numbers that look random, the same every time.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, low: i64, high: i64) -> i64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        low + (self.0 % (high - low + 1) as u64) as i64
    }

    /// A sum over some of so many variables.
    fn sum(&mut self, name: char, count: i64, chance: i64, (low, high): (i64, i64)) -> String {
        let mut text = String::new();
        for number in 0..count {
            if self.roll(1, 100) <= chance {
                write!(text, " + {} {name}{number}", self.roll(low, high)).expect("a string");
            }
        }
        text
    }

    fn relation(&mut self) -> &'static str {
        ["<=", ">=", "="][usize::try_from(self.roll(0, 2)).expect("small")]
    }
}

/// Two stages; in half of the programs replies on a network follow. Some rules of the universal player depend on decisions.
fn random(seed: u64) -> String {
    let mut dice = Dice(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
    let (decisions, moves) = (dice.roll(1, 3), dice.roll(1, 4));
    let replies = if dice.roll(0, 1) == 0 {
        0
    } else {
        dice.roll(1, 4)
    };
    let mut rows = String::new();
    for _ in 0..dice.roll(0, 2) {
        let (ours, theirs) = (
            dice.sum('x', decisions, 60, (-3, 3)),
            dice.sum('u', moves, 60, (-2, 2)),
        );
        if !theirs.is_empty() && replies == 0 && dice.roll(0, 1) == 0 {
            writeln!(rows, " 0 x0 {ours} {theirs} <= {}", dice.roll(0, 5)).expect("a string");
        } else {
            writeln!(rows, " 0 x0 {ours} <= {}", dice.roll(0, 5)).expect("a string");
        }
    }
    // Each reply leaves one node and may enter another.
    let nodes = 3;
    let ends: Vec<(i64, i64)> = (0..replies)
        .map(|_| (dice.roll(0, nodes - 1), dice.roll(0, nodes)))
        .collect();
    for node in 0..nodes {
        let mut flow = String::new();
        for (number, &(from, to)) in ends.iter().enumerate() {
            match (from == node, to == node) {
                (true, false) => write!(flow, " + z{number}").expect("a string"),
                (false, true) => write!(flow, " - z{number}").expect("a string"),
                _ => {}
            }
        }
        if !flow.is_empty() {
            let (ours, theirs) = (
                dice.sum('x', decisions, 40, (-2, 2)),
                dice.sum('u', moves, 50, (-2, 2)),
            );
            let (relation, side) = (dice.relation(), dice.roll(-1, 2));
            writeln!(rows, " {flow} {ours} {theirs} {relation} {side}").expect("a string");
        }
    }
    let mut rules = String::new();
    for _ in 0..dice.roll(0, 2) {
        let ours = if dice.roll(0, 1) == 0 {
            String::new()
        } else {
            dice.sum('x', decisions, 50, (-2, 3))
        };
        let theirs = dice.sum('u', moves, 80, (-1, 3));
        let relation = if dice.roll(0, 5) == 0 { ">=" } else { "<=" };
        writeln!(
            rules,
            " 0 u0 {ours} {theirs} {relation} {}",
            dice.roll(0, 4)
        )
        .expect("a string");
    }
    if dice.roll(0, 3) == 0 {
        writeln!(rules, " u0 + x0 <= 1").expect("a string");
    }
    let costs = [
        dice.sum('x', decisions, 90, (-2, 5)),
        dice.sum('u', moves, 50, (-3, 4)),
        dice.sum('z', replies, 90, (-1, 6)),
    ];
    let most = if replies == 0 { dice.roll(1, 2) } else { 1 };
    let names = |name: char, count: i64| -> String {
        (0..count)
            .map(|number| format!(" {name}{number}"))
            .collect()
    };
    let last = match replies {
        0 => String::new(),
        _ => format!(
            "exists integer {} in [{}, {}]",
            names('z', replies),
            dice.roll(-1, 0),
            dice.roll(1, 3)
        ),
    };
    let sense = if dice.roll(0, 3) == 0 {
        "maximize"
    } else {
        "minimize"
    };
    format!(
        "{sense} 0 x0 {} {} {}\nsubject to\n{rows}uncertainty\n{rules}prefix exists binary {}\n\
         forall integer {} in [0, {most}]\n{last} end",
        costs[0],
        costs[1],
        costs[2],
        names('x', decisions),
        names('u', moves),
    )
}

fn takes(program: &Program) -> bool {
    match prepare(program, "test", &mut Budget::unlimited()) {
        Ok(Prepared::Open { skeleton, .. }) => Adversary::of(&skeleton).is_some(),
        _ => false,
    }
}

#[test]
fn programs_of_moves_answer_like_lists_of_them() {
    let (mut direct, mut dual) = (0, 0);
    for seed in 0..1500 {
        let text = random(seed);
        let program = parse_qip(&text).unwrap_or_else(|error| panic!("{error:?}: {text}"));
        if !takes(&program) {
            continue;
        }
        let expected = reference::solve(&program, &mut Budget::unlimited()).expect("integers");
        for scan in [true, false] {
            let settings = Settings {
                most_listed: 0,
                scan,
                ..Settings::default()
            };
            let outcome = solve_with(&program, &settings, &mut Budget::unlimited());
            let outcome = outcome.unwrap_or_else(|error| panic!("{error}: {text}"));
            assert_eq!(
                (outcome.status, &outcome.objective),
                (expected.status, &expected.objective),
                "seed {seed}, scan {scan}: {text}"
            );
        }
        if expected.status == Status::Optimal {
            let replies = text.matches("exists integer").count();
            *if replies > 0 { &mut dual } else { &mut direct } += 1;
        }
    }
    assert!(
        direct > 150 && dual > 100,
        "only {direct} and {dual} programs"
    );
}

#[test]
fn real_replies_on_a_network_are_worth_what_the_reference_says() {
    let mut solved = 0;
    for seed in 0..1500 {
        // In every third program sides are halves or thirds, so that replies are counted in these.
        let real = random(seed).replace("exists integer", "exists real");
        let real = match seed % 3 {
            0 => real.replace("= 1\n", "= 1/2\n").replace("= 2\n", "= 5/3\n"),
            _ => real,
        };
        let program = parse_qip(&real).unwrap_or_else(|error| panic!("{error:?}: {real}"));
        let Some(whole) = on_a_network(&program) else {
            continue;
        };
        let expected = reference::solve(&program, &mut Budget::unlimited()).expect("real replies");
        let settings = Settings {
            most_listed: 0,
            ..Settings::default()
        };
        let found = solve_with(&whole.program, &settings, &mut Budget::unlimited());
        let found = found.expect("integers");
        assert_eq!(
            (found.status, &found.objective),
            (expected.status, &expected.objective),
            "seed {seed}: {real}"
        );
        solved += usize::from(expected.status == Status::Optimal);
    }
    assert!(solved > 100, "only {solved} programs");
}

#[test]
fn replies_without_an_end_get_one_and_are_counted_in_small_units() {
    let whole = |side: &str, by: &str| {
        let text = format!(
            "minimize 3 x + 2 s + 9 l subject to s - 4 x <= {side}\n s + {by} l - 2 u >= 1 \
             prefix exists binary x forall binary u exists real s in [0, inf] \
             exists real l in [0, inf] end"
        );
        on_a_network(&parse_qip(&text).expect("a program"))
    };
    let uppers = |whole: Whole| {
        let variables = whole.program.variables().iter().skip(2);
        let uppers = variables.map(|it| it.bounds.upper.clone());
        uppers.collect::<Vec<_>>()
    };
    let ends = |ends: [i64; 2]| ends.map(|end| Some(crate::num::int(end))).to_vec();
    assert_eq!(uppers(whole("1", "").expect("a network")), ends([5, 3]));
    assert_eq!(uppers(whole("1/2", "").expect("a network")), ends([9, 6]));
    assert!(whole("1", "2").is_none());
    assert!(whole("1/1000003", "").is_none());
}
