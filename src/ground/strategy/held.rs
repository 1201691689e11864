//! A strategy as people hold it: a plan and what it guarantees, without its proofs.
//!
//! [`Plan`] is what enumeration leaves behind, [`Evidence`] what certificates are made of. A
//! [`Strategy`] is made from either and is what is played ([`Strategy::play`]) and shown: as text,
//! terms, JSON and graphs. It speaks of the program it was made for; give it another one, and it
//! panics or talks nonsense.
//!
//! **Invariant:** a node's successors come before it.

use std::collections::VecDeque;

use num_traits::One;

use super::certificate::{Answer, Evidence, EvidenceNode, Item, Proof, SideRef, Step};
use super::settle::Settling;
use super::{Branch, Ending, Guarantee, NodeId, Plan, PlanNode};
use crate::num::Rational;
use crate::program::{Program, Quantifier, RowId, VarId, cost_of_objective};

/// A variable and its value.
type Move = (VarId, Rational);

/// What one player does against everything the other may do, and what that guarantees.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Strategy {
    owner: Quantifier,
    guarantee: Guarantee,
    nodes: Vec<StrategyNode>,
    root: NodeId,
}

/// One step of a strategy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StrategyNode {
    /// The owner fixes `variable` to `value`.
    Choose {
        /// A variable of the owner.
        variable: VarId,
        /// Its value.
        value: Rational,
        /// What follows.
        next: NodeId,
    },
    /// The opponent fixes `variable`; values in no branch are illegal. Of a real variable the ends
    /// of its domain have branches, and what lies between is answered by mixing their answers; so it may be with
    /// integers that no universal row holds, and with those that budgets count ([`Budgets`](super::Budgets)).
    Await {
        /// A variable of the opponent.
        variable: VarId,
        /// Disjoint and in increasing order.
        branches: Vec<Branch>,
        /// Why values are illegal, as far as it was written down.
        illegal: Vec<Illegal>,
    },
    /// The play is decided.
    End(End),
}

/// Values of the opponent that his own rows forbid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Illegal {
    /// The smallest value.
    pub from: Rational,
    /// The largest value.
    pub to: Rational,
    /// Rows of his that cannot hold together after it.
    pub rows: Vec<RowId>,
}

/// How a play under a strategy ends.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum End {
    /// Every variable is fixed.
    Complete,
    /// The opponent's system is dead: the owner has won outright.
    OpponentDead,
    /// Every variable is fixed, and going on in this direction improves the objective without end.
    Ray(Vec<Move>),
    /// In a refutation: the opponent cannot do better any more, if the owner makes these moves
    /// among those that are left to it. With the others any legal value does.
    Settled(Vec<Move>),
    /// The same, but what the owner does with the others depends on the play: solving what is left
    /// of the program tells.
    Open(Vec<Move>),
    /// What follows was left out, see [`Strategy::top`].
    Cut,
}

impl Strategy {
    /// A plan together with what it guarantees.
    pub fn of_plan(plan: &Plan, guarantee: Guarantee) -> Self {
        let nodes = plan.nodes().iter().map(of_plan_node).collect();
        Self::of_nodes(plan.owner(), guarantee, nodes, plan.root())
    }

    /// A strategy of these nodes.
    pub(super) fn of_nodes(
        owner: Quantifier,
        guarantee: Guarantee,
        nodes: Vec<StrategyNode>,
        root: NodeId,
    ) -> Self {
        Self {
            owner,
            guarantee,
            nodes,
            root,
        }
    }

    /// The plan inside a side of a certificate for this program.
    pub fn of_evidence(program: &Program, evidence: &Evidence) -> Self {
        let mut settling = Settling::new(program, evidence);
        let mut nodes: Vec<StrategyNode> = Vec::with_capacity(evidence.nodes.len());
        // Where each node of the evidence went.
        let mut ids: Vec<NodeId> = Vec::with_capacity(evidence.nodes.len());
        for node in &evidence.nodes {
            let made = match node {
                // What goes on without end is told where the play is over.
                EvidenceNode::Ray { rates, next } => match &nodes[ids[next.index()].index()] {
                    StrategyNode::End(_) => StrategyNode::End(End::Ray(rates.clone())),
                    other => other.clone(),
                },
                EvidenceNode::Bound { place, play, proof } => {
                    ids.push(settling.end(*place, play, Some(proof), &mut nodes));
                    continue;
                }
                EvidenceNode::Sum {
                    place,
                    play,
                    mixture,
                } => {
                    let proof = Proof {
                        given: Vec::new(),
                        steps: vec![Step::Mix(mixture.clone())],
                    };
                    ids.push(settling.end(*place, play, Some(&proof), &mut nodes));
                    continue;
                }
                // The game is won; what is left of the block only keeps the owner's rows.
                EvidenceNode::Dead { place, alive, .. } => {
                    let alive = alive.as_deref().unwrap_or_default();
                    let moves = settling.completed(*place, alive, evidence.owner);
                    let mut next = StrategyNode::End(End::OpponentDead);
                    for (variable, value) in moves.into_iter().rev() {
                        nodes.push(next);
                        next = StrategyNode::Choose {
                            variable,
                            value,
                            next: NodeId::from_index(nodes.len() - 1),
                        };
                    }
                    next
                }
                node => of_evidence_node(node, evidence.owner, &ids),
            };
            nodes.push(made);
            ids.push(NodeId::from_index(nodes.len() - 1));
        }
        Self {
            owner: evidence.owner,
            guarantee: evidence.guarantee.clone(),
            nodes,
            root: ids[evidence.root.index()],
        }
    }

    /// At most so many nodes, those next to the beginning, and how many were left out.
    ///
    /// ```
    /// use quip::format::parse_qip;
    /// use quip::program::Quantifier;
    /// use quip::solver::{Options, Solver};
    ///
    /// let program = parse_qip("subject to x = y prefix forall binary y exists binary x end")?;
    /// let options = Options { certificate: true, ..Options::default() };
    /// let outcome = Solver::new(options).solve(&program)?;
    /// let strategy = outcome.held(&program, Quantifier::Exists).expect("it is won");
    /// let (top, left_out) = strategy.top(1);
    /// assert_eq!((top.nodes().len(), left_out), (2, strategy.nodes().len() - 1));
    /// assert!(top.to_text(&program).contains("left out"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn top(&self, most: usize) -> (Self, usize) {
        let mut kept = vec![false; self.nodes.len()];
        let mut open = VecDeque::from([self.root]);
        let mut count = 0;
        while let Some(id) = open.pop_front() {
            if count == most || std::mem::replace(&mut kept[id.index()], true) {
                continue;
            }
            count += 1;
            open.extend(self.node(id).successors());
        }
        // The first node stands for all that was left out.
        let mut nodes = vec![StrategyNode::End(End::Cut)];
        let mut places = vec![NodeId::from_index(0); self.nodes.len()];
        for (place, node) in self
            .nodes
            .iter()
            .enumerate()
            .filter(|(place, _)| kept[*place])
        {
            places[place] = NodeId::from_index(nodes.len());
            let mut node = node.clone();
            match &mut node {
                StrategyNode::Choose { next, .. } => *next = places[next.index()],
                StrategyNode::Await { branches, .. } => {
                    for branch in branches {
                        branch.next = places[branch.next.index()];
                    }
                }
                StrategyNode::End(_) => {}
            }
            nodes.push(node);
        }
        let top = Self {
            owner: self.owner,
            guarantee: self.guarantee.clone(),
            root: places[self.root.index()],
            nodes,
        };
        (top, self.nodes.len() - count)
    }

    /// Whose strategy it is: the universal player's is a refutation.
    pub fn owner(&self) -> Quantifier {
        self.owner
    }

    /// What it guarantees its owner, as a cost.
    pub fn guarantee(&self) -> &Guarantee {
        &self.guarantee
    }

    /// What it guarantees its owner as a value of the objective, if that is a number.
    pub fn guaranteed_value(&self, program: &Program) -> Option<Rational> {
        match (&self.guarantee, program.objective()) {
            (Guarantee::Cost(cost), Some(_)) => Some(cost_of_objective(program, cost.clone())),
            _ => None,
        }
    }

    /// Where it begins.
    pub fn root(&self) -> NodeId {
        self.root
    }

    /// A node.
    pub fn node(&self, id: NodeId) -> &StrategyNode {
        &self.nodes[id.index()]
    }

    /// Every node, successors before predecessors.
    pub fn nodes(&self) -> &[StrategyNode] {
        &self.nodes
    }
}

impl StrategyNode {
    /// Where the node leads, in the order of the opponent's values.
    pub fn successors(&self) -> impl DoubleEndedIterator<Item = NodeId> + '_ {
        let (one, many): (_, &[Branch]) = match self {
            Self::Choose { next, .. } => (Some(*next), &[]),
            Self::Await { branches, .. } => (None, branches),
            Self::End(_) => (None, &[]),
        };
        one.into_iter().chain(many.iter().map(|branch| branch.next))
    }
}

fn of_plan_node(node: &PlanNode) -> StrategyNode {
    match node {
        PlanNode::Choose {
            variable,
            value,
            next,
        } => StrategyNode::Choose {
            variable: *variable,
            value: value.clone(),
            next: *next,
        },
        PlanNode::Await { variable, branches } => StrategyNode::Await {
            variable: *variable,
            branches: branches.clone(),
            illegal: Vec::new(),
        },
        PlanNode::End(ending) => StrategyNode::End(match ending {
            Ending::Complete => End::Complete,
            Ending::OpponentDead => End::OpponentDead,
            Ending::Ray(direction) => End::Ray(direction.clone()),
            // One scenario is a commitment; of several the right one depends on the play.
            Ending::Bounded(scenarios) => match scenarios.as_slice() {
                [only] => End::Settled(only.moves.clone()),
                _ => End::Open(Vec::new()),
            },
        }),
    }
}

fn of_evidence_node(node: &EvidenceNode, owner: Quantifier, ids: &[NodeId]) -> StrategyNode {
    match node {
        EvidenceNode::Choose {
            variable,
            value,
            next,
        } => StrategyNode::Choose {
            variable: *variable,
            value: value.to_rational(),
            next: ids[next.index()],
        },
        EvidenceNode::Await {
            variable, replies, ..
        } => {
            let (mut branches, mut illegal): (Vec<Branch>, _) = (Vec::new(), Vec::new());
            for reply in replies {
                let (from, to) = (reply.from.to_rational(), reply.to.to_rational());
                match &reply.answer {
                    Answer::Next(next) => push_branch(&mut branches, from, to, ids[next.index()]),
                    Answer::Illegal(proof) => illegal.push(Illegal {
                        from,
                        to,
                        rows: rows_of(proof, owner.opponent()),
                    }),
                }
            }
            StrategyNode::Await {
                variable: *variable,
                branches,
                illegal,
            }
        }
        EvidenceNode::Complete => StrategyNode::End(End::Complete),
        EvidenceNode::Dead { .. }
        | EvidenceNode::Bound { .. }
        | EvidenceNode::Sum { .. }
        | EvidenceNode::Ray { .. } => unreachable!("invariant: told where the play is over"),
    }
}

/// Neighbouring whole values with the same answer become one branch; a value comes once.
fn push_branch(branches: &mut Vec<Branch>, from: Rational, to: Rational, next: NodeId) {
    match branches.last_mut() {
        Some(last) if last.to >= from => {}
        Some(last) if last.next == next && &last.to + Rational::one() == from => last.to = to,
        _ => branches.push(Branch { from, to, next }),
    }
}

/// The rows of a player that a proof leans on.
fn rows_of(proof: &Proof, player: Quantifier) -> Vec<RowId> {
    let mut sides: Vec<SideRef> = Vec::new();
    for step in &proof.steps {
        match step {
            Step::Cut(side, _) | Step::Row(side) => sides.push(*side),
            Step::Mix(mixture) => sides.extend(mixture.iter().filter_map(|(item, _)| match item {
                Item::Side(side) => Some(*side),
                Item::Sum(_) => None,
            })),
            Step::Split(..) => {}
        }
    }
    let own = |side: SideRef| match side {
        SideRef::Upper(owner, row) | SideRef::Lower(owner, row) => {
            (owner == player.into()).then_some(row)
        }
        SideRef::Objective | SideRef::Derived(_) => None,
    };
    let mut rows: Vec<RowId> = sides.into_iter().filter_map(own).collect();
    rows.sort_unstable();
    rows.dedup();
    rows
}
