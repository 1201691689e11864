//! Wide domains: answered by intervals and ends, not value by value, and within every limit.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::time::{Duration, Instant};

use quip::budget::Limits;
use quip::check::check;
use quip::format::parse_qip;
use quip::outcome::Outcome;
use quip::solver::{Method, Options, Solver};

/// A row that holds the opponent back only if he lets it; parity that no width helps; both.
fn models(width: i64) -> [(String, &'static str); 4] {
    let domain = format!("[0, {width}]");
    [
        (
            format!(
                "minimize x subject to x >= u uncertainty u + v <= {width}
                 prefix forall integer u v in {domain} exists integer x in {domain} end"
            ),
            "optimal",
        ),
        (
            format!(
                "subject to 2 x + y = u prefix exists integer y in [0, 1]
                 forall integer u in {domain} exists integer x in {domain} end"
            ),
            "infeasible",
        ),
        (
            format!(
                "subject to 2 x = u uncertainty u + v <= {width}
                 prefix forall integer u v in {domain} exists integer x in {domain} end"
            ),
            "infeasible",
        ),
        (
            format!(
                "minimize x subject to x >= u\n x >= {width} - u
                 prefix forall integer u in {domain} exists integer x in {domain} end"
            ),
            "optimal",
        ),
    ]
}

fn solved(text: &str, method: Method, certificate: bool, time: u64) -> Option<Outcome> {
    let options = Options {
        method,
        certificate,
        limits: Limits {
            time: Some(Duration::from_secs(time)),
            memory: Some(1 << 30),
            ..Limits::default()
        },
        threads: Some(1),
        ..Options::default()
    };
    Solver::new(options).solve(&parse_qip(text).unwrap()).ok()
}

#[test]
fn the_width_of_a_domain_does_not_matter() {
    for width in [7, 1_000, 1_000_000, 1_000_000_000, 4_000_000_000_000] {
        for (text, status) in models(width) {
            for certificate in [false, true] {
                let outcome = solved(&text, Method::Auto, certificate, 5).unwrap();
                assert_eq!(outcome.status.to_string(), status, "{width}: {text}");
                if status == "optimal" {
                    assert_eq!(outcome.objective.unwrap().to_string(), width.to_string());
                }
                if certificate {
                    let program = parse_qip(&text).unwrap();
                    let proof = outcome.certificate.unwrap().unwrap().to_text(&program);
                    assert!(proof.len() < 2_000, "{} bytes: {text}", proof.len());
                    check(&program, proof.as_bytes()).unwrap();
                }
            }
        }
    }
}

#[test]
fn engines_keep_their_time_in_wide_domains() {
    let width = 1_000_000_000;
    let tied = format!(
        "minimize x - y subject to x + y = u + 2 v\n y <= 3 x\n uncertainty u + v <= {width}
         prefix exists integer y in [0, {width}] forall integer u v in [0, {width}]
         exists integer x in [0, {width}] end"
    );
    let texts = models(width).map(|(text, _)| text).into_iter();
    for text in texts.chain([tied]) {
        for method in [
            Method::Auto,
            Method::Search,
            Method::Expand,
            Method::Equivalent,
        ] {
            for certificate in [false, true] {
                let start = Instant::now();
                solved(&text, method, certificate, 1);
                let taken = start.elapsed();
                let limit = Duration::from_millis(2_500);
                assert!(
                    taken < limit,
                    "{method:?}, {certificate}: {taken:?} for {text}"
                );
            }
        }
    }
}
