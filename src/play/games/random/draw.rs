//! The dice: variables, rows and objectives, one after the other.

use std::ops::RangeInclusive;

use num_traits::{Signed, Zero};
use rand::Rng;
use rand::seq::{IndexedRandom, SliceRandom};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

use super::RandomShape;
use crate::num::{Rational, int, ratio};
use crate::program::{Bounds, Id, Kind, Objective, Quantifier, Row, Sense, Term, VarId, Variable};

/// The dice and what they decide.
pub(super) struct Draw<'a> {
    shape: &'a RandomShape,
    dice: ChaCha8Rng,
}

impl<'a> Draw<'a> {
    /// Dice that fall the same way for the same seed.
    pub fn new(seed: u64, shape: &'a RandomShape) -> Self {
        Self {
            shape,
            dice: ChaCha8Rng::seed_from_u64(seed),
        }
    }

    /// A number of the range.
    pub fn count(&mut self, range: &RangeInclusive<usize>) -> usize {
        self.dice.random_range(range.clone())
    }

    fn chance(&mut self, percent: u32) -> bool {
        self.dice.random_range(0..100) < percent
    }

    /// The variables in order.
    pub fn prefix(&mut self) -> Vec<Variable> {
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
        let tail = if self.shape.all_real {
            0
        } else if self.chance(self.shape.real_tail) {
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
        Bounds::between(int(lower) - below, int(lower) + int(width) + above)
    }

    /// Some value of the variable's domain; zero if it is empty.
    pub fn value(&mut self, variable: &Variable) -> Rational {
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
        let whole = match self.dice.random_range(self.shape.coefficients.clone()) {
            0 => int(1),
            drawn => int(drawn),
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
    pub fn row(&mut self, variables: &[Variable], play: &[Rational], owner: Quantifier) -> Row {
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

    /// What is optimised, if anything.
    pub fn objective(&mut self, variables: &[Variable]) -> Option<Objective> {
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
    own.map(|(var, factor)| factor.abs() * width(&variables[var.index()]))
        .sum()
}
