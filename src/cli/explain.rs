//! `quip explain`: why the answer is what it is, in sentences.

use std::cmp::Ordering;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use quip::budget::Limits;
use quip::experiment::bounds::Measured;
use quip::explain::{
    Alternative, Alternatives, Assumptions, Change, Core, Elastic, ExplainOptions, Explanation,
    MOST_SCENARIOS, Price, PriceEntry, WorstPlay, explain,
};
use quip::num::{Digits, Rational};
use quip::outcome::{Move, Outcome, Score, Status};
use quip::program::{Program, Quantifier, RowId, cost_of_objective};

use super::args::Style;
use super::exit::{Exit, Failure};
use super::explain_json;
use super::output::{answer, answer_in_words, complain};
use super::reading::ReadArgs;
use super::text::{DigitsArgs, counted, decisions, play};
use super::ticker::Ticker;
use super::{quantity, reading, signals};

/// How many moves or rows a line lists.
const SHOWN_MOVES: usize = 24;

/// Explain why the answer is what it is
///
/// The worst play and what it costs, the rows that are tight there, what else could be decided
/// first and how the opponent answers it, and what the opponent costs at all. For a lost model: a
/// shortest refuting play, and a minimal set of rows and moves of the opponent that already
/// refutes it. Everything is found out by solving further models exactly.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  quip explain lot.qip
  quip explain -t 60 --json lot.qip > why.json")]
pub struct ExplainArgs {
    /// Model file (.qip, .qlp, .mps, .lp, .qdimacs, …, also .gz), or `-` for standard input
    model: PathBuf,
    #[command(flatten)]
    read: ReadArgs,
    /// Time for everything together, such as 60, 5m or 1h
    #[arg(short, long, value_name = "TIME", value_parser = quantity::duration)]
    time: Option<Duration>,
    /// At most this many alternatives to the first decision
    #[arg(long, value_name = "N", default_value_t = 12)]
    alternatives: usize,
    /// Answer with JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    digits: DigitsArgs,
}

/// Explains one model.
pub fn run(wanted: &ExplainArgs, style: Style) -> Result<Exit, Failure> {
    let model = reading::read(&wanted.model, &wanted.read, style.log)?;
    model
        .rendered_warnings
        .iter()
        .for_each(|text| complain(text));
    let ticker = Ticker::new("solving");
    let options = ExplainOptions {
        limits: Limits {
            time: wanted.time,
            ..Limits::default()
        },
        alternatives: wanted.alternatives,
        stop: signals::stop_flag()?,
        told: Some(ticker.told()),
    };
    let explanation = explain(&model.program, &options)?;
    drop(ticker);
    if wanted.json {
        let line = explain_json::line(&model.program, &model.name, &explanation);
        answer(&line)?;
    } else {
        let digits = wanted.digits.digits();
        answer_in_words(&told(&model.program, digits, &explanation))?;
    }
    Ok(Exit::of(&explanation.outcome))
}

fn told(program: &Program, digits: Digits, explanation: &Explanation) -> String {
    let sections = [
        Some(format!(
            "{}\n",
            result(program, digits, &explanation.outcome)
        )),
        explanation
            .worst
            .as_ref()
            .map(|it| worst(program, digits, it)),
        explanation
            .alternatives
            .as_ref()
            .map(|it| alternatives(program, digits, it)),
        explanation
            .core
            .as_ref()
            .map(|it| core(program, digits, it)),
        explanation
            .elastic
            .as_ref()
            .map(|it| elastic(program, digits, it)),
        explanation
            .assumptions
            .as_ref()
            .map(|it| assumptions(program, digits, it)),
        match &explanation.price {
            Some(found) => Some(price(program, digits, &explanation.outcome, found)),
            None if has_opponent(program)
                && !matches!(
                    explanation.outcome.status,
                    Status::Interrupted | Status::UniversalStuck
                ) =>
            {
                Some("The price of robustness\n  not found out: no time was left\n".to_owned())
            }
            None => None,
        },
    ];
    let told: Vec<String> = sections.into_iter().flatten().collect();
    told.join("\n")
}

fn result(program: &Program, digits: Digits, outcome: &Outcome) -> String {
    match (outcome.status, &outcome.objective) {
        (Status::Optimal, Some(value)) => format!(
            "{} can be guaranteed, and nothing better.",
            digits.write(value)
        ),
        (Status::Optimal | Status::Feasible | Status::TargetReached, _)
            if has_opponent(program) =>
        {
            "The rows can be kept, whatever the opponent does.".to_owned()
        }
        (Status::Optimal | Status::Feasible | Status::TargetReached, _) => {
            "The rows can be satisfied.".to_owned()
        }
        (Status::Infeasible, _) if has_opponent(program) => {
            "The opponent can keep the rows from being satisfied.".to_owned()
        }
        (Status::Infeasible, _) => "The rows cannot be satisfied.".to_owned(),
        (Status::UniversalStuck, _) => {
            "The opponent can be left without a legal move: the game is won outright.".to_owned()
        }
        (Status::Unbounded, _) => "The objective can be pushed beyond every bound.".to_owned(),
        (Status::Interrupted | Status::GoodEnough, _) => {
            "The answer was not found out before a limit was reached; there is nothing to explain."
                .to_owned()
        }
    }
}

fn has_opponent(program: &Program) -> bool {
    let mut variables = program.variables().iter();
    variables.any(|variable| variable.quantifier == Quantifier::Forall)
}

fn worst(program: &Program, digits: Digits, worst: &WorstPlay) -> String {
    let mut text = format!(
        "Best play of both sides\n  {}\n",
        play(program, digits, &worst.moves, SHOWN_MOVES)
    );
    if let Some(value) = &worst.value {
        let parts: Vec<String> = worst
            .parts
            .iter()
            .take(SHOWN_MOVES)
            .map(|(var, part)| {
                format!(
                    "{} for {}",
                    digits.short(part),
                    program.variables()[*var].name
                )
            })
            .collect();
        let more = worst.parts.len().saturating_sub(SHOWN_MOVES);
        let more = match more {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        let made_of = match parts.is_empty() {
            true => String::new(),
            false => format!(": {}{more}", parts.join(", ")),
        };
        text += &format!("  It is worth {}{made_of}.\n", digits.write(value));
    }
    text += &tight(program, Quantifier::Exists, &worst.tight);
    text + &tight(program, Quantifier::Forall, &worst.tight_universal)
}

fn tight(program: &Program, owner: Quantifier, rows: &[RowId]) -> String {
    let whose = match owner {
        Quantifier::Exists => "Rows that leave no room there",
        Quantifier::Forall => "Rows that hold the opponent back there",
    };
    match labels(program, owner, rows) {
        _ if program.system(owner).is_empty() => String::new(),
        none if none.is_empty() => format!("  {whose}: none but equations.\n"),
        labels => format!("  {whose}: {}.\n", labels.join(", ")),
    }
}

/// What rows are called; the first few of many.
fn labels(program: &Program, owner: Quantifier, rows: &[RowId]) -> Vec<String> {
    let shown = rows.iter().take(SHOWN_MOVES);
    let mut labels: Vec<String> = shown.map(|row| program.row_label(owner, *row)).collect();
    if rows.len() > SHOWN_MOVES {
        labels.push(format!("… {} more", rows.len() - SHOWN_MOVES));
    }
    labels
}

fn alternatives(program: &Program, digits: Digits, found: &Alternatives) -> String {
    let mut text = format!(
        "The first decision: {}\n",
        decisions(program, digits, &found.decision, SHOWN_MOVES)
    );
    for tried in &found.tried {
        text += &format!(
            "  With {}: {}\n",
            changed(program, digits, tried),
            verdict(program, digits, tried)
        );
    }
    if found.left_out > 0 {
        text += &format!(
            "  {} not looked at; --alternatives allows more.\n",
            counted(found.left_out, "other alternative")
        );
    }
    text
}

/// `open = 0`, `order <= 2`.
pub fn changed(program: &Program, digits: Digits, tried: &Alternative) -> String {
    let name = &program.variables()[tried.variable].name;
    match &tried.change {
        Change::AtMost(value) => format!("{name} <= {}", digits.short(value)),
        Change::AtLeast(value) => format!("{name} >= {}", digits.short(value)),
        Change::Exactly(value) => digits.equation(name, value),
    }
}

/// What becomes of an alternative.
pub fn verdict(program: &Program, digits: Digits, tried: &Alternative) -> String {
    let answered = match tried.answer.as_slice() {
        [] => String::new(),
        moves => format!(", after {}", decisions(program, digits, moves, SHOWN_MOVES)),
    };
    let outcome = &tried.outcome;
    let worth = worth(digits, outcome);
    match outcome.status {
        Status::Infeasible => return format!("{worth}{answered}."),
        Status::Interrupted => return format!("{worth}."),
        _ => {}
    }
    match tried.as_good {
        Some(true) => format!("{worth}, as good."),
        _ => format!("{worth} at best{answered}."),
    }
}

/// What an answer is worth, in a few words.
pub fn worth(digits: Digits, outcome: &Outcome) -> String {
    match (outcome.status, &outcome.objective) {
        (Status::Infeasible, _) => "the rows cannot be kept".to_owned(),
        (Status::Interrupted, _) => "not found out before a limit was reached".to_owned(),
        (Status::Optimal, Some(value)) => digits.write(value),
        (Status::UniversalStuck, _) => "an outright win".to_owned(),
        (Status::Unbounded, _) => "beyond every bound".to_owned(),
        _ => "the rows can be kept".to_owned(),
    }
}

fn core(program: &Program, digits: Digits, core: &Core) -> String {
    if let Some(var) = core.empty_domain {
        let name = &program.variables()[var].name;
        return format!("Why it is lost\n  `{name}` has no value to take.\n");
    }
    let mut text = "Why it is lost\n".to_owned();
    if !core.play.is_empty() {
        let line = play(program, digits, &core.play, SHOWN_MOVES);
        let shortest = match core.is_minimal {
            true => "shortest ",
            false => "",
        };
        text += &format!("  A {shortest}refuting play: {line}\n");
    }
    for sentence in refuted(program, digits, core) {
        text += &format!("  {sentence}\n");
    }
    text
}

/// What the rows and moves of a core show, a sentence each.
pub fn refuted(program: &Program, digits: Digits, core: &Core) -> Vec<String> {
    let rows = labels(program, Quantifier::Exists, &core.rows);
    let moves: Vec<String> = core
        .pressure
        .iter()
        .map(|pressure| {
            let name = &program.variables()[pressure.variable].name;
            match &pressure.value {
                Some(value) => digits.equation(name, value),
                None => format!("{name} as the play demands"),
            }
        })
        .collect();
    let with = match moves.is_empty() {
        true => "whatever the opponent does".to_owned(),
        false => format!("together with the opponent's {}", moves.join(", ")),
    };
    let rows = match rows.as_slice() {
        [row] => format!("Row {row} already refutes, {with}."),
        rows => format!("Rows {} already refute, {with}.", rows.join(", ")),
    };
    let needed = match core.is_minimal {
        true => "Each of them is needed: without it the game is not lost.",
        false => "Whether each of them is needed was not found out.",
    };
    vec![rows, needed.to_owned()]
}

fn elastic(program: &Program, digits: Digits, found: &Elastic) -> String {
    format!("What would win\n  {}\n", relaxed(program, digits, found))
}

/// The rows that would have to give way, in a sentence.
pub fn relaxed(program: &Program, digits: Digits, found: &Elastic) -> String {
    let rows: Vec<String> = found
        .rows
        .iter()
        .map(|(row, is_upper, by)| {
            let label = program.row_label(Quantifier::Exists, *row);
            let change = if *is_upper { "raised" } else { "lowered" };
            format!("row {label} with its side {change} by {}", digits.short(by))
        })
        .collect();
    let smallest = match found.is_smallest {
        true => "No smaller sum of changes wins.",
        false => "Whether a smaller change wins was not found out.",
    };
    format!("It is won with {}. {smallest}", rows.join(" and "))
}

fn assumptions(program: &Program, digits: Digits, found: &Assumptions) -> String {
    let mut text = "What the answer takes for granted\n".to_owned();
    for sentence in granted(program, digits, found) {
        text += &format!("  {sentence}\n");
    }
    text
}

/// The rules of the opponent that an answer rests on, a sentence each.
pub fn granted(program: &Program, digits: Digits, found: &Assumptions) -> Vec<String> {
    let mut said: Vec<String> = found
        .needed
        .iter()
        .map(|(row, without)| {
            let label = program.row_label(Quantifier::Forall, *row);
            format!(
                "Row {label} of the opponent: without it {}.",
                worth(digits, without)
            )
        })
        .collect();
    if !found.idle.is_empty() {
        let idle = labels(program, Quantifier::Forall, &found.idle).join(", ");
        said.push(format!("Without {idle} the same is guaranteed."));
    }
    if !found.is_complete {
        said.push("Not every row of the opponent was looked at in time.".to_owned());
    }
    said
}

fn price(program: &Program, digits: Digits, outcome: &Outcome, price: &Price) -> String {
    let mut text = "The price of robustness\n".to_owned();
    let names = price.entries.iter().map(|it| game(it).chars().count());
    let width = names.max().unwrap_or(0);
    for entry in &price.entries {
        let name = game(entry);
        text += &format!(
            "  {name:<width$} {}\n",
            spoken(program, digits, outcome, entry)
        );
    }
    if !price.is_complete {
        text += &format!(
            "  The opponent has more than {MOST_SCENARIOS} plays, or they depend on what is decided; \
             only those above were looked at.\n"
        );
    }
    text
}

/// What the game of an entry is.
pub fn game(entry: &PriceEntry) -> String {
    match (entry.is_scenario, entry.name.as_str()) {
        (true, name) => format!("scenario `{name}`, known beforehand"),
        (false, "cooperative value") => "with an opponent who helps".to_owned(),
        (false, _) => "with all decisions made beforehand".to_owned(),
    }
}

/// What that game is worth beside the answer.
pub fn spoken(program: &Program, digits: Digits, outcome: &Outcome, entry: &PriceEntry) -> String {
    let user = |cost: &Rational| cost_of_objective(program, cost.clone());
    match &entry.measured {
        Measured::Exact(Score::Cost(_)) if program.objective().is_none() => {
            "the rows can be kept".to_owned()
        }
        Measured::Exact(Score::Cost(cost)) => {
            let value = user(cost);
            let shown = digits.write(&value);
            let Some(own) = &outcome.objective else {
                return shown;
            };
            // In costs, where less is better.
            let apart = cost_of_objective(program, own.clone()) - cost;
            match apart.cmp(&Rational::default()) {
                Ordering::Greater => format!("{shown}, better by {}", digits.write(&apart)),
                Ordering::Less => format!("{shown}, worse by {}", digits.write(&-apart)),
                Ordering::Equal => format!("{shown}, the same"),
            }
        }
        Measured::Exact(Score::Lost) => "the rows cannot be kept".to_owned(),
        Measured::Exact(Score::Won) => "won outright".to_owned(),
        Measured::Exact(Score::Unbounded) => "beyond every bound".to_owned(),
        Measured::AtLeast(cost) => {
            format!("not better than {}", digits.write(&user(cost)))
        }
        Measured::Nothing(reason) => format!("not found out: {reason}"),
    }
}

/// Moves by the names of their variables.
pub fn named(program: &Program, moves: &[Move]) -> Vec<(String, String)> {
    let name = |(var, value): &Move| {
        let name = program.variables()[*var].name.clone();
        (name, value.to_string())
    };
    moves.iter().map(name).collect()
}
