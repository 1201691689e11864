//! Plays the plan of a certificate against everything its opponent can do, without looking at the
//! proofs it carries.

use quip::num::Exact;
use quip::outcome::Score;
use quip::program::{Id, Quantifier};
use quip::strategy::{Answer, Evidence, EvidenceNode, Guarantee, NodeId};

use super::naive::Plays;

/// Whether every play under the plan is worth at least its guarantee to its owner.
///
/// A plan with an end that commits to a bound is not judged: `None`.
pub fn keeps_guarantee(evidence: &Evidence, plays: &Plays) -> Option<bool> {
    let mut positions = vec![(evidence.root, 0, 0)];
    let mut keeps = true;
    while let Some(position) = positions.pop() {
        keeps &= step(evidence, plays, position, &mut positions)?;
    }
    Some(keeps)
}

type Position = (NodeId, usize, usize);

fn step(
    evidence: &Evidence,
    plays: &Plays,
    (node, depth, first): Position,
    positions: &mut Vec<Position>,
) -> Option<bool> {
    let owner = evidence.owner;
    let after = |offset: usize| first + offset * plays.stride(depth + 1);
    let here = |place: usize, player: Quantifier| place == depth && plays.owner(depth) == player;
    Some(match &evidence.nodes[node.index()] {
        EvidenceNode::Choose {
            variable,
            value,
            next,
        } => {
            if depth >= plays.len() || !here(variable.index(), owner) {
                return Some(false);
            }
            let (lower, width) = plays.values(depth);
            let offset = value.to_i64().map(|value| usize::try_from(value - lower));
            match offset.and_then(Result::ok).filter(|offset| *offset < width) {
                Some(offset) => {
                    positions.push((*next, depth + 1, after(offset)));
                    true
                }
                None => false,
            }
        }
        EvidenceNode::Await {
            variable, replies, ..
        } => {
            if depth >= plays.len() || !here(variable.index(), owner.opponent()) {
                return Some(false);
            }
            let (lower, width) = plays.values(depth);
            (0..width).all(|offset| {
                let value = Exact::from(lower + offset as i64);
                let mut found = replies
                    .iter()
                    .filter(|it| it.from <= value && value <= it.to);
                match (found.next().map(|reply| &reply.answer), found.next()) {
                    (Some(Answer::Next(next)), None) => {
                        positions.push((*next, depth + 1, after(offset)));
                        true
                    }
                    (Some(Answer::Illegal(_)), None) => {
                        all_won(plays, owner, after(offset), depth + 1)
                    }
                    _ => false,
                }
            })
        }
        EvidenceNode::Complete => {
            let score = plays.scores.get(first)?;
            let keeps = match &evidence.guarantee {
                Guarantee::Won => *score == Score::Won,
                Guarantee::Unbounded => *score == Score::Unbounded,
                Guarantee::Kept => *score != Score::Lost,
                Guarantee::Cost(cost) => !Score::Cost(cost.clone()).is_better(score, owner),
                Guarantee::Lost => *score == Score::Lost,
            };
            depth == plays.len() && keeps
        }
        EvidenceNode::Dead { place, .. } => *place == depth && all_won(plays, owner, first, depth),
        _ => return None,
    })
}

/// Whether `owner` has won, however the play goes on.
fn all_won(plays: &Plays, owner: Quantifier, first: usize, depth: usize) -> bool {
    let won = Score::worst_for(owner.opponent());
    let scores = &plays.scores[first..first + plays.stride(depth)];
    scores.iter().all(|score| *score == won)
}
