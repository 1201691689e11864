//! The tokens of the text formats, cut from bytes one at a time.
//!
//! A name is a letter or `_`, then letters, digits and `_ . [ ] , ' @ #`. A number is a run of
//! digits and dots, perhaps with an exponent, perhaps over a denominator; blanks inside it are not
//! allowed. A name may follow a number at once: `2x` is the term 2·x.
//!
//! **Invariant:** every token but the end is at least one byte long, so that reading ends; spans
//! lie on character boundaries.

use std::ops::Range;

use super::Dialect;

/// What a token is.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(in crate::format) enum Kind {
    Name,
    /// With the place of its `e`, if it has an exponent.
    Number {
        exponent: Option<usize>,
    },
    /// Native only: digits, `e`, digits and then more of a name.
    Unclear,
    Plus,
    Minus,
    Relation(Relation),
    Colon,
    Open,
    Close,
    Comma,
    Stray,
    End,
}

/// How two sides of a row compare.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(in crate::format) enum Relation {
    AtMost,
    AtLeast,
    Equal,
}

impl Relation {
    /// The same relation, read from right to left.
    pub fn mirrored(self) -> Self {
        match self {
            Self::AtMost => Self::AtLeast,
            Self::AtLeast => Self::AtMost,
            Self::Equal => Self::Equal,
        }
    }
}

/// A piece of the text.
#[derive(Clone, Copy, Debug)]
pub(in crate::format) struct Token {
    pub kind: Kind,
    pub start: usize,
    pub end: usize,
    /// Whether it is the first of its line.
    pub first_of_line: bool,
}

impl Token {
    pub fn span(&self) -> Range<usize> {
        self.start..self.end
    }
}

/// Cuts tokens from a text.
#[derive(Clone)]
pub(in crate::format) struct Lexer<'t> {
    bytes: &'t [u8],
    at: usize,
    dialect: Dialect,
    /// Between the brackets of an interval `[ ] ,` do not belong to names.
    in_interval: bool,
}

impl<'t> Lexer<'t> {
    pub fn new(text: &'t str, dialect: Dialect) -> Self {
        Self {
            bytes: text.as_bytes(),
            at: 0,
            dialect,
            in_interval: false,
        }
    }

    /// Whether the next tokens belong to an interval `[l, u]`.
    pub fn set_interval(&mut self, inside: bool) {
        self.in_interval = inside;
    }

    /// The next token; `End` again and again at the end.
    pub fn next(&mut self) -> Token {
        let first_of_line = self.skip_blanks();
        let start = self.at;
        let kind = match self.bytes.get(start) {
            None => Kind::End,
            Some(byte) => self.kind(*byte),
        };
        Token {
            kind,
            start,
            end: self.at,
            first_of_line,
        }
    }

    /// Whether a colon comes next, before anything else.
    pub fn colon_follows(&self) -> bool {
        let mut ahead = self.clone();
        ahead.skip_blanks();
        ahead.peek(0) == Some(b':')
    }

    fn kind(&mut self, byte: u8) -> Kind {
        self.at += 1;
        match byte {
            b'+' => Kind::Plus,
            b'-' => Kind::Minus,
            b':' => Kind::Colon,
            b'[' => Kind::Open,
            b']' => Kind::Close,
            b',' => Kind::Comma,
            b'<' | b'>' | b'=' => self.relation(byte),
            b'0'..=b'9' => self.number(),
            b'.' if self.peek(0).is_some_and(|next| next.is_ascii_digit()) => self.number(),
            b'_' | b'a'..=b'z' | b'A'..=b'Z' => self.name(),
            _ => self.stray(),
        }
    }

    fn relation(&mut self, first: u8) -> Kind {
        let second = self.peek(0).filter(|next| b"<>=".contains(next));
        let relation = match (first, second) {
            (b'<', Some(b'=')) | (b'=', Some(b'<')) => Relation::AtMost,
            (b'>', Some(b'=')) | (b'=', Some(b'>')) => Relation::AtLeast,
            (b'<', None) => return Kind::Relation(Relation::AtMost),
            (b'>', None) => return Kind::Relation(Relation::AtLeast),
            (b'=', None) => return Kind::Relation(Relation::Equal),
            _ => return self.stray(),
        };
        self.at += 1;
        Kind::Relation(relation)
    }

    fn number(&mut self) -> Kind {
        self.skip_while(|byte| byte.is_ascii_digit() || byte == b'.');
        let mantissa_end = self.at;
        let exponent = self.skip_exponent().then_some(mantissa_end);
        if exponent.is_some() && self.peek(0).is_some_and(|next| self.continues_name(next)) {
            return self.number_and_name(mantissa_end);
        }
        if self.peek(0) == Some(b'/') && self.peek(1).is_some_and(|next| next.is_ascii_digit()) {
            self.at += 1;
            self.skip_while(|byte| byte.is_ascii_digit() || byte == b'.');
        }
        Kind::Number { exponent }
    }

    /// `2e1x`: Yasol reads 2·e1x; the native format refuses to choose.
    fn number_and_name(&mut self, mantissa_end: usize) -> Kind {
        match self.dialect {
            Dialect::Yasol => {
                self.at = mantissa_end;
                Kind::Number { exponent: None }
            }
            Dialect::Native => {
                self.name();
                Kind::Unclear
            }
        }
    }

    fn skip_exponent(&mut self) -> bool {
        let sign = usize::from(matches!(self.peek(1), Some(b'+' | b'-')));
        let is_exponent = matches!(self.peek(0), Some(b'e' | b'E'))
            && self
                .peek(1 + sign)
                .is_some_and(|digit| digit.is_ascii_digit());
        if is_exponent {
            self.at += 1 + sign;
            self.skip_while(|byte| byte.is_ascii_digit());
        }
        is_exponent
    }

    fn name(&mut self) -> Kind {
        let interval = self.in_interval;
        self.skip_while(|byte| continues_name(byte, interval));
        Kind::Name
    }

    fn stray(&mut self) -> Kind {
        // The rest of a character that has several bytes.
        self.skip_while(|byte| byte & 0xc0 == 0x80);
        Kind::Stray
    }

    fn continues_name(&self, byte: u8) -> bool {
        continues_name(byte, self.in_interval)
    }

    fn skip_while(&mut self, accepts: impl Fn(u8) -> bool) {
        let rest = &self.bytes[self.at..];
        self.at += rest
            .iter()
            .position(|&byte| !accepts(byte))
            .unwrap_or(rest.len());
    }

    /// Skips blanks and comments; tells whether a line began.
    fn skip_blanks(&mut self) -> bool {
        let mut new_line = self.at == 0;
        while let Some(byte) = self.peek(0) {
            match byte {
                b'\n' => new_line = true,
                b'\r' => new_line |= self.peek(1) != Some(b'\n'),
                b' ' | b'\t' => {}
                b'\\' => {
                    self.skip_while(|byte| byte != b'\n' && byte != b'\r');
                    continue;
                }
                _ => break,
            }
            self.at += 1;
        }
        new_line
    }

    fn peek(&self, ahead: usize) -> Option<u8> {
        self.bytes.get(self.at + ahead).copied()
    }
}

fn continues_name(byte: u8, in_interval: bool) -> bool {
    match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' => true,
        b'_' | b'.' | b'\'' | b'@' | b'#' => true,
        b'[' | b']' | b',' => !in_interval,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(text: &str, dialect: Dialect) -> Vec<(&str, Kind)> {
        let mut lexer = Lexer::new(text, dialect);
        let tokens = std::iter::from_fn(move || {
            let token = lexer.next();
            (token.kind != Kind::End).then_some(token)
        });
        tokens
            .map(|token| (&text[token.span()], token.kind))
            .collect()
    }

    fn pieces(text: &str, dialect: Dialect) -> Vec<&str> {
        cut(text, dialect)
            .into_iter()
            .map(|(piece, _)| piece)
            .collect()
    }

    #[test]
    fn numbers_and_glued_names_come_apart() {
        for (text, expected) in [
            ("60.00000C2.", vec!["60.00000", "C2."]),
            ("2e1", vec!["2e1"]),
            ("2 e1", vec!["2", "e1"]),
            ("2ex", vec!["2", "ex"]),
            ("2e", vec!["2", "e"]),
            ("1.5E-2 x", vec!["1.5E-2", "x"]),
            ("7/3x", vec!["7/3", "x"]),
            ("x[1,2]+y'", vec!["x[1,2]", "+", "y'"]),
            ("0<=x<=1", vec!["0", "<=", "x", "<=", "1"]),
            (".5x", vec![".5", "x"]),
            ("3..5", vec!["3..5"]),
        ] {
            assert_eq!(pieces(text, Dialect::Native), expected, "{text}");
        }
    }

    #[test]
    fn an_exponent_that_runs_into_a_name_depends_on_the_dialect() {
        assert_eq!(pieces("2e1x", Dialect::Yasol), ["2", "e1x"]);
        assert_eq!(cut("2e1x", Dialect::Native), [("2e1x", Kind::Unclear)]);
    }

    #[test]
    fn line_beginnings_are_seen_through_comments_and_any_line_break() {
        let firsts = |text: &str| {
            let mut lexer = Lexer::new(text, Dialect::Native);
            [lexer.next().first_of_line, lexer.next().first_of_line]
        };
        assert_eq!(firsts("a b"), [true, false]);
        assert_eq!(firsts("a\nb"), [true, true]);
        assert_eq!(firsts("a\r\n\tb"), [true, true]);
        assert_eq!(firsts("a\rb"), [true, true]);
        assert_eq!(firsts("a \\ comment\nb"), [true, true]);
    }
}
