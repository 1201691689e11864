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

use std::ops::RangeInclusive;

use num_traits::Zero;
use rand::Rng;
use rand::seq::{IndexedRandom, SliceRandom};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

use crate::num::{Rational, int, ratio};
use crate::program::{
    Bounds, Id, Kind, Objective, Program, ProgramData, Quantifier, Row, Sense, Term, VarId,
    Variable,
};

/// What random programs look like. Chances are percentages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RandomShape {
    /// How many variables.
    pub variables: RangeInclusive<usize>,
    /// Variables in one block, before neighbouring blocks happen to merge.
    pub block: RangeInclusive<usize>,
    /// Distance between the bounds of an integer variable.
    pub width: RangeInclusive<i64>,
    /// Smallest and largest lower bound.
    pub lower: RangeInclusive<i64>,
    /// How many existential rows.
    pub rows: RangeInclusive<usize>,
    /// How many universal rows.
    pub universal_rows: RangeInclusive<usize>,
    /// Variables in one row.
    pub terms: RangeInclusive<usize>,
    /// Coefficients, before they are divided.
    pub coefficients: RangeInclusive<i64>,
    /// Chance that a coefficient or a bound is a decimal or another fraction.
    pub fractions: u32,
    /// Chance that a row is an equation.
    pub equations: u32,
    /// Chance that a universal row mentions existential variables.
    pub decision_dependent: u32,
    /// Chance that there is an objective.
    pub objective: u32,
    /// Chance that the last variables are real.
    pub real_tail: u32,
    /// Chance that a real variable that may be unbounded is.
    pub infinite: u32,
    /// Chance that some domain is empty.
    pub empty_domain: u32,
}

impl RandomShape {
    /// A few general integers and a little of everything but reals.
    pub fn small() -> Self {
        Self {
            variables: 0..=7,
            block: 1..=2,
            width: 0..=3,
            lower: -2..=1,
            rows: 0..=4,
            universal_rows: 0..=2,
            terms: 0..=4,
            coefficients: -4..=4,
            fractions: 15,
            equations: 15,
            decision_dependent: 40,
            objective: 80,
            real_tail: 0,
            infinite: 0,
            empty_domain: 2,
        }
    }

    /// Zero-one variables, more of them.
    pub fn binary() -> Self {
        Self {
            variables: 4..=11,
            block: 1..=3,
            width: 1..=1,
            lower: 0..=0,
            rows: 2..=7,
            terms: 2..=4,
            coefficients: -3..=3,
            fractions: 0,
            empty_domain: 0,
            ..Self::small()
        }
    }

    /// Like [`RandomShape::small`], with a tail of real variables.
    pub fn with_reals() -> Self {
        Self {
            variables: 1..=6,
            width: 0..=2,
            real_tail: 100,
            infinite: 20,
            ..Self::small()
        }
    }

    /// Alternating single moves under rules that both players can break.
    pub fn game() -> Self {
        Self {
            variables: 3..=9,
            block: 1..=1,
            width: 1..=2,
            lower: 0..=0,
            rows: 2..=6,
            universal_rows: 1..=3,
            terms: 2..=4,
            fractions: 0,
            equations: 5,
            decision_dependent: 80,
            empty_domain: 0,
            ..Self::small()
        }
    }
}

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
    let mut draw = Draw {
        shape,
        dice: ChaCha8Rng::seed_from_u64(seed),
    };
    let mut data = ProgramData {
        variables: draw.prefix(),
        ..ProgramData::default()
    };
    let play: Vec<Rational> = data
        .variables
        .iter()
        .map(|variable| draw.value(variable))
        .collect();
    let count = draw.dice.random_range(shape.rows.clone());
    data.rows = (1..=count)
        .map(|number| {
            draw.row(&data.variables, &play, Quantifier::Exists)
                .named(format!("c{number}"))
        })
        .collect();
    let count = draw.dice.random_range(shape.universal_rows.clone());
    data.universal_rows = (1..=count)
        .map(|number| {
            draw.row(&data.variables, &play, Quantifier::Forall)
                .named(format!("r{number}"))
        })
        .collect();
    data.objective = draw.objective(&data.variables);
    Program::new(data).expect("invariant: generated names and bounds are well formed")
}

/// The dice and what they decide.
struct Draw<'a> {
    shape: &'a RandomShape,
    dice: ChaCha8Rng,
}

impl Draw<'_> {
    fn chance(&mut self, percent: u32) -> bool {
        self.dice.random_range(0..100) < percent
    }

    fn prefix(&mut self) -> Vec<Variable> {
        let count = self.dice.random_range(self.shape.variables.clone());
        let mut quantifiers = Vec::new();
        let mut player = *[Quantifier::Exists, Quantifier::Forall]
            .choose(&mut self.dice)
            .expect("invariant: two players");
        while quantifiers.len() < count {
            let length = self.dice.random_range(self.shape.block.clone());
            quantifiers.extend(std::iter::repeat_n(
                player,
                length.min(count - quantifiers.len()),
            ));
            player = player.opponent();
        }
        let tail = if self.chance(self.shape.real_tail) {
            self.dice.random_range(0..=count)
        } else {
            count
        };
        let last = last_block(&quantifiers);
        let mut variables: Vec<Variable> = (0..count)
            .map(|place| {
                self.variable(
                    place,
                    quantifiers[place],
                    place >= tail,
                    last.contains(&place),
                )
            })
            .collect();
        if count > 0 && self.chance(self.shape.empty_domain) {
            let unlucky = self.dice.random_range(0..count);
            variables[unlucky].bounds = Bounds::between(ratio(4, 3), ratio(5, 4));
        }
        variables
    }

    fn variable(
        &mut self,
        place: usize,
        owner: Quantifier,
        in_tail: bool,
        in_last: bool,
    ) -> Variable {
        // Integer universals between real existentials are part of the tail, too.
        let real = in_tail && (owner == Quantifier::Exists || self.chance(50));
        let mut bounds = self.bounds();
        if real && in_last && self.chance(self.shape.infinite) {
            match self.dice.random_range(0..3) {
                0 => bounds.lower = None,
                1 => bounds.upper = None,
                _ => bounds = Bounds::free(),
            }
        }
        let letter = match owner {
            Quantifier::Exists => 'x',
            Quantifier::Forall => 'u',
        };
        Variable {
            name: format!("{letter}{}", place + 1),
            quantifier: owner,
            kind: if real { Kind::Real } else { Kind::Integer },
            bounds,
        }
    }

    /// Finite bounds; fractional ones still hold the whole numbers they were made from.
    fn bounds(&mut self) -> Bounds {
        let lower = self.dice.random_range(self.shape.lower.clone());
        let width = self.dice.random_range(self.shape.width.clone());
        let mut widen = || {
            if self.chance(self.shape.fractions) {
                ratio(self.dice.random_range(1..=9), 10)
            } else {
                int(0)
            }
        };
        let (below, above) = (widen(), widen());
        Bounds::between(int(lower) - below, int(lower + width) + above)
    }

    /// Some value of the variable's domain; zero if it is empty.
    fn value(&mut self, variable: &Variable) -> Rational {
        let domain = variable.domain();
        let lower = domain
            .lower
            .or(domain.upper.clone())
            .unwrap_or_else(|| int(0));
        let upper = domain.upper.unwrap_or_else(|| &lower + int(3));
        if upper < lower {
            return int(0);
        }
        let steps = match variable.kind {
            Kind::Integer => (&upper - &lower).to_integer().try_into().unwrap_or(0),
            Kind::Real => 4,
        };
        let step = if steps == 0 {
            int(0)
        } else {
            (upper - &lower) / int(steps)
        };
        lower + step * int(self.dice.random_range(0..=steps))
    }

    fn coefficient(&mut self) -> Rational {
        let whole = loop {
            let drawn = self.dice.random_range(self.shape.coefficients.clone());
            if drawn != 0 {
                break int(drawn);
            }
        };
        if self.chance(self.shape.fractions) {
            whole
                / int(*[2, 3, 10]
                    .choose(&mut self.dice)
                    .expect("invariant: three divisors"))
        } else {
            whole
        }
    }

    fn terms(&mut self, mut candidates: Vec<VarId>) -> Vec<Term> {
        candidates.shuffle(&mut self.dice);
        let count = self.dice.random_range(self.shape.terms.clone());
        candidates.truncate(count);
        candidates
            .into_iter()
            .map(|var| (var, self.coefficient()))
            .collect()
    }

    /// A row that usually holds in `play`.
    fn row(&mut self, variables: &[Variable], play: &[Rational], owner: Quantifier) -> Row {
        let candidates = match owner {
            Quantifier::Exists => (0..variables.len()).map(VarId::new).collect(),
            Quantifier::Forall => {
                let dependent = self.chance(self.shape.decision_dependent);
                universal_candidates(variables, dependent)
            }
        };
        let terms = self.terms(candidates);
        let activity: Rational = terms
            .iter()
            .map(|(var, factor)| factor * &play[var.index()])
            .sum();
        let spread = spread(&terms, variables, owner.opponent());
        let slack = |draw: &mut Self| &spread * ratio(draw.dice.random_range(0..=6), 4);
        if self.chance(self.shape.equations) && !terms.is_empty() {
            return Row::equal(terms, activity);
        }
        // Now and then a row that the play breaks.
        let shift = if self.chance(5) { int(1) } else { int(0) };
        match self.dice.random_range(0..5) {
            0 | 1 => Row::at_most(terms, activity + slack(self) - shift),
            2 | 3 => Row::at_least(terms, activity - slack(self) + shift),
            _ => Row {
                name: None,
                terms,
                lower: Some(&activity - slack(self) - &shift),
                upper: Some(activity + slack(self) - shift),
            },
        }
    }

    fn objective(&mut self, variables: &[Variable]) -> Option<Objective> {
        if !self.chance(self.shape.objective) {
            return None;
        }
        let all = (0..variables.len()).map(VarId::new);
        let terms: Vec<Term> = all
            .filter(|_| self.dice.random_range(0..4) > 0)
            .collect::<Vec<_>>()
            .into_iter()
            .map(|var| (var, self.coefficient()))
            .collect();
        let sense = *[Sense::Minimize, Sense::Maximize]
            .choose(&mut self.dice)
            .expect("invariant: two senses");
        Some(Objective {
            name: None,
            sense,
            terms,
            constant: if self.chance(30) {
                self.coefficient()
            } else {
                int(0)
            },
        })
    }
}

/// The places of the last existential block.
fn last_block(quantifiers: &[Quantifier]) -> std::ops::Range<usize> {
    let is = |wanted: Quantifier| move |quantifier: &Quantifier| *quantifier == wanted;
    let Some(last) = quantifiers.iter().rposition(is(Quantifier::Exists)) else {
        return 0..0;
    };
    let before = quantifiers[..last].iter().rposition(is(Quantifier::Forall));
    before.map_or(0, |universal| universal + 1)..last + 1
}

/// What a universal row may mention: integers, and existential ones only if it is dependent.
fn universal_candidates(variables: &[Variable], dependent: bool) -> Vec<VarId> {
    let may = |variable: &Variable| {
        variable.kind == Kind::Integer && (dependent || variable.quantifier == Quantifier::Forall)
    };
    let places = (0..variables.len()).filter(|&place| may(&variables[place]));
    places.map(VarId::new).collect()
}

/// By how much `player` alone can move the sum.
fn spread(terms: &[Term], variables: &[Variable], player: Quantifier) -> Rational {
    let width = |variable: &Variable| match variable.domain() {
        Bounds {
            lower: Some(lower),
            upper: Some(upper),
        } if lower < upper => upper - lower,
        _ => Rational::zero(),
    };
    let own = terms
        .iter()
        .filter(|(var, _)| variables[var.index()].quantifier == player);
    own.map(|(var, factor)| num_traits::Signed::abs(factor) * width(&variables[var.index()]))
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::Shape;

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
