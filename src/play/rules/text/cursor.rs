//! Where a parser stands in its text, and how it complains.

use super::syntax::Span;
use super::token::{Kind, Sign, Token, tokens, words};
use crate::format::{Code, Draft, nearest};

/// How deep formulas may nest.
const DEEPEST: usize = 200;

pub(super) type Parsed<T> = Result<T, Draft>;

/// Reads statements.
pub(super) struct Parser<'t> {
    pub text: &'t str,
    pub tokens: Vec<Token>,
    pub at: usize,
    pub depth: usize,
    pub source: usize,
}

impl<'t> Parser<'t> {
    /// For the `source`-th of several texts.
    pub fn new(text: &'t str, source: usize) -> Self {
        Self {
            text,
            tokens: tokens(text),
            at: 0,
            depth: 0,
            source,
        }
    }

    pub fn deeper<T>(&mut self, read: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        self.depth += 1;
        if self.depth > DEEPEST {
            let message = "this nests too deeply to be read";
            let draft = Draft::new(Code::TooMuch, message).at(self.span(), "");
            return Err(draft.help("give a part of it a name with `rule`"));
        }
        let read = read(self)?;
        self.depth -= 1;
        Ok(read)
    }

    pub fn name(&mut self, what: &str) -> Parsed<(String, Span)> {
        let span = self.span();
        match self.kind() {
            Kind::Name => {
                self.at += 1;
                Ok((self.text[span.clone()].to_owned(), span))
            }
            Kind::Word(_) | Kind::Sign(_)
                if words().any(|word| word == &self.text[span.clone()]) =>
            {
                let word = &self.text[span.clone()];
                let message = format!("`{word}` is a word of the format and cannot be a name");
                let draft = Draft::new(Code::KeywordAsName, message).at(span, "");
                Err(draft.help("choose another name"))
            }
            _ => Err(self.unexpected(what)),
        }
    }

    pub fn take(&mut self, sign: Sign) -> bool {
        let taken = self.kind() == Kind::Sign(sign);
        self.at += usize::from(taken);
        taken
    }

    pub fn expect(&mut self, sign: Sign) -> Parsed<()> {
        if self.take(sign) {
            return Ok(());
        }
        Err(self.unexpected(&format!("`{}`", sign.spelling())))
    }

    pub fn unexpected(&self, expected: &str) -> Draft {
        let span = self.span();
        let found = &self.text[span.clone()];
        match self.kind() {
            Kind::End => {
                let message = format!("the text ends where {expected} is expected");
                Draft::new(Code::Unexpected, message).at(span, "the end")
            }
            Kind::Stray => {
                let message = format!("`{found}` means nothing here");
                let draft = Draft::new(Code::StrayCharacter, message).at(span, "");
                draft.help("a comment begins with `#`")
            }
            _ => {
                let message = format!("`{found}` stands where {expected} is expected");
                let draft = Draft::new(Code::Unexpected, message);
                let draft = draft.at(span, format!("expected {expected}"));
                draft.help_if(self.mistyped_word())
            }
        }
    }

    /// A word of the format that the name here, or the one before it, may have been meant for.
    pub fn mistyped_word(&self) -> Option<String> {
        let before = self.at.checked_sub(1);
        let places = [Some(self.at), before].into_iter().flatten();
        let mut names = places.filter(|&place| self.tokens[place].kind == Kind::Name);
        names.find_map(|place| {
            let typed = &self.text[self.tokens[place].span.clone()];
            let word = nearest(typed, words())?;
            Some(format!("did you mean `{word}` by `{typed}`?"))
        })
    }

    pub fn kind(&self) -> Kind {
        self.tokens[self.at].kind
    }

    pub fn span(&self) -> Span {
        self.tokens[self.at].span.clone()
    }

    /// Where the last token that was read ends.
    pub fn last_end(&self) -> usize {
        let last = self.at.checked_sub(1);
        last.map_or(0, |last| self.tokens[last].span.end)
    }
}
