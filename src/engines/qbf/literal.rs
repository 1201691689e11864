//! Literals, and what the prefix says about their variables.

use crate::program::{Id, Program, Quantifier, VarId};

/// A variable or its negation.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Literal(u32);

impl Literal {
    pub fn new(var: VarId, positive: bool) -> Self {
        let code = var.index() * 2 + usize::from(!positive);
        Self(u32::try_from(code).expect("invariant: variables fit 31 bits"))
    }

    pub fn var(self) -> VarId {
        VarId::new(self.0 as usize / 2)
    }

    pub fn is_positive(self) -> bool {
        self.0.is_multiple_of(2)
    }

    pub fn negated(self) -> Self {
        Self(self.0 ^ 1)
    }

    /// The literal of another variable with this sign.
    pub fn of(self, var: VarId) -> Self {
        Self::new(var, self.is_positive())
    }

    /// A place of its own in tables of literals.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// Who owns a variable, and how deep it stands.
///
/// **Invariant:** even blocks are the existential player's, odd ones the universal player's; 0 or
/// 1 is outermost.
#[derive(Clone, Debug, Default)]
pub(super) struct Prefix {
    blocks: Vec<u32>,
}

impl Prefix {
    pub fn new(program: &Program) -> Self {
        let first = program.blocks().iter().next();
        let shift = u32::from(first.is_some_and(|block| block.quantifier == Quantifier::Forall));
        let numbered = program.blocks().pairs();
        let blocks = numbered
            .flat_map(|(id, block)| block.variables().map(move |_| id.index() as u32 + shift));
        Self {
            blocks: blocks.collect(),
        }
    }

    pub fn len(&self) -> usize {
        self.blocks.len()
    }

    pub fn vars(&self) -> impl Iterator<Item = VarId> + use<> {
        (0..self.len()).map(VarId::new)
    }

    /// A new variable of that block.
    pub fn push(&mut self, block: u32) -> VarId {
        self.blocks.push(block);
        VarId::new(self.blocks.len() - 1)
    }

    /// Moves a variable to another block of its owner.
    pub fn place(&mut self, var: VarId, block: u32) {
        debug_assert!(self.blocks[var.index()] % 2 == block % 2);
        self.blocks[var.index()] = block;
    }

    /// Makes the block of a variable outermost; those before it are behind nobody any more.
    pub fn begin_with(&mut self, first: VarId) {
        let outermost = self.blocks[first.index()];
        let shift = outermost - outermost % 2;
        for block in &mut self.blocks {
            *block = (*block).max(outermost) - shift;
        }
    }

    pub fn owner_of_var(&self, var: VarId) -> Quantifier {
        owner_of(self.block_of(var))
    }

    pub fn owner(&self, literal: Literal) -> Quantifier {
        owner_of(self.block(literal))
    }

    pub fn is_owner(&self, owner: Quantifier, literal: Literal) -> bool {
        self.owner(literal) == owner
    }

    /// The block of the literal's variable.
    pub fn block(&self, literal: Literal) -> u32 {
        self.blocks[literal.index() / 2]
    }

    /// The block of a variable.
    pub fn block_of(&self, var: VarId) -> u32 {
        self.blocks[var.index()]
    }
}

/// Whose block it is.
pub(super) fn owner_of(block: u32) -> Quantifier {
    if block.is_multiple_of(2) {
        Quantifier::Exists
    } else {
        Quantifier::Forall
    }
}

/// The first block of that owner from `block` on.
pub(super) fn block_from(block: u32, owner: Quantifier) -> u32 {
    block + u32::from(owner_of(block) != owner)
}
