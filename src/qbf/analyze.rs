//! Learning from a lost constraint.
//!
//! The constraint is resolved with the reasons of its owner's literals, latest first, until what
//! remains would have forced one of them at an earlier level. Opponent's literals behind all of
//! the owner's are dropped on the way (universal reduction, and its mirror image for cubes).
//! Resolvents may hold an opponent's literal together with its negation: long-distance resolution
//! in the sense of Zhang and Malik (2002), sound as Balabanov and Jiang (2012) have shown, because
//! such a variable always stands behind the one that is resolved on.

use super::Engine;
use super::literal::Literal;
use super::trail::Truth;
use crate::program::Quantifier;

/// What a lost constraint teaches.
pub(super) enum Lesson {
    /// The owner has lost the game. These literals of the outermost block, if it is the opponent's,
    /// are all false when he plays it right.
    GameOver(Vec<Literal>),
    /// A constraint that forces its first literal once `level` is the last one.
    Learnt { literals: Vec<Literal>, level: u32 },
}

/// The constraint that is being derived.
struct Resolvent {
    owner: Quantifier,
    literals: Vec<Literal>,
}

impl Engine<'_> {
    /// Learns from a constraint of `owner` that is lost.
    ///
    /// Pre: no literal is true, and all of the owner's are false.
    pub(super) fn analyze(&mut self, owner: Quantifier, lost: &[Literal]) -> Lesson {
        let mut resolvent = Resolvent {
            owner,
            literals: Vec::new(),
        };
        self.absorb(&mut resolvent, lost, None);
        let mut place = self.trail.literals().len();
        loop {
            if !self.reduce(&mut resolvent) {
                return self.game_over(resolvent);
            }
            let pivot = loop {
                place -= 1;
                let literal = self.trail.literals()[place].negated();
                let own = self.prefix.owner(literal) == owner;
                if own && self.marked[literal.index()] {
                    break literal;
                }
            };
            if let Some(level) = self.asserting_level(&resolvent, pivot) {
                return self.learnt(resolvent, pivot, level);
            }
            let reason = self.trail.reason(pivot);
            let reason = reason.expect("invariant: what is not asserting has a reason");
            self.store.touch(reason, self.conflicts);
            let literals = self.store.get(reason).literals.clone();
            self.marked[pivot.index()] = false;
            resolvent.literals.retain(|&literal| literal != pivot);
            self.absorb(&mut resolvent, &literals, Some(pivot.negated()));
        }
    }

    fn absorb(&mut self, resolvent: &mut Resolvent, literals: &[Literal], except: Option<Literal>) {
        for &literal in literals.iter().filter(|&&literal| Some(literal) != except) {
            if !std::mem::replace(&mut self.marked[literal.index()], true) {
                resolvent.literals.push(literal);
                self.order.bump(literal.var());
            }
        }
    }

    /// Drops the opponent's literals behind all of the owner's; false if the owner has none.
    fn reduce(&mut self, resolvent: &mut Resolvent) -> bool {
        let own = |&&literal: &&Literal| self.prefix.owner(literal) == resolvent.owner;
        let blocks = resolvent.literals.iter().filter(own);
        let Some(deepest) = blocks.map(|&literal| self.prefix.block(literal)).max() else {
            return false;
        };
        let (prefix, marked) = (&self.prefix, &mut self.marked);
        resolvent.literals.retain(|&literal| {
            let keep = prefix.block(literal) <= deepest;
            if !keep {
                marked[literal.index()] = false;
            }
            keep
        });
        true
    }

    /// The level from which the pivot would have been forced, if the rest allows it: it is the
    /// owner's only literal of a level that he opened himself, and the opponent's literals before
    /// it became false earlier.
    fn asserting_level(&self, resolvent: &Resolvent, pivot: Literal) -> Option<u32> {
        let level = self.trail.level(pivot);
        if level == 0 || self.prefix.owner(self.trail.decision(level)) != resolvent.owner {
            return None;
        }
        let mut back_to = 0;
        for &literal in resolvent
            .literals
            .iter()
            .filter(|&&literal| literal != pivot)
        {
            let own = self.prefix.owner(literal) == resolvent.owner;
            if own || self.prefix.block(literal) < self.prefix.block(pivot) {
                let earlier =
                    self.trail.truth(literal) == Truth::False && self.trail.level(literal) < level;
                if !earlier {
                    return None;
                }
                back_to = back_to.max(self.trail.level(literal));
            }
        }
        Some(back_to)
    }

    fn learnt(&mut self, resolvent: Resolvent, pivot: Literal, level: u32) -> Lesson {
        let mut literals = resolvent.literals;
        for literal in &literals {
            self.marked[literal.index()] = false;
        }
        if let Some(place) = literals.iter().position(|&literal| literal == pivot) {
            literals.swap(0, place);
        }
        Lesson::Learnt { literals, level }
    }

    fn game_over(&mut self, resolvent: Resolvent) -> Lesson {
        let mut first = resolvent.literals;
        for literal in &first {
            self.marked[literal.index()] = false;
        }
        first.retain(|&literal| self.prefix.block(literal) == 0);
        Lesson::GameOver(first)
    }
}
