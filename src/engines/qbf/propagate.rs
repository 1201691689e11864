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

use super::engine::Engine;
use super::literal::Literal;
use super::store::{ConstraintId, Watcher};
use super::trail::Truth;
use crate::outcome::Stop;

/// What a look at a constraint shows.
pub(super) enum Finding {
    /// This literal is true.
    Satisfied(Literal),
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
            self.work += 1;
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
        watchers.retain_mut(|watcher| {
            lost.is_some()
                || self.trail.truth(watcher.blocker) == Truth::True
                || self.visit(watcher, falsified, &mut lost)
        });
        self.store.put_watchers(falsified, watchers);
        lost
    }

    /// Looks at one constraint; false if it does not watch the literal any more.
    fn visit(
        &mut self,
        watcher: &mut Watcher,
        falsified: Literal,
        lost: &mut Option<ConstraintId>,
    ) -> bool {
        let id = watcher.id;
        let watched = self.store.get(id).watched;
        if !watched.contains(&falsified) {
            return false;
        }
        let other = watched[usize::from(watched[0] == falsified)];
        match self.look(id, other) {
            Finding::Satisfied(literal) => {
                watcher.blocker = literal;
                true
            }
            Finding::Quiet(watched) => {
                self.store.watch(id, watched);
                false
            }
            Finding::Unit(literal) => {
                self.store.watch(id, [literal, falsified]);
                watcher.blocker = literal;
                self.trail.assign(literal, Some(id));
                true
            }
            Finding::Lost => {
                *lost = Some(id);
                true
            }
        }
    }

    /// The state of a constraint one of whose watched literals became false; `other` is the other.
    fn look(&mut self, id: ConstraintId, other: Literal) -> Finding {
        let owner = self.store.get(id).owner;
        match self.trail.truth(other) {
            Truth::True => Finding::Satisfied(other),
            Truth::Open if self.prefix.is_owner(owner, other) => self.look_for_partner(id, other),
            _ => self.examine(id),
        }
    }

    /// The state of a constraint with an open literal of its owner: looks for another one, from
    /// where the last search ended.
    fn look_for_partner(&mut self, id: ConstraintId, own: Literal) -> Finding {
        let constraint = self.store.get(id);
        let literals = self.store.literals_of(constraint);
        let (owner, resume) = (constraint.owner, constraint.resume as usize);
        let depth = self.prefix.block(own);
        let mut before = None;
        let (late, early) = (resume..literals.len(), 0..resume);
        for place in late.chain(early) {
            let literal = literals[place];
            let found = match self.trail.truth(literal) {
                Truth::False => false,
                Truth::True if self.prefix.is_owner(owner, literal) => true,
                Truth::True => return Finding::Satisfied(literal),
                Truth::Open if self.prefix.is_owner(owner, literal) => literal != own,
                Truth::Open => {
                    if self.prefix.block(literal) < depth {
                        before = Some(literal);
                    }
                    false
                }
            };
            if found {
                self.store.get_mut(id).resume = place as u32;
                return Finding::Quiet([own, literal]);
            }
        }
        match before {
            Some(opponent) => Finding::Quiet([own, opponent]),
            None => Finding::Unit(own),
        }
    }

    /// The state of a constraint about which nothing is known.
    pub(super) fn examine(&self, id: ConstraintId) -> Finding {
        let constraint = self.store.get(id);
        let literals = self.store.literals_of(constraint);
        let mut own = None;
        for &literal in literals {
            match self.trail.truth(literal) {
                Truth::True => return Finding::Satisfied(literal),
                Truth::Open if self.prefix.is_owner(constraint.owner, literal) => match own {
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
        match literals.iter().find(is_before) {
            Some(&opponent) => Finding::Quiet([own, opponent]),
            None => Finding::Unit(own),
        }
    }
}
