//! The families from operations research, as the command line offers them.
//!
//! Sizes end where programs would fill the memory and nobody could solve them.

use super::{
    assignment, facility, interdiction, knapsack, lotsizing, production, runway, selection,
};
use crate::games::GameError;
use crate::games::family::{Arguments, Family, Parameter, ParameterKind};

/// A number with a default.
pub(super) const fn number(
    name: &'static str,
    default: &'static str,
    help: &'static str,
) -> Parameter {
    Parameter::optional(name, ParameterKind::Number, default, help)
}

/// Seeds the dice.
pub(super) const SEED: Parameter = number("seed", "0", "of the dice");

/// Lot sizing over several periods.
pub(in crate::games) const LOT_SIZING: Family = Family {
    name: "lotsizing",
    about: "order early or late against high or low demand; minimised: cost",
    parameters: &[
        number("periods", "5", "periods"),
        number("basic", "3", "early orders in each period, at most 7"),
        number("urgent", "2", "late orders in each period, at most 7"),
        SEED,
    ],
    build: |given| {
        Ok(lotsizing::generate(&lotsizing::LotSizing {
            periods: within(given, "periods", 1, 100)?,
            basic: within(given, "basic", 0, 7)?,
            urgent: within(given, "urgent", 0, 7)?,
            seed: seed(given),
        }))
    },
    formula: None,
    rules: None,
};

/// A knapsack over several periods.
pub(in crate::games) const KNAPSACK: Family = Family {
    name: "knapsack",
    about: "pack items that may become heavier; maximised: profit",
    parameters: &[
        number("periods", "3", "periods"),
        number("items", "5", "items"),
        SEED,
    ],
    build: |given| {
        Ok(knapsack::generate(&knapsack::Knapsack {
            periods: within(given, "periods", 1, 50)?,
            items: within(given, "items", 1, 200)?,
            seed: seed(given),
        }))
    },
    formula: None,
    rules: None,
};

/// Selection of items whose prices change.
pub(in crate::games) const SELECTION: Family = Family {
    name: "selection",
    about: "choose half of the items, now or at later prices; minimised: cost",
    parameters: &[
        number("chosen", "5", "items to choose; there are twice as many"),
        number("scenarios", "4", "price lists in each stage"),
        number("stages", "2", "how often prices are revealed"),
        SEED,
    ],
    build: |given| {
        Ok(selection::generate(&selection::Selection {
            chosen: within(given, "chosen", 1, 100)?,
            scenarios: within(given, "scenarios", 1, 64)?,
            stages: within(given, "stages", 1, 20)?,
            seed: seed(given),
        }))
    },
    formula: None,
    rules: None,
};

/// Assignment of workers whose prices change.
pub(in crate::games) const ASSIGNMENT: Family = Family {
    name: "assignment",
    about: "give every worker a job, now or at later prices; minimised: cost",
    parameters: &[
        number("size", "4", "workers, and jobs"),
        number("scenarios", "4", "price lists in each stage"),
        number("stages", "1", "how often prices are revealed"),
        SEED,
    ],
    build: |given| {
        Ok(assignment::generate(&assignment::Assignment {
            size: within(given, "size", 1, 30)?,
            scenarios: within(given, "scenarios", 1, 64)?,
            stages: within(given, "stages", 1, 10)?,
            seed: seed(given),
        }))
    },
    formula: None,
    rules: None,
};

/// Facilities that may fail.
pub(in crate::games) const FACILITY: Family = Family {
    name: "facility",
    about: "open sites of which some fail, then serve customers; minimised: cost",
    parameters: &[
        number("sites", "5", "sites"),
        number("customers", "8", "customers"),
        number("failures", "1", "sites that may fail"),
        SEED,
    ],
    build: |given| {
        Ok(facility::generate(&facility::Facility {
            sites: within(given, "sites", 1, 100)?,
            customers: within(given, "customers", 1, 200)?,
            failures: within(given, "failures", 0, 100)? as i64,
            seed: seed(given),
        }))
    },
    formula: None,
    rules: None,
};

/// Nodes that are vaccinated, attacked and protected.
pub(in crate::games) const INTERDICTION: Family = Family {
    name: "interdiction",
    about: "vaccinate, be attacked, protect the nodes of a graph; maximised: healthy nodes",
    parameters: &[
        number("nodes", "8", "nodes"),
        number("extra-edges", "3", "edges beyond those of a tree"),
        number("vaccinated", "1", "most vaccinated nodes"),
        number("attacked", "1", "most attacked nodes"),
        number("protected", "1", "most protected nodes"),
        Parameter::optional(
            "attacks",
            ParameterKind::Choice(&["anywhere", "by-rule"]),
            "anywhere",
            "on vaccinated nodes in vain, or forbidden by a universal row",
        ),
        SEED,
    ],
    build: |given| {
        Ok(interdiction::generate(&interdiction::Interdiction {
            nodes: within(given, "nodes", 2, 200)?,
            extra_edges: within(given, "extra-edges", 0, 200)?,
            vaccinated: within(given, "vaccinated", 0, 200)? as i64,
            attacked: within(given, "attacked", 0, 200)? as i64,
            protected: within(given, "protected", 0, 200)? as i64,
            decision_dependent: given.text("attacks") == "by-rule",
            seed: seed(given),
        }))
    },
    formula: None,
    rules: None,
};

/// Planes whose time windows are disclosed.
pub(in crate::games) const RUNWAY: Family = Family {
    name: "runway",
    about: "plan landings before their windows are disclosed, then again; minimised: cost",
    parameters: &[
        number("planes", "4", "planes"),
        number("runways", "2", "runways"),
        number("slots", "5", "time slots, at least 3"),
        number("disclosures", "2", "groups in which windows are disclosed"),
        SEED,
    ],
    build: |given| {
        Ok(runway::generate(&runway::Runway {
            planes: within(given, "planes", 1, 50)?,
            runways: within(given, "runways", 1, 50)? as i64,
            slots: within(given, "slots", 3, 100)?,
            disclosures: within(given, "disclosures", 1, 20)?,
            seed: seed(given),
        }))
    },
    formula: None,
    rules: None,
};

/// Production planning in real quantities.
pub(in crate::games) const PRODUCTION: Family = Family {
    name: "production",
    about: "make, store and serve real quantities against real demand; minimised: cost",
    parameters: &[
        number("products", "2", "products, which share a machine"),
        number("periods", "4", "periods"),
        SEED,
    ],
    build: |given| {
        Ok(production::generate(&production::Production {
            products: within(given, "products", 1, 20)?,
            periods: within(given, "periods", 1, 50)?,
            seed: seed(given),
        }))
    },
    formula: None,
    rules: None,
};

/// The seed of the dice.
pub(super) fn seed(given: &Arguments) -> u64 {
    given.number("seed") as u64
}

/// A number that must lie in a range.
pub(super) fn within(
    given: &Arguments,
    name: &'static str,
    least: usize,
    most: usize,
) -> Result<usize, GameError> {
    let number = given.number(name);
    if (least..=most).contains(&number) {
        return Ok(number);
    }
    Err(GameError::parameter(
        name,
        format!("must be from {least} to {most}"),
    ))
}

#[cfg(test)]
mod tests {
    use super::super::mixed::{
        COMMITMENT, CRASHING, EXPANSION, HYDRO, INVENTORY, LOCATION, PORTFOLIO, SETUPS, SURGES,
    };
    use super::*;

    const ALL: [Family; 17] = [
        LOT_SIZING,
        KNAPSACK,
        SELECTION,
        ASSIGNMENT,
        FACILITY,
        INTERDICTION,
        RUNWAY,
        PRODUCTION,
        LOCATION,
        INVENTORY,
        HYDRO,
        EXPANSION,
        SURGES,
        SETUPS,
        CRASHING,
        PORTFOLIO,
        COMMITMENT,
    ];

    #[test]
    fn every_family_has_a_program_without_arguments_and_another_for_another_seed() {
        for family in ALL {
            let usual = family.program(&[]).unwrap();
            let again = family.program(&[("seed", "0")]).unwrap();
            let other = family.program(&[("seed", "1")]).unwrap();
            assert_eq!(usual.fingerprint(), again.fingerprint(), "{}", family.name);
            assert_ne!(usual.fingerprint(), other.fingerprint(), "{}", family.name);
        }
    }

    #[test]
    fn sizes_beyond_all_reason_are_refused() {
        for family in ALL {
            let sizes = family.parameters.iter().filter(|it| it.name != "seed");
            for parameter in sizes.filter(|it| it.kind == ParameterKind::Number) {
                let fault = family.program(&[(parameter.name, "100000000")]);
                let fault = fault.unwrap_err().to_string();
                assert!(fault.contains("must be from"), "{fault}");
            }
        }
    }
}
