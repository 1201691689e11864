//! A plan that waits for nothing: replies that are fixed with the first stage.
//!
//! Moving the last block of `exists forall exists` before the universal one takes what it could see from the existential player: whatever
//! that program guarantees, the first stage guarantees. It is one integer program, each row at its worst
//! ([`without_last_universals`]), so it is in hand soon where plays are too many for everything else.

use super::reorder::in_order;
use super::{ENGINE, Move, Program};
use crate::budget::{Budget, Limits};
use crate::equivalent::counterpart::{Reduced, without_last_universals};
use crate::equivalent::{self, unsupported};
use crate::num::Rational;
use crate::outcome::{Outcome, SolveError, Status, Stop};
use crate::program::{Block, Id, Quantifier, Row, VarId};

/// The best plan of this kind as an unfinished answer, without a bound; refused if the program has other blocks, or rules of
/// the universal player that depend on decisions.
///
/// ```
/// use quip::budget::Budget;
/// let program = quip::format::parse_qip(
///     "minimize 3 x + 2 z
///      subject to cover: 2 x + z >= u + v
///      prefix exists binary x  forall binary u v  exists integer z in [0, 5]
///      end",
/// )?;
/// let plan = quip::expand::fixed_plan(&program, &mut Budget::unlimited())?;
/// assert_eq!(plan.objective.unwrap().to_string(), "3");
/// assert_eq!(plan.bound, None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn fixed_plan(program: &Program, budget: &mut Budget) -> Result<Outcome, SolveError> {
    let refused = || {
        unsupported(
            ENGINE,
            "no plan can be fixed before the opponent moves".to_owned(),
        )
    };
    let early = reordered(program).filter(|early| early.first_empty_domain().is_none());
    let early = early.ok_or_else(refused)?;
    let reduced = match without_last_universals(&early, budget)? {
        Err(stop) => return Ok(Outcome::interrupted(stop)),
        Ok(Reduced::Unchanged) => return Err(refused()),
        Ok(Reduced::Program(reduced)) => reduced,
    };
    let mut part = budget.part(Limits {
        time: budget.remaining().map(|left| left / PART),
        ..budget.left()
    });
    let found = equivalent::solve_with(&reduced, &equivalent::Settings::default(), &mut part)?;
    let objective: Option<Rational> = match found.status {
        Status::Optimal | Status::Interrupted => found.objective,
        _ => None,
    };
    let is_first = |made: &Move| {
        made.0.index()
            < program
                .blocks()
                .iter()
                .next()
                .map_or(0, |it| it.range().end)
    };
    let first_stage = found.first_stage.into_iter().filter(is_first);
    Ok(Outcome {
        first_stage: objective.iter().flat_map(|_| first_stage.clone()).collect(),
        objective,
        ..Outcome::interrupted(Stop::Signal)
    })
}

/// It may take so small a part of the time that is left.
const PART: u32 = 4;

/// The program with its last block before the universal one.
fn reordered(program: &Program) -> Option<Program> {
    let blocks: Vec<_> = program.blocks().iter().collect();
    let [first, moves, last] = blocks[..] else {
        return None;
    };
    let of_moves = |(var, _): &(VarId, Rational)| moves.range().contains(&var.index());
    let is_own = |row: &Row| row.terms.iter().all(of_moves);
    if first.quantifier == Quantifier::Forall || !program.universal_rows().iter().all(is_own) {
        return None;
    }
    let vars: Vec<VarId> = program.variables().ids().collect();
    let of = |block: &Block| &vars[block.range()];
    in_order(program, &[of(first), of(last), of(moves)].concat())
}
