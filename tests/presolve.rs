//! Presolve against the definition: each technique alone and all together keep the value of random
//! programs, and each does what it says on programs made for it.
//!
//! `QUIP_RANDOM_PROGRAMS=100000 cargo test --release --test presolve` compares more.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod support;

use quip::format::{parse_qip, write_qip};
use quip::games::random::{RandomShape, random_program};
use quip::outcome::Status;
use quip::presolve::{Report, Switches, Technique, simplify};
use quip::program::{Program, Quantifier};
use quip::reference;
use quip::solver::{Method, Options, Solver};

use support::certified::answered;

/// Compares the values and tells what was changed.
fn compare(seed: u64, shape: &RandomShape, switches: &Switches) -> Report {
    let program = random_program(seed, shape);
    let simplified = simplify(&program, switches);
    if simplified.report.total() > 0 {
        let (before, after) = (
            reference::value(&program),
            reference::value(&simplified.program),
        );
        assert_eq!(
            after,
            before,
            "seed {seed} with {switches:?}:\n{}became\n{}",
            write_qip(&program),
            write_qip(&simplified.program)
        );
        keeps_the_universal_player_as_he_was(&program, &simplified.program);
    }
    simplified.report
}

fn keeps_the_universal_player_as_he_was(before: &Program, after: &Program) {
    assert_eq!(before.objective(), after.objective());
    assert_eq!(before.variables().len(), after.variables().len());
    for (old, new) in before.variables().iter().zip(after.variables()) {
        assert_eq!((&old.name, old.quantifier), (&new.name, new.quantifier));
        if old.quantifier == Quantifier::Forall {
            assert_eq!(old.bounds, new.bounds);
        }
    }
}

fn shapes() -> [RandomShape; 5] {
    let free_opponent = RandomShape {
        universal_rows: 0..=0,
        block: 1..=3,
        ..RandomShape::small()
    };
    [
        RandomShape::small(),
        RandomShape::binary(),
        RandomShape::game(),
        RandomShape::with_reals(),
        free_opponent,
    ]
}

fn count(usual: u64) -> u64 {
    let asked = std::env::var("QUIP_RANDOM_PROGRAMS").ok();
    asked.map_or(usual, |text| {
        text.parse().expect("QUIP_RANDOM_PROGRAMS is a number")
    })
}

fn alone(technique: Technique) {
    let switches = Switches::only(technique);
    let mut fired = 0;
    for shape in shapes() {
        let reports = (0..count(1000)).map(|seed| compare(seed, &shape, &switches));
        fired += reports.filter(|report| report.total() > 0).count();
    }
    assert!(fired > 100, "fired on {fired} programs only");
}

#[test]
fn fixed_variables_leave_rows_without_changing_the_value() {
    alone(Technique::Fixed);
}

#[test]
fn universal_reduction_keeps_the_value() {
    alone(Technique::Reduction);
}

#[test]
fn fixing_monotone_variables_keeps_the_value() {
    alone(Technique::Monotone);
}

#[test]
fn tightening_bounds_keeps_the_value() {
    alone(Technique::Bounds);
}

#[test]
fn dropping_redundant_sides_keeps_the_value() {
    alone(Technique::Redundant);
}

#[test]
fn shrinking_coefficients_keeps_the_value() {
    alone(Technique::Coefficients);
}

#[test]
fn letting_dominating_variables_go_first_keeps_the_value() {
    alone(Technique::Dominated);
}

#[test]
fn merging_parallel_rows_keeps_the_value() {
    // Few coefficients and short rows make rows parallel.
    for base in shapes() {
        let shape = RandomShape {
            variables: 2..=4,
            rows: 3..=6,
            terms: 1..=2,
            coefficients: -2..=2,
            ..base
        };
        let switches = Switches::only(Technique::Parallel);
        let reports = (0..count(1000)).map(|seed| compare(seed, &shape, &switches));
        let merged: usize = reports
            .map(|report| report.changes(Technique::Parallel))
            .sum();
        assert!(merged > 0 || shape.real_tail > 0);
    }
}

#[test]
fn all_techniques_together_keep_the_value() {
    for shape in shapes() {
        let reports = (0..count(2000)).map(|seed| compare(seed, &shape, &Switches::default()));
        let fired = reports.filter(|report| report.total() > 0).count();
        assert!(fired > 100, "fired on {fired} programs only");
    }
}

#[test]
fn answers_through_the_solver_are_those_of_the_definition() {
    for seed in 0..count(1500) {
        let program = random_program(seed, &RandomShape::binary());
        let solved = |method: Method| {
            let options = Options {
                method,
                ..Options::default()
            };
            let outcome = answered(&program, options);
            (outcome.status, outcome.objective)
        };
        assert_eq!(
            solved(Method::Search),
            solved(Method::Reference),
            "seed {seed} of\n{}",
            write_qip(&program)
        );
    }
}

/// What becomes of a model, in the native format.
fn after(technique: Technique, text: &str) -> String {
    let program = parse_qip(text).unwrap();
    let simplified = simplify(&program, &Switches::only(technique));
    write_qip(&simplified.program)
}

fn same(technique: Technique, before: &str, expected: &str) {
    let expected = write_qip(&parse_qip(expected).unwrap());
    assert_eq!(after(technique, before), expected);
}

#[test]
fn a_constant_moves_to_the_right() {
    same(
        Technique::Fixed,
        "minimize y subject to r: 3 x + 2 y >= 7 \
         prefix exists integer x in [1, 1] exists integer y in [0, 9] end",
        "minimize y subject to r: y >= 2 \
         prefix exists integer x in [1, 1] exists integer y in [0, 9] end",
    );
}

#[test]
fn a_row_faces_the_worst_of_the_universals_behind_its_existentials() {
    same(
        Technique::Reduction,
        "minimize x + z subject to r: 1 <= x + u - v <= 9\n s: z >= u \
         prefix exists integer x in [0, 9] forall binary u forall integer v in [0, 3] \
         exists binary z end",
        "minimize x + z subject to r: 4 <= x <= 8\n s: z >= u \
         prefix exists integer x in [0, 9] forall binary u forall integer v in [0, 3] \
         exists binary z end",
    );
}

#[test]
fn a_restricted_universal_is_not_reduced() {
    let text = "minimize x subject to r: x >= u + v uncertainty b: u + v <= 1 \
                prefix exists integer x in [0, 2] forall binary u forall binary v end";
    assert_eq!(
        after(Technique::Reduction, text),
        write_qip(&parse_qip(text).unwrap())
    );
}

#[test]
fn a_variable_that_only_helps_is_raised_and_one_that_only_costs_is_lowered() {
    same(
        Technique::Monotone,
        "minimize z subject to r: x + z >= 2 u \
         prefix exists integer x in [0, 3] forall binary u exists binary z exists binary w end",
        "minimize z subject to r: x + z >= 2 u \
         prefix exists integer x in [3, 3] forall binary u exists binary z \
         exists integer w in [0, 0] end",
    );
}

#[test]
fn bounds_fear_the_universals_that_come_later_only() {
    same(
        Technique::Bounds,
        "minimize x + z subject to r: x + z <= 5 - 3 u \
         prefix exists integer x in [0, 9] forall binary u exists integer z in [0, 9] end",
        "minimize x + z subject to r: x + z <= 5 - 3 u \
         prefix exists integer x in [0, 2] forall binary u exists integer z in [0, 5] end",
    );
}

#[test]
fn bounds_leave_variables_of_universal_rows_alone() {
    // The universal player may hope for x = 1 although the existential rows forbid it.
    let text = "minimize 1 - y subject to r: x <= 0 uncertainty d: y <= x \
                prefix forall binary y exists binary x end";
    assert_eq!(
        after(Technique::Bounds, text),
        write_qip(&parse_qip(text).unwrap())
    );
}

#[test]
fn what_always_holds_is_dropped_and_the_rest_stays() {
    same(
        Technique::Redundant,
        "minimize x subject to r: 1 <= x + y <= 4\n s: x - y >= -1 uncertainty t: u <= 1 \
         prefix exists integer x in [0, 3] exists binary y forall binary u end",
        "minimize x subject to r: x + y >= 1 \
         prefix exists integer x in [0, 3] exists binary y forall binary u end",
    );
}

#[test]
fn parallel_rows_keep_the_tightest_sides() {
    same(
        Technique::Parallel,
        "minimize x subject to r: 2 x + 4 y <= 7\n s: -x - 2 y <= -1\n t: 3 x + 6 y <= 12 \
         prefix exists integer x in [0, 3] exists integer y in [0, 3] end",
        "minimize x subject to r: 1 <= x + 2 y <= 3 \
         prefix exists integer x in [0, 3] exists integer y in [0, 3] end",
    );
}

#[test]
fn coefficients_shrink_to_what_can_go_wrong() {
    same(
        Technique::Coefficients,
        "maximize x + y subject to r: x <= 100 open + 2\n s: 5 y - x >= -1 \
         prefix exists binary open exists integer x in [0, 4] exists binary y end",
        "maximize x + y subject to r: x - 2 open <= 2\n s: 3 y - x >= -1 \
         prefix exists binary open exists integer x in [0, 4] exists binary y end",
    );
}

#[test]
fn what_takes_more_from_the_attackers_budget_at_the_same_price_goes_first() {
    same(
        Technique::Dominated,
        "minimize 2 x + 2 y + 3 z + 9 a + 9 b uncertainty attack: 5 a + 4 b + 3 x + 2 y + 3 z <= 9 \
         prefix exists binary x y z forall binary a b end",
        "minimize 2 x + 2 y + 3 z + 9 a + 9 b subject to x - y >= 0\n x - z >= 0 \
         uncertainty attack: 5 a + 4 b + 3 x + 2 y + 3 z <= 9 \
         prefix exists binary x y z forall binary a b end",
    );
}

#[test]
fn what_other_rows_or_domains_tell_apart_is_not_ordered() {
    for text in [
        "minimize x + y + a subject to r: y >= z \
         uncertainty attack: a + 3 x + 2 y <= 4 prefix exists binary x y z forall binary a end",
        "minimize x + y + a uncertainty attack: a + 3 x + 2 y <= 4 \
         prefix exists binary x exists integer y in [0, 2] forall binary a end",
        "minimize x + y + a uncertainty attack: a + 3 x + 2 y <= 4 \
         prefix exists binary x forall binary a exists binary y end",
    ] {
        let unchanged = write_qip(&parse_qip(text).unwrap());
        assert_eq!(after(Technique::Dominated, text), unchanged);
    }
}

#[test]
fn a_lost_game_stays_lost_and_keeps_its_domains() {
    let program =
        parse_qip("subject to r: x >= 3 prefix exists integer x in [0, 2] forall binary u end")
            .unwrap();
    let simplified = simplify(&program, &Switches::default());
    assert_eq!(simplified.program.first_empty_domain(), None);
    let outcome = answered(&program, Options::default());
    assert_eq!(outcome.status, Status::Infeasible);
}

#[test]
fn creeping_bounds_end_soon() {
    let program = parse_qip(
        "minimize x subject to r: 2 x - 2 y >= 1\n s: 2 y - 2 x >= 1 \
         prefix exists integer x in [0, 1000000000] exists integer y in [0, 1000000000] end",
    )
    .unwrap();
    let simplified = simplify(&program, &Switches::default());
    assert!(simplified.report.total() < 100);
}

#[test]
fn the_switches_reach_every_engine_for_programs_of_integers() {
    for method in [
        Method::Search,
        Method::Expand,
        Method::Equivalent,
        Method::Auto,
    ] {
        let [with, without] = [Switches::default(), Switches::none()].map(|presolve| {
            let solved = (0..60).map(|seed| {
                let program = random_program(seed, &RandomShape::binary());
                let options = Options {
                    method,
                    presolve: presolve.clone(),
                    threads: Some(1),
                    ..Options::default()
                };
                let outcome = Solver::new(options).solve(&program).expect("integers");
                ((outcome.status, outcome.objective), outcome.effort.nodes)
            });
            solved.unzip::<_, _, Vec<_>, Vec<_>>()
        });
        assert_eq!(with.0, without.0, "{method}");
        assert_ne!(with.1, without.1, "{method} does not see the switches");
    }
}
