//! The log on standard error: three lines about the model, then a table that grows.
//!
//! Lines keep to 79 columns. `*` marks a new strategy.

use std::time::Duration;

use itertools::Itertools;
use quip::budget::{Progress, resident_bytes};
use quip::num::Rational;
use quip::program::{Program, Quantifier};
use quip::solver::Method;

use super::facts::coefficient_range;
use super::text::{cell, counted, relative_gap};

/// How many quantifier symbols fit the header beside the rest.
const SHOWN_BLOCKS: usize = 9;

/// The lines above the table.
pub fn header(file: &str, program: &Program, method: Method) -> String {
    let variables = counted(program.variables().len(), "variable");
    let rows = format!(
        "{} + {} rows",
        program.rows().len(),
        program.universal_rows().len()
    );
    let count = |quantifier| {
        let owned = program.variables().iter();
        owned
            .filter(|variable| variable.quantifier == quantifier)
            .count()
    };
    let facts = [
        symbols(program),
        format!(
            "{variables} ({} exists, {} forall)",
            count(Quantifier::Exists),
            count(Quantifier::Forall)
        ),
        rows,
    ];
    format!(
        "quip {} (HiGHS {})   {file}   fingerprint {}\n  {}\n  {}method {method}",
        env!("CARGO_PKG_VERSION"),
        quip::lp::version(),
        program.fingerprint(),
        facts.iter().filter(|fact| !fact.is_empty()).join("   "),
        coefficient_range(program).map_or_else(String::new, |ends| range(&ends)),
    )
}

fn range((least, most): &(Rational, Rational)) -> String {
    let ends = [least, most].map(|end| cell(Some(end), 10)).join(", ");
    format!("coefficients [{ends}]   ")
}

fn symbols(program: &Program) -> String {
    let blocks = program.blocks();
    if blocks.len() > SHOWN_BLOCKS {
        return counted(blocks.len(), "block");
    }
    blocks
        .iter()
        .map(|block| block.quantifier.symbol())
        .join(" ")
}

/// The head of the table.
pub fn columns() -> String {
    table_line(
        "",
        &[
            "time", "nodes", "depth", "strategy", "bound", "gap", "LPs", "engine", "mem",
        ]
        .map(String::from),
    )
}

/// One line of the table.
pub fn line(progress: &Progress, elapsed: Duration) -> String {
    let (objective, bound) = (progress.objective.as_ref(), progress.bound.as_ref());
    let gap = relative_gap(objective, bound).map_or_else(|| "-".to_owned(), percent);
    let memory = resident_bytes().map_or_else(|| "-".to_owned(), memory);
    table_line(
        if progress.new_strategy { "*" } else { "" },
        &[
            clock(elapsed),
            progress.nodes.to_string(),
            progress.depth.to_string(),
            cell(objective, 10),
            cell(bound, 10),
            gap,
            progress.lps.to_string(),
            progress.engine.unwrap_or("-").to_owned(),
            memory,
        ],
    )
}

fn table_line(mark: &str, cells: &[String; 9]) -> String {
    let [
        time,
        nodes,
        depth,
        strategy,
        bound,
        gap,
        lps,
        engine,
        memory,
    ] = cells;
    format!(
        "{mark:1}{time:>6}{nodes:>10}{depth:>6} |{strategy:>11}{bound:>11}{gap:>7} |\
         {lps:>6}{engine:>11}{memory:>6}"
    )
}

fn percent(gap: f64) -> String {
    if gap < 10.0 {
        format!("{:.1}%", gap * 100.0)
    } else {
        "large".to_owned()
    }
}

fn clock(elapsed: Duration) -> String {
    let seconds = elapsed.as_secs_f64();
    if seconds < 1000.0 {
        format!("{seconds:.1}s")
    } else {
        format!("{seconds:.0}s")
    }
}

fn memory(bytes: u64) -> String {
    let mebibytes = bytes >> 20;
    if mebibytes < 10_000 {
        format!("{mebibytes}M")
    } else {
        format!("{}G", mebibytes >> 10)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use quip::num::{int, ratio};

    #[test]
    fn the_table_is_79_columns_wide_whatever_the_numbers() {
        let ordinary = Progress {
            nodes: 3100,
            depth: 5,
            objective: Some(int(16)),
            bound: Some(ratio(31, 2)),
            lps: 812,
            learnt: 145,
            new_strategy: true,
            engine: Some("equivalent"),
        };
        let extreme = Progress {
            nodes: 999_999_999,
            objective: Some(int(i64::MIN)),
            bound: Some(ratio(-1, i64::MAX)),
            ..ordinary.clone()
        };
        let hour = Duration::from_secs(3600);
        for text in [columns(), line(&ordinary, hour), line(&extreme, hour)] {
            assert_eq!(text.chars().count(), 79, "{text}");
        }
        assert!(line(&ordinary, Duration::from_millis(400)).starts_with("*  0.4s      3100"));
    }
}
