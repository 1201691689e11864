//! Gate definitions among the clauses.
//!
//! A variable is *defined* when some clauses leave it exactly one value, whatever the variables
//! before it are: `g = and(…)` of literals, or `g = a xor b`. Its owner has no choice there, so a
//! cube needs no word about it unless something depends on it; see [`solution`](super::solution).
//!
//! **Invariant:** the inputs of a definition stand before the variable in the prefix, so that
//! definitions never go in circles, and a clause belongs to the definition of its last variable
//! or to none.

use itertools::Itertools;
use rustc_hash::{FxHashMap, FxHashSet};

use super::literal::{Literal, Prefix};
use crate::program::{Id, Quantifier, VarId};

/// A clause by its number.
pub(super) type ClauseNumber = usize;

pub(super) struct Gates {
    /// The clauses that define a variable, by variable; empty if it is not defined.
    pub definitions: Vec<Vec<ClauseNumber>>,
    /// Whether a clause is part of a definition.
    pub is_definition: Vec<bool>,
}

impl Gates {
    /// Finds definitions. Literals of a clause must be sorted by variable and without repetition.
    pub fn find(prefix: &Prefix, clauses: &[Vec<Literal>]) -> Self {
        let mut gates = Self {
            definitions: vec![Vec::new(); prefix.len()],
            is_definition: vec![false; clauses.len()],
        };
        gates.find_conjunctions(prefix, clauses);
        gates.find_parities(prefix, clauses);
        gates
    }

    fn accept(&mut self, var: VarId, clauses: Vec<ClauseNumber>) {
        for &clause in &clauses {
            self.is_definition[clause] = true;
        }
        self.definitions[var.index()] = clauses;
    }

    fn is_free(&self, prefix: &Prefix, last: Literal) -> bool {
        self.definitions[last.var().index()].is_empty() && prefix.owner(last) == Quantifier::Exists
    }

    /// `(g ∨ ¬a ∨ ¬b …)` with `(¬g ∨ a)`, `(¬g ∨ b)`, …, for `g` or its negation.
    fn find_conjunctions(&mut self, prefix: &Prefix, clauses: &[Vec<Literal>]) {
        let pairs = clauses.iter().enumerate().filter_map(|(number, clause)| {
            let &[first, second] = clause.as_slice() else {
                return None;
            };
            Some(((first, second), number))
        });
        let pairs: FxHashMap<(Literal, Literal), ClauseNumber> = pairs.collect();
        for (number, clause) in clauses.iter().enumerate() {
            let Some((&last, inputs)) = clause.split_last() else {
                continue;
            };
            if inputs.is_empty() || !self.is_free(prefix, last) {
                continue;
            }
            let pair = |input: &Literal| pairs.get(&(input.negated(), last.negated())).copied();
            if let Some(mut found) = inputs.iter().map(pair).collect::<Option<Vec<_>>>() {
                found.push(number);
                self.accept(last.var(), found);
            }
        }
    }

    /// Four clauses over three variables whose numbers of negations are all even or all odd.
    fn find_parities(&mut self, prefix: &Prefix, clauses: &[Vec<Literal>]) {
        let triples = clauses
            .iter()
            .enumerate()
            .filter(|(_, clause)| clause.len() == 3);
        let key = |clause: &[Literal]| {
            let negations = clause
                .iter()
                .filter(|literal| !literal.is_positive())
                .count();
            let vars: Vec<VarId> = clause.iter().map(|literal| literal.var()).collect();
            (vars, negations % 2)
        };
        let by_key = triples.map(|(number, clause)| (key(clause), number));
        let groups = by_key.into_group_map();
        let mut groups: Vec<_> = groups.into_values().collect();
        groups.sort_unstable();
        for group in groups {
            let distinct: FxHashSet<&[Literal]> = group
                .iter()
                .map(|&number| clauses[number].as_slice())
                .collect();
            let last = clauses[group[0]].last().copied();
            if let Some(last) =
                last.filter(|&last| distinct.len() == 4 && self.is_free(prefix, last))
            {
                self.accept(last.var(), group);
            }
        }
    }
}
