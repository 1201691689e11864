//! The families that mix integers and reals, as the command line offers them.

use super::commitment::Whole;
use super::registry::{SEED, number, seed, within};
use super::{
    Deviation, commitment, crashing, expansion, hydro, inventory, location, portfolio, setups,
    surges,
};
use crate::games::family::{Arguments, Family, Parameter, ParameterKind};

/// What the opponent may do to a number; the first word is the default.
const fn deviation(
    name: &'static str,
    words: &'static [&'static str],
    help: &'static str,
) -> Parameter {
    Parameter::optional(name, ParameterKind::Choice(words), words[0], help)
}

const BINARY: &[&str] = &["binary", "real"];
const REAL: &[&str] = &["real", "binary"];

fn chosen(given: &Arguments, name: &'static str) -> Deviation {
    match given.text(name) {
        "real" => Deviation::Real,
        _ => Deviation::Binary,
    }
}

/// Locations whose capacity is built before the demand is known.
pub(in crate::games) const LOCATION: Family = Family {
    name: "location",
    about: "open sites and build capacity, then ship against demand; minimised: cost",
    parameters: &[
        number("sites", "4", "sites"),
        number("customers", "6", "customers"),
        number("budget", "2", "deviations, in all"),
        deviation("demand", REAL, "deviations of the demand"),
        SEED,
    ],
    build: |given| {
        Ok(location::generate(&location::Location {
            sites: within(given, "sites", 1, 100)?,
            customers: within(given, "customers", 1, 200)?,
            budget: within(given, "budget", 0, 200)? as i64,
            demand: chosen(given, "demand"),
            seed: seed(given),
        }))
    },
    formula: None,
    rules: None,
};

/// Inventory in batches.
pub(in crate::games) const INVENTORY: Family = Family {
    name: "inventory",
    about: "order batches, see the demand, keep or owe the rest; minimised: cost",
    parameters: &[
        number("products", "1", "products, which share a truck"),
        number("periods", "4", "periods"),
        number("budget", "2", "deviations, in all"),
        deviation("demand", BINARY, "deviations of the demand"),
        SEED,
    ],
    build: |given| {
        Ok(inventory::generate(&inventory::Inventory {
            products: within(given, "products", 1, 20)?,
            periods: within(given, "periods", 1, 50)?,
            budget: within(given, "budget", 0, 1000)? as i64,
            demand: chosen(given, "demand"),
            seed: seed(given),
        }))
    },
    formula: None,
    rules: None,
};

/// Reservoirs and a thermal unit.
pub(in crate::games) const HYDRO: Family = Family {
    name: "hydro",
    about: "commit a thermal unit, see the inflow, release water; minimised: cost",
    parameters: &[
        number("reservoirs", "2", "reservoirs, one below the other"),
        number("periods", "4", "periods"),
        number("budget", "2", "droughts, in all"),
        deviation("inflow", BINARY, "deviations of the inflow"),
        SEED,
    ],
    build: |given| {
        Ok(hydro::generate(&hydro::Hydro {
            reservoirs: within(given, "reservoirs", 1, 20)?,
            periods: within(given, "periods", 1, 50)?,
            budget: within(given, "budget", 0, 50)? as i64,
            inflow: chosen(given, "inflow"),
            seed: seed(given),
        }))
    },
    formula: None,
    rules: None,
};

/// Lines that may fail.
pub(in crate::games) const EXPANSION: Family = Family {
    name: "expansion",
    about: "build lines of which some fail, then let power flow; minimised: cost",
    parameters: &[
        number("nodes", "6", "nodes on a ring"),
        number("chords", "3", "lines across it"),
        number("failures", "1", "lines that may fail"),
        SEED,
    ],
    build: |given| {
        Ok(expansion::generate(&expansion::Expansion {
            nodes: within(given, "nodes", 3, 200)?,
            chords: within(given, "chords", 0, 200)?,
            failures: within(given, "failures", 0, 400)? as i64,
            seed: seed(given),
        }))
    },
    formula: None,
    rules: None,
};

/// Customers that may surge.
pub(in crate::games) const SURGES: Family = Family {
    name: "surges",
    about: "open sites, see who asks for more, assign customers; minimised: cost",
    parameters: &[
        number("sites", "3", "sites"),
        number("customers", "6", "customers"),
        number("surges", "1", "customers that may surge"),
        SEED,
    ],
    build: |given| {
        Ok(surges::generate(&surges::Surges {
            sites: within(given, "sites", 1, 100)?,
            customers: within(given, "customers", 1, 200)?,
            surges: within(given, "surges", 0, 200)? as i64,
            seed: seed(given),
        }))
    },
    formula: None,
    rules: None,
};

/// Set-ups after the demand is known.
pub(in crate::games) const SETUPS: Family = Family {
    name: "setups",
    about: "see the demand, then set up and make lots; minimised: cost",
    parameters: &[
        number("products", "2", "products, which share a machine"),
        number("periods", "3", "periods"),
        number("budget", "2", "deviations, in all"),
        deviation("demand", BINARY, "deviations of the demand"),
        SEED,
    ],
    build: |given| {
        Ok(setups::generate(&setups::Setups {
            products: within(given, "products", 1, 20)?,
            periods: within(given, "periods", 1, 50)?,
            budget: within(given, "budget", 0, 1000)? as i64,
            demand: chosen(given, "demand"),
            seed: seed(given),
        }))
    },
    formula: None,
    rules: None,
};

/// A project that may be late.
pub(in crate::games) const CRASHING: Family = Family {
    name: "crashing",
    about: "buy days of each phase before its delays are known; minimised: cost",
    parameters: &[
        number("phases", "3", "phases"),
        number("activities", "2", "activities of each phase"),
        number("budget", "2", "delays, in all"),
        deviation("delay", BINARY, "deviations of the durations"),
        SEED,
    ],
    build: |given| {
        Ok(crashing::generate(&crashing::Crashing {
            phases: within(given, "phases", 1, 50)?,
            activities: within(given, "activities", 1, 50)?,
            budget: within(given, "budget", 0, 2500)? as i64,
            delay: chosen(given, "delay"),
            seed: seed(given),
        }))
    },
    formula: None,
    rules: None,
};

/// Lots that pay or do not.
pub(in crate::games) const PORTFOLIO: Family = Family {
    name: "portfolio",
    about: "hold lots whose payments may be cut; maximised: wealth",
    parameters: &[
        number("assets", "3", "assets"),
        number("periods", "2", "periods"),
        number("cuts", "1", "payments that may be cut, in all"),
        SEED,
    ],
    build: |given| {
        Ok(portfolio::generate(&portfolio::Portfolio {
            assets: within(given, "assets", 1, 50)?,
            periods: within(given, "periods", 1, 50)?,
            cuts: within(given, "cuts", 0, 2500)? as i64,
            seed: seed(given),
        }))
    },
    formula: None,
    rules: None,
};

/// Units that run and a load that deviates.
pub(in crate::games) const COMMITMENT: Family = Family {
    name: "commitment",
    about: "decide which units run, then meet a load that deviates; minimised: cost",
    parameters: &[
        number("periods", "4", "periods"),
        number("units", "3", "units"),
        number("budget", "2", "deviations, in all"),
        Parameter::optional(
            "stages",
            ParameterKind::Choice(&["two", "many"]),
            "two",
            "loads revealed all at once, or one after the other",
        ),
        deviation("demand", BINARY, "deviations of the load"),
        Parameter::optional(
            "power",
            ParameterKind::Choice(&["real", "mixed", "integer"]),
            "real",
            "of all units, or whole for the first or for all",
        ),
        SEED,
    ],
    build: |given| {
        Ok(commitment::generate(&commitment::Commitment {
            periods: within(given, "periods", 1, 100)?,
            units: within(given, "units", 1, 50)?,
            budget: within(given, "budget", 0, 100)? as i64,
            many_stages: given.text("stages") == "many",
            demand: chosen(given, "demand"),
            whole: match given.text("power") {
                "integer" => Whole::All,
                "mixed" => Whole::First,
                _ => Whole::None,
            },
            seed: seed(given),
        }))
    },
    formula: None,
    rules: None,
};
