//! The assignment: literals in the order in which they became true, cut into levels by decisions.
//!
//! **Invariant:** level 0 has no decision; every literal of another level stands behind the
//! decision that opened the level, and has a reason unless it is that decision.

use super::literal::Literal;
use super::store::ConstraintId;
use crate::program::{Id, VarId};

/// What is known about a literal.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Truth {
    Open,
    True,
    False,
}

pub(super) struct Trail {
    truths: Vec<Truth>,
    levels: Vec<u32>,
    places: Vec<u32>,
    reasons: Vec<Option<ConstraintId>>,
    literals: Vec<Literal>,
    level_starts: Vec<usize>,
    /// The first literal whose consequences are not drawn yet.
    pub head: usize,
}

impl Trail {
    pub fn new(variables: usize) -> Self {
        Self {
            truths: vec![Truth::Open; 2 * variables],
            levels: vec![0; variables],
            places: vec![0; variables],
            reasons: vec![None; variables],
            literals: Vec::with_capacity(variables),
            level_starts: Vec::new(),
            head: 0,
        }
    }

    pub fn truth(&self, literal: Literal) -> Truth {
        self.truths[literal.index()]
    }

    pub fn is_open(&self, var: VarId) -> bool {
        self.truths[2 * var.index()] == Truth::Open
    }

    /// The level of an assigned literal.
    pub fn level(&self, literal: Literal) -> u32 {
        self.levels[literal.var().index()]
    }

    /// When an assigned literal was assigned.
    pub fn place(&self, literal: Literal) -> u32 {
        self.places[literal.var().index()]
    }

    pub fn reason(&self, literal: Literal) -> Option<ConstraintId> {
        self.reasons[literal.var().index()]
    }

    pub fn literals(&self) -> &[Literal] {
        &self.literals
    }

    /// The level that is open now.
    pub fn depth(&self) -> u32 {
        self.level_starts.len() as u32
    }

    /// The decision that opened a level other than 0.
    pub fn decision(&self, level: u32) -> Literal {
        self.literals[self.level_starts[level as usize - 1]]
    }

    pub fn open_level(&mut self) {
        self.level_starts.push(self.literals.len());
    }

    /// Makes an open literal true.
    pub fn assign(&mut self, literal: Literal, reason: Option<ConstraintId>) {
        debug_assert_eq!(self.truth(literal), Truth::Open);
        let var = literal.var().index();
        self.truths[literal.index()] = Truth::True;
        self.truths[literal.negated().index()] = Truth::False;
        self.levels[var] = self.depth();
        self.places[var] = self.literals.len() as u32;
        self.reasons[var] = reason;
        self.literals.push(literal);
    }

    /// Follows constraints to their new places; all reasons must have one.
    pub fn move_reasons(&mut self, moved: impl Fn(ConstraintId) -> Option<ConstraintId>) {
        for literal in &self.literals {
            let reason = &mut self.reasons[literal.var().index()];
            *reason = reason.and_then(&moved);
        }
    }

    /// Takes back the levels above `level`; `on_open` learns which literals were true.
    pub fn return_to(&mut self, level: u32, mut on_open: impl FnMut(Literal)) {
        let Some(&start) = self.level_starts.get(level as usize) else {
            return;
        };
        for literal in self.literals.drain(start..) {
            self.truths[literal.index()] = Truth::Open;
            self.truths[literal.negated().index()] = Truth::Open;
            on_open(literal);
        }
        self.level_starts.truncate(level as usize);
        self.head = start;
    }
}
