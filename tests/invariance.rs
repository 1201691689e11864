//! What must not change the value of a program.

use proptest::prelude::*;
use rand::Rng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

use quip::games::random::{RandomShape, random_program};
use quip::num::{Rational, int, ratio};
use quip::outcome::Score;
use quip::program::{
    Bounds, Id, Kind, Objective, Program, ProgramData, Quantifier, Row, Sense, Term, VarId,
    Variable,
};
use quip::reference;

fn any_program() -> impl Strategy<Value = Program> {
    let shapes = vec![
        RandomShape::small(),
        RandomShape::binary(),
        RandomShape::game(),
        RandomShape::with_reals(),
    ];
    (any::<u64>(), prop::sample::select(shapes))
        .prop_map(|(seed, shape)| random_program(seed, &shape))
}

fn value(program: &Program) -> Score {
    reference::value(program).expect("the reference takes every preset")
}

/// The value after a change of the content.
fn changed(program: &Program, change: impl FnOnce(&mut ProgramData)) -> Score {
    let mut data = program.clone().into_data();
    change(&mut data);
    value(&Program::new(data).expect("the change keeps the program well formed"))
}

fn dice(seed: u64) -> ChaCha8Rng {
    ChaCha8Rng::seed_from_u64(seed)
}

fn all_rows(data: &mut ProgramData) -> impl Iterator<Item = &mut Row> {
    data.rows.iter_mut().chain(&mut data.universal_rows)
}

/// Applies `rename` to every variable that a row or the objective mentions.
fn map_terms(data: &mut ProgramData, rename: impl Fn(VarId) -> VarId) {
    let objective = data
        .objective
        .iter_mut()
        .map(|objective| &mut objective.terms);
    let rows = data.rows.iter_mut().chain(&mut data.universal_rows);
    for terms in rows.map(|row| &mut row.terms).chain(objective) {
        for (var, _) in terms {
            *var = rename(*var);
        }
    }
}

fn shift(side: &mut Option<Rational>, by: &Rational) {
    if let Some(side) = side {
        *side += by;
    }
}

fn coefficient(terms: &[Term], var: VarId) -> Rational {
    let own = terms.iter().filter(|(other, _)| *other == var);
    own.map(|(_, factor)| factor).sum()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn names_do_not_matter(program in any_program()) {
        let renamed = changed(&program, |data| {
            for (place, variable) in data.variables.iter_mut().enumerate() {
                variable.name = format!("v{place}");
            }
            for row in all_rows(data) {
                row.name = None;
            }
        });
        prop_assert_eq!(renamed, value(&program));
    }

    #[test]
    fn the_order_of_rows_does_not_matter(program in any_program(), seed: u64) {
        let shuffled = changed(&program, |data| {
            let dice = &mut dice(seed);
            data.rows.shuffle(dice);
            data.universal_rows.shuffle(dice);
        });
        prop_assert_eq!(shuffled, value(&program));
    }

    #[test]
    fn the_order_inside_a_block_does_not_matter(program in any_program(), seed: u64) {
        let mut order = Vec::new();
        for block in program.blocks() {
            let mut places: Vec<usize> = block.range().collect();
            places.shuffle(&mut dice(seed));
            order.extend(places);
        }
        let shuffled = changed(&program, |data| {
            let old: Vec<Variable> = data.variables.clone();
            data.variables = order.iter().map(|&place| old[place].clone()).collect();
            let new_place = |var: VarId| order.iter().position(|&place| place == var.index());
            map_terms(data, |var| VarId::new(new_place(var).expect("a permutation")));
        });
        prop_assert_eq!(shuffled, value(&program));
    }

    #[test]
    fn scaling_a_row_by_a_positive_number_does_not_matter(program in any_program(), seed: u64) {
        let scaled = changed(&program, |data| {
            let dice = &mut dice(seed);
            for row in all_rows(data) {
                let scale = ratio(dice.random_range(1..=12), dice.random_range(1..=7));
                for (_, factor) in &mut row.terms {
                    *factor *= &scale;
                }
                for side in row.lower.iter_mut().chain(&mut row.upper) {
                    *side *= &scale;
                }
            }
        });
        prop_assert_eq!(scaled, value(&program));
    }

    #[test]
    fn negating_a_row_does_not_matter(program in any_program()) {
        let negated = changed(&program, |data| {
            for row in all_rows(data) {
                for (_, factor) in &mut row.terms {
                    *factor *= int(-1);
                }
                let (lower, upper) = (row.lower.take(), row.upper.take());
                row.lower = upper.map(|side| -side);
                row.upper = lower.map(|side| -side);
            }
        });
        prop_assert_eq!(negated, value(&program));
    }

    #[test]
    fn shifting_integer_variables_does_not_matter(program in any_program(), seed: u64) {
        let shifted = changed(&program, |data| {
            let dice = &mut dice(seed);
            for place in 0..data.variables.len() {
                if data.variables[place].kind == Kind::Integer {
                    let by = int(dice.random_range(-9..=9));
                    shift_variable(data, place, &by);
                }
            }
        });
        prop_assert_eq!(shifted, value(&program));
    }

    #[test]
    fn negating_the_objective_and_its_sense_does_not_matter(program in any_program()) {
        let negated = changed(&program, |data| {
            if let Some(Objective { sense, terms, constant, .. }) = &mut data.objective {
                *sense = match sense {
                    Sense::Minimize => Sense::Maximize,
                    Sense::Maximize => Sense::Minimize,
                };
                *constant *= int(-1);
                for (_, factor) in terms {
                    *factor *= int(-1);
                }
            }
        });
        // Scores are told as costs, which are the same both ways.
        prop_assert_eq!(negated, value(&program));
    }

    #[test]
    fn a_real_universal_value_between_its_corners_is_never_worse_than_both(
        program in any_program(),
        seed: u64,
    ) {
        // Where the universal system can die, less room for him may also take away the existential
        // player's chance to outlive him.
        let unruled = |data: &mut ProgramData| data.universal_rows.clear();
        let fixed = changed(&program, |data| {
            unruled(data);
            let dice = &mut dice(seed);
            for variable in &mut data.variables {
                let universal = variable.quantifier == Quantifier::Forall;
                if universal && variable.kind == Kind::Real && !variable.has_empty_domain() {
                    let eighths = dice.random_range(0..=8);
                    variable.bounds = inside(&variable.bounds, eighths);
                }
            }
        });
        prop_assert!(fixed <= changed(&program, unruled));
    }
}

/// One point of finite bounds.
fn inside(bounds: &Bounds, eighths: i64) -> Bounds {
    let lower = bounds.lower.clone().expect("universal bounds are finite");
    let upper = bounds.upper.clone().expect("universal bounds are finite");
    let point = &lower + (upper - &lower) * ratio(eighths, 8);
    Bounds::between(point.clone(), point)
}

/// Replaces a variable `x` by `y = x + by`.
fn shift_variable(data: &mut ProgramData, place: usize, by: &Rational) {
    let var = VarId::new(place);
    let bounds = &mut data.variables[place].bounds;
    shift(&mut bounds.lower, by);
    shift(&mut bounds.upper, by);
    for row in all_rows(data) {
        let moved = coefficient(&row.terms, var) * by;
        shift(&mut row.lower, &moved);
        shift(&mut row.upper, &moved);
    }
    if let Some(objective) = &mut data.objective {
        objective.constant -= coefficient(&objective.terms, var) * by;
    }
}
