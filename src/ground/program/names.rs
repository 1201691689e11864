//! Which names variables and rows may have, so that every format can carry them.

/// What is wrong with a name.
#[derive(Copy, Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NameFault {
    /// Nothing there.
    #[error("it is empty")]
    Empty,
    /// Does not begin like a name.
    #[error("it must begin with a letter or `_`")]
    BadStart,
    /// Contains something that no format carries.
    #[error("`{0}` is not allowed in it; use letters, digits and _ . [ ] , ' @ #")]
    BadCharacter(char),
    /// A word of the file format.
    #[error("it is a keyword of the file format")]
    Reserved,
}

/// Words that the formats give a meaning to, in any case.
const RESERVED: [&str; 29] = [
    "all",
    "binaries",
    "binary",
    "bounds",
    "end",
    "exists",
    "forall",
    "free",
    "general",
    "generals",
    "in",
    "inf",
    "infinity",
    "integer",
    "integers",
    "max",
    "maximise",
    "maximize",
    "min",
    "minimise",
    "minimize",
    "order",
    "prefix",
    "real",
    "s.t.",
    "st",
    "subject",
    "such",
    "uncertainty",
];

/// Whether the word means something to the file formats.
pub fn is_reserved(name: &str) -> bool {
    // All reserved words are short; the long names of large models are decided by length alone.
    name.len() <= 11 && RESERVED.iter().any(|word| word.eq_ignore_ascii_case(name))
}

/// Checks one name.
///
/// ```
/// use quip::program::check_name;
/// assert!(check_name("x[1,2]").is_ok());
/// assert!(check_name("2x").is_err());
/// assert!(check_name("End").is_err());
/// ```
pub fn check_name(name: &str) -> Result<(), NameFault> {
    let first = name.chars().next().ok_or(NameFault::Empty)?;
    if !(first.is_ascii_alphabetic() || first == '_') {
        return Err(NameFault::BadStart);
    }
    let allowed =
        |character: char| character.is_ascii_alphanumeric() || "_.[],'@#".contains(character);
    if let Some(stranger) = name.chars().find(|&character| !allowed(character)) {
        return Err(NameFault::BadCharacter(stranger));
    }
    if is_reserved(name) {
        return Err(NameFault::Reserved);
    }
    Ok(())
}
