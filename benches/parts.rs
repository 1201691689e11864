//! Parts that every solve passes through, measured one by one.

use std::fmt::Write;
use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use quip::budget::Budget;
use quip::check::check;
use quip::format::{parse_qip, read_bytes, write_qip, write_qlp};
use quip::games::or::lotsizing::{LotSizing, generate};
use quip::program::{Id, Program, Quantifier, VarId};
use quip::propagate::{Inequalities, Store, Strength};
use quip::search::{Settings, solve, solve_with_certificate};

/// `count` variables in alternating blocks of ten, `count` rows of five terms.
fn model(count: usize) -> String {
    let mut text = String::from("minimize\n  cost: 3 x_0 + 1/2 x_1\nsubject to\n");
    for row in 0..count {
        let _ = write!(text, "  row_{row}:");
        for term in 0..5 {
            let variable = (row + term * term * 7919) % count;
            let sign = if term % 2 == 0 { '+' } else { '-' };
            let _ = write!(text, " {sign} {}.5 x_{variable}", term + 1);
        }
        let _ = writeln!(text, " <= {}", row % 97);
    }
    text.push_str("prefix\n");
    for variable in 0..count {
        let quantifier = if variable / 10 % 2 == 0 {
            "exists"
        } else {
            "forall"
        };
        let _ = writeln!(
            text,
            "  {quantifier} integer x_{variable} in [0, {}]",
            variable % 9 + 1
        );
    }
    text.push_str("end\n");
    text
}

fn read_and_write(criterion: &mut Criterion) {
    for count in [10_000, 100_000, 1_000_000] {
        let text = model(count);
        let program = parse_qip(&text).expect("the generated model is sound");
        let dialect = write_qlp(&program).expect("short numbers");
        let mut group = criterion.benchmark_group(format!("format/{count} variables"));
        group.sample_size(10);
        group.throughput(Throughput::Bytes(text.len() as u64));
        group.bench_function("read qip", |bench| {
            bench.iter(|| parse_qip(black_box(&text)));
        });
        group.bench_function("write qip", |bench| {
            bench.iter(|| write_qip(black_box(&program)));
        });
        group.throughput(Throughput::Bytes(dialect.len() as u64));
        group.bench_function("read qlp", |bench| {
            bench.iter(|| read_bytes("model.qlp", black_box(dialect.as_bytes())));
        });
        group.finish();
    }
}

fn lot_sizing(periods: usize) -> Program {
    generate(&LotSizing {
        periods,
        basic: 3,
        urgent: 2,
        seed: 1,
    })
}

/// Fixes the variables one after the other at one of their ends and undoes everything.
fn walk(store: &mut Store, count: usize) {
    let start = store.mark();
    for place in 0..count {
        let var = VarId::new(place);
        let (lower, upper) = (store.lower(var), store.upper(var));
        let end = if place % 3 == 0 { lower } else { upper };
        store.narrow(var, end, end);
        let horizon = VarId::new(place + 1);
        let alive = store.propagate(Quantifier::Exists, horizon, Strength::Narrow);
        if black_box(alive).is_err() {
            break;
        }
    }
    store.undo_to(start);
}

fn propagation(criterion: &mut Criterion) {
    for periods in [5, 20] {
        let program = lot_sizing(periods);
        let inequalities = Inequalities::new(&program).expect("small numbers");
        let mut store = Store::new(&program, inequalities.into(), true);
        let count = program.variables().len();
        criterion.bench_function(&format!("propagate/{count} variables, a play"), |bench| {
            bench.iter(|| walk(&mut store, count));
        });
    }
}

/// The same search with and without its memory: what a position costs, and what it saves.
fn transpositions(criterion: &mut Criterion) {
    let program = lot_sizing(4);
    let mut group = criterion.benchmark_group("search/lot sizing, no LPs");
    group.sample_size(10);
    for megabytes in ["0", "96"] {
        let mut settings = Settings::default();
        for (key, value) in [("search.relax", "off"), ("search.table", megabytes)] {
            settings.set(key, value).expect("a switch of the search");
        }
        group.bench_function(format!("table of {megabytes} MB"), |bench| {
            bench.iter(|| solve(&program, &settings, &mut Budget::unlimited()));
        });
    }
    group.finish();
}

fn checker(criterion: &mut Criterion) {
    let program = lot_sizing(3);
    let budget = &mut Budget::unlimited();
    let outcome = solve_with_certificate(&program, &Settings::default(), budget);
    let certificate = outcome.expect("it is a program of integers").certificate;
    let certificate = certificate.expect("it was asked for");
    let text = certificate.expect("there is room for it").to_text(&program);
    let mut group = criterion.benchmark_group("check");
    group.throughput(Throughput::Bytes(text.len() as u64));
    group.bench_function("lot sizing, 3 periods", |bench| {
        bench.iter(|| check(&program, black_box(text.as_bytes())));
    });
    group.finish();
}

criterion_group!(parts, read_and_write, propagation, transpositions, checker);
criterion_main!(parts);
