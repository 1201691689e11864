//! The executed definition against known values, a second reading of the definition, and itself.

mod support;

use quip::games::random::{RandomShape, random_program};
use quip::outcome::{Outcome, Score};
use quip::program::{Kind, Program};
use quip::reference;

use support::certified::by_the_reference as solve;
use support::naive::Plays;
use support::proof;
use support::verify::keeps;

fn has_the_plans_of(program: &Program, outcome: &Outcome, score: &Score) {
    let bounded = match score {
        Score::Won | Score::Unbounded => false,
        Score::Cost(_) => program.objective().is_some() || !program.universal_rows().is_empty(),
        Score::Lost => true,
    };
    assert_eq!(outcome.strategy.is_some(), *score != Score::Lost);
    assert_eq!(outcome.refutation.is_some(), bounded);
}

/// Compares the value, and plays both plans against everything.
fn agrees_with_the_second_reading(program: &Program) -> Option<Score> {
    let plays = Plays::of(program, 4096)?;
    let expected = plays.value();
    assert_eq!(
        reference::value(program).as_ref(),
        Ok(&expected),
        "{program:#?}"
    );
    let outcome = solve(program);
    has_the_plans_of(program, &outcome, &expected);
    for plan in outcome.strategy.iter().chain(&outcome.refutation) {
        assert!(
            keeps(plan, &plays, &expected),
            "{plan:#?} fails {expected:?} in {program:#?}"
        );
    }
    Some(expected)
}

#[test]
fn random_integer_programs_have_the_value_of_the_second_reading() {
    for shape in [
        RandomShape::small(),
        RandomShape::binary(),
        RandomShape::game(),
    ] {
        let mut tally = [0; 4];
        for seed in 0..1500 {
            let kind = match agrees_with_the_second_reading(&random_program(seed, &shape)) {
                Some(Score::Won) => 0,
                Some(Score::Cost(_)) => 1,
                Some(Score::Lost) => 2,
                Some(Score::Unbounded) | None => 3,
            };
            tally[kind] += 1;
        }
        println!("{tally:?}");
        assert!(
            tally[1] > 400 && tally[2] > 200 && tally[3] < 150,
            "{tally:?} is a dull family"
        );
    }
}

/// Checks what both plans prove, which together is the value.
fn proves_itself(program: &Program) -> Option<Score> {
    let reals = program
        .variables()
        .iter()
        .filter(|variable| variable.kind == Kind::Real);
    if program.first_empty_domain().is_some() || reals.count() > 3 {
        return None;
    }
    let score = reference::value(program).expect("the reference takes this family");
    let outcome = solve(program);
    has_the_plans_of(program, &outcome, &score);
    for plan in outcome.strategy.iter().chain(&outcome.refutation) {
        proof::check(program, plan, &score);
    }
    Some(score)
}

#[test]
fn random_programs_with_a_real_tail_are_proved_from_both_sides() {
    let mut tally = [0; 5];
    for seed in 0..2500 {
        let kind = match proves_itself(&random_program(seed, &RandomShape::with_reals())) {
            Some(Score::Won) => 0,
            Some(Score::Unbounded) => 1,
            Some(Score::Cost(_)) => 2,
            Some(Score::Lost) => 3,
            None => 4,
        };
        tally[kind] += 1;
    }
    println!("{tally:?}");
    assert!(
        tally[1] > 30 && tally[2] > 800 && tally[3] > 400,
        "{tally:?} is a dull family"
    );
}
