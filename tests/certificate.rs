//! Certificates: every honest one is accepted, every corrupted one is rejected.

mod support;

use quip::budget::Budget;
use quip::check::{Verdict, check};
use quip::games::random::{RandomShape, random_program};
use quip::outcome::Outcome;
use quip::program::Program;
use quip::reference;
use quip::search::{self, Settings};
use quip::strategy::{Certificate, certify};

use support::shown;

fn solve(program: &Program) -> Outcome {
    reference::solve(program, &mut Budget::unlimited()).expect("the reference takes this program")
}

fn certificate(program: &Program) -> Certificate {
    certify(program, &solve(program), &mut Budget::unlimited()).expect("plans can be certified")
}

fn accepted(program: &Program, text: &str) -> Verdict {
    check(program, text.as_bytes())
        .unwrap_or_else(|error| panic!("{error}\n{text}\n{}", shown(program)))
}

#[test]
fn certificates_of_the_reference_are_accepted() {
    for shape in [
        RandomShape::small(),
        RandomShape::binary(),
        RandomShape::game(),
    ] {
        for seed in 0..1500 {
            let program = random_program(seed, &shape);
            let text = certificate(&program).to_text(&program);
            accepted(&program, &text);
        }
    }
}

/// Every technique off or on, by the bits of `number`.
fn configuration(number: u64) -> Settings {
    let on = |bit: u64| number >> bit & 1 == 1;
    Settings {
        propagate: !on(0),
        table_bytes: [1 << 20, 0, 1, 4096][(number >> 1 & 3) as usize],
        monotone: !on(3),
        ordering: !on(4),
        relax: on(5),
        ..Settings::default()
    }
}

#[test]
fn certificates_of_the_search_are_accepted() {
    for shape in [RandomShape::small(), RandomShape::binary(), RandomShape::game()] {
        for seed in 0..2000 {
            let program = random_program(seed, &shape);
            let settings = configuration(seed);
            let solved =
                search::solve_with_certificate(&program, &settings, &mut Budget::unlimited());
            let (_, certificate) = solved.expect("integers");
            let certificate = certificate.unwrap_or_else(|error| {
                panic!("seed {seed}, {settings:?}: {error}\n{}", shown(&program))
            });
            accepted(&program, &certificate.to_text(&program));
        }
    }
}
