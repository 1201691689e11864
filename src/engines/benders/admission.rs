//! Which programs the decomposition takes, and what stands in the way of others.
//!
//! Every existential variable after a universal one must be real: only then is a corner the worst
//! that a universal block can do. Universal rows must keep to one block each and to universal variables, so that what is
//! allowed in a block does not depend on the play; its corners are listed then. Rows that couple
//! blocks are refused: the corners of what is allowed *altogether* are not enough there, because
//! the existential player would learn from an early move what a late one must be.

use super::corners::Corners;
use super::unsupported;
use super::vertices::{self, Listing};
use crate::budget::Budget;
use crate::lp::simplex::{Answer, LinearProgram};
use crate::num::Rational;
use crate::outcome::{Score, SolveError};
use crate::program::{
    Block, BlockId, IdVec, Kind, Program, Quantifier, Row, RowId, VarId, Variable,
};

/// More blocks than this are not walked through one inside the other.
const MAX_BLOCKS: usize = 512;

/// A program that is in the class.
pub(super) struct Admitted {
    /// The universal rows of each block.
    rows: IdVec<BlockId, Vec<RowId>>,
    /// Some universal row without variables does not hold.
    dead: bool,
}

impl Admitted {
    /// Refuses a program that is outside the class, with a sentence that says why.
    pub fn new(program: &Program) -> Result<Self, SolveError> {
        replies_are_real(program)?;
        if program.blocks().len() > MAX_BLOCKS {
            return Err(unsupported(format!(
                "it has {} blocks, and a decomposition of more than {MAX_BLOCKS} would not end",
                program.blocks().len()
            )));
        }
        let mut admitted = Self {
            rows: IdVec::filled(program.blocks().len(), Vec::new()),
            dead: false,
        };
        for (id, row) in program.universal_rows().pairs() {
            match block_of_row(program, id, row)? {
                Some(block) => admitted.rows[block].push(id),
                None => admitted.dead |= !row.admits(&Rational::default()),
            }
        }
        for (id, block) in universal_blocks(program) {
            admitted.listing(program, id, block).check(program)?;
        }
        Ok(admitted)
    }

    fn listing<'a>(&self, program: &'a Program, id: BlockId, block: &Block) -> Listing<'a> {
        let rows = self.rows[id].iter();
        Listing {
            rows: rows.map(|row| &program.universal_rows()[*row]).collect(),
            block: block.clone(),
        }
    }

    /// The corners of every block; a score if the universal player has lost before the first move.
    pub fn corners(
        &self,
        program: &Program,
        budget: &mut Budget,
    ) -> Result<Result<IdVec<BlockId, Corners>, Score>, super::Halt> {
        let mut corners = IdVec::filled(program.blocks().len(), Corners::none());
        let mut dead = self.dead;
        for (id, block) in universal_blocks(program) {
            corners[id] = vertices::corners(program, &self.listing(program, id, block), budget)?;
            dead |= corners[id].count() == Some(0);
        }
        if dead {
            return dead_from_the_start(program, budget).map(Err);
        }
        Ok(Ok(corners))
    }
}

fn universal_blocks(program: &Program) -> impl Iterator<Item = (BlockId, &Block)> {
    let blocks = program.blocks().pairs();
    blocks.filter(|(_, block)| block.quantifier == Quantifier::Forall)
}

fn replies_are_real(program: &Program) -> Result<(), SolveError> {
    let mut universal = None;
    for variable in program.variables() {
        match (variable.quantifier, variable.kind, universal) {
            (Quantifier::Forall, ..) => universal = universal.or(Some(&variable.name)),
            (Quantifier::Exists, Kind::Integer, Some(before)) => {
                return Err(unsupported(format!(
                    "the existential variable `{}` is an integer and comes after the universal \
                     `{before}`; the corners of universal variables are enough only where \
                     everything that is decided after them is real",
                    variable.name
                )));
            }
            _ => {}
        }
    }
    Ok(())
}

/// The block that a universal row is about; `None` if it has no variables.
fn block_of_row(program: &Program, id: RowId, row: &Row) -> Result<Option<BlockId>, SolveError> {
    let mut found: Option<(BlockId, VarId)> = None;
    let label = program.row_label(Quantifier::Forall, id);
    let name = |var: VarId| &program.variables()[var].name;
    for (var, _) in &row.terms {
        if program.variables()[*var].quantifier == Quantifier::Exists {
            return Err(unsupported(format!(
                "universal row {label} mentions the existential variable `{}`; which universal \
                 moves are legal would depend on a value that is not enumerated",
                name(*var)
            )));
        }
        let block = program.blocks().pairs().find(|(_, it)| it.contains(*var));
        let (block, _) = block.expect("invariant: every variable is in a block");
        match found {
            Some((other, first)) if other != block => {
                return Err(unsupported(format!(
                    "universal row {label} couples `{}` with `{}` of a later block; the corners of \
                     what the row allows are not enough then",
                    name(first),
                    name(*var)
                )));
            }
            _ => found = Some((block, *var)),
        }
    }
    Ok(found.map(|(block, _)| block))
}

/// The universal system is dead before the first move. Its owner loses, unless the existential
/// system is dead as well and the existential player has the first move.
fn dead_from_the_start(program: &Program, budget: &mut Budget) -> Result<Score, super::Halt> {
    let first = program.variables().iter().next();
    if first.is_some_and(|first| first.quantifier == Quantifier::Forall) {
        return Ok(Score::Won);
    }
    let variables = program.variables().iter();
    let relaxed = LinearProgram {
        objective: Vec::new(),
        bounds: IdVec::from_vec(variables.map(Variable::domain).collect()),
        rows: program.rows().clone(),
    };
    if matches!(relaxed.solve(budget)?, Answer::Infeasible { .. }) {
        return Ok(Score::Lost);
    }
    match program
        .variables()
        .iter()
        .find(|it| it.kind == Kind::Integer)
    {
        None => Ok(Score::Won),
        Some(variable) => Err(super::Halt::Refused(unsupported(format!(
            "the universal rows cannot hold, and who loses depends on whether the existential rows \
             can hold with a whole `{}`",
            variable.name
        )))),
    }
}
