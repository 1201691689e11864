//! A text as words with their places, without the lines of comment.

use std::ops::Range;

/// A word between blanks.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) struct Word<'t> {
    pub text: &'t str,
    pub start: usize,
    /// Whether nothing but blanks stands before it in its line.
    pub first_of_line: bool,
}

impl Word<'_> {
    pub fn span(&self) -> Range<usize> {
        self.start..self.start + self.text.len()
    }
}

/// The words of a text in order. A line whose first character is `c` is a comment.
pub(super) struct Words<'t> {
    text: &'t str,
    at: usize,
    fresh_line: bool,
}

impl<'t> Words<'t> {
    pub fn new(text: &'t str) -> Self {
        Self {
            text,
            at: 0,
            fresh_line: true,
        }
    }

    /// Goes on behind the end of the line.
    pub fn skip_line(&mut self) {
        let rest = &self.text.as_bytes()[self.at..];
        let to_end = rest.iter().position(|&byte| is_line_end(byte));
        self.at += to_end.unwrap_or(rest.len());
    }

    fn skip_blanks(&mut self) {
        let rest = &self.text.as_bytes()[self.at..];
        for &byte in rest {
            if is_line_end(byte) {
                self.fresh_line = true;
            } else if !byte.is_ascii_whitespace() {
                return;
            }
            self.at += 1;
        }
    }
}

fn is_line_end(byte: u8) -> bool {
    byte == b'\n' || byte == b'\r'
}

impl<'t> Iterator for Words<'t> {
    type Item = Word<'t>;

    fn next(&mut self) -> Option<Word<'t>> {
        loop {
            self.skip_blanks();
            let rest = &self.text[self.at..];
            let first_of_line = std::mem::take(&mut self.fresh_line);
            if first_of_line && rest.starts_with('c') {
                self.skip_line();
                continue;
            }
            let end = rest.bytes().position(|byte| byte.is_ascii_whitespace());
            let text = &rest[..end.unwrap_or(rest.len())];
            let start = self.at;
            self.at += text.len();
            return (!text.is_empty()).then_some(Word {
                text,
                start,
                first_of_line,
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_are_lines_and_words_know_where_they_stand() {
        let words: Vec<_> = Words::new("c no\r\n p cnf\nc 1 0\n-2 c").collect();
        let shown: Vec<_> = words
            .iter()
            .map(|word| (word.text, word.start, word.first_of_line))
            .collect();
        let expected = [
            ("p", 7, true),
            ("cnf", 9, false),
            ("-2", 19, true),
            ("c", 22, false),
        ];
        assert_eq!(shown, expected);
    }
}
