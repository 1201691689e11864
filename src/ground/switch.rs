//! Switches: the settings of engines and techniques as people write and read them.
//!
//! A technique can be turned off so that its effect can be measured and its slow twin tested.
//! **Invariant:** every combination of switches gives the same answers.

/// One switch with its present value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Switch {
    /// What to write before the `=`.
    pub key: &'static str,
    /// Its present value.
    pub value: String,
    /// What it does, in a sentence.
    pub help: &'static str,
}

impl Switch {
    /// A switch that is on or off.
    ///
    /// ```
    /// use quip::switch::Switch;
    /// assert_eq!(Switch::on_off("search.relax", true, "bound by LPs").value, "on");
    /// ```
    pub fn on_off(key: &'static str, on: bool, help: &'static str) -> Self {
        let value = if on { "on" } else { "off" }.to_owned();
        Self { key, value, help }
    }
}

/// Why a switch was not set.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SwitchError {
    /// There is no such switch.
    #[error("there is no option `{0}`; `quip options` lists them")]
    Unknown(String),
    /// The technique did not pay and is gone.
    #[error("there is no option `{0}` any more: measurements did not support its technique")]
    Removed(String),
    /// The value does not fit.
    #[error("`{value}` does not fit `{key}`: {expected}")]
    BadValue {
        /// The switch.
        key: String,
        /// What was given.
        value: String,
        /// What it takes.
        expected: &'static str,
    },
}

impl SwitchError {
    /// The value does not fit.
    pub fn bad_value(key: &str, value: &str, expected: &'static str) -> Self {
        Self::BadValue {
            key: key.to_owned(),
            value: value.to_owned(),
            expected,
        }
    }
}

/// A technique that is on or off: its key, where its settings keep it, what it does.
pub type Technique<S> = (&'static str, fn(&mut S) -> &mut bool, &'static str);

/// Every technique of an engine with its present value.
pub fn switches_of<S: Clone>(settings: &S, techniques: &[Technique<S>]) -> Vec<Switch> {
    let mut copy = settings.clone();
    let listed = techniques.iter();
    listed
        .map(|(key, place, help)| Switch::on_off(key, *place(&mut copy), help))
        .collect()
}

/// Turns the technique of that key on or off.
pub fn set_technique<S>(
    settings: &mut S,
    techniques: &[Technique<S>],
    key: &str,
    value: &str,
) -> Result<(), SwitchError> {
    let named = techniques.iter().find(|(name, ..)| *name == key);
    let (_, place, _) = named.ok_or_else(|| SwitchError::Unknown(key.to_owned()))?;
    *place(settings) = parse_on_off(key, value)?;
    Ok(())
}

/// Reads the value of a switch that is on or off.
///
/// ```
/// use quip::switch::parse_on_off;
/// assert_eq!(parse_on_off("search.relax", "off"), Ok(false));
/// assert!(parse_on_off("search.relax", "perhaps").is_err());
/// ```
pub fn parse_on_off(key: &str, value: &str) -> Result<bool, SwitchError> {
    match value {
        "on" | "true" | "1" => Ok(true),
        "off" | "false" | "0" => Ok(false),
        _ => Err(SwitchError::bad_value(key, value, "on or off")),
    }
}
