//! The file formats, from the outside: every fault one by one, every meaning, round trips, bytes
//! of any kind, the examples of the grammar page, and the public instances.

#![expect(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

mod any_bytes;
mod faults;
mod grammar;
mod indexed;
mod instances;
mod layout;
mod look;
mod meanings;
mod plain;
mod round_trip;
mod warnings;

use quip::format::{Diagnostic, Reading, read_bytes};

/// The models that are shared beside the checkout, if they are there.
fn shared() -> Option<std::path::PathBuf> {
    let beside = || std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared");
    let folder = std::env::var_os("QUIP_SHARED").map_or_else(beside, Into::into);
    folder.join("instances").is_dir().then_some(folder)
}

/// Reads a text that must be in order; the format is told by its content.
fn read(text: &str) -> Reading {
    read_bytes("model", text.as_bytes()).unwrap_or_else(|faults| panic!("{text}\n{faults}"))
}

/// The diagnostics of `text` must be `codes`, in this order, the k-th at the k-th `¦`.
fn assert_places(found: &[Diagnostic], marked: &str, codes: &[&str]) {
    let shown: Vec<_> = found.iter().map(|one| one.code.as_str()).collect();
    assert_eq!(
        shown,
        codes,
        "{marked}\n{}",
        quip::format::render(found, false)
    );
    let pieces: Vec<_> = marked.split('¦').collect();
    assert_eq!(
        pieces.len() - 1,
        codes.len(),
        "one mark per code in {marked}"
    );
    let mut before = String::new();
    for (one, piece) in found.iter().zip(&pieces) {
        before.push_str(piece);
        let label = &one.labels[0];
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or("").chars().count() + 1;
        let place = (label.span.start, label.line, label.column);
        assert_eq!(
            place,
            (before.len(), line, column),
            "{marked}\n{}",
            one.render(false)
        );
    }
}

/// `marked` must be refused with `codes` at its marks.
fn refused(marked: &str, codes: &[&str]) {
    let text = marked.replace('¦', "");
    match read_bytes("model", text.as_bytes()) {
        Ok(_) => panic!("read without an error:\n{text}"),
        Err(faults) => assert_places(faults.errors(), marked, codes),
    }
}

/// A native model around `rows`, with variables `x`, `y` and `e1`.
fn native(rows: &str) -> String {
    format!(
        "minimize x\nsubject to\n{rows}\nprefix\nexists integer x y in [0, 9]\n\
         exists integer e1 in [0, 9]\nend\n"
    )
}

/// The same in Yasol's dialect, with `e2` for `e1`.
fn dialect(rows: &str) -> String {
    format!(
        "MINIMIZE\nx\nSUBJECT TO\n{rows}\nBOUNDS\n0<=x<=9\n0<=y<=9\n0<=e2<=9\n\
         GENERALS\nx y e2\nEXISTS\nx y e2\nALL\nORDER\nx y e2\nEND\n"
    )
}
