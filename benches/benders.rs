//! A report, not a measurement to the microsecond: what alpha and beta breaks bring to the
//! decomposition, and from how many universal variables on it beats the equivalent linear program.
//!
//! `cargo bench --bench benders -- [SEEDS] [LARGEST] [SECONDS]`: programs of each size, the largest
//! number of universal variables, and the time limit of each solve.
//!
//! The family is lot sizing of two products over several periods. Demand is real and revealed
//! period by period; production shares a capacity, overtime and backlog are expensive. The
//! equivalent program has a copy of every stage for each history of corners, and is solved once by
//! HiGHS in floats, with its defaults.

#![allow(
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a report for people"
)]

use std::fmt::Write as _;
use std::time::Duration;

use highs::{HighsModelStatus, RowProblem, Sense};
use quip::benders::{Settings, solve};
use quip::budget::{Budget, Limits, peak_bytes};
use quip::format::parse_qip;
use quip::num::approximate;
use quip::outcome::{Outcome, Status};
use quip::program::{Id, Program, Quantifier, VarId};
use rand::Rng;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

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
    let programs: Vec<Program> = (0..seeds).map(|seed| lot_sizing(seed, periods)).collect();
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

const PRODUCTS: usize = 2;

/// See the top of the file.
fn lot_sizing(seed: u64, periods: usize) -> Program {
    let dice = &mut ChaCha8Rng::seed_from_u64(seed);
    let mut cost = "minimize cost: 0".to_owned();
    let mut rows = String::new();
    let mut prefix = "prefix".to_owned();
    for product in 0..PRODUCTS {
        write!(prefix, " exists real x0_{product} in [0, 12]").unwrap();
        write!(cost, " + {}/10 x0_{product}", dice.random_range(10..=20)).unwrap();
    }
    for period in 1..=periods {
        for product in 0..PRODUCTS {
            let low = dice.random_range(0..=4);
            write!(
                prefix,
                " forall real d{period}_{product} in [{low}, {}]",
                low + 5
            )
            .unwrap();
        }
        for product in 0..PRODUCTS {
            let place = format!("{period}_{product}");
            for (letter, upper, least, most) in [
                ("x", 9, 10, 20),
                ("o", 20, 30, 50),
                ("s", 30, 2, 8),
                ("b", 60, 60, 90),
            ] {
                write!(prefix, " exists real {letter}{place} in [0, {upper}]").unwrap();
                let price = dice.random_range(least..=most);
                write!(cost, " + {price}/10 {letter}{place}").unwrap();
            }
            let made = format!("x{}_{product}", period - 1);
            let before = if period > 1 {
                format!("s{}_{product} + ", period - 1)
            } else {
                String::new()
            };
            writeln!(
                rows,
                "{before}{made} + o{place} + b{place} - s{place} - d{place} = 0"
            )
            .unwrap();
        }
        let capacity = dice.random_range(8..=12);
        writeln!(rows, "x{period}_0 + x{period}_1 <= {capacity}").unwrap();
    }
    parse_qip(&format!("{cost}\nsubject to\n{rows}{prefix}\nend\n")).unwrap()
}

/// The value of the equivalent linear program by HiGHS; `None` if it does not end in time.
fn expanded(program: &Program, limit: Duration) -> Option<f64> {
    let mut expansion = Expansion {
        program,
        problem: RowProblem::default(),
        worst: None,
        columns: vec![None; program.variables().len()],
        values: vec![0.0; program.variables().len()],
    };
    expansion.worst = Some(expansion.problem.add_column::<f64, _>(1.0, ..));
    expansion.grow(0);
    let mut model = expansion.problem.optimise(Sense::Minimise);
    model.set_option("output_flag", false);
    model.set_option("time_limit", limit.as_secs_f64());
    let solved = model.solve();
    (solved.status() == HighsModelStatus::Optimal).then(|| solved.objective_value())
}

/// The tree of histories, from the first variable to the last.
struct Expansion<'a> {
    program: &'a Program,
    problem: RowProblem,
    worst: Option<highs::Col>,
    columns: Vec<Option<highs::Col>>,
    values: Vec<f64>,
}

impl Expansion<'_> {
    fn grow(&mut self, place: usize) {
        let Some(variable) = self.program.variables().iter().nth(place) else {
            return self.cost_row();
        };
        let ends = variable.domain();
        let (lower, upper) = (ends.lower.unwrap(), ends.upper.unwrap());
        let (lower, upper) = (approximate(&lower), approximate(&upper));
        match variable.quantifier {
            Quantifier::Exists => {
                self.columns[place] = Some(self.problem.add_column(0.0, lower..=upper));
                self.rows_ending_at(place);
                self.grow(place + 1);
            }
            Quantifier::Forall => {
                for end in [lower, upper] {
                    self.values[place] = end;
                    self.grow(place + 1);
                }
            }
        }
    }

    fn split(&self, terms: &[(VarId, quip::num::Rational)]) -> (Vec<(highs::Col, f64)>, f64) {
        let mut known = 0.0;
        let mut columns = Vec::new();
        for (var, factor) in terms {
            let factor = approximate(factor);
            match self.columns[var.index()] {
                Some(column) => columns.push((column, factor)),
                None => known += factor * self.values[var.index()],
            }
        }
        (columns, known)
    }

    fn rows_ending_at(&mut self, place: usize) {
        for row in self.program.rows() {
            if row.terms.last().is_none_or(|(var, _)| var.index() != place) {
                continue;
            }
            let (columns, known) = self.split(&row.terms);
            let side = |side: &Option<quip::num::Rational>, none: f64| {
                side.as_ref().map_or(none, |side| approximate(side) - known)
            };
            let lower = side(&row.lower, f64::NEG_INFINITY);
            let upper = side(&row.upper, f64::INFINITY);
            self.problem.add_row(lower..=upper, columns);
        }
    }

    fn cost_row(&mut self) {
        let objective = self.program.objective().unwrap();
        let (mut columns, known) = self.split(&objective.terms);
        columns.push((self.worst.unwrap(), -1.0));
        self.problem.add_row(..=-known, columns);
    }
}
