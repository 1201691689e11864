//! The words of a certificate's text, line by line, without holding more than one line. What they
//! mean is the checker's business.

use std::io::{BufRead, Read};
use std::iter::Peekable;
use std::str::SplitWhitespace;

use super::CheckError;
use crate::num::Exact;

/// What a line says, or what is wrong with it, in words.
pub(crate) type Checked<T> = Result<T, String>;

/// Ends a function with a fault unless something holds.
macro_rules! ensure {
    ($holds:expr; $($fault:tt)*) => {
        if !$holds {
            return Err(format!($($fault)*));
        }
    };
}
pub(crate) use ensure;

/// A line longer than this is a mistake or an attack.
const LONGEST_LINE: u64 = 1 << 28;

/// The lines of a text.
pub(crate) struct Lines<R> {
    source: R,
    text: String,
    /// The line that was read last, counted from one.
    pub number: usize,
}

impl<R: BufRead> Lines<R> {
    pub fn of(source: R) -> Self {
        let (text, number) = (String::new(), 0);
        Self {
            source,
            text,
            number,
        }
    }

    /// Reads the next line that has words, all of it.
    pub fn read<T, F>(&mut self, read: F) -> Result<T, CheckError>
    where
        F: FnOnce(&mut Words<'_>) -> Checked<T>,
    {
        let whole = self.advance()?;
        let mut words = Words(self.text.split_whitespace().peekable());
        let result = match (whole, read(&mut words), words.peek()) {
            (false, ..) => Err("the certificate is truncated".to_owned()),
            (true, Ok(_), Some(word)) => Err(unexpected("the end of the line", word)),
            (true, result, _) => result,
        };
        let line = self.number;
        result.map_err(|reason| CheckError::Invalid { line, reason })
    }

    /// The first three lines: a format of this version, this model, and what is claimed of it.
    pub fn head(
        &mut self,
        version: &str,
        model: &str,
    ) -> Result<(String, Option<Exact>), CheckError> {
        self.read(|words| {
            words.keyword("quip-certificate")?;
            let found = words.word("a version")?;
            ensure!(found == version; "this checker reads version {version} of the format, not {found}");
            Ok(())
        })?;
        self.read(|words| {
            words.keyword("model")?;
            let found = words.word("a fingerprint")?;
            ensure!(found == model; "the certificate is for the model {found}, this one is {model} (a model whose numbers were rationalized is another one)");
            Ok(())
        })?;
        self.read(|words| {
            words.keyword("claim")?;
            let status = words.word("a status")?.to_owned();
            let value = words.peek().map(|_| words.number()).transpose()?;
            Ok((status, value))
        })
    }

    /// Goes to the next line that has words; tells whether there is one. Comments begin with `\`.
    pub fn advance(&mut self) -> Result<bool, CheckError> {
        loop {
            self.text.clear();
            self.number += 1;
            let mut limited = (&mut self.source).take(LONGEST_LINE);
            if limited.read_line(&mut self.text)? == 0 {
                return Ok(false);
            }
            let content = self.text.find('\\').unwrap_or(self.text.len());
            self.text.truncate(content);
            if !self.text.trim().is_empty() {
                return Ok(true);
            }
        }
    }
}

/// The words of one line that are still to be read.
pub(crate) struct Words<'a>(Peekable<SplitWhitespace<'a>>);

impl<'a> Words<'a> {
    /// The next word, left where it is.
    pub fn peek(&mut self) -> Option<&'a str> {
        self.0.peek().copied()
    }

    pub fn word(&mut self, expected: &str) -> Checked<&'a str> {
        let word = self.0.next();
        word.ok_or_else(|| format!("expected {expected}, found the end of the line"))
    }

    /// Takes the word if it is this one.
    pub fn accept(&mut self, word: &str) -> bool {
        self.0.next_if_eq(&word).is_some()
    }

    /// This word and no other.
    pub fn keyword(&mut self, expected: &str) -> Checked<()> {
        let word = self.word(expected)?;
        ensure!(word == expected; "{}", unexpected(expected, word));
        Ok(())
    }

    pub fn number(&mut self) -> Checked<Exact> {
        number(self.word("a number")?)
    }

    /// Takes a word `name=value`, if the next one is of that kind.
    pub fn assignment(&mut self) -> Option<(&'a str, &'a str)> {
        let pair = self.peek()?.split_once('=')?;
        self.0.next();
        Some(pair)
    }

    pub fn count(&mut self, expected: &str) -> Checked<usize> {
        let word = self.word(expected)?;
        word.parse().map_err(|_| unexpected(expected, word))
    }
}

pub(crate) fn number(word: &str) -> Checked<Exact> {
    Exact::parse(word).map_err(|fault| fault.to_string())
}

/// A word that the grammar does not have there.
pub(crate) fn unexpected(expected: &str, found: &str) -> String {
    let found: String = found.chars().take(40).collect();
    format!("expected {expected}, found `{found}`")
}
