//! How diagnostics look.

use quip::format::{Code, Diagnostics, ReadError, read_bytes, read_path};

const MODEL: &str = "minimize
  cost: 10 open
subject to
  serve: q - demnd >= 0
prefix
  exists binary open
  forall integer demand in [0, 3]
  exists integer q in [0, 3]
end
";

fn faults(text: &str) -> Diagnostics {
    read_bytes("lot.qip", text.as_bytes()).unwrap_err()
}

#[test]
fn a_fault_shows_its_line_a_caret_and_a_remedy() {
    let expected = "\
error[E102]: variable `demnd` is not declared
  ┌─ lot.qip:4:14
4 │   serve: q - demnd >= 0
  │              ^^^^^ not declared
  = help: did you mean `demand`?
";
    assert_eq!(faults(MODEL).render(false), expected);
    assert_eq!(faults(MODEL).to_string(), expected);
}

#[test]
fn a_second_place_explains_the_first() {
    let text = MODEL
        .replace("demnd", "demand")
        .replace("integer q", "integer open");
    let expected = "\
error[E101]: `open` is declared twice
  ┌─ lot.qip:8:18
6 │   exists binary open
  │                 ---- first here
7 │   forall integer demand in [0, 3]
8 │   exists integer open in [0, 3]
  │                  ^^^^ again here
  = help: remove one, or rename it
";
    let shown = faults(&text).render(false);
    let without_neighbour: String = expected
        .lines()
        .filter(|line| !line.starts_with('7'))
        .map(|line| format!("{line}\n"))
        .collect();
    assert!(shown.ends_with(&without_neighbour), "{shown}");
}

#[test]
fn colours_change_nothing_but_the_colours() {
    let colored = faults(MODEL).render(true);
    assert!(colored.contains("\u{1b}["));
    let mut plain = String::new();
    for (number, piece) in colored.split('\u{1b}').enumerate() {
        plain.push_str(if number == 0 {
            piece
        } else {
            piece.split_once('m').unwrap().1
        });
    }
    let trimmed: String = plain
        .lines()
        .map(|line| format!("{}\n", line.trim_end()))
        .collect();
    assert_eq!(trimmed, faults(MODEL).render(false));
}

#[test]
fn a_fault_in_a_line_of_a_million_bytes_is_still_readable() {
    let sum = "x + ".repeat(250_000);
    let text = format!("minimize {sum} zz + {sum} x prefix exists binary x end");
    let shown = faults(&text).render(false);
    assert!(shown.len() < 1000, "{} bytes", shown.len());
    assert!(shown.contains("lot.qip:1:1000011"), "{shown}");
    assert!(shown.contains("^^ not declared"), "{shown}");
}

#[test]
fn a_file_that_cannot_be_opened_differs_from_one_that_is_wrong() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("model.qip");
    assert!(matches!(read_path(&path), Err(ReadError::Io { .. })));
    assert!(matches!(
        read_path(folder.path()),
        Err(ReadError::Io { .. })
    ));
    std::fs::write(&path, "nonsense").unwrap();
    assert!(matches!(read_path(&path), Err(ReadError::Model(_))));
}

#[test]
fn every_code_has_its_own_mark() {
    let marks: std::collections::HashSet<_> = Code::ALL.iter().map(|code| code.as_str()).collect();
    assert_eq!(marks.len(), Code::ALL.len());
}
