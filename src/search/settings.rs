//! Switches of the search: each technique can be turned off, so that its effect can be measured
//! and its slow twin tested.

/// See the module. Every combination gives the same answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Narrow bounds by quantified propagation; off: dead rows are noticed, nothing more.
    pub propagate: bool,
    /// Bytes of the transposition table; zero turns it off.
    pub table_bytes: usize,
    /// Try only the end of a variable that is best for its owner in every row.
    pub monotone: bool,
    /// Try first the value that was best in the table; off: the end that the costs suggest.
    pub ordering: bool,
    /// Bound positions by linear programs; off: only by propagation.
    pub relax: bool,
    /// Branch on the variable of an existential block that the relaxation is most in doubt about;
    /// off: in the order of the prefix.
    pub follow_doubt: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            propagate: true,
            table_bytes: 96 << 20,
            monotone: true,
            ordering: true,
            relax: true,
            follow_doubt: false,
        }
    }
}

/// One switch, as people set and read it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Switch {
    /// What to write before the `=`.
    pub key: &'static str,
    /// Its present value.
    pub value: String,
    /// What it does, in a sentence.
    pub help: &'static str,
}

/// Why a switch was not set.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SwitchError {
    /// There is no such switch.
    #[error("there is no option `{0}`; `quip options` lists them")]
    Unknown(String),
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

impl Settings {
    /// Every switch with its present value.
    ///
    /// ```
    /// let switches = quip::search::Settings::default().switches();
    /// assert!(switches.iter().any(|switch| switch.key == "search.propagate"));
    /// ```
    pub fn switches(&self) -> Vec<Switch> {
        let on_off = |on: bool| if on { "on" } else { "off" }.to_owned();
        let megabytes = (self.table_bytes >> 20).to_string();
        [
            (
                "search.propagate",
                on_off(self.propagate),
                "narrow bounds by quantified propagation",
            ),
            (
                "search.table",
                megabytes,
                "megabytes of the transposition table; 0 turns it off",
            ),
            (
                "search.monotone",
                on_off(self.monotone),
                "try only the end that is best in every row",
            ),
            (
                "search.ordering",
                on_off(self.ordering),
                "try first what was best in the table",
            ),
            (
                "search.relax",
                on_off(self.relax),
                "bound positions by linear programs",
            ),
            (
                "search.doubt",
                on_off(self.follow_doubt),
                "branch where the relaxation is in doubt",
            ),
        ]
        .map(|(key, value, help)| Switch { key, value, help })
        .into()
    }

    /// Sets a switch by its key.
    ///
    /// ```
    /// let mut settings = quip::search::Settings::default();
    /// settings.set("search.relax", "off")?;
    /// assert!(!settings.relax);
    /// assert!(settings.set("search.relax", "perhaps").is_err());
    /// # Ok::<(), quip::search::SwitchError>(())
    /// ```
    pub fn set(&mut self, key: &str, value: &str) -> Result<(), SwitchError> {
        let switch = match key {
            "search.propagate" => &mut self.propagate,
            "search.monotone" => &mut self.monotone,
            "search.ordering" => &mut self.ordering,
            "search.relax" => &mut self.relax,
            "search.doubt" => &mut self.follow_doubt,
            "search.table" => {
                let megabytes: Option<usize> = value.parse().ok();
                let bytes = megabytes.and_then(|count| count.checked_mul(1 << 20));
                self.table_bytes = bytes.ok_or_else(|| bad(key, value, "a number of megabytes"))?;
                return Ok(());
            }
            _ => return Err(SwitchError::Unknown(key.to_owned())),
        };
        *switch = match value {
            "on" | "true" | "1" => true,
            "off" | "false" | "0" => false,
            _ => return Err(bad(key, value, "on or off")),
        };
        Ok(())
    }
}

fn bad(key: &str, value: &str, expected: &'static str) -> SwitchError {
    SwitchError::BadValue {
        key: key.to_owned(),
        value: value.to_owned(),
        expected,
    }
}
