//! Quantifier strings, as the literature writes them.
//!
//! There are two spellings, told apart by the whole string:
//! - *bare*: only quantifiers, `EAE` or `∃∀∃`, with blanks and commas as one likes. The blocks are
//!   called `1`, `2`, `3`, …
//! - *named*: `exists a, forall b, exists c` or `∃a ∀b ∃c`. Every quantifier governs exactly one
//!   block, so that a misspelt quantifier cannot pass for a name. Neighbours may have the same
//!   quantifier; each is filled on its own.
//!
//! Blanks and `,` `;` `.` `:` separate and mean nothing else.
//!
//! **Invariant:** block names are unique; a name is made of letters, digits and `_ [ ] ' @ #`.

use rustc_hash::FxHashSet;

use crate::program::Quantifier;

/// One block of a quantifier string.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct NamedBlock {
    pub(super) quantifier: Quantifier,
    pub(super) name: String,
}

/// Why a text is not a quantifier string. Positions count characters from 1.
///
/// ```
/// use quip::model::*;
/// let error = Model::with_prefix("exists a, fora b").unwrap_err();
/// assert_eq!(
///     error,
///     PrefixError::MissingQuantifier { found: "fora".into(), position: 11 }
/// );
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PrefixError {
    /// Nothing there.
    #[error("the quantifier string is empty; write it like `exists a, forall b` or `EAE`")]
    Empty,
    /// A character that belongs to neither a quantifier nor a name.
    #[error("unexpected `{character}` at position {position} of the quantifier string")]
    BadCharacter {
        /// The character.
        character: char,
        /// Where it stands.
        position: usize,
    },
    /// A block name that no quantifier governs.
    #[error(
        "`{found}` at position {position} stands where `exists`, `forall`, `∃` or `∀` is expected"
    )]
    MissingQuantifier {
        /// What stands there.
        found: String,
        /// Where it stands.
        position: usize,
    },
    /// A quantifier that governs nothing, in a string that names its blocks.
    #[error("the quantifier at position {position} governs no block; name one after it")]
    MissingName {
        /// Where the quantifier stands.
        position: usize,
    },
    /// Two blocks of one name.
    #[error("the block `{name}` at position {position} is there already")]
    DoubledName {
        /// The name.
        name: String,
        /// Where it stands again.
        position: usize,
    },
}

/// Reads a quantifier string of either spelling.
pub(super) fn parse(text: &str) -> Result<Vec<NamedBlock>, PrefixError> {
    let tokens = tokens(text)?;
    let bare: Option<Vec<Quantifier>> = tokens
        .iter()
        .map(Token::as_bare)
        .collect::<Option<Vec<_>>>()
        .map(|runs| runs.concat());
    match bare {
        Some(quantifiers) if quantifiers.is_empty() => Err(PrefixError::Empty),
        Some(quantifiers) => Ok(numbered(&quantifiers)),
        None => named(&tokens),
    }
}

fn numbered(quantifiers: &[Quantifier]) -> Vec<NamedBlock> {
    let block = |(place, &quantifier): (usize, &Quantifier)| NamedBlock {
        quantifier,
        name: (place + 1).to_string(),
    };
    quantifiers.iter().enumerate().map(block).collect()
}

fn named(tokens: &[Token]) -> Result<Vec<NamedBlock>, PrefixError> {
    let mut blocks: Vec<NamedBlock> = Vec::new();
    let mut names = FxHashSet::default();
    let mut rest = tokens.iter();
    while let Some(token) = rest.next() {
        let quantifier = token
            .as_quantifier()
            .ok_or_else(|| PrefixError::MissingQuantifier {
                found: token.text.clone(),
                position: token.position,
            })?;
        let name = rest
            .next()
            .filter(|next| next.as_quantifier().is_none())
            .ok_or(PrefixError::MissingName {
                position: token.position,
            })?;
        if !names.insert(name.text.as_str()) {
            return Err(PrefixError::DoubledName {
                name: name.text.clone(),
                position: name.position,
            });
        }
        blocks.push(NamedBlock {
            quantifier,
            name: name.text.clone(),
        });
    }
    Ok(blocks)
}

/// A word or a quantifier symbol.
struct Token {
    text: String,
    position: usize,
}

impl Token {
    fn as_quantifier(&self) -> Option<Quantifier> {
        match self.text.to_ascii_lowercase().as_str() {
            "exists" | "∃" => Some(Quantifier::Exists),
            "forall" | "∀" => Some(Quantifier::Forall),
            _ => None,
        }
    }

    /// The run of quantifiers that the token is in a string without names.
    fn as_bare(&self) -> Option<Vec<Quantifier>> {
        let letter = |character| match character {
            'E' | '∃' => Some(Quantifier::Exists),
            'A' | '∀' => Some(Quantifier::Forall),
            _ => None,
        };
        self.text.chars().map(letter).collect()
    }
}

fn tokens(text: &str) -> Result<Vec<Token>, PrefixError> {
    let mut tokens: Vec<Token> = Vec::new();
    let mut inside_word = false;
    for (position, character) in (1..).zip(text.chars()) {
        let is_symbol = matches!(character, '∃' | '∀');
        let is_word = character.is_ascii_alphanumeric() || "_[]'@#".contains(character);
        let is_separator = character.is_whitespace() || ",;.:".contains(character);
        if !(is_symbol || is_word || is_separator) {
            return Err(PrefixError::BadCharacter {
                character,
                position,
            });
        }
        match tokens.last_mut() {
            Some(word) if is_word && inside_word => word.text.push(character),
            _ if is_word || is_symbol => tokens.push(Token {
                text: character.to_string(),
                position,
            }),
            _ => {}
        }
        inside_word = is_word;
    }
    Ok(tokens)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The blocks in short: `a+ b-` for `exists a, forall b`.
    fn short(text: &str) -> Result<String, PrefixError> {
        let blocks = parse(text)?;
        let spell = |block: &NamedBlock| match block.quantifier {
            Quantifier::Exists => format!("{}+", block.name),
            Quantifier::Forall => format!("{}-", block.name),
        };
        Ok(blocks.iter().map(spell).collect::<Vec<_>>().join(" "))
    }

    #[test]
    fn every_spelling_of_a_prefix_means_the_same() {
        for text in [
            "exists a, forall b, exists c",
            "EXISTS a forall b Exists c",
            "∃a ∀b ∃c",
            "∃a∀b∃c:",
            "∃ a; ∀ b. ∃ c",
        ] {
            assert_eq!(short(text).as_deref(), Ok("a+ b- c+"), "{text}");
        }
        for text in ["EAE", "E A E", "∃∀∃", "E,A,∃"] {
            assert_eq!(short(text).as_deref(), Ok("1+ 2- 3+"), "{text}");
        }
    }

    #[test]
    fn a_block_may_be_called_like_a_bare_quantifier_when_others_have_names() {
        assert_eq!(short("exists A, forall E").as_deref(), Ok("A+ E-"));
    }

    #[test]
    fn every_fault_names_its_position() {
        let missing = |found: &str, position| PrefixError::MissingQuantifier {
            found: found.to_owned(),
            position,
        };
        let faults = [
            ("", PrefixError::Empty),
            (" , ", PrefixError::Empty),
            ("exists a, fora b", missing("fora", 11)),
            ("exists a b", missing("b", 10)),
            ("EBE", missing("EBE", 1)),
            ("∃a ∀", PrefixError::MissingName { position: 4 }),
            ("exists forall b", PrefixError::MissingName { position: 1 }),
            (
                "∃a ∀a",
                PrefixError::DoubledName {
                    name: "a".to_owned(),
                    position: 5,
                },
            ),
            (
                "exists a & forall b",
                PrefixError::BadCharacter {
                    character: '&',
                    position: 10,
                },
            ),
        ];
        for (text, fault) in faults {
            assert_eq!(parse(text), Err(fault), "{text}");
        }
    }
}
