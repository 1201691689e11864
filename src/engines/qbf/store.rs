//! Constraints and who watches them.
//!
//! A clause is a constraint of the existential player: one of its literals must become true, or he
//! has lost. A cube is the same thing for the universal player, written down negated: one of the
//! cube's literals must become false, or *he* has lost. So there is one kind of constraint, with
//! an owner, and one set of rules for both players.
//!
//! Literals of all constraints stand one behind the other in one array, which is what keeps
//! propagation near the memory it needs next.

use super::literal::Literal;
use crate::program::Quantifier;

/// A constraint by its place in the store.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) struct ConstraintId(u32);

#[derive(Clone, Debug)]
pub(super) struct Constraint {
    pub owner: Quantifier,
    start: u32,
    length: u32,
    /// Where the last search for a literal to watch ended; the next one starts there (Gent 2013).
    pub resume: u32,
    /// The literals whose falsehood makes the constraint worth a look; equal if it has only one.
    pub watched: [Literal; 2],
    pub learnt: bool,
    /// How many levels its literals came from when it was learnt (Audemard and Simon 2009).
    pub spread: u32,
    /// Conflicts since which it was used last.
    pub used: u64,
}

/// A constraint that watches a literal, and one of its literals that is often true.
#[derive(Copy, Clone, Debug)]
pub(super) struct Watcher {
    pub id: ConstraintId,
    pub blocker: Literal,
}

pub(super) struct Store {
    constraints: Vec<Constraint>,
    literals: Vec<Literal>,
    /// By literal: constraints that watch it, and some that did.
    watchers: Vec<Vec<Watcher>>,
}

impl Store {
    pub fn new(variables: usize) -> Self {
        Self {
            constraints: Vec::new(),
            literals: Vec::new(),
            watchers: vec![Vec::new(); 2 * variables],
        }
    }

    pub fn get(&self, id: ConstraintId) -> &Constraint {
        &self.constraints[id.0 as usize]
    }

    pub fn get_mut(&mut self, id: ConstraintId) -> &mut Constraint {
        &mut self.constraints[id.0 as usize]
    }

    pub fn literals(&self, id: ConstraintId) -> &[Literal] {
        self.literals_of(self.get(id))
    }

    pub fn literals_of(&self, constraint: &Constraint) -> &[Literal] {
        let start = constraint.start as usize;
        &self.literals[start..start + constraint.length as usize]
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

    /// Adds a constraint of an owner and watches two of its literals.
    pub fn add(
        &mut self,
        owner: Quantifier,
        literals: &[Literal],
        watched: [Literal; 2],
    ) -> ConstraintId {
        let start = u32::try_from(self.literals.len()).expect("invariant: literals fit 32 bits");
        self.literals.extend_from_slice(literals);
        let id = ConstraintId::new(self.constraints.len());
        self.constraints.push(Constraint {
            owner,
            start,
            length: literals.len() as u32,
            resume: 0,
            watched,
            learnt: false,
            spread: 0,
            used: 0,
        });
        self.enter(id);
        id
    }

    /// Adds a constraint without literals: its owner has lost.
    pub fn add_empty(&mut self, owner: Quantifier) {
        self.constraints.push(Constraint {
            owner,
            start: 0,
            length: 0,
            resume: 0,
            watched: [Literal::default(); 2],
            learnt: false,
            spread: 0,
            used: 0,
        });
    }

    fn enter(&mut self, id: ConstraintId) {
        let [first, second] = self.get(id).watched;
        let watcher = |blocker| Watcher { id, blocker };
        self.watchers[first.index()].push(watcher(second));
        if second != first {
            self.watchers[second.index()].push(watcher(first));
        }
    }

    /// Hands out the watchers of a literal, to be given back by [`Store::put_watchers`].
    pub fn take_watchers(&mut self, literal: Literal) -> Vec<Watcher> {
        std::mem::take(&mut self.watchers[literal.index()])
    }

    /// Gives watchers back; none can have joined in the meantime, because the literal is false.
    pub fn put_watchers(&mut self, literal: Literal, watchers: Vec<Watcher>) {
        debug_assert!(self.watchers[literal.index()].is_empty());
        self.watchers[literal.index()] = watchers;
    }

    /// Watches other literals; entries of those that are not watched any more go when met.
    pub fn watch(&mut self, id: ConstraintId, watched: [Literal; 2]) {
        let before = std::mem::replace(&mut self.get_mut(id).watched, watched);
        for (literal, blocker) in [(watched[0], watched[1]), (watched[1], watched[0])] {
            if !before.contains(&literal) {
                self.watchers[literal.index()].push(Watcher { id, blocker });
            }
        }
    }

    /// Keeps the constraints for which `keep` is true; the result tells where each has gone.
    pub fn retain(&mut self, keep: impl Fn(ConstraintId) -> bool) -> Vec<Option<ConstraintId>> {
        let before = std::mem::take(&mut self.constraints);
        let literals = std::mem::take(&mut self.literals);
        self.watchers.iter_mut().for_each(Vec::clear);
        let mut moved = vec![None; before.len()];
        for (place, constraint) in before.into_iter().enumerate() {
            if keep(ConstraintId::new(place)) {
                let start = constraint.start as usize;
                let own = start..start + constraint.length as usize;
                let start = self.literals.len() as u32;
                self.literals.extend_from_slice(&literals[own]);
                let id = ConstraintId::new(self.constraints.len());
                self.constraints.push(Constraint {
                    start,
                    ..constraint
                });
                self.enter(id);
                moved[place] = Some(id);
            }
        }
        moved
    }
}

impl ConstraintId {
    /// The id of the `index`-th constraint. Clauses of the formula come first, in their order.
    pub fn new(index: usize) -> Self {
        Self(u32::try_from(index).expect("invariant: constraints fit 32 bits"))
    }

    /// The place.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}
