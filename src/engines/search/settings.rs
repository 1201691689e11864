//! Switches of the search: each technique can be turned off, so that its effect can be measured
//! and its slow twin tested.

use crate::switch::{Switch, SwitchError, parse_on_off};

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
    /// Try first the value that last refuted the opponent on the same variable; off: the end that
    /// the costs suggest.
    pub history: bool,
    /// Skip universal values that a reply already found answers as well; off: search them.
    pub copies: bool,
    /// Keep the combinations of rows that linear programs prove, and ask them elsewhere; off: they
    /// speak where they were found.
    pub combine: bool,
    /// Count binaries of the objective that exclude each other once; off: each by itself.
    pub choices: bool,
    /// Solve parts that no row connects one by one; off: all at once.
    pub components: bool,
    /// Positions after which symmetries are looked for, so that mirror images are searched once;
    /// none: never.
    pub symmetry_after: Option<u64>,
    /// Ask the question at the root from below, in windows that widen; off: all worths at once.
    pub rise: bool,
    /// Bound the root of a hard search by its quantified linear program; off: by propagation and one
    /// scenario.
    pub foresight: bool,
    /// Bound positions by linear programs; off: only by propagation.
    pub relax: bool,
    /// How many times its price a linear program must promise to save; zero: one is asked everywhere.
    pub caution: u64,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            propagate: true,
            table_bytes: 96 << 20,
            monotone: true,
            ordering: true,
            history: true,
            copies: true,
            combine: true,
            choices: true,
            components: true,
            symmetry_after: Some(20_000),
            rise: true,
            foresight: true,
            relax: true,
            caution: 4,
        }
    }
}

impl Settings {
    /// Every switch with its present value.
    ///
    /// ```
    /// let switches = quip::search::Settings::default().switches();
    /// assert!(switches.iter().any(|switch| switch.key == "search.propagate"));
    /// ```
    pub fn switches(&self) -> Vec<Switch> {
        let number = |key, value: u64, help| Switch {
            key,
            value: value.to_string(),
            help,
        };
        let table = number(
            "search.table",
            (self.table_bytes >> 20) as u64,
            "megabytes of the transposition table; 0 turns it off",
        );
        vec![
            Switch::on_off(
                "search.propagate",
                self.propagate,
                "narrow bounds by quantified propagation",
            ),
            table,
            Switch::on_off(
                "search.monotone",
                self.monotone,
                "try only the end that is best in every row",
            ),
            Switch::on_off(
                "search.ordering",
                self.ordering,
                "try first what was best in the table",
            ),
            Switch::on_off(
                "search.history",
                self.history,
                "try first what last refuted the opponent",
            ),
            Switch::on_off(
                "search.copies",
                self.copies,
                "skip universal values that a known reply answers",
            ),
            Switch::on_off(
                "search.combine",
                self.combine,
                "keep what linear programs prove as rows",
            ),
            Switch::on_off(
                "search.choices",
                self.choices,
                "count costs that exclude each other once",
            ),
            Switch::on_off(
                "search.components",
                self.components,
                "solve parts that no row connects one by one",
            ),
            Switch {
                key: "search.symmetry",
                value: self
                    .symmetry_after
                    .map_or("off".to_owned(), |positions| positions.to_string()),
                help: "positions after which mirror images are searched once, or off",
            },
            Switch::on_off(
                "search.rise",
                self.rise,
                "ask from below in windows that widen",
            ),
            Switch::on_off(
                "search.foresight",
                self.foresight,
                "bound the root of a hard search by its quantified LP",
            ),
            Switch::on_off(
                "search.relax",
                self.relax,
                "bound positions by linear programs",
            ),
            number(
                "search.caution",
                self.caution,
                "times its price that a linear program must promise; 0 asks everywhere",
            ),
        ]
    }

    /// Sets a switch by its key.
    ///
    /// ```
    /// let mut settings = quip::search::Settings::default();
    /// settings.set("search.relax", "off")?;
    /// assert!(!settings.relax);
    /// assert!(settings.set("search.relax", "perhaps").is_err());
    /// # Ok::<(), quip::switch::SwitchError>(())
    /// ```
    pub fn set(&mut self, key: &str, value: &str) -> Result<(), SwitchError> {
        let switch = match key {
            "search.propagate" => &mut self.propagate,
            "search.monotone" => &mut self.monotone,
            "search.ordering" => &mut self.ordering,
            "search.history" => &mut self.history,
            "search.copies" => &mut self.copies,
            "search.combine" => &mut self.combine,
            "search.choices" => &mut self.choices,
            "search.components" => &mut self.components,
            "search.foresight" => &mut self.foresight,
            "search.rise" => &mut self.rise,
            "search.relax" => &mut self.relax,
            "search.learn" | "search.cubes" | "search.forget" | "search.restart"
            | "search.doubt" => {
                return Err(SwitchError::Removed(key.to_owned()));
            }
            "search.caution" => {
                self.caution = parse_count(key, value)?;
                return Ok(());
            }
            "search.table" => {
                let megabytes: Option<usize> = value.parse().ok();
                let bytes = megabytes.and_then(|count| count.checked_mul(1 << 20));
                self.table_bytes = bytes
                    .ok_or_else(|| SwitchError::bad_value(key, value, "a number of megabytes"))?;
                return Ok(());
            }
            "search.symmetry" => {
                self.symmetry_after = match value {
                    "off" => None,
                    count => Some(count.parse().map_err(|_| {
                        SwitchError::bad_value(key, value, "a number of positions or off")
                    })?),
                };
                return Ok(());
            }
            _ => return Err(SwitchError::Unknown(key.to_owned())),
        };
        *switch = parse_on_off(key, value)?;
        Ok(())
    }
}

fn parse_count<T: std::str::FromStr>(key: &str, value: &str) -> Result<T, SwitchError> {
    let count = value.parse();
    count.map_err(|_| SwitchError::bad_value(key, value, "a number, not negative"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_of_techniques_that_are_gone_are_answered_with_a_sentence() {
        for key in ["learn", "cubes", "forget", "restart", "doubt"] {
            let key = format!("search.{key}");
            let refused = Settings::default().set(&key, "on").unwrap_err();
            assert_eq!(refused, SwitchError::Removed(key.clone()));
            assert!(refused.to_string().contains("any more"), "{refused}");
        }
    }
}
