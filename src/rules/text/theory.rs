//! What a set of rule files says: a game, perhaps, and rules under names.

use super::axioms::{AxiomGame, Collector, circular};
use super::check::Checker;
use super::ground::{Fault, Grounder, Names};
use super::parse::Parser;
use super::syntax::{Axiom, Declaration, Definition, Node, Span, Statement, Term};
use crate::format::{Code, Diagnostics, Draft, Problems, single, text_of};
use crate::rules::formula::{Formula, Rule};
use crate::rules::game::{ActionId, PlayerId, Signature};

/// Most players of a game.
const MOST_PLAYERS: i64 = 64;

/// Why files do not make a theory.
#[derive(Debug, thiserror::Error)]
pub enum TheoryError {
    /// A file is wrong.
    #[error("{0}")]
    Text(#[from] Diagnostics),
    /// A value was given for a constant that no file declares.
    #[error("there is no constant `{name}`; {known}")]
    UnknownConstant {
        /// What was given.
        name: String,
        /// What there is.
        known: String,
    },
    /// The game was asked for, but the files only have rules.
    #[error("the files describe no game: they declare neither players nor axioms")]
    NoGame,
}

/// Rules under names, and the game they speak of.
///
/// ```
/// use quip::rules::{PlayerId, Theory};
/// let theory = Theory::read(
///     &[(
///         "coin.rules",
///         "players 1;
///          proposition heads;
///          action turn of 1;
///          init -> ~heads;
///          wins(1) == heads;
///          terminal == heads;
///          legal(turn) == ~terminal;
///          heads | does(turn) == next heads;
///          rule win = next wins(1);",
///     )],
///     &[],
/// )?;
/// assert!(theory.rule("win", PlayerId::new(0)).is_ok());
/// let error = theory.rule("wn", PlayerId::new(0)).unwrap_err();
/// assert!(error.to_string().contains("did you mean `win`?"));
/// # Ok::<(), quip::rules::TheoryError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Theory {
    /// Names and contents of the files.
    sources: Vec<(String, String)>,
    name: Option<String>,
    constants: Vec<(String, i64)>,
    signature: Signature,
    definitions: Vec<Definition>,
    game: Option<AxiomGame>,
}

impl Theory {
    /// Reads files in order, given by name and text; later ones may use what earlier ones declare.
    /// `constants` replace the values that the files give.
    pub fn read(files: &[(&str, &str)], constants: &[(&str, i64)]) -> Result<Self, TheoryError> {
        Self::build(files, constants, None)
    }

    /// As [`Theory::read`], from bytes that may be compressed.
    pub fn read_bytes(
        files: &[(&str, &[u8])],
        constants: &[(&str, i64)],
    ) -> Result<Self, TheoryError> {
        let mut texts = Vec::new();
        for (name, bytes) in files {
            texts.push((*name, text_of(name, bytes)?));
        }
        let texts: Vec<(&str, &str)> = texts.iter().map(|(name, text)| (*name, &**text)).collect();
        Self::build(&texts, constants, None)
    }

    /// Reads rules for a game that is given otherwise.
    ///
    /// ```
    /// use quip::rules::{PlayerId, Signature, Theory};
    /// let mut signature = Signature::new(1);
    /// signature.add_action("go", &[], PlayerId::new(0));
    /// let theory = Theory::read_for(&signature, &[("my.rules", "rule on = does(go);")], &[])?;
    /// assert!(theory.rule("on", PlayerId::new(0)).is_ok());
    /// # Ok::<(), quip::rules::TheoryError>(())
    /// ```
    pub fn read_for(
        signature: &Signature,
        files: &[(&str, &str)],
        constants: &[(&str, i64)],
    ) -> Result<Self, TheoryError> {
        Self::build(files, constants, Some(signature))
    }

    fn build(
        files: &[(&str, &str)],
        constants: &[(&str, i64)],
        signature: Option<&Signature>,
    ) -> Result<Self, TheoryError> {
        let mut reader = Reader::new(files, constants, signature.cloned());
        for (source, (name, text)) in files.iter().enumerate() {
            let mut problems = Problems::default();
            let statements = Parser::new(text, source).statements(&mut problems);
            if problems.has_errors() {
                return Err(problems.settle(name, text).into());
            }
            for statement in statements {
                let taken = reader.take(source, statement);
                taken.map_err(|fault| reader.theory.settle(fault))?;
            }
        }
        reader.unknown_constant(constants)?;
        reader.finish()
    }

    /// The game of the files.
    pub fn game(&self) -> Result<&AxiomGame, TheoryError> {
        self.game.as_ref().ok_or(TheoryError::NoGame)
    }

    /// What the game is called, if the files say so.
    pub fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// What formulas may name.
    pub fn signature(&self) -> &Signature {
        &self.signature
    }

    /// The constants with their values.
    pub fn constants(&self) -> &[(String, i64)] {
        &self.constants
    }

    /// Names of the rules and how many parameters each has.
    pub fn rules(&self) -> impl Iterator<Item = (&str, usize)> {
        let definitions = self.definitions.iter();
        definitions.map(|rule| (rule.name.as_str(), rule.parameters.len()))
    }

    /// The rule that a text means for a player. A name alone of a rule with one parameter means
    /// that rule with the player's number.
    pub fn rule(&self, text: &str, player: PlayerId) -> Result<Rule, Diagnostics> {
        let alone = |definition: &&Definition| {
            definition.name == text.trim() && definition.parameters.len() == 1
        };
        if self.definitions.iter().find(alone).is_some() {
            let called = format!("{}({player})", text.trim());
            return self.spelled_out(&called, |grounder, node| grounder.rule(node));
        }
        self.spelled_out(text, |grounder, node| grounder.rule(node))
    }

    /// The formula that a text means.
    pub fn formula(&self, text: &str) -> Result<Formula, Diagnostics> {
        self.spelled_out(text, |grounder, node| grounder.formula(node))
    }

    /// The action that is spelled so: `a(1,2)`.
    pub fn action(&self, text: &str) -> Option<ActionId> {
        let mut actions = self.signature.actions();
        let spelled: String = text.split_whitespace().collect();
        actions.find(|&action| self.signature.action_symbol(action).to_string() == spelled)
    }

    fn names(&self) -> Names<'_> {
        Names {
            signature: &self.signature,
            constants: &self.constants,
            definitions: &self.definitions,
        }
    }

    fn spelled_out<T>(
        &self,
        text: &str,
        ground: impl Fn(&mut Grounder<'_>, &Node) -> Result<T, Fault>,
    ) -> Result<T, Diagnostics> {
        let source = self.sources.len();
        let parsed = Parser::new(text, source).whole_rule();
        let node = parsed.map_err(|draft| single("<typed>", text, draft))?;
        let mut grounder = Grounder::new(self.names(), source);
        let checked = Checker::new(self, source, Vec::new()).node(&node);
        let grounded = checked.and_then(|()| ground(&mut grounder, &node));
        grounded.map_err(|fault| match self.sources.get(fault.source) {
            Some((name, text)) => single(name, text, *fault.draft),
            None => single("<typed>", text, *fault.draft),
        })
    }

    fn settle(&self, fault: Fault) -> Diagnostics {
        let (name, text) = &self.sources[fault.source];
        single(name, text, *fault.draft)
    }
}

/// A theory in the making.
struct Reader {
    theory: Theory,
    given: Vec<(String, i64)>,
    /// Whether the game is given otherwise.
    has_signature: bool,
    players: Option<(usize, Span)>,
    axioms: Vec<Axiom>,
}

impl Reader {
    fn new(
        files: &[(&str, &str)],
        constants: &[(&str, i64)],
        signature: Option<Signature>,
    ) -> Self {
        let owned = |(name, text): &(&str, &str)| ((*name).to_owned(), (*text).to_owned());
        let given = constants.iter();
        Self {
            has_signature: signature.is_some(),
            theory: Theory {
                sources: files.iter().map(owned).collect(),
                name: None,
                constants: Vec::new(),
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

    fn take(&mut self, source: usize, statement: Statement) -> Result<(), Fault> {
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

    fn unknown_constant(&self, given: &[(&str, i64)]) -> Result<(), TheoryError> {
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

    fn finish(self) -> Result<Theory, TheoryError> {
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
        let game = collector.finish().map_err(|missing| {
            let message = format!("the game is not complete: nothing says {}", missing[0]);
            let draft = Draft::new(Code::NotDefined, message).at(span.clone(), "this game");
            let more = missing.len() - 1;
            let help = (more > 0).then(|| format!("nor {more} more things like that"));
            self.theory.settle(at(source, draft.help_if(help)))
        })?;
        if let Some(head) = circular(&game) {
            let message = format!("the definition of {head} leads back to itself");
            let draft = Draft::new(Code::Circular, message).at(span, "in this game");
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
