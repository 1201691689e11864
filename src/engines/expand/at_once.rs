//! A bound for several rounds: the universal player makes all its moves at once.
//!
//! If its rules depend on nobody else, nothing it may do is lost when its moves all come right after the first stage, and
//! the existential player sees more of them before it decides: whatever it can guarantee in the game as it is, it can
//! guarantee there. So the value of that program of two stages bounds the value. Its first stage is no candidate: what it
//! guarantees takes long to find out (n60_2-2-2_013 had no strategy after 20 s with it, and has one without).
//!
//! On the critical node problem with three attacks and one vaccination before them the bound is the value (n40_1-3-3_009 and
//! 020); n60_2-2-2_013 has 16 saved nodes at most, where 60 was all that was proved before.

use super::reorder::in_order;
use super::settings::Settings;
use super::solve_with;
use crate::budget::{Budget, Limits};
use crate::equivalent::Skeleton;
use crate::outcome::{Status, Stop};
use crate::program::{Program, Quantifier, VarId, cost_of_objective};

/// The bound may take so many nodes, and so small a part of the time that is left.
const NODES: u64 = 30_000;
const PART: u32 = 4;

/// The bound of a program with so many plays, if it has several rounds.
pub(super) fn floor(
    program: &Program,
    skeleton: &Skeleton,
    plays: usize,
    settings: &Settings,
    budget: &mut Budget,
) -> Result<Option<i64>, Stop> {
    let is_rule_of_its_own =
        skeleton.conditions.is_empty() && skeleton.gates.iter().all(Option::is_none);
    let values = plays.saturating_mul(program.variables().len());
    let blocks: Vec<_> = program.blocks().iter().collect();
    let begins = blocks
        .first()
        .is_some_and(|first| first.quantifier == Quantifier::Exists);
    if values < settings.values_before_bound || blocks.len() < 4 || !begins || !is_rule_of_its_own {
        return Ok(None);
    }
    let first = blocks[0].range().end;
    let vars: Vec<VarId> = program.variables().ids().collect();
    let is_move = |var: &VarId| program.variables()[*var].quantifier == Quantifier::Forall;
    let (moves, replies): (Vec<VarId>, Vec<VarId>) =
        vars[first..].iter().partition(|var| is_move(var));
    let Some(at_once) = in_order(program, &[&vars[..first], &moves, &replies].concat()) else {
        return Ok(None);
    };
    let mut part = budget.part(Limits {
        time: budget.remaining().map(|left| left / PART),
        nodes: Some(NODES),
        ..budget.left()
    });
    let found = solve_with(&at_once, settings, &mut part);
    budget.look()?;
    let Ok(found) = found else {
        return Ok(None);
    };
    let bound = match found.status {
        Status::Optimal => found.objective,
        Status::Interrupted => found.bound,
        _ => None,
    };
    Ok(bound.and_then(|bound| skeleton.scaled_cost(&cost_of_objective(program, bound))))
}
