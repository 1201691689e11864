//! Axioms that say how a game is played, collected to a game.
//!
//! Source: Zhang and Thielscher, axioms (4)–(11). These forms can be executed:
//!
//! ```text
//! init -> literals                     what holds at the beginning
//! wins(i) == formula                   and terminal == …, legal(a) == …, either side first
//! formula == next p                    what makes p hold after an action
//! formula -> next p & next ~q          the same case by case
//! ```

use rustc_hash::FxHashMap;

use super::axiom_game::{AxiomGame, Successor};
use super::ground::{Fault, Grounder};
use super::syntax::{Axiom, Node, Shape, Span};
use crate::format::{Code, Draft};
use crate::rules::formula::Formula;
use crate::rules::game::{ActionId, PlayerId, PropositionId, Signature};

/// A slot that axioms fill, with the place of the one that did.
type Slot<T> = Option<(T, usize, Span)>;

/// In which of the texts something stands, and where.
pub(super) type Spot = (usize, Span);

/// What nobody has said about a game, and where something like it is said, if anywhere.
pub(super) struct Missing {
    pub what: String,
    pub near: Option<Spot>,
}

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

    /// Where `wins`, `terminal` and `legal` are defined.
    pub fn definitions(&self) -> FxHashMap<Formula, Spot> {
        let spot = |slot: &Slot<Formula>| {
            let (_, source, span) = slot.as_ref()?;
            Some((*source, span.clone()))
        };
        let wins = self.signature.players().zip(&self.wins);
        let wins = wins.map(|(player, slot)| (Formula::Wins(player), slot));
        let legal = self.signature.actions().zip(&self.legal);
        let legal = legal.map(|(action, slot)| (Formula::Legal(action), slot));
        let all = wins
            .chain(legal)
            .chain([(Formula::Terminal, &self.terminal)]);
        all.filter_map(|(head, slot)| Some((head, spot(slot)?)))
            .collect()
    }

    /// The game, or what nobody has said about it.
    pub fn finish(self) -> Result<AxiomGame, Vec<Missing>> {
        let mut missing = Vec::new();
        let of_beginning = nearest(&self.initial);
        let of_effects = nearest(&self.exact);
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
                    missing.push(Missing {
                        what: format!("whether {symbol} holds after an action: … == next {symbol}"),
                        near: of_effects.clone().or_else(|| of_beginning.clone()),
                    });
                }
                None => successors.push(Successor::Cases(positive, negative)),
            }
        }
        let Some(terminal) = terminal.into_iter().next().filter(|_| missing.is_empty()) else {
            return Err(missing);
        };
        Ok(AxiomGame::new(
            signature.clone(),
            initial,
            wins,
            terminal,
            legal,
            successors,
        ))
    }
}

fn filled<T>(
    slots: Vec<Slot<T>>,
    missing: &mut Vec<Missing>,
    what: impl Fn(usize) -> String,
) -> Vec<T> {
    let mut values = Vec::new();
    let near = nearest(&slots);
    for (place, slot) in slots.into_iter().enumerate() {
        match slot {
            Some((value, ..)) => values.push(value),
            None => missing.push(Missing {
                what: what(place),
                near: near.clone(),
            }),
        }
    }
    values
}

/// Where the last of some slots was filled.
fn nearest<T>(slots: &[Slot<T>]) -> Option<Spot> {
    let filled = slots.iter().flatten().next_back();
    filled.map(|(_, source, span)| (*source, span.clone()))
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
