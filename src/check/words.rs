//! The words of a certificate, line by line, without holding more than one line.

use std::io::{BufRead, Read};

use super::fault::{CheckError, Reason};
use crate::num::{Rational, parse_rational};

/// A line longer than this is a mistake or an attack.
const LONGEST_LINE: u64 = 1 << 28;

/// The lines of a text.
pub(super) struct Lines<R> {
    source: R,
    text: String,
    pub number: usize,
}

impl<R: BufRead> Lines<R> {
    pub fn new(source: R) -> Self {
        Self {
            source,
            text: String::new(),
            number: 0,
        }
    }

    /// The next line that has words; comments begin with `\`.
    pub fn next(&mut self) -> Result<Option<Words<'_>>, CheckError> {
        loop {
            self.text.clear();
            self.number += 1;
            let mut limited = (&mut self.source).take(LONGEST_LINE);
            if limited.read_line(&mut self.text)? == 0 {
                return Ok(None);
            }
            if !self.content().is_empty() {
                break;
            }
        }
        let line = self.number;
        Ok(Some(Words {
            line,
            rest: self.content(),
        }))
    }

    fn content(&self) -> &str {
        let text = self.text.split('\\').next().unwrap_or("");
        text.trim()
    }
}

/// The words of one line that are still to be read.
#[derive(Copy, Clone)]
pub(super) struct Words<'a> {
    pub line: usize,
    rest: &'a str,
}

impl<'a> Words<'a> {
    /// The next word, left where it is.
    pub fn peek(&self) -> Option<&'a str> {
        self.rest.split_whitespace().next()
    }

    /// The next word, if there is one.
    pub fn take(&mut self) -> Option<&'a str> {
        let word = self.peek()?;
        self.rest = self.rest.trim_start()[word.len()..].trim_start();
        Some(word)
    }

    /// The next word.
    pub fn word(&mut self, expected: &'static str) -> Result<&'a str, Reason> {
        self.take().ok_or(Reason::Syntax {
            expected,
            found: "the end of the line".to_owned(),
        })
    }

    /// Takes the word if it is this one.
    pub fn accept(&mut self, word: &str) -> bool {
        let found = self.peek() == Some(word);
        if found {
            self.take();
        }
        found
    }

    /// An exact number.
    pub fn number(&mut self) -> Result<Rational, Reason> {
        Ok(parse_rational(self.word("a number")?)?)
    }

    /// A count.
    pub fn count(&mut self, expected: &'static str) -> Result<usize, Reason> {
        let word = self.word(expected)?;
        word.parse().map_err(|_| syntax(expected, word))
    }

    /// Every `name=value` word up to the first that is none.
    pub fn assignments(&mut self) -> Result<Vec<(&'a str, Rational)>, Reason> {
        let mut pairs = Vec::new();
        while let Some((name, value)) = self.peek().and_then(|word| word.split_once('=')) {
            pairs.push((name, parse_rational(value)?));
            self.take();
        }
        Ok(pairs)
    }

    /// The same line with nothing left.
    pub fn emptied(&self) -> Self {
        Words { rest: "", ..*self }
    }

    /// The line must be over.
    pub fn finish(mut self) -> Result<(), Reason> {
        match self.take() {
            None => Ok(()),
            Some(word) => Err(syntax("the end of the line", word)),
        }
    }
}

/// A grammar fault at a word.
pub(super) fn syntax(expected: &'static str, found: &str) -> Reason {
    const SHOWN: usize = 40;
    Reason::Syntax {
        expected,
        found: format!("`{}`", found.chars().take(SHOWN).collect::<String>()),
    }
}
