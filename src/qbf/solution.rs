//! A cube from a complete assignment that satisfies all clauses.
//!
//! The cube is a set of true literals that hits every clause: whoever brings them about has won
//! for the existential player. In the universal player's view it is a lost constraint of the
//! negated literals. Few of them should be his own, and the others as deep as possible, because
//! those behind his last one are dropped.

use super::Engine;
use super::literal::Literal;
use super::trail::Truth;
use crate::program::Quantifier;

impl Engine<'_> {
    /// The negations of true literals that hit every clause.
    ///
    /// Pre: the assignment is complete and no constraint is lost.
    pub(super) fn cover(&mut self) -> Vec<Literal> {
        let mut cover: Vec<Literal> = Vec::new();
        let originals = self.store.iter().filter(|constraint| !constraint.learnt);
        for clause in originals {
            if clause
                .literals
                .iter()
                .any(|literal| self.marked[literal.index()])
            {
                continue;
            }
            let is_true = |&&literal: &&Literal| self.trail.truth(literal) == Truth::True;
            let best = clause.literals.iter().filter(is_true);
            let best = best.max_by_key(|&&literal| self.worth_in_cover(literal));
            let best = *best.expect("invariant: a clause without a true literal is lost");
            self.marked[best.index()] = true;
            cover.push(best);
        }
        for literal in &mut cover {
            self.marked[literal.index()] = false;
            *literal = literal.negated();
        }
        cover
    }

    fn worth_in_cover(&self, literal: Literal) -> (bool, i64) {
        let block = i64::from(self.prefix.block(literal));
        match self.prefix.owner(literal) {
            Quantifier::Exists => (true, block),
            Quantifier::Forall => (false, -block),
        }
    }
}
