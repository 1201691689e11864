//! Why a row is lost or a bound moved: the bounds that the row's sum leans on.
//!
//! The trail names the inequality behind every change, and no more. What that inequality leaned on
//! is found when somebody asks: the bounds of its variables as they stood then. A bound of the
//! domain needs no mention, and neither does a free universal that was still open: it counted at
//! its worst, which its owner may always choose. Where the sum exceeds its side by more than it
//! must, bounds are dropped or weakened, those of the latest variables first.
//!
//! **Invariant:** what [`Needs`] holds implies what was asked about, in every legal play.

use std::collections::BinaryHeap;

use super::combination::CombinationId;
use super::inequality::InequalityId;
use super::literal::{Because, Literal, Term};
use super::nogood::NogoodId;
use super::store::{End, NO_CHANGE, Reason, Store};
use crate::program::{Id, IdVec, VarId};

/// Which bounds are replaced by what they follow from.
#[derive(Copy, Clone, Debug)]
pub struct Scope {
    /// Those of this variable and later ones.
    pub first_var: usize,
    /// Those that moved at this place of the trail or later.
    pub since: usize,
}

impl Scope {
    const NOTHING: Self = Self {
        first_var: usize::MAX,
        since: usize::MAX,
    };
}

/// The bounds that an explanation needs so far: a workspace, used again and again.
#[derive(Clone, Debug)]
pub struct Needs {
    wanted: IdVec<VarId, [Option<i64>; 2]>,
    touched: Vec<VarId>,
    /// Bounds to be replaced, by their place on the trail.
    pending: BinaryHeap<(u32, VarId, bool)>,
    domains: IdVec<VarId, [i64; 2]>,
    terms: Vec<Term>,
    scope: Scope,
    leans_on_cost: bool,
    is_unknown: bool,
}

impl Store {
    /// The change by which the bound came to hold; nothing if it always did.
    pub(super) fn cause(&self, literal: Literal) -> Option<usize> {
        let mut place = self.latest[literal.var][literal.end as usize];
        while place != NO_CHANGE {
            let change = &self.trail[place as usize];
            if !literal.follows_from(change.before) {
                return Some(place as usize);
            }
            place = change.previous;
        }
        None
    }

    /// An end as it was when the trail had `time` changes.
    #[inline]
    fn bound_at(&self, var: VarId, end: End, time: usize) -> i64 {
        let mut bound = match end {
            End::Lower => self.lower(var),
            End::Upper => self.upper(var),
        };
        let mut place = self.latest[var][end as usize];
        while place != NO_CHANGE && place as usize >= time {
            let change = &self.trail[place as usize];
            bound = change.before;
            place = change.previous;
        }
        bound
    }
}

impl Needs {
    /// Nothing is needed yet. The present bounds of the store are facts and need no mention.
    pub fn new(store: &Store, variables: usize) -> Self {
        let ends = |var| [store.lower(var), store.upper(var)];
        Self {
            wanted: IdVec::filled(variables, [None; 2]),
            touched: Vec::new(),
            pending: BinaryHeap::new(),
            domains: IdVec::from_vec((0..variables).map(VarId::new).map(ends).collect()),
            terms: Vec::new(),
            scope: Scope::NOTHING,
            leans_on_cost: false,
            is_unknown: false,
        }
    }

    /// Smallest and largest value that need no mention.
    pub fn domain(&self, var: VarId) -> (i64, i64) {
        (self.domains[var][0], self.domains[var][1])
    }

    /// Starts from what is known already.
    pub fn load(&mut self, because: &Because) {
        self.clear();
        self.leans_on_cost = because.leans_on_cost;
        for &literal in &because.literals {
            self.wanted[literal.var][literal.end as usize] = Some(literal.value);
            self.touched.push(literal.var);
        }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        for var in self.touched.drain(..) {
            self.wanted[var] = [None; 2];
        }
        self.pending.clear();
        self.scope = Scope::NOTHING;
        self.leans_on_cost = false;
        self.is_unknown = false;
    }

    /// Nothing explains it.
    pub fn give_up(&mut self) {
        self.is_unknown = true;
    }

    /// It is a matter of cost.
    pub fn lean_on_cost(&mut self) {
        self.leans_on_cost = true;
    }

    /// Needs a bound.
    pub fn demand(&mut self, store: &Store, literal: Literal) {
        if literal.follows_from(self.domains[literal.var][literal.end as usize]) {
            return;
        }
        let wanted = &mut self.wanted[literal.var];
        if wanted[literal.end as usize].is_some_and(|bound| literal.follows_from(bound)) {
            return;
        }
        if wanted[0].is_none() && wanted[1].is_none() {
            self.touched.push(literal.var);
        }
        wanted[literal.end as usize] = Some(literal.value);
        self.schedule(store, literal);
    }

    fn schedule(&mut self, store: &Store, literal: Literal) {
        let is_late = literal.var.index() >= self.scope.first_var;
        if is_late || self.scope.since < usize::MAX {
            let Some(place) = store.cause(literal) else {
                return;
            };
            if is_late || place >= self.scope.since {
                let is_upper = literal.end == End::Upper;
                self.pending.push((place as u32, literal.var, is_upper));
            }
        }
    }

    /// The inequality is lost now: free universals that are open count at their worst. `limit` is
    /// the cost that must not be exceeded.
    pub fn lost_row(&mut self, store: &Store, id: InequalityId, limit: i64) {
        self.row(store, id, store.trail.len(), None, true, limit);
    }

    /// Replaces the bounds in `scope` by what they follow from.
    pub fn resolve(&mut self, store: &Store, scope: Scope, limit: i64) {
        self.scope = scope;
        for place in 0..self.touched.len() {
            let var = self.touched[place];
            for end in [End::Lower, End::Upper] {
                if let Some(value) = self.wanted[var][end as usize] {
                    self.schedule(store, Literal { var, end, value });
                }
            }
        }
        while let Some((place, var, is_upper)) = self.pending.pop() {
            let end = if is_upper { End::Upper } else { End::Lower };
            let Some(value) = self.wanted[var][end as usize] else {
                continue;
            };
            let literal = Literal { var, end, value };
            if self.is_unknown || store.cause(literal) != Some(place as usize) {
                continue;
            }
            self.wanted[var][end as usize] = None;
            match store.trail[place as usize].reason {
                Reason::Inequality(row) => {
                    self.row(store, row, place as usize, Some(literal), false, limit);
                }
                Reason::Pressed(row) => {
                    self.row(store, row, place as usize, Some(literal), true, limit);
                }
                Reason::Combination(id) => {
                    self.combination(store, id, place as usize, Some(literal), limit);
                }
                Reason::Nogood(id) => self.broken_nogood(store, id, Some(literal)),
                Reason::Decision | Reason::Relaxation => self.is_unknown = true,
            }
        }
        self.scope = Scope::NOTHING;
    }

    /// The bounds of a learnt row hold, all or all but that which `own` excludes.
    pub fn broken_nogood(&mut self, store: &Store, id: NogoodId, own: Option<Literal>) {
        let (literals, price) = store.nogoods().get(id);
        self.leans_on_cost |= price < i64::MAX;
        for &literal in literals {
            let is_own = |own: Literal| own.var == literal.var && own.end != literal.end;
            if !own.is_some_and(is_own) {
                self.demand(store, literal);
            }
        }
    }

    /// What is needed, unless nothing explains it.
    pub fn take(&mut self) -> Option<Because> {
        let known = !self.is_unknown;
        let leans_on_cost = self.leans_on_cost;
        let mut literals = Vec::new();
        if known {
            self.touched.sort_unstable();
            self.touched.dedup();
            for &var in &self.touched {
                for end in [End::Lower, End::Upper] {
                    if let Some(value) = self.wanted[var][end as usize] {
                        literals.push(Literal { var, end, value });
                    }
                }
            }
        }
        self.clear();
        known.then_some(Because {
            literals,
            leans_on_cost,
        })
    }

    /// The row cannot hold, or cannot hold with the value that `own` excludes, by the bounds when
    /// the trail had `time` changes.
    fn row(
        &mut self,
        store: &Store,
        id: InequalityId,
        time: usize,
        own: Option<Literal>,
        pressed: bool,
        limit: i64,
    ) {
        self.terms.clear();
        let is_cost = id == store.inequalities().objective();
        self.leans_on_cost |= is_cost;
        let rhs = if is_cost { limit } else { store.rhs(id) };
        let chooses = is_cost && !store.choices().is_empty();
        let mut sum = 0;
        if chooses {
            sum += self.shares(store, time, own);
        }
        for entry in store.inequalities().terms(id) {
            if chooses && store.choices().holds(entry.at) {
                continue;
            }
            sum += match own {
                Some(own) if own.var == entry.at => entry.coefficient * own.first_excluded(),
                _ => {
                    let (at, by) = (entry.at, entry.coefficient);
                    by * self.lean(store, at, i128::from(by), time, pressed)
                }
            };
        }
        self.keep_what_it_takes(store, i128::from(sum) - i128::from(rhs) - 1);
    }

    /// The combination is exceeded now.
    pub fn lost_combination(&mut self, store: &Store, id: CombinationId, limit: i64) {
        self.combination(store, id, store.trail.len(), None, limit);
    }

    /// The combination is exceeded, or would be with the value that `own` excludes.
    fn combination(
        &mut self,
        store: &Store,
        id: CombinationId,
        time: usize,
        own: Option<Literal>,
        limit: i64,
    ) {
        self.terms.clear();
        let combination = store.combination(id);
        self.leans_on_cost |= combination.per_cost > 0;
        let mut sum = combination.constant - combination.per_cost * i128::from(limit);
        for &(var, step) in &combination.terms {
            let value = match own {
                Some(own) if own.var == var => own.first_excluded(),
                _ => self.lean(store, var, step, time, true),
            };
            sum += step * i128::from(value);
        }
        self.keep_what_it_takes(store, sum - 1);
    }

    /// Notes the bound that a term with this step leans on; tells the value at which it counts.
    #[inline]
    fn lean(&mut self, store: &Store, var: VarId, step: i128, time: usize, pressed: bool) -> i64 {
        let mut literal = Literal::raising(var, step.signum() as i64, 0);
        literal.value = store.bound_at(var, literal.end, time);
        if pressed && store.presses(var) {
            let worst = match literal.end {
                End::Lower => End::Upper,
                End::Upper => End::Lower,
            };
            literal.value = store.bound_at(var, worst, time);
            // The universal player may still choose it.
            if literal.value == self.domains[var][worst as usize]
                && literal.value != store.bound_at(var, literal.end, time)
            {
                return literal.value;
            }
        }
        self.terms.push(Term {
            literal,
            step: step.abs(),
        });
        literal.value
    }

    /// Notes the bounds that choices lean on; tells what they cost together.
    fn shares(&mut self, store: &Store, time: usize, own: Option<Literal>) -> i64 {
        let ends = |var| {
            (
                store.bound_at(var, End::Lower, time),
                store.bound_at(var, End::Upper, time),
            )
        };
        let own = own.map(|own| own.var);
        let choices = store.choices();
        choices.explain(own, &ends, |literal, step| {
            let step = step.map_or(i128::MAX, i128::from);
            self.terms.push(Term { literal, step });
        })
    }

    /// Needs the terms, but for what `excess` makes superfluous.
    pub fn keep_terms(&mut self, store: &Store, terms: &[Term], excess: i128) {
        self.terms.clear();
        self.terms.extend_from_slice(terms);
        self.keep_what_it_takes(store, excess);
    }

    fn keep_what_it_takes(&mut self, store: &Store, mut excess: i128) {
        if excess < 0 {
            debug_assert!(false, "invariant: a row that speaks is exceeded");
            self.is_unknown = true;
            return;
        }
        let mut terms = std::mem::take(&mut self.terms);
        let distance = |domains: &IdVec<VarId, [i64; 2]>, literal: Literal| {
            let end = domains[literal.var][literal.end as usize];
            i128::from((literal.value - end).abs())
        };
        for term in terms.iter_mut().rev() {
            let price = distance(&self.domains, term.literal).saturating_mul(term.step);
            if price <= excess {
                excess -= price;
                term.step = 0;
            }
        }
        for term in &mut terms {
            if term.step == 0 {
                continue;
            }
            if term.step <= excess {
                let steps = excess / term.step;
                excess -= steps * term.step;
                // Less than the distance to the domain's end, or the term would be gone.
                match term.literal.end {
                    End::Lower => term.literal.value -= steps as i64,
                    End::Upper => term.literal.value += steps as i64,
                }
            }
            self.demand(store, term.literal);
        }
        self.terms = terms;
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::super::fixpoint::Strength;
    use super::super::inequality::Inequalities;
    use super::*;
    use crate::format::parse_qip;
    use crate::program::Quantifier;

    /// Variables a, b, c, y, z in this order; y is universal.
    fn store() -> Store {
        let program = parse_qip(
            "subject to
               heavy: 2 a + 2 b + c + 2 y <= 5
               forced: z >= a
               apart: z + b <= 1
             prefix
               exists binary a b c  forall binary y  exists binary z
             end",
        );
        let program = program.expect("the test's model is well formed");
        let inequalities = Arc::new(Inequalities::new(&program).expect("small numbers fit"));
        Store::new(&program, inequalities, true)
    }

    fn var(name: char) -> VarId {
        VarId::new("abcyz".find(name).expect("a variable of the test"))
    }

    fn at_least_one(name: char) -> Literal {
        Literal {
            var: var(name),
            end: End::Lower,
            value: 1,
        }
    }

    #[test]
    fn a_lost_row_leans_on_what_it_takes_and_not_on_what_presses() {
        let mut store = store();
        let mut needs = Needs::new(&store, 5);
        for name in "abc".chars() {
            store.narrow(var(name), 1, 1);
        }
        let heavy = InequalityId::new(0);
        assert_eq!(store.pressed(heavy), 7);
        needs.lost_row(&store, heavy, 0);
        let because = needs.take().expect("a row explains it");
        assert_eq!(because.literals, [at_least_one('a'), at_least_one('b')]);
        assert!(!because.leans_on_cost);
    }

    #[test]
    fn a_universal_that_is_fixed_is_named() {
        let mut store = store();
        let mut needs = Needs::new(&store, 5);
        for name in "aby".chars() {
            store.narrow(var(name), 1, 1);
        }
        needs.lost_row(&store, InequalityId::new(0), 0);
        let because = needs.take().expect("a row explains it");
        assert_eq!(because.literals, ['a', 'b', 'y'].map(at_least_one));
    }

    #[test]
    fn a_bound_is_replaced_by_what_it_follows_from() {
        let mut store = store();
        let mut needs = Needs::new(&store, 5);
        store.narrow(var('a'), 1, 1);
        let all = VarId::new(5);
        let result = store.propagate(Quantifier::Exists, all, Strength::Narrow);
        assert!(result.is_ok() && store.lower(var('z')) == 1 && store.upper(var('b')) == 0);
        needs.demand(
            &store,
            Literal {
                var: var('b'),
                end: End::Upper,
                value: 0,
            },
        );
        let scope = Scope {
            first_var: 1,
            since: usize::MAX,
        };
        needs.resolve(&store, scope, 0);
        let because = needs.take().expect("rows explain it");
        assert_eq!(because.literals, [at_least_one('a')]);
    }

    #[test]
    fn a_move_that_is_asked_for_reasons_has_none() {
        let mut store = store();
        let mut needs = Needs::new(&store, 5);
        store.narrow(var('c'), 1, 1);
        needs.demand(&store, at_least_one('c'));
        let scope = Scope {
            first_var: 1,
            since: usize::MAX,
        };
        needs.resolve(&store, scope, 0);
        assert_eq!(needs.take(), None);
    }
}
