//! Who works alone before two engines race, and for how long.
//!
//! Two engines at once take from each other: what they share of a core, a cache and the memory made
//! either one half as slow again where this was measured. So an engine that is likely to be the better one
//! begins alone. Search always has the first word, since most programs are small. After it:
//!
//! * *few plays, replies tied by equations* (selection, assignment): linear programs see what equations
//!   leave and search does not, so the scenario engine goes on alone, on the same thread, and search
//!   begins anew beside it later on;
//! * *many stages*, or several without equations of either player (knapsacks, lot sizing, games):
//!   scenario trees grow with the stages, so search goes on alone;
//! * *rules of the opponent that decisions can break, and no replies*: the adversary is one integer program, so the scenario
//!   engine goes on alone after a longer probe;
//! * *such rules where replies follow*: scenario trees then have columns that switch
//!   rows off, and search was ahead wherever this was measured, so it goes on alone as well;
//! * *anything else* is raced, such as interdiction over several rounds, where so many nodes exactly
//!   are attacked in each.
//!
//! A wrong guess costs time and nothing else. `portfolio.opening` turns the guesses off.

use super::{Method, Options};
use crate::equivalent::has_conditions;
use crate::num::to_i64;
use crate::program::{Program, Quantifier, Row, Variable};

/// A position of a program with more variables takes long: both engines begin at once.
const MOST_VARIABLES: usize = 1000;

/// Positions of search where it is likely to be the better engine.
const LONG_SEARCH: u64 = 1 << 18;

/// Positions that search probes where a node of the scenario engine takes as long as a hundred of them.
const LONG_PROBE: u64 = 1 << 14;

/// Nodes of the scenario engine where it is likely to be the better one.
const LONG_SCENARIOS: u64 = 1000;

/// So many values of all universal variables together are few plays.
const FEW_PLAYS: u64 = 256;

/// With so many universal blocks a program has many stages.
const MANY_STAGES: usize = 5;

/// What happens before both engines work.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Opening {
    /// Nothing.
    AtOnce,
    /// Search visits so many positions.
    Search(u64),
    /// Search probes so many positions, then the scenario engine has so many nodes.
    Scenarios { probe: u64, nodes: u64 },
}

impl Opening {
    /// The opening for a program that search and `other` take on.
    pub(super) fn of(program: &Program, other: Method, options: &Options) -> Self {
        let short = options.portfolio.head_start;
        if short == 0 || program.variables().len() > MOST_VARIABLES {
            return Self::AtOnce;
        }
        // A probe would spend nodes that are counted for nobody.
        let is_counted = options.limits.nodes.is_some();
        if !options.portfolio.opening || is_counted || other != Method::Expand {
            return Self::Search(short);
        }
        let universal = |quantifier: &Quantifier| *quantifier == Quantifier::Forall;
        let blocks = || program.blocks().iter().map(|block| block.quantifier);
        let stages = blocks().filter(universal).count();
        let equations = program.rows().iter().any(Row::is_equation);
        let quotas = program.universal_rows().iter().any(Row::is_equation);
        // Abstraction refinement splits the first stage, so there must be one.
        let decides_first = blocks().next() == Some(Quantifier::Exists);
        match stages {
            MANY_STAGES.. => Self::Search(LONG_SEARCH.max(short)),
            2.. if !equations && !quotas => Self::Search(LONG_SEARCH.max(short)),
            _ if decides_first && blocks().count() == 2 && has_conditions(program) => {
                Self::Scenarios {
                    probe: LONG_PROBE.max(short),
                    nodes: LONG_SCENARIOS,
                }
            }
            _ if has_conditions(program) => Self::Search(LONG_SEARCH.max(short)),
            _ if equations && decides_first && has_few_plays(program) => Self::Scenarios {
                probe: short,
                nodes: LONG_SCENARIOS,
            },
            _ => Self::Search(short),
        }
    }
}

/// Whether the universal variables have few values together, legal or not.
fn has_few_plays(program: &Program) -> bool {
    let universal = |it: &&Variable| it.quantifier == Quantifier::Forall;
    let mut universals = program.variables().iter().filter(universal);
    let plays = universals.try_fold(1, |plays: u64, variable| {
        let plays = plays.checked_mul(values(variable)?)?;
        (plays <= FEW_PLAYS).then_some(plays)
    });
    plays.is_some()
}

/// How many whole numbers a bounded variable may be.
fn values(variable: &Variable) -> Option<u64> {
    if variable.is_binary() {
        return Some(2);
    }
    let domain = variable.domain();
    let last = to_i64(&(domain.upper? - domain.lower?))?;
    u64::try_from(last).ok()?.checked_add(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::parse_qip;
    use crate::solver::PortfolioSettings;

    /// A program of so many stages, each with a universal variable up to `most` and a reply.
    fn staged(stages: usize, most: u64, relation: &str) -> Program {
        let stage = |k: usize| {
            format!("forall integer u{k} in [0, {most}] exists integer x{k} in [0, {most}]")
        };
        let row = |k: usize| format!("x{k} {relation} u{k}");
        let rows: Vec<_> = (0..stages).map(row).collect();
        let prefix: Vec<_> = (0..stages).map(stage).collect();
        let (rows, prefix) = (rows.join("\n"), prefix.join("\n"));
        let text = format!("subject to {rows} prefix exists binary first {prefix} end");
        parse_qip(&text).expect("a good program")
    }

    fn opening(program: &Program, portfolio: PortfolioSettings) -> Opening {
        let options = Options {
            portfolio,
            ..Options::default()
        };
        Opening::of(program, Method::Expand, &options)
    }

    #[test]
    fn the_likely_engine_goes_on_alone() {
        let usual = |program: &Program| opening(program, PortfolioSettings::default());
        let probe = PortfolioSettings::default().head_start;
        let nodes = LONG_SCENARIOS;
        // Few plays and equations.
        let expected = Opening::Scenarios { probe, nodes };
        assert_eq!(usual(&staged(1, 1, "=")), expected);
        assert_eq!(usual(&staged(2, 15, "=")), expected);
        // Many plays, or one stage without equations.
        assert_eq!(usual(&staged(2, 16, "=")), Opening::Search(probe));
        assert_eq!(usual(&staged(1, 1, ">=")), Opening::Search(probe));
        // Several stages without equations, or many.
        assert_eq!(usual(&staged(2, 1, ">=")), Opening::Search(LONG_SEARCH));
        assert_eq!(usual(&staged(5, 1, "=")), Opening::Search(LONG_SEARCH));
    }

    #[test]
    fn rounds_with_quotas_are_raced() {
        let program = parse_qip(
            "subject to x >= u + v
             uncertainty u = 1
             prefix exists binary w forall binary u exists binary z forall binary v
             exists integer x in [0, 2] end",
        );
        let program = program.expect("a good program");
        let usual = PortfolioSettings::default();
        let head_start = usual.head_start;
        assert_eq!(opening(&program, usual), Opening::Search(head_start));
    }

    #[test]
    fn search_goes_on_alone_where_decisions_break_rules() {
        let opening_with = |rule: &str| {
            let text = format!(
                "subject to x = u + v uncertainty {rule}
                 prefix exists binary w forall binary u v exists integer x in [0, 2] end"
            );
            let program = parse_qip(&text).expect("a good program");
            opening(&program, PortfolioSettings::default())
        };
        let alone = Opening::Search(LONG_SEARCH);
        assert_eq!(opening_with("u + v + w <= 2"), alone);
        // A gate, and a rule of the opponent alone.
        assert_ne!(opening_with("u + w <= 1"), alone);
        assert_ne!(opening_with("u + v <= 1"), alone);
    }

    #[test]
    fn scenarios_go_on_alone_where_decisions_break_rules_and_nobody_replies() {
        let program = parse_qip(
            "minimize x - 2 w + 3 u + v uncertainty u + v + w + 2 x <= 3
             prefix exists binary w x forall binary u v end",
        );
        let usual = PortfolioSettings::default();
        let (probe, nodes) = (LONG_PROBE, LONG_SCENARIOS);
        let expected = Opening::Scenarios { probe, nodes };
        assert_eq!(opening(&program.expect("a good program"), usual), expected);
    }

    #[test]
    fn nobody_probes_where_nodes_are_counted() {
        let mut options = Options::default();
        options.limits.nodes = Some(1_000_000);
        let opening = Opening::of(&staged(1, 1, "="), Method::Expand, &options);
        assert_eq!(opening, Opening::Search(options.portfolio.head_start));
    }

    #[test]
    fn the_guesses_can_be_turned_off() {
        for program in [staged(1, 1, "="), staged(2, 1, ">=")] {
            let portfolio = PortfolioSettings {
                head_start: 7,
                opening: false,
                ..PortfolioSettings::default()
            };
            assert_eq!(opening(&program, portfolio), Opening::Search(7));
            let portfolio = PortfolioSettings {
                head_start: 0,
                ..PortfolioSettings::default()
            };
            assert_eq!(opening(&program, portfolio), Opening::AtOnce);
        }
    }
}
