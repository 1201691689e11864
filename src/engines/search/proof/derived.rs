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
use rustc_hash::FxHashMap;

use super::extract::{Built, Extraction};
use super::leaf::{Leaves, side};
use super::needs::RowFacts;
use crate::num::{Rational, int, to_i64};
use crate::outcome::CertificateError;
use crate::program::{Id, IdVec, Program, Quantifier, RowId, VarId};
use crate::propagate::{Combination, Entry, Inequalities, InequalityId, Origin};
use crate::search::Search;
use crate::search::worth::{LOST, WON, Worth};
use crate::strategy::{Player, SideRef};

/// So many rows at most: each costs an addition for every move.
const MOST: usize = 8;

/// How many bits a row may lose to fit.
const ROUNDINGS: [u32; 4] = [0, 8, 16, 24];

/// The sums of a row must stay this small.
const LIMIT: i128 = (i64::MAX / 8) as i128;

/// A place of the prefix is asked about so often at first; later every so many times, or if one
/// question in so many is answered.
const TRIAL: u32 = 8;
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
pub(in crate::search) struct Derivations {
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
    pub(in crate::search) fn derivations(
        &self,
        owner: Quantifier,
        target: Worth,
        tail: usize,
        leaves: &Leaves,
        facts: &RowFacts,
    ) -> Derivations {
        let whole = tail == self.program.variables().len();
        let none = self.position.store.combination_count() == 0;
        if owner == Quantifier::Exists || none || !whole || !self.position.legality().may_press() {
            return Derivations::default();
        }
        let mut deriver = Deriver {
            program: self.program,
            inequalities: &self.inequalities,
            leaves,
            facts,
            cost: (target != LOST && target != WON).then_some(target),
            known: FxHashMap::default(),
        };
        let combinations = self.position.store.combinations();
        let derived = combinations.filter_map(|combination| deriver.row(combination));
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

/// Makes rows of combinations.
struct Deriver<'s> {
    program: &'s Program,
    inequalities: &'s Inequalities,
    leaves: &'s Leaves,
    facts: &'s RowFacts,
    /// The cost that is refuted.
    cost: Option<i64>,
    /// What is known of an inequality: how often it makes the scaled row that was taken, and what its
    /// sum must not exceed, before that is rounded.
    known: FxHashMap<InequalityId, Option<(i64, Rational)>>,
}

impl Deriver<'_> {
    /// A combination as a row, if its sums fit machine integers.
    fn row(&mut self, combination: &Combination) -> Option<Derived> {
        let mut parts = Vec::new();
        for &(row, times) in &combination.rows {
            let side = match times > 0 {
                true => SideRef::Lower(Player::Exists, row),
                false => SideRef::Upper(Player::Exists, row),
            };
            let id = self.facts.inequality(side)?;
            let (part, _) = self.known(id, row)?;
            parts.push((id, times.checked_abs()?.checked_mul(*part)?));
        }
        if combination.per_cost > 0 {
            let times = i64::try_from(combination.per_cost).ok()?;
            parts.push((self.inequalities.objective(), times));
        }
        let mut roundings = ROUNDINGS.iter();
        roundings.find_map(|&bits| self.rounded(&parts, bits))
    }

    fn known(&mut self, id: InequalityId, row: RowId) -> Option<&(i64, Rational)> {
        let known = self.known.entry(id).or_insert_with(|| {
            let unit = self.leaves.unit(id);
            let scale = self.program.scaled_row(Quantifier::Exists, row).ok()?.scale;
            let row = &self.program.rows()[row];
            let rhs = match self.inequalities.heads()[id].origin {
                Origin::Upper(_) => row.upper.clone()?,
                _ => -row.lower.clone()?,
            };
            Some((to_i64(&(scale * &unit))?, rhs / unit))
        });
        known.as_ref()
    }

    /// The row that is left if so many bits of the multipliers are dropped.
    fn rounded(&self, parts: &[(InequalityId, i64)], bits: u32) -> Option<Derived> {
        let objective = self.inequalities.objective();
        let kept = parts.iter().map(|&(id, times)| (id, times >> bits));
        let mut kept: Vec<_> = kept.filter(|part| part.1 > 0).collect();
        let is_cost = parts.last().is_some_and(|part| part.0 == objective);
        if kept.is_empty() || is_cost && kept.last()?.0 != objective {
            return None;
        }
        let divisor = kept.iter().fold(0, |gcd: i64, part| gcd.gcd(&part.1));
        let mut sums: BTreeMap<VarId, i128> = BTreeMap::new();
        let mut rhs = int(0);
        for (id, times) in &mut kept {
            *times /= divisor;
            for term in self.inequalities.terms(*id) {
                let sum = sums.entry(term.at).or_default();
                *sum += i128::from(*times) * i128::from(term.coefficient);
            }
            rhs += match self.known.get(id) {
                Some(known) => int(*times) * &known.as_ref()?.1,
                None => int(*times) * int(self.cost?),
            };
        }
        sums.retain(|_, sum| *sum != 0);
        // The cost must stay below, the others may be as large.
        let rhs = match is_cost {
            true => to_i64(&rhs.ceil())?.checked_sub(1)?,
            false => to_i64(&rhs.floor())?,
        };
        let most = { sums.iter() }.try_fold(i128::from(rhs).abs(), |most, (var, sum)| {
            let (lower, upper) = self.leaves.domain(*var);
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
            parts: kept,
            side: None,
        })
    }
}

impl Extraction<'_, '_> {
    /// In a refutation: the end of this line, if a derived row shows that it is lost.
    pub(in crate::search) fn derived_leaf(&mut self) -> Result<Option<Built>, CertificateError> {
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
    pub(in crate::search) fn terms_of(&self, id: InequalityId) -> &[Entry<VarId>] {
        let inequalities = &self.search.inequalities;
        match id.index().checked_sub(inequalities.heads().len()) {
            Some(place) => &self.derived.rows[place].terms,
            None => inequalities.terms(id),
        }
    }

    /// What proofs call a row.
    pub(in crate::search) fn side_of(&self, id: InequalityId) -> SideRef {
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
