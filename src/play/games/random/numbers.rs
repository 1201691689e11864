//! The same programs with numbers as data has them: long, large, small, at the ends of machine integers.

use num_bigint::BigInt;
use rand::Rng;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

use super::{RandomShape, random_program};
use crate::num::{Rational, int};
use crate::program::{Bounds, Program, ProgramData};

/// A random program whose numbers are made long, or large and small, or both.
pub fn with_long_numbers(seed: u64) -> Program {
    let program = random_program(seed, &some_shape(seed));
    let dice = &mut ChaCha8Rng::seed_from_u64(seed);
    let digits = dice.random_range(0..=18);
    match seed / 3 % 3 {
        0 => renumbered(&program, |number| with_digits(number, digits, dice)),
        1 => renumbered(&program, |number| of_any_size(number, dice)),
        _ => renumbered(&program, |number| {
            let number = with_digits(number, digits, dice);
            if dice.random_ratio(1, 4) {
                of_any_size(&number, dice)
            } else {
                number
            }
        }),
    }
}

/// A random program with numbers at the ends of machine integers, and beyond.
pub fn with_extreme_numbers(seed: u64) -> Program {
    let dice = &mut ChaCha8Rng::seed_from_u64(seed);
    let program = random_program(seed, &RandomShape::small());
    let program = renumbered(&program, |number| match dice.random_range(0..3) {
        0 => extreme(dice),
        _ => number.clone(),
    });
    let mut data = program.into_data();
    for variable in &mut data.variables {
        if dice.random_ratio(1, 4) {
            let lower = extreme(dice);
            variable.bounds = Bounds::between(lower.clone(), lower + int(2));
        }
    }
    whole(data)
}

/// A random program with wide domains, up to 10⁹ or 10¹⁸ values each: bounds and sides are multiplied.
pub fn with_wide_domains(seed: u64) -> Program {
    let dice = &mut ChaCha8Rng::seed_from_u64(seed);
    let mut data = random_program(seed, &some_shape(seed)).into_data();
    let by = int(10).pow(*[3, 6, 9, 17].get(dice.random_range(0..4)).unwrap_or(&9));
    for variable in &mut data.variables {
        let ends = [&mut variable.bounds.lower, &mut variable.bounds.upper];
        ends.into_iter().flatten().for_each(|end| *end *= &by);
    }
    for row in data.rows.iter_mut().chain(&mut data.universal_rows) {
        let ends = [&mut row.lower, &mut row.upper];
        ends.into_iter().flatten().for_each(|end| *end *= &by);
    }
    whole(data)
}

fn some_shape(seed: u64) -> RandomShape {
    match seed % 3 {
        0 => RandomShape::small(),
        1 => RandomShape::binary(),
        _ => RandomShape::game(),
    }
}

/// Every number of the rows and the objective, replaced.
fn renumbered(program: &Program, mut change: impl FnMut(&Rational) -> Rational) -> Program {
    let mut data = program.clone().into_data();
    let mut replace = |number: &mut Rational| *number = change(number);
    for row in data.rows.iter_mut().chain(&mut data.universal_rows) {
        row.terms.iter_mut().for_each(|term| replace(&mut term.1));
        row.lower.iter_mut().for_each(&mut replace);
        let equation = row.is_equation();
        row.upper.iter_mut().for_each(&mut replace);
        if let (true, Some(lower)) = (equation, &row.lower) {
            row.upper = Some(lower.clone());
        }
    }
    if let Some(objective) = &mut data.objective {
        let terms = objective.terms.iter_mut();
        terms.for_each(|term| replace(&mut term.1));
        replace(&mut objective.constant);
    }
    whole(data)
}

fn whole(mut data: ProgramData) -> Program {
    for row in data.rows.iter_mut().chain(&mut data.universal_rows) {
        if row.lower > row.upper && row.upper.is_some() {
            std::mem::swap(&mut row.lower, &mut row.upper);
        }
    }
    Program::new(data).expect("invariant: other numbers keep a program well formed")
}

/// A number near the given one, with so many decimals.
fn with_digits(number: &Rational, digits: u32, dice: &mut ChaCha8Rng) -> Rational {
    let unit = BigInt::from(10).pow(digits);
    let part: i64 = dice.random_range(-400_000_000_000_000_000..400_000_000_000_000_000);
    let noise = BigInt::from(part) * &unit / BigInt::from(10).pow(18);
    number + Rational::new(noise, unit)
}

/// The number, times a power of ten between -18 and 18.
fn of_any_size(number: &Rational, dice: &mut ChaCha8Rng) -> Rational {
    let power: i32 = dice.random_range(-18..=18);
    number * int(10).pow(power)
}

fn extreme(dice: &mut ChaCha8Rng) -> Rational {
    let ends = [
        BigInt::from(i64::MIN),
        BigInt::from(i64::MAX),
        BigInt::from(i64::MAX / 8),
        BigInt::from(i64::MAX / 64),
        BigInt::from(1) << 80,
        BigInt::from(i128::MAX),
    ];
    let end = &ends[dice.random_range(0..ends.len())];
    let shift = BigInt::from(dice.random_range(-1..=1));
    let sign = BigInt::from(if dice.random() { 1 } else { -1 });
    let number = Rational::from_integer((end + shift) * sign);
    match dice.random_range(0..6) {
        0 => number / int(3),
        _ => number,
    }
}
