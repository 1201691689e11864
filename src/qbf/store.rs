//! Constraints and who watches them.
//!
//! A clause is a constraint of the existential player: one of its literals must become true, or he
//! has lost. A cube is the same thing for the universal player, written down negated: one of the
//! cube's literals must become false, or *he* has lost. So there is one kind of constraint, with
//! an owner, and one set of rules for both players.

use super::literal::Literal;
use crate::program::Quantifier;

/// A constraint by its place in the store.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) struct ConstraintId(u32);

#[derive(Clone, Debug)]
pub(super) struct Constraint {
    pub owner: Quantifier,
    pub literals: Box<[Literal]>,
    /// The literals whose falsehood makes the constraint worth a look; equal if it has only one.
    pub watched: [Literal; 2],
    pub learnt: bool,
    /// Conflicts since which it was used last.
    pub used: u64,
}

pub(super) struct Store {
    constraints: Vec<Constraint>,
    /// By literal: constraints that watch it, and some that did.
    watchers: Vec<Vec<ConstraintId>>,
}

impl Store {
    pub fn new(variables: usize) -> Self {
        Self {
            constraints: Vec::new(),
            watchers: vec![Vec::new(); 2 * variables],
        }
    }

    pub fn get(&self, id: ConstraintId) -> &Constraint {
        &self.constraints[id.0 as usize]
    }

    pub fn touch(&mut self, id: ConstraintId, now: u64) {
        self.constraints[id.0 as usize].used = now;
    }

    pub fn iter(&self) -> impl Iterator<Item = &Constraint> {
        self.constraints.iter()
    }

    pub fn ids(&self) -> impl Iterator<Item = ConstraintId> + use<> {
        (0..self.constraints.len() as u32).map(ConstraintId)
    }

    pub fn add(&mut self, constraint: Constraint) -> ConstraintId {
        let id = ConstraintId::new(self.constraints.len());
        let [first, second] = constraint.watched;
        self.watchers[first.index()].push(id);
        if second != first {
            self.watchers[second.index()].push(id);
        }
        self.constraints.push(constraint);
        id
    }

    /// Hands out the watchers of a literal, to be given back by [`Store::put_watchers`].
    pub fn take_watchers(&mut self, literal: Literal) -> Vec<ConstraintId> {
        std::mem::take(&mut self.watchers[literal.index()])
    }

    /// Gives watchers back; none can have joined in the meantime, because the literal is false.
    pub fn put_watchers(&mut self, literal: Literal, watchers: Vec<ConstraintId>) {
        debug_assert!(self.watchers[literal.index()].is_empty());
        self.watchers[literal.index()] = watchers;
    }

    /// Watches other literals; entries of those that are not watched any more go when met.
    pub fn watch(&mut self, id: ConstraintId, watched: [Literal; 2]) {
        let constraint = &mut self.constraints[id.0 as usize];
        let before = std::mem::replace(&mut constraint.watched, watched);
        for literal in watched {
            if !before.contains(&literal) {
                self.watchers[literal.index()].push(id);
            }
        }
    }

    /// Keeps the constraints for which `keep` is true; the result tells where each has gone.
    pub fn retain(&mut self, keep: impl Fn(&Constraint) -> bool) -> Vec<Option<ConstraintId>> {
        let before = std::mem::take(&mut self.constraints);
        self.watchers.iter_mut().for_each(Vec::clear);
        let moved = before.into_iter();
        moved
            .map(|constraint| keep(&constraint).then(|| self.add(constraint)))
            .collect()
    }
}

impl ConstraintId {
    /// The id of the `index`-th constraint. Clauses of the program come first, in their order.
    pub fn new(index: usize) -> Self {
        Self(u32::try_from(index).expect("invariant: constraints fit 32 bits"))
    }

    /// The place.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}
