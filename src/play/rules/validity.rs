//! When a formula holds along a path, and under a move.
//!
//! Source: Zhang and Thielscher, Definition 4. At the end of a path, where no action follows,
//! `does(a)` and `○φ` hold for every `a` and `φ`.
//!
//! A path is extended only as far as the formula asks: a formula is evaluated on the part that is
//! known to *true*, *false* or *not yet known*, and in the last case every way on is tried.

use super::formula::Formula;
use super::game::{ActionId, StateId};
use super::graph::{Edge, StateGraph};

/// Which paths a formula must hold on to be valid under a move.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Hash)]
pub enum Reading {
    /// Paths that begin with the move and go on to the end of the game.
    #[default]
    CompletePlays,
    /// All paths that begin with the move, also those that break off in the middle of the game,
    /// where everything that is said about the next action is true.
    Segments,
}

/// The part of a path that is known.
pub(super) struct Path<'g> {
    graph: &'g StateGraph,
    states: Vec<StateId>,
    actions: Vec<ActionId>,
    /// Whether nothing follows the last state.
    ended: bool,
}

impl<'g> Path<'g> {
    /// The path of one state that is known so far.
    pub fn at(graph: &'g StateGraph, state: StateId) -> Self {
        Self {
            graph,
            states: vec![state],
            actions: Vec::new(),
            ended: false,
        }
    }

    fn push(&mut self, edge: Edge) {
        self.actions.push(edge.action);
        self.states.push(edge.to);
    }

    fn pop(&mut self) {
        self.actions.pop();
        self.states.pop();
    }

    /// Whether the formula holds on the path from its `at`-th state, as far as that is known.
    fn truth(&self, formula: &Formula, at: usize) -> Option<bool> {
        let state = self.states[at];
        match formula {
            Formula::Proposition(proposition) => Some(self.graph.holds(state, *proposition)),
            Formula::Legal(action) => Some(self.graph.after(state, *action).is_some()),
            Formula::Wins(player) => Some(self.graph.wins(state, *player)),
            Formula::Init => Some(state == self.graph.initial()),
            Formula::Terminal => Some(self.graph.terminal(state)),
            Formula::Does(action) => match self.actions.get(at) {
                Some(done) => Some(done == action),
                None => self.ended.then_some(true),
            },
            Formula::Next(part) if at < self.actions.len() => self.truth(part, at + 1),
            Formula::Next(_) => self.ended.then_some(true),
            Formula::Not(part) => self.truth(part, at).map(|truth| !truth),
            Formula::All(parts) => self.decided_by(parts, at, false),
            Formula::Any(parts) => self.decided_by(parts, at, true),
            Formula::Same(left, right) => Some(self.truth(left, at)? == self.truth(right, at)?),
        }
    }

    /// `verdict` as soon as one part has it; the contrary if all parts have that.
    fn decided_by(&self, parts: &[Formula], at: usize, verdict: bool) -> Option<bool> {
        let mut known = true;
        for part in parts {
            match self.truth(part, at) {
                Some(truth) if truth == verdict => return Some(verdict),
                Some(_) => {}
                None => known = false,
            }
        }
        known.then_some(!verdict)
    }

    /// Whether the formula holds on every path that goes on from this one.
    pub fn holds_however_it_goes_on(&mut self, formula: &Formula, reading: Reading) -> bool {
        if let Some(truth) = self.truth(formula, 0) {
            return truth;
        }
        let last = self.states[self.states.len() - 1];
        let may_end =
            self.graph.terminal(last) || (reading == Reading::Segments && !self.actions.is_empty());
        if may_end {
            self.ended = true;
            let truth = self.truth(formula, 0) == Some(true);
            self.ended = false;
            if !truth {
                return false;
            }
        }
        let graph = self.graph;
        graph.moves(last).iter().all(|&edge| {
            self.push(edge);
            let holds = self.holds_however_it_goes_on(formula, reading);
            self.pop();
            holds
        })
    }
}

/// Whether the formula is valid under a move.
pub(super) fn valid_under(
    graph: &StateGraph,
    state: StateId,
    edge: Edge,
    formula: &Formula,
    reading: Reading,
) -> bool {
    let mut path = Path::at(graph, state);
    path.push(edge);
    path.holds_however_it_goes_on(formula, reading)
}

impl StateGraph {
    /// Whether a formula without `does` and `○` is true in a state. Formulas about more than a
    /// state count as true where the game is over and as false elsewhere unless the state decides.
    pub fn satisfies(&self, state: StateId, formula: &Formula) -> bool {
        let mut path = Path::at(self, state);
        path.ended = self.terminal(state);
        path.truth(formula, 0) == Some(true)
    }

    /// A state from which some reachable path breaks the formula; nothing if the formula is valid
    /// in the game.
    ///
    /// ```
    /// use quip::budget::Budget;
    /// use quip::rules::{Reading, StateGraph, Theory};
    /// let text = include_str!("../../../models/rules/crossdot.rules");
    /// let theory = Theory::read(&[("crossdot.rules", text)], &[("m", 3)])?;
    /// let graph = StateGraph::explore(theory.game()?, &mut Budget::unlimited())?;
    /// let alternate = theory.formula("turn(1) & ~terminal -> next turn(2)")?;
    /// assert_eq!(graph.first_violation(&alternate, Reading::Segments), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn first_violation(&self, formula: &Formula, reading: Reading) -> Option<StateId> {
        self.states().find(|&state| {
            let mut path = Path::at(self, state);
            if reading == Reading::Segments {
                path.ended = true;
                let holds = path.truth(formula, 0) == Some(true);
                path.ended = false;
                if !holds {
                    return true;
                }
            }
            !path.holds_however_it_goes_on(formula, reading)
        })
    }
}
