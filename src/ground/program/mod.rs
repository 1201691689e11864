//! The exact, validated, immutable quantified program.
//!
//! Everything that solves, writes or checks starts from a [`Program`]; everything that reads or
//! models ends in one. [`ProgramData`] is the same content before validation.
//!
//! **Invariant:** a `Program` has unique well-formed names, normalized rows and only such infinite
//! bounds as the definition allows. Its content never changes after [`Program::new`].

mod class;
mod conditional;
mod error;
mod fingerprint;
mod ids;
mod names;
mod rationalized;
mod row;
mod scaled;
mod sides;
mod variable;

pub use class::Components;
pub use class::{Class, Shape};
pub use conditional::{OpenEnd, relaxed};
pub use error::ProgramError;
pub use ids::{BlockId, Id, IdVec, RowId, VarId};
pub use names::{NameFault, check_name, is_reserved};
pub use rationalized::Reread;
pub use row::{Objective, Row, Sense, Term, cost_of_objective, evaluate, normalized};
pub use scaled::reach;
pub use scaled::{ScaledRow, ScalingError};
pub use sides::Side;
pub use variable::{Bounds, Kind, Quantifier, Variable};

use std::ops::Range;

use num_traits::Zero;

use crate::num::Rational;

/// The content of a program, not validated yet.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProgramData {
    /// In the order in which they are fixed: the quantifier prefix.
    pub variables: Vec<Variable>,
    /// The existential system.
    pub rows: Vec<Row>,
    /// The universal system.
    pub universal_rows: Vec<Row>,
    /// `None` asks only who wins.
    pub objective: Option<Objective>,
}

/// A maximal run of variables with the same quantifier.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// The player who fixes the block.
    pub quantifier: Quantifier,
    first: usize,
    end: usize,
}

impl Block {
    /// The variables of the block, in order.
    pub fn variables(&self) -> impl DoubleEndedIterator<Item = VarId> + ExactSizeIterator + use<> {
        (self.first..self.end).map(VarId::new)
    }

    /// The places in the prefix that the block covers.
    pub fn range(&self) -> Range<usize> {
        self.first..self.end
    }

    /// Whether `var` belongs to the block.
    pub fn contains(&self, var: VarId) -> bool {
        self.range().contains(&var.index())
    }

    /// How many variables it has; never zero.
    #[expect(clippy::len_without_is_empty, reason = "a block is never empty")]
    pub fn len(&self) -> usize {
        self.end - self.first
    }
}

/// A quantified program: see the module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    variables: IdVec<VarId, Variable>,
    blocks: IdVec<BlockId, Block>,
    rows: IdVec<RowId, Row>,
    universal_rows: IdVec<RowId, Row>,
    objective: Option<Objective>,
}

impl Program {
    /// Validates `data`; reports everything that is wrong with it, not only the first fault.
    ///
    /// ```
    /// use quip::num::int;
    /// use quip::program::*;
    ///
    /// let y = Variable {
    ///     name: "y".into(),
    ///     quantifier: Quantifier::Forall,
    ///     kind: Kind::Integer,
    ///     bounds: Bounds::between(int(0), int(2)),
    /// };
    /// let x = Variable { name: "x".into(), quantifier: Quantifier::Exists, ..y.clone() };
    /// let row = Row::equal(vec![(VarId::new(0), int(1)), (VarId::new(1), int(-1))], int(0));
    /// let program = Program::new(ProgramData {
    ///     variables: vec![y, x],
    ///     rows: vec![row],
    ///     ..ProgramData::default()
    /// })?;
    /// assert_eq!(program.blocks().len(), 2);
    /// # Ok::<(), Vec<ProgramError>>(())
    /// ```
    pub fn new(data: ProgramData) -> Result<Self, Vec<ProgramError>> {
        let faults = error::faults(&data);
        if !faults.is_empty() {
            return Err(faults);
        }
        let normalize = |rows: Vec<Row>| {
            let normalize_row = |row: Row| Row {
                terms: normalized(row.terms),
                ..row
            };
            IdVec::from_vec(rows.into_iter().map(normalize_row).collect())
        };
        let objective = data.objective.map(|objective| Objective {
            terms: normalized(objective.terms),
            ..objective
        });
        Ok(Self {
            blocks: blocks_of(&data.variables),
            variables: IdVec::from_vec(data.variables),
            rows: normalize(data.rows),
            universal_rows: normalize(data.universal_rows),
            objective,
        })
    }

    /// The content, to change and validate anew.
    pub fn into_data(self) -> ProgramData {
        ProgramData {
            variables: self.variables.iter().cloned().collect(),
            rows: self.rows.iter().cloned().collect(),
            universal_rows: self.universal_rows.iter().cloned().collect(),
            objective: self.objective,
        }
    }

    /// The variables in the order in which they are fixed.
    pub fn variables(&self) -> &IdVec<VarId, Variable> {
        &self.variables
    }

    /// The prefix, with the real variables of a block after its integer ones: inside a block the
    /// order does not change the value.
    pub fn playing_order(&self) -> Vec<VarId> {
        let mut order: Vec<VarId> = self.variables.ids().collect();
        for block in &self.blocks {
            order[block.range()].sort_by_key(|var| self.variables[*var].kind == Kind::Real);
        }
        order
    }

    /// The blocks, outermost first.
    pub fn blocks(&self) -> &IdVec<BlockId, Block> {
        &self.blocks
    }

    /// The existential system.
    pub fn rows(&self) -> &IdVec<RowId, Row> {
        &self.rows
    }

    /// The universal system.
    pub fn universal_rows(&self) -> &IdVec<RowId, Row> {
        &self.universal_rows
    }

    /// The system that `owner` must keep alive.
    pub fn system(&self, owner: Quantifier) -> &IdVec<RowId, Row> {
        match owner {
            Quantifier::Exists => &self.rows,
            Quantifier::Forall => &self.universal_rows,
        }
    }

    /// The objective, unless the program only asks who wins.
    pub fn objective(&self) -> Option<&Objective> {
        self.objective.as_ref()
    }

    /// The variable of that name.
    pub fn find(&self, name: &str) -> Option<VarId> {
        self.variables
            .pairs()
            .find(|(_, variable)| variable.name == name)
            .map(|(id, _)| id)
    }

    /// What to call a row when speaking to people: its name, or its number.
    pub fn row_label(&self, owner: Quantifier, row: RowId) -> String {
        match (&self.system(owner)[row].name, owner) {
            (Some(name), _) => format!("`{name}`"),
            (None, Quantifier::Exists) => format!("number {}", row.index() + 1),
            (None, Quantifier::Forall) => format!("number {} of the uncertainty", row.index() + 1),
        }
    }

    /// The objective's value of a complete play; zero when there is no objective.
    pub fn objective_value(&self, play: &IdVec<VarId, Rational>) -> Rational {
        match &self.objective {
            Some(objective) => &objective.constant + evaluate(&objective.terms, |var| &play[var]),
            None => Rational::zero(),
        }
    }

    /// The owners of variables that have no value to take. Their systems are dead; for the system
    /// of the other player such a variable is free.
    pub fn lacking(&self) -> Vec<Quantifier> {
        let empty = self.variables.iter().filter(|it| it.has_empty_domain());
        empty.map(|variable| variable.quantifier).collect()
    }

    /// The owner of the first variable.
    pub fn first_mover(&self) -> Option<Quantifier> {
        self.blocks.iter().next().map(|block| block.quantifier)
    }

    /// The first variable, in order, that has no value to take: the game is decided without a move.
    pub fn first_empty_domain(&self) -> Option<VarId> {
        self.variables
            .pairs()
            .find(|(_, variable)| variable.has_empty_domain())
            .map(|(id, _)| id)
    }
}

fn blocks_of(variables: &[Variable]) -> IdVec<BlockId, Block> {
    let mut blocks: Vec<Block> = Vec::new();
    for (place, variable) in variables.iter().enumerate() {
        match blocks.last_mut() {
            Some(block) if block.quantifier == variable.quantifier => block.end = place + 1,
            _ => blocks.push(Block {
                quantifier: variable.quantifier,
                first: place,
                end: place + 1,
            }),
        }
    }
    IdVec::from_vec(blocks)
}
