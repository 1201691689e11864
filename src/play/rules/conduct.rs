//! How everybody plays, and what comes of it.
//!
//! A [`Conduct`] restricts the moves of some players to their strategies. The states that can then
//! be reached are those that satisfy STRATEGIC of section 7.3 of the source.
//!
//! A player who must move but whose strategy gives no move is *stuck*, and has lost: the play has
//! no complete path to continue on.

use std::collections::BTreeMap;
use std::collections::hash_map::Entry;

use rustc_hash::FxHashMap;

use super::formula::{Formula, Rule};
use super::game::{ActionId, PlayerId, StateId};
use super::graph::{EdgeIndex, StateGraph};
use super::strategy::Strategy;
use super::validity::Reading;
use crate::budget::Budget;
use crate::outcome::Stop;

/// A strategy for some players; the others do what they like.
#[derive(Clone, Debug)]
pub struct Conduct {
    strategies: Vec<Option<Strategy>>,
}

/// Actions from the beginning.
pub type Play = Vec<ActionId>;

impl Conduct {
    /// Everybody does what he likes.
    pub fn free(graph: &StateGraph) -> Self {
        Self {
            strategies: graph.signature().players().map(|_| None).collect(),
        }
    }

    /// The same, with a player who follows a rule.
    pub fn follow(
        self,
        graph: &StateGraph,
        player: PlayerId,
        rule: &Rule,
        reading: Reading,
        budget: &mut Budget,
    ) -> Result<Self, StopError> {
        let strategy = Strategy::of(graph, rule, player, reading, budget).map_err(StopError)?;
        Ok(self.with(strategy))
    }

    /// The same, with a player who keeps to a strategy.
    #[must_use]
    pub fn with(mut self, strategy: Strategy) -> Self {
        let player = strategy.player().index();
        self.strategies[player] = Some(strategy);
        self
    }

    /// The strategy of a player, if he has one.
    pub fn strategy(&self, player: PlayerId) -> Option<&Strategy> {
        self.strategies[player.index()].as_ref()
    }

    pub(super) fn allows(&self, graph: &StateGraph, edge: EdgeIndex) -> bool {
        let owner = graph.signature().owner(graph.edge(edge).action);
        self.strategy(owner)
            .is_none_or(|strategy| strategy.has(edge))
    }

    pub(super) fn edges<'c>(
        &'c self,
        graph: &'c StateGraph,
        state: StateId,
    ) -> impl Iterator<Item = EdgeIndex> + 'c {
        graph
            .edge_range(state)
            .filter(|&edge| self.allows(graph, edge))
    }
}

/// A limit or a signal ended the reasoning.
#[derive(Copy, Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("stopped while reasoning about the rules")]
pub struct StopError(pub Stop);

/// The states that a conduct leads to, nearest first, with the way to them.
pub(super) struct Reached {
    order: Vec<StateId>,
    from: FxHashMap<StateId, Option<(StateId, ActionId)>>,
}

impl Reached {
    pub fn by(graph: &StateGraph, conduct: &Conduct) -> Self {
        let mut reached = Self {
            order: vec![graph.initial()],
            from: std::iter::once((graph.initial(), None)).collect(),
        };
        let mut at = 0;
        while let Some(&state) = reached.order.get(at) {
            for edge in conduct.edges(graph, state) {
                let edge = graph.edge(edge);
                if let Entry::Vacant(unseen) = reached.from.entry(edge.to) {
                    unseen.insert(Some((state, edge.action)));
                    reached.order.push(edge.to);
                }
            }
            at += 1;
        }
        reached
    }

    fn play_to(&self, state: StateId) -> Play {
        let mut play = Play::new();
        let mut at = state;
        while let Some(&Some((before, action))) = self.from.get(&at) {
            play.push(action);
            at = before;
        }
        play.reverse();
        play
    }
}

/// How a play ends.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Ending {
    /// In a terminal state that is a winning state of these players; of none in a tie.
    Winners(Vec<PlayerId>),
    /// One of these players has to move, and their rules give no move.
    Stuck(Vec<PlayerId>),
}

/// All ways in which plays may end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcomes {
    /// How many states end so, and a shortest play that does.
    pub endings: BTreeMap<Ending, (usize, Play)>,
    /// How many states are passed or reached.
    pub states: usize,
    /// How many plays there are; nothing if they cannot be counted.
    pub plays: Option<u128>,
}

/// What may come of the game when the players keep to the conduct.
///
/// ```
/// use quip::budget::Budget;
/// use quip::rules::{Conduct, Ending, StateGraph, Theory, outcomes};
/// let text = include_str!("../../../models/rules/crossdot.rules");
/// let theory = Theory::read(&[("crossdot.rules", text)], &[("m", 2)])?;
/// let graph = StateGraph::explore(theory.game()?, &mut Budget::unlimited())?;
/// let result = outcomes(&graph, &Conduct::free(&graph));
/// assert_eq!(result.plays, Some(2));
/// assert!(result.endings.contains_key(&Ending::Winners(vec![])));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn outcomes(graph: &StateGraph, conduct: &Conduct) -> Outcomes {
    let reached = Reached::by(graph, conduct);
    let mut endings: BTreeMap<Ending, (usize, Play)> = BTreeMap::new();
    for &state in &reached.order {
        if let Some(ending) = ending(graph, conduct, state) {
            let entry = endings.entry(ending);
            entry.or_insert_with(|| (0, reached.play_to(state))).0 += 1;
        }
    }
    Outcomes {
        endings,
        states: reached.order.len(),
        plays: count_plays(graph, conduct, &reached.order),
    }
}

fn ending(graph: &StateGraph, conduct: &Conduct, state: StateId) -> Option<Ending> {
    if graph.terminal(state) {
        let players = graph.signature().players();
        let winners = players.filter(|&player| graph.wins(state, player));
        return Some(Ending::Winners(winners.collect()));
    }
    let stuck = conduct.edges(graph, state).next().is_none();
    stuck.then(|| Ending::Stuck(graph.movers(state)))
}

/// Paths from the beginning to an end, counted state by state; nothing if a state can recur.
fn count_plays(graph: &StateGraph, conduct: &Conduct, order: &[StateId]) -> Option<u128> {
    let mut incoming: FxHashMap<StateId, usize> = FxHashMap::default();
    for &state in order {
        for edge in conduct.edges(graph, state) {
            *incoming.entry(graph.edge(edge).to).or_insert(0) += 1;
        }
    }
    if incoming.contains_key(&graph.initial()) {
        return None;
    }
    let mut ways: FxHashMap<StateId, u128> = FxHashMap::default();
    ways.insert(graph.initial(), 1);
    let (mut ready, mut done, mut plays) = (vec![graph.initial()], 0, 0_u128);
    while let Some(state) = ready.pop() {
        done += 1;
        let here = ways[&state];
        if ending(graph, conduct, state).is_some() {
            plays = plays.checked_add(here)?;
        }
        for edge in conduct.edges(graph, state) {
            let to = graph.edge(edge).to;
            let there = ways.entry(to).or_insert(0);
            *there = there.checked_add(here)?;
            let left = incoming.entry(to).or_insert(1);
            *left -= 1;
            if *left == 0 {
                ready.push(to);
            }
        }
    }
    (done == order.len()).then_some(plays)
}

/// Whether something is guaranteed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Guarantee {
    /// However the others play.
    Holds,
    /// This play keeps to the conduct and ends without the goal.
    Refuted(Play),
    /// After this play the player must move, and his rule gives no move.
    Stuck(Play),
}

impl Guarantee {
    /// Whether it is guaranteed.
    pub fn holds(&self) -> bool {
        *self == Self::Holds
    }

    /// The play that refutes it.
    pub fn refutation(&self) -> Option<&Play> {
        match self {
            Self::Holds => None,
            Self::Refuted(play) | Self::Stuck(play) => Some(play),
        }
    }
}

/// Whether `terminal → goal` is valid in the game when it complies with the conduct, from the view
/// of one player: he fails where he is stuck, and has succeeded where another is.
pub fn guarantee(
    graph: &StateGraph,
    conduct: &Conduct,
    player: PlayerId,
    goal: &Formula,
) -> Guarantee {
    let reached = Reached::by(graph, conduct);
    for &state in &reached.order {
        match ending(graph, conduct, state) {
            Some(Ending::Winners(_)) if !graph.satisfies(state, goal) => {
                return Guarantee::Refuted(reached.play_to(state));
            }
            Some(Ending::Stuck(players)) if players.contains(&player) => {
                return Guarantee::Stuck(reached.play_to(state));
            }
            _ => {}
        }
    }
    Guarantee::Holds
}
