//! The small files that games are read from: lines of words, `#` starts a comment.
//!
//! **Invariant:** every word knows the line and column it stands at, so that no error is without
//! its place.

use std::str::FromStr;

use super::GameError;

/// A word of a file.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) struct Word<'t> {
    pub(super) text: &'t str,
    pub(super) line: usize,
    pub(super) column: usize,
}

impl Word<'_> {
    /// An error at this word.
    pub(super) fn error(&self, message: impl Into<String>) -> GameError {
        GameError::Text {
            line: self.line,
            column: self.column,
            message: message.into(),
        }
    }

    /// The word as a number.
    pub(super) fn number<N: FromStr>(&self, what: &str) -> Result<N, GameError> {
        self.text
            .parse()
            .map_err(|_| self.error(format!("`{}` is not {what}", self.text)))
    }
}

/// A line that has words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Line<'t> {
    pub(super) words: Vec<Word<'t>>,
    /// The column after the last word.
    end: usize,
}

impl<'t> Line<'t> {
    /// The first word. Every line has one.
    pub(super) fn head(&self) -> Word<'t> {
        self.words[0]
    }

    /// The words after the first, which must be as many as `wanted` names.
    pub(super) fn exactly<const N: usize>(
        &self,
        wanted: [&str; N],
    ) -> Result<[Word<'t>; N], GameError> {
        let rest = &self.words[1..];
        if let Some(extra) = rest.get(N) {
            return Err(extra.error(format!("`{}` is one word too many", extra.text)));
        }
        rest.try_into()
            .map_err(|_| self.missing(wanted[rest.len()]))
    }

    /// An error behind the last word: something is missing there.
    pub(super) fn missing(&self, what: &str) -> GameError {
        GameError::Text {
            line: self.head().line,
            column: self.end,
            message: format!("{what} is missing"),
        }
    }
}

/// The lines of a text that are not empty.
pub(super) fn lines(text: &str) -> Vec<Line<'_>> {
    let numbered = (1..).zip(text.lines());
    numbered
        .map(|(number, line)| {
            let said = line.split('#').next().unwrap_or_default();
            let words = words(said, number);
            let end = words
                .last()
                .map_or(1, |last| last.column + last.text.chars().count() + 1);
            Line { words, end }
        })
        .filter(|line| !line.words.is_empty())
        .collect()
}

fn words(said: &str, line: usize) -> Vec<Word<'_>> {
    let mut words = Vec::new();
    let mut rest = said;
    let mut column = 1;
    loop {
        let blank = rest.len() - rest.trim_start().len();
        column += rest[..blank].chars().count();
        rest = &rest[blank..];
        if rest.is_empty() {
            return words;
        }
        let end = rest.find(char::is_whitespace).unwrap_or(rest.len());
        let text = &rest[..end];
        words.push(Word { text, line, column });
        column += text.chars().count();
        rest = &rest[end..];
    }
}

/// The error of a text that ends too early.
pub(super) fn end_of_text(text: &str, message: impl Into<String>) -> GameError {
    GameError::Text {
        line: text.lines().count().max(1),
        column: 1,
        message: message.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_know_their_columns_in_characters_and_comments_are_not_said() {
        let text = "# all of it\n  édge\te1 # rest\n\nx";
        let lines = lines(text);
        assert_eq!(lines.len(), 2);
        let places: Vec<_> = lines[0].words.iter().map(|w| (w.line, w.column)).collect();
        assert_eq!(places, [(2, 3), (2, 8)]);
        assert_eq!(lines[1].head().line, 4);
    }

    #[test]
    fn too_few_and_too_many_words_are_told_with_their_place() {
        let lines = lines("edge a b c d");
        let error = lines[0]
            .exactly(["a name", "a tail", "a head"])
            .unwrap_err();
        assert_eq!(
            error.to_string(),
            "line 1, column 12: `d` is one word too many"
        );
        let error = lines[0]
            .exactly(["1", "2", "3", "4", "a colour"])
            .unwrap_err();
        assert_eq!(error.to_string(), "line 1, column 14: a colour is missing");
    }
}
