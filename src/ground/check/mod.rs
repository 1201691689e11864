//! The independent checker of certificates, in exact arithmetic.
//!
//! It reads a certificate line by line and decides whether the claim follows for a program. It
//! shares no code with anything that solves. A *strategy* is what the existential player can
//! guarantee, a *refutation* what the universal player can; each is a graph written from its ends to
//! its root, and each node is checked once. The format is described in `docs/certificate.md`.
//!
//! **Invariant:** only nodes that later lines still refer to are held in memory.

mod demand;
mod near;
mod plan;
mod proof;
mod scenarios;
mod sums;
mod view;

use std::io::BufRead;

use crate::num::Rational;
use crate::program::{Program, Quantifier, cost_of_objective};
use crate::strategy::Guarantee;
use crate::strategy::words::{Checked, Lines, Words, number, unexpected};
pub use crate::strategy::{CheckError, Proved, Verdict};

use plan::Plan;
use scenarios::Scenarios;

/// The version of the format that is read.
const VERSION: &str = "3";

/// Checks a certificate against the program it is for.
///
/// ```
/// use quip::check::check;
/// use quip::program::{Program, ProgramData};
///
/// let nothing = Program::new(ProgramData::default()).unwrap();
/// let text = format!(
///     "quip-certificate 3\nmodel {}\nclaim feasible\nstrategy kept\n0 complete\nroot 0.\nend\n",
///     nothing.fingerprint()
/// );
/// assert_eq!(check(&nothing, text.as_bytes()).unwrap().claim, "feasible");
/// assert!(check(&nothing, text.replace("root", "boot").as_bytes()).is_err());
/// ```
pub fn check(program: &Program, certificate: impl BufRead) -> Result<Verdict, CheckError> {
    let mut lines = Lines::of(certificate);
    let (status, value) = lines.head(VERSION, &program.fingerprint())?;
    let value = value.map(|value| value.to_rational());
    let spelled = value.as_ref().map(|value| format!(" {value}"));
    let mut verdict = Verdict {
        claim: format!("{status}{}", spelled.unwrap_or_default()),
        strategy: None,
        refutation: None,
    };
    while let Some((owner, mut side)) = lines.read(|words| opening(program, words))? {
        while !lines.read(|words| side.read(words))? {}
        let proved = match owner {
            Quantifier::Exists => &mut verdict.strategy,
            Quantifier::Forall => &mut verdict.refutation,
        };
        *proved = Some(side.proved());
    }
    let goes_on = lines.advance()?;
    let reason = match proves(program, &verdict, &status, value) {
        _ if goes_on => "the text goes on after its end".to_owned(),
        true => return Ok(verdict),
        false => format!("`{}` is claimed but not proved", verdict.claim),
    };
    let line = lines.number;
    Err(CheckError::Invalid { line, reason })
}

/// A side while it is being read.
enum Side<'p> {
    Plan(Box<Plan<'p>>),
    Scenarios(Box<Scenarios<'p>>),
}

impl Side<'_> {
    fn read(&mut self, words: &mut Words<'_>) -> Checked<bool> {
        match self {
            Self::Plan(plan) => plan.read(words),
            Self::Scenarios(scenarios) => scenarios.read(words),
        }
    }

    fn proved(self) -> Proved {
        match self {
            Self::Plan(plan) => plan.proved,
            Self::Scenarios(scenarios) => scenarios.proved,
        }
    }
}

/// The line that opens a side; `None` at the end.
fn opening<'p>(
    program: &'p Program,
    words: &mut Words<'_>,
) -> Checked<Option<(Quantifier, Side<'p>)>> {
    let owner = match words.word("`strategy`, `refutation` or `end`")? {
        "strategy" => Quantifier::Exists,
        "refutation" => Quantifier::Forall,
        "end" => return Ok(None),
        other => return Err(unexpected("`strategy`, `refutation` or `end`", other)),
    };
    let guarantee = match (words.word("a value")?, owner) {
        ("won", Quantifier::Exists) => Guarantee::Won,
        ("kept", Quantifier::Exists) => Guarantee::Kept,
        ("unbounded", Quantifier::Exists) => Guarantee::Unbounded,
        ("lost", Quantifier::Forall) => Guarantee::Lost,
        (word, _) => Guarantee::Cost(cost_of_objective(program, number(word)?.to_rational())),
    };
    let side = match owner == Quantifier::Forall && words.accept("plays") {
        true => {
            let plays = words.count("how many plays there are")?;
            Side::Scenarios(Box::new(Scenarios::new(program, guarantee, plays)?))
        }
        false => Side::Plan(Box::new(Plan::new(program, owner, guarantee))),
    };
    Ok(Some((owner, side)))
}

/// Whether the sides prove what is claimed, or an empty domain of the first mover does.
fn proves(program: &Program, verdict: &Verdict, status: &str, value: Option<Rational>) -> bool {
    let strategy = verdict.strategy.as_ref().map(|side| &side.guarantee);
    let refutation = verdict.refutation.as_ref().map(|side| &side.guarantee);
    let stuck = (program.first_mover()).filter(|mover| program.lacking().contains(mover));
    let cost = value.map(|value| Guarantee::Cost(cost_of_objective(program, value)));
    match (status, cost) {
        ("optimal", Some(cost)) => strategy == Some(&cost) && refutation == Some(&cost),
        ("unbounded", None) => strategy == Some(&Guarantee::Unbounded),
        ("feasible", None) => strategy == Some(&Guarantee::Kept),
        ("infeasible", None) if stuck == Some(Quantifier::Exists) => true,
        ("infeasible", None) => refutation == Some(&Guarantee::Lost),
        ("universal_stuck", None) if stuck == Some(Quantifier::Forall) => true,
        ("universal_stuck", None) => strategy == Some(&Guarantee::Won),
        ("interrupted", None) => true,
        _ => false,
    }
}
