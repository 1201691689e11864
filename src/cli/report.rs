//! The closing report: one plain sentence, then what to do, what to expect and what it cost.

use std::time::Duration;

use num_traits::Signed;
use quip::budget::peak_bytes;
use quip::check::Verdict;
use quip::num::{Digits, Rational, fitting};
use quip::outcome::{CertificateError, Outcome, Status, Stop};
use quip::program::{Id, IdVec, Program, Quantifier, Sense};
use quip::solver::{NearMiss, Options};
use quip::strategy::Plan;

use super::lint::never_holds;
use super::text::{counted, decisions, play};

/// How many moves a line lists unless all are wanted.
const SHOWN_MOVES: usize = 12;

/// Everything a report speaks about.
pub struct Solved<'a> {
    pub program: &'a Program,
    pub options: &'a Options,
    /// How numbers are written.
    pub digits: Digits,
    pub method: &'static str,
    pub outcome: &'a Outcome,
    pub elapsed: Duration,
    /// The certificate that was asked for.
    pub proof: Option<Proof>,
    /// By how little it is lost, if that is little.
    pub near: Option<NearMiss>,
}

/// A certificate that was written and checked, or why there is none.
pub struct Proof {
    pub file: String,
    pub checked: Result<Verdict, CertificateError>,
}

impl Proof {
    /// Whether the answer or its certificate turned out to be wrong, which no limit excuses.
    pub fn is_fault(&self) -> bool {
        self.checked.as_ref().is_err_and(CertificateError::is_fault)
    }
}

/// The report, ending with a newline. `every_move` lists all moves, however many.
pub fn report(solved: &Solved<'_>, every_move: bool, color: bool) -> String {
    let limit = if every_move { usize::MAX } else { SHOWN_MOVES };
    let (program, outcome) = (solved.program, solved.outcome);
    let mut text = headline(solved, color);
    if !outcome.first_stage.is_empty() && outcome.status != Status::Infeasible {
        text += &detail(
            "decide now",
            &decisions(program, solved.digits, &outcome.first_stage, limit),
        );
    }
    if !outcome.principal_variation.is_empty() {
        text += &detail(play_label(outcome), &line_of_play(solved, limit));
    }
    if !outcome.approached.is_empty() {
        text += &detail("approached", &approached(solved));
    }
    if let Some(near) = &solved.near {
        text += &detail("near miss", &near_miss(solved, near));
    }
    match &solved.proof {
        Some(proof) => text += &detail("proof", &checked(proof)),
        None => text.extend(proof(outcome).map(|proof| detail("proof", &proof))),
    }
    text + &detail("effort", &effort(solved))
}

fn detail(label: &str, text: &str) -> String {
    format!("  {label:<12} {text}\n")
}

fn headline(solved: &Solved<'_>, color: bool) -> String {
    let (word, rest) = verdict(solved);
    if color {
        format!("\u{1b}[1m{word}\u{1b}[0m: {rest}\n")
    } else {
        format!("{word}: {rest}\n")
    }
}

/// The kind of answer in a word or two, and what it says.
pub fn verdict(solved: &Solved<'_>) -> (&'static str, String) {
    let has_opponent = solved
        .program
        .variables()
        .iter()
        .any(|variable| variable.quantifier == Quantifier::Forall);
    match solved.outcome.status {
        Status::Optimal => ("Optimal", optimal(solved, has_opponent)),
        Status::Feasible if has_opponent => (
            "Feasible",
            "the rows can be kept against every legal play of the opponent.".into(),
        ),
        Status::Feasible => ("Feasible", "the rows can be satisfied.".into()),
        Status::Infeasible => infeasible(solved, has_opponent),
        Status::UniversalStuck => ("Won outright", won_outright(solved.program)),
        Status::Unbounded => (
            "Unbounded",
            "the objective can be pushed beyond every bound.".into(),
        ),
        Status::TargetReached => (
            "Target reached",
            format!("{} can be guaranteed.", spelled(solved)),
        ),
        Status::GoodEnough => ("Good enough", in_hand(solved)),
        Status::Interrupted => stopped(solved),
    }
}

fn optimal(solved: &Solved<'_>, has_opponent: bool) -> String {
    let value = spelled(solved);
    let sense = solved.program.objective().map(|objective| objective.sense);
    match sense {
        _ if has_opponent => {
            format!("{value} can be guaranteed against every legal play of the opponent.")
        }
        Some(Sense::Maximize) => format!("the maximum is {value}."),
        _ => format!("the minimum is {value}."),
    }
}

fn infeasible(solved: &Solved<'_>, has_opponent: bool) -> (&'static str, String) {
    if let Some(target) = &solved.options.target {
        let target = solved.digits.write(target);
        return ("Out of reach", format!("{target} cannot be guaranteed."));
    }
    let rest = if has_opponent {
        "against best play of the opponent the rows cannot be kept."
    } else {
        "the rows cannot be satisfied."
    };
    ("Infeasible", rest.into())
}

/// Says what leaves the opponent no legal play at all, where one row or domain shows it.
fn won_outright(program: &Program) -> String {
    let rows = program.universal_rows().pairs();
    let mut dead = rows.filter(|(_, row)| never_holds(program, row));
    let empty = program
        .variables()
        .iter()
        .find(|variable| variable.quantifier == Quantifier::Forall && variable.has_empty_domain());
    match (dead.next(), empty) {
        (Some((id, _)), _) => format!(
            "the opponent has no legal play: its row {} cannot hold. \
             Was another uncertainty set meant?",
            program.row_label(Quantifier::Forall, id)
        ),
        (None, Some(variable)) => format!(
            "the opponent has no legal play: `{}` has no value to take.",
            variable.name
        ),
        _ => "the opponent can be left without a legal move.".to_owned(),
    }
}

fn stopped(solved: &Solved<'_>) -> (&'static str, String) {
    let word = match solved.outcome.stop {
        Some(Stop::Time) => "Stopped by the time limit",
        Some(Stop::Nodes) => "Stopped by the node limit",
        Some(Stop::Memory) => "Stopped by the memory limit",
        Some(Stop::Signal) => "Stopped on request",
        Some(Stop::Reach) => "Stopped where the engine goes no further",
        None => "Stopped",
    };
    (word, in_hand(solved))
}

/// What is guaranteed, and what is proved on the other side.
fn in_hand(solved: &Solved<'_>) -> String {
    let (outcome, digits) = (solved.outcome, solved.digits);
    let hand = match &outcome.objective {
        Some(value) => format!("{} can be guaranteed", digits.write(value)),
        None => "no strategy was found yet".to_owned(),
    };
    match (&outcome.bound, &outcome.objective) {
        (Some(bound), Some(value))
            if bound != value && digits.write(bound) == digits.write(value) =>
        {
            let apart = digits.short(&(value - bound).abs());
            format!("{hand}, and nothing that is better by more than {apart}.")
        }
        (Some(bound), _) => {
            let bound = digits.write(bound);
            format!("{hand}; nothing better than {bound} is possible.")
        }
        _ => format!("{hand}."),
    }
}

/// Which values of the worst play stand for values as near as one likes.
fn approached(solved: &Solved<'_>) -> String {
    let (program, outcome) = (solved.program, solved.outcome);
    let values = outcome.approached.iter().map(|(var, is_above)| {
        let side = if *is_above { "above" } else { "below" };
        let moves = &outcome.principal_variation;
        let value = moves.iter().find(|(other, _)| other == var);
        let value = value.map_or_else(String::new, |(_, value)| {
            format!(" {}", solved.digits.short(value))
        });
        format!("{} just {side}{value}", program.variables()[*var].name)
    });
    let values: Vec<String> = values.collect();
    format!("{}; no play attains the value", values.join(", "))
}

/// What would not be lost.
fn near_miss(solved: &Solved<'_>, near: &NearMiss) -> String {
    /// So many rows are named.
    const NAMED: usize = 6;
    let rows = near.rows.iter().take(NAMED);
    let mut rows: Vec<String> = rows
        .map(|row| solved.program.row_label(Quantifier::Exists, *row))
        .collect();
    if near.rows.len() > NAMED {
        rows.push(format!("{} more", near.rows.len() - NAMED));
    }
    let (digits, rows) = (solved.digits, rows.join(", "));
    let found = match &near.objective {
        Some(value) => format!("there is a plan worth {}", digits.write(value)),
        None => "there is a plan".to_owned(),
    };
    let by = fitting(&near.by, 10);
    format!("with {rows} relaxed by {by} {found}; --rationalize may read what is meant")
}

/// A play is the worst case only where a value or a loss was proved by it.
pub fn play_label(outcome: &Outcome) -> &'static str {
    match outcome.status {
        Status::Optimal | Status::Infeasible | Status::Interrupted => "worst case",
        _ => "one play",
    }
}

fn line_of_play(solved: &Solved<'_>, limit: usize) -> String {
    let moves = &solved.outcome.principal_variation;
    let line = play(solved.program, solved.digits, moves, limit);
    match final_value(solved) {
        Some(value) => format!("{line}   → {}", solved.digits.write(&value)),
        None => line,
    }
}

/// What the play in the report is worth, if it is complete and worth a number.
fn final_value(solved: &Solved<'_>) -> Option<Rational> {
    let (program, outcome) = (solved.program, solved.outcome);
    let moves = &outcome.principal_variation;
    let ends_in_value = outcome.objective.is_some() && !solved.options.decide;
    let in_order = moves
        .iter()
        .map(|(var, _)| var.index())
        .eq(0..program.variables().len());
    if !ends_in_value || !in_order {
        return None;
    }
    let values = moves.iter().map(|(_, value)| value.clone()).collect();
    Some(program.objective_value(&IdVec::from_vec(values)))
}

/// Says what the checker accepted.
fn checked(proof: &Proof) -> String {
    let verdict = match &proof.checked {
        Ok(verdict) => verdict,
        Err(reason) => return format!("none: {reason}"),
    };
    let sides = [
        ("strategy", &verdict.strategy),
        ("refutation", &verdict.refutation),
    ];
    let sized = sides.into_iter().filter_map(|(name, side)| {
        let nodes = side.as_ref()?.nodes;
        Some(format!("{name} {}", counted(nodes, "node")))
    });
    let sized: Vec<String> = sized.collect();
    match sized.len() {
        0 => "the certificate is empty: nothing was proved yet".to_owned(),
        1 => format!("{}, checked exactly", sized[0]),
        _ => format!("{}, both checked exactly", sized.join(", ")),
    }
}

/// Names the plans that are there; silent when there is none.
fn proof(outcome: &Outcome) -> Option<String> {
    let (strategy, refutation) = plan_sizes(outcome);
    let named = [("strategy", strategy), ("refutation", refutation)];
    let known = named
        .into_iter()
        .filter_map(|(name, nodes)| Some(format!("{name} {}", counted(nodes?, "node"))));
    let known: Vec<String> = known.collect();
    (!known.is_empty()).then(|| known.join(", "))
}

/// Nodes of the strategy and of the refutation, as far as they belong to the proof: a game that
/// is won needs no refutation, and one that is lost has no strategy.
pub fn plan_sizes(outcome: &Outcome) -> (Option<usize>, Option<usize>) {
    let nodes = |plan: &Option<Plan>| plan.as_ref().map(|plan| plan.nodes().len());
    let (strategy, refutation) = (nodes(&outcome.strategy), nodes(&outcome.refutation));
    match outcome.status {
        Status::Optimal | Status::GoodEnough | Status::Interrupted => (strategy, refutation),
        Status::Infeasible => (None, refutation),
        Status::Feasible | Status::TargetReached | Status::UniversalStuck | Status::Unbounded => {
            (strategy, None)
        }
    }
}

/// What it cost.
pub fn effort(solved: &Solved<'_>) -> String {
    let spent = solved.outcome.effort;
    let mut parts = vec![
        format!("{:.2} s", solved.elapsed.as_secs_f64()),
        counted(spent.nodes as usize, "node"),
    ];
    if spent.lps > 0 {
        parts.push(counted(spent.lps as usize, "LP"));
    }
    if spent.learnt > 0 {
        parts.push(format!("{} learnt", spent.learnt));
    }
    parts.extend(peak_bytes().map(|bytes| format!("{} MB", bytes >> 20)));
    parts.push(format!("method {}", solved.method));
    parts.join(", ")
}

fn spelled(solved: &Solved<'_>) -> String {
    let value = solved.outcome.objective.as_ref();
    value.map_or_else(
        || "an unknown value".to_owned(),
        |value| solved.digits.write(value),
    )
}
