//! The kernel against trying every integer, and against its slow twin.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::*;
use crate::lp::simplex::Answer as LpAnswer;
use crate::num::ratio;
use crate::program::{Bounds, Row, Term};

/// A random program; now and then with long fractions, which the kernel's image rounds.
fn random_program(rng: &mut ChaCha8Rng, most_columns: usize) -> MixedProgram {
    let columns = rng.random_range(1..=most_columns);
    let long = rng.random_bool(0.2);
    let number = |rng: &mut ChaCha8Rng| match rng.random_range(0..6) {
        0 | 1 => int(rng.random_range(-9..=9)),
        2 => ratio(rng.random_range(-20..=20), rng.random_range(1..=7)),
        3 if long => ratio(rng.random(), 1_000_000_000_000_007) / int(9000),
        _ => int(0),
    };
    let mut integer = IdVec::default();
    let mut bounds = IdVec::default();
    for _ in 0..columns {
        let is_integer = rng.random_bool(0.6);
        let low = rng.random_range(-3..=1);
        let range = match is_integer {
            true => Bounds::between(int(low), int(low + rng.random_range(0..=4))),
            false => {
                let low = ratio(low, rng.random_range(1..=3));
                let width = ratio(rng.random_range(0..=9), rng.random_range(1..=4));
                Bounds::between(low.clone(), low + width)
            }
        };
        integer.push(is_integer);
        bounds.push(range);
    }
    let terms = |rng: &mut ChaCha8Rng| -> Vec<Term> {
        let terms = (0..columns).map(|at| (VarId::new(at), number(rng)));
        crate::program::normalized(terms.collect())
    };
    let rows = (0..rng.random_range(0..=4)).map(|_| {
        let terms = terms(rng);
        let side = int(rng.random_range(-6..=9));
        match rng.random_range(0..5) {
            0 => Row::equal(terms, side),
            1 | 2 => Row::at_least(terms, side),
            _ => Row::at_most(terms, side),
        }
    });
    let rows = rows.collect();
    MixedProgram {
        linear: LinearProgram {
            objective: terms(rng),
            bounds,
            rows,
        },
        integer,
    }
}

use crate::program::Id;

/// The least cost by trying every value of every integer.
fn by_enumeration(program: &MixedProgram) -> Option<Rational> {
    fn least(program: &MixedProgram, linear: &mut LinearProgram, from: usize) -> Option<Rational> {
        let columns = (from..linear.bounds.len()).map(VarId::new);
        let Some(column) = columns.into_iter().find(|&at| program.integer[at]) else {
            return match linear.solve(&mut Budget::unlimited()).expect("no limit") {
                LpAnswer::Optimal { value, .. } => Some(value),
                _ => None,
            };
        };
        let range = linear.bounds[column].clone();
        let (lower, upper) = (range.lower.clone()?, range.upper.clone()?);
        let mut best: Option<Rational> = None;
        let mut value = lower;
        while value <= upper {
            linear.bounds[column] = Bounds::between(value.clone(), value.clone());
            let found = least(program, linear, column.index() + 1);
            best = match (best, found) {
                (Some(best), Some(found)) => Some(best.min(found)),
                (best, found) => best.or(found),
            };
            value += int(1);
        }
        linear.bounds[column] = range;
        best
    }
    least(program, &mut program.linear.clone(), 0)
}

fn satisfies(program: &MixedProgram, point: &Point) -> bool {
    let linear = &program.linear;
    let inside = |(column, range): (VarId, &Bounds)| {
        range.contains(&point.values[column])
            && (!program.integer[column] || point.values[column].is_integer())
    };
    linear.bounds.pairs().all(inside)
        && linear
            .rows
            .iter()
            .all(|row| row.admits(&row.activity(|column| &point.values[column])))
        && crate::program::evaluate(&linear.objective, |column| &point.values[column]) == point.cost
}

#[test]
fn small_programs_are_solved_like_trying_everything() {
    let mut rng = ChaCha8Rng::seed_from_u64(11);
    let budget = &mut Budget::unlimited();
    let (mut solved, mut empty) = (0, 0);
    for number in 0..3000 {
        let program = random_program(&mut rng, 6);
        let expected = by_enumeration(&program);
        let answer = minimise(&program, &Question::default(), budget, &mut |_, _| {});
        assert_eq!(answer.end, End::Proved);
        let cost = answer.best.as_ref().map(|best| best.cost.clone());
        assert_eq!(cost, expected, "program {number}: {program:?}");
        match answer.best {
            Some(best) => {
                assert!(satisfies(&program, &best), "program {number}");
                solved += 1;
            }
            None => empty += 1,
        }
    }
    assert!(
        solved > 1000 && empty > 300,
        "both occur: {solved}, {empty}"
    );
}

#[test]
fn larger_programs_are_solved_like_the_slow_twin() {
    let mut rng = ChaCha8Rng::seed_from_u64(12);
    let budget = &mut Budget::unlimited();
    for number in 0..300 {
        let mut program = random_program(&mut rng, 14);
        for _ in 0..6 {
            let more = random_program(&mut rng, 14);
            let fits = |row: &&Row| {
                let mut terms = row.terms.iter();
                terms.all(|(column, _)| column.index() < program.integer.len())
            };
            let rows: Vec<Row> = more.linear.rows.iter().filter(fits).cloned().collect();
            for row in rows {
                program.linear.rows.push(row);
            }
        }
        let slow = slow::minimise(&program, &Question::default(), budget);
        let fast = minimise(&program, &Question::default(), budget, &mut |_, _| {});
        let cost = |answer: &Answer| answer.best.as_ref().map(|best| best.cost.clone());
        assert_eq!(cost(&fast), cost(&slow), "program {number}: {program:?}");
        assert!(fast.best.is_none_or(|best| satisfies(&program, &best)));
    }
}

#[test]
fn a_question_with_a_limit_is_answered_up_to_the_limit() {
    let mut rng = ChaCha8Rng::seed_from_u64(13);
    let budget = &mut Budget::unlimited();
    for _ in 0..400 {
        let program = random_program(&mut rng, 6);
        let Some(least) = by_enumeration(&program) else {
            continue;
        };
        let asked = |most: Rational, budget: &mut Budget| {
            let question = Question {
                most: Some(most),
                ..Question::default()
            };
            minimise(&program, &question, budget, &mut |_, _| {}).best
        };
        let at = asked(least.clone(), budget).expect("a point at the limit");
        assert_eq!(at.cost, least);
        assert!(asked(&least - ratio(1, 1_000_000_007), budget).is_none());
        let question = Question {
            enough: Some(&least + int(3)),
            ..Question::default()
        };
        let enough = minimise(&program, &question, budget, &mut |_, _| {}).best;
        assert!(enough.expect("a point").cost <= &least + int(3));
    }
}
