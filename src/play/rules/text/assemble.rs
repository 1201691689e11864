//! Statements on their way to a theory, file after file.

use super::axiom_game::{Tangle, tangle};
use super::axioms::Collector;
use super::check::Checker;
use super::ground::{Fault, Grounder};
use super::syntax::{Axiom, Declaration, Definition, Span, Statement, Term};
use super::theory::{Theory, TheoryError};
use crate::format::{Code, Diagnostics, Draft};
use crate::rules::game::Signature;

/// Most players of a game.
const MOST_PLAYERS: i64 = 64;

/// A theory in the making.
pub(super) struct Assembler {
    theory: Theory,
    given: Vec<(String, i64)>,
    /// Whether the game is given otherwise.
    has_signature: bool,
    players: Option<(usize, Span)>,
    axioms: Vec<Axiom>,
}

impl Assembler {
    pub fn new(
        files: &[(&str, &str)],
        constants: &[(&str, i64)],
        signature: Option<Signature>,
    ) -> Self {
        let owned = |(name, text): &(&str, &str)| ((*name).to_owned(), (*text).to_owned());
        let given = constants.iter();
        let of_game = signature.as_ref().map(Signature::constants);
        let constants_of_game = of_game.unwrap_or_default().to_vec();
        Self {
            has_signature: signature.is_some(),
            theory: Theory {
                sources: files.iter().map(owned).collect(),
                name: None,
                constants: constants_of_game,
                signature: signature.unwrap_or_default(),
                definitions: Vec::new(),
                game: None,
            },
            given: given
                .map(|(name, value)| ((*name).to_owned(), *value))
                .collect(),
            players: None,
            axioms: Vec::new(),
        }
    }

    pub fn take(&mut self, source: usize, statement: Statement) -> Result<(), Fault> {
        match statement {
            Statement::Game(name, span) => match &self.theory.name {
                Some(_) => Err(declared_twice(source, "game", span)),
                None => {
                    self.theory.name = Some(name);
                    Ok(())
                }
            },
            Statement::Constant(name, span, value) => self.constant(source, name, span, &value),
            Statement::Players(number, span) => self.count_players(source, &number, &span),
            Statement::Proposition(declared) => self.declare(source, &declared),
            Statement::Action(declared) => self.declare(source, &declared),
            Statement::Axiom(axiom) => {
                self.part_of_game(source, &axiom.formula.span)?;
                self.axioms.push(axiom);
                Ok(())
            }
            Statement::Rule(definition) => self.define(source, definition),
        }
    }

    /// The fault with the lines it speaks of.
    pub fn settle(&self, fault: Fault) -> Diagnostics {
        self.theory.settle(fault)
    }

    fn grounder(&self, source: usize) -> Grounder<'_> {
        Grounder::new(self.theory.names(), source)
    }

    fn constant(
        &mut self,
        source: usize,
        name: String,
        span: Span,
        value: &Term,
    ) -> Result<(), Fault> {
        let known = &self.theory.constants;
        if known.iter().any(|(other, _)| *other == name) {
            return Err(declared_twice(source, &name, span));
        }
        let value = self.grounder(source).term(value)?;
        let given = self.given.iter().rfind(|(other, _)| *other == name);
        let value = given.map_or(value, |(_, value)| *value);
        self.theory.constants.push((name, value));
        Ok(())
    }

    fn count_players(&mut self, source: usize, number: &Term, span: &Span) -> Result<(), Fault> {
        self.part_of_game(source, span)?;
        if self.players.is_some() {
            return Err(declared_twice(source, "players", span.clone()));
        }
        let number = self.grounder(source).term(number)?;
        let count = usize::try_from(number)
            .ok()
            .filter(|_| (1..=MOST_PLAYERS).contains(&number));
        let Some(count) = count else {
            let message = format!("there cannot be {number} players");
            let draft = Draft::new(Code::NoSuchInstance, message).at(span.clone(), "");
            let draft = draft.help(format!("a game has 1 to {MOST_PLAYERS} players"));
            return Err(at(source, draft));
        };
        self.players = Some((source, span.clone()));
        self.theory.signature = Signature::new(count);
        Ok(())
    }

    fn declare(&mut self, source: usize, declared: &Declaration) -> Result<(), Fault> {
        let span = &declared.symbol.span;
        self.part_of_game(source, span)?;
        if self.players.is_none() {
            let draft = Draft::new(Code::NotDefined, "nothing has been said about the players");
            let draft = draft.at(span.clone(), "declared too early");
            return Err(at(source, draft.help("begin with `players 2;`")));
        }
        let mut instances = Vec::new();
        self.grounder(source)
            .each(&declared.ranges, &mut |grounder| {
                let owner = declared.owner.as_ref();
                let owner = owner
                    .map(|owner| grounder.player(owner, span))
                    .transpose()?;
                instances.push((grounder.terms(&declared.symbol.arguments)?, owner));
                Ok(())
            })?;
        let name = &declared.symbol.name;
        for (indices, owner) in instances {
            let signature = &mut self.theory.signature;
            let known = signature.action(name, &indices).is_some()
                || signature.proposition(name, &indices).is_some();
            if known {
                return Err(declared_twice(source, name, span.clone()));
            }
            match owner {
                Some(owner) => {
                    signature.add_action(name, &indices, owner);
                }
                None => {
                    signature.add_proposition(name, &indices);
                }
            }
        }
        Ok(())
    }

    fn define(&mut self, source: usize, definition: Definition) -> Result<(), Fault> {
        let name = &definition.name;
        let signature = &self.theory.signature;
        let propositions = signature.propositions();
        let taken = propositions.map(|id| &signature.proposition_symbol(id).name);
        let rules = self.theory.definitions.iter().map(|other| &other.name);
        if taken.chain(rules).any(|other| other == name) {
            return Err(declared_twice(source, name, definition.span));
        }
        let parameters = definition.parameters.iter().map(|(name, _)| name.clone());
        Checker::new(&self.theory, source, parameters.collect()).node(&definition.body)?;
        self.theory.definitions.push(definition);
        Ok(())
    }

    /// Statements about the game have no place beside a game that is given otherwise.
    fn part_of_game(&self, source: usize, span: &Span) -> Result<(), Fault> {
        if !self.has_signature {
            return Ok(());
        }
        let message = "the game is given already; only rules and constants belong here";
        let draft = Draft::new(Code::NotHere, message).at(span.clone(), "about the game");
        Err(at(source, draft))
    }

    /// Values that were given for constants that nobody declares, or that the game itself has.
    pub fn wrong_constant(&self, given: &[(&str, i64)]) -> Result<(), TheoryError> {
        let of_game = self.theory.signature.constants();
        let is_of_game = |name: &str| of_game.iter().any(|(known, _)| known == name);
        if let Some((name, _)) = given.iter().find(|(name, _)| is_of_game(name)) {
            return Err(TheoryError::ConstantOfGame {
                name: (*name).to_owned(),
            });
        }
        let known: Vec<&str> = self
            .theory
            .constants
            .iter()
            .map(|(name, _)| &**name)
            .collect();
        let unknown = given.iter().find(|(name, _)| !known.contains(name));
        unknown.map_or(Ok(()), |(name, _)| {
            Err(TheoryError::UnknownConstant {
                name: (*name).to_owned(),
                known: match known[..] {
                    [] => "the files declare none".to_owned(),
                    _ => format!("there is {}", known.join(", ")),
                },
            })
        })
    }

    pub fn finish(self) -> Result<Theory, TheoryError> {
        let Some((source, span)) = self.players.clone() else {
            return match self.axioms.first() {
                Some(axiom) => {
                    let draft = Draft::new(Code::NotDefined, "nothing says who plays");
                    let draft = draft.at(axiom.formula.span.clone(), "an axiom of a game");
                    let draft = draft.help("say how many players there are: `players 2;`");
                    Err(self.theory.settle(at(axiom.source, draft)).into())
                }
                None => Ok(self.theory),
            };
        };
        let mut collector = Collector::new(&self.theory.signature);
        for axiom in &self.axioms {
            let mut checker = Checker::new(&self.theory, axiom.source, Vec::new());
            let checked = checker.with(&axiom.ranges, &axiom.formula);
            let mut grounder = self.grounder(axiom.source);
            let added = checked.and_then(|()| collector.add(&mut grounder, axiom));
            added.map_err(|fault| self.theory.settle(fault))?;
        }
        let definitions = collector.definitions();
        let game = collector.finish().map_err(|missing| {
            let message = format!("the game is not complete: nothing says {}", missing[0].what);
            let (source, span, label) = match missing[0].near.clone() {
                Some((source, span)) => (source, span, "said of others here"),
                None => (source, span.clone(), "this game"),
            };
            let draft = Draft::new(Code::NotDefined, message).at(span, label);
            let more = missing.len() - 1;
            let help = (more > 0).then(|| format!("nor {more} more things like that"));
            self.theory.settle(at(source, draft.help_if(help)))
        })?;
        if let Some(tangle) = tangle(&game) {
            let (code, head, how) = match tangle {
                Tangle::Circular(head) => (Code::Circular, head, "leads back to itself"),
                Tangle::Long(head) => (Code::TooMuch, head, "leads through too many others"),
            };
            let (source, span) = definitions.get(&head).cloned().unwrap_or((source, span));
            let head = head.display(&self.theory.signature);
            let message = format!("the definition of {head} {how}");
            let draft = Draft::new(code, message).at(span, "defined here");
            return Err(self.theory.settle(at(source, draft)).into());
        }
        Ok(Theory {
            game: Some(game),
            ..self.theory
        })
    }
}

fn at(source: usize, draft: Draft) -> Fault {
    Fault {
        source,
        draft: Box::new(draft),
    }
}

fn declared_twice(source: usize, name: &str, span: Span) -> Fault {
    let message = format!("`{name}` is declared twice");
    let draft = Draft::new(Code::DeclaredTwice, message).at(span, "again here");
    at(source, draft.help("choose another name"))
}
