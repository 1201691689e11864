//! Families from operations research, seeded, at the published sizes.
//!
//! Each file states its model in words: who decides what, when, and what it costs. The same
//! parameters and seed give the same program on every machine.

pub mod assignment;
pub mod commitment;
pub mod crashing;
pub mod expansion;
pub mod facility;
pub mod hydro;
pub mod interdiction;
pub mod inventory;
pub mod knapsack;
pub mod location;
pub mod lotsizing;
pub(super) mod mixed;
pub mod portfolio;
pub mod production;
pub(super) mod registry;
pub mod runway;
pub mod selection;
pub mod setups;
pub mod surges;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

use crate::model::{Expr, Model, Stage, Var, sum};
use crate::program::Program;

/// The dice of a seed.
fn dice(seed: u64) -> ChaCha8Rng {
    ChaCha8Rng::seed_from_u64(seed)
}

/// The program of a generator's model, which is well formed by construction.
fn built(model: &Model) -> Program {
    match model.build() {
        Ok(program) => program,
        Err(faults) => unreachable!("invariant: a generated model is well formed: {faults}"),
    }
}

/// What the opponent may add to a forecast: nothing or all of the deviation, or any part of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Deviation {
    /// Zero or one.
    Binary,
    /// Any number from zero to one.
    Real,
}

impl Deviation {
    /// A share of the deviation in a stage of the opponent.
    fn share(self, stage: &mut Stage<'_>, name: &str) -> Var {
        match self {
            Self::Binary => stage.binary(name),
            Self::Real => stage.real(name, 0..=1),
        }
    }
}

/// Indicators of one revealed number out of `count`, written with as few bits as it takes.
struct Revealed {
    bits: Vec<Var>,
    count: usize,
}

impl Revealed {
    /// Opens the bits in a stage of the opponent; codes beyond `count` mean the last number.
    fn new(stage: &mut Stage<'_>, name: &str, count: usize) -> Self {
        let width = usize::BITS - count.saturating_sub(1).leading_zeros();
        let bits = (0..width as usize).map(|bit| stage.binary(format!("{name}[{bit}]").as_str()));
        Self {
            bits: bits.collect(),
            count,
        }
    }

    /// How many bits differ from the code of `number`: zero exactly when it was revealed.
    fn distance(&self, number: usize) -> Expr {
        let differs = self.bits.iter().enumerate().map(|(bit, &var)| {
            if number >> bit & 1 == 1 {
                1 - var
            } else {
                Expr::from(var)
            }
        });
        sum(differs)
    }

    /// Every code and the number it means.
    fn codes(&self) -> impl Iterator<Item = (usize, usize)> {
        let last = self.count - 1;
        (0..1usize << self.bits.len()).map(move |code| (code, code.min(last)))
    }
}
