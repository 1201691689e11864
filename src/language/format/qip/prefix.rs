//! The quantifier prefix of the native format, outermost first.
//!
//! ```text
//! declaration = ("exists" | "forall") ("binary" | "integer" | "real") name {name} ["in" interval]
//! interval = "[" bound "," bound "]"
//! ```
//! Without `in` a variable lies in `[0, inf]`, a binary one in `[0, 1]`.

use std::ops::Range;

use crate::format::code::Code;
use crate::format::diagnostic::Draft;
use crate::format::text::{
    Declared, Keyword, Kind, Reader, Section, Standing, Step, Value, shortened,
};
use crate::num::{Rational, int};
use crate::program::{self, Bounds, Id, Quantifier, VarId};

/// `binary`, `integer` or `real`.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Word {
    Binary,
    Integer,
    Real,
}

impl Reader<'_> {
    /// All declarations.
    pub fn read_prefix(&mut self) {
        loop {
            let quantifier = match self.keyword() {
                Some(Keyword::Exists) => Quantifier::Exists,
                Some(Keyword::Forall) => Quantifier::Forall,
                _ if self.at_section_end() && self.keyword() != Some(Keyword::Binary) => return,
                _ => {
                    let _: Step<()> = self.unexpected("`exists` or `forall`");
                    self.skip_declaration();
                    continue;
                }
            };
            self.advance();
            if self.declaration(quantifier).is_err() {
                self.set_interval(false);
                self.skip_declaration();
            }
        }
    }

    fn skip_declaration(&mut self) {
        self.bounds_are_sound = false;
        if self.keyword() == Some(Keyword::Binary) {
            self.advance();
        }
        let stops = |keyword: Keyword| keyword == Keyword::Forall || keyword.opens_section();
        while self.token.kind != Kind::End && !self.keyword().is_some_and(stops) {
            self.advance();
        }
    }

    fn declaration(&mut self, quantifier: Quantifier) -> Step<()> {
        let word = match self.keyword() {
            Some(Keyword::Binary) => Word::Binary,
            Some(Keyword::Integer) => Word::Integer,
            Some(Keyword::Real) => Word::Real,
            _ => return self.unexpected("`binary`, `integer` or `real`"),
        };
        self.advance();
        let names = self.declared_names()?;
        let bounds = self.declared_bounds(word)?;
        let kind = match word {
            Word::Real => program::Kind::Real,
            Word::Binary | Word::Integer => program::Kind::Integer,
        };
        for (number, span) in names {
            let bounds = bounds.clone();
            self.prefix.push(Declared {
                number,
                span,
                quantifier,
                kind,
                bounds,
            });
        }
        Ok(())
    }

    fn declared_names(&mut self) -> Step<Vec<(VarId, Range<usize>)>> {
        let mut names = Vec::new();
        while self.at_plain_name() {
            let token = self.advance();
            let name = self.slice(&token);
            self.warn_name_like_bounds(name, token.span(), names.is_empty());
            names.push((self.symbols.number(name), token.span()));
        }
        if !names.is_empty() {
            return Ok(names);
        }
        match self.keyword() {
            Some(Keyword::Free | Keyword::In | Keyword::Infinity) => self.keyword_as_name(),
            _ => self.unexpected("the name of a variable"),
        }
    }

    /// `d1 in[0,2]` declares a second variable called `in[0,2]`.
    fn warn_name_like_bounds(&mut self, name: &str, span: Range<usize>, first: bool) {
        let looks = name
            .get(..3)
            .is_some_and(|start| start.eq_ignore_ascii_case("in["));
        if looks && !first {
            let message = format!("`{}` declares another variable", shortened(name));
            let draft = Draft::new(Code::NameLikeBounds, message).at(span, "a name, not bounds");
            self.problems
                .push(draft.help("write bounds with a blank: `in [0, 2]`"));
        }
    }

    fn declared_bounds(&mut self, word: Word) -> Step<Bounds> {
        if self.keyword() != Some(Keyword::In) {
            return Ok(match word {
                Word::Binary => Bounds::unit(),
                Word::Integer | Word::Real => Bounds {
                    lower: Some(int(0)),
                    upper: None,
                },
            });
        }
        let start = self.token.start;
        let bounds = self.interval()?;
        if word == Word::Binary && bounds != Bounds::unit() {
            let message = "a binary variable lies in [0, 1]";
            let draft = Draft::new(Code::BinaryBounds, message).at(start..self.last_end, "");
            return self.fail(draft.help("declare it `integer`, or drop the bounds"));
        }
        Ok(bounds)
    }

    /// `in [l, u]`, from `in` to the bracket that closes.
    fn interval(&mut self) -> Step<Bounds> {
        self.set_interval(true);
        self.advance();
        self.take(Kind::Open, "`[`")?;
        let lower = self.interval_end(true)?;
        self.take(Kind::Comma, "`,`")?;
        let upper = self.interval_end(false)?;
        // What follows the bracket is cut by the usual rules again.
        self.set_interval(false);
        self.take(Kind::Close, "`]`")?;
        Ok(Bounds { lower, upper })
    }

    fn interval_end(&mut self, low: bool) -> Step<Option<Rational>> {
        let start = self.token.start;
        match self.take_bound()? {
            Value::Finite(value) => Ok(Some(value)),
            Value::Infinite { negative } if negative == low => Ok(None),
            Value::Infinite { .. } => self.infinite_number(start..self.last_end),
        }
    }

    fn take(&mut self, kind: Kind, wanted: &str) -> Step<()> {
        if self.token.kind != kind {
            return self.unexpected(wanted);
        }
        self.advance();
        Ok(())
    }

    /// The prefix without repetitions, every name with its place.
    pub fn prefix_declarations(&mut self, standings: &mut [Standing]) -> Vec<Declared> {
        if self.sections.find(Section::Prefix).is_none() {
            let here = self.text.len();
            let draft = Draft::new(Code::MissingSection, "the file has no `prefix`");
            let draft = draft.at(here..here, "expected before the end");
            self.problems
                .push(draft.help("declare the variables: `prefix`, `exists binary x`"));
        }
        let mut declared: Vec<Declared> = Vec::with_capacity(self.prefix.len());
        for variable in std::mem::take(&mut self.prefix) {
            if let Standing::At(place) = standings[variable.number.index()] {
                let first = declared[place.index()].span.clone();
                self.declared_twice(variable.number, variable.span, first);
            } else {
                standings[variable.number.index()] = Standing::At(VarId::new(declared.len()));
                declared.push(variable);
            }
        }
        declared
    }

    /// The same name declared at two places.
    pub fn declared_twice(&mut self, number: VarId, again: Range<usize>, first: Range<usize>) {
        let name = shortened(self.symbols.name(number));
        let draft = Draft::new(Code::DeclaredTwice, format!("`{name}` is declared twice"));
        let draft = draft.at(again, "again here").at(first, "first here");
        self.problems.push(draft.help("remove one, or rename it"));
    }
}
