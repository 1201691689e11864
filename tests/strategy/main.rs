//! Strategies as they are played and shown: on hundreds of random programs no opponent gets more
//! than the strategy allows, whoever solved the program.

mod policy;
mod shown;
#[path = "../support/mod.rs"]
mod support;
mod terms;

use std::collections::BTreeMap;

use quip::budget::Budget;
use quip::format::parse_qip;
use quip::games::random::{RandomShape, random_program};
use quip::num::{Rational, int, ratio};
use quip::outcome::{Outcome, Score, cost_of_objective};
use quip::program::{Kind, Program, Quantifier, VarId};
use quip::reference;
use quip::search::{Settings, solve_with_certificate};
use quip::solver::{Options, PerfectPlay, fixed};
use quip::strategy::{End, Guarantee, Play, Refusal, Strategy, StrategyNode, Turn};
use rand::Rng;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

use support::advice::played_by;
use support::certified::{by_the_reference as enumerated, checked};
use support::feasible::{is_alive, whole_values};
use support::naive::Plays;
use support::shown as spelled;

const SHAPES: [fn() -> RandomShape; 3] =
    [RandomShape::small, RandomShape::binary, RandomShape::game];

fn searched(program: &Program) -> Outcome {
    let budget = &mut Budget::unlimited();
    let outcome = solve_with_certificate(program, &Settings::default(), budget)
        .expect("the search takes programs of integers");
    checked(program, &outcome);
    outcome
}

/// What the player has guaranteed himself, by the definition.
fn value_of(program: &Program) -> Guarantee {
    let score = reference::value(program).expect("the reference takes this program");
    match score {
        Score::Cost(_) if program.objective().is_none() => Guarantee::Kept,
        score => score.into(),
    }
}

/// Every way in which a play can go; `check` sees each at its end.
fn for_every_play(
    program: &Program,
    strategy: &Strategy,
    most: usize,
    check: &mut impl FnMut(&Play<'_>),
) {
    let mut open = vec![strategy.play(program)];
    let mut seen = 0;
    while let Some(mut play) = open.pop() {
        play.reply();
        match play.turn() {
            Turn::Observe(variable) => {
                for value in whole_values(program, variable) {
                    let mut next = play.clone();
                    let assigned: BTreeMap<_, _> = next.moves().iter().cloned().collect();
                    let mut after = assigned.clone();
                    after.insert(variable, value.clone());
                    let opponent = strategy.owner().opponent();
                    let observed = next.observe(value);
                    let legal = is_alive(program, opponent, &after);
                    assert!(observed.is_ok() || !legal, "{observed:?}");
                    if legal {
                        open.push(next);
                    }
                }
            }
            _ => {
                check(&play);
                seen += 1;
                if seen == most {
                    return;
                }
            }
        }
    }
}

/// The score of a play that has ended, by the rows and the objective alone.
fn keeps(program: &Program, play: &Play<'_>) -> bool {
    let Turn::Over(end) = play.turn() else {
        return false;
    };
    let owner = play.strategy().owner();
    let values: BTreeMap<VarId, Rational> = play.moves().iter().cloned().collect();
    match end {
        End::OpponentDead => {
            program.first_empty_domain().is_some() || !is_alive(program, owner.opponent(), &values)
        }
        End::Complete => {
            let cost = Score::Cost(cost_of_objective(program, play.objective_so_far()));
            let promised = play.guarantee();
            let kept = match owner {
                Quantifier::Exists if *promised == Guarantee::Kept => true,
                // One play shows a cost, not that every cost can be undercut.
                Quantifier::Exists if *promised == Guarantee::Unbounded => true,
                Quantifier::Exists => Guarantee::from(cost) <= *promised,
                Quantifier::Forall => Guarantee::from(cost) >= *promised,
            };
            kept && values.len() == program.variables().len() && is_alive(program, owner, &values)
        }
        // Nothing better is left to the opponent: solving what is left must say the same.
        End::Settled(_) | End::Open(_) => {
            value_of(&fixed(program, play.moves())) >= *play.guarantee()
        }
        End::Ray(_) => *play.guarantee() == Guarantee::Unbounded,
        End::Cut => panic!("nothing was left out"),
    }
}

#[test]
fn no_opponent_gets_more_than_the_strategy_allows() {
    let (mut strategies, mut plays) = (0, 0);
    for shape in SHAPES.map(|shape| shape()) {
        for seed in 0..150 {
            let program = random_program(seed, &shape);
            let value = value_of(&program);
            for outcome in [enumerated(&program), searched(&program)] {
                for player in [Quantifier::Exists, Quantifier::Forall] {
                    let Some(strategy) = outcome.held(&program, player) else {
                        continue;
                    };
                    assert_eq!(*strategy.guarantee(), value, "{}", spelled(&program));
                    strategies += 1;
                    for_every_play(&program, &strategy, 200, &mut |play| {
                        plays += 1;
                        assert!(
                            keeps(&program, play),
                            "seed {seed}: {:?}\n{}",
                            play.moves(),
                            spelled(&program)
                        );
                    });
                }
            }
        }
    }
    assert!(strategies > 900 && plays > 5_000, "{strategies} {plays}");
}

#[test]
fn whoever_can_guarantee_something_holds_a_strategy() {
    for shape in SHAPES.map(|shape| shape()) {
        for seed in 0..100 {
            let program = random_program(seed, &shape);
            let lost = value_of(&program) == Guarantee::Lost;
            for outcome in [enumerated(&program), searched(&program)] {
                assert_eq!(outcome.held(&program, Quantifier::Exists).is_none(), lost);
                let refuted = outcome.held(&program, Quantifier::Forall).is_some();
                assert!(refuted || !lost, "{}", spelled(&program));
            }
        }
    }
}

/// A legal value for the variable to move, by lot; of a real one anything inside its bounds.
fn some_value(program: &Program, variable: VarId, source: &mut ChaCha8Rng) -> Rational {
    let domain = program.variables()[variable].domain();
    let (lower, upper) = (domain.lower.expect("finite"), domain.upper.expect("finite"));
    match program.variables()[variable].kind {
        Kind::Integer => {
            let values = whole_values(program, variable);
            values[source.random_range(0..values.len())].clone()
        }
        Kind::Real => {
            let share = ratio(source.random_range(0..=12), 12);
            &lower + (&upper - &lower) * share
        }
    }
}

#[test]
fn real_moves_between_the_corners_are_answered_by_mixtures() {
    let mut source = ChaCha8Rng::seed_from_u64(1);
    let (mut plays, mut between) = (0, 0);
    for seed in 0..300 {
        let program = random_program(seed, &RandomShape::qlp());
        let outcome = enumerated(&program);
        let Some(strategy) = outcome.held(&program, Quantifier::Exists) else {
            continue;
        };
        for _ in 0..8 {
            let mut play = strategy.play(&program);
            loop {
                play.reply();
                let Turn::Observe(variable) = play.turn() else {
                    break;
                };
                let value = some_value(&program, variable, &mut source);
                let domain = program.variables()[variable].domain();
                between += u32::from(
                    domain.lower.as_ref() != Some(&value) && domain.upper.as_ref() != Some(&value),
                );
                play.observe(value).expect("there are no universal rows");
            }
            plays += 1;
            assert!(
                keeps(&program, &play),
                "seed {seed}: {:?}\n{}",
                play.moves(),
                spelled(&program)
            );
        }
    }
    assert!(plays > 500 && between > 300, "{plays} {between}");
}

#[test]
fn perfect_play_is_worth_what_is_left_after_every_move() {
    let mut source = ChaCha8Rng::seed_from_u64(2);
    let (mut looks, mut improved) = (0, 0);
    for shape in [RandomShape::small(), RandomShape::binary()] {
        for seed in 0..250 {
            let program = random_program(seed, &shape);
            let begun = PerfectPlay::new(&program, Quantifier::Exists, Options::default());
            let Some(mut play) = begun.expect("the solver takes this program") else {
                continue;
            };
            let first = play.guarantee().clone();
            loop {
                play.reply();
                let Turn::Observe(variable) = play.turn() else {
                    break;
                };
                let value = some_value(&program, variable, &mut source);
                if play.observe(value).is_ok() && matches!(play.turn(), Turn::Reply(_)) {
                    let left = fixed(&program, play.play().moves());
                    assert_eq!(*play.guarantee(), value_of(&left), "{}", spelled(&program));
                    looks += 1;
                    improved += u32::from(*play.guarantee() < first);
                }
            }
            assert!(keeps(&program, play.play()), "{}", spelled(&program));
        }
    }
    assert!(looks > 100 && improved > 30, "{looks} {improved}");
}

/// The strategy of the existential player.
fn strategy_of(program: &Program) -> Strategy {
    let held = searched(program).held(program, Quantifier::Exists);
    held.expect("the existential player wins")
}

#[test]
fn an_illegal_move_is_refused_by_what_forbids_it() {
    let program = parse_qip(
        "minimize x subject to x >= y + z uncertainty once: y + z <= 1
         parity: y + z - 2 w = 0
         prefix forall binary y z w exists integer x in [0, 5] end",
    )
    .expect("it is well formed");
    let strategy = strategy_of(&program);
    let mut play = strategy.play(&program);
    let refused =
        |play: &mut Play<'_>, value| play.observe(value).expect_err("illegal").to_string();
    assert_eq!(
        refused(&mut play, ratio(1, 2)),
        "y = 1/2 is illegal: y is a whole number in [0, 1]"
    );
    assert_eq!(
        refused(&mut play, int(1)),
        "y = 1 is illegal: rows `once`, `parity` of the opponent cannot hold together after it"
    );
    play.observe(int(0)).expect("legal");
    assert_eq!(
        refused(&mut play, int(2)),
        "z = 2 is illegal: z is a whole number in [0, 1]"
    );
    play.observe(int(0)).expect("legal");
    assert_eq!(
        refused(&mut play, int(1)),
        "w = 1 is illegal: it breaks row `parity` of the opponent"
    );
    play.observe(int(0)).expect("legal");
    assert_eq!(
        play.observe(int(0)),
        Err(Refusal::NotTheirTurn {
            variable: "x".to_owned()
        })
    );
    assert_eq!(play.reply().len(), 1);
    assert_eq!(play.observe(int(0)), Err(Refusal::Over));
}

#[test]
fn the_running_objective_counts_the_moves_made() {
    let program = parse_qip(
        "maximize 10 + 2 x - y subject to x <= 3 - y
         prefix exists integer x in [0, 5] forall integer y in [0, 1] end",
    )
    .expect("it is well formed");
    let strategy = strategy_of(&program);
    assert_eq!(strategy.guaranteed_value(&program), Some(int(13)));
    let mut play = strategy.play(&program);
    assert_eq!(play.objective_so_far(), int(10));
    play.reply();
    assert_eq!(play.objective_so_far(), int(14));
    play.observe(int(1)).expect("legal");
    assert_eq!(play.objective_so_far(), int(13));
}

/// The terms of the winner of a formula.
fn terms_of(text: &str) -> String {
    let reading = quip::format::read_bytes("formula.qcir", text.as_bytes());
    let program = reading.expect("the test's formula reads").program;
    let outcome = searched(&program);
    let strategy = outcome.held(&program, Quantifier::Exists);
    let strategy = strategy.or_else(|| outcome.held(&program, Quantifier::Forall));
    let strategy = strategy.expect("somebody wins");
    strategy.to_terms(&program).expect("few terms") + &strategy.to_text(&program)
}

#[test]
fn a_refutation_says_its_move() {
    let text = "#QCIR-G14\nforall(x)\nexists(y)\noutput(g)\ng = and(x, y)\n";
    let said = terms_of(text);
    assert!(
        said.contains("x = false") && said.contains("x = 0"),
        "{said}"
    );
    assert!(!said.contains("any"), "{said}");
}

#[test]
fn a_refutation_says_what_its_move_depends_on() {
    let program = parse_qip(
        "subject to
           low: x >= u
           high: x <= u
         prefix exists binary x  forall binary u w  end",
    );
    let program = program.expect("the test's model is well formed");
    let refutation = searched(&program).held(&program, Quantifier::Forall);
    let said = refutation.expect("it is lost").to_terms(&program).unwrap();
    assert!(said.contains("u = ite(x, false, true)"), "{said}");
    assert!(said.contains("w = any"), "{said}");
}

#[test]
fn refutations_of_integers_say_every_move_that_matters() {
    let (mut ends, mut open) = (0, 0);
    for shape in [
        RandomShape::small(),
        RandomShape::binary(),
        RandomShape::game(),
    ] {
        for seed in 0..600 {
            let program = random_program(seed, &shape);
            let outcome = searched(&program);
            let Some(refutation) = outcome.held(&program, Quantifier::Forall) else {
                continue;
            };
            let settled = |it: &&StrategyNode| matches!(it, StrategyNode::End(End::Settled(_)));
            ends += refutation.nodes().iter().filter(settled).count();
            let untold = |it: &&StrategyNode| matches!(it, StrategyNode::End(End::Open(_)));
            open += refutation.nodes().iter().filter(untold).count();
            if let Some(plays) = Plays::of(&program, 1 << 12) {
                let fault = played_by(&refutation, &plays);
                assert_eq!(
                    fault,
                    Ok(()),
                    "seed {seed}: {refutation:?}\n{}",
                    spelled(&program)
                );
            }
        }
    }
    assert!(ends > 500, "{ends} ends, {open} of them open");
    assert_eq!(open, 0, "of {ends}");
}
