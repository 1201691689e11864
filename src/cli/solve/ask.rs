//! `quip solve --all-first-moves` and `--vary`: several answers instead of one.

use num_traits::Zero;
use quip::experiment::plot::curve;
use quip::explain::{ExplainOptions, FirstMoves, Point, Varied, all_first_moves, steps, vary};
use quip::num::{Digits, Rational, approximate, int};
use quip::outcome::{Move, Outcome, Status};
use quip::program::{Program, Quantifier};
use serde::Serialize;

use super::SolveArgs;
use crate::cli::args::{Style, exact};
use crate::cli::exit::{Exit, Failure};
use crate::cli::explain::{named, worth};
use crate::cli::files;
use crate::cli::json::to_line;
use crate::cli::output::{answer, answer_in_words, complain};
use crate::cli::reading::{self, Model};
use crate::cli::signals;
use crate::cli::table::Table;
use crate::cli::text::{counted, decisions};
use crate::cli::ticker::Ticker;

/// How many moves a line lists.
const SHOWN_MOVES: usize = 24;

/// A name and the numbers that take its place.
#[derive(Clone, Debug)]
pub struct Numbers {
    name: String,
    numbers: Vec<Rational>,
}

/// Reads `budget=0..6`, `budget=0..6:2` or `budget=0,3,5`.
pub fn varied(text: &str) -> Result<Numbers, String> {
    /// More points are no curve.
    const MOST: usize = 1_000;
    let (name, numbers) = text
        .split_once('=')
        .ok_or("write it as NAME=0..6 or NAME=0,3,5")?;
    let numbers = match numbers.split_once("..") {
        None => numbers
            .split(',')
            .map(|number| exact(number.trim()))
            .collect::<Result<Vec<_>, _>>()?,
        Some((from, to)) => {
            let (to, step) = match to.split_once(':') {
                Some((to, step)) => (to, exact(step.trim())?),
                None => (to, int(1)),
            };
            let (from, to) = (exact(from.trim())?, exact(to.trim())?);
            if step <= Rational::zero() {
                return Err("a step is more than 0".to_owned());
            }
            if from > to {
                return Err(format!(
                    "{from} is more than {to}; write the smaller one first"
                ));
            }
            steps(&from, &to, &step, MOST)
                .ok_or_else(|| format!("these are more than {MOST} numbers; take larger steps"))?
        }
    };
    Ok(Numbers {
        name: name.trim().to_owned(),
        numbers,
    })
}

/// Reads the model and answers.
pub fn run(wanted: &SolveArgs, style: Style) -> Result<Exit, Failure> {
    let out = wanted.out.as_deref().map(|path| ("--out", path));
    let mut outputs = files::open(&[("MODEL", &wanted.model)], [out])?;
    let model = reading::read(&wanted.model, &wanted.read, style.log);
    let model = files::before_work(&mut outputs, model)?;
    let [out] = outputs;
    if !wanted.quiet {
        let warnings = model.rendered_warnings.iter();
        warnings.for_each(|text| complain(text));
    }
    let ticker = match wanted.quiet {
        true => Ticker::silent("solving"),
        false => Ticker::new("solving"),
    };
    let options = ExplainOptions {
        limits: wanted.options().limits,
        stop: signals::stop_flag()?,
        told: Some(ticker.told()),
        ..ExplainOptions::default()
    };
    let said = match &wanted.vary {
        Some(numbers) => varying(wanted, &model, numbers, &options)?,
        None => first_moves(wanted, &model, &options)?,
    };
    drop(ticker);
    if let Some(out) = out {
        let name = out.name().to_lowercase();
        let text = match (name.rsplit_once('.'), &said.curve) {
            (Some((_, "svg")), Some((svg, _))) => svg,
            (Some((_, "csv")), Some((_, csv))) => csv,
            _ => &said.json,
        };
        out.save(text.as_bytes())?;
    }
    match wanted.json {
        true => answer(&said.json)?,
        false => answer_in_words(&said.text)?,
    }
    Ok(said.exit)
}

/// An answer in every shape.
struct Said {
    text: String,
    json: String,
    /// As SVG and as comma-separated values.
    curve: Option<(String, String)>,
    exit: Exit,
}

#[derive(Serialize)]
struct FirstMovesJson<'a> {
    schema: &'static str,
    model: &'a str,
    status: Status,
    objective: Option<String>,
    player: String,
    moves: Vec<Vec<(String, String)>>,
    complete: bool,
}

fn first_moves(
    wanted: &SolveArgs,
    model: &Model,
    options: &ExplainOptions,
) -> Result<Said, Failure> {
    let program = &model.program;
    let found = all_first_moves(program, wanted.most as usize, options)?;
    let json = FirstMovesJson {
        schema: "quip-first-moves/1",
        model: &model.name,
        status: found.outcome.status,
        objective: found.outcome.objective.as_ref().map(Rational::to_string),
        player: found.player.to_string(),
        moves: found.moves.iter().map(|it| named(program, it)).collect(),
        complete: found.is_complete,
    };
    Ok(Said {
        text: listed(program, wanted.digits.digits(), &found, wanted.verbose),
        json: to_line(&json),
        curve: None,
        exit: match Exit::of(&found.outcome) {
            Exit::Proved if !found.is_complete => Exit::StoppedWithStrategy,
            exit => exit,
        },
    })
}

fn listed(program: &Program, digits: Digits, found: &FirstMoves, every_move: bool) -> String {
    let limit = if every_move { usize::MAX } else { SHOWN_MOVES };
    let value = worth(digits, &found.outcome);
    let count = found.moves.len();
    let whose = match found.player {
        Quantifier::Exists => "first decision",
        Quantifier::Forall => "first move of the opponent",
    };
    let mut text = match (count, found.outcome.status) {
        (_, Status::Interrupted) => return "Stopped before the value was proved.\n".to_owned(),
        (0, _) => format!("Worth: {value}. Every first move is as bad as any other.\n"),
        (_, _) if !found.is_complete => {
            format!(
                "Worth: {value}. At least {} as good:\n",
                counted_are(count, whose)
            )
        }
        _ => format!(
            "Worth: {value}. {} as good, and no other:\n",
            counted_are(count, whose)
        ),
    };
    for moves in &found.moves {
        text += &format!("  {}\n", decisions(program, digits, moves, limit));
    }
    if found.has_reals {
        text += "Of real variables one value is shown; others may be as good.\n";
    }
    if !found.is_complete && count > 0 {
        text += "There may be more: --most and -t allow it.\n";
    }
    text
}

/// `1 first decision is`, `3 first decisions are`.
fn counted_are(count: usize, noun: &str) -> String {
    let verb = if count == 1 { "is" } else { "are" };
    match noun.split_once(" of ") {
        Some((head, rest)) => format!("{} of {rest} {verb}", counted(count, head)),
        None => format!("{} {verb}", counted(count, noun)),
    }
}

#[derive(Serialize)]
struct VaryJson<'a> {
    schema: &'static str,
    model: &'a str,
    varied: &'a str,
    present: Option<String>,
    points: Vec<PointJson>,
    complete: bool,
}

#[derive(Serialize)]
struct PointJson {
    at: String,
    status: Status,
    objective: Option<String>,
    bound: Option<String>,
    first_stage: Vec<(String, String)>,
}

fn varying(
    wanted: &SolveArgs,
    model: &Model,
    numbers: &Numbers,
    options: &ExplainOptions,
) -> Result<Said, Failure> {
    let program = &model.program;
    let varied = Varied::named(program, &numbers.name)
        .map_err(|fault| Failure::Usage(format!("--vary: {fault}{}", near(program, numbers))))?;
    let points = vary(program, varied, &numbers.numbers, options)?;
    let label = &numbers.name;
    let digits = wanted.digits.digits();
    let present = varied.present(program);
    let is_complete = points.len() == numbers.numbers.len()
        && points
            .iter()
            .all(|(_, it)| it.status != Status::Interrupted);
    let json = VaryJson {
        schema: "quip-vary/1",
        model: &model.name,
        varied: label,
        present: present.as_ref().map(Rational::to_string),
        points: points
            .iter()
            .map(|point| point_json(program, point))
            .collect(),
        complete: is_complete,
    };
    let mut table = Table::new(&[label, "value", "", "decide now"], 0);
    for (at, outcome) in &points {
        let note = match present.as_ref() == Some(at) {
            true => "as it is",
            false => "",
        };
        table.row(vec![
            digits.short(at),
            value_of(digits, outcome),
            note.to_owned(),
            decided(program, digits, outcome),
        ]);
    }
    let mut csv = Table::new(&[label, "status", "value", "bound"], 0);
    for (at, outcome) in &points {
        let spelled =
            |it: &Option<Rational>| it.as_ref().map_or(String::new(), Rational::to_string);
        csv.row(vec![
            at.to_string(),
            outcome.status.to_string(),
            spelled(&outcome.objective),
            spelled(&outcome.bound),
        ]);
    }
    let mut text = table.text();
    if !is_complete {
        text += "Stopped before every value was proved.\n";
    }
    Ok(Said {
        text,
        json: to_line(&json),
        curve: Some((picture(model, label, present.as_ref(), &points), csv.csv())),
        exit: match is_complete {
            true => Exit::Proved,
            false => Exit::StoppedWithStrategy,
        },
    })
}

fn near(program: &Program, numbers: &Numbers) -> String {
    let rows = [Quantifier::Forall, Quantifier::Exists]
        .into_iter()
        .flat_map(|owner| program.system(owner).iter());
    let rows = rows.filter_map(|row| row.name.as_deref());
    let variables = program.variables().iter().map(|it| it.name.as_str());
    let meant = quip::format::nearest(&numbers.name, rows.chain(variables));
    meant.map_or_else(String::new, |meant| format!("; did you mean `{meant}`?"))
}

fn point_json(program: &Program, (at, outcome): &Point) -> PointJson {
    PointJson {
        at: at.to_string(),
        status: outcome.status,
        objective: outcome.objective.as_ref().map(Rational::to_string),
        bound: outcome.bound.as_ref().map(Rational::to_string),
        first_stage: named(program, &outcome.first_stage),
    }
}

fn value_of(digits: Digits, outcome: &Outcome) -> String {
    match (outcome.status, &outcome.objective, &outcome.bound) {
        (Status::Optimal, Some(value), _) => digits.short(value),
        (Status::Interrupted, Some(value), Some(bound)) => {
            format!(
                "{}, not better than {}",
                digits.short(value),
                digits.short(bound)
            )
        }
        (Status::Interrupted, Some(value), None) => format!("{}, unproved", digits.short(value)),
        _ => worth(digits, outcome),
    }
}

fn decided(program: &Program, digits: Digits, outcome: &Outcome) -> String {
    /// A table has little room.
    const SHOWN: usize = 6;
    let first: &[Move] = match outcome.status {
        Status::Infeasible => &[],
        _ => &outcome.first_stage,
    };
    decisions(program, digits, first, SHOWN)
}

/// The values that are numbers, as a line.
fn picture(model: &Model, label: &str, present: Option<&Rational>, points: &[Point]) -> String {
    let known = points.iter().filter_map(|(at, outcome)| {
        let value = outcome.objective.as_ref()?;
        let is_proved = outcome.status == Status::Optimal;
        is_proved.then(|| (approximate(at), approximate(value)))
    });
    let known: Vec<(f64, f64)> = known.collect();
    let here = present.map(approximate);
    let marked = known.iter().find(|(at, _)| Some(*at) == here);
    let marked = marked.map(|point| ("as it is", *point));
    curve(&model.name, (label, "value"), &known, marked)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_a_range_a_range_in_steps_or_a_list() {
        let read = |text: &str| {
            let numbers = varied(text)?.numbers;
            let spelled: Vec<String> = numbers.iter().map(Rational::to_string).collect();
            Ok::<_, String>(spelled.join(" "))
        };
        assert_eq!(read("few=0..3").as_deref(), Ok("0 1 2 3"));
        assert_eq!(read("few=0..1:0.25").as_deref(), Ok("0 1/4 1/2 3/4 1"));
        assert_eq!(read("few=-2..-1").as_deref(), Ok("-2 -1"));
        assert_eq!(read("few=5, 1/2").as_deref(), Ok("5 1/2"));
        for (text, words) in [
            ("few", "NAME=0..6"),
            ("few=3..1", "smaller one first"),
            ("few=0..1:0", "more than 0"),
            ("few=0..1e9", "larger steps"),
            ("few=a..b", "number"),
        ] {
            let said = read(text).expect_err(text);
            assert!(said.contains(words), "{text}: {said}");
        }
    }
}
