//! Certificates: plans that carry the proofs of what they take for granted.
//!
//! A [`Plan`](super::Plan) says what to do; an [`Evidence`] says it together with why the opponent
//! may not do otherwise and why the play is decided where it ends. What each node means, and when
//! it is accepted, is written down in `docs/certificate.md`.

use std::hash::{Hash, Hasher};

use rustc_hash::{FxHashMap, FxHasher};
use smallvec::SmallVec;

use super::{Guarantee, NodeId, Scenarios};
use crate::num::{Exact, Rational};
use crate::program::{Quantifier, RowId, VarId};

/// A variable and its value.
type Move = (VarId, Rational);

/// One side of a row as `Σ a·x <= b`, or the objective as a cost.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum SideRef {
    /// The upper side of a row.
    Upper(Player, RowId),
    /// The lower side of a row, negated.
    Lower(Player, RowId),
    /// The objective in the existential player's sense.
    Objective,
    /// A row that follows from others, by its place among those of its [`Evidence`].
    Derived(u32),
}

/// Whose system a row belongs to; [`Quantifier`] with an order.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Player {
    /// The existential player.
    Exists,
    /// The universal player.
    Forall,
}

impl From<Quantifier> for Player {
    fn from(quantifier: Quantifier) -> Self {
        match quantifier {
            Quantifier::Exists => Self::Exists,
            Quantifier::Forall => Self::Forall,
        }
    }
}

impl From<Player> for Quantifier {
    fn from(player: Player) -> Self {
        match player {
            Player::Exists => Self::Exists,
            Player::Forall => Self::Forall,
        }
    }
}

/// What a sum is made of.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum Item {
    /// A sum at a later place; these come first.
    Sum(NodeId),
    /// A row side, or the objective.
    Side(SideRef),
}

/// Sums and sides with non-negative weights.
pub type Mixture = Vec<(Item, Rational)>;

/// A step of a proof. Steps stand in prefix order: what follows a split is the proof of its lower
/// part and then that of its upper part.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Step {
    /// The row side leaves less room to the variable.
    Cut(SideRef, VarId),
    /// Either the variable is at most the value or it is greater.
    Split(VarId, Rational),
    /// The row side cannot hold. Ends a branch.
    Row(SideRef),
    /// The weighted sum cannot hold. Ends a branch.
    Mix(Mixture),
}

/// Why a system is lost.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Proof {
    /// What the moves before add to a side, at least.
    pub given: Vec<(SideRef, Rational)>,
    /// The steps in prefix order.
    pub steps: Vec<Step>,
}

/// What answers a range of the opponent's values.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Answer {
    /// The plan goes on there.
    Next(NodeId),
    /// His own system does not survive these values.
    Illegal(Box<Proof>),
}

/// The opponent's values from `from` to `to` and what answers them.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Reply {
    /// The smallest value.
    pub from: Exact,
    /// The largest value.
    pub to: Exact,
    /// What happens then.
    pub answer: Answer,
}

/// A node of an [`Evidence`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum EvidenceNode {
    /// The owner fixes a variable.
    Choose {
        /// A variable of the owner.
        variable: VarId,
        /// Its value.
        value: Exact,
        /// What follows.
        next: NodeId,
    },
    /// The opponent fixes a variable.
    Await {
        /// A variable of the opponent.
        variable: VarId,
        /// One after the other through the whole domain.
        replies: Vec<Reply>,
    },
    /// Every variable is fixed.
    Complete,
    /// The opponent's system is dead, the owner's is alive.
    Dead {
        /// How many variables are fixed.
        place: usize,
        /// Values that complete the owner's system.
        alive: Option<Vec<Move>>,
        /// Why the opponent's system is dead.
        proof: Box<Proof>,
    },
    /// In a refutation: the existential player cannot better the claim any more.
    Bound {
        /// How many variables are fixed.
        place: usize,
        /// What the universal player does, come what may.
        play: Vec<Move>,
        /// Why that is enough.
        proof: Box<Proof>,
    },
    /// In a refutation: the same, if the moves before make the sum too large.
    Sum {
        /// How many variables are fixed.
        place: usize,
        /// What the universal player does, come what may.
        play: Vec<Move>,
        /// What is added up.
        mixture: Mixture,
    },
    /// In a strategy: the variables that were fixed last may go on at these rates without end.
    Ray {
        /// How fast.
        rates: Vec<Move>,
        /// What follows.
        next: NodeId,
    },
}

impl EvidenceNode {
    /// Where the node leads, in the order of the text.
    pub fn successors(&self) -> impl DoubleEndedIterator<Item = NodeId> + use<> {
        let mut found: SmallVec<[NodeId; 4]> = SmallVec::new();
        match self {
            Self::Choose { next, .. } | Self::Ray { next, .. } => found.push(*next),
            Self::Await { replies, .. } => {
                found.extend(replies.iter().filter_map(|reply| match reply.answer {
                    Answer::Next(next) => Some(next),
                    Answer::Illegal(_) => None,
                }));
            }
            Self::Sum { mixture, .. } => found.extend(sums(mixture)),
            Self::Bound { proof, .. } => found.extend(proof.sums()),
            Self::Complete | Self::Dead { .. } => {}
        }
        found.into_iter()
    }
}

impl Proof {
    /// The sums that it leans on, in the order of the text.
    pub fn sums(&self) -> impl Iterator<Item = NodeId> + '_ {
        self.steps.iter().flat_map(|step| match step {
            Step::Mix(mixture) => sums(mixture),
            _ => sums(&[]),
        })
    }
}

fn sums(mixture: &[(Item, Rational)]) -> impl Iterator<Item = NodeId> + '_ {
    mixture.iter().filter_map(|(item, _)| match item {
        Item::Sum(node) => Some(*node),
        Item::Side(_) => None,
    })
}

/// A row that follows from sides, each taken so many times, not less than never.
pub type Derivation = Vec<(SideRef, Rational)>;

/// A plan with its proofs.
///
/// **Invariant:** a node's successors come before it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Evidence {
    /// Whose plan it is.
    pub owner: Quantifier,
    /// What it guarantees: an upper bound for the existential player's, a lower one for the
    /// universal player's.
    pub guarantee: Guarantee,
    /// Rows of refutations that proofs lean on beside those of the model.
    pub derived: Vec<Derivation>,
    /// Successors before predecessors.
    pub nodes: Vec<EvidenceNode>,
    /// Where it begins.
    pub root: NodeId,
}

/// What is claimed, and the evidence of both sides.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Certificate {
    /// The fingerprint of the program.
    pub model: String,
    /// The kind of answer: `optimal`, `feasible`, `infeasible`, …
    pub status: String,
    /// The value that is claimed to be optimal, in the user's sense.
    pub value: Option<Rational>,
    /// The existential player's side.
    pub strategy: Option<Evidence>,
    /// The universal player's side.
    pub refutation: Option<Evidence>,
    /// The universal player's side, where it is a tree of scenarios.
    pub scenarios: Option<Scenarios>,
}

/// Builds an [`Evidence`] from its ends to its root, each distinct node once.
#[derive(Debug, Default)]
pub struct EvidenceBuilder {
    derived: Vec<Derivation>,
    nodes: Vec<EvidenceNode>,
    /// The last node of each hash, and for each node the one before it of the same hash.
    last: FxHashMap<u64, NodeId>,
    before: Vec<Option<NodeId>>,
}

impl EvidenceBuilder {
    /// Adds a row that follows from others; tells how proofs refer to it.
    pub fn derive(&mut self, row: Derivation) -> SideRef {
        self.derived.push(row);
        SideRef::Derived(self.derived.len() as u32 - 1)
    }

    /// The id of a node, new or already there.
    pub fn add(&mut self, node: EvidenceNode) -> NodeId {
        let hash = hash(&node);
        let mut found = self.last.get(&hash).copied();
        while let Some(id) = found {
            if self.nodes[id.index()] == node {
                return id;
            }
            found = self.before[id.index()];
        }
        let id = NodeId::from_index(self.nodes.len());
        self.nodes.push(node);
        self.before.push(self.last.insert(hash, id));
        id
    }

    /// The evidence that begins at `root`, without nodes it does not reach.
    pub fn finish(self, owner: Quantifier, guarantee: Guarantee, root: NodeId) -> Evidence {
        let mut reached = vec![false; self.nodes.len()];
        reached[root.index()] = true;
        for index in (0..=root.index()).rev() {
            if reached[index] {
                for next in self.nodes[index].successors() {
                    reached[next.index()] = true;
                }
            }
        }
        let mut nodes = self.nodes;
        let mut renamed = vec![NodeId::from_index(0); nodes.len()];
        let mut kept = 0;
        for index in { 0..nodes.len() }.filter(|&index| reached[index]) {
            renamed[index] = NodeId::from_index(kept);
            // Up to the first node that goes away every one keeps its name.
            if kept < index {
                rename(&mut nodes[index], &renamed);
                nodes.swap(kept, index);
            }
            kept += 1;
        }
        nodes.truncate(kept);
        Evidence {
            owner,
            guarantee,
            derived: self.derived,
            root: renamed[root.index()],
            nodes,
        }
    }
}

/// Of most parts of a node; exact numbers count by their lowest digits, which is much cheaper than
/// to hash them.
fn hash(node: &EvidenceNode) -> u64 {
    let mut hasher = FxHasher::default();
    let number = |value: &Rational, hasher: &mut FxHasher| {
        value.numer().iter_u64_digits().next().hash(hasher);
        value.denom().iter_u64_digits().next().hash(hasher);
    };
    let steps = |proof: &Proof, hasher: &mut FxHasher| {
        for (side, at) in &proof.given {
            side.hash(hasher);
            number(at, hasher);
        }
        for step in &proof.steps {
            match step {
                Step::Cut(side, var) => (side, var).hash(hasher),
                Step::Split(var, _) => var.hash(hasher),
                Step::Row(side) => side.hash(hasher),
                Step::Mix(mixture) => mixture.iter().for_each(|(item, _)| item.hash(hasher)),
            }
        }
    };
    std::mem::discriminant(node).hash(&mut hasher);
    match node {
        EvidenceNode::Choose {
            variable,
            value,
            next,
        } => (variable, value, next).hash(&mut hasher),
        EvidenceNode::Await { variable, replies } => {
            variable.hash(&mut hasher);
            for reply in replies {
                reply.to.hash(&mut hasher);
                if let Answer::Next(next) = reply.answer {
                    next.hash(&mut hasher);
                }
            }
        }
        EvidenceNode::Dead { place, proof, .. } | EvidenceNode::Bound { place, proof, .. } => {
            place.hash(&mut hasher);
            steps(proof, &mut hasher);
        }
        EvidenceNode::Sum { place, mixture, .. } => {
            place.hash(&mut hasher);
            mixture
                .iter()
                .for_each(|(_, weight)| number(weight, &mut hasher));
        }
        EvidenceNode::Ray { next, .. } => next.hash(&mut hasher),
        EvidenceNode::Complete => {}
    }
    hasher.finish()
}

fn rename(node: &mut EvidenceNode, renamed: &[NodeId]) {
    let change = |next: &mut NodeId| *next = renamed[next.index()];
    let change_all = |mixture: &mut Mixture| {
        for (item, _) in mixture {
            if let Item::Sum(node) = item {
                change(node);
            }
        }
    };
    match node {
        EvidenceNode::Choose { next, .. } | EvidenceNode::Ray { next, .. } => change(next),
        EvidenceNode::Await { replies, .. } => {
            for reply in replies {
                if let Answer::Next(next) = &mut reply.answer {
                    change(next);
                }
            }
        }
        EvidenceNode::Sum { mixture, .. } => change_all(mixture),
        EvidenceNode::Bound { proof, .. } => {
            for step in &mut proof.steps {
                if let Step::Mix(mixture) = step {
                    change_all(mixture);
                }
            }
        }
        EvidenceNode::Complete | EvidenceNode::Dead { .. } => {}
    }
}

impl Evidence {
    /// Calls every variable by another name.
    pub fn rename(&mut self, new: impl Fn(&mut VarId)) {
        let moves = |moves: &mut Vec<Move>| moves.iter_mut().for_each(|(var, _)| new(var));
        let steps = |proof: &mut Proof| {
            for step in &mut proof.steps {
                match step {
                    Step::Cut(_, var) | Step::Split(var, _) => new(var),
                    Step::Row(_) | Step::Mix(_) => {}
                }
            }
        };
        for node in &mut self.nodes {
            match node {
                EvidenceNode::Choose { variable, .. } => new(variable),
                EvidenceNode::Await { variable, replies } => {
                    new(variable);
                    for reply in replies {
                        if let Answer::Illegal(proof) = &mut reply.answer {
                            steps(proof);
                        }
                    }
                }
                EvidenceNode::Complete => {}
                EvidenceNode::Dead { alive, proof, .. } => {
                    alive.iter_mut().for_each(moves);
                    steps(proof);
                }
                EvidenceNode::Bound { play, proof, .. } => {
                    moves(play);
                    steps(proof);
                }
                EvidenceNode::Sum { play, .. } => moves(play),
                EvidenceNode::Ray { rates, .. } => moves(rates),
            }
        }
    }
}
