//! Plays a plan against everything its opponent can do and looks at how every play ends.

use num_traits::ToPrimitive;
use quip::num::{Rational, int};
use quip::outcome::Score;
use quip::program::{Id, Quantifier, VarId};
use quip::strategy::{Ending, NodeId, Plan, PlanNode};

use super::naive::Plays;

/// Whether every play under the plan is worth at least `claim` to the plan's owner.
pub fn keeps(plan: &Plan, plays: &Plays, claim: &Score) -> bool {
    let mut positions = vec![(plan.root(), 0, 0)];
    while let Some((node, depth, first)) = positions.pop() {
        if !step(plan, plays, claim, (node, depth, first), &mut positions) {
            return false;
        }
    }
    true
}

type Position = (NodeId, usize, usize);

fn step(
    plan: &Plan,
    plays: &Plays,
    claim: &Score,
    (node, depth, first): Position,
    positions: &mut Vec<Position>,
) -> bool {
    let owner = plan.owner();
    let place = |variable: &VarId| assert_eq!(variable.index(), depth, "variables come in order");
    match plan.node(node) {
        PlanNode::Choose {
            variable,
            value,
            next,
        } => {
            place(variable);
            assert_eq!(plays.owner(depth), owner, "a plan chooses for its owner");
            let (lower, width) = plays.values(depth);
            let offset = (value - int(lower)).to_integer().to_usize().unwrap();
            assert!(
                offset < width && value.is_integer(),
                "{value} is outside its domain"
            );
            positions.push((*next, depth + 1, first + offset * plays.stride(depth + 1)));
            true
        }
        PlanNode::Await { variable, branches } => {
            place(variable);
            assert_eq!(
                plays.owner(depth),
                owner.opponent(),
                "a plan awaits its opponent"
            );
            assert!(branches.is_sorted_by(|left, right| left.to < right.from));
            let (lower, width) = plays.values(depth);
            (0..width).all(|offset| {
                let value = int(lower + offset as i64);
                let start = first + offset * plays.stride(depth + 1);
                let covers = |from: &Rational, to: &Rational| *from <= value && value <= *to;
                match branches
                    .iter()
                    .find(|branch| covers(&branch.from, &branch.to))
                {
                    Some(branch) => {
                        // Only values that do not lose at once have a branch.
                        positions.push((branch.next, depth + 1, start));
                        !all_won(plays, owner, start, depth + 1)
                    }
                    None => all_won(plays, owner, start, depth + 1),
                }
            })
        }
        PlanNode::End(Ending::Complete) => {
            assert_eq!(depth, plays.len(), "every variable is fixed");
            !claim.is_better(&plays.scores[first], owner)
        }
        PlanNode::End(Ending::OpponentDead) => all_won(plays, owner, first, depth),
        PlanNode::End(Ending::Ray(_) | Ending::Bounded(_)) => {
            panic!("an integer program has no real tail")
        }
    }
}

/// Whether `owner` has won, however the play goes on.
fn all_won(plays: &Plays, owner: Quantifier, first: usize, depth: usize) -> bool {
    let won = Score::worst_for(owner.opponent());
    plays.scores[first..first + plays.stride(depth)]
        .iter()
        .all(|score| *score == won)
}
