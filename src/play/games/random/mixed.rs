//! Random programs with integers and reals of both players in several stages.

use rand::Rng;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

use crate::num::{int, ratio};
use crate::program::{
    Bounds, Id, Kind, Objective, Program, ProgramData, Quantifier, Row, Sense, Term, VarId,
    Variable, normalized,
};

/// What the opponent may be.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Opponent {
    /// Integers within rows of their own.
    Integers,
    /// Reals in a box or in integral budgets, after which everything is real.
    Reals,
    /// Two reals in a polygon whose corners are multiples of a quarter, as all that matters is.
    Polygon,
}

/// Two or three rounds: decisions, moves of the opponent within rows, replies; any kinds.
pub fn random_mixed(seed: u64, opponent: Opponent) -> Program {
    let rng = &mut ChaCha8Rng::seed_from_u64(seed);
    let mut variables: Vec<Variable> = Vec::new();
    let mut add = |quantifier, kind, bounds, name: String| {
        variables.push(Variable {
            name,
            quantifier,
            kind,
            bounds,
        });
    };
    let rounds = match opponent {
        Opponent::Polygon => 2,
        _ => rng.random_range(1..=2),
    };
    let mut universals = Vec::new();
    let mut number = 0;
    for round in 0..=rounds {
        for _ in 0..rng.random_range(usize::from(round == rounds)..=2) {
            let after_reals = opponent != Opponent::Integers && round > 0;
            let kind = match after_reals || rng.random_bool(0.5) {
                true => Kind::Real,
                false => Kind::Integer,
            };
            let low = rng.random_range(-2..=0);
            let bounds = Bounds::between(int(low), int(low + rng.random_range(1..=3)));
            add(Quantifier::Exists, kind, bounds, format!("x{number}"));
            number += 1;
        }
        if round < rounds {
            let moves = match opponent {
                Opponent::Polygon => 1,
                _ => rng.random_range(1..=2),
            };
            for _ in 0..moves {
                let (kind, bounds) = match opponent {
                    Opponent::Integers => {
                        let low = rng.random_range(-1..=0);
                        (
                            Kind::Integer,
                            Bounds::between(int(low), int(low + rng.random_range(1..=2))),
                        )
                    }
                    Opponent::Reals | Opponent::Polygon => {
                        (Kind::Real, Bounds::between(int(0), int(1)))
                    }
                };
                universals.push(VarId::new(number));
                add(Quantifier::Forall, kind, bounds, format!("u{number}"));
                number += 1;
            }
        }
    }
    let coefficient = |rng: &mut ChaCha8Rng| match rng.random_range(0..4) {
        0 => int(0),
        1 => ratio(rng.random_range(-5..=5), rng.random_range(1..=3)),
        _ => int(rng.random_range(-3..=3)),
    };
    let terms = |rng: &mut ChaCha8Rng, of: &[VarId]| -> Vec<Term> {
        let terms = of.iter().map(|&var| (var, coefficient(rng)));
        normalized(terms.collect())
    };
    let all: Vec<VarId> = (0..number).map(VarId::new).collect();
    let row = |rng: &mut ChaCha8Rng| {
        let terms = terms(rng, &all);
        let side = int(rng.random_range(-3..=5));
        match rng.random_range(0..6) {
            0 => Row::equal(terms, side),
            1 | 2 => Row::at_least(terms, side),
            _ => Row::at_most(terms, side),
        }
    };
    let rows: Vec<Row> = (0..rng.random_range(1..=3)).map(|_| row(rng)).collect();
    let universal_rows = match opponent {
        Opponent::Integers | Opponent::Reals if rng.random_bool(0.4) => Vec::new(),
        Opponent::Integers => {
            let terms = terms(rng, &universals);
            vec![Row::at_most(terms, int(rng.random_range(0..=2)))]
        }
        Opponent::Polygon => {
            let mut side = || {
                let terms = universals.iter();
                let terms = terms.map(|&var| (var, int(rng.random_range(-1..=1))));
                let terms = normalized(terms.collect());
                Row::at_most(terms, ratio(rng.random_range(0..=3), 2))
            };
            (0..3).map(|_| side()).collect()
        }
        Opponent::Reals => {
            // A budget over a beginning of them, and perhaps one over all.
            let budget = |members: &[VarId], most: i64| {
                Row::at_most(
                    members.iter().map(|&var| (var, int(1))).collect(),
                    int(most),
                )
            };
            let mut rows = vec![budget(&universals, rng.random_range(1..=2))];
            if rng.random_bool(0.3) {
                rows.push(budget(&universals[..universals.len().min(2)], 1));
            }
            rows
        }
    };
    let objective = rng.random_bool(0.9).then(|| Objective {
        name: None,
        sense: match rng.random_bool(0.5) {
            true => Sense::Minimize,
            false => Sense::Maximize,
        },
        terms: terms(rng, &all),
        constant: int(rng.random_range(-2..=2)),
    });
    Program::new(ProgramData {
        variables,
        rows,
        universal_rows,
        objective,
    })
    .expect("invariant: generated names and bounds are well formed")
}
