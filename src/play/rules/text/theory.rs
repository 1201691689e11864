//! What a set of rule files says: a game, perhaps, and rules under names.

use super::assemble::Assembler;
use super::axiom_game::AxiomGame;
use super::check::Checker;
use super::cursor::Parser;
use super::ground::{Fault, Grounder, Names};
use super::syntax::{Definition, Node, Shape};
use crate::format::{Diagnostics, Problems, single, text_of};
use crate::rules::formula::{Formula, Rule};
use crate::rules::game::{ActionId, PlayerId, Signature};

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
    /// A value was given for a constant that the game itself has.
    #[error("the game says what `{name}` is; change the game instead")]
    ConstantOfGame {
        /// What was given.
        name: String,
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
    pub(super) sources: Vec<(String, String)>,
    pub(super) name: Option<String>,
    pub(super) constants: Vec<(String, i64)>,
    pub(super) signature: Signature,
    pub(super) definitions: Vec<Definition>,
    pub(super) game: Option<AxiomGame>,
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
        Self::build_from_bytes(files, constants, None)
    }

    /// As [`Theory::read_for`], from bytes that may be compressed.
    pub fn read_bytes_for(
        signature: &Signature,
        files: &[(&str, &[u8])],
        constants: &[(&str, i64)],
    ) -> Result<Self, TheoryError> {
        Self::build_from_bytes(files, constants, Some(signature))
    }

    fn build_from_bytes(
        files: &[(&str, &[u8])],
        constants: &[(&str, i64)],
        signature: Option<&Signature>,
    ) -> Result<Self, TheoryError> {
        let mut texts = Vec::new();
        for (name, bytes) in files {
            texts.push((*name, text_of(name, bytes)?));
        }
        let texts: Vec<(&str, &str)> = texts.iter().map(|(name, text)| (*name, &**text)).collect();
        Self::build(&texts, constants, signature)
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
        let mut assembler = Assembler::new(files, constants, signature.cloned());
        for (source, (name, text)) in files.iter().enumerate() {
            let mut problems = Problems::default();
            let statements = Parser::new(text, source).statements(&mut problems);
            if problems.has_errors() {
                return Err(problems.settle(name, text).into());
            }
            for statement in statements {
                let taken = assembler.take(source, statement);
                taken.map_err(|fault| assembler.settle(fault))?;
            }
        }
        assembler.wrong_constant(constants)?;
        assembler.finish()
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
            return self.typed_rule(&format!("{}({player})", text.trim()));
        }
        self.typed_rule(text)
    }

    fn typed_rule(&self, text: &str) -> Result<Rule, Diagnostics> {
        let node = self.typed(text)?;
        let rule = Grounder::new(self.names(), self.sources.len()).rule(&node);
        rule.map_err(|fault| self.settle_typed(text, fault))
    }

    /// The formula that a text means.
    pub fn formula(&self, text: &str) -> Result<Formula, Diagnostics> {
        let node = self.typed(text)?;
        let formula = Grounder::new(self.names(), self.sources.len()).formula(&node);
        formula.map_err(|fault| self.settle_typed(text, fault))
    }

    /// The action that is spelled so: `a(1,2)`.
    pub fn action(&self, text: &str) -> Option<ActionId> {
        let mut actions = self.signature.actions();
        let spelled: String = text.split_whitespace().collect();
        actions.find(|&action| self.signature.action_symbol(action).to_string() == spelled)
    }

    /// Whether a name stands for a rule with priorities, directly or through other names.
    pub(super) fn is_chain(&self, name: &str) -> bool {
        let mut name = name;
        // Definitions only call earlier ones, so this ends.
        while let Some(called) = self.definitions.iter().find(|rule| rule.name == name) {
            match &called.body.shape {
                Shape::Else(_) | Shape::Also(_) => return true,
                Shape::Named(reference) => name = &reference.name,
                _ => return false,
            }
        }
        false
    }

    pub(super) fn names(&self) -> Names<'_> {
        Names {
            signature: &self.signature,
            constants: &self.constants,
            definitions: &self.definitions,
        }
    }

    /// What was typed, with names that mean something.
    fn typed(&self, text: &str) -> Result<Node, Diagnostics> {
        let source = self.sources.len();
        let parsed = Parser::new(text, source).whole_rule();
        let node = parsed.map_err(|draft| single("<typed>", text, draft))?;
        let checked = Checker::new(self, source, Vec::new()).node(&node);
        checked.map_err(|fault| self.settle_typed(text, fault))?;
        Ok(node)
    }

    /// The fault stands in what was typed, or in a file that it leads to.
    fn settle_typed(&self, text: &str, fault: Fault) -> Diagnostics {
        match self.sources.get(fault.source) {
            Some(_) => self.settle(fault),
            None => single("<typed>", text, *fault.draft),
        }
    }

    pub(super) fn settle(&self, fault: Fault) -> Diagnostics {
        let (name, text) = &self.sources[fault.source];
        single(name, text, *fault.draft)
    }
}
