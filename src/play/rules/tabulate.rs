//! A game that was explored, written down again as axioms: one proposition more for each state.
//!
//! This is how a game that is given by a referee becomes a program: what is legal, who has won and
//! what holds next are read off a table. Only steps that can be reached leave anything behind, because what
//! cannot hold is a constant of the program.

use super::encode::EncodeError;
use super::formula::Formula;
use super::game::{ActionId, PropositionId, Signature, StateId};
use super::graph::StateGraph;
use super::text::{AxiomGame, Successor};

/// Most entries of a table.
const LARGEST: usize = 2_000_000;

/// The explored game as axioms. Ids of actions and propositions stay what they are.
///
/// ```
/// use quip::budget::Budget;
/// use quip::games::family;
/// use quip::rules::{Refereed, StateGraph, tabulated};
/// let rules = family("nim").unwrap().rules(&[("heaps", "1,2")])?;
/// let graph = StateGraph::explore(&Refereed::new(rules), &mut Budget::unlimited())?;
/// let again = StateGraph::explore(&tabulated(&graph)?, &mut Budget::unlimited())?;
/// assert_eq!(again.states().len(), graph.states().len());
/// assert_eq!(again.move_count(), graph.move_count());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn tabulated(graph: &StateGraph) -> Result<AxiomGame, EncodeError> {
    let propositions = graph.signature().propositions().len();
    let entries = graph.move_count().saturating_mul(propositions + 1);
    if entries > LARGEST {
        return Err(EncodeError::TooLarge);
    }
    let mut signature = graph.signature().clone();
    let name = fresh_name(&signature);
    let here: Vec<PropositionId> = graph
        .states()
        .map(|state| signature.add_proposition(&name, &[state.index() as i64 + 1]))
        .collect();
    let table = Tables {
        graph,
        here,
        entering: entering(graph),
        propositions,
    };
    Ok(AxiomGame::new(
        signature,
        table.initial(),
        table.wins(),
        table.among(|state| graph.terminal(state)),
        table.legal(),
        table.successors(),
    ))
}

/// A name for states that no proposition has.
fn fresh_name(signature: &Signature) -> String {
    let mut name = "state".to_owned();
    let is_taken = |name: &str| {
        let mut propositions = signature.propositions();
        propositions.any(|id| signature.proposition_symbol(id).name == name)
    };
    while is_taken(&name) {
        name.push('_');
    }
    name
}

/// The moves that lead to each state.
fn entering(graph: &StateGraph) -> Vec<Vec<(StateId, ActionId)>> {
    let mut entering = vec![Vec::new(); graph.states().len()];
    for state in graph.states() {
        for edge in graph.moves(state) {
            entering[edge.to.index()].push((state, edge.action));
        }
    }
    entering
}

struct Tables<'g> {
    graph: &'g StateGraph,
    /// For each state the proposition that it is the present one.
    here: Vec<PropositionId>,
    entering: Vec<Vec<(StateId, ActionId)>>,
    /// How many propositions the game itself has.
    propositions: usize,
}

impl Tables<'_> {
    fn is_here(&self, state: StateId) -> Formula {
        Formula::Proposition(self.here[state.index()])
    }

    /// The present state is one of these.
    fn among(&self, wanted: impl Fn(StateId) -> bool) -> Formula {
        let states = self.graph.states().filter(|&state| wanted(state));
        Formula::Any(states.map(|state| self.is_here(state)).collect())
    }

    fn initial(&self) -> Vec<bool> {
        let start = self.graph.initial();
        let held = (0..self.propositions).map(PropositionId::new);
        let held = held.map(|id| self.graph.holds(start, id));
        held.chain(self.graph.states().map(|state| state == start))
            .collect()
    }

    fn wins(&self) -> Vec<Formula> {
        let players = self.graph.signature().players();
        players
            .map(|player| self.among(|state| self.graph.wins(state, player)))
            .collect()
    }

    fn legal(&self) -> Vec<Formula> {
        let mut legal = vec![Vec::new(); self.graph.signature().actions().len()];
        for state in self.graph.states() {
            for edge in self.graph.moves(state) {
                legal[edge.action.index()].push(self.is_here(state));
            }
        }
        legal.into_iter().map(Formula::Any).collect()
    }

    /// The move before led to this state.
    fn enters(&self, state: StateId) -> impl Iterator<Item = Formula> {
        let moves = self.entering[state.index()].iter();
        moves.map(|&(from, by)| Formula::All(vec![self.is_here(from), Formula::Does(by)]))
    }

    fn successors(&self) -> Vec<Successor> {
        let held = (0..self.propositions).map(PropositionId::new).map(|id| {
            let states = self.graph.states();
            let states = states.filter(|&state| self.graph.holds(state, id));
            let ways = states.flat_map(|state| self.enters(state));
            Successor::Exactly(Formula::Any(ways.collect()))
        });
        let states = self.graph.states();
        let states =
            states.map(|state| Successor::Exactly(Formula::Any(self.enters(state).collect())));
        held.chain(states).collect()
    }
}
