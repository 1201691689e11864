//! Reasons of positions that are lost at sight: by a row, by what the table knows, by a linear program.
//!
//! Each leaves in the learner's workspace the bounds under which it would be lost all the same; see
//! [`learn`](super::learn) for what becomes of them.

use super::Search;
use super::guide::Lean;
use super::position::Death;
use super::table::Known;
use super::worth::{LOST, Worth};
use crate::program::{Id, Quantifier, VarId};
use crate::propagate::{Entry, InequalityId, Literal, NO_LIMIT, Store, Term};

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
        if !learner.begin() {
            return;
        }
        let store = &self.position.store;
        match self.position.death() {
            Some(Death::Row(row)) => learner.needs.lost_row(store, row, cost_limit(beta)),
            Some(Death::Nogood(id)) => learner.needs.broken_nogood(store, id, None),
            None => learner.needs.give_up(),
        }
    }

    /// A finished play costs too much.
    pub(super) fn explain_cost(&mut self, beta: Worth) {
        let Some(learner) = &mut self.learner else {
            return;
        };
        if !learner.begin() {
            return;
        }
        let objective = self.inequalities.objective();
        learner
            .needs
            .lost_row(&self.position.store, objective, cost_limit(beta));
    }

    /// The table knows the position to be lost: so is every one that leaves the existential player
    /// no more room in his rows, the universal player no less in his, and costs as much.
    pub(super) fn explain_known(&mut self, known: Known, beta: Worth) {
        let Some(learner) = &mut self.learner else {
            return;
        };
        if !learner.begin() {
            return;
        }
        let store = &self.position.store;
        let passed = self.position.passed();
        let heads = self.inequalities.heads();
        for (id, most) in self.layout.sides(passed, &self.inequalities) {
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
    }

    /// A linear program showed that the position costs too much: what its exact combination of rows
    /// leans on.
    pub(super) fn explain_relaxation(&mut self) {
        let Some(learner) = &mut self.learner else {
            return;
        };
        if !learner.begin() {
            return;
        }
        learner.terms.clear();
        let store = &self.position.store;
        let Some(guide) = &self.guide else {
            learner.needs.give_up();
            return;
        };
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
    }
}

/// Notes what the passed variables add to an inequality: the bounds that keep the sum from falling,
/// or from rising.
pub(super) fn passed_terms(
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
