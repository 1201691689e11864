//! Reading LP files: the sections, and how the reader complains.

use std::ops::Range;

use rustc_hash::FxHashMap;

use super::token::{Kind, Token, tokens};
use crate::format::code::Code;
use crate::format::diagnostic::{Draft, Problems};
use crate::format::plain::{Column, Plain};
use crate::format::text::shortened;
use crate::num::{NumberError, Rational, int, parse_rational};
use crate::program::{Bounds, Kind as Sort, Objective, Row, Sense};

/// The fault has been reported; go on elsewhere.
pub(super) struct Skip;

pub(super) type Step<T> = Result<T, Skip>;

/// A part of a file.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Section {
    Objective(Sense),
    Rows,
    Bounds,
    Generals,
    Binaries,
    /// One that has no meaning here.
    Foreign,
    End,
}

/// What has been read so far.
pub(super) struct Reader<'t> {
    text: &'t str,
    tokens: Vec<Token>,
    at: usize,
    pub problems: Problems,
    pub columns: Vec<Column>,
    numbers: FxHashMap<&'t str, usize>,
    pub rows: Vec<(Row, Range<usize>)>,
    pub objective: Option<Objective>,
    /// For every column, which ends were given.
    pub given: Vec<[bool; 2]>,
    pub binary: Vec<bool>,
}

/// Reads a text.
pub(in crate::format) fn read(text: &str) -> (Option<Plain>, Problems) {
    let mut reader = Reader {
        text,
        tokens: tokens(text),
        at: 0,
        problems: Problems::default(),
        columns: Vec::new(),
        numbers: FxHashMap::default(),
        rows: Vec::new(),
        objective: None,
        given: Vec::new(),
        binary: Vec::new(),
    };
    reader.sections();
    reader.settle_binaries();
    reader.refuse_duplicate_rows();
    let plain = Plain {
        columns: reader.columns,
        rows: reader.rows,
        objective: reader.objective,
    };
    let clean = !reader.problems.has_errors();
    (clean.then_some(plain), reader.problems)
}

impl<'t> Reader<'t> {
    fn sections(&mut self) {
        let mut seen = false;
        loop {
            match self.section() {
                Some(Section::End) => {
                    self.take_words();
                    if self.token().kind != Kind::End {
                        let draft = Draft::new(Code::TextAfterEnd, "something follows `End`");
                        let draft = draft.at(self.token().span(), "not read");
                        self.problems
                            .push(draft.help("remove it, or make it a comment with `\\`"));
                    }
                    return;
                }
                Some(section) => {
                    seen = true;
                    self.take_words();
                    self.read_section(section);
                }
                None if self.token().kind == Kind::End => break,
                None => {
                    let _: Step<()> = self.unexpected("a section such as `Minimize`");
                    self.skip_section();
                    if !seen {
                        return;
                    }
                }
            }
        }
        let here = self.text.len();
        let draft = Draft::new(Code::MissingEnd, "the file does not close with `End`");
        let draft = draft.at(here..here, "the file stops here");
        self.problems.push(draft.help("is the file cut off?"));
    }

    fn read_section(&mut self, section: Section) {
        match section {
            Section::Objective(sense) => self.read_objective(sense),
            Section::Rows => self.read_rows(),
            Section::Bounds => self.read_bounds(),
            Section::Generals => self.read_kind(false),
            Section::Binaries => self.read_kind(true),
            Section::Foreign => self.refuse_section(),
            Section::End => {}
        }
    }

    /// A section that has no meaning here must be empty; some programs write every title.
    fn refuse_section(&mut self) {
        let title = self.tokens[self.at.saturating_sub(1)].span();
        while self.token().kind == Kind::Minus || self.is_title() {
            self.advance();
        }
        if self.at_section_end() {
            return;
        }
        let draft = Draft::new(Code::NotRead, "this section has no meaning here").at(title, "");
        self.problems.push(
            draft.help(
                "only linear rows and bounds are read; write it with rows and binary variables",
            ),
        );
        self.skip_section();
    }

    /// The second word of a title.
    fn is_title(&self) -> bool {
        let words = ["continuous", "constraints", "cuts", "constraint"];
        words.contains(&&*self.slice(self.token()).to_ascii_lowercase())
    }

    /// The section that the token in hand opens: a word at the beginning of a line, no label.
    pub fn section(&self) -> Option<Section> {
        let token = self.token();
        if token.kind != Kind::Name || !token.first_of_line || self.is_label() {
            return None;
        }
        let word = self.slice(token).to_ascii_lowercase();
        Some(match word.as_str() {
            "minimize" | "minimise" | "minimum" | "min" => Section::Objective(Sense::Minimize),
            "maximize" | "maximise" | "maximum" | "max" => Section::Objective(Sense::Maximize),
            "st" | "s.t." | "st." => Section::Rows,
            "subject" | "such" => match self.slice(self.ahead(1)).to_ascii_lowercase().as_str() {
                "to" | "that" => Section::Rows,
                _ => return None,
            },
            "bounds" | "bound" => Section::Bounds,
            "general" | "generals" | "gen" | "integer" | "integers" | "int" => Section::Generals,
            "binary" | "binaries" | "bin" => Section::Binaries,
            "semi" | "semis" | "sos" | "sos1" | "sos2" | "lazy" | "user" | "pwlobj" => {
                Section::Foreign
            }
            "end" => Section::End,
            _ => return None,
        })
    }

    /// Takes the word or two that open a section.
    fn take_words(&mut self) {
        let first = self.advance();
        if ["subject", "such"].contains(&&*self.slice(&first).to_ascii_lowercase()) {
            self.advance();
        }
    }

    pub fn token(&self) -> &Token {
        &self.tokens[self.at]
    }

    /// The token that many places ahead; the last one beyond the end.
    pub fn ahead(&self, places: usize) -> &Token {
        &self.tokens[(self.at + places).min(self.tokens.len() - 1)]
    }

    pub fn slice(&self, token: &Token) -> &'t str {
        &self.text[token.span()]
    }

    /// Takes the token in hand.
    pub fn advance(&mut self) -> Token {
        let token = *self.token();
        self.at = (self.at + 1).min(self.tokens.len() - 1);
        token
    }

    pub fn is_label(&self) -> bool {
        self.token().kind == Kind::Name && self.ahead(1).kind == Kind::Colon
    }

    /// Whether the token in hand is the name of a variable.
    pub fn at_name(&self) -> bool {
        self.token().kind == Kind::Name && self.section().is_none()
    }

    /// Whether nothing more belongs to the section.
    pub fn at_section_end(&self) -> bool {
        self.token().kind == Kind::End || self.section().is_some()
    }

    /// The column of that name; a new one at its first use.
    pub fn column(&mut self, token: &Token) -> usize {
        let name = self.slice(token);
        let next = self.columns.len();
        let number = *self.numbers.entry(name).or_insert(next);
        if number == next {
            self.columns.push(Column {
                name: name.to_owned(),
                span: token.span(),
                kind: Sort::Real,
                bounds: Bounds {
                    lower: Some(int(0)),
                    upper: None,
                },
            });
            self.given.push([false; 2]);
            self.binary.push(false);
        }
        number
    }

    pub fn number(&mut self, token: &Token) -> Step<Rational> {
        match parse_rational(self.slice(token)) {
            Ok(value) => Ok(value),
            Err(error) => {
                let code = match error {
                    NumberError::Malformed(_) => Code::BadNumber,
                    NumberError::ZeroDenominator(_) => Code::ZeroDenominator,
                    NumberError::TooLong(_) | NumberError::HugeExponent(_) => Code::HugeNumber,
                };
                self.fail(Draft::new(code, error.to_string()).at(token.span(), ""))
            }
        }
    }

    /// Complains that `wanted` is not what stands here.
    pub fn unexpected<T>(&mut self, wanted: &str) -> Step<T> {
        let token = *self.token();
        let found = match token.kind {
            Kind::End => "the end of the file".to_owned(),
            _ => format!("`{}`", shortened(self.slice(&token))),
        };
        let (code, help) = match self.slice(&token) {
            "[" | "]" | "^" | "*" => (Code::NotRead, Some("only linear expressions are read")),
            "->" => (
                Code::NotRead,
                Some("write an indicator as rows with a large enough number"),
            ),
            _ => (Code::Unexpected, None),
        };
        let draft = Draft::new(code, format!("expected {wanted}, found {found}"));
        self.fail(draft.at(token.span(), "").help_if(help.map(str::to_owned)))
    }

    pub fn fail<T>(&mut self, draft: Draft) -> Step<T> {
        self.problems.push(draft);
        Err(Skip)
    }

    /// Goes on to the next section.
    pub fn skip_section(&mut self) {
        while !self.at_section_end() {
            self.advance();
        }
    }

    /// Goes on to the next line; at least one token further than `start`.
    pub fn skip_line(&mut self, start: usize) {
        if self.token().start == start && !self.at_section_end() {
            self.advance();
        }
        while !self.at_section_end() && !self.token().first_of_line {
            self.advance();
        }
    }

    fn refuse_duplicate_rows(&mut self) {
        let mut seen: FxHashMap<&str, &Range<usize>> = FxHashMap::default();
        for (row, span) in &self.rows {
            let Some(name) = &row.name else {
                continue;
            };
            if let Some(first) = seen.insert(name, span) {
                let message = format!("two rows are called `{}`", shortened(name));
                let draft = Draft::new(Code::DuplicateRow, message);
                let draft = draft.at(span.clone(), "again here");
                self.problems.push(draft.at(first.clone(), "first here"));
            }
        }
    }
}
