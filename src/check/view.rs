//! The program as the checker sees it: places in playing order, and every row side as `Σ a·x <= b`.
//!
//! **Playing order:** the prefix, except that the real variables of a block come after its integer
//! ones. Inside a block the order does not change the value.

use std::ops::Range;

use rustc_hash::FxHashMap;

use super::words::Checked;
use crate::num::{Exact, Rational};
use crate::program::{Id, Kind, Program, Quantifier, Sense, VarId, cost_of_objective};

/// A row side, or the objective, by its place in [`View::sides`].
pub(super) type SideId = usize;

/// The lower and the upper end of some values; none is infinite.
pub(super) type Ends = [Option<Exact>; 2];

/// A place and its coefficient.
pub(super) type Term = (usize, Exact);

/// `Σ coefficient · variable <= rhs`, with places instead of variables, in increasing order.
pub(super) struct Side {
    /// What the certificate calls it: `r3+`, `u1-`, `z`.
    pub name: String,
    /// Whose system it belongs to.
    pub owner: Quantifier,
    pub terms: Vec<Term>,
    pub rhs: Exact,
}

impl Side {
    /// Whether some variable before `place` occurs in it.
    pub fn begins_before(&self, place: usize) -> bool {
        self.terms.first().is_some_and(|term| term.0 < place)
    }

    /// The terms from `place` on.
    pub fn rest(&self, place: usize) -> &[Term] {
        &self.terms[self.terms.partition_point(|term| term.0 < place)..]
    }
}

/// The variable at a place.
pub(super) struct Place<'a> {
    pub name: &'a str,
    pub owner: Quantifier,
    pub whole: bool,
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
    pub places: Vec<Place<'a>>,
    pub sides: Vec<Side>,
    /// The side `z`: the objective, as a cost, is at most what a plan guarantees.
    pub objective: Option<SideId>,
    side_names: FxHashMap<String, SideId>,
    names: FxHashMap<&'a str, usize>,
    /// What was narrowed, and what it was before.
    pub trail: Vec<(usize, Ends)>,
}

impl<'a> View<'a> {
    /// The program, for a plan that guarantees a cost or something else.
    pub fn new(program: &'a Program, cost: Option<&Rational>) -> Self {
        let mut places = Vec::new();
        let mut place_of = vec![0; program.variables().len()];
        for var in program.playing_order() {
            let variable = &program.variables()[var];
            let domain = variable.domain();
            let domain = [domain.lower, domain.upper].map(|end| end.map(Exact::from));
            place_of[var.index()] = places.len();
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
        let sides = sides(program, cost, &place_of);
        for (id, side) in sides.iter().enumerate() {
            for (place, coefficient) in &side.terms {
                places[*place].column.push((id, coefficient.clone()));
                places[*place].restricted |= side.owner == Quantifier::Forall;
            }
        }
        Self {
            names: (places.iter().map(|at| at.name)).zip(0..).collect(),
            side_names: (sides.iter().map(|side| side.name.clone()))
                .zip(0..)
                .collect(),
            trail: Vec::new(),
            objective: cost.map(|_| sides.len() - 1),
            places,
            sides,
        }
    }

    pub fn is_objective(&self, side: SideId) -> bool {
        self.objective == Some(side)
    }

    /// One end of what a proof leaves to a variable.
    pub fn end(&self, place: usize, upper: bool) -> Checked<&Exact> {
        finite(&self.places[place].room[usize::from(upper)])
    }

    /// Where a variable is that nobody names: at its lower end, if it has one, or its upper end.
    pub fn usual(&self, place: usize) -> Checked<&Exact> {
        self.end(place, false).or(self.end(place, true))
    }

    /// Whether the answers to two values of a universal variable answer what lies between, mixed
    /// alike: whatever is decided later is real, and what the universal player may do later
    /// depends on neither.
    pub fn mixes(&self, place: usize) -> bool {
        let mut later = self.places[place..].iter();
        let free = |at: &Place<'_>| at.owner == Quantifier::Forall || !(at.whole || at.restricted);
        !self.places[place].restricted && later.all(free)
    }

    /// Whether all variables of some places are the existential player's.
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

/// The sides of all rows; the last one is the objective if a cost is guaranteed.
fn sides(program: &Program, cost: Option<&Rational>, place_of: &[usize]) -> Vec<Side> {
    let mut sides = Vec::new();
    let mut add = |name, owner, terms: &[(VarId, Rational)], rhs: &Option<Rational>, negated| {
        let Some(rhs) = rhs else { return };
        let sign = |it: &Rational| Exact::from(if negated { -it } else { it.clone() });
        let placed = terms.iter();
        let placed = placed.map(|(var, a)| (place_of[var.index()], sign(a)));
        let mut terms: Vec<Term> = placed.collect();
        terms.sort_by_key(|term| term.0);
        let rhs = sign(rhs);
        sides.push(Side {
            name,
            owner,
            terms,
            rhs,
        });
    };
    for (owner, letter) in [(Quantifier::Exists, 'r'), (Quantifier::Forall, 'u')] {
        for (id, row) in program.system(owner).pairs() {
            let number = id.index() + 1;
            add(
                format!("{letter}{number}+"),
                owner,
                &row.terms,
                &row.upper,
                false,
            );
            add(
                format!("{letter}{number}-"),
                owner,
                &row.terms,
                &row.lower,
                true,
            );
        }
    }
    if let Some(cost) = cost {
        let objective = program.objective();
        let terms = objective.map_or(&[][..], |it| &it.terms);
        let constant = objective.map_or_else(Rational::default, |it| it.constant.clone());
        let rhs = Some(cost_of_objective(program, cost.clone()) - constant);
        let negated = objective.is_some_and(|it| it.sense == Sense::Maximize);
        add("z".to_owned(), Quantifier::Exists, terms, &rhs, negated);
    }
    sides
}

/// An end that is there.
pub(super) fn finite(end: &Option<Exact>) -> Checked<&Exact> {
    end.as_ref()
        .ok_or_else(|| "a sum over an infinite domain has no bound".to_owned())
}
