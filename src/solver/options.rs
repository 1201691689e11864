//! What the user chooses: plain data with defaults that need no thought.

use std::fmt;
use std::str::FromStr;

use super::PortfolioSettings;
use crate::budget::Limits;
use crate::num::Rational;
use crate::presolve::Switches;
use crate::switch::{Switch, SwitchError};
use crate::{benders, expand, qbf, search};

/// An engine, or the choice of one.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Hash)]
pub enum Method {
    /// The best engine for the program at hand.
    #[default]
    Auto,
    /// Alpha-beta over the quantifier prefix.
    Search,
    /// Learning from conflicts, for quantified Boolean formulas in clauses.
    Clausal,
    /// Abstraction refinement: few scenarios, refined by an adversary.
    Expand,
    /// All scenarios at once, as one integer program.
    Equivalent,
    /// Nested Benders decomposition, for real existential variables.
    Benders,
    /// Enumeration of the definition, exact and slow.
    Reference,
}

impl Method {
    /// Every method, in the order in which help texts list them.
    pub const ALL: [Self; 7] = [
        Self::Auto,
        Self::Search,
        Self::Clausal,
        Self::Benders,
        Self::Expand,
        Self::Equivalent,
        Self::Reference,
    ];

    /// The name on the command line and in results.
    pub fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Search => "search",
            Self::Clausal => "clausal",
            Self::Expand => "expand",
            Self::Equivalent => "equivalent",
            Self::Benders => "benders",
            Self::Reference => "reference",
        }
    }
}

impl fmt::Display for Method {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.name())
    }
}

impl FromStr for Method {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let named = Self::ALL.into_iter().find(|method| method.name() == text);
        named.ok_or_else(|| {
            format!(
                "`{text}` is not a method; choose one of {}",
                Self::ALL.map(Self::name).join(", ")
            )
        })
    }
}

/// How to solve.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// Which engine.
    pub method: Method,
    /// What may be spent.
    pub limits: Limits,
    /// Stop as soon as a strategy this good is in hand.
    pub target: Option<Rational>,
    /// Ask only who wins; the objective is ignored.
    pub decide: bool,
    /// Prove the answer by a certificate.
    pub certificate: bool,
    /// How many engines may work at the same time; `None` is as many as the machine has cores.
    pub threads: Option<usize>,
    /// The switches of two engines that race.
    pub portfolio: PortfolioSettings,
    /// The techniques of the presolve.
    pub presolve: Switches,
    /// The switches of the search.
    pub search: search::Settings,
    /// The switches of abstraction refinement.
    pub expand: expand::Settings,
    /// The switches of the decomposition.
    pub benders: benders::Settings,
    /// The switches of the engine for formulas.
    pub clausal: qbf::Settings,
}

impl Options {
    /// Every switch of every engine with its present value.
    ///
    /// ```
    /// let switches = quip::solver::Options::default().switches();
    /// assert!(switches.iter().any(|switch| switch.key == "presolve.bounds"));
    /// assert!(switches.iter().any(|switch| switch.key == "search.relax"));
    /// ```
    pub fn switches(&self) -> Vec<Switch> {
        let mut switches = self.presolve.switches();
        switches.extend(self.portfolio.switches());
        switches.extend(self.search.switches());
        switches.extend(self.expand.switches());
        switches.extend(self.benders.switches());
        switches.extend(self.clausal.switches());
        switches
    }

    /// Sets a switch by its key.
    ///
    /// ```
    /// let mut options = quip::solver::Options::default();
    /// options.set("search.relax", "off")?;
    /// assert!(!options.search.relax);
    /// assert!(options.set("search.magic", "on").is_err());
    /// # Ok::<(), quip::switch::SwitchError>(())
    /// ```
    pub fn set(&mut self, key: &str, value: &str) -> Result<(), SwitchError> {
        match key.split('.').next() {
            Some("presolve") => self.presolve.set(key, value),
            Some("portfolio") => self.portfolio.set(key, value),
            Some("clausal") => self.clausal.set(key, value),
            Some("expand") => self.expand.set(key, value),
            Some("benders") => self.benders.set(key, value),
            _ => self.search.set(key, value),
        }
    }
}
