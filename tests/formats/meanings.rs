//! What each form of the formats means.

use quip::format::{Format, Reading, parse_qip, read_bytes};
use quip::num::{Rational, int, ratio};
use quip::program::{Bounds, Kind, Program, Quantifier, Row, Sense};

use crate::{dialect, native, read};

/// The row `text` must be `lower <= Σ terms <= upper` over `x`, `y` and `e1`.
fn row(text: &str) -> (Vec<(String, String)>, Option<Rational>, Option<Rational>) {
    only_row(&read(&native(text)).program)
}

fn only_row(program: &Program) -> (Vec<(String, String)>, Option<Rational>, Option<Rational>) {
    assert_eq!(program.rows().len(), 1);
    let Row {
        terms,
        lower,
        upper,
        ..
    } = program.rows().iter().next().unwrap().clone();
    let spell =
        |(var, value): (_, Rational)| (program.variables()[var].name.clone(), value.to_string());
    (terms.into_iter().map(spell).collect(), lower, upper)
}

fn terms(list: &[(&str, &str)]) -> Vec<(String, String)> {
    list.iter()
        .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
        .collect()
}

#[test]
fn rows_collect_variables_and_constants_from_both_sides() {
    let at_most = |list: &[_], rhs: i64| (terms(list), None, Some(int(rhs)));
    assert_eq!(row("x <= 3"), at_most(&[("x", "1")], 3));
    assert_eq!(row("x <= 3 y"), at_most(&[("x", "1"), ("y", "-3")], 0));
    assert_eq!(row("x + 1 <= 3 - y + x"), at_most(&[("y", "1")], 2));
    assert_eq!(row("3 >= x"), at_most(&[("x", "1")], 3));
    assert_eq!(
        row("3 x - x + - -y <= +-2"),
        at_most(&[("x", "2"), ("y", "1")], -2)
    );
    assert_eq!(row("0 x <= 2"), at_most(&[], 2));
    assert_eq!(row("1 <= 3"), at_most(&[], 2));
}

#[test]
fn relations_and_ranges_set_the_sides() {
    let x = || terms(&[("x", "1")]);
    assert_eq!(row("x = 3"), (x(), Some(int(3)), Some(int(3))));
    assert_eq!(row("x >= 3"), (x(), Some(int(3)), None));
    assert_eq!(row("1 <= x <= 3"), (x(), Some(int(1)), Some(int(3))));
    assert_eq!(row("3 >= x >= 1"), (x(), Some(int(1)), Some(int(3))));
    assert_eq!(row("1 <= x + 1 <= 3"), (x(), Some(int(0)), Some(int(2))));
    assert_eq!(row("-inf <= x <= 3"), (x(), None, Some(int(3))));
    assert_eq!(row("x >= -inf"), (x(), None, None));
    assert_eq!(row("infinity >= x"), (x(), None, None));
    assert_eq!(
        row("1 <= 2 <= 5"),
        (terms(&[]), Some(int(-1)), Some(int(3)))
    );
}

#[test]
fn numbers_are_exact() {
    for (spelled, value) in [
        ("0.1", ratio(1, 10)),
        ("1e-3", ratio(1, 1000)),
        ("7/3", ratio(7, 3)),
        ("2e1", int(20)),
        (".5", ratio(1, 2)),
        ("3.", int(3)),
        ("60.00000", int(60)),
        ("1e400", int(10).pow(400)),
    ] {
        let expected = terms(&[("x", &value.to_string())]);
        assert_eq!(row(&format!("{spelled} x <= 3")).0, expected, "{spelled}");
    }
}

#[test]
fn glued_coefficients_and_exponents_come_apart() {
    assert_eq!(row("2x <= 3").0, terms(&[("x", "2")]));
    assert_eq!(row("2 e1 <= 3").0, terms(&[("e1", "2")]));
    assert_eq!(row("x <= 2e1").2, Some(int(20)));
    let text = "MINIMIZE 60.00000C2. BINARY C2. EXISTS C2. ALL ORDER C2. END";
    let program = read(text).program;
    assert_eq!(program.objective().unwrap().terms[0].1, int(60));
    assert_eq!(program.variables().iter().next().unwrap().name, "C2.");
}

#[test]
fn an_exponent_of_the_dialect_is_whatever_alone_makes_sense() {
    let multiple = only_row(&read(&dialect("x - 2e2 <= 4")).program);
    assert_eq!(multiple.0, terms(&[("x", "1"), ("e2", "-2")]));
    let coefficient = only_row(&read(&dialect("2e2 x <= 4")).program);
    assert_eq!(coefficient.0, terms(&[("x", "200")]));
    let number = only_row(&read(&dialect("x <= 2e3")).program);
    assert_eq!(number.2, Some(int(2000)));
    let longer = read("MIN SUBJECT TO x + 3e2a <= 4\nBINARIES x e2a EXISTS x e2a ORDER x e2a END");
    assert_eq!(
        only_row(&longer.program).0,
        terms(&[("x", "1"), ("e2a", "3")])
    );
    let bound = read("MIN BOUNDS e2 <= 2e2\nGENERALS e2 EXISTS e2 ORDER e2 END").program;
    let variable = bound.variables().iter().next().unwrap().clone();
    assert_eq!(variable.bounds, Bounds::between(int(0), int(200)));
}

#[test]
fn line_breaks_are_free_left_of_a_relation_and_after_a_sign() {
    assert_eq!(
        row("r\n:\n2\nx\n+\ny\n<=\n3 \\ comment\n"),
        row("2 x + y <= 3")
    );
    assert_eq!(row("x <= 3 -\n y"), row("x <= 3 - y"));
    assert_eq!(row("1 <= x\n<= 3"), row("1 <= x <= 3"));
}

#[test]
fn a_line_after_a_right_hand_side_is_a_new_row() {
    for (text, rows) in [
        ("x <= 3\ny <= 4", 2),
        ("x <= 3\n+ y <= 4", 2),
        ("x <= 3\n- y <= 4\n2 x >= 1", 3),
        ("x = y\ne1 <= 2", 2),
        ("x <= 3 y\n2 e1 <= 2", 2),
    ] {
        assert_eq!(read(&native(text)).program.rows().len(), rows, "{text}");
    }
}

#[test]
fn keywords_come_in_any_case_and_every_spelling() {
    let meant = parse_qip("minimize x subject to r: x >= 1 prefix exists binary x end").unwrap();
    for opening in ["Subject To", "SUCH THAT", "st", "S.T.", "subject\nto"] {
        for sense in ["MINIMIZE", "min", "Minimise"] {
            let text = format!("{sense} x {opening} r: x >= 1 PREFIX Exists BINARY x End");
            assert_eq!(parse_qip(&text).unwrap(), meant, "{text}");
        }
    }
    for sense in ["max", "Maximize", "MAXIMISE"] {
        let text = format!("{sense} x prefix exists binary x end");
        let program = parse_qip(&text).unwrap();
        assert_eq!(program.objective().unwrap().sense, Sense::Maximize);
    }
    for generals in ["GENERALS", "general", "Integers"] {
        let text = format!("MIN BOUNDS 0 <= n <= 5\n{generals} n EXISTS n ORDER n END");
        let variable = read(&text)
            .program
            .variables()
            .iter()
            .next()
            .unwrap()
            .clone();
        assert_eq!(variable.kind, Kind::Integer);
    }
}

#[test]
fn names_may_hold_what_the_grammar_lists() {
    let text = "minimize x[1,2] + e1 + _a' + b@c#d + f.g. prefix \
                exists binary x[1,2] e1 _a' b@c#d f.g. end";
    let names: Vec<_> = parse_qip(text)
        .unwrap()
        .variables()
        .iter()
        .map(|v| v.name.clone())
        .collect();
    assert_eq!(names, ["x[1,2]", "e1", "_a'", "b@c#d", "f.g."]);
}

#[test]
fn objectives_have_names_and_constants_or_are_absent() {
    let objective = |text: &str| {
        parse_qip(&format!("{text} prefix exists binary x end"))
            .unwrap()
            .objective()
            .cloned()
    };
    let named = objective("maximize gain: 2 x - 3 + 1/2").unwrap();
    assert_eq!(
        (named.name.as_deref(), named.constant),
        (Some("gain"), ratio(-5, 2))
    );
    assert_eq!(objective(""), None);
    assert_eq!(objective("minimize"), None);
    assert!(objective("minimize 0").unwrap().terms.is_empty());
    assert_eq!(
        objective("minimize cost:").unwrap().name.as_deref(),
        Some("cost")
    );
}

#[test]
fn a_prefix_gives_quantifiers_kinds_and_bounds_in_order() {
    let program = parse_qip(
        "prefix forall binary a b exists integer c in [-3, 7/2] d in_ in [0,1e1]
         exists real f in [-inf,inf] g end",
    );
    assert!(program.is_err(), "`d` stands where a quantifier belongs");
    let program = parse_qip(
        "prefix forall binary a b exists integer c in [-3, 7/2] exists integer d in_ in [0,1e1]
         exists real f in [-inf,inf] exists real g end",
    )
    .unwrap();
    let blocks: Vec<_> = program
        .blocks()
        .iter()
        .map(quip::program::Block::len)
        .collect();
    assert_eq!(blocks, [2, 5]);
    let bounds: Vec<_> = program
        .variables()
        .iter()
        .map(|v| v.bounds.clone())
        .collect();
    let from_zero = Bounds {
        lower: Some(int(0)),
        upper: None,
    };
    let ten = Bounds::between(int(0), int(10));
    assert_eq!(
        bounds[1..4],
        [
            Bounds::unit(),
            Bounds::between(int(-3), ratio(7, 2)),
            ten.clone()
        ]
    );
    assert_eq!(bounds[4..], [ten, Bounds::free(), from_zero]);
}

#[test]
fn bounds_of_the_dialect_come_in_every_form() {
    for (form, lower, upper) in [
        ("1 <= x <= 4", Some(1), Some(4)),
        ("4 >= x >= 1", Some(1), Some(4)),
        ("x <= 4", Some(0), Some(4)),
        ("x >= 1\nx <= 4", Some(1), Some(4)),
        ("1 <= x\nx <= inf", Some(1), None),
        ("x = 3", Some(3), Some(3)),
        ("x free", None, None),
        ("-inf <= x <= +inf", None, None),
        ("-Infinity <= x\nx <= -4", None, Some(-4)),
        ("-2<=x<=-1", Some(-2), Some(-1)),
    ] {
        let text = format!("MIN BOUNDS\n{form}\nEXISTS x ORDER x END");
        let variable = read(&text)
            .program
            .variables()
            .iter()
            .next()
            .unwrap()
            .clone();
        let expected = Bounds {
            lower: lower.map(int),
            upper: upper.map(int),
        };
        assert_eq!(variable.bounds, expected, "{form}");
        assert_eq!(variable.kind, Kind::Real);
    }
}

#[test]
fn binaries_need_no_bounds_but_may_be_fixed() {
    let text = "MIN BOUNDS y = 1\nBINARIES x y EXISTS x ALL y ORDER y x END";
    let program = read(text).program;
    let [y, x] = program.variables().as_slice() else {
        panic!("two variables");
    };
    assert_eq!(
        (y.quantifier, y.bounds.clone()),
        (Quantifier::Forall, Bounds::between(int(1), int(1)))
    );
    assert!(x.is_binary() && x.quantifier == Quantifier::Exists);
}

#[test]
fn old_universal_rows_are_told_by_their_name() {
    let tail = "BINARIES x EXISTS x ORDER x END";
    let count = |rows: &str| {
        let program = read(&format!("MIN SUBJECT TO\n{rows}\n{tail}")).program;
        (program.rows().len(), program.universal_rows().len())
    };
    assert_eq!(
        count("U_1: x <= 1\nr: x >= 0\nU_2: x >= 0\nu_3: x <= 2"),
        (2, 2)
    );
    assert_eq!(
        count("U_1: x <= 1\nUNCERTAINTY SUBJECT TO\nr: x >= 0"),
        (1, 1)
    );
    assert_eq!(count("U_1: x <= 1\nUNCERTAINTY"), (1, 0));
    let native = parse_qip("st U_1: x <= 1 prefix exists binary x end").unwrap();
    assert_eq!((native.rows().len(), native.universal_rows().len()), (1, 0));
}

#[test]
fn line_ends_tabs_and_a_byte_order_mark_do_not_matter() {
    let text = native("r: x + 2 y <= 3\n\ty >= 1");
    let meant = read(&text).program;
    for variant in [
        text.replace('\n', "\r\n"),
        text.replace('\n', "\r"),
        text.replace(' ', "\t"),
        format!("\u{feff}{text}"),
        text.trim_end().to_owned(),
    ] {
        assert_eq!(read(&variant).program, meant, "{variant:?}");
    }
}

#[test]
fn the_format_is_told_by_content_then_by_name() {
    let format = |name: &str, text: &str| -> Reading { read_bytes(name, text.as_bytes()).unwrap() };
    assert_eq!(format("a.qip", &dialect("x <= 1")).format, Format::Qlp);
    assert_eq!(format("a.qlp.gz", &native("x <= 1")).format, Format::Qip);
}

#[test]
fn a_program_may_have_no_variables_at_all() {
    let program = parse_qip("minimize 3 subject to r: 0 <= 1 prefix end").unwrap();
    assert!(program.variables().is_empty() && program.rows().len() == 1);
}
