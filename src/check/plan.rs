//! One side of a certificate: the nodes of a plan, each checked as its line is read.

use num_traits::{Signed, Zero};
use rustc_hash::FxHashMap;

use super::coverage::Coverage;
use super::fault::Reason;
use super::number::Number;
use super::proof::{Goal, Prover};
use super::require::{Floor, Requirement};
use super::view::{Place, SideId, View};
use super::words::{Words, syntax};
use crate::num::Rational;
use crate::program::{Bounds, Id, Kind, Quantifier};

/// What a plan guarantees its owner.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Guarantee {
    /// A strategy that kills the universal system.
    Won,
    /// A strategy that pushes the objective beyond every bound.
    Unbounded,
    /// The objective, in the user's sense, is at least as good as this for the owner.
    Value(Rational),
    /// A refutation that kills the existential system.
    Lost,
}

/// The nodes that are still referred to, by what they demand.
pub(super) struct Plan<'v, 'p> {
    view: &'v View<'p>,
    owner: Quantifier,
    /// The cost that is guaranteed, if it is a cost.
    cost: Option<Rational>,
    unbounded: bool,
    /// The sides of the owner's rows that have variables, and those that have none.
    rows: Vec<SideId>,
    constants: Vec<SideId>,
    live: FxHashMap<u64, Requirement>,
    next: u64,
    /// The most nodes that were held at one time.
    pub peak: usize,
}

impl<'v, 'p> Plan<'v, 'p> {
    pub fn new(view: &'v View<'p>, owner: Quantifier, guarantee: &Guarantee) -> Self {
        let cost = match guarantee {
            Guarantee::Value(value) => Some(view.cost(value.clone())),
            _ => None,
        };
        let own = (0..view.objective()).filter(|&id| view.sides[id].owner == owner);
        let (constants, rows) = own.partition(|&id| view.sides[id].terms.is_empty());
        Self {
            view,
            owner,
            cost,
            rows,
            constants,
            unbounded: *guarantee == Guarantee::Unbounded,
            live: FxHashMap::default(),
            next: 0,
            peak: 0,
        }
    }

    /// How many nodes were read.
    pub fn nodes(&self) -> u64 {
        self.next
    }

    /// Reads one node.
    pub fn read(&mut self, number: &str, mut words: Words<'_>) -> Result<(), Reason> {
        let found = number
            .parse()
            .map_err(|_| syntax("a node number, `root` or `end`", number))?;
        if found != self.next {
            return Err(Reason::OutOfOrder {
                expected: self.next,
                found,
            });
        }
        let kind = words.word("a kind of node")?;
        self.no_empty_domain(kind)?;
        let demand = match kind {
            "choose" => self.choose(&mut words),
            "await" => self.await_moves(&mut words),
            "complete" => self.complete(),
            "dead" => self.dead(&mut words),
            "bound" => self.bound(&mut words),
            "ray" => self.ray(&mut words),
            "empty" => self.empty(&mut words),
            other => Err(syntax("a kind of node", other)),
        }?;
        words.finish()?;
        self.live.insert(self.next, demand);
        self.peak = self.peak.max(self.live.len());
        self.next += 1;
        Ok(())
    }

    /// The root must begin at the first place; then nothing is demanded of anybody.
    pub fn root(&mut self, words: &mut Words<'_>) -> Result<(), Reason> {
        self.follow(words, 0).map(drop)
    }

    /// `choose VARIABLE VALUE NODE`
    fn choose(&mut self, words: &mut Words<'_>) -> Result<Requirement, Reason> {
        let place = self.moved(words, self.owner, "chosen")?;
        let value = words.number()?;
        self.admit(place, &value)?;
        let demand = self.follow(words, place + 1)?;
        let range = Bounds::between(value.clone(), value);
        demand.before(self.view, Some(self.owner), &range)
    }

    /// `await VARIABLE {RANGE NODE | RANGE illegal PROOF} [alive VALUES]`
    fn await_moves(&mut self, words: &mut Words<'_>) -> Result<Requirement, Reason> {
        let place = self.moved(words, self.owner.opponent(), "awaited")?;
        if words.accept("corners") {
            return self.corners(words, place);
        }
        let mut coverage = Coverage::new(&self.view.places[place]);
        let mut demand = Requirement::at(place);
        let mut witnessed = false;
        while let Some(word) = words.peek().filter(|word| *word != "alive") {
            words.take();
            let range = coverage.next(word).ok_or_else(|| self.uncovered(place))?;
            let part = if words.accept("illegal") {
                let goal = Goal::Death(self.owner.opponent());
                let part = Prover::new(self.view, place + 1, goal).read(words)?;
                part.before(self.view, None, &range)?
            } else {
                witnessed = true;
                let part = self.follow(words, place + 1)?;
                part.before(self.view, Some(self.owner), &range)?
            };
            demand.merge(self.view, part)?;
        }
        if !coverage.is_complete() {
            return Err(self.uncovered(place));
        }
        match (words.accept("alive"), witnessed) {
            (true, _) => self.demand_witness(words, &mut demand)?,
            (false, true) => {}
            (false, false) => return Err(Reason::NoWitness),
        }
        Ok(demand)
    }

    /// Replies to the two ends of a real universal variable: what lies between is answered by the
    /// mixture of the replies, which the rows admit because they are linear.
    fn corners(&mut self, words: &mut Words<'_>, place: usize) -> Result<Requirement, Reason> {
        let at = &self.view.places[place];
        let later = &self.view.places[place..];
        let linear = later
            .iter()
            .all(|at| at.owner == Quantifier::Forall || at.kind == Kind::Real);
        let mut existential = self
            .view
            .places
            .iter()
            .filter(|at| at.owner == Quantifier::Exists);
        let free = !at.restricted && !existential.any(|at| at.restricted);
        let (Kind::Real, true, true, Some(lower), Some(upper)) =
            (at.kind, linear, free, &at.domain.lower, &at.domain.upper)
        else {
            return Err(Reason::WrongPlayer(
                self.view.name(place).to_owned(),
                "answered by corners",
            ));
        };
        let mut demand = Requirement::at(place);
        for end in [lower, upper] {
            let range = Bounds::between(end.clone(), end.clone());
            let part = self.follow(words, place + 1)?;
            demand.merge(self.view, part.before(self.view, Some(self.owner), &range)?)?;
        }
        Ok(demand)
    }

    /// `complete`: every variable is fixed, the owner's rows hold and the cost is as claimed.
    fn complete(&self) -> Result<Requirement, Reason> {
        let Some(cost) = &self.cost else {
            return Err(Reason::WrongEnd("complete"));
        };
        let objective = self.view.objective();
        let side = &self.view.sides[objective];
        let at = Number::from(cost * &side.scale + &side.rhs);
        let mut demand = Requirement::at(self.view.places.len());
        self.demand_constant_rows()?;
        match self.owner {
            Quantifier::Exists => demand.limit(self.view, objective, at)?,
            Quantifier::Forall => {
                demand.raise(self.view, objective, Floor { at, strict: false })?;
            }
        }
        Ok(demand)
    }

    /// `dead PLACE [alive VALUES] PROOF`: the opponent's system is dead, the owner's is not.
    fn dead(&self, words: &mut Words<'_>) -> Result<Requirement, Reason> {
        let place = self.place(words)?;
        let mut demand = Requirement::at(place);
        if words.accept("alive") {
            self.demand_witness(words, &mut demand)?;
        } else if place > 0 || self.first_mover() == self.owner {
            return Err(Reason::NoWitness);
        }
        let goal = Goal::Death(self.owner.opponent());
        let proof = Prover::new(self.view, place, goal).read(words)?;
        demand.merge(self.view, proof)?;
        Ok(demand)
    }

    /// `bound PLACE [play VALUES] PROOF`: the universal player's rows hold whatever happens, and
    /// the existential player cannot reach a cost below the claim any more.
    fn bound(&self, words: &mut Words<'_>) -> Result<Requirement, Reason> {
        if self.owner == Quantifier::Exists {
            return Err(Reason::WrongEnd("bound"));
        }
        let place = self.place(words)?;
        words.accept("play");
        let fixed = self.fixed_universals(words, place)?;
        let mut demand = Requirement::at(place);
        self.demand_own_rows(&mut demand, |at, coefficient| match fixed.get(&at) {
            Some(value) => Some(coefficient * value),
            None => {
                let domain = &self.view.places[at].domain;
                let worst = if coefficient.is_positive() {
                    &domain.upper
                } else {
                    &domain.lower
                };
                worst.as_ref().map(|end| coefficient * end)
            }
        })?;
        let goal = Goal::Bound {
            fixed: &fixed,
            limit: self.cost.as_ref(),
        };
        let proof = Prover::new(self.view, place, goal).read(words)?;
        demand.merge(self.view, proof)?;
        Ok(demand)
    }

    /// `ray VALUES`: every variable is fixed, and from any such play the existential player can go
    /// on in this direction for ever.
    fn ray(&self, words: &mut Words<'_>) -> Result<Requirement, Reason> {
        if !self.unbounded {
            return Err(Reason::WrongEnd("ray"));
        }
        let mut direction: FxHashMap<usize, Rational> = FxHashMap::default();
        for (name, step) in words.assignments()? {
            let place = self.view.find(name)?;
            let at = &self.view.places[place];
            let end = if step.is_positive() {
                &at.domain.upper
            } else {
                &at.domain.lower
            };
            if at.owner == Quantifier::Forall || at.restricted || (end.is_some() && !step.is_zero())
            {
                return Err(Reason::NotARay(format!("`{name}` cannot move without end")));
            }
            direction.insert(place, step);
        }
        let objective = self.view.objective();
        for (id, side) in self.view.sides.iter().enumerate() {
            let steps = side
                .terms
                .iter()
                .filter_map(|(at, a)| Some(a * direction.get(at)?));
            let slope: Rational = steps.sum();
            if side.owner == Quantifier::Exists && slope.is_positive() {
                return Err(Reason::NotARay(format!(
                    "{} grows along it",
                    self.view.label(id)
                )));
            }
            if id == objective && !slope.is_negative() {
                return Err(Reason::NotARay(
                    "the objective does not improve along it".to_owned(),
                ));
            }
        }
        self.demand_constant_rows()?;
        Ok(Requirement::at(self.view.places.len()))
    }

    /// `empty VARIABLE`: the first variable without a value belongs to the opponent.
    fn empty(&self, words: &mut Words<'_>) -> Result<Requirement, Reason> {
        let place = self.view.find(words.word("a variable")?)?;
        let at = &self.view.places[place];
        if self.view.first_empty != Some(at.var) || at.owner == self.owner {
            return Err(Reason::EmptyDomain(self.view.name(place).to_owned()));
        }
        Ok(Requirement::at(0))
    }

    /// In a program with an empty domain nothing but that counts.
    fn no_empty_domain(&self, kind: &str) -> Result<(), Reason> {
        match self.view.first_empty {
            Some(var) if kind != "empty" => {
                let place = self.view.place_of[var.index()];
                Err(Reason::EmptyDomain(self.view.name(place).to_owned()))
            }
            _ => Ok(()),
        }
    }

    /// Values of the variables from the demand's place on with which the owner's rows hold;
    /// variables that are not named are at their lower ends.
    fn demand_witness(
        &self,
        words: &mut Words<'_>,
        demand: &mut Requirement,
    ) -> Result<(), Reason> {
        let mut values = FxHashMap::default();
        for (name, value) in words.assignments()? {
            let place = self.view.find(name)?;
            self.admit(place, &value)?;
            if place < demand.place || values.insert(place, value).is_some() {
                return Err(self.wrong_player(place, "set"));
            }
        }
        self.demand_own_rows(demand, |at, coefficient| {
            let value = values.get(&at).cloned();
            Some(coefficient * value.unwrap_or_else(|| usual(&self.view.places[at])))
        })
    }

    /// Demands the owner's rows, with `added` telling what each later variable adds at most.
    fn demand_own_rows(
        &self,
        demand: &mut Requirement,
        added: impl Fn(usize, &Rational) -> Option<Rational>,
    ) -> Result<(), Reason> {
        self.demand_constant_rows()?;
        for &id in &self.rows {
            let side = &self.view.sides[id];
            let rest = side.rest(demand.place);
            if rest.is_empty() {
                continue;
            }
            let mut room = side.rhs.clone();
            for (at, coefficient) in rest {
                room -= added(*at, coefficient).ok_or(Reason::Infinite)?;
            }
            demand.limit(self.view, id, room.into())?;
        }
        Ok(())
    }

    /// The owner's rows without variables must hold.
    fn demand_constant_rows(&self) -> Result<(), Reason> {
        let start = &mut Requirement::at(0);
        for &id in &self.constants {
            start.limit(self.view, id, self.view.sides[id].rhs.clone().into())?;
        }
        Ok(())
    }

    /// The later universal variables that do not press: those named, and those of universal rows.
    fn fixed_universals(
        &self,
        words: &mut Words<'_>,
        from: usize,
    ) -> Result<FxHashMap<usize, Rational>, Reason> {
        let mut fixed = FxHashMap::default();
        for (name, value) in words.assignments()? {
            let place = self.view.find(name)?;
            self.admit(place, &value)?;
            let wrong = place < from || self.view.places[place].owner == Quantifier::Exists;
            if wrong || fixed.insert(place, value).is_some() {
                return Err(self.wrong_player(place, "played"));
            }
        }
        for (place, at) in self.view.places.iter().enumerate().skip(from) {
            if at.owner == Quantifier::Forall && at.restricted {
                fixed.entry(place).or_insert_with(|| usual(at));
            }
        }
        Ok(fixed)
    }

    /// A node that begins at `place`; a dot after its number gives it up.
    fn follow(&mut self, words: &mut Words<'_>, place: usize) -> Result<Requirement, Reason> {
        let word = words.word("a node")?;
        let digits = word.strip_suffix('.').unwrap_or(word);
        let node: u64 = digits.parse().map_err(|_| syntax("a node", word))?;
        let demand = if digits.len() < word.len() {
            self.live.remove(&node)
        } else {
            self.live.get(&node).cloned()
        };
        let demand = demand.ok_or(Reason::MissingNode(node))?;
        if demand.place != place {
            return Err(Reason::WrongPlace {
                node,
                found: demand.place,
                expected: place,
            });
        }
        Ok(demand)
    }

    fn moved(
        &self,
        words: &mut Words<'_>,
        owner: Quantifier,
        verb: &'static str,
    ) -> Result<usize, Reason> {
        let place = self.view.find(words.word("a variable")?)?;
        if self.view.places[place].owner != owner {
            return Err(self.wrong_player(place, verb));
        }
        Ok(place)
    }

    fn place(&self, words: &mut Words<'_>) -> Result<usize, Reason> {
        let word = words.peek().unwrap_or_default();
        let place = words.count("a place")?;
        if place > self.view.places.len() {
            return Err(syntax("a place of the prefix", word));
        }
        Ok(place)
    }

    fn admit(&self, place: usize, value: &Rational) -> Result<(), Reason> {
        if self.view.program.variables()[self.view.places[place].var].admits(value) {
            return Ok(());
        }
        Err(Reason::OutsideDomain {
            variable: self.view.name(place).to_owned(),
            value: value.clone(),
        })
    }

    /// Who loses when both systems are dead before the first move.
    fn first_mover(&self) -> Quantifier {
        self.view
            .places
            .first()
            .map_or(Quantifier::Exists, |at| at.owner)
    }

    fn wrong_player(&self, place: usize, verb: &'static str) -> Reason {
        Reason::WrongPlayer(self.view.name(place).to_owned(), verb)
    }

    fn uncovered(&self, place: usize) -> Reason {
        Reason::Coverage(self.view.name(place).to_owned())
    }
}

/// Where a variable is that nobody names: at its lower end, if it has one.
fn usual(place: &Place) -> Rational {
    let ends = place.domain.lower.as_ref().or(place.domain.upper.as_ref());
    ends.cloned().unwrap_or_default()
}
