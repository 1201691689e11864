//! The techniques by name, and which of them are on.

use crate::switch::{Switch, SwitchError, parse_on_off};

/// One technique; see the file of the same name.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum Technique {
    /// Variables with one value leave the rows.
    Fixed,
    /// Universal variables after the last existential one leave a row at their worst.
    Reduction,
    /// Existential variables that pull one way only are fixed at their best end.
    Monotone,
    /// Domains of existential variables lose values that lose.
    Bounds,
    /// Sides of rows that always hold go.
    Redundant,
    /// Parallel rows become one.
    Parallel,
    /// Coefficients that are larger than a row can make use of shrink.
    Coefficients,
    /// Of two existential variables, the one that is never worse goes first.
    Dominated,
}

impl Technique {
    /// Every technique, in the order in which they run.
    pub const ALL: [Self; 8] = [
        Self::Fixed,
        Self::Reduction,
        Self::Monotone,
        Self::Bounds,
        Self::Redundant,
        Self::Parallel,
        Self::Coefficients,
        Self::Dominated,
    ];

    /// The key of its switch.
    pub fn key(self) -> &'static str {
        match self {
            Self::Fixed => "presolve.fixed",
            Self::Reduction => "presolve.reduction",
            Self::Monotone => "presolve.monotone",
            Self::Bounds => "presolve.bounds",
            Self::Redundant => "presolve.redundant",
            Self::Parallel => "presolve.parallel",
            Self::Coefficients => "presolve.coefficients",
            Self::Dominated => "presolve.dominated",
        }
    }

    fn help(self) -> &'static str {
        match self {
            Self::Fixed => "take variables with one value out of the rows",
            Self::Reduction => "let each row face the worst of its last universals",
            Self::Monotone => "fix existentials that pull all rows one way",
            Self::Bounds => "take losing values from existential domains",
            Self::Redundant => "drop rows that always hold",
            Self::Parallel => "merge parallel rows",
            Self::Coefficients => "shrink coefficients that exceed what can go wrong",
            Self::Dominated => "let existentials that are never worse go first",
        }
    }
}

/// Which techniques are on; all of them unless told otherwise.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Switches {
    on: [bool; Technique::ALL.len()],
}

impl Default for Switches {
    fn default() -> Self {
        Self {
            on: [true; Technique::ALL.len()],
        }
    }
}

impl Switches {
    /// No technique.
    pub fn none() -> Self {
        Self {
            on: [false; Technique::ALL.len()],
        }
    }

    /// This technique alone.
    ///
    /// ```
    /// use quip::presolve::{Switches, Technique};
    /// let alone = Switches::only(Technique::Bounds);
    /// assert!(alone.is_on(Technique::Bounds) && !alone.is_on(Technique::Parallel));
    /// ```
    pub fn only(technique: Technique) -> Self {
        let mut switches = Self::none();
        switches.on[technique as usize] = true;
        switches
    }

    /// Whether the technique is on.
    pub fn is_on(&self, technique: Technique) -> bool {
        self.on[technique as usize]
    }

    /// Every switch with its present value.
    ///
    /// ```
    /// let switches = quip::presolve::Switches::default().switches();
    /// assert!(switches.iter().any(|switch| switch.key == "presolve.bounds"));
    /// ```
    pub fn switches(&self) -> Vec<Switch> {
        let switch = |technique: Technique| {
            Switch::on_off(technique.key(), self.is_on(technique), technique.help())
        };
        Technique::ALL.map(switch).into()
    }

    /// Sets a switch by its key.
    ///
    /// ```
    /// use quip::presolve::{Switches, Technique};
    /// let mut switches = Switches::default();
    /// switches.set("presolve.bounds", "off")?;
    /// assert!(!switches.is_on(Technique::Bounds));
    /// # Ok::<(), quip::switch::SwitchError>(())
    /// ```
    pub fn set(&mut self, key: &str, value: &str) -> Result<(), SwitchError> {
        let named = Technique::ALL
            .into_iter()
            .find(|technique| technique.key() == key);
        let technique = named.ok_or_else(|| SwitchError::Unknown(key.to_owned()))?;
        self.on[technique as usize] = parse_on_off(key, value)?;
        Ok(())
    }
}
