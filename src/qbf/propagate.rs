//! What follows from the assignment by one constraint alone.
//!
//! A constraint of player P in which nothing is true
//! - is *lost* when all of P's literals are false: what is left of it belongs to the opponent, who
//!   will make it false;
//! - is a *unit* when exactly one of P's literals is open, and every literal of the opponent that
//!   stands before it is false: behind it he would make the rest false.
//!
//! Each constraint watches two literals, so that it is looked at only when one of them becomes
//! false: two open ones of P, or an open one of P and an open one of the opponent before it.
//! Watches are lazy where both players' literals fall at once; a unit may then be found late,
//! a loss never.

use super::Engine;
use super::literal::Literal;
use super::store::ConstraintId;
use super::trail::Truth;
use crate::outcome::Stop;

/// What a look at a constraint shows.
pub(super) enum Finding {
    /// A literal is true.
    Satisfied,
    /// Nothing follows while these two are open.
    Quiet([Literal; 2]),
    /// This literal must become true.
    Unit(Literal),
    Lost,
}

impl Engine<'_> {
    /// Draws all consequences; the first lost constraint ends it.
    pub(super) fn propagate(&mut self) -> Result<Option<ConstraintId>, Stop> {
        while let Some(&literal) = self.trail.literals().get(self.trail.head) {
            self.budget.look_sometimes()?;
            self.trail.head += 1;
            if let Some(lost) = self.visit_watchers(literal.negated()) {
                return Ok(Some(lost));
            }
        }
        Ok(None)
    }

    /// Looks at everything that watches a literal which has just become false.
    fn visit_watchers(&mut self, falsified: Literal) -> Option<ConstraintId> {
        let mut watchers = self.store.take_watchers(falsified);
        let mut lost = None;
        watchers.retain(|&id| {
            let watched = self.store.get(id).watched;
            if !watched.contains(&falsified) {
                return false;
            }
            if lost.is_some()
                || watched
                    .iter()
                    .any(|&one| self.trail.truth(one) == Truth::True)
            {
                return true;
            }
            match self.examine(id) {
                Finding::Satisfied => true,
                Finding::Quiet(watched) => {
                    self.store.watch(id, watched);
                    false
                }
                Finding::Unit(literal) => {
                    self.store.watch(id, [literal, falsified]);
                    self.trail.assign(literal, Some(id));
                    true
                }
                Finding::Lost => {
                    lost = Some(id);
                    true
                }
            }
        });
        self.store.put_watchers(falsified, watchers);
        lost
    }

    /// The state of a constraint.
    pub(super) fn examine(&self, id: ConstraintId) -> Finding {
        let constraint = self.store.get(id);
        let mut own = None;
        for &literal in &constraint.literals {
            match self.trail.truth(literal) {
                Truth::True => return Finding::Satisfied,
                Truth::Open if self.prefix.owner(literal) == constraint.owner => match own {
                    Some(other) => return Finding::Quiet([other, literal]),
                    None => own = Some(literal),
                },
                _ => {}
            }
        }
        let Some(own) = own else {
            return Finding::Lost;
        };
        let is_before = |&&literal: &&Literal| {
            self.trail.truth(literal) == Truth::Open
                && self.prefix.block(literal) < self.prefix.block(own)
        };
        match constraint.literals.iter().find(is_before) {
            Some(&opponent) => Finding::Quiet([own, opponent]),
            None => Finding::Unit(own),
        }
    }
}
