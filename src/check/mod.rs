//! The independent checker of certificates, in exact arithmetic.
//!
//! It reads a certificate line by line beside the program it is about and decides whether the
//! claim follows. It shares no code with anything that solves. A certificate has a *strategy*
//! (what the existential player can guarantee), a *refutation* (what the universal player can
//! guarantee) or both; each is a graph written from its ends to its root, and each node is checked
//! once, however many plays lead to it. The format is described in `docs/certificate.md`.
//!
//! **Invariant:** only nodes that later lines still refer to are held in memory.

mod coverage;
mod fault;
mod number;
mod plan;
mod proof;
mod require;
mod view;
mod words;

pub use fault::{CheckError, Reason};
pub use plan::Guarantee;

use std::io::BufRead;

use crate::num::{Rational, parse_rational};
use crate::program::{Program, Quantifier};

use plan::Plan;
use view::View;
use words::{Lines, Words, syntax};

/// What a certificate proves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// The claim, as the certificate words it: `optimal 16`, `infeasible`, …
    pub claim: String,
    /// What the existential player can guarantee.
    pub strategy: Option<Proved>,
    /// What the universal player can guarantee.
    pub refutation: Option<Proved>,
}

/// One side of a certificate that was accepted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proved {
    /// What its owner is guaranteed.
    pub guarantee: Guarantee,
    /// How many nodes it has.
    pub nodes: u64,
    /// The most nodes that had to be held at one time.
    pub peak: usize,
}

/// Checks a certificate against the program it is for.
///
/// ```
/// use quip::check::check;
/// use quip::program::{Program, ProgramData};
///
/// let nothing = Program::new(ProgramData::default()).unwrap();
/// let text = format!(
///     "quip-certificate 1\nmodel {}\nclaim feasible\nstrategy 0\n0 complete\nroot 0.\nend\n",
///     nothing.fingerprint()
/// );
/// assert_eq!(check(&nothing, text.as_bytes()).unwrap().claim, "feasible");
/// assert!(check(&nothing, text.replace("root", "boot").as_bytes()).is_err());
/// ```
pub fn check(program: &Program, certificate: impl BufRead) -> Result<Verdict, CheckError> {
    let view = View::new(program);
    let mut lines = Lines::new(certificate);
    let mut verdict = Verdict {
        claim: head(program, &mut lines)?,
        strategy: None,
        refutation: None,
    };
    while let Some((line, owner, guarantee)) = next_side(&mut lines)? {
        let proved = side(&view, &mut lines, owner, guarantee)?;
        let known = match owner {
            Quantifier::Exists => &mut verdict.strategy,
            Quantifier::Forall => &mut verdict.refutation,
        };
        if known.replace(proved).is_some() {
            let reason = syntax("one strategy and one refutation", "a second one");
            return Err(CheckError::Invalid { line, reason });
        }
    }
    settle(program, &verdict).map_err(|reason| CheckError::Invalid { line: 3, reason })?;
    Ok(verdict)
}

/// The first three lines: format, model, claim.
fn head<R: BufRead>(program: &Program, lines: &mut Lines<R>) -> Result<String, CheckError> {
    expect(lines, |words| {
        let word = words.word("`quip-certificate`")?;
        if word != "quip-certificate" {
            return Err(syntax("`quip-certificate`", word));
        }
        match words.word("a version")? {
            "1" => Ok(()),
            other => Err(Reason::Version(other.to_owned())),
        }
    })?;
    expect(lines, |words| {
        keyword(words, "model")?;
        let certificate = words.word("a fingerprint")?.to_owned();
        let model = program.fingerprint();
        if certificate != model {
            return Err(Reason::OtherModel { certificate, model });
        }
        Ok(())
    })?;
    expect(lines, |words| {
        keyword(words, "claim")?;
        let mut claim = words.word("a status")?.to_owned();
        if let Some(value) = words.take() {
            claim = format!("{claim} {}", parse_rational(value)?);
        }
        Ok(claim)
    })
}

fn keyword(words: &mut Words<'_>, expected: &'static str) -> Result<(), Reason> {
    let word = words.word(expected)?;
    if word == expected {
        Ok(())
    } else {
        Err(syntax(expected, word))
    }
}

/// Reads a line that must be there.
fn expect<R: BufRead, T>(
    lines: &mut Lines<R>,
    read: impl FnOnce(&mut Words<'_>) -> Result<T, Reason>,
) -> Result<T, CheckError> {
    let line = lines.number + 1;
    let Some(mut words) = lines.next()? else {
        return Err(CheckError::Invalid {
            line,
            reason: Reason::Truncated,
        });
    };
    let line = words.line;
    let result = read(&mut words).and_then(|value| words.finish().map(|()| value));
    result.map_err(|reason| CheckError::Invalid { line, reason })
}

/// The line that opens a side; `None` at the end, after which nothing may follow.
fn next_side<R: BufRead>(
    lines: &mut Lines<R>,
) -> Result<Option<(usize, Quantifier, Guarantee)>, CheckError> {
    let opened = expect(lines, |words| {
        let owner = match words.word("`strategy`, `refutation` or `end`")? {
            "strategy" => Quantifier::Exists,
            "refutation" => Quantifier::Forall,
            "end" => return Ok(None),
            other => return Err(syntax("`strategy`, `refutation` or `end`", other)),
        };
        let guarantee = match (words.word("a value")?, owner) {
            ("won", Quantifier::Exists) => Guarantee::Won,
            ("unbounded", Quantifier::Exists) => Guarantee::Unbounded,
            ("lost", Quantifier::Forall) => Guarantee::Lost,
            (number, _) => Guarantee::Value(parse_rational(number)?),
        };
        Ok(Some((owner, guarantee)))
    })?;
    let line = lines.number;
    if opened.is_none()
        && let Some(mut words) = lines.next()?
    {
        let reason = syntax("nothing after `end`", words.take().unwrap_or_default());
        return Err(CheckError::Invalid {
            line: words.line,
            reason,
        });
    }
    Ok(opened.map(|(owner, guarantee)| (line, owner, guarantee)))
}

/// Reads the nodes of a side up to its root.
fn side<R: BufRead>(
    view: &View<'_>,
    lines: &mut Lines<R>,
    owner: Quantifier,
    guarantee: Guarantee,
) -> Result<Proved, CheckError> {
    let mut plan = Plan::new(view, owner, &guarantee);
    loop {
        let finished = expect(lines, |words| {
            if words.accept("root") {
                return plan.root(words).map(|()| true);
            }
            let number = words.word("a node or `root`")?;
            let rest = std::mem::replace(words, words.emptied());
            plan.read(number, rest).map(|()| false)
        })?;
        if finished {
            return Ok(Proved {
                guarantee,
                nodes: plan.nodes(),
                peak: plan.peak,
            });
        }
    }
}

/// Whether the sides prove what is claimed.
fn settle(program: &Program, verdict: &Verdict) -> Result<(), Reason> {
    let strategy = verdict.strategy.as_ref().map(|side| &side.guarantee);
    let refutation = verdict.refutation.as_ref().map(|side| &side.guarantee);
    let (status, value) = verdict
        .claim
        .split_once(' ')
        .unwrap_or((&verdict.claim, ""));
    let value: Option<Rational> = parse_rational(value).ok();
    let exactly = |side: Option<&Guarantee>| match (side, &value) {
        (Some(Guarantee::Value(proved)), Some(claimed)) => proved == claimed,
        _ => false,
    };
    let has_value = value.is_some();
    let proved = match status {
        "optimal" => exactly(strategy) && exactly(refutation),
        "feasible" => {
            let wins = matches!(strategy, Some(Guarantee::Value(_)));
            wins && !has_value && program.objective().is_none()
        }
        "infeasible" => refutation == Some(&Guarantee::Lost) && !has_value,
        "universal_stuck" => strategy == Some(&Guarantee::Won) && !has_value,
        "unbounded" => strategy == Some(&Guarantee::Unbounded) && !has_value,
        "interrupted" => !has_value,
        _ => false,
    };
    if proved {
        Ok(())
    } else {
        Err(Reason::Unproved(verdict.claim.clone()))
    }
}
