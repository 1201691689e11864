//! Gate definitions among the clauses.
//!
//! A variable is *defined* when some clauses leave it exactly one value, whatever the variables
//! before it are: `g = and(…)` of literals, or `g = if c then t else e`, of which `g = a xor b` is
//! a case. Its owner has no choice there, so a cube needs no word about it unless something depends
//! on it; see [`solution`](super::solution) and [`dual`](super::dual).
//!
//! **Invariant:** the inputs of a definition stand in the blocks up to the variable's, definitions
//! never go in circles, and a clause belongs to one definition or to none.

use rustc_hash::FxHashMap;

use super::literal::{Literal, Prefix};
use crate::program::{Id, Quantifier, VarId};

/// A clause by its number.
pub(super) type ClauseNumber = usize;

/// How many variables are looked at, over all definitions, to see that they make no circle. Most
/// need no look, because their gate has the highest number.
const STEPS: usize = 1_000_000;

pub(super) struct Gates {
    /// The clauses that define a variable, by variable; empty if it is not defined.
    pub definitions: Vec<Vec<ClauseNumber>>,
    /// Whether a clause is part of a definition.
    pub is_definition: Vec<bool>,
    /// What a defined variable is made of, by variable.
    pub inputs: Vec<Vec<VarId>>,
    /// Defined variables, inputs first.
    pub order: Vec<VarId>,
    /// Some definition has an input with a higher number than its gate.
    mixed: bool,
    steps: usize,
}

impl Gates {
    /// Finds definitions. Clauses must have no variable twice.
    pub fn find(prefix: &Prefix, clauses: &[Vec<Literal>]) -> Self {
        let mut gates = Self {
            definitions: vec![Vec::new(); prefix.len()],
            is_definition: vec![false; clauses.len()],
            inputs: vec![Vec::new(); prefix.len()],
            order: Vec::new(),
            mixed: false,
            steps: 0,
        };
        let known = Known::new(clauses);
        // Where a clause may define several variables, the last one is meant more often.
        for last_only in [true, false] {
            for number in 0..clauses.len() {
                gates.find_at(prefix, clauses, number, &known, last_only);
            }
        }
        gates.sort();
        gates
    }

    fn find_at(
        &mut self,
        prefix: &Prefix,
        clauses: &[Vec<Literal>],
        number: ClauseNumber,
        known: &Known,
        last_only: bool,
    ) {
        let clause = &clauses[number];
        let last = clause.iter().max_by_key(|literal| literal.var()).copied();
        for &gate in clause {
            if self.is_definition[number] {
                return;
            }
            let is_candidate = (Some(gate) == last) == last_only
                && clause.len() > 1
                && prefix.owner(gate) == Quantifier::Exists
                && self.definitions[gate.var().index()].is_empty();
            if !is_candidate {
                continue;
            }
            let found = known.conjunction(number, clause, gate);
            if let Some(found) = found.or_else(|| known.choice(clause, gate)) {
                self.accept(prefix, clauses, gate.var(), found);
            }
        }
    }

    /// Takes a definition that is in order.
    fn accept(
        &mut self,
        prefix: &Prefix,
        clauses: &[Vec<Literal>],
        gate: VarId,
        found: Vec<ClauseNumber>,
    ) {
        let literals = found.iter().flat_map(|&number| &clauses[number]);
        let mut inputs: Vec<VarId> = literals.map(|literal| literal.var()).collect();
        inputs.sort_unstable();
        inputs.dedup();
        inputs.retain(|&var| var != gate);
        let is_last = inputs.iter().all(|&var| var < gate);
        let fits = found.iter().all(|&number| !self.is_definition[number])
            && inputs
                .iter()
                .all(|&var| prefix.block_of(var) <= prefix.block_of(gate))
            && (is_last && !self.mixed || !self.reaches(&inputs, gate));
        if fits {
            for &clause in &found {
                self.is_definition[clause] = true;
            }
            self.definitions[gate.index()] = found;
            self.inputs[gate.index()] = inputs;
            self.mixed |= !is_last;
        }
    }

    /// Whether a variable is an input of one of these, directly or not, as far as can be seen soon.
    fn reaches(&mut self, from: &[VarId], target: VarId) -> bool {
        let mut open = from.to_vec();
        let mut seen = rustc_hash::FxHashSet::default();
        while let Some(var) = open.pop() {
            if var == target || self.steps > STEPS {
                return true;
            }
            self.steps += 1;
            if seen.insert(var) {
                open.extend(&self.inputs[var.index()]);
            }
        }
        false
    }

    fn sort(&mut self) {
        let mut done = vec![false; self.inputs.len()];
        for var in (0..self.inputs.len()).map(VarId::new) {
            let mut open = vec![(var, false)];
            while let Some((var, ready)) = open.pop() {
                if done[var.index()] || self.definitions[var.index()].is_empty() {
                    continue;
                }
                if ready {
                    done[var.index()] = true;
                    self.order.push(var);
                } else {
                    open.push((var, true));
                    open.extend(self.inputs[var.index()].iter().map(|&input| (input, false)));
                }
            }
        }
    }
}

/// Short clauses by their literals.
struct Known {
    pairs: FxHashMap<[Literal; 2], ClauseNumber>,
    triples: FxHashMap<[Literal; 3], ClauseNumber>,
    /// For two literals `a ≤ b` of a triple: the third ones.
    thirds: FxHashMap<[Literal; 2], Vec<Literal>>,
}

impl Known {
    fn new(clauses: &[Vec<Literal>]) -> Self {
        let mut known = Self {
            pairs: FxHashMap::default(),
            triples: FxHashMap::default(),
            thirds: FxHashMap::default(),
        };
        for (number, clause) in clauses.iter().enumerate() {
            match *clause.as_slice() {
                [a, b] => {
                    known.pairs.insert(sorted([a, b]), number);
                }
                [a, b, c] => {
                    known.triples.insert(sorted([a, b, c]), number);
                    for (pair, third) in [([a, b], c), ([a, c], b), ([b, c], a)] {
                        known.thirds.entry(sorted(pair)).or_default().push(third);
                    }
                }
                _ => {}
            }
        }
        known
    }

    /// `(g ∨ ¬a ∨ ¬b …)` with `(¬g ∨ a)`, `(¬g ∨ b)`, …, for the literal `g`.
    fn conjunction(
        &self,
        number: ClauseNumber,
        clause: &[Literal],
        gate: Literal,
    ) -> Option<Vec<ClauseNumber>> {
        let inputs = clause.iter().filter(|&&literal| literal != gate);
        let pair = |input: &Literal| {
            let key = sorted([input.negated(), gate.negated()]);
            self.pairs.get(&key).copied()
        };
        let mut found = inputs.map(pair).collect::<Option<Vec<_>>>()?;
        found.push(number);
        Some(found)
    }

    /// `(g ∨ c ∨ e)`, `(¬g ∨ c ∨ ¬e)` and `(g ∨ ¬c ∨ t)`, `(¬g ∨ ¬c ∨ ¬t)`, with what they imply.
    fn choice(&self, clause: &[Literal], gate: Literal) -> Option<Vec<ClauseNumber>> {
        let &[a, b, c] = clause else {
            return None;
        };
        let others: Vec<Literal> = [a, b, c].into_iter().filter(|&it| it != gate).collect();
        let triple = |literals: [Literal; 3]| self.triples.get(&sorted(literals)).copied();
        for (condition, other) in [(others[0], others[1]), (others[1], others[0])] {
            let Some(second) = triple([gate.negated(), condition, other.negated()]) else {
                continue;
            };
            let first = triple([gate, condition, other])?;
            let key = sorted([gate, condition.negated()]);
            for &then in self.thirds.get(&key).into_iter().flatten() {
                let fourth = triple([gate.negated(), condition.negated(), then.negated()]);
                let Some(fourth) = fourth else {
                    continue;
                };
                let third = triple([gate, condition.negated(), then])?;
                let mut found = vec![first, second, third, fourth];
                found.extend(triple([gate, then, other]));
                found.extend(triple([gate.negated(), then.negated(), other.negated()]));
                return Some(found);
            }
        }
        None
    }
}

fn sorted<const N: usize>(mut literals: [Literal; N]) -> [Literal; N] {
    literals.sort_unstable();
    literals
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::qbf::matrix::tests::matrix;

    /// The defined variables of a text.
    fn defined(text: &str) -> Vec<usize> {
        let matrix = matrix(text);
        let gates = Gates::find(&matrix.prefix, &matrix.clauses);
        gates.order.into_iter().map(|var| var.index() + 1).collect()
    }

    #[test]
    fn conjunctions_choices_and_parities_define_their_gate() {
        let and = "p cnf 3 3\na 1 2 0\ne 3 0\n3 -1 -2 0\n-3 1 0\n-3 2 0\n";
        let xor = "p cnf 3 4\na 1 2 0\ne 3 0\n3 1 -2 0\n3 -1 2 0\n-3 1 2 0\n-3 -1 -2 0\n";
        let ite = "p cnf 4 4\na 1 2 3 0\ne 4 0\n-4 -1 2 0\n-4 1 3 0\n4 -1 -2 0\n4 1 -3 0\n";
        for (text, gate) in [(and, 3), (xor, 3), (ite, 4)] {
            assert_eq!(defined(text), [gate], "{text}");
        }
    }

    #[test]
    fn a_gate_needs_all_its_clauses_and_its_inputs_first() {
        assert!(defined("p cnf 3 2\na 1 2 0\ne 3 0\n3 -1 -2 0\n-3 1 0\n").is_empty());
        assert!(defined("p cnf 3 3\ne 3 0\na 1 2 0\n3 -1 -2 0\n-3 1 0\n-3 2 0\n").is_empty());
    }

    #[test]
    fn inputs_come_first_whatever_the_numbers_are_and_circles_are_left_open() {
        let chain =
            "p cnf 4 6\na 4 3 0\ne 1 2 0\n2 -4 -3 0\n-2 4 0\n-2 3 0\n1 -2 -3 0\n-1 2 0\n-1 3 0\n";
        // Counted in the order of the prefix.
        assert_eq!(defined(chain), [4, 3]);
        let circle =
            "p cnf 3 6\na 3 0\ne 1 2 0\n2 -1 -3 0\n-2 1 0\n-2 3 0\n1 2 3 0\n-1 -2 0\n-1 -3 0\n";
        assert_eq!(defined(circle).len(), 1);
    }
}
