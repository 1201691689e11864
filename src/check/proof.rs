//! Proofs that a system is lost: derived bounds, splits, and rows that cannot hold.
//!
//! A proof speaks of the variables from its place on, inside a room that begins as their domains.
//! In a *death* proof both players' variables are free: it shows that no completion satisfies a
//! system. In a *bound* proof the universal player is at work: some of his variables are fixed, the
//! others stand in no universal row and *press*, each row being met by the values that are worst
//! for it. Existential variables before the first pressing one are chosen without knowing which row
//! will be pressed, so pressed rows cut them; those after it are cut by rows at their best only.

use rustc_hash::FxHashMap;

use super::demand::Demand;
use super::view::{SideId, Term, View};
use super::words::{Checked, Words, ensure, unexpected};
use crate::num::Exact;
use crate::program::Quantifier;

/// A proof while it is being read.
struct Proof<'a, 'p> {
    view: &'a mut View<'p>,
    /// Whose system is shown to be dead; nobody's in a bound proof.
    dead: Option<Quantifier>,
    /// The first pressing variable.
    horizon: usize,
    given: FxHashMap<SideId, Exact>,
    demand: Demand,
}

/// Reads a whole proof and adds what it demands of the moves before; restores the room.
pub(super) fn read(
    view: &mut View<'_>,
    demand: Demand,
    dead: Option<Quantifier>,
    words: &mut Words<'_>,
) -> Checked<Demand> {
    let presses = |place: &usize| {
        let at = &view.places[*place];
        at.owner == Quantifier::Forall && !at.restricted && !view.is_fixed(*place)
    };
    let first = (demand.place..view.places.len()).find(presses);
    let horizon = first.filter(|_| dead.is_none()).unwrap_or(usize::MAX);
    let given = FxHashMap::default();
    let mut proof = Proof {
        view,
        dead,
        horizon,
        given,
        demand,
    };
    proof.run(words)?;
    proof.view.undo_to(0);
    Ok(proof.demand)
}

impl Proof<'_, '_> {
    fn run(&mut self, words: &mut Words<'_>) -> Checked<()> {
        while words.accept("given") {
            let side = self.side(words)?;
            let least = words.number()?;
            self.demand
                .limit(self.view, (side, true), (-&least, true))?;
            self.given.insert(side, least);
        }
        let mut open: Vec<(usize, usize, Exact)> = Vec::new();
        loop {
            while words.accept("cut") {
                let side = self.side(words)?;
                let place = self.variable(words)?;
                self.cut(side, place)?;
            }
            if words.accept("split") {
                let place = self.variable(words)?;
                let at = &self.view.places[place];
                ensure!(at.whole && place < self.horizon; "`{}` may not be split", at.name);
                let at = words.number()?.floor();
                open.push((self.view.trail.len(), place, &at + &Exact::ONE));
                self.view.narrow(place, true, at);
                continue;
            }
            match words.word("a step of a proof")? {
                "row" => self.row(words)?,
                "mix" => self.mix(words)?,
                other => return Err(unexpected("`cut`, `split`, `row` or `mix`", other)),
            }
            let Some((mark, place, above)) = open.pop() else {
                return Ok(());
            };
            self.view.undo_to(mark);
            self.view.narrow(place, false, above);
        }
    }

    /// `row SIDE`: it fails after all moves that add enough to it.
    fn row(&mut self, words: &mut Words<'_>) -> Checked<()> {
        let side = self.side(words)?;
        let rest = self.view.sides[side].rest(self.demand.place);
        let least = self.least(rest, None, true)?;
        let enough = &self.view.sides[side].rhs - &least;
        let limit = (-&enough, self.view.is_objective(side));
        self.demand.limit(self.view, (side, true), limit)
    }

    /// `mix K (SIDE MULTIPLIER)…`: the sum of the sides, each times its multiplier, fails.
    fn mix(&mut self, words: &mut Words<'_>) -> Checked<()> {
        let mut sums: FxHashMap<usize, Exact> = FxHashMap::default();
        let mut room = Exact::ZERO;
        let mut strict = true;
        for _ in 0..words.count("how many rows are mixed")? {
            let side = self.side(words)?;
            let multiplier = words.number()?;
            ensure!(multiplier >= Exact::ZERO; "the multiplier {multiplier} is negative");
            room = &room + &(&self.left(side)? * &multiplier);
            strict &= !self.view.is_objective(side) || multiplier.is_zero();
            for (place, coefficient) in self.view.sides[side].rest(self.demand.place) {
                let sum = sums.entry(*place).or_insert(Exact::ZERO);
                *sum = &*sum + &(coefficient * &multiplier);
            }
        }
        let terms: Vec<_> = sums.into_iter().filter(|term| !term.1.is_zero()).collect();
        let least = self.least(&terms, None, true)?;
        let fails = least > room || (!strict && least == room);
        ensure!(fails; "the proof ends without a contradiction");
        Ok(())
    }

    /// What one side leaves of a variable when all others are at their best.
    fn cut(&mut self, side: SideId, place: usize) -> Checked<()> {
        let terms = self.view.sides[side].rest(self.demand.place);
        let at = &self.view.places[place];
        let found = terms.binary_search_by_key(&place, |term| term.0);
        let found = found.map_err(|_| format!("`{}` is not in that row", at.name))?;
        let others = self.least(terms, Some(place), place < self.horizon);
        let room = &self.left(side)? - &others?;
        let quotient = &room / &terms[found].1;
        let upper = terms[found].1.is_positive();
        let end = match (at.whole, upper, self.view.is_objective(side)) {
            (false, ..) => quotient,
            (true, true, false) => quotient.floor(),
            (true, true, true) => &quotient.ceil() - &Exact::ONE,
            (true, false, false) => quotient.ceil(),
            (true, false, true) => &quotient.floor() + &Exact::ONE,
        };
        self.view.narrow(place, upper, end);
        Ok(())
    }

    /// The least sum of the terms, except one.
    fn least(&self, terms: &[Term], except: Option<usize>, press: bool) -> Checked<Exact> {
        let mut total = Exact::ZERO;
        for (place, coefficient) in terms.iter().filter(|term| Some(term.0) != except) {
            let at = &self.view.places[*place];
            let universal = self.dead.is_none() && at.owner == Quantifier::Forall;
            let upper = match (universal, at.restricted) {
                (true, true) => false,
                (true, false) if press => coefficient.is_positive(),
                _ => !coefficient.is_positive(),
            };
            total = &total + &(coefficient * self.view.end(*place, upper)?);
        }
        Ok(total)
    }

    /// What a side leaves to the variables from the place on.
    fn left(&self, side: SideId) -> Checked<Exact> {
        let at = &self.view.sides[side];
        let given = self.given.get(&side);
        let known = given.is_some() || !at.begins_before(self.demand.place);
        ensure!(known; "the proof does not state what the moves before add to {}", at.name);
        Ok(&at.rhs - given.unwrap_or(&Exact::ZERO))
    }

    /// A side that the goal may use.
    fn side(&self, words: &mut Words<'_>) -> Checked<SideId> {
        let name = words.word("a row side")?;
        let side = self.view.side(name)?;
        let owner = self.view.sides[side].owner;
        let fits = match self.dead {
            Some(system) => owner == system && !self.view.is_objective(side),
            None => owner == Quantifier::Exists,
        };
        ensure!(fits; "a proof may not use `{name}` here");
        Ok(side)
    }

    /// A variable that the proof may speak about.
    fn variable(&self, words: &mut Words<'_>) -> Checked<usize> {
        let name = words.word("a variable")?;
        let place = self.view.find(name)?;
        let open = self.dead.is_some() || self.view.places[place].owner == Quantifier::Exists;
        let fits = open && self.demand.place <= place;
        ensure!(fits; "a proof may not cut or split `{name}` here");
        Ok(place)
    }
}
