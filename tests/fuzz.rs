//! Random campaigns: nothing is wrong, everything is looked at, and what is wrong would be noticed.
//!
//! `QUIP_RANDOM_PROGRAMS=1000 cargo test --release --test fuzz` tries more; `quip fuzz` goes on as long as you
//! like.

mod support;

use std::collections::BTreeMap;
use std::process::Command;

use assert_cmd::prelude::*;
use quip::fuzz::{Campaign, Class, Effect, RELATIONS, Tally, Trial, judged};
use quip::outcome::Score;
use quip::solver::Options;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

use support::shown;

fn programs(usually: u64) -> u64 {
    let wanted = std::env::var("QUIP_RANDOM_PROGRAMS").ok();
    wanted
        .and_then(|wanted| wanted.parse().ok())
        .unwrap_or(usually)
}

#[test]
fn random_programs_of_every_class_are_answered_and_proved_like_by_the_definition() {
    let mut campaign = Campaign {
        mutants: 12,
        ..Campaign::default()
    };
    let stop = Default::default();
    for class in Class::ALL {
        for _ in 0..programs(10) {
            if let Some(fault) = campaign.next(class, &stop) {
                let (small, wrong) = &fault.small;
                panic!("{class} {}: {}\n{}", fault.seed, wrong.0, shown(small));
            }
        }
    }
    let sum = |count: fn(&Tally) -> u64| -> u64 { campaign.classes.values().map(count).sum() };
    let counts = [
        sum(|it| it.judged),
        sum(|it| it.compared),
        sum(|it| it.followed),
        sum(|it| it.certificates),
        sum(|it| it.mutants) / 10,
        sum(|it| it.changed),
        sum(|it| it.said),
    ];
    assert!(counts.iter().all(|&count| count > 40), "{counts:?}");
    let mut rules = BTreeMap::new();
    for (name, rule) in campaign.classes.values().flat_map(|it| &it.rules) {
        *rules.entry(name.as_str()).or_insert(0) += rule.mutants;
    }
    for rule in [
        "derive", "await", "dead", "illegal", "sum", "mix", "cut", "@play", "@node",
    ] {
        assert!(
            rules.get(rule).is_some_and(|&count| count > 0),
            "{rule}: {rules:?}"
        );
    }
}

#[test]
fn a_wrong_answer_is_noticed() {
    let mut noticed = 0;
    for seed in 0..20 {
        let program = Class::Small.program(seed);
        let stop = Default::default();
        let truth = judged(&program, &stop);
        let lie = match truth {
            Some(Score::Lost) => Score::Won,
            _ => Score::Lost,
        };
        let mut trial = Trial {
            program: &program,
            value: Some(lie),
            mutants: 0,
            stop,
        };
        let dice = &mut ChaCha8Rng::seed_from_u64(seed);
        let tried = trial.solved(&Options::default(), false, dice, &mut Tally::default());
        let wrong = tried.expect_err("the value is another one");
        assert!(wrong.0.contains("-m auto"), "{}", wrong.0);
        noticed += 1;
    }
    assert_eq!(noticed, 20);
}

/// By the definition, and not by an engine.
#[test]
fn changes_do_to_the_value_what_is_said_of_them() {
    let stop = Default::default();
    for relation in &RELATIONS {
        let (mut tried, mut differ) = (0, 0);
        for seed in 0..programs(60) {
            let dice = &mut ChaCha8Rng::seed_from_u64(seed);
            for class in [Class::Small, Class::Game, Class::Reals] {
                let program = class.program(seed);
                let Some(changed) = relation.apply(&program, dice) else {
                    continue;
                };
                let values = [&program, &changed].map(|it| judged(it, &stop));
                let [Some(before), Some(after)] = values else {
                    continue;
                };
                let holds = match relation.effect {
                    Effect::Same => after == before,
                    Effect::NoBetter => after >= before,
                    Effect::NoWorse => after <= before,
                };
                let name = relation.name;
                assert!(
                    holds,
                    "{name} {seed}: {before:?}, {after:?}\n{}",
                    shown(&program)
                );
                tried += 1;
                differ += usize::from(after != before);
            }
        }
        assert!(tried >= 10, "{}: {tried}", relation.name);
        let may_differ = relation.effect != Effect::Same;
        assert!(!may_differ || differ > 0, "{} never matters", relation.name);
    }
}

fn fuzz(arguments: &[&str]) -> assert_cmd::assert::Assert {
    let mut command = Command::new(env!("CARGO_BIN_EXE_quip"));
    command.arg("fuzz").args(arguments).assert()
}

#[test]
fn a_campaign_goes_on_where_it_was_stopped() {
    let folder = tempfile::tempdir().expect("a folder");
    let state = folder.path().join("state.json");
    let state = state.to_str().expect("it is UTF-8");
    let counted = |arguments: &[&str]| {
        let done = fuzz(arguments).success();
        let text = String::from_utf8_lossy(&done.get_output().stdout).into_owned();
        let json: serde_json::Value = serde_json::from_str(&text).expect("it is JSON");
        assert_eq!(json["schema"], "quip-fuzz/1");
        json["classes"].clone()
    };
    let some = ["--class", "formula", "--mutants", "3", "--json"];
    let with = |more: &[&'static str]| -> Vec<&str> { some.iter().chain(more).copied().collect() };
    let mut begun = with(&["--programs", "2"]);
    begun.extend(["--state", state]);
    assert_eq!(counted(&begun)["formula"]["programs"], 2);
    let all = counted(&begun);
    assert_eq!(all["formula"]["programs"], 4);
    assert_eq!(
        counted(&with(&["--programs", "4"])),
        all,
        "in one go it is the same"
    );

    let mut other = with(&["--seed", "7"]);
    other.extend(["--state", state]);
    let refused = fuzz(&other).code(2);
    let said = String::from_utf8_lossy(&refused.get_output().stderr).into_owned();
    assert!(said.contains("--seed 0 --mutants 3"), "{said}");
    std::fs::write(state, "{").expect("it is written");
    fuzz(&begun).code(2);
}

#[test]
fn an_unknown_class_is_told_which_there_are() {
    let refused = fuzz(&["--class", "smal"]).code(2);
    let said = String::from_utf8_lossy(&refused.get_output().stderr).into_owned();
    assert!(said.contains("deviations"), "{said}");
}
