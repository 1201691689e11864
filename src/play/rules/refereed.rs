//! Every game of the library as a game for rules, by its referee.

use std::hash::{Hash, Hasher};

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::game::{ActionId, Game, GameFault, PlayerId, PropositionId, Signature};
use crate::games::play::{Action, End, Rules, Term};
use crate::program::Quantifier;

/// A game of the library: player 1 is its existential side. Actions, propositions and constants are
/// those of its [vocabulary](crate::games::play::Vocabulary), and `turn(i)` says who moves.
///
/// ```
/// use quip::budget::Budget;
/// use quip::games::family;
/// use quip::rules::{Refereed, StateGraph, Theory};
/// let rules = family("crossdot").unwrap().rules(&[("boxes", "4"), ("row", "2")])?;
/// let game = Refereed::new(rules);
/// let graph = StateGraph::explore(&game, &mut Budget::unlimited())?;
/// assert_eq!(graph.longest_play(), Some(4));
/// let theory = Theory::read_for(graph.signature(), &[("my.rules", "rule last = does(a(1,m));")], &[])?;
/// assert_eq!(theory.constants()[0], ("m".to_owned(), 4));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Refereed {
    rules: Box<dyn Rules>,
    signature: Signature,
    /// The option behind each action.
    options: Vec<usize>,
    propositions: FxHashMap<Term, PropositionId>,
    turns: [PropositionId; 2],
}

/// A position: how it was reached, and what holds in it. Positions in which the same holds are equal.
#[derive(Clone, Debug)]
pub struct Position {
    history: Vec<usize>,
    truths: SmallVec<[u64; 2]>,
    mover: PlayerId,
    /// What the mover may do; nothing at the end.
    options: Vec<usize>,
    end: Option<End>,
}

impl PartialEq for Position {
    fn eq(&self, other: &Self) -> bool {
        self.truths == other.truths
    }
}

impl Eq for Position {}

impl Hash for Position {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.truths.hash(state);
    }
}

impl Refereed {
    /// The game that is played by these rules.
    pub fn new(rules: Box<dyn Rules>) -> Self {
        let words = rules.vocabulary();
        let mut signature = Signature::new(2);
        for (name, value) in words.constants {
            let value = i64::try_from(value).expect("invariant: games are small");
            signature.add_constant(name, value);
        }
        let mut options = Vec::new();
        for Action { side, option, term } in words.actions {
            signature.add_action(term.name, &term.indices, player(side));
            options.push(option);
        }
        let mut propositions = FxHashMap::default();
        for term in words.propositions {
            let id = signature.add_proposition(term.name, &term.indices);
            propositions.insert(term, id);
        }
        let turns = [1, 2].map(|number| signature.add_proposition("turn", &[number]));
        Self {
            rules,
            signature,
            options,
            propositions,
            turns,
        }
    }

    fn position(&self, history: Vec<usize>) -> Position {
        let words = self.signature.propositions().len().div_ceil(64);
        let mut truths = SmallVec::from_elem(0, words);
        let mover = player(self.rules.mover(&history));
        let facts = self.rules.facts(&history);
        let known = facts.iter().map(|fact| {
            let id = self.propositions.get(fact);
            *id.expect("invariant: the vocabulary has every fact")
        });
        for id in known.chain([self.turns[mover.index()]]) {
            truths[id.index() / 64] |= 1 << (id.index() % 64);
        }
        let end = self.rules.end(&history);
        let options = match end {
            Some(_) => Vec::new(),
            None => self.rules.options(&history),
        };
        Position {
            history,
            truths,
            mover,
            options,
            end,
        }
    }
}

fn player(side: Quantifier) -> PlayerId {
    PlayerId::new(match side {
        Quantifier::Exists => 0,
        Quantifier::Forall => 1,
    })
}

impl Game for Refereed {
    type State = Position;

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn initial(&self) -> Result<Position, GameFault> {
        Ok(self.position(Vec::new()))
    }

    fn legal(&self, position: &Position, action: ActionId) -> bool {
        position.mover == self.signature.owner(action)
            && position.options.contains(&self.options[action.index()])
    }

    fn update(&self, position: &Position, action: ActionId) -> Result<Position, GameFault> {
        let mut history = position.history.clone();
        history.push(self.options[action.index()]);
        Ok(self.position(history))
    }

    fn wins(&self, position: &Position, player: PlayerId) -> bool {
        let won = [End::First, End::Second][player.index()];
        position.end == Some(won)
    }

    fn terminal(&self, position: &Position) -> bool {
        position.end.is_some()
    }

    fn holds(&self, position: &Position, proposition: PropositionId) -> bool {
        position.truths[proposition.index() / 64] >> (proposition.index() % 64) & 1 == 1
    }
}
