//! The tokens of LP files.
//!
//! A name has letters, digits and any of ``!"#$%&(),.;?@_`'{}~[]|/``; it does not begin with a digit,
//! a dot or a bracket.
//!
//! **Invariant:** every token but the end is at least one byte long; spans lie on character
//! boundaries.

use std::ops::Range;

/// What a token is.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Name,
    Number,
    Plus,
    Minus,
    AtMost,
    AtLeast,
    Equal,
    Colon,
    Stray,
    End,
}

impl Kind {
    pub fn is_relation(self) -> bool {
        matches!(self, Self::AtMost | Self::AtLeast | Self::Equal)
    }
}

/// A piece of the text.
#[derive(Copy, Clone, Debug)]
pub(super) struct Token {
    pub kind: Kind,
    pub start: usize,
    pub end: usize,
    pub first_of_line: bool,
}

impl Token {
    pub fn span(&self) -> Range<usize> {
        self.start..self.end
    }
}

/// All tokens of a text, the end included.
pub(super) fn tokens(text: &str) -> Vec<Token> {
    let bytes = text.as_bytes();
    let mut tokens = Vec::new();
    let (mut at, mut first_of_line) = (0, true);
    while let Some(&byte) = bytes.get(at) {
        let start = at;
        match byte {
            b'\n' | b'\r' => first_of_line = true,
            b' ' | b'\t' => {}
            b'\\' => at += run(&bytes[at..], |byte| byte != b'\n') - 1,
            _ => {
                let kind;
                (kind, at) = cut(bytes, at);
                let end = at;
                at -= 1;
                tokens.push(Token {
                    kind,
                    start,
                    end,
                    first_of_line,
                });
                first_of_line = false;
            }
        }
        at += 1;
    }
    tokens.push(Token {
        kind: Kind::End,
        start: at,
        end: at,
        first_of_line: true,
    });
    tokens
}

/// The token at a place, and where it ends.
fn cut(bytes: &[u8], at: usize) -> (Kind, usize) {
    let next = bytes.get(at + 1).copied();
    match bytes[at] {
        b'+' => (Kind::Plus, at + 1),
        b'-' if next == Some(b'>') => (Kind::Stray, at + 2),
        b'-' => (Kind::Minus, at + 1),
        b':' => (Kind::Colon, at + 1),
        b'<' => (Kind::AtMost, at + 1 + usize::from(next == Some(b'='))),
        b'>' => (Kind::AtLeast, at + 1 + usize::from(next == Some(b'='))),
        b'=' => match next {
            Some(b'<') => (Kind::AtMost, at + 2),
            Some(b'>') => (Kind::AtLeast, at + 2),
            _ => (Kind::Equal, at + 1),
        },
        b'0'..=b'9' => (Kind::Number, number(bytes, at)),
        b'.' if next.is_some_and(|next| next.is_ascii_digit()) => (Kind::Number, number(bytes, at)),
        byte if in_name(byte) && !matches!(byte, b'[' | b']' | b'/') => {
            (Kind::Name, at + run(&bytes[at..], in_name))
        }
        _ => (
            Kind::Stray,
            at + 1 + run(&bytes[at + 1..], |byte| byte & 0xc0 == 0x80),
        ),
    }
}

fn number(bytes: &[u8], mut at: usize) -> usize {
    at += run(&bytes[at..], |byte| byte.is_ascii_digit() || byte == b'.');
    if matches!(bytes.get(at), Some(b'e' | b'E')) {
        let sign = usize::from(matches!(bytes.get(at + 1), Some(b'+' | b'-')));
        let digits = run(&bytes[(at + 1 + sign).min(bytes.len())..], |byte| {
            byte.is_ascii_digit()
        });
        if digits > 0 {
            at += 1 + sign + digits;
        }
    }
    at
}

fn in_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"!\"#$%&(),.;?@_`'{}~[]|/".contains(&byte)
}

fn run(bytes: &[u8], accepts: impl Fn(u8) -> bool) -> usize {
    let stop = bytes.iter().position(|byte| !accepts(*byte));
    stop.unwrap_or(bytes.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_numbers_and_relations_come_apart() {
        let text = "c(1): 2.5e-3x + 3 y{a} - .5 z>=-1 \\ note\n[ x ]/2 é -> =<";
        let pieces: Vec<&str> = tokens(text)
            .iter()
            .map(|token| &text[token.span()])
            .collect();
        assert_eq!(
            pieces,
            [
                "c(1)", ":", "2.5e-3", "x", "+", "3", "y{a}", "-", ".5", "z", ">=", "-", "1", "[",
                "x", "]", "/", "2", "é", "->", "=<", ""
            ]
        );
    }
}
