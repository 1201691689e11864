//! What `quip explain` says to programs: `quip-explain/1`. Numbers are exact strings.

use quip::explain::{
    Alternative, Assumptions, Core, Elastic, Explanation, Pressure, PriceEntry, WorstPlay,
};
use quip::num::{Digits, Rational};
use quip::outcome::{Status, Stop};
use quip::program::{Id, Program, Quantifier, RowId};
use serde::Serialize;

use super::explain::{changed, named};
use super::json::{ModelJson, to_line};

type Named = Vec<(String, String)>;

#[derive(Serialize)]
struct ExplanationJson<'a> {
    schema: &'static str,
    model: ModelJson<'a>,
    status: Status,
    stop: Option<Stop>,
    objective: Option<String>,
    best_play: Option<WorstJson>,
    first_decision: Option<Named>,
    alternatives: Vec<AlternativeJson>,
    alternatives_left_out: usize,
    refutation: Option<CoreJson>,
    /// By how much rows of a lost model would have to give way.
    #[serde(skip_serializing_if = "Option::is_none")]
    relaxation: Option<RelaxationJson>,
    /// The opponent's rows that the answer rests on.
    #[serde(skip_serializing_if = "Option::is_none")]
    assumptions: Option<AssumptionsJson>,
    price: Vec<PriceJson>,
}

#[derive(Serialize)]
struct WorstJson {
    moves: Named,
    value: Option<String>,
    parts: Named,
    tight_rows: Vec<String>,
    tight_uncertainty_rows: Vec<String>,
}

#[derive(Serialize)]
struct AlternativeJson {
    change: String,
    status: Status,
    objective: Option<String>,
    as_good: Option<bool>,
    answer: Named,
}

#[derive(Serialize)]
struct CoreJson {
    rows: Vec<String>,
    /// Variables of the opponent; `null` where the value depends on the play.
    moves: Vec<(String, Option<String>)>,
    play: Named,
    minimal: bool,
    empty_domain: Option<String>,
}

#[derive(Serialize)]
struct RelaxationJson {
    /// The row, its side (`upper` or `lower`), and by how much it gives way.
    rows: Vec<(String, &'static str, String)>,
    smallest: bool,
}

#[derive(Serialize)]
struct AssumptionsJson {
    /// A row, and what becomes of the answer without it.
    needed: Vec<(String, Status, Option<String>)>,
    idle: Vec<String>,
    complete: bool,
}

#[derive(Serialize)]
struct PriceJson {
    name: String,
    scenario: bool,
    status: &'static str,
    value: Option<String>,
}

/// One line of JSON.
pub fn line(program: &Program, file: &str, found: &Explanation) -> String {
    let alternatives = found.alternatives.as_ref();
    let tried = alternatives.map_or(&[][..], |it| &it.tried);
    let price = found.price.as_ref().map_or(&[][..], |it| &it.entries);
    to_line(&ExplanationJson {
        schema: "quip-explain/1",
        model: ModelJson::new(program, file),
        status: found.outcome.status,
        stop: found.outcome.stop,
        objective: found.outcome.objective.as_ref().map(Rational::to_string),
        best_play: found.worst.as_ref().map(|it| worst(program, it)),
        first_decision: alternatives.map(|it| named(program, &it.decision)),
        alternatives: tried.iter().map(|it| alternative(program, it)).collect(),
        alternatives_left_out: alternatives.map_or(0, |it| it.left_out),
        refutation: found.core.as_ref().map(|it| core(program, it)),
        relaxation: found.elastic.as_ref().map(|it| relaxation(program, it)),
        assumptions: found
            .assumptions
            .as_ref()
            .map(|it| assumptions(program, it)),
        price: price.iter().map(|it| entry(program, it)).collect(),
    })
}

fn worst(program: &Program, found: &WorstPlay) -> WorstJson {
    WorstJson {
        moves: named(program, &found.moves),
        value: found.value.as_ref().map(Rational::to_string),
        parts: named(program, &found.parts),
        tight_rows: rows(program, Quantifier::Exists, &found.tight),
        tight_uncertainty_rows: rows(program, Quantifier::Forall, &found.tight_universal),
    }
}

fn alternative(program: &Program, found: &Alternative) -> AlternativeJson {
    AlternativeJson {
        change: changed(program, Digits::Exact, found),
        status: found.outcome.status,
        objective: found.outcome.objective.as_ref().map(Rational::to_string),
        as_good: found.as_good,
        answer: named(program, &found.answer),
    }
}

fn core(program: &Program, found: &Core) -> CoreJson {
    let name = |var| program.variables()[var].name.clone();
    let pressed = |it: &Pressure| {
        (
            name(it.variable),
            it.value.as_ref().map(Rational::to_string),
        )
    };
    CoreJson {
        rows: rows(program, Quantifier::Exists, &found.rows),
        moves: found.pressure.iter().map(pressed).collect(),
        play: named(program, &found.play),
        minimal: found.is_minimal,
        empty_domain: found.empty_domain.map(name),
    }
}

fn relaxation(program: &Program, found: &Elastic) -> RelaxationJson {
    let given = found.rows.iter().map(|(row, is_upper, by)| {
        let mut named = rows(program, Quantifier::Exists, &[*row]);
        let side = if *is_upper { "upper" } else { "lower" };
        (named.remove(0), side, by.to_string())
    });
    RelaxationJson {
        rows: given.collect(),
        smallest: found.is_smallest,
    }
}

fn assumptions(program: &Program, found: &Assumptions) -> AssumptionsJson {
    let needed = found.needed.iter().map(|(row, without)| {
        let mut named = rows(program, Quantifier::Forall, &[*row]);
        let value = without.objective.as_ref().map(Rational::to_string);
        (named.remove(0), without.status, value)
    });
    AssumptionsJson {
        needed: needed.collect(),
        idle: rows(program, Quantifier::Forall, &found.idle),
        complete: found.is_complete,
    }
}

/// Rows by name, or by number from one where they have none.
pub fn rows(program: &Program, owner: Quantifier, rows: &[RowId]) -> Vec<String> {
    let name = |row: &RowId| {
        let name = program.system(owner)[*row].name.clone();
        name.unwrap_or_else(|| (row.index() + 1).to_string())
    };
    rows.iter().map(name).collect()
}

fn entry(program: &Program, found: &PriceEntry) -> PriceJson {
    let (status, value) = found.measured.spelled(program);
    PriceJson {
        name: found.name.clone(),
        scenario: found.is_scenario,
        status,
        value: value.map(|value| value.to_string()),
    }
}
