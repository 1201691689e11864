//! What is read, but not in silence. `¦` marks where the caret must stand.

use crate::{assert_places, dialect, native, read};

fn warned(marked: &str, codes: &[&str]) {
    let reading = read(&marked.replace('¦', ""));
    assert_places(&reading.warnings, marked, codes);
}

#[test]
fn a_sound_file_gives_no_warning() {
    warned(&native("x + y <= 3"), &[]);
    warned(&dialect("x + y <= 3"), &[]);
}

#[test]
fn an_empty_domain_is_a_loss_not_an_error() {
    warned("prefix exists integer ¦x in [3, 2] end", &["W501"]);
    warned("prefix forall integer ¦x in [1/3, 2/3] end", &["W501"]);
    warned("MIN BOUNDS x <= -1\nEXISTS x ORDER ¦x END", &["W501"]);
}

#[test]
fn odd_relations_are_read_as_the_usual_ones() {
    warned(
        &native("x ¦< 3\nx ¦> 1\nx ¦=< 3\nx ¦=> 1"),
        &["W502", "W502", "W502", "W502"],
    );
    let meant = read(&native("x <= 3\nx >= 1\nx <= 3\nx >= 1"));
    assert_eq!(
        read(&native("x < 3\nx > 1\nx =< 3\nx => 1")).program,
        meant.program
    );
}

#[test]
fn a_constant_beside_the_variables_counts_but_yasol_ignores_it() {
    warned(&dialect("x + ¦3 <= 5"), &["W503"]);
    warned(&native("x + 3 <= 5"), &[]);
    let counted = read(&dialect("x + 3 <= 5")).program;
    assert_eq!(counted, read(&dialect("x <= 2")).program);
}

#[test]
fn crossed_sides_of_a_row_are_a_loss_not_an_error() {
    warned(&native("¦3 <= x <= 1"), &["W504"]);
    warned(&native("¦r: 3 <= x <= 1"), &["W504"]);
}

#[test]
fn a_missing_upper_bound_is_pointed_out_in_the_dialect() {
    warned("MIN EXISTS x ORDER ¦x END", &["W505"]);
    warned("MIN BOUNDS x <= inf\nEXISTS x ORDER x END", &[]);
}

#[test]
fn bounds_glued_to_their_keyword_are_a_name() {
    warned("prefix exists real x ¦in[0,2] end", &["W506"]);
    warned("prefix exists real in[0,2] end", &[]);
}

#[test]
fn warnings_come_beside_errors_too() {
    let text = native("x < 3\nz <= 1");
    let faults = quip::format::read_bytes("m", text.as_bytes()).unwrap_err();
    assert_eq!((faults.errors().len(), faults.warnings().len()), (1, 1));
    assert!(faults.render(false).contains("warning[W502]"));
}
