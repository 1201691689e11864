//! What is drawn: classes of random programs, by name.

use std::fmt;
use std::str::FromStr;

use rand::Rng;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

use crate::games::or::Deviation;
use crate::games::or::lotsizing::{self, LotSizing};
use crate::games::or::setups::{self, Setups};
use crate::games::random::{
    Opponent, RandomShape, random_mixed, random_program, with_extreme_numbers, with_long_numbers,
    with_wide_domains,
};
use crate::num::int;
use crate::program::{
    Bounds, Id, Kind, Program, ProgramData, Quantifier, Row, Term, VarId, Variable,
};

/// A class of random programs.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Class {
    /// A few general integers.
    Small,
    /// Zero-one variables.
    Binary,
    /// Single moves in turn under rules that both players can break.
    Game,
    /// Up to twelve blocks of one variable each.
    Rounds,
    /// Integers, and reals at the end.
    Reals,
    /// Quantified linear programs.
    Linear,
    /// Integers and reals in any stage against whole moves.
    Mixed,
    /// Real moves within budgets, real replies.
    Deviations,
    /// Alternating bits under clauses.
    Formula,
    /// Reals without ends: objectives that can be pushed beyond every bound.
    Rays,
    /// Lot sizing: refutations that derive rows.
    Lots,
    /// Set-ups and lots after a demand: refutations by plays that round.
    Setups,
    /// Numbers of up to eighteen digits, and between 10⁻¹⁸ and 10¹⁸.
    Long,
    /// Numbers at the ends of machine integers.
    Extreme,
    /// Domains of up to 10¹⁸ values.
    Wide,
    /// Twelve to twenty-four variables: engines and proofs against each other.
    Middle,
}

impl Class {
    /// Every class, in the order of reports.
    pub const ALL: [Self; 16] = [
        Self::Small,
        Self::Binary,
        Self::Game,
        Self::Rounds,
        Self::Reals,
        Self::Linear,
        Self::Mixed,
        Self::Deviations,
        Self::Formula,
        Self::Rays,
        Self::Lots,
        Self::Setups,
        Self::Long,
        Self::Extreme,
        Self::Wide,
        Self::Middle,
    ];

    /// Its name on the command line and in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Small => "small",
            Self::Binary => "binary",
            Self::Game => "game",
            Self::Rounds => "rounds",
            Self::Reals => "reals",
            Self::Linear => "linear",
            Self::Mixed => "mixed",
            Self::Deviations => "deviations",
            Self::Formula => "formula",
            Self::Rays => "rays",
            Self::Lots => "lots",
            Self::Setups => "setups",
            Self::Long => "long",
            Self::Extreme => "extreme",
            Self::Wide => "wide",
            Self::Middle => "middle",
        }
    }

    /// The program of that seed; the same on every machine.
    ///
    /// ```
    /// use quip::fuzz::Class;
    /// assert_eq!(Class::Mixed.program(3), Class::Mixed.program(3));
    /// ```
    pub fn program(self, seed: u64) -> Program {
        match self {
            Self::Small => random_program(seed, &RandomShape::small()),
            Self::Binary => random_program(seed, &RandomShape::binary()),
            Self::Game => random_program(seed, &RandomShape::game()),
            Self::Rounds => random_program(seed, &rounds()),
            Self::Reals => random_program(seed, &RandomShape::with_reals()),
            Self::Linear => random_program(seed, &RandomShape::qlp()),
            Self::Mixed => random_mixed(seed, Opponent::Integers),
            Self::Deviations => random_mixed(seed, Opponent::Reals),
            Self::Formula => formula(seed),
            Self::Rays => random_program(seed, &rays()),
            Self::Lots => lotsizing::generate(&LotSizing {
                periods: 4 + (seed % 2) as usize,
                basic: 2 + (seed / 2 % 2) as usize,
                urgent: 1 + (seed / 4 % 2) as usize,
                seed,
            }),
            Self::Setups => setups::generate(&Setups {
                products: 1 + (seed % 2) as usize,
                periods: 1 + (seed / 2 % 2) as usize,
                demand: match seed / 4 % 2 {
                    0 => Deviation::Binary,
                    _ => Deviation::Real,
                },
                seed,
                budget: 1,
            }),
            Self::Long => with_long_numbers(seed),
            Self::Extreme => with_extreme_numbers(seed),
            Self::Wide => with_wide_domains(seed),
            Self::Middle => random_program(seed, &middle()),
        }
    }
}

impl fmt::Display for Class {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.name())
    }
}

impl FromStr for Class {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let named = Self::ALL.into_iter().find(|class| class.name() == text);
        let names = || Self::ALL.map(Self::name).join(", ");
        named.ok_or_else(|| format!("`{text}` is not a class; choose one of {}", names()))
    }
}

fn rounds() -> RandomShape {
    RandomShape {
        variables: 8..=12,
        block: 1..=1,
        width: 1..=1,
        ..RandomShape::game()
    }
}

fn rays() -> RandomShape {
    RandomShape {
        infinite: 100,
        rows: 0..=2,
        ..RandomShape::with_reals()
    }
}

fn middle() -> RandomShape {
    RandomShape {
        variables: 12..=24,
        block: 1..=5,
        rows: 4..=14,
        terms: 2..=6,
        fractions: 5,
        ..RandomShape::binary()
    }
}

/// Three to eight clauses of three literals over six bits.
fn formula(seed: u64) -> Program {
    const BITS: usize = 6;
    let mut dice = ChaCha8Rng::seed_from_u64(seed);
    let variable = |place: usize| Variable {
        name: format!("b{}", place + 1),
        quantifier: match place % 3 {
            1 => Quantifier::Forall,
            _ => Quantifier::Exists,
        },
        kind: Kind::Integer,
        bounds: Bounds::between(int(0), int(1)),
    };
    let mut clause = || {
        let mut needed = 1;
        let mut terms: Vec<Term> = Vec::new();
        for place in rand::seq::index::sample(&mut dice, BITS, 3) {
            let negated = dice.random_range(0..2) == 1;
            needed -= i64::from(negated);
            terms.push((VarId::new(place), int(if negated { -1 } else { 1 })));
        }
        terms.sort_by_key(|term| term.0);
        Row::at_least(terms, int(needed))
    };
    let rows = (0..3 + seed % 6).map(|_| clause()).collect();
    Program::new(ProgramData {
        variables: (0..BITS).map(variable).collect(),
        rows,
        ..ProgramData::default()
    })
    .expect("invariant: generated names and bounds are well formed")
}
