//! Variables that have one sign only where they are decided.
//!
//! In a position some clauses hold already. If a variable that is to be decided occurs in the others
//! with one sign only, its owner needs no second try: the existential player satisfies those clauses, the
//! universal one does not. Only the first value to try is taken from that. A pure literal that is
//! assigned without being decided would need reasons that hold where it was not pure; as a decision
//! it needs none, and learning refutes it like any other.

use super::engine::Engine;
use super::literal::Literal;
use super::store::ConstraintId;
use super::trail::Truth;
use crate::program::{Quantifier, VarId};

/// Occurrences that are looked at; a variable with more is hardly ever pure.
const MOST: usize = 64;

/// Where literals occur in the clauses of the formula, by literal.
pub(super) struct Occurrences(Vec<Vec<ConstraintId>>);

impl Occurrences {
    pub fn new(variables: usize, clauses: &[Vec<Literal>]) -> Self {
        let mut places = vec![Vec::new(); 2 * variables];
        for (number, clause) in clauses.iter().enumerate() {
            for literal in clause {
                places[literal.index()].push(ConstraintId::new(number));
            }
        }
        Self(places)
    }
}

impl Engine<'_> {
    /// The literal by which the owner of a variable decides it at no risk, if it is pure here.
    pub(super) fn pure_literal(&self, var: VarId) -> Option<Literal> {
        let [positive, negative] = [true, false].map(|sign| Literal::new(var, sign));
        let present = match [positive, negative].map(|literal| self.is_needed(literal)) {
            [true, false] => positive,
            [false, true] => negative,
            _ => return None,
        };
        match self.prefix.owner(present) {
            Quantifier::Exists => Some(present),
            Quantifier::Forall => Some(present.negated()),
        }
    }

    /// Whether a clause with this literal does not hold yet.
    fn is_needed(&self, literal: Literal) -> bool {
        let places = &self.occurrences.0[literal.index()];
        let holds = |&id: &ConstraintId| {
            let mut literals = self.store.literals(id).iter();
            literals.any(|&it| self.trail.truth(it) == Truth::True)
        };
        places.len() > MOST || !places.iter().all(holds)
    }
}
