//! The tokens of rule files.
//!
//! **Invariant:** every token but the end is at least one byte long, and spans lie on character
//! boundaries.

use std::ops::Range;

/// What a token is.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Name,
    Number,
    Word(Word),
    Sign(Sign),
    Stray,
    End,
}

macro_rules! spelled {
    ($(#[$doc:meta])* $name:ident { $($variant:ident = $first:literal $(| $other:literal)*,)* }) => {
        $(#[$doc])*
        #[derive(Copy, Clone, Debug, PartialEq, Eq)]
        pub(super) enum $name {
            $($variant,)*
        }

        impl $name {
            /// Every spelling with its meaning, the usual one of each first.
            const SPELLINGS: &'static [(&'static str, Self)] =
                &[$(($first, Self::$variant), $(($other, Self::$variant),)*)*];
        }
    };
}

spelled! {
    /// Words of the format; they cannot be names.
    Word {
        Game = "game",
        Constant = "constant",
        Players = "players",
        Proposition = "proposition",
        Action = "action",
        Of = "of",
        For = "for",
        In = "in",
        Downto = "downto",
        Each = "each",
        Rule = "rule",
        Init = "init",
        Terminal = "terminal",
        Legal = "legal",
        Does = "does",
        Wins = "wins",
        True = "true",
        False = "false",
    }
}

spelled! {
    /// Signs and the words that stand for them.
    Sign {
        Not = "~" | "not" | "¬" | "!",
        And = "&" | "and" | "∧",
        Or = "|" | "or" | "∨",
        Implies = "->" | "→",
        Same = "==" | "≡" | "<->" | "↔",
        Next = "next" | "○" | "◯",
        Some = "some" | "⋁",
        All = "all" | "⋀",
        Else = "else" | "∇",
        Also = "also" | "Δ" | "△" | "∆",
        Range = "..",
        Equals = "=",
        Plus = "+",
        Minus = "-" | "−",
        Times = "*",
        Open = "(",
        Close = ")",
        Comma = ",",
        Colon = ":",
        Semicolon = ";",
    }
}

impl Sign {
    /// The usual spelling.
    pub fn spelling(self) -> &'static str {
        let mut all = Self::SPELLINGS.iter();
        all.find(|(_, meant)| *meant == self)
            .map_or("", |(text, _)| text)
    }
}

/// A piece of the text.
#[derive(Clone, Debug)]
pub(super) struct Token {
    pub kind: Kind,
    pub span: Range<usize>,
}

/// All words that a name must not be.
pub(super) fn words() -> impl Iterator<Item = &'static str> {
    let words = Word::SPELLINGS.iter().map(|(text, _)| *text);
    let signs = Sign::SPELLINGS.iter().map(|(text, _)| *text);
    words.chain(signs.filter(|text| text.starts_with(is_letter)))
}

/// Cuts a text into tokens; the last one is the end.
pub(super) fn tokens(text: &str) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut at = 0;
    loop {
        at += blank(&text[at..]);
        let (kind, length) = next(&text[at..]);
        tokens.push(Token {
            kind,
            span: at..at + length,
        });
        if kind == Kind::End {
            return tokens;
        }
        at += length;
    }
}

/// Bytes of white space and comments.
fn blank(text: &str) -> usize {
    let mut rest = text;
    loop {
        rest = rest.trim_start();
        match rest.strip_prefix('#') {
            Some(comment) => rest = comment.find('\n').map_or("", |end| &comment[end..]),
            None => return text.len() - rest.len(),
        }
    }
}

fn next(text: &str) -> (Kind, usize) {
    let Some(first) = text.chars().next() else {
        return (Kind::End, 0);
    };
    let run = |belongs: fn(char) -> bool| text.find(|c| !belongs(c)).unwrap_or(text.len());
    if first.is_ascii_digit() {
        return (Kind::Number, run(|c| c.is_ascii_digit()));
    }
    // `Δ` is a letter to Unicode and a sign to us.
    if is_letter(first) {
        let length = run(|c| is_letter(c) || c.is_ascii_digit() || c == '\'');
        return (word(&text[..length]), length);
    }
    let signs = Sign::SPELLINGS.iter();
    let longest = signs
        .filter(|(spelling, _)| !spelling.starts_with(is_letter) && text.starts_with(spelling))
        .max_by_key(|(spelling, _)| spelling.len());
    match longest {
        Some((spelling, sign)) => (Kind::Sign(*sign), spelling.len()),
        None => (Kind::Stray, first.len_utf8()),
    }
}

fn word(text: &str) -> Kind {
    let word = Word::SPELLINGS.iter().find(|(known, _)| *known == text);
    let sign = Sign::SPELLINGS.iter().find(|(known, _)| *known == text);
    match (word, sign) {
        (Some((_, word)), _) => Kind::Word(*word),
        (None, Some((_, sign))) => Kind::Sign(*sign),
        (None, None) => Kind::Name,
    }
}

fn is_letter(character: char) -> bool {
    character.is_ascii_alphabetic() || character == '_'
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(text: &str) -> Vec<Kind> {
        tokens(text).into_iter().map(|token| token.kind).collect()
    }

    #[test]
    fn symbols_and_words_are_the_same_tokens() {
        assert_eq!(
            kinds("¬p ∧ ○q ∨ r → s ≡ t ∇ u Δ v"),
            kinds("not p and next q or r -> s == t else u also v")
        );
        assert_eq!(kinds("~p & q | r <-> s"), kinds("!p ∧ q ∨ r ↔ s"));
    }

    #[test]
    fn the_longest_sign_counts_and_comments_do_not() {
        let dots = [
            Kind::Number,
            Kind::Sign(Sign::Range),
            Kind::Number,
            Kind::End,
        ];
        assert_eq!(kinds("1..12 # -> 3\n# 4"), dots);
        assert_eq!(kinds("= == ->").len(), 4);
        assert_eq!(kinds("\\"), [Kind::Stray, Kind::End]);
    }
}
