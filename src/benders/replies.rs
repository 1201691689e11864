//! The strategy that the decomposition has found: an answer to every corner.
//!
//! What is left is solved again behind each corner, with a window that asks for no more than the
//! value. Where one end of a universal variable is the worst of it, the answer to that end answers
//! every value; values between two ends are answered by mixing the answers to both.

use num_traits::Zero;

use super::Engine;
use super::certificate::Missing;
use super::stages::endless_direction;
use super::visit::{Verdict, Window};
use crate::budget::Budget;
use crate::num::Rational;
use crate::outcome::Move;
use crate::program::{Quantifier, VarId};
use crate::strategy::{Answer, Evidence, EvidenceBuilder, EvidenceNode, Guarantee, NodeId, Reply};

/// What is being built.
struct Replies<'b> {
    built: EvidenceBuilder,
    order: Vec<VarId>,
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
    ) -> Result<Evidence, Missing> {
        if !self.program.universal_rows().is_empty() {
            return Err(Missing::Reason("universal rows restrict real moves"));
        }
        let first = self.reached.clone().map(|(_, moves)| moves);
        let ray = match self.endless {
            true => Some(endless_direction(self.program, budget)?),
            false => None,
        };
        let mut replies = Replies {
            built: EvidenceBuilder::default(),
            order: self.program.playing_order(),
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
    ) -> Result<NodeId, Missing> {
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
                value,
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
    ) -> Result<NodeId, Missing> {
        if stage < self.stages.len() {
            let block = self.stages[stage].corners.variables().to_vec();
            let mut order = replies.order.clone();
            order.retain(|var| block.contains(var));
            return self.answer(stage, &order, left, replies);
        }
        let mut node = replies.built.add(EvidenceNode::Complete);
        let is_answered = |var: &&VarId| {
            let quantifier = self.program.variables()[**var].quantifier;
            quantifier == Quantifier::Forall
        };
        let trailing = replies.order.iter().rev().take_while(is_answered);
        for variable in trailing {
            let replies_to = vec![self.whatever(*variable, node)];
            node = replies.built.add(EvidenceNode::Await {
                variable: *variable,
                replies: replies_to,
            });
        }
        if let Some(rates) = replies.ray.clone() {
            node = replies.built.add(EvidenceNode::Ray { rates, next: node });
        }
        Ok(node)
    }

    /// Answers the corners of the block before a stage, variable by variable.
    fn answer(
        &mut self,
        stage: usize,
        block: &[VarId],
        left: Rational,
        replies: &mut Replies<'_>,
    ) -> Result<NodeId, Missing> {
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
                _ => Err(Missing::Reason("a corner has no answer")),
            };
        };
        let corners = &self.stages[stage].corners;
        let place = corners.variables().iter().position(|var| *var == variable);
        let (Some(place), Some(ends)) = (place, corners.ends(variable)) else {
            return Err(Missing::Reason("corners are listed"));
        };
        let (ends, cost) = (
            ends.to_vec(),
            self.stages[stage].corner_costs[place].clone(),
        );
        let mut answers = Vec::new();
        for end in &ends {
            self.values[variable] = end.clone();
            let left = &left - &cost * end;
            let next = self.answer(stage, rest, left, replies)?;
            answers.push(Reply {
                from: end.clone(),
                to: end.clone(),
                answer: Answer::Next(next),
            });
        }
        if let [
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

    /// One answer to every value.
    fn whatever(&self, variable: VarId, next: NodeId) -> Reply {
        let domain = self.program.variables()[variable].domain();
        Reply {
            from: domain.lower.unwrap_or_default(),
            to: domain.upper.unwrap_or_default(),
            answer: Answer::Next(next),
        }
    }
}
