//! The strategy that the decomposition has found: an answer to every corner.
//!
//! What is left is solved again behind each corner, with a window that asks for no more than the
//! value. Where one end of a universal variable is the worst of it, the answer to that end answers
//! every value; values between two ends are answered by mixing the answers to both.

use itertools::Itertools;
use num_traits::Zero;

use super::Engine;
use super::legal::Legal;
use super::stages::endless_direction;
use super::visit::{Verdict, Window};
use crate::budget::Budget;
use crate::num::{Exact, Rational, int};
use crate::outcome::{CertificateError, Move};
use crate::program::{Block, Quantifier, VarId};
use crate::strategy::{
    Answer, Evidence, EvidenceBuilder, EvidenceNode, Guarantee, NodeId, Proof, Reply,
};

/// What is being built.
struct Replies<'b> {
    built: EvidenceBuilder,
    order: Vec<VarId>,
    legal: Legal,
    budget: &'b mut Budget,
    /// How the last block goes on without end, if it does.
    ray: Option<Vec<Move>>,
}

impl Engine<'_> {
    /// A strategy that costs at most `value`, which the first stage in hand reaches.
    pub(super) fn strategy(
        &mut self,
        value: &Rational,
        budget: &mut Budget,
    ) -> Result<Evidence, CertificateError> {
        let legal = Legal::of(self.program, budget)?;
        let first = self.reached.clone().map(|(_, moves)| moves);
        let ray = match self.endless {
            true => Some(endless_direction(self.program, budget)?),
            false => None,
        };
        let mut replies = Replies {
            built: EvidenceBuilder::default(),
            order: self.program.playing_order(),
            legal,
            budget,
            ray,
        };
        let first = first.unwrap_or_default();
        let root = self.follow(0, &first, value.clone(), &mut replies)?;
        let guarantee = match (self.program.objective(), self.endless) {
            (Some(_), true) => Guarantee::Unbounded,
            (Some(_), false) => Guarantee::Cost(value + &self.constant),
            (None, _) => Guarantee::Kept,
        };
        Ok(replies.built.finish(Quantifier::Exists, guarantee, root))
    }

    /// The moves of a stage and whatever follows them, which may cost `left` together.
    fn follow(
        &mut self,
        stage: usize,
        moves: &[Move],
        left: Rational,
        replies: &mut Replies<'_>,
    ) -> Result<NodeId, CertificateError> {
        for (var, value) in moves {
            self.values[*var] = value.clone();
        }
        let left = left - self.cost_of(stage, moves);
        let mut node = self.behind(stage + 1, left, replies)?;
        let columns = &self.stages[stage].columns;
        let own = replies.order.iter().filter(|var| columns.contains(var));
        for variable in own.rev() {
            let value = moves.iter().find(|(var, _)| var == variable);
            let value = value.map_or_else(Rational::zero, |(_, value)| value.clone());
            node = replies.built.add(EvidenceNode::Choose {
                variable: *variable,
                value: value.into(),
                next: node,
            });
        }
        Ok(node)
    }

    /// What follows the stage before `stage`.
    fn behind(
        &mut self,
        stage: usize,
        left: Rational,
        replies: &mut Replies<'_>,
    ) -> Result<NodeId, CertificateError> {
        if stage < self.stages.len() {
            let block = self.stages[stage].corners.variables().to_vec();
            let mut order = replies.order.clone();
            order.retain(|var| block.contains(var));
            return self.answer(stage, &order, left, replies);
        }
        let mut trailing = replies.order.clone();
        let last = trailing
            .iter()
            .rposition(|var| self.program.variables()[*var].quantifier == Quantifier::Exists);
        trailing.drain(..last.map_or(0, |last| last + 1));
        let mut node = self.pass(&trailing, &mut Vec::new(), replies)?;
        if let Some(rates) = replies.ray.clone() {
            node = replies.built.add(EvidenceNode::Ray { rates, next: node });
        }
        Ok(node)
    }

    /// The universal variables behind everything that is decided: what is legal is answered.
    fn pass(
        &self,
        block: &[VarId],
        fixed: &mut Vec<Move>,
        replies: &mut Replies<'_>,
    ) -> Result<NodeId, CertificateError> {
        let Some((&variable, rest)) = block.split_first() else {
            return Ok(replies.built.add(EvidenceNode::Complete));
        };
        let mut answers = Vec::new();
        if replies.legal.is_restricted(variable) {
            for value in self.whole_values(variable) {
                fixed.push((variable, value.clone()));
                let answer = match self.illegal(fixed, replies)? {
                    Some(proof) => Answer::Illegal(Box::new(proof)),
                    None => Answer::Next(self.pass(rest, fixed, replies)?),
                };
                fixed.pop();
                answers.push(reply(value, answer));
            }
        } else {
            let next = self.pass(rest, fixed, replies)?;
            answers.push(self.whatever(variable, next));
        }
        Ok(replies.built.add(EvidenceNode::Await {
            variable,
            replies: answers,
        }))
    }

    /// Why the universal player may not have made the last of these moves, which are the restricted
    /// ones of a block so far.
    fn illegal(
        &self,
        fixed: &[Move],
        replies: &mut Replies<'_>,
    ) -> Result<Option<Proof>, CertificateError> {
        let Replies { legal, budget, .. } = replies;
        let blocks = self.program.blocks().iter();
        let own = { blocks }.find(|block| fixed.iter().any(|(var, _)| block.contains(*var)));
        let block: Vec<VarId> = own.into_iter().flat_map(Block::variables).collect();
        Ok(legal.death(self.program, &block, fixed, budget)?)
    }

    fn whole_values(&self, variable: VarId) -> impl Iterator<Item = Rational> + use<> {
        let domain = self.program.variables()[variable].domain();
        let upper = domain.upper.unwrap_or_default();
        std::iter::successors(domain.lower, |value| Some(value + int(1)))
            .take_while(move |value| *value <= upper)
    }

    /// Answers the corners of the block before a stage, variable by variable.
    fn answer(
        &mut self,
        stage: usize,
        block: &[VarId],
        left: Rational,
        replies: &mut Replies<'_>,
    ) -> Result<NodeId, CertificateError> {
        let Some((&variable, rest)) = block.split_first() else {
            let window = Window {
                alpha: Some(left.clone()),
                ..Window::default()
            };
            return match self.visit(stage, &window, replies.budget)? {
                Verdict::Exact(..) | Verdict::AtMost(_) => {
                    let moves = self.best[stage].clone();
                    self.follow(stage, &moves, left, replies)
                }
                _ => Err(CertificateError::Wrong("a corner has no answer".into())),
            };
        };
        let corners = &self.stages[stage].corners;
        let place = corners.variables().iter().position(|var| *var == variable);
        let place = place.ok_or_else(|| CertificateError::Wrong("a move is in no block".into()))?;
        let is_restricted = replies.legal.is_restricted(variable);
        let values: Vec<Rational> = match corners.ends(variable) {
            Some(ends) => ends.to_vec(),
            None if is_restricted => self.whole_values(variable).collect(),
            None => {
                let domain = self.program.variables()[variable].domain();
                domain
                    .lower
                    .into_iter()
                    .chain(domain.upper)
                    .dedup()
                    .collect()
            }
        };
        let cost = self.stages[stage].corner_costs[place].clone();
        let mut answers = Vec::new();
        for value in values {
            self.values[variable] = value.clone();
            if is_restricted {
                let fixed = self.restricted_so_far(stage, rest, replies);
                if let Some(proof) = self.illegal(&fixed, replies)? {
                    answers.push(reply(value, Answer::Illegal(Box::new(proof))));
                    continue;
                }
            }
            let left = &left - &cost * &value;
            let next = self.answer(stage, rest, left, replies)?;
            answers.push(reply(value, Answer::Next(next)));
        }
        if !is_restricted
            && let [
                Reply {
                    answer: Answer::Next(next),
                    ..
                },
            ] = &answers[..]
        {
            answers = vec![self.whatever(variable, *next)];
        }
        Ok(replies.built.add(EvidenceNode::Await {
            variable,
            replies: answers,
        }))
    }

    /// The restricted moves of the block before a stage, but for those that are left.
    fn restricted_so_far(&self, stage: usize, rest: &[VarId], replies: &Replies<'_>) -> Vec<Move> {
        let made = self.stages[stage].corners.variables().iter();
        let made = made.filter(|var| replies.legal.is_restricted(**var) && !rest.contains(var));
        made.map(|var| (*var, self.values[*var].clone())).collect()
    }

    /// One answer to every value.
    fn whatever(&self, variable: VarId, next: NodeId) -> Reply {
        let domain = self.program.variables()[variable].domain();
        Reply {
            from: domain.lower.unwrap_or_default().into(),
            to: domain.upper.unwrap_or_default().into(),
            answer: Answer::Next(next),
        }
    }
}

fn reply(value: Rational, answer: Answer) -> Reply {
    let value = Exact::from(value);
    Reply {
        from: value.clone(),
        to: value,
        answer,
    }
}
