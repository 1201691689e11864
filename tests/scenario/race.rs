//! Two engines on one program.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::thread;
use std::time::{Duration, Instant};

use quip::budget::Budget;
use quip::budget::race::{Pace, Race};
use quip::expand;
use quip::format::parse_qip;
use quip::games::random::{RandomShape, random_program};
use quip::num::int;
use quip::outcome::{Outcome, SolveError, Status, Stop};
use quip::program::{Program, Quantifier, Sense};
use quip::search;
use quip::solver::{Method, Options, PortfolioSettings, Solver};

use super::{answer, compare_many, small_families};

/// `auto` on so many threads, with both engines at work from the beginning.
fn by_portfolio(program: &Program, threads: usize) -> Result<Outcome, SolveError> {
    let options = Options {
        threads: Some(threads),
        portfolio: PortfolioSettings {
            head_start: 0,
            ..PortfolioSettings::default()
        },
        ..Options::default()
    };
    Solver::new(options).solve(program)
}

fn by_two_threads(program: &Program, _: u64, _: &mut Budget) -> Result<Outcome, SolveError> {
    by_portfolio(program, 2)
}

fn by_turns(program: &Program, _: u64, _: &mut Budget) -> Result<Outcome, SolveError> {
    by_portfolio(program, 1)
}

/// `auto` with openings of a few positions, so that every kind of turn is taken.
fn by_openings(program: &Program, seed: u64, _: &mut Budget) -> Result<Outcome, SolveError> {
    let options = Options {
        threads: Some(1 + (seed % 2) as usize),
        portfolio: PortfolioSettings {
            head_start: 1 + seed % 5,
            ..PortfolioSettings::default()
        },
        ..Options::default()
    };
    Solver::new(options).solve(program)
}

#[test]
fn openings_agree_with_the_definition() {
    for shape in [RandomShape::small(), RandomShape::binary()] {
        assert!(compare_many(by_openings, &shape, 800) >= 800);
    }
}

#[test]
fn engines_side_by_side_agree_with_the_definition() {
    let shapes = [
        RandomShape::small(),
        RandomShape::binary(),
        RandomShape::game(),
    ];
    for shape in shapes {
        assert!(compare_many(by_two_threads, &shape, 800) >= 800);
        assert!(compare_many(by_turns, &shape, 800) >= 800);
    }
}

/// `n + 1` items in `n` places, wherever the opponent's one item is: obvious to a linear program,
/// hopeless for a search without one.
fn crowded(places: usize) -> Program {
    use std::fmt::Write;
    let item = |item: usize, place: usize| format!("x{item}_{place}");
    let mut text = "minimize cost: spare subject to\n".to_owned();
    for number in 0..=places {
        let places: Vec<_> = (0..places).map(|place| item(number, place)).collect();
        writeln!(text, "placed{number}: {} + spare >= 1", places.join(" + "))
            .expect("a string takes everything");
    }
    for place in 0..places {
        let items: Vec<_> = (0..=places).map(|number| item(number, place)).collect();
        writeln!(text, "room{place}: {} <= 1", items.join(" + "))
            .expect("a string takes everything");
    }
    writeln!(
        text,
        "seen: x0_0 + seen >= u\nprefix exists binary spare forall binary u"
    )
    .expect("a string takes everything");
    for number in 0..=places {
        for place in 0..places {
            writeln!(text, "exists binary {}", item(number, place))
                .expect("a string takes everything");
        }
    }
    text.push_str("exists binary seen end");
    parse_qip(&text).expect("a well-formed program")
}

#[test]
fn the_engine_that_lost_is_stopped() {
    let program = crowded(14);
    for threads in [1, 2] {
        let mut options = Options {
            threads: Some(threads),
            ..Options::default()
        };
        options.search.relax = false;
        let outcome = Solver::new(options).solve(&program);
        let outcome = outcome.expect("both engines take it");
        assert_eq!(answer(&outcome), (Status::Optimal, Some(int(1))));
        crate::support::certified::proved(&program, &outcome);
        // Search alone would not live to see the end of this.
        assert_ne!(outcome.engine, Some("search"));
    }
}

#[test]
fn one_thread_does_the_same_every_time() {
    for seed in 0..40 {
        let program = random_program(seed, &RandomShape::binary());
        let runs = [(); 2].map(|()| by_portfolio(&program, 1).expect("integers"));
        crate::support::certified::proved(&program, &runs[0]);
        assert_eq!(runs[0].effort, runs[1].effort, "seed {seed}");
        assert_eq!(runs[0].engine, runs[1].engine, "seed {seed}");
        assert_eq!(runs[0].first_stage, runs[1].first_stage, "seed {seed}");
    }
}

#[test]
fn small_programs_are_searched_alone() {
    let program = random_program(1, &RandomShape::binary());
    let outcome = Solver::default().solve(&program).expect("integers");
    assert_eq!(outcome.engine, Some("search"));
}

#[test]
fn large_programs_are_searched_alone() {
    // One coefficient beyond the limit, and at it.
    let program = crowded(3);
    let rows = program.rows().iter().chain(program.universal_rows().iter());
    let coefficients: usize = rows.map(|row| row.terms.len()).sum();
    for (most, method) in [
        (coefficients - 1, Method::Search),
        (coefficients, Method::Auto),
    ] {
        let mut options = Options::default();
        options.portfolio.most_coefficients = most;
        let solver = Solver::new(options);
        assert_eq!(solver.method_for(&program), method);
        let outcome = solver.solve(&program).expect("integers");
        assert_eq!(answer(&outcome), (Status::Optimal, Some(int(1))));
    }
}

#[test]
fn a_raised_signal_stops_both_engines() {
    let signal = Arc::new(AtomicBool::new(true));
    for threads in [1, 2] {
        let options = Options {
            threads: Some(threads),
            ..Options::default()
        };
        let solver = Solver::new(options).with_signal(Arc::clone(&signal));
        let outcome = solver.solve(&crowded(14)).expect("both engines take it");
        assert_eq!(outcome.status, Status::Interrupted);
        assert_eq!(outcome.stop, Some(Stop::Signal));
    }
}

/// How long an engine takes to stop after the other side has won.
fn time_to_stop(solve: fn(&mut Budget)) -> Duration {
    let race = Race::new(Pace::AtOnce, false);
    let seat = race.seat(0, 0);
    let engine = thread::spawn(move || solve(&mut Budget::unlimited().with_seat(seat)));
    thread::sleep(Duration::from_millis(300));
    assert!(!engine.is_finished(), "the program was too easy");
    race.finish();
    let since = Instant::now();
    engine.join().expect("no panic");
    since.elapsed()
}

#[test]
fn who_has_lost_stops_within_half_a_second() {
    use quip::games::or::interdiction::{Interdiction, generate};
    let by_search = |budget: &mut Budget| {
        let settings = search::Settings {
            relax: false,
            ..search::Settings::default()
        };
        let outcome = search::solve(&crowded(14), &settings, budget).expect("integers");
        assert_eq!(outcome.stop, Some(Stop::Signal));
    };
    let by_expand = |budget: &mut Budget| {
        let program = generate(&Interdiction {
            nodes: 60,
            extra_edges: 12,
            vaccinated: 3,
            attacked: 3,
            protected: 3,
            decision_dependent: false,
            seed: 1,
        });
        let outcome = expand::solve(&program, budget).expect("within the class");
        assert_eq!(outcome.stop, Some(Stop::Signal));
    };
    for solve in [by_search as fn(&mut Budget), by_expand] {
        // On a busy machine somebody else may be in the way: the best of a few tries counts.
        let times = [(); 4].map(|()| time_to_stop(solve));
        let soonest = times.iter().min();
        assert!(soonest < Some(&Duration::from_millis(500)), "{times:?}");
    }
}

/// A race on the program, both sides at once.
fn race_on(program: &Program) -> Arc<Race> {
    let objective = program.objective();
    let maximises = objective.is_some_and(|objective| objective.sense == Sense::Maximize);
    Race::new(Pace::AtOnce, maximises)
}

/// Whether the engine tells plays of the universal player, each with a value for every variable.
fn tells_scenarios(program: &Program, solve: impl Fn(&mut Budget)) -> bool {
    let race = race_on(program);
    let mut listener = race.seat(0, 0);
    solve(&mut Budget::unlimited().with_seat(race.seat(1, 0)));
    let universal = |quantifier: Quantifier| quantifier == Quantifier::Forall;
    let scenarios = listener.hear_scenarios();
    for scenario in &scenarios {
        let mut told: Vec<usize> = scenario.iter().map(|(var, _)| *var).collect();
        told.sort_unstable();
        let variables = program.variables().as_slice();
        let expected = (0..variables.len()).filter(|&at| universal(variables[at].quantifier));
        assert_eq!(told, expected.collect::<Vec<_>>());
        for &(var, value) in scenario {
            let domain = variables[var].domain();
            assert!(domain.lower <= Some(int(value)) && Some(int(value)) <= domain.upper);
        }
    }
    !scenarios.is_empty()
}

#[test]
fn both_engines_tell_which_plays_refute() {
    use quip::games::or::selection::{Selection, generate};
    let mut expanded = 0;
    for seed in 0..4 {
        for (_, program) in small_families(seed) {
            expanded += u64::from(tells_scenarios(&program, |budget| {
                expand::solve(&program, budget).expect("within the class");
            }));
        }
        // Search tells what it has refuted after its first question, which here is not the last.
        let program = generate(&Selection {
            chosen: 5,
            scenarios: 4,
            stages: 2,
            seed,
        });
        assert!(tells_scenarios(&program, |budget| {
            search::solve(&program, &Default::default(), budget).expect("integers");
        }));
    }
    assert!(expanded > 8, "{expanded}");
}

#[test]
fn a_search_that_has_refuted_nothing_tells_nothing() {
    let text = "minimize x subject to x >= y \
                prefix forall integer y in [0, 2] exists integer x in [0, 5] end";
    let program = parse_qip(text).expect("a well-formed program");
    assert!(!tells_scenarios(&program, |budget| {
        search::solve(&program, &Default::default(), budget).expect("integers");
    }));
}

/// Answers do not depend on what is heard: plays of the right form, right or wrong.
#[test]
fn whatever_is_heard_the_answer_is_the_same() {
    for seed in 0..4 {
        for (name, program) in small_families(seed) {
            let race = race_on(&program);
            let teller = race.seat(1, 0);
            let variables = program.variables().pairs();
            let universals = variables.filter(|(_, it)| it.quantifier == Quantifier::Forall);
            let universals: Vec<usize> = universals
                .map(|(var, _)| quip::program::Id::index(var))
                .collect();
            for pattern in 0..8usize {
                let value = |&var: &usize| (var, ((var * 7 + pattern) % 3 == 0) as i64);
                teller.tell_scenario(universals.iter().map(value).collect());
            }
            let seat = race.seat(0, 0);
            let alone = expand::solve(&program, &mut Budget::unlimited());
            let told = match seed % 2 {
                0 => expand::solve(&program, &mut Budget::unlimited().with_seat(seat)),
                _ => {
                    let budget = &mut Budget::unlimited().with_seat(seat);
                    search::solve(&program, &Default::default(), budget)
                }
            };
            let (alone, told) = (alone.expect("within the class"), told.expect("integers"));
            let value = |outcome: &Outcome| outcome.objective.clone();
            assert_eq!(value(&alone), value(&told), "{name} of seed {seed}");
        }
    }
}
