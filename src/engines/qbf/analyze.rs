//! Learning from a lost constraint.
//!
//! The constraint is resolved with the reasons of its owner's literals, latest first, until what
//! remains would have forced one of them at an earlier level. Opponent's literals behind all of
//! the owner's are dropped on the way (universal reduction, and its mirror image for cubes).
//! Resolvents may hold an opponent's literal together with its negation: long-distance resolution
//! in the sense of Zhang and Malik (2002), sound as Balabanov and Jiang (2012) have shown, because
//! such a variable always stands behind the one that is resolved on.
//!
//! At the end literals go whose reasons say nothing new ([`Engine::minimise`]).

use super::engine::Engine;
use super::literal::{Literal, Prefix};
use super::store::ConstraintId;
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

/// The constraint that is being derived: the listed literals that are marked.
struct Resolvent {
    owner: Quantifier,
    literals: Vec<Literal>,
    /// How many literals of the owner are left.
    own: usize,
}

impl Engine<'_> {
    /// Learns from a constraint of `owner` that is lost.
    ///
    /// Pre: no literal is true, and all of the owner's are false.
    pub(super) fn analyze(&mut self, owner: Quantifier, lost: &[Literal]) -> Lesson {
        let mut resolvent = Resolvent {
            owner,
            literals: Vec::new(),
            own: 0,
        };
        self.absorb(&mut resolvent, lost, None);
        let mut place = self.trail.literals().len();
        while resolvent.own > 0 {
            let pivot = loop {
                place -= 1;
                let literal = self.trail.literals()[place].negated();
                if self.marked[literal.index()] && self.prefix.is_owner(owner, literal) {
                    break literal;
                }
            };
            if self.is_asserting(&resolvent, pivot) {
                return self.learnt(resolvent, pivot);
            }
            let reason = self.trail.reason(pivot);
            let reason = reason.expect("invariant: what is not asserting has a reason");
            self.store.touch(reason, self.conflicts);
            self.discard(&mut resolvent, pivot);
            let literals = self.store.literals(reason).to_vec();
            self.absorb(&mut resolvent, &literals, Some(pivot.negated()));
        }
        self.game_over(resolvent)
    }

    fn absorb(&mut self, resolvent: &mut Resolvent, literals: &[Literal], except: Option<Literal>) {
        for &literal in literals.iter().filter(|&&literal| Some(literal) != except) {
            if !std::mem::replace(&mut self.marked[literal.index()], true) {
                resolvent.literals.push(literal);
                self.order.bump(literal.var());
                if self.prefix.is_owner(resolvent.owner, literal) {
                    resolvent.own += 1;
                    self.own_by_level[self.trail.level(literal) as usize] += 1;
                }
            }
        }
    }

    /// Takes a literal of the owner out.
    fn discard(&mut self, resolvent: &mut Resolvent, literal: Literal) {
        self.marked[literal.index()] = false;
        resolvent.own -= 1;
        self.own_by_level[self.trail.level(literal) as usize] -= 1;
    }

    /// Whether the pivot would have been forced earlier: it is the owner's only literal of a level
    /// that he opened himself, and the opponent's literals before it became false earlier.
    fn is_asserting(&self, resolvent: &Resolvent, pivot: Literal) -> bool {
        let level = self.trail.level(pivot);
        if level == 0
            || self.own_by_level[level as usize] > 1
            || !self
                .prefix
                .is_owner(resolvent.owner, self.trail.decision(level))
        {
            return false;
        }
        let depth = self.prefix.block(pivot);
        let mut before = resolvent.literals.iter().filter(|&&literal| {
            self.prefix.block(literal) < depth
                && !self.prefix.is_owner(resolvent.owner, literal)
                && self.marked[literal.index()]
        });
        before.all(|&literal| {
            self.trail.truth(literal) == Truth::False && self.trail.level(literal) < level
        })
    }

    fn learnt(&mut self, mut resolvent: Resolvent, pivot: Literal) -> Lesson {
        self.reduce(&mut resolvent);
        if self.settings.minimise {
            self.minimise(&mut resolvent, pivot);
            self.reduce(&mut resolvent);
        }
        self.forget_marks(&resolvent);
        let mut literals = resolvent.literals;
        if let Some(place) = literals.iter().position(|&literal| literal == pivot) {
            literals.swap(0, place);
        }
        let depth = self.prefix.block(pivot);
        let rest = literals[1..].iter().copied().filter(|&literal| {
            self.prefix.is_owner(resolvent.owner, literal) || self.prefix.block(literal) < depth
        });
        let level = rest.map(|literal| self.trail.level(literal)).max();
        Lesson::Learnt {
            level: level.unwrap_or(0),
            literals,
        }
    }

    /// Drops what is not marked any more, and the opponent's literals behind all of the owner's.
    fn reduce(&mut self, resolvent: &mut Resolvent) {
        let (prefix, marked) = (&self.prefix, &mut self.marked);
        resolvent.literals.retain(|literal| marked[literal.index()]);
        let deepest = deepest(prefix, resolvent);
        resolvent.literals.retain(|&literal| {
            let keep = prefix.block(literal) <= deepest;
            marked[literal.index()] = keep;
            keep
        });
    }

    /// Drops literals of the owner whose reasons have nothing that is not there or would be reduced
    /// (Sörensson and Biere 2009). Each is one more step of resolution.
    fn minimise(&mut self, resolvent: &mut Resolvent, pivot: Literal) {
        let deepest = deepest(&self.prefix, resolvent);
        let is_own = |&literal: &Literal| self.prefix.is_owner(resolvent.owner, literal);
        let mut own: Vec<Literal> = resolvent.literals.iter().copied().filter(is_own).collect();
        own.sort_unstable_by_key(|&literal| std::cmp::Reverse(self.trail.place(literal)));
        for literal in own.into_iter().filter(|&literal| literal != pivot) {
            let reason = self.trail.reason(literal);
            if reason.is_some_and(|reason| self.says_nothing_new(reason, literal, deepest)) {
                self.discard(resolvent, literal);
            }
        }
    }

    fn says_nothing_new(&self, reason: ConstraintId, resolved: Literal, deepest: u32) -> bool {
        let owner = self.prefix.owner(resolved);
        let depth = self.prefix.block(resolved);
        self.store.literals(reason).iter().all(|&literal| {
            let block = self.prefix.block(literal);
            let merges = self.marked[literal.negated().index()] && block <= depth;
            let is_there = self.marked[literal.index()] && !merges;
            let is_reduced = block > deepest && !self.prefix.is_owner(owner, literal);
            literal == resolved.negated() || is_there || is_reduced
        })
    }

    fn game_over(&mut self, mut resolvent: Resolvent) -> Lesson {
        let marked = &self.marked;
        resolvent.literals.retain(|literal| marked[literal.index()]);
        self.forget_marks(&resolvent);
        let mut first = resolvent.literals;
        first.retain(|&literal| self.prefix.block(literal) < 2);
        Lesson::GameOver(first)
    }

    fn forget_marks(&mut self, resolvent: &Resolvent) {
        for &literal in &resolvent.literals {
            self.marked[literal.index()] = false;
            if self.prefix.is_owner(resolvent.owner, literal) {
                self.own_by_level[self.trail.level(literal) as usize] = 0;
            }
        }
    }

    /// From how many levels the literals come.
    pub(super) fn spread(&mut self, literals: &[Literal]) -> u32 {
        let closed = literals.iter().filter(|&&it| !self.trail.is_open(it.var()));
        let mut levels: Vec<u32> = closed.map(|&literal| self.trail.level(literal)).collect();
        levels.sort_unstable();
        levels.dedup();
        levels.len() as u32
    }
}

/// The deepest block that has a literal of the owner.
fn deepest(prefix: &Prefix, resolvent: &Resolvent) -> u32 {
    let own = resolvent
        .literals
        .iter()
        .filter(|&&literal| prefix.is_owner(resolvent.owner, literal));
    own.map(|&literal| prefix.block(literal)).max().unwrap_or(0)
}
