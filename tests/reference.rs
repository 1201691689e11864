//! The executed definition against known values, a second reading of the definition, and itself.

mod support;

use quip::budget::Budget;
use quip::games::random::{RandomShape, random_program};
use quip::outcome::{Outcome, Score};
use quip::program::Program;
use quip::reference;

use support::naive::Plays;
use support::verify::keeps;

fn solve(program: &Program) -> Outcome {
    reference::solve(program, &mut Budget::unlimited()).expect("the reference takes this program")
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
    assert_eq!(outcome.strategy.is_some(), expected != Score::Lost);
    assert_eq!(outcome.refutation.is_some(), expected != Score::Won);
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
