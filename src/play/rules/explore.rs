//! From a game to its graph: breadth-first search with every state hashed once.

use rustc_hash::FxHashMap;

use super::game::{ActionId, Game, GameFault, StateId};
use super::graph::{Edge, StateGraph, spell};
use crate::budget::Budget;
use crate::outcome::Stop;

/// Most states of one game that are kept.
pub const MAX_STATES: usize = 20_000_000;

/// Why a game cannot be explored.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ExploreError {
    /// A state is not what its game promises.
    #[error("{fault} (reached by {play})")]
    Fault {
        /// What is wrong.
        fault: GameFault,
        /// The actions that lead there.
        play: String,
    },
    /// Something is legal in a terminal state.
    #[error(
        "{action} is legal in a terminal state (reached by {play}); make it legal only while `~terminal`"
    )]
    LegalAtEnd {
        /// The action.
        action: String,
        /// The actions that lead there.
        play: String,
    },
    /// There is no complete path.
    #[error("no play of this game reaches a terminal state")]
    NoPlayEnds,
    /// The game is too large to be explored.
    #[error("the game has more than {MAX_STATES} states; make its constants smaller")]
    TooManyStates,
    /// A limit or a signal.
    #[error("stopped while exploring the game")]
    Stopped(Stop),
}

impl StateGraph {
    /// Explores a game; see [`Game`] for an example.
    pub fn explore<G: Game>(game: &G, budget: &mut Budget) -> Result<Self, ExploreError> {
        let explored = Explorer::new(game)?.run(budget)?;
        explored.trimmed()
    }
}

/// Breadth-first search over the states of a game.
struct Explorer<'g, G: Game> {
    game: &'g G,
    known: FxHashMap<G::State, StateId>,
    states: Vec<G::State>,
    graph: StateGraph,
}

impl<'g, G: Game> Explorer<'g, G> {
    fn new(game: &'g G) -> Result<Self, ExploreError> {
        let signature = game.signature().clone();
        let words = signature.propositions().len().div_ceil(64);
        let initial = game.initial().map_err(|fault| ExploreError::Fault {
            fault,
            play: spell(&signature, &[]),
        })?;
        let graph = StateGraph {
            signature,
            words,
            valuation: Vec::new(),
            terminal: Vec::new(),
            wins: Vec::new(),
            first: vec![0],
            edges: Vec::new(),
            dead_ends: 0,
            parent: vec![None],
        };
        let known = std::iter::once((initial.clone(), StateId::new(0))).collect();
        Ok(Self {
            game,
            known,
            states: vec![initial],
            graph,
        })
    }

    fn run(mut self, budget: &mut Budget) -> Result<StateGraph, ExploreError> {
        let mut at = 0;
        while let Some(state) = self.states.get(at).cloned() {
            budget.spend_node().map_err(ExploreError::Stopped)?;
            self.describe(&state);
            self.expand(StateId::new(at), &state)?;
            self.graph.first.push(self.graph.edges.len());
            at += 1;
        }
        Ok(self.graph)
    }

    fn describe(&mut self, state: &G::State) {
        let mut words = vec![0_u64; self.graph.words];
        for proposition in self.graph.signature.propositions() {
            let place = proposition.index();
            words[place / 64] |= u64::from(self.game.holds(state, proposition)) << (place % 64);
        }
        self.graph.valuation.extend(words);
        let winners = self.graph.signature.players();
        let wins = winners.map(|player| self.game.wins(state, player));
        self.graph.wins.extend(wins);
        self.graph.terminal.push(self.game.terminal(state));
    }

    fn expand(&mut self, from: StateId, state: &G::State) -> Result<(), ExploreError> {
        for action in self.graph.signature.actions() {
            if !self.game.legal(state, action) {
                continue;
            }
            if self.graph.terminal(from) {
                return Err(ExploreError::LegalAtEnd {
                    action: self.graph.signature.action_symbol(action).to_string(),
                    play: self.graph.spell_play(&self.graph.play_to(from)),
                });
            }
            let after = self.game.update(state, action);
            let after = after.map_err(|fault| self.fault(fault, from, action))?;
            let to = self.number(after, (from, action))?;
            self.graph.edges.push(Edge { action, to });
        }
        Ok(())
    }

    /// The number of a state, new or already there.
    fn number(
        &mut self,
        state: G::State,
        seen_from: (StateId, ActionId),
    ) -> Result<StateId, ExploreError> {
        if let Some(&id) = self.known.get(&state) {
            return Ok(id);
        }
        if self.states.len() >= MAX_STATES {
            return Err(ExploreError::TooManyStates);
        }
        let id = StateId::new(self.states.len());
        self.known.insert(state.clone(), id);
        self.states.push(state);
        self.graph.parent.push(Some(seen_from));
        Ok(id)
    }

    fn fault(&self, fault: GameFault, from: StateId, action: ActionId) -> ExploreError {
        let mut play = self.graph.play_to(from);
        play.push(action);
        ExploreError::Fault {
            fault,
            play: self.graph.spell_play(&play),
        }
    }
}
