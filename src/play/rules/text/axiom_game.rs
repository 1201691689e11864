//! A game that is given by formulas, and how it is played.
//!
//! **Invariant:** the definitions of `wins`, `terminal` and `legal` do not run in a circle, and none of
//! them speaks of an action taken or of the next state.

use std::ops::Not as _;

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::rules::formula::Formula;
use crate::rules::game::{ActionId, Game, GameFault, PlayerId, PropositionId, Signature};

/// Which propositions are true.
type Valuation = SmallVec<[u64; 2]>;

/// A game that is given by axioms.
#[derive(Clone, Debug)]
pub struct AxiomGame {
    pub(in crate::rules) signature: Signature,
    pub(in crate::rules) initial: Vec<bool>,
    pub(in crate::rules) wins: Vec<Formula>,
    pub(in crate::rules) terminal: Formula,
    pub(in crate::rules) legal: Vec<Formula>,
    pub(in crate::rules) successors: Vec<Successor>,
    start: Valuation,
}

/// When a proposition holds after an action.
#[derive(Clone, Debug)]
pub(in crate::rules) enum Successor {
    /// Exactly when this held before.
    Exactly(Formula),
    /// Cases for and against.
    Cases(Vec<Formula>, Vec<Formula>),
}

impl Successor {
    fn after(&self, truth: impl Fn(&Formula) -> bool) -> Result<bool, Undetermined> {
        match self {
            Self::Exactly(formula) => Ok(truth(formula)),
            Self::Cases(positive, negative) => {
                match (positive.iter().any(&truth), negative.iter().any(&truth)) {
                    (true, false) => Ok(true),
                    (false, true) => Ok(false),
                    (true, true) => Err(Undetermined::Both),
                    (false, false) => Err(Undetermined::Neither),
                }
            }
        }
    }
}

enum Undetermined {
    Both,
    Neither,
}

impl AxiomGame {
    /// A game in which everything has been said.
    pub(in crate::rules) fn new(
        signature: Signature,
        initial: Vec<bool>,
        wins: Vec<Formula>,
        terminal: Formula,
        legal: Vec<Formula>,
        successors: Vec<Successor>,
    ) -> Self {
        let start = valuation(&initial);
        Self {
            signature,
            initial,
            wins,
            terminal,
            legal,
            successors,
            start,
        }
    }

    fn truth(&self, formula: &Formula, state: &Valuation, done: Option<ActionId>) -> bool {
        let part = |part: &Formula| self.truth(part, state, done);
        match formula {
            Formula::Proposition(id) => is_set(state, *id),
            Formula::Does(action) => done == Some(*action),
            Formula::Legal(action) => part(&self.legal[action.index()]),
            Formula::Wins(player) => part(&self.wins[player.index()]),
            Formula::Init => *state == self.start,
            Formula::Terminal => part(&self.terminal),
            Formula::Not(inner) => part(inner).not(),
            Formula::All(parts) => parts.iter().all(part),
            Formula::Any(parts) => parts.iter().any(part),
            Formula::Same(left, right) => part(left) == part(right),
            // Refused when the axioms were read.
            Formula::Next(_) => false,
        }
    }

    fn name(&self, proposition: PropositionId) -> String {
        self.signature.proposition_symbol(proposition).to_string()
    }
}

fn is_set(state: &Valuation, proposition: PropositionId) -> bool {
    state[proposition.index() / 64] >> (proposition.index() % 64) & 1 == 1
}

fn valuation(truths: &[bool]) -> Valuation {
    let mut words = Valuation::from_elem(0, truths.len().div_ceil(64));
    for (place, &truth) in truths.iter().enumerate() {
        words[place / 64] |= u64::from(truth) << (place % 64);
    }
    words
}

impl Game for AxiomGame {
    type State = SmallVec<[u64; 2]>;

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn initial(&self) -> Result<Self::State, GameFault> {
        Ok(self.start.clone())
    }

    fn legal(&self, state: &Self::State, action: ActionId) -> bool {
        self.truth(&self.legal[action.index()], state, None)
    }

    fn update(&self, state: &Self::State, action: ActionId) -> Result<Self::State, GameFault> {
        let mut after = Valuation::from_elem(0, state.len());
        for (place, successor) in self.successors.iter().enumerate() {
            let decided = successor.after(|formula| self.truth(formula, state, Some(action)));
            let truth = decided.map_err(|why| {
                let proposition = self.name(PropositionId::new(place));
                let when = format!("after {}", self.signature.action_symbol(action));
                match why {
                    Undetermined::Neither => GameFault::Undecided { proposition, when },
                    Undetermined::Both => GameFault::Contradiction { proposition, when },
                }
            })?;
            after[place / 64] |= u64::from(truth) << (place % 64);
        }
        Ok(after)
    }

    fn wins(&self, state: &Self::State, player: PlayerId) -> bool {
        self.truth(&self.wins[player.index()], state, None)
    }

    fn terminal(&self, state: &Self::State) -> bool {
        self.truth(&self.terminal, state, None)
    }

    fn holds(&self, state: &Self::State, proposition: PropositionId) -> bool {
        is_set(state, proposition)
    }
}

/// How many definitions of `wins`, `terminal` and `legal` may hang on each other in a row.
const LONGEST_CHAIN: usize = 16;

/// What is wrong with the way definitions of `wins`, `terminal` and `legal` use each other, and whose
/// definition it is.
pub(super) enum Tangle {
    /// One leads back to itself.
    Circular(Formula),
    /// One leads through too many others.
    Long(Formula),
}

/// Looks for a tangle in the definitions of a game.
pub(super) fn tangle(game: &AxiomGame) -> Option<Tangle> {
    let players = game.signature.players().map(Formula::Wins);
    let actions = game.signature.actions().map(Formula::Legal);
    let heads = players.chain(actions).chain([Formula::Terminal]);
    let mut lengths = FxHashMap::default();
    for head in heads {
        match chain_length(game, &head, &mut Vec::new(), &mut lengths) {
            Err(circle) => return Some(Tangle::Circular(circle)),
            Ok(length) if length > LONGEST_CHAIN => return Some(Tangle::Long(head)),
            Ok(_) => {}
        }
    }
    None
}

/// How many definitions hang on each other below this one; if they run in a circle, one of the circle.
fn chain_length(
    game: &AxiomGame,
    head: &Formula,
    above: &mut Vec<Formula>,
    lengths: &mut FxHashMap<Formula, usize>,
) -> Result<usize, Formula> {
    if let Some(&length) = lengths.get(head) {
        return Ok(length);
    }
    if above.contains(head) {
        return Err(head.clone());
    }
    if above.len() > LONGEST_CHAIN {
        return Ok(above.len());
    }
    above.push(head.clone());
    let mut longest = 0;
    let mut open = vec![match head {
        Formula::Wins(player) => &game.wins[player.index()],
        Formula::Legal(action) => &game.legal[action.index()],
        _ => &game.terminal,
    }];
    while let Some(part) = open.pop() {
        match part {
            Formula::Wins(_) | Formula::Legal(_) | Formula::Terminal => {
                longest = longest.max(chain_length(game, part, above, lengths)? + 1);
            }
            _ => open.extend(part.parts()),
        }
    }
    above.pop();
    lengths.insert(head.clone(), longest);
    Ok(longest)
}
