//! Axioms that say how a game is played, and the game that they describe.
//!
//! Source: Zhang and Thielscher, axioms (4)–(11). These forms can be executed:
//!
//! ```text
//! init -> literals                     what holds at the beginning
//! wins(i) == formula                   and terminal == …, legal(a) == …, either side first
//! formula == next p                    what makes p hold after an action
//! formula -> next p & next ~q          the same case by case
//! ```

use std::ops::Not as _;

use smallvec::SmallVec;

use super::ground::{Fault, Grounder};
use super::syntax::{Axiom, Node, Shape, Span};
use crate::format::{Code, Draft};
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

/// A slot that axioms fill, with the place of the one that did.
type Slot<T> = Option<(T, usize, Span)>;

/// Axioms on their way to a game.
pub(super) struct Collector<'n> {
    signature: &'n Signature,
    initial: Vec<Slot<bool>>,
    wins: Vec<Slot<Formula>>,
    terminal: Slot<Formula>,
    legal: Vec<Slot<Formula>>,
    exact: Vec<Slot<Formula>>,
    positive: Vec<Vec<Formula>>,
    negative: Vec<Vec<Formula>>,
}

impl<'n> Collector<'n> {
    pub fn new(signature: &'n Signature) -> Self {
        let propositions = signature.propositions().len();
        Self {
            signature,
            initial: vec![None; propositions],
            wins: vec![None; signature.players().len()],
            terminal: None,
            legal: vec![None; signature.actions().len()],
            exact: vec![None; propositions],
            positive: vec![Vec::new(); propositions],
            negative: vec![Vec::new(); propositions],
        }
    }

    /// Takes in one axiom for all values of its indices.
    pub fn add(&mut self, grounder: &mut Grounder<'_>, axiom: &Axiom) -> Result<(), Fault> {
        grounder.each(&axiom.ranges, &mut |grounder| {
            self.one(grounder, &axiom.formula)
        })
    }

    fn one(&mut self, grounder: &mut Grounder<'_>, node: &Node) -> Result<(), Fault> {
        match &node.shape {
            Shape::Implies(premise, facts) if matches!(premise.shape, Shape::Init) => {
                self.beginning(grounder, facts)
            }
            Shape::Same(left, right) if is_head(left) => self.define(grounder, left, right),
            Shape::Same(left, right) if is_head(right) => self.define(grounder, right, left),
            Shape::Implies(premise, effects) => {
                let premise_formula = grounder.formula(premise)?;
                check_about_state(grounder, &premise_formula, &premise.span, true)?;
                self.effects(grounder, &premise_formula, effects, true)
            }
            _ => Err(not_an_axiom(grounder, &node.span)),
        }
    }

    fn beginning(&mut self, grounder: &mut Grounder<'_>, facts: &Node) -> Result<(), Fault> {
        match &facts.shape {
            Shape::All(parts) => parts
                .iter()
                .try_for_each(|part| self.beginning(grounder, part)),
            Shape::ForAll(ranges, body) => {
                grounder.each(ranges, &mut |grounder| self.beginning(grounder, body))
            }
            Shape::Named(_) | Shape::Not(_) => match literal(grounder.formula(facts)?) {
                Some((proposition, truth)) => {
                    let slot = &mut self.initial[proposition.index()];
                    fill(grounder, slot, truth, &facts.span, || {
                        let symbol = self.signature.proposition_symbol(proposition);
                        format!("whether {symbol} holds at the beginning")
                    })
                }
                None => Err(not_an_axiom(grounder, &facts.span)),
            },
            _ => Err(not_an_axiom(grounder, &facts.span)),
        }
    }

    fn define(
        &mut self,
        grounder: &mut Grounder<'_>,
        head: &Node,
        body: &Node,
    ) -> Result<(), Fault> {
        let formula = grounder.formula(body)?;
        let is_effect = matches!(head.shape, Shape::Next(_));
        check_about_state(grounder, &formula, &body.span, is_effect)?;
        let spelled = grounder.formula(head)?;
        let slot = match &spelled {
            Formula::Wins(player) => &mut self.wins[player.index()],
            Formula::Terminal => &mut self.terminal,
            Formula::Legal(action) => &mut self.legal[action.index()],
            Formula::Next(inner) => match **inner {
                Formula::Proposition(proposition) => &mut self.exact[proposition.index()],
                _ => return Err(not_an_axiom(grounder, &head.span)),
            },
            _ => return Err(not_an_axiom(grounder, &head.span)),
        };
        fill(grounder, slot, formula, &head.span, || {
            spelled.display(self.signature).to_string()
        })
    }

    /// `premise → next literals`; `truth` is false below a negation.
    fn effects(
        &mut self,
        grounder: &mut Grounder<'_>,
        premise: &Formula,
        effects: &Node,
        truth: bool,
    ) -> Result<(), Fault> {
        match &effects.shape {
            Shape::All(parts) if truth => parts
                .iter()
                .try_for_each(|part| self.effects(grounder, premise, part, truth)),
            Shape::ForAll(ranges, body) if truth => grounder.each(ranges, &mut |grounder| {
                self.effects(grounder, premise, body, truth)
            }),
            Shape::Not(part) => self.effects(grounder, premise, part, !truth),
            Shape::Next(part) => match literal(grounder.formula(part)?) {
                Some((proposition, positive)) => {
                    let cases = match positive == truth {
                        true => &mut self.positive,
                        false => &mut self.negative,
                    };
                    cases[proposition.index()].push(premise.clone());
                    Ok(())
                }
                None => Err(not_an_axiom(grounder, &effects.span)),
            },
            _ => Err(not_an_axiom(grounder, &effects.span)),
        }
    }

    /// The game, or what nobody has said about it.
    pub fn finish(self) -> Result<AxiomGame, Vec<String>> {
        let mut missing = Vec::new();
        let signature = self.signature;
        let proposition = |id| signature.proposition_symbol(id);
        let initial = filled(self.initial, &mut missing, |place| {
            let symbol = proposition(PropositionId::new(place));
            format!("whether {symbol} holds at the beginning: init -> {symbol}")
        });
        let wins = filled(self.wins, &mut missing, |place| {
            let player = PlayerId::new(place);
            format!("when player {player} wins: wins({player}) == …")
        });
        let terminal = filled(vec![self.terminal], &mut missing, |_| {
            "when the game is over: terminal == …".to_owned()
        });
        let legal = filled(self.legal, &mut missing, |place| {
            let symbol = signature.action_symbol(ActionId::new(place));
            format!("when {symbol} may be done: legal({symbol}) == …")
        });
        let mut successors = Vec::new();
        let cases = self.positive.into_iter().zip(self.negative);
        for (id, (exact, (positive, negative))) in signature
            .propositions()
            .zip(self.exact.into_iter().zip(cases))
        {
            match exact {
                Some((formula, ..)) => successors.push(Successor::Exactly(formula)),
                None if positive.is_empty() && negative.is_empty() => {
                    let symbol = proposition(id);
                    missing.push(format!(
                        "whether {symbol} holds after an action: … == next {symbol}"
                    ));
                }
                None => successors.push(Successor::Cases(positive, negative)),
            }
        }
        let Some(terminal) = terminal.into_iter().next().filter(|_| missing.is_empty()) else {
            return Err(missing);
        };
        Ok(AxiomGame {
            signature: signature.clone(),
            start: valuation(&initial),
            initial,
            wins,
            terminal,
            legal,
            successors,
        })
    }
}

fn filled<T>(
    slots: Vec<Slot<T>>,
    missing: &mut Vec<String>,
    what: impl Fn(usize) -> String,
) -> Vec<T> {
    let mut values = Vec::new();
    for (place, slot) in slots.into_iter().enumerate() {
        match slot {
            Some((value, ..)) => values.push(value),
            None => missing.push(what(place)),
        }
    }
    values
}

fn fill<T>(
    grounder: &Grounder<'_>,
    slot: &mut Slot<T>,
    value: T,
    span: &Span,
    what: impl Fn() -> String,
) -> Result<(), Fault> {
    let source = grounder.source();
    let Some((_, earlier_source, earlier)) = slot else {
        *slot = Some((value, source, span.clone()));
        return Ok(());
    };
    let message = format!("two axioms say {}", what());
    let mut draft = Draft::new(Code::DefinedTwice, message).at(span.clone(), "again here");
    if *earlier_source == source && earlier != span {
        draft = draft.at(earlier.clone(), "first here");
    }
    Err(grounder.fault(draft.help("keep one of them, or make their indices differ")))
}

fn is_head(node: &Node) -> bool {
    match &node.shape {
        Shape::Wins(_) | Shape::Terminal | Shape::Legal(_) => true,
        Shape::Next(part) => matches!(part.shape, Shape::Named(_)),
        _ => false,
    }
}

fn literal(formula: Formula) -> Option<(PropositionId, bool)> {
    match formula {
        Formula::Proposition(id) => Some((id, true)),
        Formula::Not(part) => literal(*part).map(|(id, truth)| (id, !truth)),
        _ => None,
    }
}

/// Definitions speak of states; what an action does may also ask which action it was.
fn check_about_state(
    grounder: &Grounder<'_>,
    formula: &Formula,
    span: &Span,
    may_name_actions: bool,
) -> Result<(), Fault> {
    let mut open = vec![formula];
    while let Some(part) = open.pop() {
        let word = match part {
            Formula::Next(_) => "next",
            Formula::Does(_) if !may_name_actions => "does",
            _ => {
                open.extend(part.parts());
                continue;
            }
        };
        let message = format!("`{word}` stands where only a state can be spoken of");
        return Err(grounder.fault(Draft::new(Code::NotHere, message).at(span.clone(), "")));
    }
    Ok(())
}

fn not_an_axiom(grounder: &Grounder<'_>, span: &Span) -> Fault {
    let message = "this does not say how the game is played";
    let draft = Draft::new(Code::NotAnAxiom, message).at(span.clone(), "not one of the forms");
    grounder.fault(draft.help(
        "write `init -> literals`, `wins(i) == …`, `terminal == …`, `legal(a) == …`, \
         `… == next p` or `… -> next p & next ~q`",
    ))
}

/// A definition of `wins`, `terminal` or `legal` that leads back to itself, if there is one.
pub(super) fn circular(game: &AxiomGame) -> Option<String> {
    let players = game.signature.players().map(Formula::Wins);
    let actions = game.signature.actions().map(Formula::Legal);
    let mut heads = players.chain(actions).chain([Formula::Terminal]);
    let mut done = rustc_hash::FxHashSet::default();
    let found = heads.find(|head| leads_back(game, head, &mut Vec::new(), &mut done));
    found.map(|head| head.display(&game.signature).to_string())
}

fn leads_back(
    game: &AxiomGame,
    head: &Formula,
    above: &mut Vec<Formula>,
    done: &mut rustc_hash::FxHashSet<Formula>,
) -> bool {
    if above.contains(head) {
        return true;
    }
    if done.contains(head) {
        return false;
    }
    above.push(head.clone());
    let mut open = vec![match head {
        Formula::Wins(player) => &game.wins[player.index()],
        Formula::Legal(action) => &game.legal[action.index()],
        _ => &game.terminal,
    }];
    while let Some(part) = open.pop() {
        match part {
            Formula::Wins(_) | Formula::Legal(_) | Formula::Terminal => {
                if leads_back(game, part, above, done) {
                    return true;
                }
            }
            _ => open.extend(part.parts()),
        }
    }
    above.pop();
    done.insert(head.clone());
    false
}
