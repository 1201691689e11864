//! Proofs that a system is lost: derived bounds, splits, and rows that cannot hold.
//!
//! A proof speaks of the variables from its place on, inside a room that begins as their domains.
//! In a *death* proof both players' variables are free: it shows that no completion satisfies a
//! system. In a *bound* proof the universal player is at work: some of his variables are fixed, the
//! others stand in no universal row and *press*, each row being met by the values that are worst
//! for it. Existential variables before the first pressing one are chosen without knowing which row
//! will be pressed, so pressed rows cut them; those after it are cut by rows at their best only.

use rustc_hash::FxHashMap;

use super::demand::{Demand, Mixture};
use super::plan::Nodes;
use super::view::{SideId, View};
use crate::num::Exact;
use crate::program::Quantifier;
use crate::strategy::words::{Checked, Words, ensure, unexpected};

/// A proof while it is being read.
pub(super) struct Proof<'a, 'p> {
    view: &'a mut View<'p>,
    nodes: &'a mut Nodes,
    /// Whose system is shown to be dead; nobody's in a bound proof.
    dead: Option<Quantifier>,
    /// The first pressing variable.
    horizon: usize,
    given: FxHashMap<SideId, Exact>,
    demand: Demand,
}

impl<'a, 'p> Proof<'a, 'p> {
    pub fn new(
        view: &'a mut View<'p>,
        nodes: &'a mut Nodes,
        demand: Demand,
        dead: Option<Quantifier>,
    ) -> Self {
        let presses = |place: &usize| {
            let at = &view.places[*place];
            at.owner == Quantifier::Forall && !at.restricted && !view.is_fixed(*place)
        };
        let first = (demand.place..view.places.len()).find(presses);
        Self {
            horizon: first.filter(|_| dead.is_none()).unwrap_or(usize::MAX),
            given: FxHashMap::default(),
            view,
            nodes,
            dead,
            demand,
        }
    }

    /// Reads a whole proof and adds what it demands of the moves before; restores the room.
    pub fn read(mut self, words: &mut Words<'_>) -> Checked<Demand> {
        self.run(words)?;
        self.view.undo_to(0);
        Ok(self.demand)
    }

    /// Reads a sum: how large it must be is left to the moves before.
    pub fn read_sum(mut self, words: &mut Words<'_>) -> Checked<Demand> {
        let mixture = self.mix(words)?;
        self.view.undo_to(0);
        self.demand.mixture = Some(mixture);
        Ok(self.demand)
    }

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
                "mix" => self.contradict(words)?,
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
        let limit = (-&enough, self.view.sides[side].strict);
        self.demand.limit(self.view, (side, true), limit)
    }

    /// `mix SUM`: it is too large after moves that add as much as is given.
    fn contradict(&mut self, words: &mut Words<'_>) -> Checked<()> {
        let mixture = self.mix(words)?;
        let mut before = Exact::ZERO;
        for (side, weight) in mixture.weights {
            before = &before + &(&self.given(side)? * &weight);
        }
        let fails = (-&before, true) <= mixture.limit;
        ensure!(fails; "the proof ends without a contradiction");
        Ok(())
    }

    /// `K (@NODE WEIGHT)… (SIDE WEIGHT)…`: these sums and sides, each times its weight, with the
    /// variables from the place on where they make the least of it.
    fn mix(&mut self, words: &mut Words<'_>) -> Checked<Mixture> {
        let (from, mut end) = (self.demand.place, None);
        let mut weights: FxHashMap<SideId, Exact> = FxHashMap::default();
        let mut limit = (Exact::ZERO, false);
        for _ in 0..words.count("how many rows are mixed")? {
            let part = if words.peek().is_some_and(|word| word.starts_with('@')) {
                self.node(words, &mut end)?
            } else {
                let side = self.side(words)?;
                let ends_before = *end.get_or_insert(self.view.places.len());
                let closed = self.view.sides[side].rest(ends_before).is_empty();
                ensure!(closed; "{} is open where the sums begin", self.view.sides[side].name);
                Mixture {
                    weights: std::iter::once((side, Exact::ONE)).collect(),
                    limit: (-&self.view.sides[side].rhs, self.view.sides[side].strict),
                }
            };
            let by = words.number()?;
            ensure!(by >= Exact::ZERO; "the weight {by} is negative");
            limit.0 = &limit.0 + &(&part.limit.0 * &by);
            limit.1 |= part.limit.1 && !by.is_zero();
            for (side, weight) in part.weights {
                let sum = weights.entry(side).or_insert(Exact::ZERO);
                *sum = &*sum + &(&weight * &by);
            }
        }
        let mut sums: FxHashMap<usize, Exact> = FxHashMap::default();
        for (side, weight) in &weights {
            let terms = self.view.sides[*side].rest(from).iter();
            for (place, coefficient) in terms.take_while(|term| Some(term.0) < end) {
                let sum = sums.entry(*place).or_insert(Exact::ZERO);
                *sum = &*sum + &(coefficient * weight);
            }
        }
        let terms: Vec<_> = sums.into_iter().filter(|term| !term.1.is_zero()).collect();
        limit.0 = &limit.0 + &self.least(&terms, None, true)?;
        Ok(Mixture { weights, limit })
    }

    /// `@NODE`: a sum that begins after existential variables only, the same for all in a mixture.
    fn node(&mut self, words: &mut Words<'_>, end: &mut Option<usize>) -> Checked<Mixture> {
        let (word, from) = (words.word("a sum")?, self.demand.place);
        let mut node = self.nodes.follow(word.trim_start_matches('@'))?;
        let begins = *end.get_or_insert(node.place);
        let fits = self.dead.is_none() && node.place == begins && from <= begins;
        ensure!(fits && self.view.is_existential(from..begins); "{word} cannot be mixed here");
        let mixture = (node.mixture.take()).ok_or_else(|| format!("{word} is not a sum"))?;
        for place in (from..begins).rev() {
            let domain = self.view.places[place].domain.clone();
            node = node.before(self.view, Some(Quantifier::Forall), &domain)?;
        }
        self.demand.merge(self.view, node)?;
        Ok(mixture)
    }

    /// What one side leaves of a variable when all others are at their best.
    fn cut(&mut self, side: SideId, place: usize) -> Checked<()> {
        let terms = self.view.sides[side].rest(self.demand.place);
        let at = &self.view.places[place];
        let found = terms.binary_search_by_key(&place, |term| term.0);
        let found = found.map_err(|_| format!("`{}` is not in that row", at.name))?;
        let others = self.least(terms, Some(place), place < self.horizon);
        let room = &(&self.view.sides[side].rhs - &self.given(side)?) - &others?;
        let quotient = &room / &terms[found].1;
        let upper = terms[found].1.is_positive();
        let end = match (at.whole, upper, self.view.sides[side].strict) {
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
    fn least(
        &self,
        terms: &[(usize, Exact)],
        except: Option<usize>,
        press: bool,
    ) -> Checked<Exact> {
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

    /// What the moves before add to a side, at least.
    fn given(&self, side: SideId) -> Checked<Exact> {
        let at = &self.view.sides[side];
        let given = self.given.get(&side);
        let known = given.is_some() || !at.begins_before(self.demand.place);
        ensure!(known; "the proof does not state what the moves before add to {}", at.name);
        Ok(given.cloned().unwrap_or(Exact::ZERO))
    }

    /// A side that the goal may use.
    fn side(&self, words: &mut Words<'_>) -> Checked<SideId> {
        let name = words.word("a row side")?;
        let side = self.view.side(name)?;
        let at = &self.view.sides[side];
        let fits = match self.dead {
            Some(system) => at.owner == system && !at.strict,
            None => at.owner == Quantifier::Exists,
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
