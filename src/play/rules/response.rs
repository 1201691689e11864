//! Best responses: can a player force a goal when he knows how the others play?
//!
//! Source: rules (23)–(25) of section 7.3. Two corrections: (25) must not apply to terminal states,
//! where nobody has an action and it would call every lost or tied game won; and the mover is
//! told from who has a move, so a state in which the player and another may both move is refused.
//! An opponent whose rule gives no move is stuck and has lost, as (25) says.

use std::collections::VecDeque;

use super::conduct::{Conduct, Play};
use super::formula::Formula;
use super::game::{ActionId, PlayerId, StateId};
use super::graph::StateGraph;

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ResponseError {
    /// Nobody can tell whose turn it is.
    #[error(
        "after {play} both player {player} and another may move; \
         a best response needs a game in which players take turns"
    )]
    NoTurns {
        /// The player.
        player: PlayerId,
        /// A play that leads there.
        play: String,
    },
}

/// What a player can force.
#[derive(Clone, Debug)]
pub struct Response {
    /// How many moves the goal is away at most when the player plays well; nothing where it
    /// cannot be forced.
    distance: Vec<Option<u32>>,
    player: PlayerId,
    conduct: Conduct,
}

impl Response {
    /// Whether the goal can be forced from the beginning.
    pub fn wins(&self, graph: &StateGraph) -> bool {
        self.wins_from(graph.initial())
    }

    /// Whether the goal can be forced from a state.
    pub fn wins_from(&self, state: StateId) -> bool {
        self.distance[state.index()].is_some()
    }

    /// The actions that keep the goal in reach and bring it nearer.
    pub fn good_actions(&self, graph: &StateGraph, state: StateId) -> Vec<ActionId> {
        let Some(here) = self.distance[state.index()] else {
            return Vec::new();
        };
        let edges = self
            .conduct
            .edges(graph, state)
            .map(|edge| graph.edge(edge));
        let own = edges.filter(|edge| graph.signature().owner(edge.action) == self.player);
        let nearer = own.filter(|edge| self.distance[edge.to.index()].is_some_and(|d| d < here));
        nearer.map(|edge| edge.action).collect()
    }

    /// A play in which the player plays well and the others hold out as long as they can; if the
    /// goal cannot be forced, one in which they keep him from it.
    pub fn main_line(&self, graph: &StateGraph) -> Play {
        let mut play = Play::new();
        let mut state = graph.initial();
        // A play longer than there are states runs in a circle.
        while play.len() <= graph.states().len() {
            let edges = self
                .conduct
                .edges(graph, state)
                .map(|edge| graph.edge(edge));
            let worth = |to: StateId| self.distance[to.index()].map_or(u64::MAX, u64::from);
            let is_own = graph.movers(state).contains(&self.player);
            let chosen = if is_own {
                edges.min_by_key(|edge| worth(edge.to))
            } else {
                edges.max_by_key(|edge| worth(edge.to))
            };
            let Some(edge) = chosen else {
                break;
            };
            play.push(edge.action);
            state = edge.to;
        }
        play
    }
}

/// Whether the player can force `goal` in a terminal state against players who keep to the
/// conduct; his own strategy in it, if any, binds him too.
///
/// ```
/// use quip::budget::Budget;
/// use quip::rules::{Conduct, PlayerId, StateGraph, Theory, respond};
/// let text = include_str!("../../../models/rules/crossdot.rules");
/// let theory = Theory::read(&[("crossdot.rules", text)], &[("m", 4)])?;
/// let graph = StateGraph::explore(theory.game()?, &mut Budget::unlimited())?;
/// let first = PlayerId::called(1).unwrap();
/// let response = respond(&graph, &Conduct::free(&graph), first, &theory.formula("wins(1)")?)?;
/// assert!(response.wins(&graph));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn respond(
    graph: &StateGraph,
    conduct: &Conduct,
    player: PlayerId,
    goal: &Formula,
) -> Result<Response, ResponseError> {
    let is_own = turns(graph, player)?;
    let mut before: Vec<Vec<StateId>> = vec![Vec::new(); graph.states().len()];
    let mut ways: Vec<usize> = vec![0; graph.states().len()];
    let mut distance: Vec<Option<u32>> = vec![None; graph.states().len()];
    let mut open = VecDeque::new();
    for state in graph.states() {
        for edge in conduct.edges(graph, state) {
            before[graph.edge(edge).to.index()].push(state);
            ways[state.index()] += 1;
        }
        let over = graph.terminal(state);
        let is_stuck = !over && ways[state.index()] == 0;
        if (over && graph.satisfies(state, goal)) || (is_stuck && !is_own[state.index()]) {
            distance[state.index()] = Some(0);
            open.push_back(state);
        }
    }
    // Nearest first: a state of the player is won with its first won successor, one of the others
    // with its last.
    while let Some(state) = open.pop_front() {
        let farther = distance[state.index()].map_or(0, |d| d.saturating_add(1));
        for &earlier in &before[state.index()] {
            let place = earlier.index();
            if distance[place].is_some() {
                continue;
            }
            ways[place] -= 1;
            if is_own[place] || ways[place] == 0 {
                distance[place] = Some(farther);
                open.push_back(earlier);
            }
        }
    }
    Ok(Response {
        distance,
        player,
        conduct: conduct.clone(),
    })
}

/// For every state whether the player moves there.
pub(super) fn turns(graph: &StateGraph, player: PlayerId) -> Result<Vec<bool>, ResponseError> {
    let mut own = Vec::with_capacity(graph.states().len());
    for state in graph.states() {
        let movers = graph.movers(state);
        let is_own = movers.contains(&player);
        if is_own && movers.len() > 1 {
            return Err(ResponseError::NoTurns {
                player,
                play: graph.spell_play(&graph.play_to(state)),
            });
        }
        own.push(is_own);
    }
    Ok(own)
}
