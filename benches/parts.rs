//! Parts that every solve passes through, measured one by one.

use std::fmt::Write;
use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use quip::format::{parse_qip, read_bytes, write_qip, write_qlp};

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

criterion_group!(parts, read_and_write);
criterion_main!(parts);
