//! What files in the wild do, one by one, and what is refused.

use quip::format::{
    Diagnostic, Format, WriteError, parse_qip, read_bytes, write_qcir, write_qdimacs,
};
use quip::program::{Program, Quantifier};

use crate::read;

fn codes(found: &[Diagnostic]) -> Vec<&'static str> {
    found.iter().map(|one| one.code.as_str()).collect()
}

/// The text must be read like `plain`, with these warnings.
fn same(text: &str, plain: &str, warnings: &[&str]) {
    let reading = read(text);
    assert_eq!(codes(&reading.warnings), warnings, "{text}");
    assert_eq!(reading.program, read(plain).program, "{text}");
}

/// The text must be refused with this code at this line and column.
fn refused(text: &str, code: &str, place: (usize, usize)) {
    let faults = read_bytes("formula", text.as_bytes())
        .map(|_| ())
        .unwrap_err();
    assert_eq!(codes(faults.errors()), [code], "{text}\n{faults}");
    let label = &faults.errors()[0].labels[0];
    assert_eq!((label.line, label.column), place, "{text}\n{faults}");
    assert!(
        faults.errors()[0].help.is_some() || code == "E201",
        "{faults}"
    );
}

const PLAIN: &str = "p cnf 3 2\na 1 0\ne 2 3 0\n1 -2 0\n2 3 0\n";

fn blocks(program: &Program) -> Vec<(Quantifier, usize)> {
    let blocks = program.blocks().iter();
    blocks
        .map(|block| (block.quantifier, block.len()))
        .collect()
}

#[test]
fn equal_neighbouring_blocks_are_one() {
    same(
        "p cnf 3 2\na 1 0\ne 2 0\ne 3 0\n1 -2 0\n2 3 0\n",
        PLAIN,
        &[],
    );
}

#[test]
fn a_universal_block_may_stand_last() {
    let program = read("p cnf 2 1\ne 1 0\na 2 0\n1 2 0\n").program;
    assert_eq!(
        blocks(&program),
        [(Quantifier::Exists, 1), (Quantifier::Forall, 1)]
    );
}

#[test]
fn without_a_prefix_everything_is_existential() {
    same("p cnf 2 1\n2 -1 0\n", "p cnf 2 1\ne 1 2 0\n2 -1 0\n", &[]);
}

#[test]
fn free_variables_are_existential_and_outermost() {
    same(
        "p cnf 3 1\na 1 0\n3 1 2 0\n",
        "p cnf 3 1\ne 2 3 0\na 1 0\n3 1 2 0\n",
        &["W603"],
    );
}

#[test]
fn wrong_counts_are_warned_about() {
    same(&PLAIN.replace("p cnf 3 2", "p cnf 3 7"), PLAIN, &["W601"]);
    same(&PLAIN.replace("p cnf 3 2", "p cnf 2 2"), PLAIN, &["W602"]);
}

#[test]
fn comments_may_stand_anywhere() {
    same(
        "c a\n\nc\np cnf 3 2\nc b\na 1 0\ne 2 3 0\n1\nc c\n-2 0\ncd\n2 3 0\nc",
        PLAIN,
        &[],
    );
}

#[test]
fn line_breaks_are_free() {
    same("p cnf 3 2\na 1 0 e 2\n3 0 1 -2 0 2\n\n3\n0", PLAIN, &[]);
    same(
        "p\tcnf  3 2 \r\na 1 0\r\ne 2 3 0\r\n1 -2 0\r\n2 3 0",
        PLAIN,
        &[],
    );
}

#[test]
fn tautologies_go_and_repeated_literals_count_once() {
    same(
        "p cnf 3 3\na 1 0\ne 2 3 0\n1 -2 1 0\n3 -3 1 0\n2 3 3 0\n",
        PLAIN,
        &[],
    );
}

#[test]
fn gzip_is_transparent() {
    use std::io::Write;
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(PLAIN.as_bytes()).unwrap();
    let reading = read_bytes("f.qdimacs.gz", &encoder.finish().unwrap()).unwrap();
    assert_eq!(
        (reading.format, reading.program),
        (Format::Qdimacs, read(PLAIN).program)
    );
}

#[test]
fn faults_of_clause_files_are_located() {
    refused("p cnf x 2\n", "E301", (1, 1));
    refused("c only\nc comments\np cnf\n", "E301", (3, 1));
    refused("p cnf 2 1\ne 1 0\ne 1 0\n1 0\n", "E101", (3, 3));
    refused("p cnf 2 1\n1 0\ne 2 0\n", "E201", (3, 1));
    refused("p cnf 2 1\ne 1 -2 0\n1 0\n", "E301", (2, 5));
    refused("p cnf 2 1\n1 2\n", "E201", (3, 1));
    refused("p cnf 2 1\ne 1 2\na 3 0\n1 0\n", "E201", (3, 1));
    refused("p cnf 2 1\n1 y 0\n", "E301", (2, 3));
    refused("p cnf 2 1\n1 99999999999 0\n", "E302", (2, 3));
    refused("p cnf 2 1\na 1 0\nd 2 1 0\n2 0\n", "E601", (3, 1));
    refused("p cnf 2 1\n1 0\np cnf 2 1\n", "E205", (3, 1));
    let faults = read_bytes("f.qdimacs", b"e 1 0\n1 0\n").unwrap_err();
    assert_eq!(codes(faults.errors()), ["E206"]);
}

const CIRCUIT: &str = "#QCIR-G14\nforall(x)\nexists(y)\noutput(-g)\ng = and(x, -h)\nh = or(y, x)\n";

#[test]
fn keywords_of_circuits_may_be_in_any_case_and_names_are_not() {
    let text = "#qcir-g14 4\nForAll(x)\nEXISTS(y)\nOutput(-g)\ng=AND(x,-h)\nh=oR(y,x)";
    same(text, CIRCUIT, &[]);
    refused("#QCIR-G14\nexists(x)\noutput(X)\n", "E102", (3, 8));
}

#[test]
fn gates_come_in_any_order_and_dead_ones_go() {
    let text = "# note\n#QCIR-14\n\nforall(x)\nexists( )\nexists( y )\noutput( -g )\nd = xor(x, y)\n\
                h = or(y, # here\n  x)\ng = and(x, -h)";
    same(text, CIRCUIT, &[]);
}

#[test]
fn an_empty_gate_is_its_neutral_element() {
    for (text, answer) in [
        ("g = and()", true),
        ("g = or()", false),
        ("g = and(-h)\nh = or()", true),
    ] {
        let program = read(&format!("#QCIR-G14\noutput(g)\n{text}\n")).program;
        crate::assert_answer(&program, answer, &|| text.to_owned());
    }
}

#[test]
fn the_output_may_be_a_variable() {
    let program = read("#QCIR-G14\nfree(x)\noutput(-x)\n").program;
    assert_eq!(
        write_qdimacs(&program).unwrap(),
        "c 1 x\np cnf 1 1\ne 1 0\n-1 0\n"
    );
}

#[test]
fn gates_are_quantified_where_they_are_determined() {
    let text = "#QCIR-G14\nexists(a)\nforall(b)\nexists(c)\nforall(d)\noutput(o)\n\
                o = or(g, h, k)\ng = and(a, -b)\nh = xor(c, b)\nk = and(d, a)\n";
    let program = read(text).program;
    let names: Vec<_> = program
        .variables()
        .iter()
        .map(|it| it.name.as_str())
        .collect();
    assert_eq!(names, ["a", "b", "g", "c", "h", "d", "k"]);
}

#[test]
fn numbers_become_names_and_stay_numbers() {
    let program = read("#QCIR-G14 4\nexists(1, free)\noutput(4)\n4 = xor(1, free)\n").program;
    let names: Vec<_> = program
        .variables()
        .iter()
        .map(|it| it.name.as_str())
        .collect();
    assert_eq!(names, ["x1", "xfree"]);
}

#[test]
fn faults_of_circuits_are_located() {
    refused("#QCIR-G14\nexists(x)\n", "E206", (3, 1));
    refused("#QCIR-G14\nexists(x, x)\noutput(x)\n", "E101", (2, 11));
    refused(
        "#QCIR-G14\nexists(x)\noutput(g)\ng = and(x)\ng = or(x)\n",
        "E101",
        (5, 1),
    );
    refused(
        "#QCIR-G14\nexists(x)\noutput(g)\ng = and(x, h)\nh = or(g)\n",
        "E602",
        (4, 1),
    );
    refused(
        "#QCIR-G14\nexists(x)\noutput(x)\nd = and(d)\n",
        "E602",
        (4, 1),
    );
    refused(
        "#QCIR-G14\nexists(x)\noutput(g)\ng = xor(x)\n",
        "E603",
        (4, 1),
    );
    refused(
        "#QCIR-G14\nexists(x)\noutput(g)\ng = ite(x, x)\n",
        "E603",
        (4, 1),
    );
    refused(
        "#QCIR-G14\nexists(x)\noutput(g)\ng = exists(y; y, x)\n",
        "E603",
        (4, 1),
    );
    refused(
        "#QCIR-G14\nexists(x)\noutput(g)\ng = nand(x)\n",
        "E201",
        (4, 5),
    );
    refused(
        "#QCIR-G14\nexists(x)\noutput(x)\noutput(x)\n",
        "E205",
        (4, 1),
    );
    refused("#QCIR-G14\nexists(x)\noutput(x\n", "E201", (4, 1));
    refused("#QCIR-G14\nexists(x)\noutput(~x)\n", "E202", (3, 8));
    refused(
        "#QCIR-G14\noutput(g)\ng = and(h, x)\nh = exists(x; x)\n",
        "E102",
        (3, 12),
    );
    refused(
        "#QCIR-G14\noutput(x)\ng = and()\nexists(x)\n",
        "E201",
        (4, 1),
    );
    refused(
        "#QCIR-G14\nexists(x)\noutput(x)\nassume(x)\n",
        "E201",
        (4, 1),
    );
}

#[test]
fn only_formulas_in_clauses_are_written() {
    let reasons = [
        ("minimize x prefix exists binary x end", "an objective"),
        ("prefix exists integer x in [0, 2] end", "`x` is not 0/1"),
        (
            "uncertainty x <= 1 prefix forall binary x end",
            "universal player",
        ),
        (
            "subject to cap: 2 x + y <= 2 prefix exists binary x y end",
            "row `cap`",
        ),
        (
            "subject to x + y = 1 prefix exists binary x y end",
            "row number 1",
        ),
    ];
    for (text, reason) in reasons {
        let program = parse_qip(text).unwrap();
        for refused in [write_qdimacs(&program), write_qcir(&program)] {
            let refused = refused.unwrap_err();
            assert!(matches!(refused, WriteError::NotClausal { .. }), "{text}");
            assert!(refused.to_string().contains(reason), "{refused}");
        }
    }
}

#[test]
fn clauses_on_either_side_of_a_row_are_written() {
    let program =
        parse_qip("subject to x - y <= 0 prefix forall binary x exists binary y end").unwrap();
    assert_eq!(
        write_qdimacs(&program).unwrap(),
        "c 1 x\nc 2 y\np cnf 2 1\na 1 0\ne 2 0\n-1 2 0\n"
    );
}

#[test]
fn names_that_circuits_do_not_know_are_replaced() {
    let text = "subject to x[1] + x_1_ >= 1 prefix exists binary x[1] x_1_ end";
    let written = write_qcir(&parse_qip(text).unwrap()).unwrap();
    assert!(written.contains("exists(x_1_, x_1__2)"), "{written}");
}
