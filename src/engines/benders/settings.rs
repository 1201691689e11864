//! Switches of the decomposition: each technique can be turned off to measure what it brings.

use crate::switch::{Switch, SwitchError, parse_on_off};

/// See the module. Every combination gives the same answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Break a subtree off as soon as its value can no longer matter: it cannot be the worst
    /// (alpha), or what led to it cannot be the best (beta). Off: every subtree is solved to its
    /// end, or until it has news where `fast_back` is on.
    ///
    /// Saves a third of the linear programs on production planning where `fast_back` is off, and
    /// none where it is on: cuts that every position of a stage shares leave little to break off.
    pub breaks: bool,
    /// Hand a cut back as soon as it tells the stage before something new; off: solve the subtree
    /// first, as far as its window asks for it. Saves a fifth of the linear programs there.
    pub fast_back: bool,
    /// Try first the corner that was worst last time; off: corners in their order. Saves two thirds
    /// of the linear programs there, the more the longer the horizon.
    pub worst_first: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            breaks: true,
            fast_back: true,
            worst_first: true,
        }
    }
}

impl Settings {
    /// Every switch with its present value.
    ///
    /// ```
    /// let switches = quip::benders::Settings::default().switches();
    /// assert!(switches.iter().any(|switch| switch.key == "benders.breaks"));
    /// ```
    pub fn switches(&self) -> [Switch; 3] {
        [
            Switch::on_off(
                "benders.breaks",
                self.breaks,
                "break subtrees off that cannot matter",
            ),
            Switch::on_off(
                "benders.fast-back",
                self.fast_back,
                "hand every new cut back at once",
            ),
            Switch::on_off(
                "benders.worst-first",
                self.worst_first,
                "try first the corner that was worst last time",
            ),
        ]
    }

    /// Sets a switch by its key.
    ///
    /// ```
    /// let mut settings = quip::benders::Settings::default();
    /// settings.set("benders.breaks", "off")?;
    /// assert!(!settings.breaks);
    /// assert!(settings.set("benders.magic", "on").is_err());
    /// # Ok::<(), quip::switch::SwitchError>(())
    /// ```
    pub fn set(&mut self, key: &str, value: &str) -> Result<(), SwitchError> {
        let switch = match key {
            "benders.breaks" => &mut self.breaks,
            "benders.fast-back" => &mut self.fast_back,
            "benders.worst-first" => &mut self.worst_first,
            _ => return Err(SwitchError::Unknown(key.to_owned())),
        };
        *switch = parse_on_off(key, value)?;
        Ok(())
    }
}
