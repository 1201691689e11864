//! Decisions to begin with, from a result, a strategy or a text.

use std::path::Path;

use quip::num::{Digits, parse_rational};
use quip::outcome::{Move, Outcome, SolveError, Status};
use quip::program::{Program, Quantifier};
use quip::solver::{Solver, solve_from};
use serde_json::Value;

use crate::cli::advise::Given;
use crate::cli::exit::Failure;
use crate::cli::files::Named;
use crate::cli::reading::{spoken, text_of};

/// The files that the command reads.
pub fn files<'a>(model: &'a Path, start: Option<&'a Path>) -> Vec<Named<'a>> {
    let start = start.map(|path| ("--start", path));
    [("MODEL", model)].into_iter().chain(start).collect()
}

/// The decisions before the first move of the opponent that a file names; none without a file.
pub fn read(path: Option<&Path>, program: &Program) -> Result<Vec<Move>, Failure> {
    let Some(path) = path else {
        return Ok(Vec::new());
    };
    let text = text_of(path)?;
    let wrong = |reason: &str| {
        Failure::Model(format!(
            "error: {} tells no first decisions: {reason}; write `x=1, y=0`, or take a result of \
             `quip solve -o` or a strategy of `quip solve --strategy FILE.json`",
            spoken(path)
        ))
    };
    let named = match text.trim_start().starts_with('{') {
        true => {
            let value: Value = serde_json::from_str(&text).map_err(|it| wrong(&it.to_string()))?;
            stored(&value).ok_or_else(|| wrong("it is no result and no strategy"))?
        }
        false => text.lines().collect::<Vec<_>>().join(", "),
    };
    let given = Given::read(program, &named)?;
    let mut first = program.variables().pairs();
    let first = first
        .by_ref()
        .take_while(|(_, it)| it.quantifier == Quantifier::Exists);
    let moves = first.filter_map(|(var, _)| Some((var, given.value(var)?.clone())));
    let moves: Vec<Move> = moves.collect();
    match moves.is_empty() {
        true => Err(wrong("none of them comes before the opponent's first move")),
        false => Ok(moves),
    }
}

/// The first decisions of stored JSON, as they are typed.
fn stored(value: &Value) -> Option<String> {
    let moves: Vec<String> = match value["schema"].as_str()? {
        "quip-result/1" => {
            let first = value["first_stage"].as_object()?.iter();
            first
                .filter_map(|(name, value)| Some(format!("{name}={}", value.as_str()?)))
                .collect()
        }
        "quip-strategy/1" => {
            let nodes = value["nodes"].as_array()?;
            let at = |id: &Value| nodes.get(usize::try_from(id.as_u64()?).ok()?);
            let next = |node: &&Value| at(&node["next"]);
            let chosen = std::iter::successors(at(&value["root"]), next);
            chosen
                .take(nodes.len())
                .take_while(|node| node["node"] == "choose")
                .filter_map(|node| {
                    let (name, value) = (node["variable"].as_str()?, node["value"].as_str()?);
                    // A number that does not parse is refused where all are read.
                    let value = parse_rational(value).map_or(value.to_owned(), |it| it.to_string());
                    Some(format!("{name}={value}"))
                })
                .collect()
        }
        _ => return None,
    };
    Some(moves.join(", "))
}

/// Solves, beginning with decisions if there are any; also what these are worth, in words.
pub fn solve(
    solver: Solver,
    program: &Program,
    begun: &[Move],
) -> Result<(Outcome, Option<String>), SolveError> {
    if begun.is_empty() {
        return Ok((solver.solve(program)?, None));
    }
    let started = solve_from(solver, program, begun)?;
    let worth = match (started.start.status, &started.start.objective) {
        (Status::Infeasible, _) => "loses the game".to_owned(),
        (_, Some(value)) => format!("guarantees {}", Digits::Rounded.write(value)),
        (Status::Interrupted, None) => "was not priced in a quarter of the time".to_owned(),
        _ => "keeps the rows".to_owned(),
    };
    Ok((started.outcome, Some(format!("note: the start {worth}"))))
}
