//! The data of a page as JSON. Numbers are exact strings, variables are numbered.

use serde::Serialize;

use super::{
    Alternatives, Answer, Curve, FirstMoves, LONGEST_TEXT, Page, Price, beginning, plan, scene,
};
use crate::num::{Digits, Rational};
use crate::outcome::Move;
use crate::program::{Id, Kind, Program, Quantifier, Row, RowId};

/// How much room the rows of a model may take, in bytes.
const ROOM_FOR_ROWS: usize = 200_000;

#[derive(Serialize)]
struct DataJson<'a> {
    version: &'static str,
    command: &'a str,
    exact: bool,
    has_opponent: bool,
    sense: Option<String>,
    constant: String,
    variables: Vec<VariableJson<'a>>,
    rows: Vec<RowJson>,
    universal_rows: Vec<RowJson>,
    answer: AnswerJson<'a>,
    play: Vec<MoveJson>,
    play_means: &'a str,
    scene: Option<serde_json::Value>,
    strategy: Option<plan::PlanJson>,
    refutation: Option<plan::PlanJson>,
    price: Option<&'a Price>,
    curve: Option<&'a Curve>,
    alternatives: Option<&'a Alternatives>,
    first_moves: Option<&'a FirstMoves>,
    granted: &'a [String],
    core: Option<CoreJson<'a>>,
    missing: Vec<&'a str>,
    trace: Vec<(f64, Option<String>, Option<String>)>,
    facts: &'a [(&'static str, String)],
    text: &'a str,
    text_cut: bool,
}

#[derive(Serialize)]
struct VariableJson<'a> {
    name: &'a str,
    player: String,
    kind: &'static str,
    lower: Option<String>,
    upper: Option<String>,
    block: usize,
    /// What one unit adds to the objective.
    cost: Option<String>,
}

#[derive(Serialize)]
struct RowJson {
    label: String,
    terms: Vec<MoveJson>,
    lower: Option<String>,
    upper: Option<String>,
}

#[derive(Serialize)]
struct AnswerJson<'a> {
    #[serde(flatten)]
    answer: &'a Answer,
    first: Vec<(&'a str, String)>,
}

#[derive(Serialize)]
struct CoreJson<'a> {
    play: Vec<MoveJson>,
    sentences: &'a [String],
}

/// A variable by its number, and a number.
type MoveJson = (usize, String);

/// All that the script shows, with nothing in it that could end a script.
pub(super) fn json(page: &Page<'_>) -> String {
    let program = page.program;
    let mut room = ROOM_FOR_ROWS;
    let universal_rows = rows(program, Quantifier::Forall, &mut room);
    let own_rows = rows(program, Quantifier::Exists, &mut room);
    let mut missing: Vec<&str> = page.missing.iter().map(String::as_str).collect();
    let left_out = program.rows().len() > own_rows.len()
        || program.universal_rows().len() > universal_rows.len();
    if left_out {
        missing.push("The model has more rows than this page holds; only the first are shown.");
    }
    let (text, is_whole) = beginning(page.text, LONGEST_TEXT);
    let objective = program.objective();
    let data = DataJson {
        version: env!("CARGO_PKG_VERSION"),
        command: &page.command,
        has_opponent: program
            .variables()
            .iter()
            .any(|it| it.quantifier == Quantifier::Forall),
        exact: page.digits == Digits::Exact,
        sense: objective.map(|it| it.sense.to_string()),
        constant: objective.map_or_else(|| "0".to_owned(), |it| it.constant.to_string()),
        variables: variables(program),
        rows: own_rows,
        universal_rows,
        answer: AnswerJson {
            answer: &page.answer,
            first: page
                .first_stage
                .iter()
                .map(|(var, value)| (program.variables()[*var].name.as_str(), value.to_string()))
                .collect(),
        },
        play: moves(page.play),
        play_means: page.play_means,
        scene: page.scene.as_ref().map(scene::json),
        strategy: page.strategy.map(|it| plan::json(program, it)),
        refutation: page.refutation.map(|it| plan::json(program, it)),
        price: page.price.as_ref(),
        curve: page.curve.as_ref(),
        alternatives: page.alternatives.as_ref(),
        first_moves: page.first_moves.as_ref(),
        granted: &page.granted,
        core: page.core.as_ref().map(|core| CoreJson {
            play: moves(&core.play),
            sentences: &core.sentences,
        }),
        missing,
        trace: page
            .trace
            .iter()
            .map(|(at, value, bound)| (*at, spelled(value.as_ref()), spelled(bound.as_ref())))
            .collect(),
        facts: &page.facts,
        text,
        text_cut: !is_whole,
    };
    let json = serde_json::to_string(&data).expect("invariant: plain data is JSON");
    // Outside of strings JSON has no such character.
    json.replace('<', "\\u003c")
}

fn variables(program: &Program) -> Vec<VariableJson<'_>> {
    let blocks = program.blocks();
    let block_of = |place: usize| {
        let blocks = blocks.as_slice();
        blocks.partition_point(|block| block.range().end <= place)
    };
    let mut all: Vec<VariableJson<'_>> = program
        .variables()
        .iter()
        .enumerate()
        .map(|(place, it)| {
            let domain = it.domain();
            VariableJson {
                name: &it.name,
                player: it.quantifier.to_string(),
                kind: match it.kind {
                    Kind::Integer => "integer",
                    Kind::Real => "real",
                },
                lower: spelled(domain.lower.as_ref()),
                upper: spelled(domain.upper.as_ref()),
                block: block_of(place),
                cost: None,
            }
        })
        .collect();
    for (var, by) in program.objective().map_or(&[][..], |it| &it.terms) {
        all[var.index()].cost = Some(by.to_string());
    }
    all
}

/// The rows of one player, as long as there is room.
fn rows(program: &Program, owner: Quantifier, room: &mut usize) -> Vec<RowJson> {
    let mut found = Vec::new();
    for (id, row) in program.system(owner).pairs() {
        let made = row_json(id, row);
        let numbers = made.terms.iter().map(|(_, by)| by.len() + 10);
        let size = made.label.len() + 40 + numbers.sum::<usize>();
        if size > *room {
            break;
        }
        *room -= size;
        found.push(made);
    }
    found
}

fn row_json(id: RowId, row: &Row) -> RowJson {
    RowJson {
        label: label(id, row),
        terms: moves(&row.terms),
        lower: spelled(row.lower.as_ref()),
        upper: spelled(row.upper.as_ref()),
    }
}

/// The name of a row, or its number.
pub(super) fn label(id: RowId, row: &Row) -> String {
    let numbered = || format!("number {}", id.index() + 1);
    row.name.clone().unwrap_or_else(numbered)
}

fn moves(moves: &[Move]) -> Vec<MoveJson> {
    let made = moves.iter();
    made.map(|(var, value)| (var.index(), value.to_string()))
        .collect()
}

fn spelled(value: Option<&Rational>) -> Option<String> {
    value.map(Rational::to_string)
}
