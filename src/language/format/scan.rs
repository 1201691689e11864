//! Cutting a text into tokens: what the readers by lines have in common.
//!
//! **Invariant:** every token but the end is at least one byte long; spans lie on character
//! boundaries.

use std::ops::Range;

/// A piece of the text.
#[derive(Copy, Clone, Debug)]
pub(super) struct Token<K> {
    pub kind: K,
    pub start: usize,
    pub end: usize,
    /// Whether it is the first of its line.
    pub first_of_line: bool,
}

impl<K> Token<K> {
    pub fn span(&self) -> Range<usize> {
        self.start..self.end
    }
}

/// All tokens of a text, the end included. `cut` says what the token at a place is, and where it ends;
/// blanks and comments are passed over.
pub(super) fn tokens<K>(
    text: &str,
    end: K,
    cut: impl Fn(&str, usize) -> (K, usize),
) -> Vec<Token<K>> {
    let bytes = text.as_bytes();
    let mut tokens = Vec::with_capacity(bytes.len() / 4);
    let (mut start, mut first_of_line) = (0, true);
    while let Some(&byte) = bytes.get(start) {
        match byte {
            b'\n' | b'\r' => {
                first_of_line = true;
                start += 1;
            }
            b' ' | b'\t' => start += 1,
            b'\\' => start += run(&bytes[start..], |byte| byte != b'\n' && byte != b'\r'),
            _ => {
                let (kind, end) = cut(text, start);
                tokens.push(Token {
                    kind,
                    start,
                    end,
                    first_of_line,
                });
                (start, first_of_line) = (end, false);
            }
        }
    }
    tokens.push(Token {
        kind: end,
        start,
        end: start,
        first_of_line: true,
    });
    tokens
}

/// How many bytes in front are accepted.
pub(super) fn run(bytes: &[u8], accepts: impl Fn(u8) -> bool) -> usize {
    let stop = bytes.iter().position(|byte| !accepts(*byte));
    stop.unwrap_or(bytes.len())
}

pub(super) fn digits(bytes: &[u8]) -> usize {
    run(bytes, |byte| byte.is_ascii_digit())
}

/// The length of a character in front.
pub(super) fn character(bytes: &[u8]) -> usize {
    1 + run(&bytes[1..], |byte| byte & 0xc0 == 0x80)
}

/// The length of an exponent in front, such as `e-3`; 0 if there is none.
pub(super) fn exponent(bytes: &[u8]) -> usize {
    if !matches!(bytes.first(), Some(b'e' | b'E')) {
        return 0;
    }
    let sign = usize::from(matches!(bytes.get(1), Some(b'+' | b'-')));
    match digits(&bytes[1 + sign..]) {
        0 => 0,
        power => 1 + sign + power,
    }
}
