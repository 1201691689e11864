//! Tokens: names, signs, and the end.

use std::ops::Range;

/// A piece of the text.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Letters, digits and `_`.
    Name,
    /// One of `( ) , ; = -`.
    Sign(u8),
    /// A character that means nothing here.
    Stray,
    End,
}

#[derive(Copy, Clone, Debug)]
pub(super) struct Token<'t> {
    pub kind: Kind,
    pub text: &'t str,
    pub start: usize,
    pub first_of_line: bool,
}

impl Token<'_> {
    pub fn span(&self) -> Range<usize> {
        self.start..self.start + self.text.len()
    }

    pub fn is(&self, sign: u8) -> bool {
        self.kind == Kind::Sign(sign)
    }
}

pub(super) struct Lexer<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Lexer<'t> {
    pub fn new(text: &'t str) -> Self {
        Self { text, at: 0 }
    }

    pub fn next(&mut self) -> Token<'t> {
        let first_of_line = self.skip_blanks();
        let rest = &self.text[self.at..];
        let is_name = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
        let name = rest.bytes().take_while(|&byte| is_name(byte)).count();
        let (kind, length) = match rest.bytes().next() {
            None => (Kind::End, 0),
            Some(_) if name > 0 => (Kind::Name, name),
            Some(sign @ (b'(' | b')' | b',' | b';' | b'=' | b'-')) => (Kind::Sign(sign), 1),
            Some(_) => (Kind::Stray, rest.chars().next().map_or(0, char::len_utf8)),
        };
        let start = self.at;
        self.at += length;
        Token {
            kind,
            text: &rest[..length],
            start,
            first_of_line,
        }
    }

    /// Skips blanks and comments; tells whether a line begins behind them.
    fn skip_blanks(&mut self) -> bool {
        let bytes = self.text.as_bytes();
        let mut new_line = self.at == 0;
        let mut comment = false;
        while let Some(&byte) = bytes.get(self.at) {
            match byte {
                b'\n' | b'\r' => (new_line, comment) = (true, false),
                b'#' => comment = true,
                _ if comment || byte.is_ascii_whitespace() => {}
                _ => break,
            }
            self.at += 1;
        }
        new_line
    }
}
