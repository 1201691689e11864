//! The techniques of the engine by name, and which of them are on.

use crate::switch::{Switch, SwitchError, Technique, set_technique, switches_of};

/// Which techniques of the clausal engine are on; all of them unless told otherwise.
///
/// **Invariant:** no combination changes who wins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Learn from conflicts. Also runs if refinement is off or gives up.
    pub learn: bool,
    /// Refine abstractions with a SAT solver, in turns with learning.
    pub refine: bool,
    /// Give the universal player constraints of his own, made of the gates.
    pub dual: bool,
    /// Drop literals from what is learnt.
    pub minimise: bool,
    /// Variables that are pure in a position are decided accordingly.
    pub pure_moves: bool,
    /// Clauses of one literal are fixed before the search.
    pub units: bool,
    /// Variables that occur with one sign only are fixed.
    pub pure: bool,
    /// Variables that equal earlier ones are replaced.
    pub equivalences: bool,
    /// Clauses that others contain go.
    pub subsumption: bool,
    /// Gates are quantified as early as their inputs allow.
    pub early: bool,
    /// What does not depend on a universal block is quantified before it.
    pub independence: bool,
    /// Blocked clauses go.
    pub blocked: bool,
    /// Resolution takes variables away where that makes no more clauses or literals.
    pub elimination: bool,
    /// The last universal variables are written out where that is cheap.
    pub expansion: bool,
}

const TECHNIQUES: [Technique<Settings>; 14] = [
    (
        "clausal.learn",
        |settings| &mut settings.learn,
        "learn from conflicts; off: only where refinement is off or gives up",
    ),
    (
        "clausal.refine",
        |settings| &mut settings.refine,
        "refine abstractions with a SAT solver, in turns with learning",
    ),
    (
        "clausal.dual",
        |settings| &mut settings.dual,
        "give the universal player constraints made of the gates",
    ),
    (
        "clausal.minimise",
        |settings| &mut settings.minimise,
        "drop literals from what is learnt",
    ),
    (
        "clausal.pure_moves",
        |settings| &mut settings.pure_moves,
        "decide variables by the one sign they have in a position",
    ),
    (
        "clausal.units",
        |settings| &mut settings.units,
        "fix what clauses of one literal say, before the search",
    ),
    (
        "clausal.pure",
        |settings| &mut settings.pure,
        "fix variables that occur with one sign only",
    ),
    (
        "clausal.equivalences",
        |settings| &mut settings.equivalences,
        "replace variables that equal earlier ones",
    ),
    (
        "clausal.subsumption",
        |settings| &mut settings.subsumption,
        "drop clauses that others contain, and literals that resolve away",
    ),
    (
        "clausal.early",
        |settings| &mut settings.early,
        "quantify gates as early as their inputs allow",
    ),
    (
        "clausal.independence",
        |settings| &mut settings.independence,
        "quantify before a universal block what does not depend on it",
    ),
    (
        "clausal.blocked",
        |settings| &mut settings.blocked,
        "drop blocked clauses",
    ),
    (
        "clausal.elimination",
        |settings| &mut settings.elimination,
        "resolve variables away where that makes no more clauses or literals",
    ),
    (
        "clausal.expansion",
        |settings| &mut settings.expansion,
        "write the last universal variables out where that is cheap",
    ),
];

impl Default for Settings {
    fn default() -> Self {
        Self::all(true)
    }
}

impl Settings {
    /// No technique.
    pub fn none() -> Self {
        Self::all(false)
    }

    fn all(on: bool) -> Self {
        Self {
            learn: on,
            refine: on,
            dual: on,
            minimise: on,
            pure_moves: on,
            units: on,
            pure: on,
            equivalences: on,
            subsumption: on,
            early: on,
            independence: on,
            blocked: on,
            elimination: on,
            expansion: on,
        }
    }

    /// Every switch with its present value.
    ///
    /// ```
    /// let switches = quip::qbf::Settings::default().switches();
    /// assert!(switches.iter().any(|switch| switch.key == "clausal.dual"));
    /// ```
    pub fn switches(&self) -> Vec<Switch> {
        switches_of(self, &TECHNIQUES)
    }

    /// Sets a switch by its key.
    ///
    /// ```
    /// let mut settings = quip::qbf::Settings::default();
    /// settings.set("clausal.dual", "off")?;
    /// assert!(!settings.dual);
    /// # Ok::<(), quip::switch::SwitchError>(())
    /// ```
    pub fn set(&mut self, key: &str, value: &str) -> Result<(), SwitchError> {
        set_technique(self, &TECHNIQUES, key, value)
    }
}
