//! What the user chooses: plain data with defaults that need no thought.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

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

/// How to solve: plain data with defaults that need no thought, and a method `with_…` for each that is
/// often chosen.
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
    /// With this engine.
    ///
    /// ```
    /// use std::time::Duration;
    /// use quip::num::int;
    /// use quip::solver::{Method, Options};
    ///
    /// let options = Options::default()
    ///     .with_time(Duration::from_secs(60))
    ///     .with_threads(1)
    ///     .with_target(int(16))
    ///     .with_certificate(true)
    ///     .with_switch("search.relax", "off")?;
    /// assert_eq!(options.method, Method::Auto);
    /// assert_eq!(options.limits.time, Some(Duration::from_secs(60)));
    /// assert!(options.certificate && !options.search.relax);
    /// # Ok::<(), quip::switch::SwitchError>(())
    /// ```
    #[must_use]
    pub fn with_method(mut self, method: Method) -> Self {
        self.method = method;
        self
    }

    /// With so much time at most.
    #[must_use]
    pub fn with_time(mut self, time: Duration) -> Self {
        self.limits.time = Some(time);
        self
    }

    /// With so many positions at most.
    #[must_use]
    pub fn with_nodes(mut self, nodes: u64) -> Self {
        self.limits.nodes = Some(nodes);
        self
    }

    /// With so many bytes for the whole process at most.
    #[must_use]
    pub fn with_memory(mut self, bytes: u64) -> Self {
        self.limits.memory = Some(bytes);
        self
    }

    /// With so many engines at the same time.
    #[must_use]
    pub fn with_threads(mut self, threads: usize) -> Self {
        self.threads = Some(threads);
        self
    }

    /// Asks for a strategy that is this good.
    #[must_use]
    pub fn with_target(mut self, target: Rational) -> Self {
        self.target = Some(target);
        self
    }

    /// Whether only the winner is asked for.
    #[must_use]
    pub fn with_decide(mut self, decide: bool) -> Self {
        self.decide = decide;
        self
    }

    /// Whether the answer comes with its proof.
    #[must_use]
    pub fn with_certificate(mut self, certificate: bool) -> Self {
        self.certificate = certificate;
        self
    }

    /// With a switch set; see [`Options::set`].
    pub fn with_switch(mut self, key: &str, value: &str) -> Result<Self, SwitchError> {
        self.set(key, value)?;
        Ok(self)
    }

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
