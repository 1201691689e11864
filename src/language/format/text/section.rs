//! The sections of a file: which there are, which were seen, and the loop over them.

use std::ops::Range;

use super::Dialect;
use super::keyword::Keyword;
use super::reader::Reader;
use super::token::Kind;
use crate::format::code::Code;
use crate::format::diagnostic::Draft;
use crate::format::suggest::nearest;
use crate::program::{Quantifier, Sense};

/// A part of a file.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(in crate::format) enum Section {
    Objective,
    Rows,
    UniversalRows,
    Prefix,
    Bounds,
    Binaries,
    Generals,
    Exists,
    All,
    Order,
}

impl Section {
    /// As the user writes it.
    fn title(self) -> &'static str {
        match self {
            Self::Objective => "objective",
            Self::Rows => "subject to",
            Self::UniversalRows => "uncertainty",
            Self::Prefix => "prefix",
            Self::Bounds => "BOUNDS",
            Self::Binaries => "BINARIES",
            Self::Generals => "GENERALS",
            Self::Exists => "EXISTS",
            Self::All => "ALL",
            Self::Order => "ORDER",
        }
    }

    /// The way to quantify that the section belongs to, if to one alone.
    fn dialect(self) -> Option<Dialect> {
        match self {
            Self::Objective | Self::Rows | Self::UniversalRows => None,
            Self::Prefix => Some(Dialect::Native),
            _ => Some(Dialect::Yasol),
        }
    }
}

/// The sections seen so far, with the words that opened them.
#[derive(Default)]
pub(in crate::format) struct Sections(Vec<(Section, Range<usize>)>);

impl Sections {
    pub fn find(&self, section: Section) -> Option<Range<usize>> {
        let seen = self.0.iter().find(|(seen, _)| *seen == section);
        seen.map(|(_, span)| span.clone())
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    fn of_other_dialect(&self, dialect: Dialect) -> Option<Range<usize>> {
        let other = |section: Section| section.dialect().is_some_and(|found| found != dialect);
        let seen = self.0.iter().find(|(seen, _)| other(*seen));
        seen.map(|(_, span)| span.clone())
    }
}

/// The section word that `word` is a slip of.
pub(in crate::format) fn suggestion(word: &str) -> Option<&'static str> {
    const WORDS: [&str; 14] = [
        "minimize",
        "maximize",
        "subject to",
        "uncertainty",
        "prefix",
        "bounds",
        "binaries",
        "generals",
        "exists",
        "forall",
        "order",
        "binary",
        "integer",
        "real",
    ];
    let lower = word.to_ascii_lowercase();
    if lower.len() >= 5 && lower.starts_with("sub") {
        return Some("subject to");
    }
    nearest(&lower, WORDS.into_iter()).filter(|_| lower.len() > 3)
}

impl Reader<'_> {
    /// Reads everything up to `end`.
    pub fn read_sections(&mut self) {
        if self.token.kind == Kind::End {
            let draft = Draft::new(Code::EmptyFile, "the file is empty").at(0..0, "");
            self.problems
                .push(draft.help("a model has at least `prefix` and `end`"));
            return;
        }
        while self.token.kind != Kind::End {
            match self.keyword() {
                Some(Keyword::End) => return self.finish_file(),
                Some(keyword) if keyword.opens_section() => self.read_section(keyword),
                _ => {
                    let _: Result<(), _> = self.unexpected("a section such as `subject to`");
                    self.advance();
                    self.skip_section();
                }
            }
        }
        let here = self.text.len();
        let draft = Draft::new(Code::MissingEnd, "the file does not close with `end`");
        let draft = draft.at(here..here, "the file stops here");
        self.problems
            .push(draft.help("write `end` in the last line; or is the file cut off?"));
    }

    fn finish_file(&mut self) {
        self.advance();
        if self.token.kind != Kind::End {
            let draft = Draft::new(Code::TextAfterEnd, "something follows `end`");
            let draft = draft.at(self.token.span(), "not read");
            self.problems
                .push(draft.help("remove it, or make it a comment with `\\`"));
        }
    }

    fn read_section(&mut self, keyword: Keyword) {
        match keyword {
            Keyword::Minimize => self.read_objective(Sense::Minimize),
            Keyword::Maximize => self.read_objective(Sense::Maximize),
            Keyword::Subject => {
                let span = self.take_subject_to();
                self.open(Section::Rows, span);
                self.read_rows(Quantifier::Exists);
            }
            Keyword::Uncertainty => {
                let mut span = self.advance().span();
                if self.keyword() == Some(Keyword::Subject) {
                    span.end = self.take_subject_to().end;
                }
                self.open(Section::UniversalRows, span);
                self.read_rows(Quantifier::Forall);
            }
            Keyword::Prefix => self.open_and(Section::Prefix, Self::read_prefix),
            Keyword::Bounds => self.open_and(Section::Bounds, Self::read_bounds),
            Keyword::Binaries | Keyword::Binary => {
                self.open_and(Section::Binaries, Self::read_binaries);
            }
            Keyword::Generals => self.open_and(Section::Generals, Self::read_generals),
            Keyword::Exists => self.open_and(Section::Exists, Self::read_exists),
            Keyword::All => self.open_and(Section::All, Self::read_all),
            Keyword::Order => self.open_and(Section::Order, Self::read_order),
            // The rest opens no section.
            _ => {
                self.advance();
            }
        }
    }

    fn open_and(&mut self, section: Section, read: fn(&mut Self)) {
        let span = self.advance().span();
        self.open(section, span);
        read(self);
    }

    /// `subject to`, `such that`, `st` or `s.t.`.
    fn take_subject_to(&mut self) -> Range<usize> {
        let first = self.advance();
        let second = match self.slice(&first).to_ascii_lowercase().as_str() {
            "subject" => "to",
            "such" => "that",
            _ => return first.span(),
        };
        let follows =
            self.token.kind == Kind::Name && self.slice(&self.token).eq_ignore_ascii_case(second);
        if follows {
            self.advance();
        } else {
            let _: Result<(), _> = self.unexpected(&format!("`{second}`"));
        }
        first.start..self.last_end
    }

    /// Notes a section; complains when it is there already or belongs to the other dialect.
    pub fn open(&mut self, section: Section, span: Range<usize>) {
        let title = section.title();
        if let Some(first) = self.sections.find(section) {
            let draft = Draft::new(
                Code::DuplicateSection,
                format!("a second `{title}` section"),
            );
            let draft = draft.at(span.clone(), "again here").at(first, "first here");
            self.problems.push(draft.help("join the two"));
        }
        let other = section
            .dialect()
            .and_then(|own| self.sections.of_other_dialect(own));
        if let Some(other) = other {
            let message = format!(
                "`{title}` and `{}` do not go together",
                &self.text[other.clone()]
            );
            let draft = Draft::new(Code::MixedDialects, message).at(span.clone(), "");
            let draft = draft.at(other, "the other way to quantify");
            self.problems.push(
                draft.help(
                    "use either `prefix`, or BOUNDS, BINARIES, GENERALS, EXISTS, ALL and ORDER",
                ),
            );
        }
        // Once each, so that a file of sections only stays linear.
        if self.sections.find(section).is_none() {
            self.sections.0.push((section, span));
        }
    }
}
