//! The same kind of program under other names and with other numbers.
//!
//! **Invariant:** blocks, kinds, which variable is in which row, signs, zeros and ones stay; equal
//! numbers stay equal, and larger ones larger.

use std::collections::BTreeMap;
use std::fmt;

use num_traits::{One, Signed, Zero};
use quip::num::{Rational, int, ratio};
use quip::program::{Program, ProgramData};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// How much is replaced.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Depth {
    /// Names, and every number.
    Numbers,
    /// Names, and the scales of rows and objective: the game is the same.
    Scales,
    /// Names alone.
    Names,
}

impl Depth {
    /// The deepest first.
    pub const ALL: [Self; 3] = [Self::Numbers, Self::Scales, Self::Names];
}

impl fmt::Display for Depth {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Self::Numbers => "names and numbers replaced",
            Self::Scales => {
                "names replaced, rows and objective multiplied; other numbers are as they are"
            }
            Self::Names => "names replaced; all numbers are as they are",
        })
    }
}

/// The program under other names, with other numbers; `None` if none came out.
pub fn scrambled(program: &Program, depth: Depth, seed: u64) -> Option<Program> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut data = program.clone().into_data();
    rename(&mut data);
    match depth {
        Depth::Numbers => replace(&mut data, &mut rng),
        Depth::Scales => scale(&mut data, &mut rng),
        Depth::Names => {}
    }
    Program::new(data).ok()
}

fn rename(data: &mut ProgramData) {
    for (number, variable) in data.variables.iter_mut().enumerate() {
        variable.name = format!("x{}", number + 1);
    }
    let rows = data.rows.iter_mut().chain(&mut data.universal_rows);
    for (number, row) in rows.enumerate() {
        row.name = row.name.is_some().then(|| format!("r{}", number + 1));
    }
    if let Some(objective) = &mut data.objective {
        objective.name = None;
    }
}

/// Every number of the program.
fn numbers(data: &mut ProgramData) -> impl Iterator<Item = &mut Rational> {
    let bounds = data.variables.iter_mut().flat_map(|variable| {
        let bounds = &mut variable.bounds;
        bounds.lower.iter_mut().chain(bounds.upper.iter_mut())
    });
    let rows = data.rows.iter_mut().chain(&mut data.universal_rows);
    let rows = rows.flat_map(|row| {
        let terms = row.terms.iter_mut().map(|(_, coefficient)| coefficient);
        terms
            .chain(row.lower.iter_mut())
            .chain(row.upper.iter_mut())
    });
    let objective = data.objective.iter_mut().flat_map(|objective| {
        let terms = objective
            .terms
            .iter_mut()
            .map(|(_, coefficient)| coefficient);
        terms.chain(std::iter::once(&mut objective.constant))
    });
    bounds.chain(rows).chain(objective)
}

/// Replaces distances between the numbers that occur: zero and one stay where they are.
fn replace(data: &mut ProgramData, rng: &mut ChaCha8Rng) {
    let mut renewed: BTreeMap<Rational, Rational> = BTreeMap::new();
    for number in numbers(data) {
        renewed.insert(number.abs(), Rational::one());
    }
    renewed.remove(&Rational::zero());
    let sizes: Vec<Rational> = renewed.keys().cloned().collect();
    let (small, large) = sizes.split_at(sizes.partition_point(|size| *size < Rational::one()));
    let (mut old, mut new) = (Rational::one(), Rational::one());
    for size in large.iter().filter(|size| !size.is_one()) {
        let factors = [(1, 2), (2, 3), (1, 1), (3, 2), (2, 1), (3, 1)];
        let next = &new + (size - &old) * drawn(&factors, rng);
        new = match (size.is_integer(), next.floor() > new) {
            (false, _) => next,
            (true, true) => next.floor(),
            (true, false) => new.floor() + int(1),
        };
        renewed.insert(size.clone(), new.clone());
        old.clone_from(size);
    }
    (old, new) = (Rational::one(), Rational::one());
    for size in small.iter().rev() {
        let factors = [(1, 2), (2, 3), (3, 4), (1, 1)];
        new = &new * (int(1) - (int(1) - size / &old) * drawn(&factors, rng));
        renewed.insert(size.clone(), new.clone());
        old.clone_from(size);
    }
    for number in numbers(data).filter(|number| !number.is_zero()) {
        let size = renewed[&number.abs()].clone();
        *number = if number.is_negative() { -size } else { size };
    }
}

/// Multiplies each row and the objective by a positive number.
fn scale(data: &mut ProgramData, rng: &mut ChaCha8Rng) {
    let factors = [(1, 1), (2, 1), (3, 1), (5, 1), (7, 1), (11, 1)];
    for row in data.rows.iter_mut().chain(&mut data.universal_rows) {
        let factor = drawn(&factors, rng);
        let terms = row.terms.iter_mut().map(|(_, coefficient)| coefficient);
        terms
            .chain(row.lower.iter_mut())
            .chain(row.upper.iter_mut())
            .for_each(|number| *number *= &factor);
    }
    if let Some(objective) = &mut data.objective {
        let factor = drawn(&factors, rng);
        let terms = objective
            .terms
            .iter_mut()
            .map(|(_, coefficient)| coefficient);
        terms
            .chain(std::iter::once(&mut objective.constant))
            .for_each(|number| *number *= &factor);
    }
}

fn drawn(factors: &[(i64, i64)], rng: &mut ChaCha8Rng) -> Rational {
    let (numerator, denominator) = factors[rng.random_range(0..factors.len())];
    ratio(numerator, denominator)
}

#[cfg(test)]
mod tests {
    use super::*;
    use quip::format::parse_qip;
    use quip::solver::Solver;

    const MODEL: &str = "minimize cost: 10 open + 7 lease + 0.5 stock + 3
        subject to serve: 4 open + 3 lease - demand + stock >= 1/4
        uncertainty demand <= 5
        prefix exists binary open lease  forall integer demand in [-2, 7]
               exists real stock in [0, 9] end";

    #[test]
    fn order_signs_and_ones_stay() {
        let program = parse_qip(MODEL).expect("it is well formed");
        for seed in 0..50 {
            let other = scrambled(&program, Depth::Numbers, seed).expect("it is a program");
            let (mut before, mut after) = (program.clone().into_data(), other.into_data());
            let pairs = numbers(&mut before).map(|it| it.clone());
            let pairs: Vec<_> = pairs
                .zip(numbers(&mut after).map(|it| it.clone()))
                .collect();
            assert!(pairs.iter().any(|(before, after)| before != after));
            for (before, after) in &pairs {
                let fixed = before.is_zero() || before.abs().is_one();
                assert!(!fixed || before == after);
                assert!(!before.is_integer() || after.is_integer());
                for (other, image) in &pairs {
                    assert_eq!(before.cmp(other), after.cmp(image), "{before} {other}");
                }
            }
        }
    }

    #[test]
    fn no_name_is_left_and_scales_keep_the_game() {
        let program = parse_qip(MODEL).expect("it is well formed");
        let value = |program: &Program| {
            let outcome = Solver::default().solve(program).expect("it is small");
            outcome.objective.expect("it can be won")
        };
        for depth in Depth::ALL {
            let other = scrambled(&program, depth, 7).expect("it is a program");
            let text = quip::format::write_qip(&other);
            for name in ["open", "lease", "demand", "stock", "serve", "cost"] {
                assert!(!text.contains(name), "{text}");
            }
            let factor = value(&other) / value(&program);
            match depth {
                Depth::Names => assert!(factor.is_one()),
                Depth::Scales => assert!(factor.is_integer()),
                Depth::Numbers => {}
            }
        }
    }
}
