//! A report, not a measurement to the microsecond: what alpha and beta breaks bring to the
//! decomposition, and from how many universal variables on it beats the equivalent linear program.
//!
//! `cargo bench --bench benders -- [SEEDS] [LARGEST] [SECONDS]`: programs of each size, the largest
//! number of universal variables, and the time limit of each solve.
//!
//! The family is production planning of two products (`quip generate production`). The equivalent
//! program is solved once by HiGHS in floats; see `expansion.rs`.

#![allow(
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a report for people"
)]

mod expansion;

use std::time::Duration;

use expansion::expanded;
use quip::benders::{Settings, solve};
use quip::budget::{Budget, Limits, peak_bytes};
use quip::games::or::production::{Production, generate};
use quip::num::approximate;
use quip::outcome::{Outcome, Status};
use quip::program::Program;

/// Of each program.
const PRODUCTS: usize = 2;

fn main() {
    // `cargo bench` hands its own flags over, too.
    let numbers: Vec<u64> = std::env::args()
        .filter_map(|word| word.parse().ok())
        .collect();
    let option = |place: usize, default: u64| numbers.get(place).copied().unwrap_or(default);
    let (seeds, largest, seconds) = (option(0, 3), option(1, 8) as usize, option(2, 60));
    let limit = Duration::from_secs(seconds);
    println!(
        "seconds of processor time, summed over {seeds} programs; `-` means not within {seconds} s each"
    );
    println!(
        "{:>9} {:>6} | {:>9} {:>9} {:>9} {:>9} {:>9} | {:>10} | {:>9} {:>9}",
        "universal",
        "stages",
        "all on",
        "no breaks",
        "slow back",
        "neither",
        "no order",
        "equivalent",
        "nodes",
        "LPs"
    );
    for universal in (4..=largest).step_by(2) {
        line(universal, seeds, limit);
    }
    println!("peak memory {} MB", peak_bytes().unwrap_or(0) >> 20);
}

/// Measures one size.
fn line(universal: usize, seeds: u64, limit: Duration) {
    let periods = universal / PRODUCTS;
    let programs = (0..seeds).map(|seed| {
        generate(&Production {
            products: PRODUCTS,
            periods,
            seed,
        })
    });
    let programs: Vec<Program> = programs.collect();
    let settings = [
        Settings::default(),
        Settings {
            breaks: false,
            ..Settings::default()
        },
        Settings {
            fast_back: false,
            ..Settings::default()
        },
        Settings {
            breaks: false,
            fast_back: false,
            ..Settings::default()
        },
        Settings {
            worst_first: false,
            ..Settings::default()
        },
    ];
    let mut totals = [Some(Duration::ZERO); 5];
    let mut equivalent = Some(Duration::ZERO);
    let (mut nodes, mut lps) = (0, 0);
    for program in &programs {
        let mut value = None;
        for (settings, total) in settings.iter().zip(&mut totals) {
            let started = cpu_time();
            let outcome = decomposed(program, settings, limit);
            *total = total.and_then(|sum| {
                (outcome.status == Status::Optimal).then(|| sum + (cpu_time() - started))
            });
            if *settings == Settings::default() {
                nodes += outcome.effort.nodes;
                lps += outcome.effort.lps;
            }
            if outcome.status == Status::Optimal {
                let found = outcome.objective.unwrap();
                assert_eq!(*value.get_or_insert(found.clone()), found);
            }
        }
        let started = cpu_time();
        let float = expanded(program, limit);
        equivalent = equivalent.and_then(|sum| float.map(|_| sum + (cpu_time() - started)));
        if let (Some(exact), Some(float)) = (&value, float) {
            assert!((approximate(exact) - float).abs() < 1e-4, "{exact} {float}");
        }
    }
    let shown = |total: Option<Duration>| {
        total.map_or("-".to_owned(), |total| {
            format!("{:.3}", total.as_secs_f64())
        })
    };
    let [all_on, no_breaks, slow_back, neither, no_order] = totals.map(shown);
    println!(
        "{universal:>9} {periods:>6} | {all_on:>9} {no_breaks:>9} {slow_back:>9} {neither:>9} {no_order:>9} \
         | {:>10} | {nodes:>9} {lps:>9}",
        shown(equivalent),
    );
}

fn decomposed(program: &Program, settings: &Settings, limit: Duration) -> Outcome {
    let limits = Limits {
        time: Some(limit),
        ..Limits::default()
    };
    let mut budget = Budget::new(limits, Default::default(), None);
    solve(program, settings, &mut budget).unwrap()
}

/// What this thread has had of the processor, which a busy machine does not change.
fn cpu_time() -> Duration {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap();
    let nanoseconds = text.split(' ').next().unwrap().parse().unwrap();
    Duration::from_nanos(nanoseconds)
}
