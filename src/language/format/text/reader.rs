//! The reader's hands: the token it holds, how it complains, how it goes on afterwards.
//!
//! A method that returns [`Step`] has complained already when it returns `Err(Skip)`; whoever
//! called it moves on to the next line or section, so that one file shows all its faults.

use std::ops::Range;

use rustc_hash::FxHashSet;

use super::Dialect;
use super::keyword::Keyword;
use super::section::Sections;
use super::symbols::Symbols;
use super::token::{Kind, Lexer, Relation, Token};
use crate::format::code::Code;
use crate::format::diagnostic::{Draft, Problems};
use crate::format::qlp::Lists;
use crate::program::{Bounds, Objective, Quantifier, Row, VarId};

/// The fault has been reported; go on elsewhere.
pub(in crate::format) struct Skip;

pub(in crate::format) type Step<T> = Result<T, Skip>;

/// A variable with all that the file says about it.
pub(in crate::format) struct Declared {
    pub number: VarId,
    pub span: Range<usize>,
    pub quantifier: Quantifier,
    pub kind: crate::program::Kind,
    pub bounds: Bounds,
}

/// What has been read so far.
pub(in crate::format) struct Reader<'t> {
    pub text: &'t str,
    pub dialect: Dialect,
    lexer: Lexer<'t>,
    /// The token in hand: read, not used yet.
    pub token: Token,
    /// Where the token before ended.
    pub last_end: usize,
    pub problems: Problems,
    pub symbols: Symbols<'t>,
    pub sections: Sections,
    pub objective: Option<Objective>,
    /// Rows with the place where they begin.
    pub rows: Vec<(Row, Range<usize>)>,
    pub universal_rows: Vec<(Row, Range<usize>)>,
    /// The native prefix.
    pub prefix: Vec<Declared>,
    /// The sections of Yasol's dialect.
    pub lists: Lists,
    /// Whether every bound of the file could be read.
    pub bounds_are_sound: bool,
    /// Variables whose names look like exponents; known in the second pass only.
    pub exponent_names: Option<FxHashSet<&'t str>>,
    /// Whether some `2e2` needs those names.
    pub saw_exponent: bool,
}

impl<'t> Reader<'t> {
    pub fn new(text: &'t str, dialect: Dialect) -> Self {
        let mut lexer = Lexer::new(text, dialect);
        let token = lexer.next();
        Self {
            text,
            dialect,
            lexer,
            token,
            last_end: 0,
            problems: Problems::default(),
            symbols: Symbols::default(),
            sections: Sections::default(),
            objective: None,
            rows: Vec::new(),
            universal_rows: Vec::new(),
            prefix: Vec::new(),
            lists: Lists::default(),
            bounds_are_sound: true,
            exponent_names: None,
            saw_exponent: false,
        }
    }

    /// Takes the token in hand and picks up the next.
    pub fn advance(&mut self) -> Token {
        let token = self.token;
        self.last_end = token.end;
        self.token = self.lexer.next();
        token
    }

    /// Whether the tokens after the one in hand belong to an interval.
    pub fn set_interval(&mut self, inside: bool) {
        self.lexer.set_interval(inside);
    }

    pub fn slice(&self, token: &Token) -> &'t str {
        &self.text[token.span()]
    }

    /// The keyword in hand, if it is one.
    pub fn keyword(&self) -> Option<Keyword> {
        match self.token.kind {
            Kind::Name => Keyword::of(self.slice(&self.token)),
            _ => None,
        }
    }

    pub fn at_plain_name(&self) -> bool {
        self.token.kind == Kind::Name && self.keyword().is_none()
    }

    /// Whether the token in hand is a name that a colon makes a label.
    pub fn at_label(&self) -> bool {
        self.token.kind == Kind::Name && self.lexer.colon_follows()
    }

    /// Whether the section that is being read ends here.
    pub fn at_section_end(&self) -> bool {
        self.token.kind == Kind::End || self.keyword().is_some_and(Keyword::opens_section)
    }

    /// Takes a relation; says so where it is an odd spelling.
    pub fn take_relation(&mut self) -> Option<(Relation, Range<usize>)> {
        let Kind::Relation(relation) = self.token.kind else {
            return None;
        };
        let token = self.advance();
        let meant = match (relation, self.slice(&token)) {
            (Relation::AtMost, "<" | "=<") => "<=",
            (Relation::AtLeast, ">" | "=>") => ">=",
            _ => return Some((relation, token.span())),
        };
        let message = format!("`{}` is read as `{meant}`", self.slice(&token));
        let draft = Draft::new(Code::OddRelation, message).at(token.span(), "");
        self.problems.push(draft.help(format!("write `{meant}`")));
        Some((relation, token.span()))
    }

    /// Complains that `wanted` is not what stands here.
    pub fn unexpected<T>(&mut self, wanted: &str) -> Step<T> {
        let token = self.token;
        if token.kind == Kind::Stray {
            return self.stray();
        }
        let message = format!("expected {wanted}, found {}", self.describe(&token));
        let draft = Draft::new(Code::Unexpected, message).at(token.span(), "");
        let meant = match token.kind {
            Kind::Name => super::section::suggestion(self.slice(&token)),
            _ => None,
        };
        self.fail(draft.help_if(meant.map(|word| format!("did you mean `{word}`?"))))
    }

    fn stray<T>(&mut self) -> Step<T> {
        let mut token = self.token;
        // `==` is cut after the first of the two.
        let bytes = self.text.as_bytes();
        if bytes[token.start] == b'=' && bytes.get(token.end) == Some(&b'=') {
            token.end += 1;
        }
        let character = self.slice(&token);
        let shown = character.escape_debug().to_string();
        let message = format!("`{shown}` has no meaning in a model");
        let help = match character {
            "*" => Some("write a product as `3 x`"),
            "/" => Some("write a fraction of two whole numbers without blanks, like `7/3`"),
            "(" | ")" => Some("expressions have no parentheses; multiply them out"),
            "^" => Some("only linear expressions can be read"),
            ";" => Some("a row ends with its line"),
            "!" | "%" | "#" => Some("a comment begins with `\\`"),
            "{" | "}" => Some("sets and sums belong into a file that begins with `set` or `param`"),
            "≤" => Some("write `<=`"),
            "≥" => Some("write `>=`"),
            "≠" => Some("a row compares with `<=`, `>=` or `=`"),
            "==" => Some("write `=`"),
            _ => None,
        };
        let draft = Draft::new(Code::StrayCharacter, message).at(token.span(), "");
        self.fail(draft.help_if(help.map(str::to_owned)))
    }

    /// Reports and gives up on the piece that is being read.
    pub fn fail<T>(&mut self, draft: Draft) -> Step<T> {
        self.problems.push(draft);
        Err(Skip)
    }

    /// The token as a message names it.
    pub fn describe(&self, token: &Token) -> String {
        match token.kind {
            Kind::End => "the end of the file".to_owned(),
            _ => format!("`{}`", shortened(self.slice(token))),
        }
    }

    /// Goes on to the next line or section; at least one token further than `start`.
    pub fn skip_line(&mut self, start: usize) {
        if self.token.start == start && self.token.kind != Kind::End {
            self.advance();
        }
        while !self.at_section_end() && !self.token.first_of_line {
            self.advance();
        }
    }

    /// Goes on to the next section.
    pub fn skip_section(&mut self) {
        while !self.at_section_end() {
            self.advance();
        }
    }
}

/// A word short enough for a message.
pub(in crate::format) fn shortened(word: &str) -> String {
    const SHOWN: usize = 40;
    match word.char_indices().nth(SHOWN) {
        Some((cut, _)) => format!("{}…", &word[..cut]),
        None => word.to_owned(),
    }
}
