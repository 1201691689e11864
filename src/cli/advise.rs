//! `quip advise`: what to do now, after what has happened so far.

mod given;

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use quip::budget::Limits;
use quip::num::{Digits, Rational};
use quip::outcome::{Move, Status};
use quip::program::{Program, Quantifier, VarId, cost_of_objective};
use quip::solver::{Method, Options, PerfectPlay, Solver, fixed};
use quip::strategy::{Guarantee, Play, Turn};
use serde::Serialize;

use super::args::{Style, methods};
use super::exit::{Exit, Failure};
use super::explain::named;
use super::json::to_line;
use super::lint::never_holds;
use super::output::{answer, answer_in_words, complain};
use super::reading::ReadArgs;
use super::text::{DigitsArgs, decisions, grouped};
use super::ticker::Ticker;
use super::{quantity, reading};
pub use given::Given;

/// How many moves a line lists.
const SHOWN_MOVES: usize = 24;

/// Of so small a domain all values are tried for what comes next.
const FEW_VALUES: usize = 64;

/// Say what to do now, after what has happened
///
/// The moves that were made are fixed, in the order of the prefix, and what is left is solved. An own
/// decision that is not named is the one that would have been advised. An observation that the
/// model forbids is said to be so; the advice is then for the model without its uncertainty rows.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  quip advise lot.qip
  quip advise lot.qip --given 'open=1, d1=2'
  quip advise lot.qip --given 'd1=2' --json")]
pub struct AdviseArgs {
    /// Model file (.qip, .qlp, .qdimacs or .qcir, also .gz), or `-` for standard input
    model: PathBuf,
    #[command(flatten)]
    read: ReadArgs,
    /// What has happened: decisions and observations, such as 'open=1, d1=2'
    #[arg(
        long,
        value_name = "MOVES",
        default_value = "",
        hide_default_value = true
    )]
    given: String,
    /// Time for each solve, such as 60, 5m or 1h
    #[arg(short, long, value_name = "TIME", value_parser = quantity::duration)]
    time: Option<Duration>,
    /// Which engine solves
    #[arg(short, long, value_parser = methods(), default_value = Method::Auto.name())]
    method: Method,
    /// Answer with JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    digits: DigitsArgs,
}

/// What to do now.
#[derive(Debug)]
struct Advice {
    /// Everything that has been played, what was assumed included.
    made: Vec<Move>,
    /// The decisions to take.
    now: Vec<Move>,
    /// What is guaranteed after them, as a value; nothing without an objective.
    value: Option<Rational>,
    /// The same in words.
    promise: String,
    /// What the moves made and to make cost so far.
    so_far: Option<Rational>,
    next: Option<Next>,
}

/// What is revealed next.
#[derive(Debug)]
struct Next {
    variable: VarId,
    /// Values that the opponent may not take, and why; only of a small domain.
    refused: Vec<String>,
}

enum Found {
    Advice(Box<Advice>),
    /// An observation that the model forbids, and why.
    Unexpected(String),
    /// Nothing can be guaranteed any more.
    Lost(Vec<Move>),
    Stopped,
}

/// Advises.
pub fn run(wanted: &AdviseArgs, style: Style) -> Result<Exit, Failure> {
    let model = reading::read(&wanted.model, &wanted.read, style.log)?;
    let warnings = model.rendered_warnings.iter();
    warnings.for_each(|text| complain(text));
    let program = &model.program;
    let given = Given::read(program, &wanted.given)?;
    let options = Options {
        method: wanted.method,
        limits: Limits {
            time: wanted.time,
            ..Limits::default()
        },
        ..Options::default()
    };
    let digits = wanted.digits.digits();
    let ticker = Ticker::new("solving");
    let found = advise(program, digits, &given, &options)?;
    let (found, unexpected) = match found {
        Found::Unexpected(reason) => {
            let free = unrestricted(program);
            (advise(&free, digits, &given, &options)?, Some(reason))
        }
        found => (found, None),
    };
    drop(ticker);
    let exit = match &found {
        Found::Advice(_) => Exit::Proved,
        Found::Lost(_) | Found::Unexpected(_) => Exit::Infeasible,
        Found::Stopped => Exit::StoppedEmptyHanded,
    };
    match wanted.json {
        true => answer(&to_line(&AdviceJson::new(
            program,
            &found,
            unexpected.as_deref(),
        )))?,
        false => answer_in_words(&told(program, digits, &found, unexpected.as_deref()))?,
    }
    Ok(exit)
}

/// The program without the rules of the opponent.
fn unrestricted(program: &Program) -> Program {
    let mut data = program.clone().into_data();
    data.universal_rows.clear();
    Program::new(data).expect("invariant: a program without uncertainty rows is well formed")
}

/// Plays what is given and looks what is best then. Where an own decision is not the one that would
/// have been advised, everything up to it is fixed and the rest is solved again.
fn advise(
    program: &Program,
    digits: Digits,
    given: &Given,
    options: &Options,
) -> Result<Found, Failure> {
    let mut made: Vec<Move> = Vec::new();
    loop {
        let left = fixed(program, &made);
        let Some(mut play) = PerfectPlay::new(&left, Quantifier::Exists, options.clone())? else {
            return without_strategy(program, digits, given, options);
        };
        match followed(program, &mut play, given)? {
            Followed::To(now) => {
                let advice = advice(program, digits, &play, &now);
                return Ok(Found::Advice(Box::new(advice)));
            }
            Followed::Differs(moves) => made = moves,
            Followed::Unexpected(reason) => return Ok(Found::Unexpected(reason)),
        }
    }
}

enum Followed {
    /// To the end of what is given; these are the decisions that come now.
    To(Vec<Move>),
    /// To an own decision that is another one: the moves up to it and this one.
    Differs(Vec<Move>),
    Unexpected(String),
}

fn followed(
    program: &Program,
    play: &mut PerfectPlay<'_>,
    given: &Given,
) -> Result<Followed, Failure> {
    let mut now = Vec::new();
    loop {
        match play.turn() {
            Turn::Over(_) => return Ok(Followed::To(now)),
            Turn::Reply(_) => {
                let before = play.play().moves().to_vec();
                let replies = play.reply();
                for (place, (variable, value)) in replies.iter().enumerate() {
                    if let Some(own) = given.value(*variable)
                        && own != value
                    {
                        let kept = replies[..place].iter().cloned();
                        let moves = before.into_iter().chain(kept);
                        let own = (*variable, own.clone());
                        return Ok(Followed::Differs(moves.chain([own]).collect()));
                    }
                }
                let open = |(variable, _): &Move| given.value(*variable).is_none();
                now = replies.into_iter().filter(open).collect();
            }
            Turn::Observe(variable) => match given.value(variable) {
                Some(value) => {
                    if let Err(refusal) = play.observe(value.clone()) {
                        return Ok(Followed::Unexpected(refusal.to_string()));
                    }
                    now = Vec::new();
                }
                None => {
                    given.is_over_before(program, play.play().moves(), variable)?;
                    return Ok(Followed::To(now));
                }
            },
        }
    }
}

fn advice(program: &Program, digits: Digits, play: &PerfectPlay<'_>, now: &[Move]) -> Advice {
    let moves = play.play().moves();
    let made = moves.iter().filter(|made| !now.contains(made)).cloned();
    let guarantee = play.guarantee();
    let value = match (guarantee, program.objective()) {
        (Guarantee::Cost(cost), Some(_)) => Some(cost_of_objective(program, cost.clone())),
        _ => None,
    };
    let promise = match (guarantee, &value) {
        (_, Some(value)) => digits.write(value),
        (Guarantee::Won, _) => "an outright win".to_owned(),
        (Guarantee::Unbounded, _) => "beyond every bound".to_owned(),
        _ => "the rows are kept".to_owned(),
    };
    let next = match play.turn() {
        Turn::Observe(variable) => Some(Next {
            variable,
            refused: refused(program, play.play(), variable),
        }),
        _ => None,
    };
    Advice {
        made: made.collect(),
        now: now.to_vec(),
        so_far: program.objective().map(|_| play.play().objective_so_far()),
        value,
        promise,
        next,
    }
}

/// Why values of a small domain cannot be observed next.
fn refused(program: &Program, play: &Play<'_>, variable: VarId) -> Vec<String> {
    let values = super::simulate::values(program, variable, FEW_VALUES);
    let tried = values.into_iter().flatten();
    tried
        .filter_map(|value| Some(play.clone().observe(value).err()?.to_string()))
        .collect()
}

/// Why moves of the opponent are not legal, as far as one domain or one row shows it.
fn forbidden(program: &Program, played: &[Move]) -> Option<String> {
    let outside = played.iter().find(|(var, value)| {
        let variable = &program.variables()[*var];
        variable.quantifier == Quantifier::Forall && !variable.admits(value)
    });
    if let Some((var, value)) = outside {
        let domain = domain(program, *var);
        let name = &program.variables()[*var].name;
        return Some(format!("{name} = {value} is illegal: it is {domain}"));
    }
    let left = fixed(program, played);
    let mut rows = left.universal_rows().pairs();
    let (broken, _) = rows.find(|(_, row)| never_holds(&left, row))?;
    let label = program.row_label(Quantifier::Forall, broken);
    Some(format!("row {label} of the opponent cannot hold after it"))
}

/// Advice where no strategy is written down: from the play that the solve shows.
fn without_strategy(
    program: &Program,
    digits: Digits,
    given: &Given,
    options: &Options,
) -> Result<Found, Failure> {
    let last = given.last();
    let played = match last {
        None => Vec::new(),
        Some(last) => given.prefix(program, last)?,
    };
    if let Some(reason) = forbidden(program, &played) {
        return Ok(Found::Unexpected(reason));
    }
    let left = fixed(program, &played);
    let outcome = Solver::new(options.clone()).solve(&left)?;
    match outcome.status {
        Status::Infeasible => return Ok(Found::Lost(played)),
        Status::Interrupted if outcome.objective.is_none() => return Ok(Found::Stopped),
        _ => {}
    }
    let behind = |(variable, _): &&Move| last.is_none_or(|last| *variable > last);
    let own =
        |(variable, _): &&Move| program.variables()[*variable].quantifier == Quantifier::Exists;
    let shown = outcome.principal_variation.iter().filter(behind);
    let now: Vec<Move> = shown.take_while(own).cloned().collect();
    let promise = match (outcome.status, &outcome.objective) {
        (Status::UniversalStuck, _) => "an outright win".to_owned(),
        (Status::Unbounded, _) => "beyond every bound".to_owned(),
        (_, Some(value)) => digits.write(value),
        _ => "the rows are kept".to_owned(),
    };
    Ok(Found::Advice(Box::new(Advice {
        made: played,
        now,
        value: outcome.objective,
        promise,
        so_far: None,
        next: None,
    })))
}

fn told(program: &Program, digits: Digits, found: &Found, unexpected: Option<&str>) -> String {
    let mut text = String::new();
    if let Some(reason) = unexpected {
        text += &format!(
            "Unexpected: {reason}.\nWhat was guaranteed before does not cover it. Without the rows \
             of the opponent:\n\n"
        );
    }
    let advice = match found {
        Found::Advice(advice) => advice,
        Found::Lost(made) => {
            let after = match made.as_slice() {
                [] => String::new(),
                made => format!("After {} ", decisions(program, digits, made, SHOWN_MOVES)),
            };
            let rest = "nothing can be guaranteed any more: the opponent can break the rows.\n";
            let begin = if after.is_empty() { "N" } else { "n" };
            return text + &after + begin + &rest[1..];
        }
        Found::Unexpected(reason) => return text + &format!("No advice: {reason}.\n"),
        Found::Stopped => return text + "Stopped before there was any advice.\n",
    };
    let mut line = |label: &str, words: &str| text += &format!("  {label:<12} {words}\n");
    match advice.now.as_slice() {
        [] => line("decide now", "nothing"),
        now => line("decide now", &decisions(program, digits, now, SHOWN_MOVES)),
    }
    line("guaranteed", &advice.promise);
    if let Some(value) = &advice.so_far {
        line("so far", &digits.write(value));
    }
    if !advice.made.is_empty() {
        line(
            "after",
            &decisions(program, digits, &advice.made, SHOWN_MOVES),
        );
    }
    if let Some(next) = &advice.next {
        line("then see", &domain(program, next.variable));
        for reason in next.refused.iter().take(SHOWN_MOVES) {
            line("", reason);
        }
    }
    text
}

/// `d2, a whole number in [0, 2]`.
pub fn domain(program: &Program, variable: VarId) -> String {
    let it = &program.variables()[variable];
    let domain = it.domain();
    let end = |end: &Option<Rational>, none: &str| {
        let spelled = end.as_ref().map(|it| match it.to_string().parse::<u64>() {
            Ok(number) => grouped(number),
            Err(_) => it.to_string(),
        });
        spelled.unwrap_or_else(|| none.to_owned())
    };
    let kind = match it.kind {
        quip::program::Kind::Integer => "a whole number",
        quip::program::Kind::Real => "a number",
    };
    format!(
        "{}, {kind} in [{}, {}]",
        it.name,
        end(&domain.lower, "-inf"),
        end(&domain.upper, "inf")
    )
}

type Named = Vec<(String, String)>;

#[derive(Serialize)]
struct AdviceJson<'a> {
    schema: &'static str,
    status: &'static str,
    /// Why an observation is not one of the model.
    unexpected: Option<&'a str>,
    after: Named,
    now: Named,
    /// What is guaranteed, as a value of the objective.
    guaranteed: Option<String>,
    promise: Option<&'a str>,
    so_far: Option<String>,
    next: Option<&'a str>,
}

impl<'a> AdviceJson<'a> {
    fn new(program: &'a Program, found: &'a Found, unexpected: Option<&'a str>) -> Self {
        let empty = |status, after| Self {
            schema: "quip-advice/1",
            status,
            unexpected,
            after,
            now: Vec::new(),
            guaranteed: None,
            promise: None,
            so_far: None,
            next: None,
        };
        match found {
            Found::Advice(advice) => Self {
                now: named(program, &advice.now),
                guaranteed: advice.value.as_ref().map(Rational::to_string),
                promise: Some(&advice.promise),
                so_far: advice.so_far.as_ref().map(Rational::to_string),
                next: advice
                    .next
                    .as_ref()
                    .map(|it| program.variables()[it.variable].name.as_str()),
                ..empty("advice", named(program, &advice.made))
            },
            Found::Lost(made) => empty("lost", named(program, made)),
            Found::Unexpected(_) => empty("illegal", Vec::new()),
            Found::Stopped => empty("stopped", Vec::new()),
        }
    }
}
