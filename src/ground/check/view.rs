//! The program as the checker sees it: places in playing order, and every row side as `Σ a·x <= b`.
//!
//! **Playing order:** the prefix, except that the real variables of a block come after its integer
//! ones. Inside a block the order does not change the value.

use std::ops::Range;

use rustc_hash::FxHashMap;

use crate::num::{Exact, Rational};
use crate::program::{Bounds, Kind, Program, Quantifier, Side};
use crate::strategy::words::{Checked, Words, ensure};

/// A row side, or the objective, by its place in [`View::sides`].
pub(super) type SideId = usize;

/// The lower and the upper end of some values; none is infinite.
pub(super) type Ends = [Option<Exact>; 2];

/// The variable at a place.
pub(super) struct Place<'a> {
    pub name: &'a str,
    pub owner: Quantifier,
    pub whole: bool,
    /// Free if there is no value: the owner's system is dead without it.
    pub domain: Ends,
    /// What a proof leaves of the domain so far.
    room: Ends,
    /// The sides it occurs in, and with which coefficient.
    pub column: Vec<(SideId, Exact)>,
    /// Whether a universal row contains it.
    pub restricted: bool,
}

/// See the module.
pub(super) struct View<'a> {
    /// Who has a variable without a value.
    pub lacking: Vec<Quantifier>,
    pub places: Vec<Place<'a>>,
    pub sides: Vec<Side>,
    /// The side `z`: the objective, as a cost, is at most what a plan guarantees.
    pub objective: Option<SideId>,
    side_names: FxHashMap<String, SideId>,
    /// How many sides were derived.
    derived: usize,
    names: FxHashMap<&'a str, usize>,
    /// What was narrowed, and what it was before.
    pub trail: Vec<(usize, Ends)>,
}

impl<'a> View<'a> {
    /// The program, for a plan that guarantees a cost or something else.
    pub fn new(program: &'a Program, cost: Option<&Rational>) -> Self {
        let mut places = Vec::new();
        for var in program.playing_order() {
            let variable = &program.variables()[var];
            let domain = Some(variable.domain()).filter(|it| !it.is_crossed());
            let Bounds { lower, upper } = domain.unwrap_or_else(Bounds::free);
            let domain = [lower, upper].map(|end| end.map(Exact::from));
            places.push(Place {
                name: &variable.name,
                owner: variable.quantifier,
                whole: variable.kind == Kind::Integer,
                room: domain.clone(),
                domain,
                column: Vec::new(),
                restricted: false,
            });
        }
        let sides = program.sides(cost);
        for (id, side) in sides.iter().enumerate() {
            for (place, coefficient) in &side.terms {
                places[*place].column.push((id, coefficient.clone()));
                places[*place].restricted |= side.owner == Quantifier::Forall;
            }
        }
        let side_names = sides.iter().map(|side| side.name.clone());
        Self {
            lacking: program.lacking(),
            names: (places.iter().map(|at| at.name)).zip(0..).collect(),
            side_names: side_names.zip(0..).collect(),
            trail: Vec::new(),
            derived: 0,
            objective: cost.map(|_| sides.len() - 1),
            places,
            sides,
        }
    }

    /// `derive dN (SIDE WEIGHT)…`: a side that follows from others, each taken so many times.
    pub fn derive(&mut self, words: &mut Words<'_>) -> Checked<()> {
        self.derived += 1;
        let name = format!("d{}", self.derived);
        words.keyword(&name)?;
        let mut parts = Vec::new();
        while words.peek().is_some() {
            let side = &self.sides[self.side(words.word("a row side")?)?];
            let times = words.number()?;
            let fits = side.owner == Quantifier::Exists && times >= Exact::ZERO;
            ensure!(fits; "nothing follows from {} times {}", times, side.name);
            parts.push((side, times));
        }
        let (side, id) = (Side::sum(name.clone(), &parts), self.sides.len());
        for (place, coefficient) in &side.terms {
            self.places[*place].column.push((id, coefficient.clone()));
        }
        self.side_names.insert(name, id);
        self.sides.push(side);
        Ok(())
    }

    pub fn is_objective(&self, side: SideId) -> bool {
        self.objective == Some(side)
    }

    /// One end of what a proof leaves.
    pub fn end(&self, place: usize, upper: bool) -> Checked<&Exact> {
        finite(&self.places[place].room[usize::from(upper)])
    }

    /// Where a variable is that nobody names: at its lower end, if it has one, or its upper end.
    pub fn usual(&self, place: usize) -> Checked<&Exact> {
        self.end(place, false).or(self.end(place, true))
    }

    /// Whether answers to two values of a universal variable answer what lies between, mixed
    /// alike: what is decided later is real, and what he may do later depends on neither.
    pub fn mixes(&self, place: usize) -> bool {
        let mut later = self.places[place..].iter();
        let free = |at: &Place<'_>| at.owner == Quantifier::Forall || !(at.whole || at.restricted);
        !self.places[place].restricted && later.all(free)
    }

    /// Whether all these variables are the existential player's.
    pub fn is_existential(&self, mut places: Range<usize>) -> bool {
        places.all(|place| self.places[place].owner == Quantifier::Exists)
    }

    /// Whether one value is left.
    pub fn is_fixed(&self, place: usize) -> bool {
        self.end(place, false).is_ok() && self.end(place, false) == self.end(place, true)
    }

    /// Moves an end inward; an end that is further in already stays.
    pub fn narrow(&mut self, place: usize, upper: bool, to: Exact) {
        let now = self.end(place, upper);
        if now.is_ok_and(|now| if upper { to >= *now } else { to <= *now }) {
            return;
        }
        let room = &mut self.places[place].room;
        self.trail.push((place, room.clone()));
        room[usize::from(upper)] = Some(to);
    }

    pub fn undo_to(&mut self, mark: usize) {
        for (place, room) in self.trail.drain(mark..).rev() {
            self.places[place].room = room;
        }
    }

    /// The place of the variable of that name.
    pub fn find(&self, name: &str) -> Checked<usize> {
        let place = self.names.get(name).copied();
        place.ok_or_else(|| format!("the model has no variable `{name}`"))
    }

    /// The side of that name.
    pub fn side(&self, name: &str) -> Checked<SideId> {
        let side = self.side_names.get(name).copied();
        side.ok_or_else(|| format!("the model has no row side `{name}`"))
    }
}

/// An end that is there.
pub(super) fn finite<N>(end: &Option<N>) -> Checked<&N> {
    let infinite = || "a sum over an infinite domain has no bound".to_owned();
    end.as_ref().ok_or_else(infinite)
}
