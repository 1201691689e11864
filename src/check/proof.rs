//! Proofs that a system is lost: derived bounds, splits, and rows that cannot hold.
//!
//! A proof speaks of the variables from its place on, inside a box that begins as their domains. In
//! a *death* proof both players' variables are free: it shows that no completion satisfies a
//! system. In a *bound* proof the universal player is at work: some of his variables are fixed, the
//! others stand in no universal row and *press*, each row being met by the values that are worst
//! for it. Existential variables before the first pressing one are chosen without knowing which row
//! will be pressed, so pressed rows cut them; those after it are cut by rows at their best only.

use num_traits::{Signed, Zero};
use rustc_hash::FxHashMap;

use super::fault::Reason;
use super::require::{Floor, Requirement};
use super::view::{SideId, View};
use super::words::{Words, syntax};
use crate::num::{Rational, int};
use crate::program::{Bounds, Id, Kind, Quantifier};

/// What is to be shown.
pub(super) enum Goal<'a> {
    /// No completion satisfies the player's system.
    Death(Quantifier),
    /// The universal player, with these variables fixed, keeps the existential player from
    /// satisfying his rows at a cost below the limit, or at all.
    Bound {
        fixed: &'a FxHashMap<usize, Rational>,
        limit: Option<&'a Rational>,
    },
}

/// A proof while it is being read.
pub(super) struct Prover<'v, 'p> {
    view: &'v View<'p>,
    place: usize,
    goal: Goal<'v>,
    /// The first pressing variable.
    horizon: usize,
    cut: FxHashMap<usize, Bounds>,
    trail: Vec<(usize, Bounds)>,
    given: FxHashMap<SideId, Rational>,
    demand: Requirement,
}

impl<'v, 'p> Prover<'v, 'p> {
    pub fn new(view: &'v View<'p>, place: usize, goal: Goal<'v>) -> Self {
        let mut prover = Self {
            view,
            place,
            goal,
            horizon: usize::MAX,
            cut: FxHashMap::default(),
            trail: Vec::new(),
            given: FxHashMap::default(),
            demand: Requirement::at(place),
        };
        prover.horizon = view.next_free[place];
        while prover.horizon != usize::MAX && !prover.presses(prover.horizon) {
            prover.horizon = view.next_free[prover.horizon + 1];
        }
        prover
    }

    /// Reads a whole proof and tells what it demands of the moves before.
    pub fn read(mut self, words: &mut Words<'_>) -> Result<Requirement, Reason> {
        while words.accept("given") {
            let side = self.side(words)?;
            let at = words.number()? * &self.view.sides[side].scale;
            let floor = Floor {
                at: at.clone().into(),
                strict: false,
            };
            self.demand.raise(self.view, side, floor)?;
            self.given.insert(side, at);
        }
        let mut open: Vec<(usize, usize, Rational)> = Vec::new();
        loop {
            while words.accept("cut") {
                let side = self.side(words)?;
                let place = self.variable(words)?;
                self.cut(side, place)?;
            }
            if words.accept("split") {
                let place = self.variable(words)?;
                self.may_split(place)?;
                let at = words.number()?.floor();
                open.push((self.trail.len(), place, at.clone()));
                self.narrow(place, |bounds| bounds.upper = Some(at));
                continue;
            }
            self.close(words)?;
            let Some((mark, place, at)) = open.pop() else {
                return Ok(self.demand);
            };
            self.undo_to(mark);
            self.narrow(place, |bounds| bounds.lower = Some(at + int(1)));
        }
    }

    /// The contradiction at the end of a branch.
    fn close(&mut self, words: &mut Words<'_>) -> Result<(), Reason> {
        match words.word("a step of a proof")? {
            "row" => {
                let side = self.side(words)?;
                self.close_by_row(side)
            }
            "mix" => self.close_by_mix(words),
            "empty" => {
                let place = self.variable(words)?;
                if self.bounds(place).is_crossed() {
                    Ok(())
                } else {
                    Err(Reason::NoContradiction)
                }
            }
            other => Err(syntax("`cut`, `split`, `row`, `mix` or `empty`", other)),
        }
    }

    fn close_by_row(&mut self, side: SideId) -> Result<(), Reason> {
        let rest = self.sum(&self.view.sides[side].terms, None, true);
        let at = self.rhs(side) - rest.ok_or(Reason::NoContradiction)?;
        let strict = side != self.view.objective();
        match self.given.get(&side) {
            None => {
                let at = at.into();
                self.demand.raise(self.view, side, Floor { at, strict })
            }
            Some(given) if *given > at || (!strict && *given == at) => Ok(()),
            Some(_) => Err(Reason::NoContradiction),
        }
    }

    /// `mix K (SIDE MULTIPLIER)…`: the sum of the rows, each times its multiplier.
    fn close_by_mix(&mut self, words: &mut Words<'_>) -> Result<(), Reason> {
        let mut terms: FxHashMap<usize, Rational> = FxHashMap::default();
        let mut room = Rational::zero();
        let mut strict = true;
        for _ in 0..words.count("how many rows are mixed")? {
            let side = self.side(words)?;
            let multiplier = words.number()?;
            if multiplier.is_negative() {
                return Err(Reason::NegativeMultiplier(multiplier));
            }
            let multiplier = multiplier / &self.view.sides[side].scale;
            room += (self.rhs(side) - self.fixed_part(side)?) * &multiplier;
            strict &= side != self.view.objective() || multiplier.is_zero();
            for (place, coefficient) in self.view.sides[side].rest(self.place) {
                *terms.entry(*place).or_default() += coefficient * &multiplier;
            }
        }
        let terms: Vec<_> = terms.into_iter().filter(|term| !term.1.is_zero()).collect();
        let least = self
            .sum(&terms, None, true)
            .ok_or(Reason::NoContradiction)?;
        if least > room || (!strict && least == room) {
            Ok(())
        } else {
            Err(Reason::NoContradiction)
        }
    }

    /// What one row leaves of a variable when all others are at their best.
    fn cut(&mut self, side: SideId, place: usize) -> Result<(), Reason> {
        if !self.is_open(place) {
            return Err(self.not_for_proof("cut", place));
        }
        let terms = &self.view.sides[side].terms;
        let Some((_, coefficient)) = terms.iter().find(|term| term.0 == place) else {
            return Err(self.not_for_proof("cut", place));
        };
        let Some(others) = self.sum(terms, Some(place), place < self.horizon) else {
            return Err(Reason::Infinite);
        };
        let quotient = (self.rhs(side) - self.fixed_part(side)? - others) / coefficient;
        let whole = self.view.places[place].kind == Kind::Integer;
        let strict = side == self.view.objective();
        let upper = coefficient.is_positive();
        let end = match (whole, upper, strict) {
            (false, ..) => quotient,
            (true, true, false) => quotient.floor(),
            (true, true, true) => quotient.ceil() - int(1),
            (true, false, false) => quotient.ceil(),
            (true, false, true) => quotient.floor() + int(1),
        };
        self.narrow(place, |bounds| {
            let side = if upper {
                &mut bounds.upper
            } else {
                &mut bounds.lower
            };
            if side
                .as_ref()
                .is_none_or(|now| if upper { end < *now } else { end > *now })
            {
                *side = Some(end);
            }
        });
        Ok(())
    }

    /// The least sum of the terms from the place on, except one; `None` is minus infinity.
    fn sum(
        &self,
        terms: &[(usize, Rational)],
        except: Option<usize>,
        press: bool,
    ) -> Option<Rational> {
        let mut total = Rational::zero();
        for (place, coefficient) in terms {
            if *place >= self.place && Some(*place) != except {
                let worst = press && self.presses(*place);
                let end = self.end(*place, coefficient.is_positive() == worst)?;
                total += coefficient * end;
            }
        }
        Some(total)
    }

    /// One end of a variable inside the box; `None` is infinite.
    fn end(&self, place: usize, upper: bool) -> Option<&Rational> {
        if let Goal::Bound { fixed, .. } = &self.goal
            && let Some(value) = fixed.get(&place)
        {
            return Some(value);
        }
        let cut = self.cut.get(&place);
        let bounds = cut.unwrap_or(&self.view.places[place].domain);
        if upper {
            bounds.upper.as_ref()
        } else {
            bounds.lower.as_ref()
        }
    }

    fn bounds(&self, place: usize) -> Bounds {
        Bounds {
            lower: self.end(place, false).cloned(),
            upper: self.end(place, true).cloned(),
        }
    }

    /// Whether each row is met by the worst values of the variable.
    fn presses(&self, place: usize) -> bool {
        let Goal::Bound { fixed, .. } = &self.goal else {
            return false;
        };
        let at = &self.view.places[place];
        at.owner == Quantifier::Forall && !at.restricted && !fixed.contains_key(&place)
    }

    /// Whether the proof may speak about the values of the variable.
    fn is_open(&self, place: usize) -> bool {
        let free = match self.goal {
            Goal::Death(_) => true,
            Goal::Bound { .. } => self.view.places[place].owner == Quantifier::Exists,
        };
        free && place >= self.place
    }

    fn may_split(&self, place: usize) -> Result<(), Reason> {
        let whole = self.view.places[place].kind == Kind::Integer;
        if whole && self.is_open(place) && place < self.horizon {
            return Ok(());
        }
        Err(self.not_for_proof("split", place))
    }

    fn rhs(&self, side: SideId) -> Rational {
        let rhs = &self.view.sides[side].rhs;
        match &self.goal {
            Goal::Bound {
                limit: Some(limit), ..
            } if side == self.view.objective() => rhs + *limit * &self.view.sides[side].scale,
            _ => rhs.clone(),
        }
    }

    /// What the moves before are said to add to a side.
    fn fixed_part(&self, side: SideId) -> Result<Rational, Reason> {
        match self.given.get(&side) {
            Some(given) => Ok(given.clone()),
            None if self.view.sides[side].begins_before(self.place) => {
                Err(Reason::NoGiven(self.view.label(side)))
            }
            None => Ok(Rational::zero()),
        }
    }

    fn narrow(&mut self, place: usize, change: impl FnOnce(&mut Bounds)) {
        let before = self.bounds(place);
        let mut after = before.clone();
        change(&mut after);
        self.trail.push((place, before));
        self.cut.insert(place, after);
    }

    fn undo_to(&mut self, mark: usize) {
        while self.trail.len() > mark {
            if let Some((place, bounds)) = self.trail.pop() {
                self.cut.insert(place, bounds);
            }
        }
    }

    /// `r3+`, `r3-`, `u1+`, `u1-` or `z`: the sides that the goal may use.
    fn side(&self, words: &mut Words<'_>) -> Result<SideId, Reason> {
        let word = words.word("a row side")?;
        let (system, cost) = match self.goal {
            Goal::Death(system) => (system, false),
            Goal::Bound { limit, .. } => (Quantifier::Exists, limit.is_some()),
        };
        let found = match word.strip_prefix(if system == Quantifier::Exists {
            'r'
        } else {
            'u'
        }) {
            None if word == "z" && cost => Some(self.view.objective()),
            None => None,
            Some(rest) => {
                let number = rest
                    .strip_suffix(['+', '-'])
                    .and_then(|digits| digits.parse().ok());
                let row = number.and_then(|number: usize| number.checked_sub(1));
                row.and_then(|row| self.view.side(system, row, rest.ends_with('+')))
            }
        };
        found.ok_or_else(|| Reason::UnknownSide(word.to_owned()))
    }

    fn variable(&self, words: &mut Words<'_>) -> Result<usize, Reason> {
        self.view.find(words.word("a variable")?)
    }

    fn not_for_proof(&self, step: &'static str, place: usize) -> Reason {
        Reason::NotForProof {
            step,
            variable: self.view.name(place).to_owned(),
        }
    }
}

impl View<'_> {
    /// The place of the variable of that name.
    pub fn find(&self, name: &str) -> Result<usize, Reason> {
        let var = self.names.get(name);
        let var = var.ok_or_else(|| Reason::UnknownVariable(name.to_owned()))?;
        Ok(self.place_of[var.index()])
    }
}
