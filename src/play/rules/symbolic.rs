//! States, plays and rules over unknown moves, as circuits.
//!
//! A state whose history is not known yet is a literal per proposition. What a formula or rule says
//! about it is a literal again, over and-gates that are stored once each. `○` is unfolded: for every
//! sequence of actions as long as the formula looks ahead, the state after it is a circuit, too.

use super::circuit::{Bit, Circuit};
use super::formula::{Formula, Rule};
use super::game::{ActionId, PlayerId};
use super::text::{AxiomGame, Successor};
use super::validity::Reading;

/// A literal per proposition.
pub(super) type State = Vec<Bit>;

/// Reads a game and its rules as circuits.
pub(super) struct Reader<'g> {
    pub circuit: Circuit,
    game: &'g AxiomGame,
    reading: Reading,
}

impl<'g> Reader<'g> {
    pub fn new(game: &'g AxiomGame, reading: Reading) -> Self {
        Self {
            circuit: Circuit::new(),
            game,
            reading,
        }
    }

    /// Where play begins.
    pub fn initial(&self) -> State {
        let truths = self.game.initial.iter();
        truths.map(|&truth| Bit::constant(truth)).collect()
    }

    /// A formula about a state; `does` says of each action whether it is taken.
    fn truth(&mut self, formula: &Formula, state: &State, does: &dyn Fn(ActionId) -> Bit) -> Bit {
        let game = self.game;
        match formula {
            Formula::Proposition(proposition) => state[proposition.index()],
            Formula::Does(action) => does(*action),
            Formula::Legal(action) => self.truth(&game.legal[action.index()], state, does),
            Formula::Wins(player) => self.truth(&game.wins[player.index()], state, does),
            Formula::Terminal => self.truth(&game.terminal, state, does),
            Formula::Init => self.is_initial(state),
            Formula::Not(part) => !self.truth(part, state, does),
            Formula::All(parts) => {
                let bits = self.truths(parts, state, does);
                self.circuit.and(bits)
            }
            Formula::Any(parts) => {
                let bits = self.truths(parts, state, does);
                self.circuit.or(bits)
            }
            Formula::Same(left, right) => {
                let left = self.truth(left, state, does);
                let right = self.truth(right, state, does);
                self.circuit.same(left, right)
            }
            // Where play is over everything may be said of what comes next.
            Formula::Next(_) => Bit::TRUE,
        }
    }

    fn truths(
        &mut self,
        parts: &[Formula],
        state: &State,
        does: &dyn Fn(ActionId) -> Bit,
    ) -> Vec<Bit> {
        let parts = parts.iter();
        parts.map(|part| self.truth(part, state, does)).collect()
    }

    fn is_initial(&mut self, state: &State) -> Bit {
        let truths = self.game.initial.iter().zip(state);
        let equal: Vec<Bit> = truths
            .map(|(&truth, &bit)| if truth { bit } else { !bit })
            .collect();
        self.circuit.and(equal)
    }

    /// A formula where nothing follows the state.
    pub fn at_end(&mut self, formula: &Formula, state: &State) -> Bit {
        self.truth(formula, state, &|_| Bit::TRUE)
    }

    pub fn terminal(&mut self, state: &State) -> Bit {
        self.at_end(&Formula::Terminal, state)
    }

    pub fn legal(&mut self, action: ActionId, state: &State) -> Bit {
        self.at_end(&Formula::Legal(action), state)
    }

    /// The state after the actions that are taken.
    pub fn after(&mut self, state: &State, does: &dyn Fn(ActionId) -> Bit) -> State {
        let game = self.game;
        let successors = game.successors.iter();
        let cases = successors.map(|successor| match successor {
            Successor::Exactly(formula) => self.truth(formula, state, does),
            Successor::Cases(positive, _) => {
                let bits = self.truths(positive, state, does);
                self.circuit.or(bits)
            }
        });
        cases.collect()
    }

    /// For every action of the player whether the rule allows it in the state.
    pub fn allowed(
        &mut self,
        rule: &Rule,
        player: PlayerId,
        state: &State,
    ) -> Vec<(ActionId, Bit)> {
        match rule {
            Rule::Formula(formula) => {
                let own = self.own_actions(player).into_iter();
                own.map(|action| (action, self.valid_under(formula, action, state)))
                    .collect()
            }
            Rule::Else(rules) => self.first_of(rules, player, state),
            Rule::Also(rules) => self.narrowed(rules, player, state),
        }
    }

    pub fn own_actions(&self, player: PlayerId) -> Vec<ActionId> {
        let signature = &self.game.signature;
        let actions = signature.actions();
        actions
            .filter(|&action| signature.owner(action) == player)
            .collect()
    }

    fn first_of(
        &mut self,
        rules: &[Rule],
        player: PlayerId,
        state: &State,
    ) -> Vec<(ActionId, Bit)> {
        let mut result = self.nothing(player);
        let mut none_yet = Bit::TRUE;
        for rule in rules {
            let given = self.allowed(rule, player, state);
            for (so_far, &(_, bit)) in result.iter_mut().zip(&given) {
                let applies = self.circuit.and([none_yet, bit]);
                so_far.1 = self.circuit.or([so_far.1, applies]);
            }
            let any = self.circuit.or(given.into_iter().map(|(_, bit)| bit));
            none_yet = self.circuit.and([none_yet, !any]);
        }
        result
    }

    fn narrowed(
        &mut self,
        rules: &[Rule],
        player: PlayerId,
        state: &State,
    ) -> Vec<(ActionId, Bit)> {
        let mut result = self.nothing(player);
        let Some((first, rest)) = rules.split_first() else {
            return result;
        };
        // `kept` is the intersection so far; it is the answer as soon as the next one is empty.
        let mut kept = self.allowed(first, player, state);
        for rule in rest {
            let given = self.allowed(rule, player, state);
            let mut both = kept.clone();
            for (bit, (_, other)) in both.iter_mut().zip(given) {
                bit.1 = self.circuit.and([bit.1, other]);
            }
            let any = self.circuit.or(both.iter().map(|&(_, bit)| bit));
            for (so_far, &(_, bit)) in result.iter_mut().zip(&kept) {
                let stops = self.circuit.and([bit, !any]);
                so_far.1 = self.circuit.or([so_far.1, stops]);
            }
            kept = both;
        }
        for (so_far, (_, bit)) in result.iter_mut().zip(kept) {
            so_far.1 = self.circuit.or([so_far.1, bit]);
        }
        result
    }

    fn nothing(&self, player: PlayerId) -> Vec<(ActionId, Bit)> {
        let own = self.own_actions(player).into_iter();
        own.map(|action| (action, Bit::FALSE)).collect()
    }

    /// Whether the action is legal and the formula valid under it.
    fn valid_under(&mut self, formula: &Formula, action: ActionId, state: &State) -> Bit {
        let legal = self.legal(action, state);
        if legal == Bit::FALSE {
            return Bit::FALSE;
        }
        let mut path = Path {
            states: vec![state.clone()],
            actions: Vec::new(),
        };
        self.push(&mut path, action);
        let valid = self.however_it_goes_on(&mut path, formula);
        self.circuit.and([legal, valid])
    }

    fn push(&mut self, path: &mut Path, action: ActionId) {
        let last = &path.states[path.states.len() - 1];
        let after = self.after(last, &|other| Bit::constant(other == action));
        path.states.push(after);
        path.actions.push(action);
    }

    fn however_it_goes_on(&mut self, path: &mut Path, formula: &Formula) -> Bit {
        if let Some(bit) = self.along(path, formula, 0, false) {
            return bit;
        }
        let last = path.states[path.states.len() - 1].clone();
        let may_end = match self.reading {
            Reading::CompletePlays => self.terminal(&last),
            Reading::Segments => Bit::TRUE,
        };
        let ended = self.along(path, formula, 0, true).unwrap_or(Bit::FALSE);
        let mut ways = vec![self.circuit.or([!may_end, ended])];
        for action in self.game.signature.actions() {
            let legal = self.legal(action, &last);
            if legal == Bit::FALSE || ways.contains(&Bit::FALSE) || self.circuit.check().is_err() {
                continue;
            }
            self.push(path, action);
            let valid = self.however_it_goes_on(path, formula);
            path.states.pop();
            path.actions.pop();
            ways.push(self.circuit.or([!legal, valid]));
        }
        self.circuit.and(ways)
    }

    /// The formula on the path from its `at`-th state, unless that depends on what comes after it.
    fn along(&mut self, path: &Path, formula: &Formula, at: usize, ended: bool) -> Option<Bit> {
        match formula {
            Formula::Does(action) => match path.actions.get(at) {
                Some(done) => Some(Bit::constant(done == action)),
                None => ended.then_some(Bit::TRUE),
            },
            Formula::Next(part) if at < path.actions.len() => self.along(path, part, at + 1, ended),
            Formula::Next(_) => ended.then_some(Bit::TRUE),
            Formula::Not(part) => self.along(path, part, at, ended).map(|bit| !bit),
            Formula::All(parts) => {
                let bits = self.all_along(path, parts, at, ended, Bit::FALSE)?;
                Some(self.circuit.and(bits))
            }
            Formula::Any(parts) => {
                let bits = self.all_along(path, parts, at, ended, Bit::TRUE)?;
                Some(self.circuit.or(bits))
            }
            Formula::Same(left, right) => {
                let left = self.along(path, left, at, ended)?;
                let right = self.along(path, right, at, ended)?;
                Some(self.circuit.same(left, right))
            }
            _ => Some(self.at_end(formula, &path.states[at])),
        }
    }

    /// All parts, or only the one that decides.
    fn all_along(
        &mut self,
        path: &Path,
        parts: &[Formula],
        at: usize,
        ended: bool,
        decisive: Bit,
    ) -> Option<Vec<Bit>> {
        let mut bits = Some(Vec::with_capacity(parts.len()));
        for part in parts {
            match self.along(path, part, at, ended) {
                Some(bit) if bit == decisive => return Some(vec![bit]),
                Some(bit) => {
                    if let Some(bits) = &mut bits {
                        bits.push(bit);
                    }
                }
                None => bits = None,
            }
        }
        bits
    }
}

/// Actions that are supposed, and the states they lead through.
struct Path {
    states: Vec<State>,
    actions: Vec<ActionId>,
}
