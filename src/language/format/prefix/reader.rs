//! The text of a prefix file, word by word.

use std::ops::Range;

use crate::format::code::Code;
use crate::format::diagnostic::{Draft, Problems};
use crate::format::suggest::nearest;
use crate::format::text::shortened;
use crate::num::{int, parse_rational};
use crate::program::{Bounds, Quantifier};

/// A word and its place.
pub(super) type Word<'t> = (&'t str, Range<usize>);

/// What the file says.
pub(super) struct File<'t> {
    pub model: &'t str,
    pub model_span: Range<usize>,
    pub universal_rows: Vec<Word<'t>>,
    pub declarations: Vec<Declaration<'t>>,
}

/// Some variables of one owner.
pub(super) struct Declaration<'t> {
    pub owner: Quantifier,
    pub patterns: Vec<Word<'t>>,
    pub bounds: Option<Bounds>,
}

struct Reader<'t, 'p> {
    text: &'t str,
    words: Vec<Word<'t>>,
    at: usize,
    problems: &'p mut Problems,
}

/// Reads a text; `None` if something is wrong with it.
pub(super) fn read<'t>(text: &'t str, problems: &mut Problems) -> Option<File<'t>> {
    let before = problems.error_count();
    let mut reader = Reader {
        text,
        words: words(text),
        at: 0,
        problems,
    };
    let file = reader.file();
    file.filter(|_| problems.error_count() == before)
}

/// Words between blanks; a text in quotes and a bracket, a comma or an interval's end after `in` are
/// words of their own.
fn words(text: &str) -> Vec<Word<'_>> {
    let bytes = text.as_bytes();
    let (mut words, mut at, mut interval) = (Vec::<Word<'_>>::new(), 0, false);
    while at < bytes.len() {
        let start = at;
        let rest = &bytes[at..];
        let until = |stop: &dyn Fn(u8) -> bool| {
            let found = rest.iter().skip(1).position(|&byte| stop(byte));
            start + found.map_or(rest.len(), |found| found + 1)
        };
        let punctuation = |byte: u8| matches!(byte, b'[' | b']' | b',');
        at = match rest[0] {
            b'\\' => {
                at = until(&|byte| byte == b'\n');
                continue;
            }
            byte if byte.is_ascii_whitespace() => {
                at += 1;
                continue;
            }
            b'"' => until(&|byte| byte == b'"' || byte == b'\n').min(bytes.len() - 1) + 1,
            byte if interval && punctuation(byte) => at + 1,
            _ if interval => until(&|byte| byte.is_ascii_whitespace() || punctuation(byte)),
            _ => until(&|byte| byte.is_ascii_whitespace() || byte == b'\\'),
        };
        let word = &text[start..at];
        interval = (interval && word != "]") || word.eq_ignore_ascii_case("in");
        words.push((word, start..at));
    }
    words
}

impl<'t> Reader<'t, '_> {
    fn file(&mut self) -> Option<File<'t>> {
        self.keyword("model")?;
        let (quoted, span) = self.next("the name of a file in quotes")?;
        let inside = quoted.strip_prefix('"').and_then(|it| it.strip_suffix('"'));
        let Some(model) = inside.filter(|name| !name.is_empty()) else {
            return self.fail("expected the name of a file in quotes", span);
        };
        let mut universal_rows = Vec::new();
        if self.is("uncertainty") {
            self.at += 1;
            while !self.is("prefix") && self.at < self.words.len() {
                universal_rows.push(self.next("a row")?);
            }
        }
        self.keyword("prefix")?;
        let mut declarations = Vec::new();
        while !self.is("end") {
            declarations.push(self.declaration()?);
        }
        self.at += 1;
        if let Some((_, span)) = self.words.get(self.at) {
            let draft = Draft::new(Code::TextAfterEnd, "something follows `end`");
            self.problems.push(draft.at(span.clone(), "not read"));
        }
        Some(File {
            model,
            model_span: span,
            universal_rows,
            declarations,
        })
    }

    fn declaration(&mut self) -> Option<Declaration<'t>> {
        let (word, span) = self.next("`exists`, `forall` or `end`")?;
        let owner = match word.to_ascii_lowercase().as_str() {
            "exists" => Quantifier::Exists,
            "forall" => Quantifier::Forall,
            _ => return self.fail("expected `exists`, `forall` or `end`", span),
        };
        let mut patterns = Vec::new();
        let stops = ["exists", "forall", "end", "in"];
        while !stops.iter().any(|stop| self.is(stop)) {
            patterns.push(self.next("the name of a variable or `end`")?);
        }
        if patterns.is_empty() {
            return self.fail("expected the name of a variable", span);
        }
        if let Some((kind, span)) = patterns.first()
            && ["binary", "integer", "real"].contains(&&*kind.to_ascii_lowercase())
        {
            let message = "the kind of a variable is known from the model";
            return self.fail(message, span.clone());
        }
        let bounds = match self.is("in") {
            true => Some(self.interval()?),
            false => None,
        };
        Some(Declaration {
            owner,
            patterns,
            bounds,
        })
    }

    fn interval(&mut self) -> Option<Bounds> {
        self.at += 1;
        self.keyword("[")?;
        let lower = self.bound()?;
        self.keyword(",")?;
        let upper = self.bound()?;
        self.keyword("]")?;
        Some(Bounds::between(lower, upper))
    }

    fn bound(&mut self) -> Option<crate::num::Rational> {
        let (word, span) = self.next("a number")?;
        match parse_rational(word) {
            Ok(value) if value.denom().bits() + value.numer().bits() < 3300 => Some(value),
            Ok(_) => self
                .fail("a shorter number is needed", span)
                .map(|()| int(0)),
            Err(error) => {
                let draft = Draft::new(Code::BadNumber, error.to_string()).at(span, "");
                self.problems.push(draft);
                None
            }
        }
    }

    fn is(&self, word: &str) -> bool {
        let found = self.words.get(self.at);
        found.is_some_and(|(found, _)| found.eq_ignore_ascii_case(word))
    }

    fn keyword(&mut self, word: &str) -> Option<()> {
        let (found, span) = self.next(&format!("`{word}`"))?;
        if found.eq_ignore_ascii_case(word) {
            return Some(());
        }
        let message = format!("expected `{word}`, found `{}`", shortened(found));
        self.fail(&message, span)
    }

    fn next(&mut self, wanted: &str) -> Option<Word<'t>> {
        if let Some(word) = self.words.get(self.at) {
            self.at += 1;
            return Some(word.clone());
        }
        let here = self.text.len();
        let draft = Draft::new(
            Code::MissingEnd,
            format!("expected {wanted}, but the file ends"),
        );
        let draft = draft.at(here..here, "the file stops here");
        self.problems
            .push(draft.help("a prefix file closes with `end`"));
        None
    }

    fn fail<T>(&mut self, message: &str, span: Range<usize>) -> Option<T> {
        let word = &self.text[span.clone()];
        let known = ["model", "uncertainty", "prefix", "exists", "forall", "end"];
        let known = nearest(&word.to_ascii_lowercase(), known.into_iter());
        let help = known.map(|known| format!("did you mean `{known}`?"));
        let draft = Draft::new(Code::Unexpected, message).at(span, "");
        self.problems.push(draft.help_if(help));
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_stand_between_blanks_and_intervals_come_apart() {
        let text = "model \"a b.mps\" \\ note\nforall d[1,*] in [0,1/2] x[2]";
        let found = words(text);
        let found: Vec<&str> = found.iter().map(|(word, _)| *word).collect();
        assert_eq!(
            found,
            [
                "model",
                "\"a b.mps\"",
                "forall",
                "d[1,*]",
                "in",
                "[",
                "0",
                ",",
                "1/2",
                "]",
                "x[2]"
            ]
        );
        assert_eq!(words("model \"").len(), 2);
    }
}
