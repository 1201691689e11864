//! Scores together with the plans that prove them, built from the ends of the plays upward.

use num_traits::One;

use crate::num::Rational;
use crate::outcome::Score;
use crate::program::{Quantifier, VarId};
use crate::strategy::{Branch, Ending, NodeId, PlanBuilder, PlanNode};

/// A position whose score is proved.
#[derive(Clone, Debug)]
pub(super) struct Settled {
    pub score: Score,
    /// Unless the existential player loses: how he gets this score or a better one.
    pub strategy: Option<NodeId>,
    /// Unless he wins or is unbounded: how the universal player keeps him from a better one.
    pub refutation: Option<NodeId>,
    /// Best play of both, as a chain of choices.
    pub line: NodeId,
}

impl Settled {
    /// The plan of one player.
    pub fn plan_of(&self, player: Quantifier) -> Option<NodeId> {
        match player {
            Quantifier::Exists => self.strategy,
            Quantifier::Forall => self.refutation,
        }
    }
}

/// The nodes of all plans made so far.
#[derive(Default)]
pub(super) struct Plans {
    pub strategies: PlanBuilder,
    pub refutations: PlanBuilder,
    pub lines: PlanBuilder,
}

impl Plans {
    pub fn of(&mut self, player: Quantifier) -> &mut PlanBuilder {
        match player {
            Quantifier::Exists => &mut self.strategies,
            Quantifier::Forall => &mut self.refutations,
        }
    }

    /// A position in which the winner's opponent has lost his system.
    pub fn decided(&mut self, winner: Quantifier) -> Settled {
        let end = PlanNode::End(Ending::OpponentDead);
        let plan = Some(self.of(winner).add(end.clone()));
        let line = self.lines.add(end);
        match winner {
            Quantifier::Exists => Settled {
                score: Score::Won,
                strategy: plan,
                refutation: None,
                line,
            },
            Quantifier::Forall => Settled {
                score: Score::Lost,
                strategy: None,
                refutation: plan,
                line,
            },
        }
    }

    /// A play that is over with both systems alive.
    pub fn complete(&mut self, cost: Rational) -> Settled {
        let end = || PlanNode::End(Ending::Complete);
        Settled {
            score: Score::Cost(cost),
            strategy: Some(self.strategies.add(end())),
            refutation: Some(self.refutations.add(end())),
            line: self.lines.add(end()),
        }
    }

    /// A position from which `mover` plays `value`; `replies` are the opponent's plans against all
    /// of the mover's legal values, if there is one against each.
    pub fn choose(
        &mut self,
        mover: Quantifier,
        variable: VarId,
        value: &Rational,
        best: &Settled,
        replies: Option<Vec<(Rational, NodeId)>>,
    ) -> Settled {
        let choice = |next| PlanNode::Choose {
            variable,
            value: value.clone(),
            next,
        };
        let own = best
            .plan_of(mover)
            .map(|next| self.of(mover).add(choice(next)));
        let line = self.lines.add(choice(best.line));
        let other = replies.map(|replies| {
            let branches = merged(replies);
            let node = PlanNode::Await { variable, branches };
            self.of(mover.opponent()).add(node)
        });
        let (strategy, refutation) = match mover {
            Quantifier::Exists => (own, other),
            Quantifier::Forall => (other, own),
        };
        Settled {
            score: best.score.clone(),
            strategy,
            refutation,
            line,
        }
    }
}

/// Neighbouring whole numbers with the same answer become one branch.
pub(super) fn merged(replies: Vec<(Rational, NodeId)>) -> Vec<Branch> {
    let mut branches: Vec<Branch> = Vec::new();
    for (value, next) in replies {
        match branches.last_mut() {
            Some(last) if last.next == next && &last.to + Rational::one() == value => {
                last.to = value;
            }
            _ => branches.push(Branch {
                from: value.clone(),
                to: value,
                next,
            }),
        }
    }
    branches
}
