//! `quip check`, and the certificates that `quip solve` writes.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, Write};

use quip::check::{CheckError, Proved, Verdict, check};
use quip::num::{Digits, Rational, parse_rational};
use quip::outcome::{CertificateError, Stop};
use quip::program::{Program, Sense, cost_of_objective};
use quip::strategy::{Certificate, Guarantee};
use serde::Serialize;

use super::args::{CheckArgs, Style};
use super::exit::{Exit, Failure};
use super::files::{Draft, Output};
use super::output::answer;
use super::patience::Patience;
use super::reading;
use super::text::counted;

/// Reads both files and says whether one proves something about the other.
pub fn run(wanted: &CheckArgs, style: Style) -> Result<Exit, Failure> {
    let model = reading::read(&wanted.model, &wanted.read, style.log)?;
    let name = wanted.certificate.display().to_string();
    let file = File::open(&wanted.certificate).map_err(|reason| read_failure(&name, reason))?;
    let (verdict, fault) = match check(&model.program, BufReader::new(file)) {
        Ok(verdict) => (Some(verdict), None),
        Err(CheckError::Input(reason)) if reason.kind() != io::ErrorKind::InvalidData => {
            return Err(read_failure(&name, reason));
        }
        Err(fault) => (None, Some(fault.to_string())),
    };
    let text = if wanted.json {
        super::json::to_line(&VerdictJson::new(
            &model.program,
            &name,
            verdict.as_ref(),
            fault,
        ))
    } else {
        match &verdict {
            Some(verdict) => said(&model.program, wanted.digits.digits(), verdict),
            None => format!("Not valid: {name}: {}\n", fault.unwrap_or_default()),
        }
    };
    answer(&text)?;
    Ok(if verdict.is_some() {
        Exit::Proved
    } else {
        Exit::Invalid
    })
}

/// Writes a certificate and checks what was written: only what passes gets its name.
pub fn save(
    certificate: &Certificate,
    program: &Program,
    output: Output,
    patience: &Patience,
) -> Result<Verdict, (CertificateError, Failure)> {
    let unwritten = |failure: Failure| {
        let reason = CertificateError::Unsupported(failure.reason());
        (reason, failure)
    };
    let mut draft = output.draft().map_err(unwritten)?;
    let checked = match draft.reread() {
        None => streamed(certificate, program, &mut draft, patience),
        Some(copy) => copy.and_then(|copy| filed(certificate, program, &mut draft, copy, patience)),
    };
    let stopped = |reason| format!("{reason} before it was written and checked");
    match (checked, patience.ended()) {
        (Ok(Ok(verdict)), _) => draft.keep().map(|()| verdict).map_err(unwritten),
        (Err(_) | Ok(Err(CheckError::Input(_))), Some(reason)) => {
            let failure = draft.forgo("certificate", &stopped(reason));
            Err((CertificateError::Stopped(Stop::Time), failure))
        }
        (Err(reason), None) => Err(unwritten(draft.failed(reason))),
        (Ok(Err(fault)), _) => {
            let reason = CertificateError::Rejected(fault.to_string());
            let failure = draft.forgo("certificate", &reason.to_string());
            Err((reason, failure))
        }
    }
}

/// Writes all of it, then reads it again.
fn filed(
    certificate: &Certificate,
    program: &Program,
    draft: &mut Draft,
    copy: File,
    patience: &Patience,
) -> io::Result<Result<Verdict, CheckError>> {
    let mut out = BufWriter::new(patience.with(draft));
    certificate.write(program, &mut out)?;
    out.flush()?;
    Ok(check(program, BufReader::new(patience.with(copy))))
}

/// Writes to somebody who reads along, and lets the checker read along as well.
fn streamed(
    certificate: &Certificate,
    program: &Program,
    draft: &mut Draft,
    patience: &Patience,
) -> io::Result<Result<Verdict, CheckError>> {
    let (reader, writer) = io::pipe()?;
    std::thread::scope(|scope| {
        let checker = scope.spawn(|| check(program, BufReader::new(reader)));
        let out = patience.with(draft);
        let mut both = BufWriter::new(Both { out, writer });
        let written = certificate
            .write(program, &mut both)
            .and_then(|()| both.flush());
        drop(both);
        let verdict = checker.join();
        written.map(|()| verdict.expect("invariant: the checker does not panic"))
    })
}

/// Writes everything twice; whether the second one listens is its own affair.
struct Both<A, B> {
    out: A,
    writer: B,
}

impl<A: Write, B: Write> Write for Both<A, B> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.out.write(bytes)?;
        // A checker that has seen enough does not read on.
        let _ = self.writer.write_all(&bytes[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

fn read_failure(name: &str, reason: io::Error) -> Failure {
    Failure::Read {
        name: format!("`{name}`"),
        reason,
    }
}

fn said(program: &Program, digits: Digits, verdict: &Verdict) -> String {
    let claim = match verdict.claim.split_once(' ') {
        Some((status, value)) => match parse_rational(value) {
            Ok(value) => format!("{status} {}", digits.write(&value)),
            Err(_) => verdict.claim.clone(),
        },
        None => verdict.claim.clone(),
    };
    let mut text = format!("Valid: the certificate proves `{claim}`.\n");
    let sides = [
        ("strategy", &verdict.strategy),
        ("refutation", &verdict.refutation),
    ];
    for (name, proved) in sides {
        if let Some(proved) = proved {
            let nodes = counted(proved.nodes, "node");
            let sentence = sentence(program, digits, &proved.guarantee, name);
            text += &format!("  {name:<12} {nodes}: {sentence}\n");
        }
    }
    text
}

fn sentence(program: &Program, digits: Digits, guarantee: &Guarantee, side: &str) -> String {
    let sense = program.objective().map(|objective| objective.sense);
    let spelled = |cost: &Rational| digits.write(&cost_of_objective(program, cost.clone()));
    match (guarantee, side, sense) {
        (Guarantee::Won, ..) => "the opponent is left without a legal move".to_owned(),
        (Guarantee::Lost, ..) => "the rows cannot be kept".to_owned(),
        (Guarantee::Unbounded, ..) => "the objective is pushed beyond every bound".to_owned(),
        (Guarantee::Kept, ..) => "the rows are kept".to_owned(),
        (Guarantee::Cost(_), _, None) => "the opponent keeps a legal move".to_owned(),
        (Guarantee::Cost(cost), "strategy", Some(sense)) => {
            let most = if sense == Sense::Minimize {
                "at most"
            } else {
                "at least"
            };
            format!("{most} {} is guaranteed", spelled(cost))
        }
        (Guarantee::Cost(cost), ..) => {
            format!("nothing better than {} can be guaranteed", spelled(cost))
        }
    }
}

/// What is said to programs.
#[derive(Serialize)]
struct VerdictJson<'a> {
    schema: &'static str,
    certificate: &'a str,
    valid: bool,
    claim: Option<&'a str>,
    strategy: Option<SideJson>,
    refutation: Option<SideJson>,
    fault: Option<String>,
}

#[derive(Serialize)]
struct SideJson {
    guarantee: String,
    nodes: u64,
    held: usize,
}

impl<'a> VerdictJson<'a> {
    fn new(
        program: &Program,
        certificate: &'a str,
        verdict: Option<&'a Verdict>,
        fault: Option<String>,
    ) -> Self {
        let side = |proved: &Proved| SideJson {
            guarantee: match &proved.guarantee {
                Guarantee::Cost(cost) => cost_of_objective(program, cost.clone()).to_string(),
                other => other.to_string(),
            },
            nodes: proved.nodes as u64,
            held: proved.peak,
        };
        Self {
            schema: "quip-check/1",
            certificate,
            valid: verdict.is_some(),
            claim: verdict.map(|verdict| verdict.claim.as_str()),
            strategy: verdict
                .and_then(|verdict| verdict.strategy.as_ref())
                .map(side),
            refutation: verdict
                .and_then(|verdict| verdict.refutation.as_ref())
                .map(side),
            fault,
        }
    }
}
