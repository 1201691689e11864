//! No bytes make the reader panic or hang, and what it says about them can be shown.

use proptest::prelude::*;
use quip::format::{Beside, outline, parse_qip, read_bytes, render, write_qip, write_qlp};

use crate::{dialect, native};

/// Reads, shows whatever there is to show, and writes what could be read.
fn survive(bytes: &[u8]) {
    // What is no text to an editor is none to this.
    if let Ok(text) = str::from_utf8(bytes)
        && !text.contains(['\0', '\u{feff}'])
    {
        outlined(text);
    }
    for name in [
        "any.qip",
        "any.qlp",
        "any.qdimacs",
        "any.qcir",
        "any.lp",
        "any.mps",
        "any.aux",
    ] {
        match read_bytes(name, bytes) {
            Ok(reading) => {
                render(&reading.warnings, true);
                let again = parse_qip(&write_qip(&reading.program)).unwrap();
                assert_eq!(again, reading.program);
                let text = write_qlp(&reading.program).unwrap();
                assert_eq!(read_bytes("m", text.as_bytes()).unwrap().program, again);
            }
            Err(faults) => {
                assert!(!faults.errors().is_empty());
                faults.render(true);
                faults.render(false);
            }
        }
    }
}

/// What an editor asks of a text while it is typed: every name where it says that it is.
fn outlined(text: &str) {
    let outline = outline("any.qip", text, &Beside::default());
    let reading = read_bytes("any.qip", text.as_bytes());
    assert_eq!(outline.reading.is_ok(), reading.is_ok());
    let program = reading.as_ref().ok().map(|reading| &reading.program);
    for symbol in &outline.symbols {
        symbol.describe(program);
        for place in symbol.places() {
            let found = &text[place];
            let inside = found.get(1..found.len().saturating_sub(1));
            assert!(found == symbol.name || inside == Some(&symbol.name));
        }
    }
}

/// Pieces that a model is made of, and some that it is not.
const PIECES: [&str; 112] = [
    "set T = 1..3\n",
    "set S = {a, b}\n",
    "set",
    "param c[T] = [1, 2, 3]\n",
    "param p = q\n",
    "param",
    "sum{t in T}",
    "sum{",
    "x[t]",
    "x[t in T]",
    "r[t in T where t > 1]:",
    "where",
    "for",
    "stage t in T:",
    "exists real x[t] in [0, c[t]];",
    "if t = 1 then 2 else 3",
    "1..99999999",
    "cross",
    "{",
    "}",
    "(",
    "and",
    "or",
    "not",
    "in",
    "implies",
    "when",
    "'a b'",
    "NAME x\n",
    "ROWS\n",
    " N obj\n",
    " L r\n",
    " E s\n",
    "COLUMNS\n",
    " x r 1\n",
    " y obj -2 s 1e3\n",
    " M 'MARKER' 'INTORG'\n",
    "RHS\n",
    " RHS r 4\n",
    "RANGES\n",
    " UP B x 3\n",
    " MI B y\n",
    "ENDATA\n",
    "model \"a.mps\"\n",
    "Subject To\n",
    "Generals\n",
    "->",
    "@VARSBEGIN\n",
    "p cnf 3 2\n",
    "#QCIR-G14\n",
    "output(x)",
    "x = and(y, -z)",
    "g = xor(x, y)",
    "forall(",
    ")",
    ";",
    "-2 0",
    "0",
    "a 1 0",
    "e 2 3 0",
    "minimize",
    "max",
    "subject to",
    "such that",
    "st",
    "uncertainty",
    "prefix",
    "exists",
    "forall",
    "binary",
    "integer",
    "real",
    "in",
    "[0, 3]",
    "[",
    "]",
    ",",
    "inf",
    "-inf",
    "end",
    "BOUNDS",
    "BINARIES",
    "GENERALS",
    "EXISTS",
    "ALL",
    "ORDER",
    "free",
    "x",
    "y",
    "e1",
    "2e1",
    "2e",
    "3x",
    "7/3",
    "1/0",
    "0.5",
    "+",
    "-",
    "<=",
    ">=",
    "=",
    "<",
    "=>",
    ":",
    "r:",
    "U_1:",
    "\n",
    "\n",
    "\\ note\n",
    "é",
    "*",
    "1e-1000",
];

fn model() -> impl Strategy<Value = String> {
    prop_oneof![
        Just(native("r: 1 <= x + 2 y <= 3\n2e1 x = y - 3 e1\nx <= inf")),
        Just(dialect("U_1: x - 2e2 >= 3\n1.5 y + 2 <= 7/3")),
        Just("p cnf 3 2\na 1 0\ne 2 3 0\n1 -2 0\n2 3 -1 0\n".to_owned()),
        Just(
            "#QCIR-G14\nforall(x)\nexists(y)\noutput(-g)\ng = and(x, -h)\n\
             h = exists(y, z; k)\nk = ite(x, y, -z)\n"
                .to_owned()
        ),
        Just(dialect("x < 3\nUNCERTAINTY SUBJECT TO\ne2 >= 1")),
        Just(include_str!("../../models/plain/plan.mps").to_owned()),
        Just(include_str!("../../models/sets/commitment-stages.qip").to_owned()),
        Just(include_str!("../../models/sets/lot-sizing.qip").to_owned()),
        Just(include_str!("../../models/plain/cover.lp").to_owned()),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn random_bytes_are_survived(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        survive(&bytes);
        survive(&[&[0x1f, 0x8b], bytes.as_slice()].concat());
    }

    #[test]
    fn random_text_is_survived(text in "\\PC{0,80}") {
        survive(text.as_bytes());
    }

    #[test]
    fn heaps_of_words_are_survived(
        words in prop::collection::vec(prop::sample::select(PIECES.as_slice()), 0..60),
        glued in any::<bool>(),
    ) {
        survive(words.join(if glued { "" } else { " " }).as_bytes());
    }

    #[test]
    fn damaged_models_are_survived(
        model in model(),
        edits in prop::collection::vec((any::<prop::sample::Index>(), 0..3, any::<u8>()), 1..6),
    ) {
        let mut bytes = model.into_bytes();
        for (place, what, byte) in edits {
            let at = place.index(bytes.len());
            match what {
                0 => bytes[at] = byte,
                1 => bytes.insert(at, byte),
                _ => { bytes.remove(at); }
            }
        }
        survive(&bytes);
    }

    #[test]
    fn models_cut_anywhere_are_survived(model in model(), place in any::<prop::sample::Index>()) {
        survive(&model.as_bytes()[..place.index(model.len())]);
    }
}

#[test]
fn one_word_a_hundred_thousand_times_takes_no_time() {
    // Sums of tiny powers are honest long arithmetic; everything else is a matter of tokens.
    for piece in PIECES.into_iter().filter(|piece| *piece != "1e-1000") {
        for (before, between) in [
            ("", " "),
            ("", "\n"),
            ("st ", " + "),
            ("prefix exists binary ", " "),
        ] {
            let text = format!("{before}{}", [piece, between].concat().repeat(100_000));
            for name in ["any.qip", "any.qlp", "any.qdimacs", "any.qcir"] {
                if let Err(faults) = read_bytes(name, text.as_bytes()) {
                    assert!(faults.render(false).len() < 50_000, "{piece}");
                }
            }
        }
    }
}
