//! Rows that refutations derive: what linear programs of the search proved, told once.
//!
//! The combinations of rows that the search has kept (`combine.rs`) hold in every play that costs less
//! than what is refuted. So a refutation may lean on them as on rows of the model. They are not
//! propagated: here and there the walk asks whether one of them fails, and ends there instead of
//! walking through all that the search did not look at either. What such an end needs of the moves
//! before is one number, however many rows were combined.
//!
//! **Soundness.** Any multipliers of the right sign make a row that follows, so they are rounded
//! until its sums fit machine integers. The checker adds the row up again.

use std::collections::BTreeMap;

use num_integer::Integer;

use super::Search;
use super::extract::{Built, Extraction};
use super::extract_leaf::{Leaves, side};
use super::worth::{LOST, WON, Worth};
use crate::certify::CertifyError;
use crate::num::{Rational, int, to_i64};
use crate::program::{Id, IdVec, Program, Quantifier, VarId};
use crate::propagate::{Combination, Entry, Inequalities, InequalityId, Origin};
use crate::strategy::SideRef;

/// So many rows at most: each costs an addition for every move.
const MOST: usize = 8;

/// How many bits a row may lose to fit.
const ROUNDINGS: [u32; 4] = [0, 8, 16, 24];

/// The sums of a row must stay this small.
const LIMIT: i128 = (i64::MAX / 8) as i128;

/// A place of the prefix is asked about so often at first; later every so many times, or if one
/// question in so many is answered.
const TRIAL: u32 = 16;
const RARELY: u32 = 32;
const WORTHWHILE: u32 = 8;

/// A row that follows from others: `Σ coefficient · variable <= rhs` in every play that costs less
/// than what is refuted.
struct Derived {
    terms: Vec<Entry<VarId>>,
    rhs: i64,
    /// What it is the sum of, and how often each is taken.
    parts: Vec<(InequalityId, i64)>,
    /// What proofs call it, once one leans on it.
    side: Option<SideRef>,
}

/// The rows that are derived, and how often they were asked at each place, with how many answers.
#[derive(Default)]
pub(super) struct Derivations {
    rows: Vec<Derived>,
    columns: IdVec<VarId, Vec<Entry<InequalityId>>>,
    asked: Vec<(u32, u32)>,
}

impl Derivations {
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// The derived rows that contain a variable. Their numbers come after those of the others.
    pub fn column(&self, var: VarId) -> impl Iterator<Item = Entry<InequalityId>> + '_ {
        let column = (!self.rows.is_empty()).then(|| self.columns[var].iter().copied());
        column.into_iter().flatten()
    }

    fn asks(&mut self, place: usize) -> bool {
        if self.rows.is_empty() {
            return false;
        }
        let (asked, found) = &mut self.asked[place];
        *asked = asked.saturating_add(1);
        *asked <= TRIAL || *found >= *asked / WORTHWHILE || asked.is_multiple_of(RARELY)
    }
}

impl Search<'_> {
    /// The rows that a refutation may derive.
    pub(super) fn derivations(
        &self,
        owner: Quantifier,
        target: Worth,
        tail: usize,
        leaves: &Leaves,
    ) -> Derivations {
        let whole = tail == self.program.variables().len();
        if owner == Quantifier::Exists || !whole || !self.position.legality().may_press() {
            return Derivations::default();
        }
        let cost = (target != LOST && target != WON).then_some(target);
        let combinations = self.position.store.combinations();
        let derived = combinations.filter_map(|combination| {
            let mut rounded = ROUNDINGS.iter();
            rounded.find_map(|&bits| {
                let inequalities = &self.inequalities;
                derived(self.program, inequalities, leaves, combination, cost, bits)
            })
        });
        let rows: Vec<Derived> = derived.take(MOST).collect();
        let mut columns = IdVec::filled(leaves.count(), Vec::new());
        for (place, row) in rows.iter().enumerate() {
            let at = InequalityId::new(self.inequalities.heads().len() + place);
            for &Entry {
                at: var,
                coefficient,
            } in &row.terms
            {
                columns[var].push(Entry { at, coefficient });
            }
        }
        Derivations {
            rows,
            columns,
            asked: vec![(0, 0); leaves.count() + 1],
        }
    }
}

/// A combination as a row, for plays that cost less than a cost, if its sums fit once so many bits
/// of its multipliers are dropped.
fn derived(
    program: &Program,
    inequalities: &Inequalities,
    leaves: &Leaves,
    combination: &Combination,
    cost: Option<i64>,
    bits: u32,
) -> Option<Derived> {
    let mut parts = Vec::new();
    for (id, head) in inequalities.heads().pairs() {
        let (row, sign) = match head.origin {
            Origin::Lower(row) => (row, 1),
            Origin::Upper(row) => (row, -1),
            Origin::Objective => continue,
        };
        let found = combination.rows.binary_search_by_key(&row, |part| part.0);
        let times = found.map_or(0, |at| combination.rows[at].1.saturating_mul(sign));
        if head.owner == Quantifier::Exists && times > 0 {
            // The inequality is a part of the scaled row that was taken.
            let scale = program.scaled_row(Quantifier::Exists, row).ok()?.scale;
            let part = to_i64(&(scale * leaves.unit(id)))?;
            parts.push((id, times.checked_mul(part)?));
        }
    }
    let objective = inequalities.objective();
    let is_cost = combination.per_cost > 0;
    if is_cost {
        parts.push((objective, i64::try_from(combination.per_cost).ok()?));
    }
    for (_, times) in &mut parts {
        *times >>= bits;
    }
    parts.retain(|part| part.1 > 0);
    let divisor = parts.iter().fold(0, |gcd: i64, part| gcd.gcd(&part.1));
    if parts.is_empty() || is_cost && parts.last()?.0 != objective {
        return None;
    }
    let mut sums: BTreeMap<VarId, i128> = BTreeMap::new();
    let mut rhs = int(0);
    for (id, times) in &mut parts {
        *times /= divisor;
        rhs += int(*times) * rhs_of(program, inequalities, leaves, *id, cost)?;
        for term in inequalities.terms(*id) {
            *sums.entry(term.at).or_default() += i128::from(*times) * i128::from(term.coefficient);
        }
    }
    sums.retain(|_, sum| *sum != 0);
    let rhs = match is_cost {
        true => to_i64(&rhs.ceil())?.checked_sub(1)?,
        false => to_i64(&rhs.floor())?,
    };
    let most = { sums.iter() }.try_fold(i128::from(rhs).abs(), |most, (var, sum)| {
        let (lower, upper) = leaves.domain(*var);
        let farthest = i128::from(lower.unsigned_abs().max(upper.unsigned_abs()).max(1));
        most.checked_add(sum.abs().checked_mul(farthest)?)
    });
    most.filter(|most| *most <= LIMIT)?;
    let entry = |(at, sum): (VarId, i128)| Entry {
        at,
        coefficient: sum as i64,
    };
    Some(Derived {
        terms: sums.into_iter().map(entry).collect(),
        rhs,
        parts,
        side: None,
    })
}

/// What the sum of an inequality must not exceed, before it is rounded; of the objective, what it must
/// not reach.
fn rhs_of(
    program: &Program,
    inequalities: &Inequalities,
    leaves: &Leaves,
    id: InequalityId,
    cost: Option<i64>,
) -> Option<Rational> {
    let rhs = match inequalities.heads()[id].origin {
        Origin::Upper(row) => program.rows()[row].upper.clone()?,
        Origin::Lower(row) => -program.rows()[row].lower.clone()?,
        Origin::Objective => return cost.map(int),
    };
    Some(rhs / leaves.unit(id))
}

impl Extraction<'_, '_> {
    /// In a refutation: the end of this line, if a derived row shows that it is lost.
    pub(super) fn derived_leaf(&mut self) -> Result<Option<Built>, CertifyError> {
        if !self.derived.asks(self.place) {
            return Ok(None);
        }
        let mut failing = { 0..self.derived.len() }.map(|place| (place, self.excess(place)));
        let Some((place, excess)) = failing.find(|(_, excess)| *excess > 0) else {
            return Ok(None);
        };
        self.derived.asked[self.place].1 += 1;
        if self.derived.rows[place].side.is_none() {
            let parts = self.derived.rows[place].parts.iter();
            let parts = parts.map(|&(id, times)| {
                let side = side(&self.search.inequalities, id);
                (side, int(times) / self.leaves.unit(id))
            });
            let side = self.builder.derive(parts.collect());
            self.derived.rows[place].side = Some(side);
        }
        let row = InequalityId::new(self.search.inequalities.heads().len() + place);
        let end = self.search.position.store.trail().len();
        let mut telling = self.tell(row, end, None, self.place, |id| self.sum_of(id));
        telling.spare(row, excess - 1);
        self.bound(telling, None).map(Some)
    }

    /// By how much a derived row fails at the present position, with open existential variables at
    /// their best and free universal ones at their worst.
    fn excess(&self, place: usize) -> i64 {
        let row = &self.derived.rows[place];
        let store = &self.search.position.store;
        let id = InequalityId::new(self.search.inequalities.heads().len() + place);
        let open = row.terms.iter().rev();
        let open = open.take_while(|term| term.at.index() >= self.place);
        let least = open.map(|term| {
            let at_lower = (term.coefficient > 0) != store.presses(term.at);
            let value = match at_lower {
                true => store.lower(term.at),
                false => store.upper(term.at),
            };
            term.coefficient * value
        });
        let least: i64 = least.sum();
        self.sum_of(id) + least - row.rhs
    }

    /// The left-hand side of a row, be it the model's or derived.
    pub(super) fn terms_of(&self, id: InequalityId) -> &[Entry<VarId>] {
        let inequalities = &self.search.inequalities;
        match id.index().checked_sub(inequalities.heads().len()) {
            Some(place) => &self.derived.rows[place].terms,
            None => inequalities.terms(id),
        }
    }

    /// What proofs call a row.
    pub(super) fn side_of(&self, id: InequalityId) -> SideRef {
        let inequalities = &self.search.inequalities;
        match id.index().checked_sub(inequalities.heads().len()) {
            Some(place) => {
                let side = self.derived.rows[place].side;
                side.expect("invariant: proofs lean on rows that were told")
            }
            None => side(inequalities, id),
        }
    }

    /// What the variables before the present place add to a row.
    fn sum_of(&self, id: InequalityId) -> i64 {
        if id.index() < self.sums.len() {
            return self.sums[id];
        }
        let terms = self.terms_of(id);
        let before = terms.partition_point(|term| term.at.index() < self.place);
        self.pasts.sum(id, before)
    }
}
