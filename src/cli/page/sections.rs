//! What the sections of a page say: answers, prices, alternatives and refutations as sentences.

use quip::experiment::bounds::Measured;
use quip::explain::{BudgetCurve, ExplainOptions, Explanation, all_first_moves};
use quip::num::{Digits, Rational};
use quip::outcome::{Outcome, Score, Status};
use quip::program::{Program, Quantifier, cost_of_objective};
use quip::report::{self, Answer};

use super::Answered;
use crate::cli::explain::{changed, game, granted, refuted, relaxed, spoken, verdict, worth};
use crate::cli::reading::Model;
use crate::cli::report::{Solved, play_label, verdict as headline};
use crate::cli::text::{counted, decisions, relative_gap};

pub fn said(program: &Program, digits: Digits, answered: &Answered) -> Answer {
    let outcome = &answered.outcome;
    let solved = Solved {
        program,
        options: &answered.options,
        digits,
        method: "",
        outcome,
        elapsed: answered.elapsed,
        proof: None,
        near: None,
        told: None,
    };
    let (word, rest) = headline(&solved);
    let gap = relative_gap(outcome.objective.as_ref(), outcome.bound.as_ref());
    Answer {
        status: outcome.status,
        sentence: format!("{word}: {rest}"),
        objective: outcome.objective.as_ref().map(Rational::to_string),
        bound: outcome.bound.as_ref().map(Rational::to_string),
        gap: gap
            .filter(|gap| *gap > 0.0)
            .map(|gap| format!("{:.2} %", 100.0 * gap)),
        checked: answered.proof.0,
        proof: answered.proof.1.clone(),
    }
}

pub fn meaning(outcome: &Outcome) -> &'static str {
    match (play_label(outcome), outcome.status) {
        (_, Status::Infeasible) => "A play that shows how the rows are lost.",
        ("worst case", Status::Optimal) => {
            "Best play of both sides: no other legal play of the opponent makes it worse."
        }
        ("worst case", _) => "The play that was looked at last; nothing is proved about it.",
        _ => "One play in which the strategy is followed.",
    }
}

pub fn price(
    program: &Program,
    digits: Digits,
    outcome: &Outcome,
    found: &Explanation,
) -> Option<report::Price> {
    let price = found.price.as_ref()?;
    let entries = price.entries.iter().map(|entry| report::PriceLine {
        name: game(entry),
        scenario: entry.is_scenario,
        value: match &entry.measured {
            Measured::Exact(Score::Cost(cost)) if program.objective().is_some() => {
                Some(cost_of_objective(program, cost.clone()).to_string())
            }
            _ => None,
        },
        words: spoken(program, digits, outcome, entry),
    });
    Some(report::Price {
        entries: entries.collect(),
        complete: price.is_complete,
    })
}

pub fn budget(program: &Program, digits: Digits, found: &BudgetCurve) -> report::Curve {
    let label = program.row_label(Quantifier::Forall, found.row);
    let sign = if found.is_upper { "<=" } else { ">=" };
    let points = found.points.iter().map(|(side, outcome)| {
        let value = outcome.objective.as_ref();
        let value = value.filter(|_| outcome.status == Status::Optimal);
        let words = worth(digits, outcome);
        (side.to_string(), value.map(Rational::to_string), words)
    });
    report::Curve {
        row: format!("{label} {sign}"),
        side: found.side.to_string(),
        points: points.collect(),
    }
}

pub fn alternatives(
    program: &Program,
    digits: Digits,
    found: &Explanation,
) -> Option<report::Alternatives> {
    let found = found.alternatives.as_ref()?;
    let tried = found.tried.iter().map(|tried| report::AlternativeLine {
        change: changed(program, digits, tried),
        words: verdict(program, digits, tried),
        as_good: tried.as_good,
    });
    Some(report::Alternatives {
        tried: tried.collect(),
        left_out: found.left_out,
    })
}

pub fn core(program: &Program, digits: Digits, found: &Explanation) -> Option<report::Core> {
    let core = found.core.as_ref()?;
    if let Some(var) = core.empty_domain {
        let name = &program.variables()[var].name;
        return Some(report::Core {
            play: Vec::new(),
            sentences: vec![format!("`{name}` has no value to take.")],
        });
    }
    let mut sentences = refuted(program, digits, core);
    sentences.extend(
        found
            .elastic
            .as_ref()
            .map(|it| relaxed(program, digits, it)),
    );
    Some(report::Core {
        play: core.play.clone(),
        sentences,
    })
}

/// Every best first decision, where there are few variables to decide.
pub fn first_moves(
    program: &Program,
    digits: Digits,
    options: &ExplainOptions,
) -> Option<report::FirstMoves> {
    /// Of more variables the lines are too long to be read.
    const MOST_VARIABLES: usize = 40;
    /// So many lines are read.
    const MOST: usize = 40;
    let block = program.blocks().iter().next()?;
    if block.quantifier == Quantifier::Forall || block.len() > MOST_VARIABLES {
        return None;
    }
    let found = all_first_moves(program, MOST, options).ok()?;
    let lines = found.moves.iter();
    Some(report::FirstMoves {
        moves: lines
            .map(|moves| decisions(program, digits, moves, MOST_VARIABLES))
            .collect(),
        complete: found.is_complete,
    })
    .filter(|it| !it.moves.is_empty())
}

/// The rules of the opponent that the answer rests on.
pub fn assumptions(program: &Program, digits: Digits, found: Option<&Explanation>) -> Vec<String> {
    let found = found.and_then(|it| it.assumptions.as_ref());
    found.map_or_else(Vec::new, |it| granted(program, digits, it))
}

pub fn facts(model: &Model, answered: &Answered) -> Vec<(&'static str, String)> {
    let program = &model.program;
    let blocks = program.blocks().iter();
    let blocks: Vec<String> = blocks
        .take(40)
        .map(|block| format!("{}{}", block.quantifier.symbol(), block.len()))
        .collect();
    let rows = |count: usize| counted(count, "row");
    let mut facts = vec![
        ("File", model.name.clone()),
        ("Fingerprint", program.fingerprint()),
        (
            "Variables",
            format!(
                "{} in {}: {}",
                program.variables().len(),
                counted(program.blocks().len(), "block"),
                blocks.join(" ")
            ),
        ),
        (
            "Rows",
            format!(
                "{}, and {} of the opponent",
                rows(program.rows().len()),
                rows(program.universal_rows().len())
            ),
        ),
        ("Method", answered.method.clone()),
    ];
    let options = &answered.options;
    if let Some(target) = &options.target {
        facts.push(("Target", target.to_string()));
    }
    if options.decide {
        facts.push(("Question", "only who wins".to_owned()));
    }
    if let Some(time) = options.limits.time {
        facts.push(("Time limit", format!("{} s", time.as_secs_f64())));
    }
    facts.push(("Effort", answered.effort.clone()));
    facts.extend(model.warnings.iter().map(|text| ("Note", text.clone())));
    facts.push((
        "Version",
        format!(
            "quip {}, HiGHS {}",
            env!("CARGO_PKG_VERSION"),
            quip::lp::version()
        ),
    ));
    facts
}
