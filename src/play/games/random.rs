//! Random programs that between them use everything a quantified program can have.
//!
//! A program of this family is built around a random play: its rows mostly hold in that play, with
//! a slack that is sometimes too small for what the opponent can do. So some programs are won and
//! some are lost, and few are decided by a glance. The same seed and shape give the same program on
//! every machine.
//!
//! What may occur: general integers, negative and fractional bounds, fixed variables, universal
//! blocks at the beginning and at the end, universal rows that are simply restricted or not,
//! decision-dependent rows, equations, ranges, decimals and fractions, rows without variables,
//! objectives of both senses or none, a tail of real variables with infinite bounds, and rarely an
//! empty domain. The reference engine takes every program of every preset.

mod draw;
mod mixed;
mod numbers;
mod shape;

use crate::num::Rational;
use crate::program::{Program, ProgramData, Quantifier};

use draw::Draw;

pub use mixed::{Opponent, random_mixed};
pub use numbers::{with_extreme_numbers, with_long_numbers, with_wide_domains};
pub use shape::RandomShape;

/// The program of that seed.
///
/// ```
/// use quip::games::random::{RandomShape, random_program};
///
/// let program = random_program(7, &RandomShape::small());
/// assert_eq!(program, random_program(7, &RandomShape::small()));
/// assert_ne!(program, random_program(8, &RandomShape::small()));
/// ```
pub fn random_program(seed: u64, shape: &RandomShape) -> Program {
    let mut draw = Draw::new(seed, shape);
    let mut data = ProgramData {
        variables: draw.prefix(),
        ..ProgramData::default()
    };
    let play: Vec<Rational> = data
        .variables
        .iter()
        .map(|variable| draw.value(variable))
        .collect();
    let count = draw.count(&shape.rows);
    data.rows = (1..=count)
        .map(|number| {
            draw.row(&data.variables, &play, Quantifier::Exists)
                .named(format!("c{number}"))
        })
        .collect();
    let count = draw.count(&shape.universal_rows);
    data.universal_rows = (1..=count)
        .map(|number| {
            draw.row(&data.variables, &play, Quantifier::Forall)
                .named(format!("r{number}"))
        })
        .collect();
    data.objective = draw.objective(&data.variables);
    Program::new(data).expect("invariant: generated names and bounds are well formed")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::{Row, Sense, Shape, Variable};

    fn some(shape: &RandomShape) -> Vec<Program> {
        (0..400).map(|seed| random_program(seed, shape)).collect()
    }

    #[test]
    fn every_feature_occurs() {
        let small = some(&RandomShape::small());
        let any = |test: &dyn Fn(&Program) -> bool| small.iter().any(test);
        let rows = |program: &Program, test: &dyn Fn(&Row) -> bool| program.rows().iter().any(test);
        let first =
            |program: &Program| program.blocks().iter().next().map(|block| block.quantifier);
        let last = |program: &Program| program.blocks().iter().last().map(|block| block.quantifier);
        assert!(any(&|program| program.variables().is_empty()));
        assert!(any(&|program| first(program) == Some(Quantifier::Forall)));
        assert!(any(&|program| last(program) == Some(Quantifier::Forall)));
        assert!(any(&|program| program.first_empty_domain().is_some()));
        assert!(any(&|program| program.objective().is_none()));
        assert!(any(&|program| program.class().decision_dependent));
        assert!(any(&|program| !program.class().simply_restricted));
        assert!(any(&|program| rows(program, &Row::is_equation)));
        assert!(any(&|program| rows(program, &|row| row.terms.is_empty())));
        assert!(any(&|program| rows(program, &|row| row.lower.is_some()
            && row.upper.is_some()
            && !row.is_equation())));
        for sense in [Sense::Minimize, Sense::Maximize] {
            assert!(any(&|program| program
                .objective()
                .is_some_and(|it| it.sense == sense)));
        }
    }

    #[test]
    fn real_tails_occur_in_every_class() {
        let programs = some(&RandomShape::with_reals());
        for shape in [Shape::Qlp, Shape::Qip, Shape::Qmip, Shape::Mixed] {
            assert!(
                programs
                    .iter()
                    .any(|program| program.class().shape == shape),
                "{shape}"
            );
        }
        let infinite = |variable: &Variable| !variable.bounds.is_finite();
        assert!(
            programs
                .iter()
                .any(|program| program.variables().iter().any(infinite))
        );
    }
}
