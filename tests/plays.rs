//! Refutations by plays: what the engines prove of mixed programs, and what a forger may not.

mod support;

use std::collections::{BTreeMap, HashMap};

use quip::budget::Limits;
use quip::check::check;
use quip::format::parse_qip;
use quip::fuzz::{altered, claims_hold};
use quip::games::or::Deviation;
use quip::games::or::setups::{Setups, generate};
use quip::games::random::{Opponent, random_mixed};
use quip::num::{Rational, ratio};
use quip::outcome::{CertificateError, Outcome, SolveError, Status, cost_of_objective};
use quip::program::{Program, Quantifier, Row, VarId};
use quip::solver::{Method, Options, Solver};
use quip::strategy::Turn;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use support::certified::checked;
use support::{shown, spelled};

/// How many programs; `QUIP_RANDOM_PROGRAMS` asks for more.
fn count(usual: u64) -> u64 {
    let asked = std::env::var("QUIP_RANDOM_PROGRAMS").ok();
    asked.map_or(usual, |text| {
        text.parse().expect("QUIP_RANDOM_PROGRAMS is a number")
    })
}

fn solved(program: &Program, method: Method) -> Option<Outcome> {
    let options = Options {
        method,
        certificate: true,
        threads: Some(1),
        ..Options::default()
    };
    match Solver::new(options).solve(program) {
        Ok(outcome) => Some(outcome),
        Err(SolveError::Unsupported { .. }) => None,
        Err(error) => panic!("{error}\n{}", shown(program)),
    }
}

/// The text of the certificate, where the class has one; it is checked.
fn certified(program: &Program, method: Method) -> Option<String> {
    let outcome = solved(program, method)?;
    match outcome.certificate.as_ref().expect("it was asked for") {
        Err(CertificateError::Unsupported(_)) => None,
        _ => {
            checked(program, &outcome);
            let made = outcome.certificate.and_then(Result::ok);
            made.map(|made| made.to_text(program))
        }
    }
}

fn setups(products: usize, periods: usize, seed: u64) -> Program {
    generate(&Setups {
        products,
        periods,
        budget: 2,
        demand: Deviation::Binary,
        seed,
    })
}

/// The kinds of steps of a text, counted.
fn count_steps(text: &str, seen: &mut BTreeMap<String, usize>) {
    for line in text.lines() {
        let word = line.split(' ').next().unwrap_or_default();
        if ["play", "cut", "tighten", "round", "split", "mix"].contains(&word) {
            *seen.entry(word.to_owned()).or_default() += 1;
        }
    }
}

#[test]
fn mixed_programs_have_certificates_that_use_every_step() {
    let mut steps = BTreeMap::new();
    let mut certificates = 0;
    for seed in 0..count(400) {
        let program = random_mixed(seed, Opponent::Integers);
        for method in [Method::Auto, Method::Equivalent] {
            if let Some(text) = certified(&program, method) {
                certificates += usize::from(text.contains(" plays "));
                count_steps(&text, &mut steps);
            }
        }
    }
    for seed in 1..4 {
        // The whole tree has longer proofs than the plays that matter.
        let program = setups(2, 3, seed);
        for method in [Method::Auto, Method::Equivalent] {
            let text = certified(&program, method).expect("its class has certificates");
            count_steps(&text, &mut steps);
        }
    }
    println!("{certificates} certificates: {steps:?}");
    assert!(certificates as u64 > count(400) / 2, "{certificates}");
    for step in ["play", "cut", "tighten", "round", "split", "mix"] {
        assert!(
            steps.get(step).is_some_and(|&many| many >= 10),
            "{step}: {steps:?}"
        );
    }
}

#[test]
fn whatever_is_accepted_is_true() {
    let mut dice = ChaCha8Rng::seed_from_u64(5);
    let (mut rejections, mut harmless) = (0, 0);
    for seed in 0..count(250) {
        let program = random_mixed(seed, Opponent::Integers);
        let Some(value) = spelled::score(&program, &spelled::menu(&program, 1)) else {
            continue;
        };
        let Some(text) = certified(&program, Method::Equivalent) else {
            continue;
        };
        for _ in 0..40 {
            let altered = altered(&text, &mut dice);
            match check(&program, altered.as_bytes()) {
                Err(_) => rejections += 1,
                Ok(verdict) => {
                    let holds = claims_hold(&verdict, &value);
                    assert!(holds, "{value:?}\n{altered}\n{}", shown(&program));
                    harmless += 1;
                }
            }
        }
    }
    println!("{rejections} rejected, {harmless} alterations leave a proof");
    assert!(rejections as u64 > 10 * count(250));
}

const MODEL: &str = "minimize 2 y + z
    subject to y + z >= u
    uncertainty u + v <= 1
    prefix exists integer y in [0, 3]  forall binary u v  exists real z in [0, 1/2] end";

/// A refutation of the model: either `y` is zero and nothing is left for `u = 1`, or it costs 2.
const PROOF: &str = "refutation 2 plays 1
play u=1 v=0
split y@1 0
mix 1 r1-@1 1
mix 1 z@1 1
end";

fn judged(model: &str, sides: &str) -> Result<(), String> {
    let program = parse_qip(model).expect("a program");
    let head = format!(
        "quip-certificate 3\nmodel {}\nclaim interrupted\n",
        program.fingerprint()
    );
    let judged = check(&program, (head + sides).as_bytes());
    judged.map(|_| ()).map_err(|fault| fault.to_string())
}

#[test]
fn a_refutation_by_hand_is_accepted_for_what_it_proves_and_no_more() {
    assert_eq!(judged(MODEL, PROOF), Ok(()));
    let better = judged(MODEL, &PROOF.replace("refutation 2", "refutation 9/4"));
    assert!(better.is_err_and(|fault| fault.contains("without a contradiction")));
}

#[test]
fn forged_refutations_are_rejected_with_the_reason() {
    let forged = [
        // A play that his own row forbids, one outside a domain, one between two integers.
        ("u=1 v=0", "u=1 v=1", "the play breaks u1+"),
        ("u=1 v=0", "u=2 v=0", "not in the domain"),
        ("u=1 v=0", "u=1/2 v=0", "not in the domain"),
        ("u=1 v=0", "u=1+e v=0", "not in the domain"),
        ("u=1 v=0", "u=1", "says nothing about `v`"),
        ("u=1 v=0", "u=1 v=0 y=0", "not moved by this player"),
        // Rows of the other player, plays that are not there, negative weights.
        ("mix 1 r1-@1 1", "mix 1 u1+@1 1", "may not use"),
        ("mix 1 r1-@1 1", "mix 1 r1-@2 1", "the number of a play"),
        ("mix 1 r1-@1 1", "mix 1 r1-@1 -1", "negative"),
        ("mix 1 r1-@1 1", "mix 1 d1 1", "a row side"),
        ("split y@1 0", "split z@1 0", "may not be split"),
        ("split y@1 0", "split u@1 0", "has no copies"),
        // A row that follows in one half only, or is derived in one.
        (
            "mix 1 z@1 1",
            "round d1 1 y@1 -1 -1 at 1 y@1 1 0 below 0 above 0",
            "before the first split",
        ),
        (
            "split y@1 0",
            "round d1 1 y@1 -1 -1 at 1 y@1 1 0 below 0 above 1 at 1\nsplit y@1 0",
            "does not follow below",
        ),
        (
            "split y@1 0",
            "round d1 1 z@1 -1 -1 at 1 z@1 1 0 below 1 r1-@1 1 above 1 at 1\nsplit y@1 0",
            "only sums of integers",
        ),
    ];
    for (what, by, reason) in forged {
        assert!(PROOF.contains(what));
        let fault = judged(MODEL, &PROOF.replace(what, by)).expect_err(by);
        assert!(fault.contains(reason), "{by}: {fault}");
    }
}

#[test]
fn a_derived_row_holds_on_both_sides_of_an_integer_sum() {
    // y + z >= 1 with z at most 1/2 leaves y >= 1.
    let derived = "refutation 2 plays 1
play u=1 v=0
round d1 1 y@1 -1 -1 at 1 y@1 1 0 below 2 r1-@1 2 at 1 above 1 at 1
mix 2 d1 2 z@1 1
end";
    assert_eq!(judged(MODEL, derived), Ok(()));
}

#[test]
fn plays_whose_legality_depends_on_decisions_are_refused() {
    let model = MODEL.replace("u + v <= 1", "u + v + y <= 3");
    let fault = judged(&model, PROOF).expect_err("a decision forbids plays");
    assert!(fault.contains("stands in a universal row"), "{fault}");
}

#[test]
fn a_value_that_is_only_approached_is_proved_by_plays_beside_it() {
    let model = "minimize y - u subject to y >= u
        prefix forall real u in [0, 1] exists integer y in [0, 2] end";
    let proof = "refutation 1 plays 1
play u=0+e
cut r1-@1 y@1
mix 1 z@1 1
end";
    assert_eq!(judged(model, proof), Ok(()));
    // At zero itself nothing of the kind is true.
    assert!(judged(model, &proof.replace("0+e", "0")).is_err());
    assert!(judged(model, &proof.replace("refutation 1", "refutation 2")).is_err());
}

#[test]
fn interrupted_mixed_programs_prove_what_they_report() {
    let mut proved = 0;
    for seed in 0..8 {
        let program = setups(1, 4, seed);
        let options = Options {
            method: Method::Equivalent,
            certificate: true,
            limits: Limits {
                nodes: Some(12),
                ..Limits::default()
            },
            ..Options::default()
        };
        let Ok(outcome) = Solver::new(options).solve(&program) else {
            continue;
        };
        let has_both = outcome.objective.is_some() && outcome.bound.is_some();
        if outcome.status == Status::Interrupted && has_both {
            checked(&program, &outcome);
            proved += 1;
        }
    }
    println!("{proved} interrupted runs prove their bounds");
    assert!(proved > 0);
}

/// A legal play in eighths: the parts of real moves are drawn from what is left of every budget.
fn drawn(program: &Program, dice: &mut ChaCha8Rng) -> HashMap<VarId, Rational> {
    let mut play: HashMap<VarId, Rational> = HashMap::new();
    for (var, variable) in program.variables().pairs() {
        if variable.quantifier == Quantifier::Exists {
            continue;
        }
        let domain = variable.domain();
        let (lower, upper) = (
            domain.lower.unwrap_or_default(),
            domain.upper.unwrap_or_default(),
        );
        let mut steps = 8;
        loop {
            let part = ratio(dice.random_range(0..=steps), 8);
            play.insert(var, &lower + part * (&upper - &lower));
            // Rows of these programs are budgets from above: what has not come yet adds nothing.
            let sum = |row: &Row| -> Rational {
                let known = row
                    .terms
                    .iter()
                    .filter_map(|(var, by)| Some(by * play.get(var)?));
                known.sum()
            };
            let holds = |row: &Row| row.upper.as_ref().is_none_or(|side| sum(row) <= *side);
            if program.universal_rows().iter().all(holds) {
                break;
            }
            steps = (steps - 1).max(0);
        }
    }
    play
}

#[test]
fn strategies_against_real_budgets_are_certified_and_answer_every_play() {
    let mut dice = ChaCha8Rng::seed_from_u64(7);
    let (mut budgeted, mut between) = (0, 0);
    for seed in 0..count(250) {
        let program = random_mixed(seed, Opponent::Reals);
        let outcome = solved(&program, Method::Auto).expect("its class is solved");
        let has_rows = !program.universal_rows().is_empty();
        match &outcome.certificate {
            Some(Ok(_)) => drop(checked(&program, &outcome)),
            other => panic!("seed {seed}: {other:?}\n{}", shown(&program)),
        }
        let Some(strategy) = outcome.held(&program, Quantifier::Exists) else {
            continue;
        };
        budgeted += u64::from(has_rows);
        for _ in 0..8 {
            let observed = drawn(&program, &mut dice);
            let mut play = strategy.play(&program);
            loop {
                play.reply();
                let Turn::Observe(var) = play.turn() else {
                    break;
                };
                let value = observed[&var].clone();
                between += u64::from(!value.is_integer());
                play.observe(value).expect("the play is legal");
            }
            let values: HashMap<VarId, Rational> = play.moves().iter().cloned().collect();
            let sum = |row: &Row| row.terms.iter().map(|(var, by)| by * &values[var]).sum();
            for row in program.rows() {
                assert!(row.admits(&sum(row)), "seed {seed}\n{}", shown(&program));
            }
            if let Some(cost) = strategy.guarantee().cost() {
                let paid = cost_of_objective(&program, play.objective_so_far());
                assert!(
                    paid <= *cost,
                    "seed {seed}: {paid} for {cost}\n{}",
                    shown(&program)
                );
            }
        }
    }
    println!("{budgeted} with budgets, {between} observations between the ends");
    assert!(budgeted > count(250) / 8 && between > count(250));
}
