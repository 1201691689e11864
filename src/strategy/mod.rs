//! Plans: what one player does against everything the other may do.
//!
//! A [`Plan`] of the existential player is a *strategy*, one of the universal player a
//! *refutation*. Both are directed acyclic graphs: equal parts are stored once, and values of the
//! opponent that get the same answer are one branch.
//!
//! **Invariant:** a node's successors were added before it, so ids decrease along every edge and
//! the graph has no cycle.

mod certificate;
mod certify;
mod explain;
mod prove;
mod write;

pub use certificate::{
    Answer, Certificate, Evidence, EvidenceBuilder, EvidenceNode, Player, Proof, Reply, SideRef,
    Step,
};
pub use certify::{CertifyError, certify};
pub(crate) use explain::relevant_changes;
pub(crate) use prove::{Completion, System};

use rustc_hash::FxHashMap;

use crate::num::Rational;
use crate::program::{Quantifier, VarId};

/// A node of a plan.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(u32);

impl NodeId {
    /// The node at that place.
    pub(crate) fn new(index: usize) -> Self {
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
    /// The opponent fixes `variable`. Values in no branch lose for him at once: his own system
    /// does not survive them.
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
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum Ending {
    /// Every variable is fixed; the rows and the objective tell the rest.
    Complete,
    /// No completion satisfies the opponent's system any more.
    OpponentDead,
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
