//! Strategies: the moves that a rule allows, and what can be said of them.
//!
//! Source: Zhang and Thielscher, Definitions 2 and 8 and section 3.1.

use super::formula::Rule;
use super::game::{ActionId, PlayerId, StateId};
use super::graph::{EdgeIndex, StateGraph};
use super::validity::{Reading, valid_under};
use crate::budget::Budget;
use crate::outcome::Stop;

/// Some of the reachable moves of one player: a strategy in the sense of Definition 2.
///
/// ```
/// use quip::budget::Budget;
/// use quip::rules::{PlayerId, Reading, StateGraph, Strategy, Theory};
/// let text = include_str!("../../../models/rules/crossdot.rules");
/// let theory = Theory::read(&[("crossdot.rules", text)], &[])?;
/// let graph = StateGraph::explore(theory.game()?, &mut Budget::unlimited())?;
/// let first = PlayerId::called(1).unwrap();
/// let soon = theory.rule("next wins(1)", first)?;
/// let budget = &mut Budget::unlimited();
/// let strategy = Strategy::of(&graph, &soon, first, Reading::CompletePlays, budget).unwrap();
/// // Definition 2: (state, action) pairs.
/// assert!(strategy.is_valid());
/// assert!(strategy.incomplete_at(&graph).is_some());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Strategy {
    player: PlayerId,
    /// For every move of the graph whether it is one of the strategy's.
    chosen: Vec<bool>,
}

impl Strategy {
    /// Every move under which the rule may be followed: `Sⁱ(r)` of Definition 8.
    pub fn of(
        graph: &StateGraph,
        rule: &Rule,
        player: PlayerId,
        reading: Reading,
        budget: &mut Budget,
    ) -> Result<Self, Stop> {
        let mut chosen = vec![false; graph.move_count()];
        for state in graph.states() {
            budget.look_sometimes()?;
            for edge in allowed(graph, rule, player, state, reading) {
                chosen[edge] = true;
            }
        }
        Ok(Self { player, chosen })
    }

    /// Every reachable move of the player.
    pub fn anything(graph: &StateGraph, player: PlayerId) -> Self {
        let owner = |edge: EdgeIndex| graph.signature().owner(graph.edge(edge).action);
        let chosen = (0..graph.move_count()).map(|edge| owner(edge) == player);
        Self {
            player,
            chosen: chosen.collect(),
        }
    }

    /// Whose strategy it is.
    pub fn player(&self) -> PlayerId {
        self.player
    }

    /// The actions it gives in a state.
    pub fn actions(&self, graph: &StateGraph, state: StateId) -> Vec<ActionId> {
        let range = graph.edge_range(state).filter(|&edge| self.chosen[edge]);
        range.map(|edge| graph.edge(edge).action).collect()
    }

    /// Whether it gives any move at all.
    pub fn is_valid(&self) -> bool {
        self.chosen.contains(&true)
    }

    /// A state in which the player has a move but the strategy gives none; nothing if it is
    /// complete.
    pub fn incomplete_at(&self, graph: &StateGraph) -> Option<StateId> {
        graph.states().find(|&state| {
            let owns =
                |&edge: &EdgeIndex| graph.signature().owner(graph.edge(edge).action) == self.player;
            let mut own = graph.edge_range(state).filter(owns).peekable();
            own.peek().is_some() && own.all(|edge| !self.chosen[edge])
        })
    }

    /// A state in which it gives several moves; nothing if it is deterministic.
    pub fn ambiguous_at(&self, graph: &StateGraph) -> Option<StateId> {
        let moves = |state| graph.edge_range(state).filter(|&edge| self.chosen[edge]);
        graph.states().find(|&state| moves(state).count() > 1)
    }

    /// Whether it gives exactly one move wherever the player has any.
    pub fn is_functional(&self, graph: &StateGraph) -> bool {
        self.incomplete_at(graph).is_none() && self.ambiguous_at(graph).is_none()
    }

    /// A state in which the player has a move outside the strategy; nothing if the game complies
    /// with the strategy.
    pub fn departure(&self, graph: &StateGraph) -> Option<(StateId, ActionId)> {
        graph.states().find_map(|state| {
            let left = graph.edge_range(state).find(|&edge| {
                let action = graph.edge(edge).action;
                graph.signature().owner(action) == self.player && !self.chosen[edge]
            });
            left.map(|edge| (state, graph.edge(edge).action))
        })
    }

    /// Whether every move of this strategy is one of the other.
    pub fn is_part_of(&self, other: &Self) -> bool {
        let mut pairs = self.chosen.iter().zip(&other.chosen);
        pairs.all(|(mine, other)| !mine || *other)
    }

    /// The moves that both have.
    #[must_use]
    pub fn meet(&self, other: &Self) -> Self {
        self.combined(other, |mine, other| mine && other)
    }

    /// The moves that one of them has.
    #[must_use]
    pub fn join(&self, other: &Self) -> Self {
        self.combined(other, |mine, other| mine || other)
    }

    fn combined(&self, other: &Self, by: impl Fn(bool, bool) -> bool) -> Self {
        let pairs = self.chosen.iter().zip(&other.chosen);
        Self {
            player: self.player,
            chosen: pairs.map(|(&mine, &other)| by(mine, other)).collect(),
        }
    }

    pub(super) fn has(&self, edge: EdgeIndex) -> bool {
        self.chosen[edge]
    }
}

/// The actions that a rule gives the player in one state.
pub fn moves_by_rule(
    graph: &StateGraph,
    rule: &Rule,
    player: PlayerId,
    state: StateId,
    reading: Reading,
) -> Vec<ActionId> {
    let edges = allowed(graph, rule, player, state, reading).into_iter();
    edges.map(|edge| graph.edge(edge).action).collect()
}

fn allowed(
    graph: &StateGraph,
    rule: &Rule,
    player: PlayerId,
    state: StateId,
    reading: Reading,
) -> Vec<EdgeIndex> {
    let own = graph
        .edge_range(state)
        .filter(|&edge| graph.signature().owner(graph.edge(edge).action) == player);
    let situation = Situation {
        graph,
        state,
        reading,
        own: own.collect(),
    };
    situation.moves(rule)
}

/// One state and the moves that one player has in it.
struct Situation<'g> {
    graph: &'g StateGraph,
    state: StateId,
    reading: Reading,
    own: Vec<EdgeIndex>,
}

impl Situation<'_> {
    /// The moves of a rule: Definition 8.
    fn moves(&self, rule: &Rule) -> Vec<EdgeIndex> {
        match rule {
            Rule::Formula(_) => self.among(&self.own, rule),
            Rule::Else(rules) => {
                let mut options = rules.iter().map(|rule| self.moves(rule));
                options.find(|moves| !moves.is_empty()).unwrap_or_default()
            }
            Rule::Also(rules) => self.narrowed(rules),
        }
    }

    /// The moves of a rule that are among some others.
    fn among(&self, others: &[EdgeIndex], rule: &Rule) -> Vec<EdgeIndex> {
        let others = others.iter().copied();
        match rule {
            Rule::Formula(formula) => others
                .filter(|&edge| {
                    let edge = self.graph.edge(edge);
                    valid_under(self.graph, self.state, edge, formula, self.reading)
                })
                .collect(),
            _ => {
                let given = self.moves(rule);
                others.filter(|edge| given.contains(edge)).collect()
            }
        }
    }

    /// What is left when as many of the rules as possible are applied together, the first first.
    fn narrowed(&self, rules: &[Rule]) -> Vec<EdgeIndex> {
        let Some((first, rest)) = rules.split_first() else {
            return Vec::new();
        };
        let mut kept = self.moves(first);
        for rule in rest {
            // A single move either passes or ends the chain, and stays in both cases.
            if kept.len() <= 1 {
                break;
            }
            let both = self.among(&kept, rule);
            if both.is_empty() {
                break;
            }
            kept = both;
        }
        kept
    }
}
