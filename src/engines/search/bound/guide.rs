//! Relaxation bounds inside the search: when to ask, what to cut, and what the answer suggests.
//!
//! An LP costs as much as some hundred propagated positions, so it is asked where the trees below
//! have been large and the answer has often been a cut. It is not asked at all while the parent's
//! solution is still inside the bounds: then the answer is the parent's.
//!
//! The scenario that the universal player commits to is the killer: the values that last refuted
//! the existential player, as far as they stay legal.

use std::rc::Rc;

use super::scenario::Killer;
use crate::lp::Basis;
use crate::lp::exact::FRACTION_BITS;
use crate::num::tolerance::INTEGRALITY;
use crate::program::{Id, IdVec, Program, Quantifier, VarId};
use crate::propagate::{Combination, Mark, Reason, Store};
use crate::relax::{Bound, ScenarioLp};
use crate::search::Search;
use crate::search::settings::Settings;
use crate::search::worth::{LOST, Window, Worth};

/// A solution of the relaxation.
#[derive(Debug)]
pub(in crate::search) struct Point {
    values: Vec<f64>,
    basis: Basis,
    /// The trail when it was found: only later changes can have made it invalid.
    mark: Mark,
}

/// Where linear programs have paid so far, by the number of variables passed.
#[derive(Debug, Default)]
struct Experience {
    asked: u32,
    cut: u32,
    /// Typical number of positions below.
    below: u32,
    skipped: u32,
    /// How often kept combinations were asked here, and how often they cut.
    combinations: (u32, u32),
}

/// See the module.
pub(in crate::search) struct Guide {
    lp: ScenarioLp,
    killer: Killer,
    wanted: IdVec<VarId, (i64, i64)>,
    experience: Vec<Experience>,
    /// Rows and columns of the linear program.
    size: u64,
    /// For each variable the block it belongs to, as its end in the prefix.
    block_end: Vec<usize>,
    caution: u64,
    /// Combinations that were kept.
    pub(in crate::search) kept: u64,
}

/// Typical trees of so many positions are worth asking combinations for, so often at first, and if they
/// save so many times the positions.
const COMBINATION_TREE: u32 = 8;
const COMBINATION_TRIAL: u32 = 256;
const COMBINATION_CAUTION: u64 = 2;

/// Rows and columns beyond which a linear program is not solved on a mere hope.
const LARGE: u64 = 20_000;

impl Guide {
    pub(in crate::search) fn new(
        program: &Program,
        lp: ScenarioLp,
        killer: Killer,
        settings: &Settings,
    ) -> Self {
        let count = program.variables().len();
        let block_end = program
            .blocks()
            .iter()
            .flat_map(|block| vec![block.range().end; block.len()]);
        Self {
            lp,
            killer,
            wanted: IdVec::filled(count, (0, 0)),
            experience: (0..=count).map(|_| Experience::default()).collect(),
            size: (program.rows().len() + count) as u64,
            block_end: block_end.collect(),
            caution: settings.caution,
            kept: 0,
        }
    }

    pub(in crate::search) fn solves(&self) -> u64 {
        self.lp.counts().solves
    }

    /// Remembers what refuted the existential player.
    pub(in crate::search) fn remember(&mut self, var: VarId, value: i64) {
        self.killer.remember(var, value);
    }

    /// The play that refuted him last: numbers of variables, with their values.
    pub(in crate::search) fn scenario(&self) -> Vec<(usize, i64)> {
        self.killer.scenario()
    }

    /// The row that the last proof combined, in which only what the bounds do counts; none where
    /// its units differ from those of the reduced costs.
    pub(in crate::search) fn combination(&self, is_cost: bool) -> Option<Combination> {
        if is_cost && self.lp.is_in_other_units() {
            return None;
        }
        let per_cost = if is_cost { 1 << FRACTION_BITS } else { 0 };
        let mut constant = self.lp.proved();
        let mut terms = Vec::new();
        for (var, &(lower, upper)) in self.wanted.pairs() {
            let step = self.lp.reduced_cost(var);
            if step != 0 {
                let end = if step > 0 { lower } else { upper };
                constant -= step * i128::from(end);
                terms.push((var, step));
            }
        }
        Some(Combination {
            terms,
            constant,
            per_cost,
            rows: self.lp.multipliers().collect(),
        })
    }

    /// The open variables of the block at a place.
    pub(in crate::search) fn block_from(&self, passed: usize) -> std::ops::Range<usize> {
        passed..self.block_end[passed]
    }

    /// Whether to ask the kept combinations at a place: what they cut must be larger than what it costs
    /// to ask, and again now and then.
    pub(in crate::search) fn asks_combinations(&mut self, passed: usize) -> bool {
        let here = &mut self.experience[passed];
        let (asked, cut) = here.combinations;
        let saved = u64::from(cut) * u64::from(here.below);
        let is_new = asked < COMBINATION_TRIAL;
        here.combinations.0 = asked.saturating_add(1);
        let pays = is_new || saved >= COMBINATION_CAUTION * u64::from(asked) || asked % 64 == 0;
        self.caution == 0 || here.below >= COMBINATION_TREE && pays
    }

    /// A kept combination cut.
    pub(in crate::search) fn combination_cut(&mut self, passed: usize) {
        let cut = &mut self.experience[passed].combinations.1;
        *cut = cut.saturating_add(1);
    }

    /// Learns how large the trees of refuted positions are at a place of the prefix.
    pub(in crate::search) fn observe(&mut self, passed: usize, positions: u64) {
        let seen = positions.min(1 << 24) as u32;
        let below = &mut self.experience[passed].below;
        *below = if *below == 0 {
            seen
        } else {
            (*below / 8) * 7 + seen / 8
        };
    }

    /// Hands the present bounds and the committed scenario to the linear program.
    fn restrict(&mut self, store: &Store) {
        for index in 0..self.wanted.len() {
            let var = VarId::new(index);
            self.wanted[var] = (store.lower(var), store.upper(var));
        }
        for &(var, value) in self.killer.commit(store) {
            self.wanted[var] = (value, value);
        }
        for (var, &(lower, upper)) in self.wanted.pairs() {
            self.lp.set_box(var, lower, upper);
        }
    }

    /// What a linear program must save to be worth asking, in positions: as many as it takes
    /// microseconds on a model of moderate size, times the caution: a tree that is cut would have left
    /// its positions in the table, for others to find, so that a cut saves much less than the tree's
    /// size; on knapsack models about a twentieth, on selection and assignment most of it. Counted, not
    /// measured, so that runs repeat.
    fn price(&self) -> u64 {
        let counts = self.lp.counts();
        let pivots = counts.iterations / counts.solves.max(1);
        self.caution * (60 + self.size / 2 + pivots * self.size / 32)
    }

    fn pays(&mut self, passed: usize) -> bool {
        let price = self.price();
        let here = &mut self.experience[passed];
        if here.asked < 8 {
            // Small trees are not worth a trial.
            return u64::from(here.below) >= price;
        }
        let expected = u64::from(here.below) * u64::from(here.cut) / u64::from(here.asked);
        if expected >= price {
            return true;
        }
        // Times change: look again now and then, at a price that is lost in the rest.
        here.skipped += 1;
        u64::from(here.skipped).is_multiple_of(16 * price)
    }
}

/// What the relaxation said about a position.
pub(in crate::search) enum Advice {
    /// No play from here stays below beta.
    Cut,
    /// The game goes on, perhaps with a solution to follow.
    Follow(Option<Rc<Point>>),
}

impl Search<'_> {
    /// Asks the relaxation, if that is likely to pay.
    pub(in crate::search) fn advice(
        &mut self,
        window: Window,
        parent: Option<Rc<Point>>,
    ) -> Advice {
        let Some(guide) = &mut self.guide else {
            return Advice::Follow(None);
        };
        if window.beta == LOST && parent.is_some() {
            // Without a strategy in hand there is no cost to exceed.
            return Advice::Follow(parent);
        }
        if let Some(point) = &parent
            && self
                .position
                .store
                .changes_since(point.mark)
                .iter()
                .all(|change| {
                    let value = point.values[change.var.index()];
                    self.position.store.lower(change.var) as f64 - INTEGRALITY <= value
                        && value <= self.position.store.upper(change.var) as f64 + INTEGRALITY
                })
        {
            return Advice::Follow(parent);
        }
        let passed = self.position.passed();
        if !guide.pays(passed) {
            return Advice::Follow(None);
        }
        self.ask(window, parent.as_ref())
    }

    /// What the relaxation proves before the first move; `None` where there is none to ask.
    pub(in crate::search) fn root_bound(&mut self) -> Option<Bound> {
        let guide = self.guide.as_mut().filter(|guide| guide.size <= LARGE)?;
        guide.restrict(&self.position.store);
        let bound = guide.lp.solve(None, self.budget.remaining());
        if let Bound::AtLeast(_) = bound {
            self.keep_combination(true);
        }
        Some(bound)
    }

    fn ask(&mut self, window: Window, parent: Option<&Rc<Point>>) -> Advice {
        let passed = self.position.passed();
        let Some(guide) = &mut self.guide else {
            return Advice::Follow(None);
        };
        guide.restrict(&self.position.store);
        if let Some(parent) = parent {
            guide.lp.restore_basis(&parent.basis);
        }
        let limit = (window.beta < LOST).then_some(window.beta);
        let bound = guide.lp.solve(limit, self.budget.remaining());
        guide.experience[passed].asked += 1;
        let cut = match bound {
            Bound::Infeasible => true,
            Bound::AtLeast(bound) => bound >= window.beta,
            Bound::Unknown => return Advice::Follow(None),
        };
        if cut {
            guide.experience[passed].cut += 1;
            let is_cost = bound != Bound::Infeasible;
            self.keep_combination(is_cost);
            return Advice::Cut;
        }
        let point = Point {
            values: guide.lp.primal().to_vec(),
            basis: guide.lp.save_basis(),
            mark: self.position.store.mark(),
        };
        if let Bound::AtLeast(bound) = bound
            && limit.is_some()
        {
            self.narrow_by_combination();
            self.fix_by_reduced_cost(bound, window.beta);
        }
        Advice::Follow(Some(Rc::new(point)))
    }

    /// Takes values that would lift the bound to beta from the variables of the present block.
    fn fix_by_reduced_cost(&mut self, bound: i64, beta: Worth) {
        let passed = self.position.passed();
        let Some(guide) = &self.guide else { return };
        if self.position.store.owner(VarId::new(passed)) != Quantifier::Exists {
            return;
        }
        // A play is kept if it costs at most `beta - 1`, and the exact bound is above `bound - 1`.
        let room = i128::from(beta - bound) << FRACTION_BITS;
        for var in (passed..guide.block_end[passed]).map(VarId::new) {
            let reduced = guide.lp.reduced_cost(var);
            let store = &mut self.position.store;
            let (lower, upper) = (store.lower(var), store.upper(var));
            if lower == upper || reduced == 0 {
                continue;
            }
            let steps = i64::try_from(room / reduced.abs()).unwrap_or(i64::MAX);
            if steps >= upper - lower {
                continue;
            }
            if reduced > 0 {
                store.cut_upper(var, lower + steps, Reason::Relaxation);
            } else {
                store.raise_lower(var, upper - steps, Reason::Relaxation);
            }
        }
    }

    /// The value to try first: the one nearest to the relaxation's, if the existential player is to
    /// move.
    pub(in crate::search) fn suggestion(
        &self,
        next: VarId,
        point: Option<&Rc<Point>>,
    ) -> Option<i64> {
        let point = point.filter(|_| self.guide.is_some())?;
        let is_own = self.position.store.owner(next) == Quantifier::Exists;
        is_own.then(|| point.values[next.index()].round() as i64)
    }
}
