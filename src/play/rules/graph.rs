//! A game spelled out: every reachable state once, with its moves.
//!
//! Reachable is meant as in Definition 1: a state or move counts only when it lies on a complete
//! path, one that leads from the initial state to a terminal one. What cannot reach an end is left
//! out.
//!
//! **Invariant:** states are in the order of breadth-first search, so that the play to a state by
//! [`StateGraph::play_to`] is as short as any.

use super::explore::ExploreError;
use super::game::{ActionId, PlayerId, PropositionId, Signature, StateId};

/// A legal action and where it leads.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Edge {
    /// What is done.
    pub action: ActionId,
    /// The state after it.
    pub to: StateId,
}

/// Edge number in the whole graph.
pub(super) type EdgeIndex = usize;

/// An explored game: the state transition model that formulas are interpreted in.
#[derive(Clone, Debug)]
pub struct StateGraph {
    pub(super) signature: Signature,
    /// Words of 64 propositions per state.
    pub(super) words: usize,
    pub(super) valuation: Vec<u64>,
    pub(super) terminal: Vec<bool>,
    /// One entry per state and player.
    pub(super) wins: Vec<bool>,
    /// The edges of state `s` are `edges[first[s]..first[s + 1]]`, in the order of the actions.
    pub(super) first: Vec<usize>,
    pub(super) edges: Vec<Edge>,
    /// What is legal although it does not lie on a complete path.
    pub(super) dead_ends: usize,
    /// Where a state was first seen from.
    pub(super) parent: Vec<Option<(StateId, ActionId)>>,
}

impl StateGraph {
    /// What formulas may name.
    pub fn signature(&self) -> &Signature {
        &self.signature
    }

    /// Where play begins.
    pub fn initial(&self) -> StateId {
        StateId::new(0)
    }

    /// Every reachable state.
    pub fn states(&self) -> impl ExactSizeIterator<Item = StateId> + use<> {
        (0..self.terminal.len()).map(StateId::new)
    }

    /// The reachable moves in a state, in the order of the actions.
    pub fn moves(&self, state: StateId) -> &[Edge] {
        &self.edges[self.edge_range(state)]
    }

    /// How many reachable moves there are.
    pub fn move_count(&self) -> usize {
        self.edges.len()
    }

    /// Whether the play is over.
    pub fn terminal(&self, state: StateId) -> bool {
        self.terminal[state.index()]
    }

    /// Whether it is a winning state of the player.
    pub fn wins(&self, state: StateId, player: PlayerId) -> bool {
        self.wins[state.index() * self.signature.players().len() + player.index()]
    }

    /// Whether the proposition is true in the state.
    pub fn holds(&self, state: StateId, proposition: PropositionId) -> bool {
        let word = state.index() * self.words + proposition.index() / 64;
        self.valuation[word] >> (proposition.index() % 64) & 1 == 1
    }

    /// Whether legal actions were left out because no play with them ends.
    pub fn has_dead_ends(&self) -> bool {
        self.dead_ends > 0
    }

    /// The players who have a move in the state.
    pub fn movers(&self, state: StateId) -> Vec<PlayerId> {
        let owners = self.moves(state).iter();
        let mut movers: Vec<_> = owners
            .map(|edge| self.signature.owner(edge.action))
            .collect();
        movers.sort_unstable();
        movers.dedup();
        movers
    }

    /// Where an action leads, if it is a move in the state.
    pub fn after(&self, state: StateId, action: ActionId) -> Option<StateId> {
        let edge = self.moves(state).iter().find(|edge| edge.action == action);
        edge.map(|edge| edge.to)
    }

    /// A shortest play from the beginning to the state.
    pub fn play_to(&self, state: StateId) -> Vec<ActionId> {
        let mut play = Vec::new();
        let mut at = state;
        while let Some((before, action)) = self.parent[at.index()] {
            play.push(action);
            at = before;
        }
        play.reverse();
        play
    }

    /// A play in words: `a(1,2) a(2,1)`, or `the beginning`.
    pub fn spell_play(&self, play: &[ActionId]) -> String {
        spell(&self.signature, play)
    }

    /// The propositions that are true in a state: `turn(1) p(1,2)`.
    pub fn spell_state(&self, state: StateId) -> String {
        let all = self.signature.propositions();
        let holding = all.filter(|&proposition| self.holds(state, proposition));
        let names = holding.map(|id| self.signature.proposition_symbol(id).to_string());
        names.collect::<Vec<_>>().join(" ")
    }

    /// The number of moves of the longest play; nothing if there are plays without end.
    pub fn longest_play(&self) -> Option<usize> {
        let mut incoming = vec![0_usize; self.terminal.len()];
        self.edges
            .iter()
            .for_each(|edge| incoming[edge.to.index()] += 1);
        let mut length = vec![0; self.terminal.len()];
        let mut ready: Vec<StateId> = self.states().filter(|s| incoming[s.index()] == 0).collect();
        let mut done = 0;
        while let Some(state) = ready.pop() {
            done += 1;
            for edge in self.moves(state) {
                let to = edge.to.index();
                length[to] = length[to].max(length[state.index()] + 1);
                incoming[to] -= 1;
                if incoming[to] == 0 {
                    ready.push(edge.to);
                }
            }
        }
        (done == self.terminal.len()).then(|| length.into_iter().max().unwrap_or(0))
    }

    pub(super) fn edge_range(&self, state: StateId) -> std::ops::Range<EdgeIndex> {
        self.first[state.index()]..self.first[state.index() + 1]
    }

    pub(super) fn edge(&self, index: EdgeIndex) -> Edge {
        self.edges[index]
    }

    /// Leaves out what lies on no complete path.
    pub(super) fn trimmed(self) -> Result<Self, ExploreError> {
        let alive = self.can_end();
        if !alive[0] {
            return Err(ExploreError::NoPlayEnds);
        }
        if alive.iter().all(|&alive| alive) {
            return Ok(self);
        }
        Ok(self.kept(&alive))
    }

    /// Which states can reach a terminal one.
    fn can_end(&self) -> Vec<bool> {
        let mut before: Vec<Vec<StateId>> = vec![Vec::new(); self.terminal.len()];
        for state in self.states() {
            for edge in self.moves(state) {
                before[edge.to.index()].push(state);
            }
        }
        let mut alive = self.terminal.clone();
        let mut open: Vec<StateId> = self.states().filter(|&s| self.terminal(s)).collect();
        while let Some(state) = open.pop() {
            for &earlier in &before[state.index()] {
                if !std::mem::replace(&mut alive[earlier.index()], true) {
                    open.push(earlier);
                }
            }
        }
        alive
    }

    fn kept(&self, alive: &[bool]) -> Self {
        let mut renamed = vec![None; alive.len()];
        let kept: Vec<StateId> = self.states().filter(|s| alive[s.index()]).collect();
        for (place, state) in kept.iter().enumerate() {
            renamed[state.index()] = Some(StateId::new(place));
        }
        let mut trimmed = Self {
            signature: self.signature.clone(),
            words: self.words,
            valuation: Vec::new(),
            terminal: Vec::new(),
            wins: Vec::new(),
            first: vec![0],
            edges: Vec::new(),
            dead_ends: 0,
            parent: Vec::new(),
        };
        for &state in &kept {
            let words = state.index() * self.words..(state.index() + 1) * self.words;
            trimmed.valuation.extend_from_slice(&self.valuation[words]);
            trimmed.terminal.push(self.terminal(state));
            let players = self.signature.players();
            let wins = players.map(|player| self.wins(state, player));
            trimmed.wins.extend(wins);
            for edge in self.moves(state) {
                match renamed[edge.to.index()] {
                    Some(to) => trimmed.edges.push(Edge { to, ..*edge }),
                    None => trimmed.dead_ends += 1,
                }
            }
            trimmed.first.push(trimmed.edges.len());
            let parent = self.parent[state.index()];
            let parent = parent.and_then(|(from, by)| Some((renamed[from.index()]?, by)));
            trimmed.parent.push(parent);
        }
        trimmed
    }
}

pub(super) fn spell(signature: &Signature, play: &[ActionId]) -> String {
    if play.is_empty() {
        return "the beginning".to_owned();
    }
    let names = play
        .iter()
        .map(|&action| signature.action_symbol(action).to_string());
    names.collect::<Vec<_>>().join(" ")
}
