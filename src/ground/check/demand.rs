//! What a node demands of the moves before it.
//!
//! The moves before a node matter only through the sums they leave in the rows. So a node's claim
//! holds for every prefix whose sums are small enough in the rows of the plan's owner and large
//! enough in the rows by which the opponent is shown to be lost. These demands are computed from
//! the ends of the plan upward, once for each node, however many prefixes lead to it.
//!
//! **Invariant:** at a node of place `p` there is a demand for every side of the owner's rows that
//! has variables both before `p` and from `p` on. A side that lies before `p` altogether is
//! demanded as it stands in the program, and gets its entry when its last variable is passed.

use rustc_hash::FxHashMap;

use super::view::{Ends, SideId, View, finite};
use crate::num::Exact;
use crate::program::Quantifier;
use crate::strategy::words::{Checked, ensure};

/// The sum of a side, or, if told so, minus that sum.
pub(super) type Sum = (SideId, bool);

/// How large a sum may be, and whether it may be as large as that: the smaller, the tighter.
pub(super) type Limit = (Exact, bool);

/// Sides of existential rows, weighted and added up. If minus their sum keeps the limit, then not
/// all of them can hold.
#[derive(Clone, Debug)]
pub(super) struct Mixture {
    pub weights: FxHashMap<SideId, Exact>,
    pub limit: Limit,
}

/// See the module.
#[derive(Clone, Debug, Default)]
pub(super) struct Demand {
    /// The node's place: how many variables are fixed before it.
    pub place: usize,
    limits: FxHashMap<Sum, Limit>,
    /// What more is demanded, of several rows together.
    pub mixture: Option<Mixture>,
    /// Whether some play from here improves the objective without end, if all others are won.
    pub endless: Option<bool>,
}

impl Demand {
    /// Demands nothing beyond the owner's rows that lie before `place`.
    pub fn at(place: usize) -> Self {
        Self {
            place,
            ..Self::default()
        }
    }

    /// Demands that the moves before keep a sum within a limit.
    pub fn limit(&mut self, view: &View<'_>, sum: Sum, limit: Limit) -> Checked<()> {
        if view.sides[sum.0].begins_before(self.place) {
            let known = self.limits.entry(sum).or_insert_with(|| limit.clone());
            if limit < *known {
                *known = limit;
            }
            return Ok(());
        }
        // No variable of it is fixed: the sum is zero.
        let (name, by) = (&view.sides[sum.0].name, -&limit.0);
        let zero_fits = limit >= (Exact::ZERO, true);
        ensure!(zero_fits || sum.1; "{name} is exceeded by {by}");
        ensure!(zero_fits; "{name} falls short of what the proof needs by {by}");
        Ok(())
    }

    /// Demands both.
    pub fn merge(&mut self, view: &View<'_>, mut other: Self) -> Checked<()> {
        ensure!(other.mixture.is_none(); "a sum is followed by choices and other sums only");
        if self.limits.len() < other.limits.len() {
            std::mem::swap(&mut self.limits, &mut other.limits);
        }
        let mut limits = other.limits.into_iter();
        limits.try_for_each(|(sum, limit)| self.limit(view, sum, limit))
    }

    /// The demand one place earlier, if the variable there may take every value between the ends.
    ///
    /// `owner` is the plan's owner if the demand includes his rows.
    pub fn before(self, view: &View<'_>, owner: Option<Quantifier>, ends: &Ends) -> Checked<Self> {
        let mut earlier = self;
        earlier.place -= 1;
        let at = &view.places[earlier.place];
        if let Some(mixture) = &mut earlier.mixture {
            let least = mixture.least(view, earlier.place, ends)?;
            mixture.limit.0 = &mixture.limit.0 + &least;
        }
        for (id, coefficient) in &at.column {
            let side = &view.sides[*id];
            let own = !view.is_objective(*id) && Some(side.owner) == owner;
            for negated in [false, true] {
                let limit = match earlier.limits.remove(&(*id, negated)) {
                    Some(limit) => limit,
                    None if own && !negated => {
                        let ended = side.rest(earlier.place + 1).is_empty();
                        ensure!(ended; "{} is open where the plan ends", side.name);
                        (side.rhs.clone(), true)
                    }
                    None => continue,
                };
                let coefficient = if negated { &-coefficient } else { coefficient };
                let worst = &ends[usize::from(coefficient.is_positive())];
                let added = coefficient * finite(worst)?;
                earlier.limit(view, (*id, negated), (&limit.0 - &added, limit.1))?;
            }
        }
        Ok(earlier)
    }
}

impl Mixture {
    /// The least that the variable at a place adds to the sum.
    fn least(&self, view: &View<'_>, place: usize, ends: &Ends) -> Checked<Exact> {
        let mut weight = Exact::ZERO;
        for (id, coefficient) in &view.places[place].column {
            if let Some(by) = self.weights.get(id) {
                weight = &weight + &(coefficient * by);
            }
        }
        match weight.is_zero() {
            true => Ok(Exact::ZERO),
            false => Ok(&weight * finite(&ends[usize::from(!weight.is_positive())])?),
        }
    }
}
