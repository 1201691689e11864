//! The parser's hands: the token in hand, how it complains, how it goes on afterwards.

use std::ops::Range;

use rustc_hash::FxHashSet;

use super::ast::{Model, Name, Slot, Span};
use super::names::Names;
use super::outline::Mentions;
use super::token::{Kind, Token, tokens};
use crate::format::code::Code;
use crate::format::diagnostic::{Draft, Problems};
use crate::format::suggest::nearest;
use crate::format::text::{Keyword, shortened, suggestion};

/// The fault has been reported; go on elsewhere.
#[derive(Copy, Clone, Debug)]
pub(super) struct Skip;

pub(super) type Step<T> = Result<T, Skip>;

/// How deep parentheses, sums and conditions may be nested.
const DEEPEST: usize = 100;

/// Words that mean something in models with sets only.
const WORDS: [&str; 18] = [
    "set", "param", "data", "sum", "where", "for", "if", "then", "else", "and", "or", "not",
    "implies", "when", "stage", "mod", "by", "default",
];

/// What faults of the syntax have swallowed. What would follow from that alone is no further news.
#[derive(Debug, Default)]
pub(super) struct Lost {
    /// Everything that stood in a declaration that could not be read.
    pub names: FxHashSet<Name>,
    /// A set could not be read, so any word may be an element.
    pub elements: bool,
    /// Which files belong to the model is not known.
    pub files: bool,
    /// Declarations of variables could not be read.
    pub variables: bool,
}

/// What has been read so far.
pub(super) struct Parser<'t> {
    pub text: &'t str,
    tokens: Vec<Token>,
    at: usize,
    pub last_end: usize,
    pub problems: Problems,
    pub names: Names,
    pub model: Model,
    /// The index variables that are in scope, innermost last.
    pub scope: Vec<(Name, Slot)>,
    depth: usize,
    /// Whether the expression in hand stands to the right of a relation, where its line ends it.
    pub right: bool,
    /// How many brackets are open: inside them line breaks are free.
    pub brackets: usize,
    pub lost: Lost,
    pub mentions: Mentions,
}

impl<'t> Parser<'t> {
    pub fn new(text: &'t str) -> Self {
        Self {
            text,
            tokens: tokens(text),
            at: 0,
            last_end: 0,
            problems: Problems::default(),
            names: Names::default(),
            model: Model::default(),
            scope: Vec::new(),
            depth: 0,
            right: false,
            brackets: 0,
            lost: Lost::default(),
            mentions: Mentions::default(),
        }
    }

    pub fn token(&self) -> Token {
        self.tokens[self.at]
    }

    pub fn ahead(&self, places: usize) -> Token {
        self.tokens[(self.at + places).min(self.tokens.len() - 1)]
    }

    pub fn slice(&self, token: Token) -> &'t str {
        &self.text[token.span()]
    }

    /// Takes the token in hand.
    pub fn advance(&mut self) -> Token {
        let token = self.token();
        self.last_end = token.end;
        self.at = (self.at + 1).min(self.tokens.len() - 1);
        token
    }

    /// Where the parser is, to come back to.
    pub fn place(&self) -> (usize, usize) {
        (self.at, self.last_end)
    }

    pub fn go_to(&mut self, (at, last_end): (usize, usize)) {
        (self.at, self.last_end) = (at, last_end);
    }

    pub fn go_to_end(&mut self) {
        self.at = self.tokens.len() - 1;
    }

    pub fn at_end(&self) -> bool {
        self.token().kind == Kind::End
    }

    pub fn is_sign(&self, sign: &str) -> bool {
        matches!(self.token().kind, Kind::Sign(found) if found == sign)
    }

    /// Takes a sign if it is in hand.
    pub fn take_sign(&mut self, sign: &str) -> bool {
        let is = self.is_sign(sign);
        if is {
            self.advance();
        }
        is
    }

    pub fn expect_sign(&mut self, sign: &str) -> Step<()> {
        if self.take_sign(sign) {
            return Ok(());
        }
        self.unexpected(&format!("`{sign}`"))
    }

    pub fn is_word(&self, word: &str) -> bool {
        let token = self.token();
        token.kind == Kind::Name && self.slice(token).eq_ignore_ascii_case(word)
    }

    /// Takes a word if it is in hand.
    pub fn take_word(&mut self, word: &str) -> bool {
        let is = self.is_word(word);
        if is {
            self.advance();
        }
        is
    }

    pub fn keyword_at(&self, token: Token) -> Option<Keyword> {
        match token.kind {
            Kind::Name => Keyword::of(self.slice(token)),
            _ => None,
        }
    }

    pub fn keyword(&self) -> Option<Keyword> {
        self.keyword_at(self.token())
    }

    /// Whether a name stands here that is no word of the format.
    pub fn at_name(&self) -> bool {
        self.is_plain_name(self.token())
    }

    pub fn is_plain_name(&self, token: Token) -> bool {
        let word = || self.slice(token).to_ascii_lowercase();
        token.kind == Kind::Name
            && self.keyword_at(token).is_none()
            && !WORDS.contains(&word().as_str())
    }

    /// Whether a section or a declaration of data begins here.
    pub fn at_section(&self) -> bool {
        let opens = |keyword| {
            use Keyword::{End, Exists, Maximize, Minimize, Prefix, Subject, Uncertainty};
            let sections = [Minimize, Maximize, Subject, Uncertainty, Prefix, End];
            sections.contains(&keyword) || keyword == Exists
        };
        // `max(…)` is a function, and with an index a word was meant as a name.
        let goes_on = matches!(self.ahead(1).kind, Kind::Sign("{" | "(" | "["));
        self.at_end()
            || ["set", "param", "data"]
                .iter()
                .any(|word| self.is_word(word))
            || (self.keyword().is_some_and(opens) && !goes_on)
    }

    /// Whether a word of the format stands here as if it were a name.
    fn at_misused_word(&self) -> bool {
        use Keyword::{All, Binaries, Bounds, Free, Generals, In, Order};
        let index = self.ahead(1).kind == Kind::Sign("[");
        self.keyword().is_some_and(|word| {
            [All, Binaries, Bounds, Free, Generals, Order].contains(&word) || (index && word != In)
        })
    }

    /// Takes a name.
    pub fn take_name(&mut self, wanted: &str) -> Step<(Name, Span)> {
        if !self.at_name() {
            let token = self.token();
            if token.kind == Kind::Name {
                return self.misused_word();
            }
            return self.unexpected(wanted);
        }
        let token = self.advance();
        let name = self.names.number(self.slice(token));
        self.mentions.push(name, token.span());
        Ok((name, token.span()))
    }

    /// Whether the expression in hand ends before the token in hand, because that is on a new line.
    pub fn broken(&self) -> bool {
        self.brackets == 0 && self.token().first_of_line
    }

    /// Runs `read` one level deeper.
    pub fn deeper<T>(&mut self, read: impl FnOnce(&mut Self) -> Step<T>) -> Step<T> {
        if self.depth == DEEPEST {
            let message = format!("nested more than {DEEPEST} deep");
            return self.fail(Draft::new(Code::TooMuch, message).at(self.token().span(), ""));
        }
        self.depth += 1;
        let read = read(self);
        self.depth -= 1;
        read
    }

    /// Runs `read` between brackets, where lines may break anywhere.
    pub fn inside<T>(&mut self, close: &str, read: impl FnOnce(&mut Self) -> Step<T>) -> Step<T> {
        self.brackets += 1;
        let read = read(self);
        self.brackets -= 1;
        let read = read?;
        self.expect_sign(close)?;
        Ok(read)
    }

    fn misused_word<T>(&mut self) -> Step<T> {
        let token = self.token();
        let word = shortened(self.slice(token));
        let message = format!("`{word}` is a word of the format, not a name");
        let draft = Draft::new(Code::KeywordAsName, message).at(token.span(), "");
        self.fail(draft.help("choose another name"))
    }

    /// Complains that `wanted` is not what stands here.
    pub fn unexpected<T>(&mut self, wanted: &str) -> Step<T> {
        if self.at_misused_word() {
            return self.misused_word();
        }
        let token = self.token();
        let found = match token.kind {
            Kind::End => "the end of the file".to_owned(),
            _ => format!("`{}`", shortened(self.slice(token)).escape_debug()),
        };
        let help = match self.slice(token) {
            "≤" | "=<" => Some("write `<=`"),
            "≥" | "=>" => Some("write `>=`"),
            "==" => Some("write `=`"),
            "<" => Some("write `<=`; strict signs belong into conditions"),
            ">" => Some("write `>=`; strict signs belong into conditions"),
            "'" | "\"" => Some("a text ends in the line that it begins in"),
            "#" | "%" | "!" => Some("a comment begins with `\\`"),
            _ => None,
        };
        let near = (token.kind == Kind::Name)
            .then(|| nearest(self.slice(token), WORDS.into_iter()))
            .flatten()
            .or_else(|| suggestion(self.slice(token)))
            .filter(|_| token.kind == Kind::Name)
            .map(|word| format!("did you mean `{word}`?"));
        let code = match token.kind {
            Kind::Stray => Code::StrayCharacter,
            _ => Code::Unexpected,
        };
        let draft = Draft::new(code, format!("expected {wanted}, found {found}"));
        self.fail(
            draft
                .at(token.span(), "")
                .help_if(near)
                .help_if(help.map(str::to_owned)),
        )
    }

    /// Reports a fault at a place.
    pub fn fault<T>(&mut self, code: Code, message: &str, span: Range<usize>) -> Step<T> {
        self.fail(Draft::new(code, message).at(span, ""))
    }

    /// Reports and gives up on the piece that is being read.
    pub fn fail<T>(&mut self, draft: Draft) -> Step<T> {
        self.problems.push(draft);
        Err(Skip)
    }

    /// Goes on after a fault, in the next line that is no continuation; further than `start`.
    pub fn recover(&mut self, start: usize) {
        (self.depth, self.brackets, self.right) = (0, 0, false);
        self.scope.clear();
        if self.token().start == start && !self.at_end() {
            self.advance();
        }
        while !(self.at_end() || self.token().first_of_line || self.at_section()) {
            self.advance();
        }
    }

    /// Notes the names from `place` up to the token in hand as lost.
    pub fn lose(&mut self, (from, _): (usize, usize)) {
        for at in from..self.at {
            let token = self.tokens[at];
            if self.is_plain_name(token) {
                let name = self.names.number(self.slice(token));
                self.lost.names.insert(name);
            }
        }
    }

    /// A new index variable of that name.
    pub fn bind(&mut self, name: Name) -> Slot {
        let slot = self.model.slots;
        self.model.slots += 1;
        self.model.slot_names.push(name);
        self.scope.push((name, slot));
        slot
    }
}
