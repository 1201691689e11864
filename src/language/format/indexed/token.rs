//! The tokens of models with sets: those of the flat format, but `[ ] ,` are no letters of names, and
//! there are operators, braces and texts in quotes.

use crate::format::scan::{self, character, digits, exponent, run};

/// A piece of the text.
pub(super) type Token = scan::Token<Kind>;

/// What a token is.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Name,
    Number,
    /// `'oslo'` or `"costs.csv"`.
    Quoted,
    /// One of `+ - * / ( ) [ ] { } , ; : = <= >= < > != ..`.
    Sign(&'static str),
    Stray,
    End,
}

/// Longer ones first.
const SIGNS: [&str; 22] = [
    "<=", ">=", "=<", "=>", "==", "!=", "<>", "..", "+", "-", "*", "/", "(", ")", "[", "]", "{",
    "}", ",", ";", ":", "=",
];

/// All tokens of a text, the end included.
pub(super) fn tokens(text: &str) -> Vec<Token> {
    scan::tokens(text, Kind::End, cut)
}

/// The token at a place, and where it ends.
fn cut(text: &str, at: usize) -> (Kind, usize) {
    let bytes = text.as_bytes();
    let rest = &bytes[at..];
    match rest[0] {
        b'0'..=b'9' => (Kind::Number, at + number(rest)),
        b'.' if rest.get(1).is_some_and(u8::is_ascii_digit) => (Kind::Number, at + number(rest)),
        byte if byte.is_ascii_alphabetic() || byte == b'_' => (Kind::Name, at + run(rest, in_name)),
        quote @ (b'\'' | b'"') => match run(&rest[1..], |byte| byte != quote && byte != b'\n') {
            inside if rest.get(inside + 1) == Some(&quote) => (Kind::Quoted, at + inside + 2),
            _ => (Kind::Stray, at + 1),
        },
        b'<' | b'>' if rest.get(1).is_none_or(|next| !b"=>".contains(next)) => {
            let sign = if rest[0] == b'<' { "<" } else { ">" };
            (Kind::Sign(sign), at + 1)
        }
        _ => match SIGNS.iter().find(|sign| rest.starts_with(sign.as_bytes())) {
            Some(sign) => (Kind::Sign(sign), at + sign.len()),
            None => (Kind::Stray, at + character(rest)),
        },
    }
}

/// The length of a number; the dots of `1..6` are none of its own.
fn number(bytes: &[u8]) -> usize {
    let mut length = digits(bytes);
    if bytes.get(length) == Some(&b'.') && bytes.get(length + 1) != Some(&b'.') {
        length += 1 + digits(&bytes[length + 1..]);
    }
    length + exponent(&bytes[length..])
}

fn in_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"_.'@#".contains(&byte)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn subscripts_ranges_and_texts_come_apart() {
        let text = "x[1,t-1] 1..6 2.5e3y 'new york' <= != {a, b} 7/3 é 3. \\ note\n\"";
        let pieces: Vec<&str> = tokens(text)
            .iter()
            .map(|token| &text[token.span()])
            .collect();
        assert_eq!(
            pieces,
            [
                "x",
                "[",
                "1",
                ",",
                "t",
                "-",
                "1",
                "]",
                "1",
                "..",
                "6",
                "2.5e3",
                "y",
                "'new york'",
                "<=",
                "!=",
                "{",
                "a",
                ",",
                "b",
                "}",
                "7",
                "/",
                "3",
                "é",
                "3.",
                "\"",
                ""
            ]
        );
    }
}
