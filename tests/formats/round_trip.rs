//! Reading what was written gives the same program, whatever the program.

use proptest::prelude::*;
use quip::format::{WriteError, parse_qip, read_bytes, write_qip, write_qlp};
use quip::num::{Rational, int, ratio};
use quip::program::{
    Bounds, Id, Kind, Objective, Program, ProgramData, Quantifier, Row, Sense, Term, VarId,
    Variable,
};

fn assert_survives(program: &Program) {
    let native = write_qip(program);
    let again = parse_qip(&native).unwrap_or_else(|faults| panic!("{native}\n{faults}"));
    assert_eq!(&again, program, "{native}");
    assert_eq!(write_qip(&again), native);
    let dialect = write_qlp(program).unwrap();
    let again = read_bytes("copy.qlp", dialect.as_bytes());
    let again = again.unwrap_or_else(|faults| panic!("{dialect}\n{faults}"));
    assert_eq!(&again.program, program, "{dialect}");
    assert_eq!(write_qlp(&again.program).unwrap(), dialect);
}

fn number() -> impl Strategy<Value = Rational> {
    prop_oneof![
        4 => (-9_i64..10).prop_map(int),
        2 => (-99_i64..100, 1_i64..12).prop_map(|(numerator, denominator)| ratio(numerator, denominator)),
        1 => (any::<i64>(), 1_i64..i64::MAX).prop_map(|(n, d)| ratio(n, d)),
        1 => (-100_i32..101).prop_map(|power| int(10).pow(power)),
    ]
}

/// Names that tempt a reader: exponents, section words with a tail, brackets, universal marks.
fn name(index: usize, flavour: usize) -> String {
    let stems = [
        "x", "e", "E1e", "U_", "in[", "to", "that", "endx", "x[1,", "C.", "nan", "_'@#",
    ];
    format!("{}{index}", stems[flavour % stems.len()])
}

fn variable(quantifier: Quantifier) -> impl Strategy<Value = (Quantifier, Kind, Bounds)> {
    let finite = (number(), number()).prop_map(|(lower, upper)| Bounds::between(lower, upper));
    let bounds = prop_oneof![1 => Just(Bounds::unit()), 2 => finite];
    (any::<bool>(), bounds).prop_map(move |(real, bounds)| {
        (
            quantifier,
            if real { Kind::Real } else { Kind::Integer },
            bounds,
        )
    })
}

fn terms(count: usize) -> BoxedStrategy<Vec<Term>> {
    if count == 0 {
        return Just(Vec::new()).boxed();
    }
    let term = (0..count, number()).prop_map(|(index, value)| (VarId::new(index), value));
    prop::collection::vec(term, 0..5).boxed()
}

fn row(count: usize) -> impl Strategy<Value = Row> {
    let sides = (
        prop::option::of(number()),
        prop::option::of(number()),
        any::<bool>(),
    );
    (terms(count), sides).prop_map(|(terms, (lower, upper, equal))| Row {
        name: None,
        terms,
        upper: if equal { lower.clone() } else { upper },
        lower,
    })
}

/// Programs with every feature: all kinds and quantifiers, unbounded real tails, crossed bounds,
/// rows without terms or sides, names and none, objectives of every shape and none.
fn program() -> impl Strategy<Value = Program> {
    let quantifier = any::<bool>().prop_map(|exists| {
        if exists {
            Quantifier::Exists
        } else {
            Quantifier::Forall
        }
    });
    let body = prop::collection::vec(quantifier.prop_flat_map(variable), 0..6);
    let ends = (prop::option::of(number()), prop::option::of(number()));
    let tail = prop::option::of(ends.prop_map(|(lower, upper)| Bounds { lower, upper }));
    (body, tail, any::<usize>()).prop_flat_map(|(mut variables, tail, flavour)| {
        variables.extend(tail.map(|bounds| (Quantifier::Exists, Kind::Real, bounds)));
        let named = |(index, (quantifier, kind, bounds)): (usize, _)| Variable {
            name: name(index, flavour.wrapping_add(index)),
            quantifier,
            kind,
            bounds,
        };
        let variables: Vec<_> = variables.into_iter().enumerate().map(named).collect();
        let rows = || prop::collection::vec((row(variables.len()), any::<bool>()), 0..5);
        let objective = (
            terms(variables.len()),
            number(),
            any::<bool>(),
            any::<bool>(),
        );
        let objective = prop::option::of(objective);
        (Just(variables.clone()), rows(), rows(), objective).prop_map(build)
    })
}

type Sum = (Vec<Term>, Rational, bool, bool);
type NamedRows = Vec<(Row, bool)>;

fn build(parts: (Vec<Variable>, NamedRows, NamedRows, Option<Sum>)) -> Program {
    let (variables, rows, universal_rows, objective) = parts;
    let name_rows = |rows: NamedRows, stem: &str| -> Vec<Row> {
        let name = |(index, (row, named)): (usize, (Row, bool))| {
            if named {
                row.named(format!("{stem}{index}"))
            } else {
                row
            }
        };
        rows.into_iter().enumerate().map(name).collect()
    };
    let objective = objective.map(|(terms, constant, named, maximize)| Objective {
        name: named.then(|| "cost".to_owned()),
        sense: if maximize {
            Sense::Maximize
        } else {
            Sense::Minimize
        },
        terms,
        constant,
    });
    let data = ProgramData {
        variables,
        rows: name_rows(rows, "U_"),
        universal_rows: name_rows(universal_rows, "e"),
        objective,
    };
    Program::new(data).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn every_program_survives_both_writers(program in program()) {
        assert_survives(&program);
    }
}

#[test]
fn programs_without_variables_survive() {
    let row = |lower: Option<i64>, upper: Option<i64>| Row {
        name: None,
        terms: Vec::new(),
        lower: lower.map(int),
        upper: upper.map(int),
    };
    let rows = [
        (Some(-3), Some(-1)),
        (None, Some(-2)),
        (Some(-5), Some(7)),
        (None, None),
        (Some(-4), None),
    ];
    let rows: Vec<_> = rows
        .into_iter()
        .map(|(lower, upper)| row(lower, upper))
        .collect();
    let data = ProgramData {
        rows: rows.clone(),
        universal_rows: rows,
        ..ProgramData::default()
    };
    assert_survives(&Program::new(data).unwrap());
    assert_survives(&Program::new(ProgramData::default()).unwrap());
}

#[test]
fn an_objective_of_nothing_is_not_the_absence_of_one() {
    let zero = parse_qip("maximize 0 prefix end").unwrap();
    let none = parse_qip("prefix end").unwrap();
    assert_ne!(zero, none);
    assert_survives(&zero);
    assert_survives(&none);
}

#[test]
fn a_number_that_no_reader_takes_back_is_refused() {
    let objective = Objective {
        name: None,
        sense: Sense::Minimize,
        terms: Vec::new(),
        constant: int(3).pow(3000),
    };
    let data = ProgramData {
        objective: Some(objective),
        ..ProgramData::default()
    };
    let refused = write_qlp(&Program::new(data).unwrap()).unwrap_err();
    assert_eq!(
        refused,
        WriteError::LongNumber {
            place: "the objective".to_owned()
        }
    );
}
