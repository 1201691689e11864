//! The tokens of LP files.
//!
//! A name has letters, digits and any of ``!"#$%&(),.;?@_`'{}~[]|/``; it does not begin with a digit,
//! a dot or a bracket.

use crate::format::scan::{self, character, exponent, run};

/// A piece of the text.
pub(super) type Token = scan::Token<Kind>;

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

/// All tokens of a text, the end included.
pub(super) fn tokens(text: &str) -> Vec<Token> {
    scan::tokens(text, Kind::End, |text, at| cut(text.as_bytes(), at))
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
        _ => (Kind::Stray, at + character(&bytes[at..])),
    }
}

fn number(bytes: &[u8], mut at: usize) -> usize {
    at += run(&bytes[at..], |byte| byte.is_ascii_digit() || byte == b'.');
    at + exponent(&bytes[at..])
}

fn in_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"!\"#$%&(),.;?@_`'{}~[]|/".contains(&byte)
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
