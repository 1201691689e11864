//! Programs with an empty domain against trying everything, and forged certificates of them.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use quip::budget::Budget;
use quip::check::check;
use quip::empty::decide;
use quip::games::random::{RandomShape, random_program};
use quip::num::{Rational, int};
use quip::program::{Id, Program, Quantifier, Variable};
use quip::solver::{Method, Options, Solver};

/// Whether some values satisfy a player's rows: all are tried, free ones in a wide range.
fn has_completion(program: &Program, owner: Quantifier) -> bool {
    let range = |variable: &Variable| match variable.has_empty_domain() {
        true => -40..=40,
        false => {
            let domain = variable.domain();
            let end = |end: Option<Rational>| i64::try_from(end.unwrap().to_integer()).unwrap();
            end(domain.lower)..=end(domain.upper)
        }
    };
    let ranges: Vec<_> = program.variables().iter().map(range).collect();
    let mut plays = vec![Vec::new()];
    for range in ranges {
        let longer = |play: Vec<i64>| {
            range.clone().map(move |value| {
                let mut play = play.clone();
                play.push(value);
                play
            })
        };
        plays = plays.into_iter().flat_map(longer).collect();
    }
    plays.iter().any(|play| {
        program.system(owner).iter().all(|row| {
            let terms = row.terms.iter();
            let sum = terms.map(|(var, by)| by * int(play[var.index()]));
            let sum: Rational = sum.sum();
            row.lower.as_ref().is_none_or(|lower| *lower <= sum)
                && row.upper.as_ref().is_none_or(|upper| sum <= *upper)
        })
    })
}

#[test]
fn random_programs_with_an_empty_domain_are_decided_as_by_trying_everything() {
    let shape = RandomShape {
        variables: 1..=5,
        empty_domain: 100,
        ..RandomShape::small()
    };
    let mut tally = [0; 3];
    for seed in 0..3000 {
        let program = random_program(seed, &shape);
        let lacking = program.lacking();
        let sizes = program
            .variables()
            .iter()
            .map(|it| match it.has_empty_domain() {
                true => 81.0,
                false => 4.0_f64,
            });
        if lacking.is_empty() || sizes.product::<f64>() > 1e5 {
            continue;
        }
        let first = program.first_mover().unwrap();
        let dead = |player| lacking.contains(&player) || !has_completion(&program, player);
        let (own, other) = (dead(first), dead(first.opponent()));
        let loser = if own { first } else { first.opponent() };
        assert!(own || other);
        let decided = decide(&program, &mut Budget::unlimited()).unwrap().unwrap();
        assert_eq!(decided.loser, loser, "seed {seed}");
        tally[match (lacking.contains(&first), own) {
            (true, _) => 0,
            (false, true) => 1,
            (false, false) => 2,
        }] += 1;
        let text = decided.clone().certificate(&program).to_text(&program);
        let verdict = check(&program, text.as_bytes())
            .unwrap_or_else(|fault| panic!("seed {seed}: {fault}\n{text}"));
        // The other claim does not follow from the same evidence, nor from none.
        let (right, wrong) = match loser {
            Quantifier::Exists => ("infeasible", "universal_stuck"),
            Quantifier::Forall => ("universal_stuck", "infeasible"),
        };
        assert_eq!(verdict.claim, right);
        let forged = text.replace(&format!("claim {right}"), &format!("claim {wrong}"));
        assert!(check(&program, forged.as_bytes()).is_err(), "seed {seed}");
        let bare = format!(
            "quip-certificate 3\nmodel {}\nclaim {wrong}\nend\n",
            program.fingerprint()
        );
        assert!(check(&program, bare.as_bytes()).is_err(), "seed {seed}");
        for method in [
            Method::Auto,
            Method::Search,
            Method::Expand,
            Method::Equivalent,
            Method::Reference,
        ] {
            let options = Options {
                method,
                certificate: true,
                ..Options::default()
            };
            let outcome = Solver::new(options).solve(&program).unwrap();
            assert_eq!(outcome.status.to_string(), right, "seed {seed}, {method:?}");
            let made = outcome.certificate.unwrap().unwrap().to_text(&program);
            assert!(
                check(&program, made.as_bytes()).is_ok(),
                "seed {seed}, {method:?}"
            );
        }
    }
    println!("{tally:?}");
    assert!(tally.iter().all(|count| *count > 20), "{tally:?}");
}
