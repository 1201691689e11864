//! What a node demands of the moves before it.
//!
//! The moves before a node matter only through the sums they leave in the rows. So a node's claim
//! holds for every prefix whose sums are small enough in the rows of the plan's owner and large
//! enough in the rows by which the opponent is shown to be lost. These demands are computed from
//! the ends of the plan upward, once for each node, however many prefixes lead to it.
//!
//! **Invariant:** at a node of place `p`, `own` holds every side of the owner's rows that has
//! variables both before `p` and from `p` on. A side that lies before `p` altogether is demanded as
//! it stands in the program, and gets its entry when its last variable is passed.

use rustc_hash::FxHashMap;

use super::fault::Reason;
use super::number::Number;
use super::view::{SideId, View};
use crate::program::{Bounds, Quantifier};

/// A sum must be at least `at`, or greater than it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Floor {
    pub at: Number,
    pub strict: bool,
}

impl Floor {
    /// Whether the empty sum meets it.
    fn admits_zero(&self) -> bool {
        let zero = Number::zero();
        self.at < zero || (!self.strict && self.at == zero)
    }
}

/// See the module.
#[derive(Clone, Debug, Default)]
pub(super) struct Requirement {
    /// The node's place: how many variables are fixed before it.
    pub place: usize,
    own: FxHashMap<SideId, Number>,
    foreign: FxHashMap<SideId, Floor>,
}

impl Requirement {
    /// Demands nothing beyond the owner's rows that lie before `place`.
    pub fn at(place: usize) -> Self {
        Self {
            place,
            ..Self::default()
        }
    }

    /// Demands that the moves before add at most `most` to a side.
    pub fn limit(&mut self, view: &View<'_>, id: SideId, most: Number) -> Result<(), Reason> {
        if !view.sides[id].begins_before(self.place) {
            return zero_at_most(view, id, &most);
        }
        let entry = self.own.entry(id).or_insert_with(|| most.clone());
        if most < *entry {
            *entry = most;
        }
        Ok(())
    }

    /// Demands that the moves before add at least `floor` to a side.
    pub fn raise(&mut self, view: &View<'_>, id: SideId, floor: Floor) -> Result<(), Reason> {
        if !view.sides[id].begins_before(self.place) {
            return zero_reaches(view, id, &floor);
        }
        let entry = self.foreign.entry(id).or_insert_with(|| floor.clone());
        if floor > *entry {
            *entry = floor;
        }
        Ok(())
    }

    /// Demands both.
    pub fn merge(&mut self, view: &View<'_>, other: Self) -> Result<(), Reason> {
        for (id, most) in other.own {
            self.limit(view, id, most)?;
        }
        for (id, floor) in other.foreign {
            self.raise(view, id, floor)?;
        }
        Ok(())
    }

    /// The demand one place earlier, if the variable there may take every value of `range`.
    ///
    /// `owner` is the plan's owner if the demand includes his rows.
    pub fn before(
        mut self,
        view: &View<'_>,
        owner: Option<Quantifier>,
        range: &Bounds,
    ) -> Result<Self, Reason> {
        self.place -= 1;
        let place = self.place;
        let objective = view.objective();
        let [low, high] = [&range.lower, &range.upper].map(|end| end.clone().map(Number::from));
        let multiple = |coefficient: &Number, up: bool| {
            let end = if up == coefficient.is_positive() {
                &high
            } else {
                &low
            };
            let end = end.as_ref().ok_or(Reason::Infinite)?;
            Ok::<_, Reason>(coefficient.times(end))
        };
        for (id, coefficient) in &view.places[place].column {
            let side = &view.sides[*id];
            let demanded = match self.own.remove(id) {
                Some(demanded) => Some(demanded),
                None if *id == objective || Some(side.owner) != owner => None,
                None if side.ends_at(place) => Some(side.rhs.clone().into()),
                None => return Err(Reason::Unfinished(view.label(*id))),
            };
            if let Some(demanded) = demanded {
                let added = multiple(coefficient, true)?;
                self.limit(view, *id, demanded - added)?;
            }
            if let Some(floor) = self.foreign.remove(id) {
                let added = multiple(coefficient, false)?;
                let at = floor.at - added;
                self.raise(view, *id, Floor { at, ..floor })?;
            }
        }
        Ok(self)
    }
}

fn zero_at_most(view: &View<'_>, id: SideId, most: &Number) -> Result<(), Reason> {
    if *most >= Number::zero() {
        return Ok(());
    }
    Err(Reason::Broken {
        side: view.label(id),
        by: -most.to_rational() / &view.sides[id].scale,
    })
}

fn zero_reaches(view: &View<'_>, id: SideId, floor: &Floor) -> Result<(), Reason> {
    if floor.admits_zero() {
        return Ok(());
    }
    Err(Reason::Short {
        side: view.label(id),
        by: floor.at.to_rational() / &view.sides[id].scale,
    })
}
