//! The families of operations research by name, with the published sizes as limits and defaults.

use super::{assignment, facility, interdiction, knapsack, lotsizing, runway, selection};
use crate::games::GameError;
use crate::games::family::{Arguments, Family, Parameter, ParameterKind};

const fn number(name: &'static str, default: &'static str, help: &'static str) -> Parameter {
    Parameter::optional(name, ParameterKind::Number, default, help)
}

const SEED: Parameter = number("seed", "0", "seed");

/// A number inside its range.
fn within(
    given: &Arguments,
    name: &'static str,
    least: usize,
    most: usize,
) -> Result<usize, GameError> {
    let value = given.number(name);
    if (least..=most).contains(&value) {
        return Ok(value);
    }
    let message = format!("must be between {least} and {most}");
    Err(GameError::parameter(name, message))
}

fn seed(given: &Arguments) -> u64 {
    given.number("seed") as u64
}

/// See [`knapsack`].
pub const KNAPSACK: Family = Family {
    name: "knapsack",
    about: "pack items over several periods while weights may grow; maximised: the profit",
    parameters: &[
        number("periods", "3", "periods"),
        number("items", "3", "items"),
        SEED,
    ],
    build: |given| {
        Ok(knapsack::generate(&knapsack::Knapsack {
            periods: within(given, "periods", 1, 50)?,
            items: within(given, "items", 1, 100)?,
            seed: seed(given),
        }))
    },
    rules: None,
};

/// See [`lotsizing`].
pub const LOT_SIZING: Family = Family {
    name: "lotsizing",
    about: "order before or after the demand of a period is seen; minimised: the cost",
    parameters: &[
        number("periods", "5", "periods"),
        number("basic", "3", "basic orders in each period"),
        number("urgent", "2", "urgent orders in each period"),
        SEED,
    ],
    build: |given| {
        Ok(lotsizing::generate(&lotsizing::LotSizing {
            periods: within(given, "periods", 1, 100)?,
            basic: within(given, "basic", 1, 7)?,
            urgent: within(given, "urgent", 1, 7)?,
            seed: seed(given),
        }))
    },
    rules: None,
};

/// See [`selection`].
pub const SELECTION: Family = Family {
    name: "selection",
    about: "choose half of the items, some now, some when prices are seen; minimised: the cost",
    parameters: &[
        number("chosen", "5", "items to choose, out of twice as many"),
        number("scenarios", "4", "price lists in each stage"),
        number("stages", "1", "how often prices are revealed"),
        SEED,
    ],
    build: |given| {
        Ok(selection::generate(&selection::Selection {
            chosen: within(given, "chosen", 1, 200)?,
            scenarios: within(given, "scenarios", 1, 64)?,
            stages: within(given, "stages", 1, 20)?,
            seed: seed(given),
        }))
    },
    rules: None,
};

/// See [`assignment`].
pub const ASSIGNMENT: Family = Family {
    name: "assignment",
    about: "match workers and jobs, some now, some when prices are seen; minimised: the cost",
    parameters: &[
        number("size", "4", "workers, and jobs"),
        number("scenarios", "2", "price lists in each stage"),
        number("stages", "1", "how often prices are revealed"),
        SEED,
    ],
    build: |given| {
        Ok(assignment::generate(&assignment::Assignment {
            size: within(given, "size", 1, 50)?,
            scenarios: within(given, "scenarios", 1, 64)?,
            stages: within(given, "stages", 1, 20)?,
            seed: seed(given),
        }))
    },
    rules: None,
};

/// See [`runway`].
pub const RUNWAY: Family = Family {
    name: "runway",
    about: "plan landings, then re-plan as time windows are disclosed; minimised: the delay",
    parameters: &[
        number("planes", "5", "planes"),
        number("runways", "2", "runways"),
        number("slots", "7", "time slots"),
        number("disclosures", "1", "groups of planes, disclosed in turn"),
        SEED,
    ],
    build: |given| {
        Ok(runway::generate(&runway::Runway {
            planes: within(given, "planes", 1, 300)?,
            runways: within(given, "runways", 1, 100)? as i64,
            slots: within(given, "slots", 3, 500)?,
            disclosures: within(given, "disclosures", 1, 100)?,
            seed: seed(given),
        }))
    },
    rules: None,
};

/// See [`interdiction`].
pub const INTERDICTION: Family = Family {
    name: "interdiction",
    about: "vaccinate nodes, see an attack, protect; maximised: the healthy nodes",
    parameters: &[
        number("nodes", "20", "nodes of the graph"),
        number("extra", "4", "edges beyond those of a tree"),
        number("vaccinated", "3", "most vaccinated nodes"),
        number("attacked", "3", "most attacked nodes"),
        number("protected", "3", "most protected nodes"),
        Parameter::optional(
            "attack",
            ParameterKind::Choice(&["any", "unvaccinated"]),
            "any",
            "whether attacks on vaccinated nodes are in vain or against the rules",
        ),
        SEED,
    ],
    build: |given| {
        let nodes = within(given, "nodes", 2, 500)?;
        Ok(interdiction::generate(&interdiction::Interdiction {
            nodes,
            extra_edges: within(given, "extra", 0, nodes)?,
            vaccinated: within(given, "vaccinated", 0, nodes)? as i64,
            attacked: within(given, "attacked", 0, nodes)? as i64,
            protected: within(given, "protected", 0, nodes)? as i64,
            decision_dependent: given.text("attack") == "unvaccinated",
            seed: seed(given),
        }))
    },
    rules: None,
};

/// See [`facility`].
pub const FACILITY: Family = Family {
    name: "facility",
    about: "open sites, see some fail, serve customers; minimised: the cost",
    parameters: &[
        number("sites", "5", "sites that may be opened"),
        number("customers", "8", "customers to serve"),
        number("failures", "1", "how many sites may fail"),
        SEED,
    ],
    build: |given| {
        let sites = within(given, "sites", 1, 200)?;
        Ok(facility::generate(&facility::Facility {
            sites,
            customers: within(given, "customers", 1, 500)?,
            failures: within(given, "failures", 0, sites)? as i64,
            seed: seed(given),
        }))
    },
    rules: None,
};
