//! The words that the text formats give a meaning to, in any case.

/// A reserved word, by what it is for.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(in crate::format) enum Keyword {
    Minimize,
    Maximize,
    /// `subject`, `such`, `st` or `s.t.`.
    Subject,
    Uncertainty,
    Prefix,
    Exists,
    Forall,
    All,
    Order,
    Bounds,
    /// A kind in a prefix, a section elsewhere.
    Binary,
    Binaries,
    Generals,
    /// A kind in a prefix.
    Integer,
    Real,
    In,
    Infinity,
    Free,
    End,
}

/// Longest reserved word.
const LONGEST: usize = 11;

impl Keyword {
    /// The keyword that `word` spells, if it is one. Agrees with
    /// [`is_reserved`](crate::program::is_reserved).
    pub fn of(word: &str) -> Option<Self> {
        let mut lower = [0; LONGEST];
        let lower = lower.get_mut(..word.len())?;
        lower.copy_from_slice(word.as_bytes());
        lower.make_ascii_lowercase();
        Some(match &*lower {
            b"min" | b"minimize" | b"minimise" => Self::Minimize,
            b"max" | b"maximize" | b"maximise" => Self::Maximize,
            b"subject" | b"such" | b"st" | b"s.t." => Self::Subject,
            b"uncertainty" => Self::Uncertainty,
            b"prefix" => Self::Prefix,
            b"exists" => Self::Exists,
            b"forall" => Self::Forall,
            b"all" => Self::All,
            b"order" => Self::Order,
            b"bounds" => Self::Bounds,
            b"binary" => Self::Binary,
            b"binaries" => Self::Binaries,
            b"general" | b"generals" | b"integers" => Self::Generals,
            b"integer" => Self::Integer,
            b"real" => Self::Real,
            b"in" => Self::In,
            b"inf" | b"infinity" => Self::Infinity,
            b"free" => Self::Free,
            b"end" => Self::End,
            _ => return None,
        })
    }

    /// Whether the word opens a section (outside a prefix) or ends the file.
    pub fn opens_section(self) -> bool {
        !matches!(
            self,
            Self::Forall | Self::Integer | Self::Real | Self::In | Self::Infinity | Self::Free
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::is_reserved;

    #[test]
    fn keywords_are_exactly_the_reserved_words() {
        let words = "min minimize minimise max maximize maximise subject such st s.t. uncertainty \
                     prefix exists forall all order bounds binary binaries general generals \
                     integers integer real in inf infinity free end";
        assert_eq!(words.split_whitespace().count(), 29);
        for word in words.split_whitespace() {
            assert!(is_reserved(word), "{word}");
            assert!(Keyword::of(&word.to_uppercase()).is_some(), "{word}");
        }
        assert_eq!(Keyword::of("minimized"), None);
        assert_eq!(Keyword::of("a_name_longer_than_any_keyword"), None);
    }
}
