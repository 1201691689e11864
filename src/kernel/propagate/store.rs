//! Current bounds of all variables, the activities they allow, and the trail that undoes changes.
//!
//! For each inequality two sums are kept up to date:
//! - `least`: every variable at its best for the inequality;
//! - `pressed`: the same, but with *free* universal variables at their worst. A universal
//!   variable is free when no universal row contains it, so that nothing keeps the universal
//!   player from choosing the worst value. This is the sum the existential player must fear.
//!
//! **Invariant:** undoing to a mark restores bounds and sums exactly.

use std::sync::Arc;

use super::choice::Choices;
use super::combination::{CombinationId, Combinations};
use super::inequality::{Entry, Inequalities, InequalityId};
use crate::num::to_i64;
use crate::program::{IdVec, Program, Quantifier, VarId, Variable};

/// One end of an interval.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// The smallest value.
    Lower,
    /// The largest value.
    Upper,
}

/// Why a bound changed.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// A player moved.
    Decision,
    /// The inequality leaves no other value to its owner.
    Inequality(InequalityId),
    /// The same, because free universals that are fixed later may take their worst values.
    Pressed(InequalityId),
    /// A linear program showed that other values cost too much.
    Relaxation,
    /// The same, by a combination of rows that is kept.
    Combination(CombinationId),
}

impl Reason {
    /// The inequality that speaks, if one does.
    pub fn row(self) -> Option<InequalityId> {
        match self {
            Self::Inequality(row) | Self::Pressed(row) => Some(row),
            _ => None,
        }
    }
}

/// A change of a bound, with what undoes it.
#[derive(Copy, Clone, Debug)]
pub struct Change {
    /// The variable.
    pub var: VarId,
    /// Which end moved.
    pub end: End,
    /// Where it was before.
    pub before: i64,
    /// Why it moved.
    pub reason: Reason,
}

/// A place on the trail to come back to.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Mark(usize);

impl Mark {
    /// How many changes the trail had.
    #[inline]
    pub fn place(self) -> usize {
        self.0
    }
}

/// See the module.
#[derive(Clone, Debug)]
pub struct Store {
    inequalities: Arc<Inequalities>,
    lower: IdVec<VarId, i64>,
    upper: IdVec<VarId, i64>,
    owner: IdVec<VarId, Quantifier>,
    presses: IdVec<VarId, bool>,
    widest: IdVec<InequalityId, i64>,
    least: IdVec<InequalityId, i64>,
    pressed: IdVec<InequalityId, i64>,
    rhs: IdVec<InequalityId, i64>,
    pub(super) trail: Vec<Change>,
    queue: Queue,
    choices: Arc<Choices>,
    pub(super) combinations: Combinations,
}

impl Store {
    /// All variables at their domains. `may_press` says whether free universals count at their
    /// worst: sound only if the existential player cannot win by killing the universal system.
    ///
    /// Pre: every variable is an integer one with a domain that is not empty.
    pub fn new(program: &Program, inequalities: Arc<Inequalities>, may_press: bool) -> Self {
        let end = |bound: Option<_>| {
            to_i64(&bound.expect("invariant: integer variables have finite bounds"))
                .expect("invariant: domains that fit the inequalities fit 64 bits")
        };
        let domains: Vec<_> = program.variables().iter().map(Variable::domain).collect();
        let lower = domains
            .iter()
            .map(|domain| end(domain.lower.clone()))
            .collect();
        let upper = domains
            .iter()
            .map(|domain| end(domain.upper.clone()))
            .collect();
        let restricted = |var: VarId| {
            let column = inequalities.column(var);
            column
                .iter()
                .any(|entry| inequalities.heads()[entry.at].owner == Quantifier::Forall)
        };
        let presses = program.variables().pairs().map(|(var, variable)| {
            may_press && variable.quantifier == Quantifier::Forall && !restricted(var)
        });
        let count = inequalities.heads().len();
        let mut store = Self {
            lower: IdVec::from_vec(lower),
            upper: IdVec::from_vec(upper),
            owner: IdVec::from_vec(program.variables().iter().map(|v| v.quantifier).collect()),
            presses: IdVec::from_vec(presses.collect()),
            widest: IdVec::filled(count, 0),
            least: IdVec::filled(count, 0),
            pressed: IdVec::filled(count, 0),
            rhs: IdVec::from_vec(inequalities.heads().iter().map(|head| head.rhs).collect()),
            trail: Vec::new(),
            queue: Queue::new(&inequalities),
            choices: Arc::default(),
            combinations: Combinations::default(),
            inequalities,
        };
        for id in store.rhs.ids() {
            store.least[id] = store.sum(id, |_, low, _| low);
            store.pressed[id] =
                store.sum(id, |presses, low, high| if presses { high } else { low });
            store.widest[id] = store.widest_term(id);
            store.queue.push(id);
        }
        store
    }

    fn sum(&self, id: InequalityId, pick: impl Fn(bool, i64, i64) -> i64) -> i64 {
        let contribution = |entry: &Entry<VarId>| {
            let ends = (self.lower[entry.at], self.upper[entry.at]);
            let (a, b) = (entry.coefficient * ends.0, entry.coefficient * ends.1);
            pick(self.presses[entry.at], a.min(b), a.max(b))
        };
        self.inequalities.terms(id).iter().map(contribution).sum()
    }

    fn widest_term(&self, id: InequalityId) -> i64 {
        let width = |entry: &Entry<VarId>| {
            entry.coefficient.abs() * (self.upper[entry.at] - self.lower[entry.at])
        };
        self.inequalities
            .terms(id)
            .iter()
            .map(width)
            .max()
            .unwrap_or(0)
    }

    /// The largest swing of a single variable in the inequality, over the whole domains: with
    /// more slack than that, nothing can be concluded.
    #[inline]
    pub(super) fn widest(&self, id: InequalityId) -> i64 {
        self.widest[id]
    }

    /// Who fixes the variable.
    #[inline]
    pub fn owner(&self, var: VarId) -> Quantifier {
        self.owner[var]
    }

    /// The inequalities.
    #[inline]
    pub fn inequalities(&self) -> &Inequalities {
        &self.inequalities
    }

    /// Smallest value left.
    #[inline]
    pub fn lower(&self, var: VarId) -> i64 {
        self.lower[var]
    }

    /// The smallest values left, of all variables.
    #[inline]
    pub fn lowers(&self) -> IdVec<VarId, i64> {
        self.lower.clone()
    }

    /// Largest value left.
    #[inline]
    pub fn upper(&self, var: VarId) -> i64 {
        self.upper[var]
    }

    /// Whether one value is left.
    #[inline]
    pub fn is_fixed(&self, var: VarId) -> bool {
        self.lower[var] == self.upper[var]
    }

    /// Whether the variable counts at its worst in `pressed`.
    #[inline]
    pub fn presses(&self, var: VarId) -> bool {
        self.presses[var]
    }

    /// The sum with every variable at its best.
    #[inline]
    pub fn least(&self, id: InequalityId) -> i64 {
        self.least[id]
    }

    /// The sum with free universals at their worst.
    #[inline]
    pub fn pressed(&self, id: InequalityId) -> i64 {
        self.pressed[id]
    }

    /// The right-hand side.
    #[inline]
    pub fn rhs(&self, id: InequalityId) -> i64 {
        self.rhs[id]
    }

    /// Moves the right-hand side of the objective. Not on the trail: callers set it as they go.
    #[inline]
    pub fn set_cost_limit(&mut self, limit: i64) {
        let objective = self.inequalities.objective();
        self.rhs[objective] = limit;
    }

    /// Counts binaries of the objective that exclude each other only once. Off until asked for.
    #[inline]
    pub fn heed_choices(&mut self) {
        self.choices = Arc::new(Choices::new(&self.inequalities, self));
        let objective = self.inequalities.objective();
        self.widest[objective] = self.widest[objective].max(self.choices.widest());
    }

    /// Counts every binary of the objective by itself again.
    #[inline]
    pub fn ignore_choices(&mut self) {
        self.choices = Arc::default();
    }

    /// The choices that are heeded.
    #[inline]
    pub(super) fn choices(&self) -> &Choices {
        &self.choices
    }

    /// What the choices add to the sums of the objective.
    pub(super) fn surplus(&self, id: InequalityId) -> i64 {
        if self.choices.is_empty() || id != self.inequalities.objective() {
            return 0;
        }
        self.choices.surplus(&|var| self.ends(var))
    }

    /// No play that keeps the existential rows costs less.
    #[inline]
    pub fn cheapest(&self) -> i64 {
        let objective = self.inequalities.objective();
        self.pressed[objective] + self.surplus(objective)
    }

    /// Smallest and largest value left.
    #[inline]
    pub(super) fn ends(&self, var: VarId) -> (i64, i64) {
        (self.lower[var], self.upper[var])
    }

    /// Has the objective looked at by the next propagation.
    #[inline]
    pub fn wake_objective(&mut self) {
        self.queue.push(self.inequalities.objective());
    }

    /// Whether some inequality waits to be looked at.
    #[inline]
    pub fn is_awake(&self) -> bool {
        !(self.queue.exists.is_empty() && self.queue.forall.is_empty())
    }

    /// Has every inequality of `owner` looked at by the next propagation.
    pub fn wake(&mut self, owner: Quantifier) {
        for id in self.rhs.ids() {
            if self.inequalities.heads()[id].owner == owner {
                self.queue.push(id);
            }
        }
    }

    /// Every change so far, oldest first.
    #[inline]
    pub fn trail(&self) -> &[Change] {
        &self.trail
    }

    /// The changes after a mark.
    #[inline]
    pub fn changes_since(&self, mark: Mark) -> &[Change] {
        &self.trail[mark.0..]
    }

    /// The present place on the trail.
    #[inline]
    pub fn mark(&self) -> Mark {
        Mark(self.trail.len())
    }

    /// Moves a lower bound up.
    ///
    /// Pre: `value` lies above the present one and not above the upper bound.
    pub fn raise_lower(&mut self, var: VarId, value: i64, reason: Reason) {
        let before = std::mem::replace(&mut self.lower[var], value);
        debug_assert!(before < value && value <= self.upper[var]);
        self.push(var, End::Lower, before, reason);
        self.shift(var, End::Lower, value - before, true);
    }

    /// Moves an upper bound down.
    ///
    /// Pre: `value` lies below the present one and not below the lower bound.
    pub fn cut_upper(&mut self, var: VarId, value: i64, reason: Reason) {
        let before = std::mem::replace(&mut self.upper[var], value);
        debug_assert!(before > value && value >= self.lower[var]);
        self.push(var, End::Upper, before, reason);
        self.shift(var, End::Upper, value - before, true);
    }

    #[inline]
    fn push(&mut self, var: VarId, end: End, before: i64, reason: Reason) {
        self.trail.push(Change {
            var,
            end,
            before,
            reason,
        });
    }

    /// Narrows a variable to `[lower, upper]` as a move.
    pub fn narrow(&mut self, var: VarId, lower: i64, upper: i64) {
        if lower > self.lower[var] {
            self.raise_lower(var, lower, Reason::Decision);
        }
        if upper < self.upper[var] {
            self.cut_upper(var, upper, Reason::Decision);
        }
    }

    /// Undoes everything since the mark and forgets pending work.
    pub fn undo_to(&mut self, mark: Mark) {
        self.queue.clear();
        while self.trail.len() > mark.0 {
            let Some(change) = self.trail.pop() else {
                break;
            };
            let bound = match change.end {
                End::Lower => &mut self.lower[change.var],
                End::Upper => &mut self.upper[change.var],
            };
            let after = std::mem::replace(bound, change.before);
            self.shift(change.var, change.end, change.before - after, false);
        }
    }

    /// How many variables there are.
    #[cfg(any(test, feature = "paranoid"))]
    #[inline]
    pub(super) fn variable_count(&self) -> usize {
        self.lower.len()
    }

    /// Panics unless the kept sums are what the bounds say.
    #[cfg(any(test, feature = "paranoid"))]
    pub(super) fn assert_sums(&self) {
        for id in self.rhs.ids() {
            let least = self.sum(id, |_, low, _| low);
            let pressed = self.sum(id, |presses, low, high| if presses { high } else { low });
            let kept = (self.least[id], self.pressed[id]);
            assert_eq!(
                kept,
                (least, pressed),
                "invariant: the kept sums are the real ones"
            );
        }
    }

    /// Undoes every change.
    #[cfg(test)]
    pub(super) fn undo_all(&mut self) {
        self.undo_to(Mark(0));
    }

    /// Updates the sums after one end of a variable moved by `delta`.
    #[inline]
    fn shift(&mut self, var: VarId, end: End, delta: i64, wake: bool) {
        let Self {
            inequalities,
            presses,
            least,
            pressed,
            queue,
            choices,
            ..
        } = self;
        let presses = presses[var];
        if wake && choices.holds(var) {
            queue.push(inequalities.objective());
        }
        for entry in inequalities.column(var) {
            let step = entry.coefficient * delta;
            // The lower end is the best for a positive coefficient, the upper for a negative one.
            let moves_least = (entry.coefficient > 0) == (end == End::Lower);
            if moves_least {
                least[entry.at] += step;
                if wake {
                    queue.push(entry.at);
                }
            }
            if moves_least != presses {
                pressed[entry.at] += step;
            }
        }
    }

    /// The next inequality of `owner` whose sums rose since it was last looked at.
    pub(super) fn dequeue(&mut self, owner: Quantifier) -> Option<InequalityId> {
        self.queue.pop(owner)
    }
}

/// Inequalities to look at, each at most once at a time, apart by owner.
#[derive(Clone, Debug)]
struct Queue {
    waiting: IdVec<InequalityId, bool>,
    owner: IdVec<InequalityId, Quantifier>,
    exists: Vec<InequalityId>,
    forall: Vec<InequalityId>,
}

impl Queue {
    fn new(inequalities: &Inequalities) -> Self {
        let owners = inequalities.heads().iter().map(|head| head.owner);
        Self {
            waiting: IdVec::filled(inequalities.heads().len(), false),
            owner: IdVec::from_vec(owners.collect()),
            exists: Vec::new(),
            forall: Vec::new(),
        }
    }

    fn of(&mut self, owner: Quantifier) -> &mut Vec<InequalityId> {
        match owner {
            Quantifier::Exists => &mut self.exists,
            Quantifier::Forall => &mut self.forall,
        }
    }

    #[inline]
    fn push(&mut self, id: InequalityId) {
        if !self.waiting[id] {
            self.waiting[id] = true;
            let owner = self.owner[id];
            self.of(owner).push(id);
        }
    }

    fn pop(&mut self, owner: Quantifier) -> Option<InequalityId> {
        let id = self.of(owner).pop()?;
        self.waiting[id] = false;
        Some(id)
    }

    fn clear(&mut self) {
        for owner in [Quantifier::Exists, Quantifier::Forall] {
            while self.pop(owner).is_some() {}
        }
    }
}
