//! The formula as both players see it: choices, gates, and clauses of which one fails or none.

use crate::program::{Id, Quantifier, VarId};
use crate::qbf::gates::Gates;
use crate::qbf::literal::Literal;
use crate::qbf::matrix::Matrix;

/// A run of choices of one player.
pub(super) struct Block {
    pub owner: Quantifier,
    pub vars: Vec<VarId>,
    /// The number of the first of them among all choices.
    pub first: usize,
}

/// What a variable is made of.
///
/// Each term is a set of literals. The gate is true where all literals of one of the `ones` are true,
/// false where all of one of the `zeros` are; one of the two is always the case.
pub(super) struct Gate {
    pub var: VarId,
    pub ones: Vec<Vec<Literal>>,
    pub zeros: Vec<Vec<Literal>>,
}

/// See the module.
///
/// **Invariant:** neighbouring blocks have different owners, and every variable that occurs is a choice
/// or a gate; inputs of gates come before them.
pub(super) struct Formula {
    pub blocks: Vec<Block>,
    pub gates: Vec<Gate>,
    /// Clauses that define no gate. The existential player wins if all of them hold.
    pub clauses: Vec<Vec<Literal>>,
    /// The number of a choice, by variable.
    choices: Vec<Option<u32>>,
}

impl Formula {
    pub fn new(matrix: &Matrix, gates: &Gates) -> Self {
        let gate = |&var: &VarId| {
            let definition = gates.definitions[var.index()].iter();
            let definition = definition.map(|&number| matrix.clauses[number].as_slice());
            Gate {
                var,
                ones: terms(definition.clone(), Literal::new(var, true)),
                zeros: terms(definition, Literal::new(var, false)),
            }
        };
        let numbered = matrix.clauses.iter().zip(&gates.is_definition);
        let others = numbered.filter(|(_, is_definition)| !**is_definition);
        let mut formula = Self {
            blocks: Vec::new(),
            gates: gates.order.iter().map(gate).collect(),
            clauses: others.map(|(clause, _)| clause.clone()).collect(),
            choices: vec![None; matrix.prefix.len()],
        };
        formula.set_blocks(matrix, gates);
        formula
    }

    fn set_blocks(&mut self, matrix: &Matrix, gates: &Gates) {
        let mut occurs = vec![false; matrix.prefix.len()];
        for literal in matrix.clauses.iter().flatten() {
            occurs[literal.var().index()] = true;
        }
        let vars = matrix.prefix.vars();
        let is_choice =
            |var: &VarId| occurs[var.index()] && gates.definitions[var.index()].is_empty();
        let mut choices: Vec<VarId> = vars.filter(is_choice).collect();
        choices.sort_by_key(|&var| matrix.prefix.block_of(var));
        for (number, var) in choices.into_iter().enumerate() {
            self.choices[var.index()] = Some(number as u32);
            let owner = matrix.prefix.owner(Literal::new(var, true));
            match self.blocks.last_mut().filter(|block| block.owner == owner) {
                Some(block) => block.vars.push(var),
                None => self.blocks.push(Block {
                    owner,
                    vars: vec![var],
                    first: number,
                }),
            }
        }
    }

    /// The number of a variable among the choices, unless it is a gate.
    pub fn choice(&self, var: VarId) -> Option<usize> {
        self.choices[var.index()].map(|number| number as usize)
    }

    /// How many variables there are.
    pub fn variables(&self) -> usize {
        self.choices.len()
    }

    /// How many choices there are.
    pub fn choices(&self) -> usize {
        self.blocks.last().map_or(0, |it| it.first + it.vars.len())
    }

    /// Whether the existential player has won when choices have these values, by number.
    pub fn holds(&self, value: impl Fn(usize) -> bool) -> bool {
        let mut values = vec![false; self.choices.len()];
        for block in &self.blocks {
            for (place, var) in block.vars.iter().enumerate() {
                values[var.index()] = value(block.first + place);
            }
        }
        let is_true = |values: &[bool], it: &Literal| values[it.var().index()] == it.is_positive();
        for gate in &self.gates {
            let mut ones = gate.ones.iter();
            values[gate.var.index()] = ones.any(|term| term.iter().all(|it| is_true(&values, it)));
        }
        let mut clauses = self.clauses.iter();
        clauses.all(|clause| clause.iter().any(|it| is_true(&values, it)))
    }
}

/// What makes a literal true by these clauses: where all others of one are false.
fn terms<'c>(clauses: impl Iterator<Item = &'c [Literal]>, literal: Literal) -> Vec<Vec<Literal>> {
    let with = clauses.filter(|clause| clause.contains(&literal));
    let term = |clause: &[Literal]| {
        let others = clause.iter().filter(|&&it| it != literal);
        others.map(|it| it.negated()).collect()
    };
    with.map(term).collect()
}
