//! Policies answer what their strategies play, however they are told; strategies are read as they were written.

use quip::games::random::{RandomShape, random_program};
use quip::num::Rational;
use quip::program::{Program, Quantifier, VarId};
use quip::solver::{NoReply, Policy, Reply, Solver};
use quip::strategy::{Refusal, Strategy};

use crate::support::feasible::whole_values;
use crate::{SHAPES, enumerated, searched, spelled};

/// Every strategy of random programs of every shape, found in two ways.
fn for_strategies(seeds: u64, check: &mut impl FnMut(&Program, &Strategy)) {
    for shape in SHAPES.map(|shape| shape()) {
        for seed in 0..seeds {
            let program = random_program(seed, &shape);
            for outcome in [enumerated(&program), searched(&program)] {
                for player in [Quantifier::Exists, Quantifier::Forall] {
                    if let Some(strategy) = outcome.held(&program, player) {
                        check(&program, &strategy);
                    }
                }
            }
        }
    }
}

#[test]
fn a_strategy_is_read_as_it_was_written() {
    let mut read = 0;
    for_strategies(60, &mut |program, strategy| {
        let text = strategy.to_json(program);
        let again = Strategy::from_json(program, &text).expect("it was written for this program");
        assert_eq!(again, *strategy, "{text}");
        read += 1;
        // Without one of its lines it is refused, or another graph without cycles.
        let lines: Vec<&str> = text.lines().collect();
        for left_out in 0..lines.len() {
            let mut lines = lines.clone();
            lines.remove(left_out);
            let damaged = Strategy::from_json(program, &lines.join("\n"));
            assert_ne!(damaged.as_ref(), Ok(strategy));
        }
    });
    assert!(read > 250, "{read}");
}

/// Goes on with every value of what is awaited; legal plays are told once more, all at once and backwards.
fn explore(policy: &Policy, reply: &Reply<'_>, told: &[(VarId, Rational)], seen: &mut [u32; 2]) {
    let Some(awaited) = reply.awaits() else {
        let backwards = told.iter().rev().cloned();
        let again = policy.reply(backwards).expect("it was taken before");
        assert_eq!(again.moves(), reply.moves());
        seen[0] += 1;
        return;
    };
    for value in whole_values(policy.program(), awaited) {
        let mut next = reply.clone();
        let mut told = told.to_vec();
        told.push((awaited, value.clone()));
        match next.observe(awaited, value.clone()) {
            Ok(_) => explore(policy, &next, &told, seen),
            Err(NoReply::Refused(refusal)) => {
                assert!(matches!(
                    refusal,
                    Refusal::Row { .. } | Refusal::Rows { .. }
                ));
                assert_eq!(
                    next.moves(),
                    reply.moves(),
                    "what is refused changes nothing"
                );
                let again = policy.reply(told).map(|_| ()).expect_err("it was refused");
                assert_eq!(again, NoReply::Refused(refusal));
                seen[1] += 1;
            }
            Err(other) => panic!("{other}"),
        }
    }
}

#[test]
fn a_policy_replies_the_same_however_it_is_told() {
    let mut seen = [0, 0];
    for_strategies(25, &mut |program, strategy| {
        let policy = Policy::new(program.clone(), strategy.clone());
        explore(&policy, &policy.begin(), &[], &mut seen);
    });
    assert!(seen[0] > 500 && seen[1] > 50, "{seen:?}");
}

#[test]
fn what_cannot_be_observed_is_refused_with_the_reason() {
    let program = quip::format::parse_qip(
        "minimize x + z subject to x + z >= y + w prefix \
         forall integer y in [0, 2] exists integer x in [0, 5] \
         forall integer w in [0, 2] exists integer z in [0, 5] end",
    )
    .expect("a program");
    let solution = Solver::default()
        .solve_program(program)
        .expect("it is solved");
    let policy = solution.policy().expect("it is won");
    let said = |told: &[(&str, i64)]| match policy.reply(told.iter().copied()) {
        Ok(reply) => format!("{:?}", reply.value("x").map(ToString::to_string)),
        Err(refused) => refused.to_string(),
    };
    assert_eq!(said(&[("w", 1)]), "`y` is revealed before w; tell it too");
    assert_eq!(said(&[("x", 1)]), "`x` is no variable of the other player");
    assert_eq!(
        said(&[("v", 1)]),
        "`v` is no variable of the model that was solved"
    );
    assert_eq!(
        said(&[("y", 3)]),
        "y = 3 is illegal: y is a whole number in [0, 2]"
    );
    let refused = policy.reply([("y", f64::NAN)]).map(|_| ()).unwrap_err();
    assert!(matches!(refused, NoReply::Number(_)), "{refused}");
    let mut play = policy.begin();
    let early = play.observe("w", 1).map(|_| ()).unwrap_err();
    assert_eq!(early.to_string(), "`y` is revealed before w; tell it too");
    assert!(play.observe("y", 2).is_ok() && play.observe("w", 2).is_ok());
    let over = play.observe("w", 2).map(|_| ()).unwrap_err();
    assert_eq!(over.to_string(), "the play is over");
}

#[test]
fn solutions_say_what_their_programs_are_worth() {
    let (mut won, mut lost) = (0, 0);
    for seed in 0..60 {
        let program = random_program(seed, &RandomShape::small());
        let value = crate::value_of(&program);
        let solution = Solver::default()
            .solve_program(program)
            .expect("it is taken");
        match solution.policy() {
            Ok(policy) => {
                won += 1;
                assert_eq!(*policy.strategy().guarantee(), value, "seed {seed}");
            }
            Err(_) => {
                lost += 1;
                let refutation = solution.refutation().expect("the opponent wins");
                assert_eq!(*refutation.strategy().guarantee(), value, "seed {seed}");
            }
        }
        let certificate = solution.certificate().expect("integers are certified");
        let text = certificate.to_text(solution.program());
        let shown = || spelled(solution.program());
        assert!(
            quip::check::check(solution.program(), text.as_bytes()).is_ok(),
            "{}",
            shown()
        );
    }
    assert!(won > 20 && lost > 3, "{won} {lost}");
}
