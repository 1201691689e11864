//! Literals, and what the prefix says about their variables.

use crate::program::{Id, IdVec, Program, Quantifier, VarId};

/// A variable or its negation.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
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

    /// A place of its own in tables of literals.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// Who owns a variable, and how deep it stands.
pub(super) struct Prefix {
    owners: IdVec<VarId, Quantifier>,
    blocks: IdVec<VarId, u32>,
}

impl Prefix {
    pub fn new(program: &Program) -> Self {
        let owners = program
            .variables()
            .iter()
            .map(|variable| variable.quantifier);
        let numbered = program.blocks().pairs();
        let blocks =
            numbered.flat_map(|(id, block)| block.variables().map(move |_| id.index() as u32));
        Self {
            owners: IdVec::from_vec(owners.collect()),
            blocks: IdVec::from_vec(blocks.collect()),
        }
    }

    pub fn len(&self) -> usize {
        self.owners.len()
    }

    pub fn owner(&self, literal: Literal) -> Quantifier {
        self.owners[literal.var()]
    }

    /// The block of the literal's variable; 0 is outermost.
    pub fn block(&self, literal: Literal) -> u32 {
        self.blocks[literal.var()]
    }
}
