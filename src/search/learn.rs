//! Learning from lost positions: why they are lost, and which values therefore need no look.
//!
//! A position that is worth beta or more gets a *reason*: bounds on variables that are passed, such
//! that every legal play which keeps them comes to a position worth as much. At a leaf the reason is
//! what the lost row leans on. Bounds of variables that the frame above has not passed are replaced
//! by what they follow from. Then
//!
//! - an *existential* frame drops from its values all that the reason of one of them covers: if the
//!   reason does not mention the variable at all, the frame is lost at once (a **backjump**, Prosser
//!   1993). Its own reason is the union over its values, without the variable itself;
//! - a *universal* frame takes the reason of the value that refutes, without the variable itself
//!   (**universal reduction**, Kleine Büning and others 1995): its owner may choose that value in every
//!   play that the reason covers, if the value is legal there. A free variable always is; otherwise the
//!   reason says in addition that no universal row has less room than here.
//!
//! **Soundness.** A reason speaks of what positions are worth, not of the window they were asked in:
//! one that leans on the cost limit says "beta or more", every other one "lost". So what is skipped or
//! closed by a reason may be remembered by the table like everything else. A bound that was narrowed
//! because a later universal presses is only replaced in frames that come before that universal: in all
//! later ones the narrowed variable is passed. Where an existential move may kill the universal system
//! nothing is learnt, and neither where blocks are branched on out of order.

use super::Search;
use super::guide::Lean;
#[cfg(any(test, feature = "paranoid"))]
use super::learn_twin as twin;
use super::legality::Legality;
use super::position::Death;
use super::table::Known;
use super::visit::Frame;
use super::worth::{LOST, Worth};
use crate::program::{Id, Quantifier, VarId};
use crate::propagate::{
    Because, End, Entry, InequalityId, Literal, NO_LIMIT, Needs, Scope, Store, Term,
};

/// What a frame has learnt about its lost values.
#[derive(Debug, Default)]
pub(super) struct Lessons {
    /// The union of the reasons so far, without the frame's variable; nothing once a reason is missing.
    because: Option<Because>,
    /// Reasons cover the values from here …
    from: i64,
    /// … to here.
    to: i64,
}

impl Lessons {
    pub(super) fn none() -> Self {
        Self {
            because: Some(Because::default()),
            from: i64::MAX,
            to: i64::MIN,
        }
    }
}

/// See the module.
#[derive(Debug)]
pub(super) struct Learner {
    needs: Needs,
    /// Why the position that was looked at last is lost, if that is known.
    pub(super) reason: Option<Because>,
    terms: Vec<Term>,
    /// Positions that were explained.
    pub(super) explained: u64,
    /// Values that needed no look.
    pub(super) skipped: u64,
    /// Learnt rows that were kept at first.
    pub(super) kept: u64,
}

impl Learner {
    pub(super) fn new(store: &Store, variables: usize) -> Self {
        Self {
            needs: Needs::new(store, variables),
            reason: None,
            terms: Vec::new(),
            explained: 0,
            skipped: 0,
            kept: 0,
        }
    }
}

/// The largest cost below `beta`.
pub(super) fn cost_limit(beta: Worth) -> i64 {
    if beta == LOST { NO_LIMIT } else { beta - 1 }
}

impl Search<'_> {
    /// The last propagation saw a row lost.
    pub(super) fn explain_death(&mut self, beta: Worth) {
        let Some(learner) = &mut self.learner else {
            return;
        };
        learner.needs.clear();
        let store = &self.position.store;
        match self.position.death() {
            Some(Death::Row(row)) => learner.needs.lost_row(store, row, cost_limit(beta)),
            Some(Death::Nogood(id)) => learner.needs.broken_nogood(store, id, None),
            None => learner.needs.give_up(),
        }
        learner.reason = learner.needs.take();
        learner.explained += 1;
    }

    /// A finished play costs too much.
    pub(super) fn explain_cost(&mut self, beta: Worth) {
        let Some(learner) = &mut self.learner else {
            return;
        };
        let objective = self.inequalities.objective();
        learner.needs.clear();
        learner
            .needs
            .lost_row(&self.position.store, objective, cost_limit(beta));
        learner.reason = learner.needs.take();
        learner.explained += 1;
    }

    /// The table knows the position to be lost: so is every one that leaves the existential player
    /// no more room in his rows, the universal player no less in his, and costs as much.
    pub(super) fn explain_known(&mut self, known: Known, beta: Worth) {
        let Some(learner) = &mut self.learner else {
            return;
        };
        learner.explained += 1;
        learner.needs.clear();
        let store = &self.position.store;
        let passed = self.position.passed();
        let heads = self.inequalities.heads();
        for (id, most) in self.layout.open(passed) {
            let residual = heads[id].rhs - self.position.done(id);
            let room = residual - most;
            match heads[id].owner {
                // What cannot fail here need not be able to fail elsewhere.
                Quantifier::Exists if room >= 0 => {}
                Quantifier::Exists => {
                    passed_terms(&mut learner.terms, store, id, passed, true);
                    learner.needs.keep_terms(store, &learner.terms, 0);
                }
                Quantifier::Forall => {
                    passed_terms(&mut learner.terms, store, id, passed, false);
                    let excess = i128::from(room.max(0));
                    learner.needs.keep_terms(store, &learner.terms, excess);
                }
            }
        }
        if known.lower != LOST {
            let objective = self.inequalities.objective();
            passed_terms(&mut learner.terms, store, objective, passed, true);
            let excess = self.position.spent() + known.lower - beta;
            learner
                .needs
                .keep_terms(store, &learner.terms, i128::from(excess));
            learner.needs.lean_on_cost();
        }
        learner.reason = learner.needs.take();
    }

    /// A linear program showed that the position costs too much: what its exact combination of rows
    /// leans on.
    pub(super) fn explain_relaxation(&mut self) {
        let Some(learner) = &mut self.learner else {
            return;
        };
        learner.explained += 1;
        learner.needs.clear();
        learner.terms.clear();
        let store = &self.position.store;
        let Some(guide) = &self.guide else { return };
        let Lean {
            excess,
            is_cost,
            commits_to_rows,
        } = guide.leans_on(store, &mut learner.terms);
        if is_cost {
            learner.needs.lean_on_cost();
        }
        learner.needs.keep_terms(store, &learner.terms, excess);
        if commits_to_rows {
            let passed = self.position.passed();
            let heads = self.inequalities.heads();
            for id in heads
                .ids()
                .filter(|&id| heads[id].owner == Quantifier::Forall)
            {
                passed_terms(&mut learner.terms, store, id, passed, false);
                learner.needs.keep_terms(store, &learner.terms, 0);
            }
        }
        learner.reason = learner.needs.take();
    }

    /// The move that the top frame looks at is lost: takes the reason into the frame, and drops the
    /// values that it covers as well.
    ///
    /// Pre: the move is not taken back yet.
    pub(super) fn learn_from_loss(&mut self) {
        let Some(learner) = &mut self.learner else {
            return;
        };
        let frame = self.frames.last_mut().expect("invariant: a frame is open");
        let Some(mut because) = learner.reason.take() else {
            frame.lessons.because = None;
            return;
        };
        let var = frame.var();
        let last = because.literals.last();
        if last.is_some_and(|literal| literal.var > var) {
            learner.needs.load(&because);
            let scope = Scope {
                first_var: var.index() + 1,
                since: usize::MAX,
            };
            let limit = cost_limit(frame.beta());
            learner.needs.resolve(&self.position.store, scope, limit);
            match learner.needs.take() {
                Some(resolved) => because = resolved,
                None => {
                    frame.lessons.because = None;
                    return;
                }
            }
        }
        #[cfg(any(test, feature = "paranoid"))]
        twin::assert_lost(
            self.program,
            &self.position.store,
            &because,
            var.index() + 1,
            frame.beta(),
        );
        let (from, to) = without(&mut because, var);
        if !frame.is_universal() {
            learner.skipped += frame.learn(because, from, to);
        } else {
            if !self.position.store.presses(var) {
                let needs = &mut learner.needs;
                needs.load(&because);
                let legality = self.position.legality();
                keep_legal(
                    needs,
                    &mut learner.terms,
                    &self.position.store,
                    var,
                    legality,
                );
                because = needs.take().unwrap_or_default();
            }
            frame.lessons.because = Some(because);
            (frame.lessons.from, frame.lessons.to) = (i64::MIN, i64::MAX);
        }
    }

    /// The top frame is lost: hands its reason on.
    ///
    /// Pre: its moves are taken back, its own conclusions are not.
    pub(super) fn hand_reason_on(&mut self, frame: &mut Frame) {
        let only_end = self.only_end(frame.var());
        let Some(learner) = &mut self.learner else {
            return;
        };
        learner.reason = None;
        let Some(mut because) = frame.lessons.because.take() else {
            return;
        };
        let Lessons { from, to, .. } = frame.lessons;
        // Values beyond the only end worth trying are no better than it.
        let bounds = [
            (End::Lower, from, i64::MIN, Some(End::Upper)),
            (End::Upper, to, i64::MAX, Some(End::Lower)),
        ];
        for (end, value, nowhere, dominating) in bounds {
            if value != nowhere && only_end != dominating {
                let var = frame.var();
                because.literals.push(Literal { var, end, value });
            }
        }
        let store = &mut self.position.store;
        if store.mark() != frame.entered() {
            learner.needs.load(&because);
            let scope = Scope {
                first_var: usize::MAX,
                since: frame.entered().place(),
            };
            let limit = cost_limit(frame.beta());
            learner.needs.resolve(store, scope, limit);
            learner.reason = learner.needs.take();
        } else {
            learner.reason = Some(because);
        }
        #[cfg(any(test, feature = "paranoid"))]
        if let Some(because) = &learner.reason {
            let passed = self.position.passed();
            twin::assert_lost(self.program, store, because, passed, frame.beta());
        }
        if self.budget.nodes() - frame.nodes_before() >= LARGE_TREE
            && let Some(because) = &learner.reason
            && because.literals.len() <= LONGEST
            && !frame.is_universal()
        {
            let price = if because.leans_on_cost {
                frame.beta()
            } else {
                i64::MAX
            };
            learner.kept += u64::from(store.learn(because.literals.clone(), price));
        }
    }
}

/// Trees of so many positions are worth remembering their reason.
const LARGE_TREE: u64 = 8;

/// Longer reasons are hardly ever met again.
const LONGEST: usize = 24;

impl Frame {
    /// Takes a reason that covers the values `from ..= to`; tells how many values need no look now.
    fn learn(&mut self, because: Because, from: i64, to: i64) -> u64 {
        if (from, to) == (i64::MIN, i64::MAX) {
            self.lessons.because = Some(because);
            (self.lessons.from, self.lessons.to) = (from, to);
            let skipped = self.ranges.iter().map(|(lower, upper)| upper - lower + 1);
            let skipped = skipped.sum::<i64>();
            self.ranges.clear();
            return skipped as u64;
        }
        if let Some(known) = &mut self.lessons.because {
            unite(known, &because);
        }
        self.lessons.from = self.lessons.from.min(from);
        self.lessons.to = self.lessons.to.max(to);
        let mut skipped = 0;
        self.ranges.retain(|range| {
            let before = range.1 - range.0;
            if from <= range.0 && range.0 <= to {
                range.0 = to.saturating_add(1);
            }
            if from <= range.1 && range.1 <= to {
                range.1 = from.saturating_sub(1);
            }
            let left = range.1.saturating_sub(range.0).max(-1);
            skipped += before - left;
            left >= 0
        });
        skipped as u64
    }
}

/// Notes what the passed variables add to an inequality: the bounds that keep the sum from falling,
/// or from rising.
fn passed_terms(
    terms: &mut Vec<Term>,
    store: &Store,
    id: InequalityId,
    passed: usize,
    raising: bool,
) {
    let sign = if raising { 1 } else { -1 };
    let all = store.inequalities().terms(id).iter();
    let before = all.take_while(|entry| entry.at.index() < passed);
    terms.clear();
    terms.extend(before.map(|entry: &Entry<VarId>| Term {
        literal: Literal::raising(entry.at, sign * entry.coefficient, store.lower(entry.at)),
        step: i128::from(entry.coefficient.abs()),
    }));
}

/// Needs what keeps the move on a restricted universal variable legal.
fn keep_legal(
    needs: &mut Needs,
    terms: &mut Vec<Term>,
    store: &Store,
    var: VarId,
    legality: Legality,
) {
    let inequalities = store.inequalities();
    let heads = inequalities.heads();
    let rows = heads
        .ids()
        .filter(|&id| heads[id].owner == Quantifier::Forall);
    for id in rows {
        let concerned = || inequalities.column(var).iter().any(|entry| entry.at == id);
        if legality != Legality::Scan || concerned() {
            passed_terms(terms, store, id, var.index(), false);
            needs.keep_terms(store, terms, 0);
        }
    }
}

/// Takes a variable's bounds out of a reason: the values that they allow.
fn without(because: &mut Because, var: VarId) -> (i64, i64) {
    let (mut from, mut to) = (i64::MIN, i64::MAX);
    while let Some(literal) = because.literals.pop_if(|literal| literal.var == var) {
        match literal.end {
            End::Lower => from = literal.value,
            End::Upper => to = literal.value,
        }
    }
    (from, to)
}

/// Adds the bounds of another reason; of two at one end the tighter stays.
fn unite(known: &mut Because, more: &Because) {
    known.leans_on_cost |= more.leans_on_cost;
    if more.literals.is_empty() {
        return;
    }
    let own = std::mem::take(&mut known.literals);
    let order = |literal: &Literal| (literal.var, literal.end as u8);
    let (mut left, mut right) = (own.iter().peekable(), more.literals.iter().peekable());
    known.literals.reserve(own.len() + more.literals.len());
    loop {
        let next = match (left.peek(), right.peek()) {
            (None, None) => return,
            (Some(_), None) => left.next(),
            (None, Some(_)) => right.next(),
            (Some(a), Some(b)) if order(a) == order(b) => {
                let (a, b) = (left.next(), right.next());
                match (a, b) {
                    (Some(a), Some(b)) if a.follows_from(b.value) => Some(b),
                    _ => a,
                }
            }
            (Some(a), Some(b)) if order(a) < order(b) => left.next(),
            _ => right.next(),
        };
        known.literals.extend(next);
    }
}
