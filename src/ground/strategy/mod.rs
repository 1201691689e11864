//! Plans: what one player does against everything the other may do.
//!
//! A [`Plan`] of the existential player is a *strategy*, one of the universal player a
//! *refutation*. Both are directed acyclic graphs: equal parts are stored once, and values of the
//! opponent that get the same answer are one branch.
//!
//! **Invariant:** a node's successors were added before it, so ids decrease along every edge and
//! the graph has no cycle.

mod budgets;
mod certificate;
mod dot;
mod held;
mod json;
mod json_read;
mod outline;
mod play;
mod pressing;
mod refusal;
mod scenarios;
mod settle;
mod terms;
mod text;
mod verdict;
pub(crate) mod words;
mod write;

pub use budgets::Budgets;
pub use certificate::{
    Answer, Certificate, Derivation, Evidence, EvidenceBuilder, EvidenceNode, Item, Mixture,
    Player, Proof, Reply, SideRef, Step,
};

pub use dot::{Picture, pictures};
pub use held::{End, Illegal, Strategy, StrategyNode};
pub use json_read::StrategyError;
pub use outline::{headline, outline};
pub use play::{Play, Turn};
pub use refusal::Refusal;
pub use scenarios::{Beside, Scenarios, TreeColumn, TreeRow, TreeSide, TreeStep, TreeSum};
pub use terms::TooManyTerms;
pub use verdict::{CheckError, Guarantee, Proved, Verdict};

use rustc_hash::FxHashMap;

use crate::num::Rational;
use crate::program::{Quantifier, RowId, VarId};

/// A node of a plan.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(u32);

impl NodeId {
    /// The node at that place.
    pub fn from_index(index: usize) -> Self {
        Self(u32::try_from(index).expect("invariant: node ids fit 32 bits"))
    }

    /// The place of the node in [`Plan::nodes`].
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// Opponent's values from `from` to `to`, both included, that are answered alike.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Branch {
    /// The smallest value.
    pub from: Rational,
    /// The largest value.
    pub to: Rational,
    /// What to do then.
    pub next: NodeId,
}

/// One step of a plan.
///
/// Along every line the blocks of the program come in order. Inside a block the integer variables
/// come before the real ones, each in their order in the prefix.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum PlanNode {
    /// The plan's owner fixes `variable` to `value`.
    Choose {
        /// A variable of the owner.
        variable: VarId,
        /// Its value.
        value: Rational,
        /// What follows.
        next: NodeId,
    },
    /// The opponent fixes `variable`. Values in no branch lose for him at once: his own
    /// system does not survive them.
    ///
    /// Not so where all existential variables after it are real, and no universal row holds the variable or
    /// budgets count it ([`Budgets`]): there the ends of its domain have branches. A value between two
    /// answers is answered by a mixture of them, which satisfies the rows because they are linear.
    Await {
        /// A variable of the opponent.
        variable: VarId,
        /// Disjoint and in increasing order.
        branches: Vec<Branch>,
    },
    /// The play is decided.
    End(Ending),
}

/// Why the play is decided.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Ending {
    /// Every variable is fixed; the rows and the objective tell the rest.
    Complete,
    /// No completion satisfies the opponent's system any more.
    OpponentDead,
    /// In a strategy: every variable is fixed, and adding any positive multiple of this direction
    /// to the existential variables keeps the rows and lowers the cost without end.
    Ray(Vec<(VarId, Rational)>),
    /// In a refutation: only real existential variables are left to the opponent, and a weighing
    /// of these scenarios keeps him from a better cost.
    ///
    /// The existential variables are unknowns, one for each history of universal moves before
    /// them, so that scenarios share those unknowns before which they agree. Then
    ///
    /// ```text
    /// Σ weight · cost  >=  Σ multiplier · side  +  min Σ (weight · cost − multiplier · row)
    /// ```
    ///
    /// where the sums go over the scenarios and their rows, `side` is a row's lower side for
    /// positive multipliers and its upper side for negative ones, `cost` is the objective to be
    /// minimised (negated when it is maximised), and the minimum goes over the bounds of the
    /// unknowns. Either the weights add up to one, and the right-hand side bounds the worst cost;
    /// or they are all zero and the right-hand side is positive: the rows cannot hold in all
    /// scenarios, and the existential player loses.
    Bounded(Vec<Scenario>),
}

/// One line of play of the universal player, and what it adds to an [`Ending::Bounded`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Scenario {
    /// His legal moves from here to the end of the play.
    pub moves: Vec<(VarId, Rational)>,
    /// How much its cost counts; never negative.
    pub weight: Rational,
    /// How much its existential rows count; those not named count nothing.
    pub multipliers: Vec<(RowId, Rational)>,
}

/// A complete plan of one player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    owner: Quantifier,
    nodes: Vec<PlanNode>,
    root: NodeId,
}

impl Plan {
    /// Whose plan it is.
    pub fn owner(&self) -> Quantifier {
        self.owner
    }

    /// Where it begins.
    pub fn root(&self) -> NodeId {
        self.root
    }

    /// A node.
    pub fn node(&self, id: NodeId) -> &PlanNode {
        &self.nodes[id.index()]
    }

    /// Every node, successors before predecessors.
    pub fn nodes(&self) -> &[PlanNode] {
        &self.nodes
    }
}

/// Builds a plan from its ends to its root, each distinct node once.
#[derive(Debug, Default)]
pub struct PlanBuilder {
    nodes: Vec<PlanNode>,
    ids: FxHashMap<PlanNode, NodeId>,
}

impl PlanBuilder {
    /// The id of a node, new or already there.
    pub fn add(&mut self, node: PlanNode) -> NodeId {
        if let Some(&id) = self.ids.get(&node) {
            return id;
        }
        let id = NodeId(u32::try_from(self.nodes.len()).expect("invariant: node ids fit 32 bits"));
        self.nodes.push(node.clone());
        self.ids.insert(node, id);
        id
    }

    /// The plan that begins at `root`, without nodes it does not reach.
    pub fn finish(self, owner: Quantifier, root: NodeId) -> Plan {
        let mut reached = vec![false; self.nodes.len()];
        reached[root.index()] = true;
        for index in (0..=root.index()).rev() {
            if reached[index] {
                for next in successors(&self.nodes[index]) {
                    reached[next.index()] = true;
                }
            }
        }
        let mut renamed = vec![NodeId(0); self.nodes.len()];
        let mut nodes = Vec::new();
        for (index, mut node) in self.nodes.into_iter().enumerate() {
            if reached[index] {
                rename(&mut node, &renamed);
                renamed[index] = NodeId(nodes.len() as u32);
                nodes.push(node);
            }
        }
        Plan {
            owner,
            nodes,
            root: renamed[root.index()],
        }
    }
}

/// Where a node leads.
pub fn successors(node: &PlanNode) -> impl Iterator<Item = NodeId> + '_ {
    let (one, many) = match node {
        PlanNode::Choose { next, .. } => (Some(*next), [].as_slice()),
        PlanNode::Await { branches, .. } => (None, branches.as_slice()),
        PlanNode::End(_) => (None, [].as_slice()),
    };
    one.into_iter().chain(many.iter().map(|branch| branch.next))
}

fn rename(node: &mut PlanNode, renamed: &[NodeId]) {
    match node {
        PlanNode::Choose { next, .. } => *next = renamed[next.index()],
        PlanNode::Await { branches, .. } => {
            for branch in branches {
                branch.next = renamed[branch.next.index()];
            }
        }
        PlanNode::End(_) => {}
    }
}
