//! CrossDot and its strategies, as they are shipped.

use quip::budget::Budget;
use quip::rules::{ActionId, Conduct, PlayerId, Reading, StateGraph, StateId, Strategy, Theory};

pub const CROSSDOT: &str = include_str!("../../models/rules/crossdot.rules");
pub const STRATEGIES: &str = include_str!("../../models/rules/strategies.rules");

/// The game on `m` boxes with rows of `k`, explored.
pub struct Table {
    pub theory: Theory,
    pub graph: StateGraph,
}

impl Table {
    pub fn crossdot(m: i64, k: i64) -> Self {
        let files = [
            ("crossdot.rules", CROSSDOT),
            ("strategies.rules", STRATEGIES),
        ];
        let theory = Theory::read(&files, &[("m", m), ("k", k)]).unwrap();
        let graph = StateGraph::explore(theory.game().unwrap(), &mut Budget::unlimited()).unwrap();
        Self { theory, graph }
    }

    pub fn strategy(&self, rule: &str, number: usize, reading: Reading) -> Strategy {
        let rule = self.theory.rule(rule, player(number)).unwrap();
        let budget = &mut Budget::unlimited();
        Strategy::of(&self.graph, &rule, player(number), reading, budget).unwrap()
    }

    /// Everybody follows the rule that is named for him.
    pub fn conduct(&self, rules: &[(usize, &str)], reading: Reading) -> Conduct {
        let free = Conduct::free(&self.graph);
        rules.iter().fold(free, |conduct, (number, rule)| {
            conduct.with(self.strategy(rule, *number, reading))
        })
    }

    /// The state after boxes were filled in turn, player 1 first.
    pub fn after(&self, boxes: &[i64]) -> StateId {
        let mut state = self.graph.initial();
        for (turn, &place) in boxes.iter().enumerate() {
            let action = self.fill(turn % 2 + 1, place);
            state = self.graph.after(state, action).unwrap();
        }
        state
    }

    pub fn fill(&self, number: usize, place: i64) -> ActionId {
        let signature = self.graph.signature();
        signature.action("a", &[number as i64, place]).unwrap()
    }

    /// The boxes that a strategy fills in a state.
    pub fn boxes(&self, strategy: &Strategy, state: StateId) -> Vec<i64> {
        let actions = strategy.actions(&self.graph, state).into_iter();
        let symbol = |action| self.graph.signature().action_symbol(action);
        actions.map(|action| symbol(action).indices[1]).collect()
    }

    /// The line of boxes: `x`, `o` or `-`.
    pub fn line(&self, state: StateId) -> String {
        let boxes = 1..=self.constant("m");
        let marked = |player, place| {
            let id = self.graph.signature().proposition("p", &[player, place]);
            self.graph.holds(state, id.unwrap())
        };
        let mark = |place| match (marked(1, place), marked(2, place)) {
            (true, _) => 'x',
            (_, true) => 'o',
            _ => '-',
        };
        boxes.map(mark).collect()
    }

    pub fn constant(&self, name: &str) -> i64 {
        let mut constants = self.theory.constants().iter();
        constants.find(|(known, _)| known == name).unwrap().1
    }
}

pub fn player(number: usize) -> PlayerId {
    PlayerId::called(number).unwrap()
}
