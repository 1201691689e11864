//! What is refused, with its code and its place. `¦` marks where the caret must stand.

use quip::format::read_bytes;

use crate::{dialect, native, refused};

#[test]
fn an_empty_file_is_refused() {
    refused("¦", &["E004"]);
    refused("¦  \n\\ only a comment\n", &["E004"]);
}

#[test]
fn an_undeclared_variable_is_refused_once_at_its_first_use() {
    refused(&native("x - ¦z >= 0\nz <= 1"), &["E102"]);
    refused(&dialect("x - ¦z >= 0\nz <= 1"), &["E102"]);
}

#[test]
fn a_near_name_is_suggested() {
    let text = "minimize demnd prefix exists binary demand end";
    let faults = read_bytes("m", text.as_bytes()).unwrap_err();
    let help = faults.errors()[0].help.as_deref();
    assert_eq!(help, Some("did you mean `demand`?"));
}

#[test]
fn a_variable_declared_twice_is_refused() {
    refused("prefix exists binary x\nforall binary ¦x end", &["E101"]);
    refused("MIN BINARIES x ¦x EXISTS x ORDER x END", &["E101"]);
    refused("MIN BINARIES x EXISTS x ¦x ORDER x END", &["E101"]);
    refused("MIN BINARIES x EXISTS x ORDER x ¦x END", &["E101"]);
}

#[test]
fn a_keyword_is_no_name() {
    refused(&native("¦order: x <= 1"), &["E103"]);
    refused(&native("x + ¦free <= 1"), &["E103"]);
    refused("prefix exists binary ¦in [0, 1] end", &["E103"]);
    refused("MIN BINARIES x ¦free EXISTS x ORDER x END", &["E103"]);
    refused("MIN BOUNDS 0 <= ¦free <= 1\nORDER END", &["E103"]);
}

#[test]
fn two_rows_of_one_name_are_refused() {
    refused(&native("r: x <= 1\n¦r: y <= 1"), &["E104"]);
    refused(
        "st a: 0 <= 1\nuncertainty ¦a: 0 <= 1\nprefix end",
        &["E104"],
    );
}

#[test]
fn an_infinite_bound_outside_the_last_reals_is_refused_at_the_declaration() {
    refused("prefix exists integer ¦x end", &["E105"]);
    refused(
        "prefix exists real ¦x in [0, inf]\nforall binary y\nexists binary z end",
        &["E105"],
    );
    refused("MIN GENERALS x EXISTS x ORDER ¦x END", &["E105"]);
    refused("MIN BOUNDS -inf <= x <= 3\nALL x ORDER ¦x END", &["E105"]);
}

#[test]
fn words_in_the_wrong_place_are_refused() {
    refused("¦hello world\nprefix end", &["E201"]);
    refused(&native("x ¦y <= 3"), &["E201"]);
    refused(&native("x + ¦<= 3"), &["E201"]);
    refused("st x <= ¦prefix exists binary x end", &["E201"]);
    refused(&native("x <= 3 ¦: y <= 2"), &["E201"]);
    refused(&native("¦: x <= 3"), &["E201"]);
    refused(&native("1¦: x <= 3"), &["E201"]);
    refused("st x + y\n¦prefix exists binary x y end", &["E201"]);
    refused("minimize x ¦y prefix exists binary x y end", &["E201"]);
    refused("st 0 <= 1 ¦subject ¦prefix end", &["E205", "E201"]);
    refused("prefix exists ¦x in [0, 1] end", &["E201"]);
    refused("prefix exists integer x in ¦(0, 1] end", &["E202"]);
    refused("prefix exists integer x in [0 ¦1] end", &["E201"]);
    refused("prefix exists integer x in [0, 1¦) end", &["E202"]);
    refused("prefix exists binary ¦3 end", &["E201"]);
    refused("MIN EXISTS x ¦3 y ORDER x y ¦: END", &["E201", "E201"]);
}

#[test]
fn a_misspelt_section_is_recognised() {
    let text = "minimize x\nsubjct to\nx <= 1\nprefix exists binary x end";
    let faults = read_bytes("m", text.as_bytes()).unwrap_err();
    let help = faults.errors()[0].help.as_deref();
    assert_eq!(help, Some("did you mean `subject to`?"));
}

#[test]
fn strange_characters_are_refused() {
    refused(&native("3 ¦* x <= 3"), &["E202"]);
    refused(&native("7 ¦/ 3 x <= 3"), &["E202"]);
    refused(&native("x ¦≤ 3"), &["E202"]);
    refused(&native("x <= 3¦;"), &["E202"]);
    refused(&native("¦(x + y) <= 3"), &["E202"]);
    refused(&native("x ¦<> 3"), &["E202"]);
}

#[test]
fn the_file_must_close_with_end_and_nothing_after_it() {
    refused("prefix exists binary x¦", &["E203"]);
    refused("prefix exists binary x end\n¦x", &["E204"]);
}

#[test]
fn a_section_comes_once() {
    refused("min ¦max prefix end", &["E205"]);
    refused("st 0 <= 1 ¦s.t. 0 <= 2 prefix end", &["E205"]);
    refused("prefix ¦prefix end", &["E205"]);
    refused("MIN ORDER ¦ORDER END", &["E205"]);
    refused("MIN BOUNDS ¦BOUNDS ORDER END", &["E205"]);
    refused("MIN BINARIES ¦BINARY ORDER END", &["E205"]);
}

#[test]
fn the_variables_must_be_quantified() {
    refused("end¦", &["E206"]);
    refused("minimize x end¦", &["E206"]);
    refused("MIN x BINARIES x EXISTS x END¦", &["E206"]);
}

#[test]
fn the_two_ways_to_quantify_do_not_mix() {
    refused("prefix exists binary x ¦ORDER x END", &["E207"]);
    refused("prefix exists binary x ¦BOUNDS x <= 1\nend", &["E207"]);
    refused("MIN BINARIES x EXISTS x ORDER x ¦prefix end", &["E207"]);
}

#[test]
fn two_relations_must_make_a_range() {
    refused(&native("x <= y ¦<= 3"), &["E208"]);
    refused(&native("1 <= x ¦>= 3"), &["E208"]);
    refused(&native("1 = x ¦= 3"), &["E208"]);
    refused(&native("1 <= x ¦<= y"), &["E208"]);
    refused(&native("1 <= x <= 3 ¦<= 4"), &["E201"]);
}

#[test]
fn a_line_that_could_go_either_way_is_refused() {
    refused(&native("1 <= x\n ¦+ y <= 3"), &["E209"]);
    refused(&native("x = y\n ¦- e1 <= 3"), &["E209"]);
}

#[test]
fn numbers_that_are_none_are_refused() {
    refused(&native("¦1..5 x <= 3"), &["E301"]);
    refused(&native("¦1.5/2 x <= 3"), &["E301"]);
    refused(&native("1/2¦/3 x <= 3"), &["E202"]);
    refused(&native("¦1/0 x <= 3"), &["E303"]);
    refused(&native("x <= ¦NaN"), &["E102"]);
}

#[test]
fn numbers_too_long_to_be_data_are_refused() {
    refused(&native("x <= ¦1e1001"), &["E302"]);
    refused(
        &native(&format!("x <= ¦{}", "9".repeat(100_000))),
        &["E302"],
    );
    refused(
        &native(&format!("x <= ¦0.{}", "1".repeat(100_000))),
        &["E302"],
    );
    refused(
        "prefix exists integer x in [0, ¦1e99999999999999999999] end",
        &["E302"],
    );
}

#[test]
fn sums_that_grow_without_end_are_refused_in_time() {
    let fractions: Vec<_> = (1..50_000)
        .map(|k| format!("1/{}", 1_000_000_000_000_u64 + 2 * k + 1))
        .collect();
    for (joint, before) in [(" + ", "st r: "), (" x + ", "min ")] {
        let text = format!(
            "{before}{} x >= 0 prefix exists binary x end",
            fractions.join(joint)
        );
        let text = if before == "min " {
            text.replace(">= 0", "")
        } else {
            text
        };
        let faults = read_bytes("m", text.as_bytes()).unwrap_err();
        assert!(
            faults
                .errors()
                .iter()
                .all(|fault| fault.code.as_str() == "E302"),
            "{faults}"
        );
    }
    refused(
        &format!(
            "prefix exists real x in [¦0.{}1e-999, 3] end",
            "0".repeat(900)
        ),
        &["E302"],
    );
}

#[test]
fn infinity_is_only_a_bound() {
    refused(&native("inf ¦x <= 3"), &["E201"]);
    refused(&native("x + ¦inf <= 3"), &["E304"]);
    refused(&native("x <= ¦-inf"), &["E304"]);
    refused(&native("x = ¦inf"), &["E304"]);
    refused(&native("¦inf + x <= 3"), &["E304"]);
    refused("minimize ¦inf prefix end", &["E304"]);
    refused("prefix exists real x in [¦inf, 3] end", &["E304"]);
    refused("prefix exists real x in [0, ¦-inf] end", &["E304"]);
    refused("MIN BOUNDS ¦x = inf\nEXISTS x ORDER x END", &["E304"]);
}

#[test]
fn an_exponent_that_could_be_a_name_is_refused() {
    refused(&native("¦2e1x <= 3"), &["E305"]);
    refused(&native("x <= ¦3e1_a"), &["E305"]);
    refused(&dialect("x <= ¦2e2"), &["E305"]);
    let objective = "MAXIMIZE x + ¦2e2 SUBJECT TO BINARIES x e2 EXISTS x e2 ORDER x e2 END";
    refused(objective, &["E305"]);
    let signed = "MAXIMIZE SUBJECT TO x + ¦2e+2 <= 3\nBINARIES x e EXISTS x e ORDER x e END";
    refused(signed, &["E305"]);
}

#[test]
fn owners_and_order_must_agree() {
    refused("MIN BINARIES x y EXISTS x ¦y ORDER x END", &["E401"]);
    refused("MIN BINARIES x EXISTS x ALL ¦x ORDER x END", &["E402"]);
    refused("MIN BINARIES x ORDER ¦x END", &["E403"]);
    refused("MIN BINARIES x ¦y EXISTS x ORDER x END", &["E102"]);
    refused("MIN BINARIES x GENERALS ¦x EXISTS x ORDER x END", &["E404"]);
}

#[test]
fn bounds_are_given_once_and_without_coefficients() {
    refused(
        "MIN BOUNDS x <= 3\n¦x <= 4\nEXISTS x ORDER x END",
        &["E405"],
    );
    refused("MIN BOUNDS x = 3\n¦x free\nEXISTS x ORDER x END", &["E405"]);
    refused("MIN BOUNDS 2 ¦x <= 3\nEXISTS x ORDER x END", &["E201"]);
    refused("MIN BOUNDS x ¦y <= 3\nEXISTS x ORDER x END", &["E201"]);
    refused(
        "MIN BOUNDS x <= 3 ¦y <= 3\nEXISTS x y ORDER x y END",
        &["E201"],
    );
    refused("MIN BOUNDS x <= ¦y\nEXISTS x y ORDER x y END", &["E201"]);
}

#[test]
fn binary_variables_stay_between_zero_and_one() {
    refused("prefix exists binary x ¦in [0, 2] end", &["E406"]);
    refused(
        "MIN BOUNDS ¦x <= 2\nBINARIES x EXISTS x ORDER x END",
        &["E406"],
    );
}

#[test]
fn all_faults_come_at_once_in_the_order_of_their_places() {
    let rows = "a: ¦u <= 1\nx ¦y\nb: x <= ¦1/0\nc: y >= ¦w";
    refused(&native(rows), &["E102", "E201", "E303", "E102"]);
}

#[test]
fn a_hopeless_file_shows_twenty_faults_and_counts_the_rest() {
    let text = native(&"x y\n".repeat(5000));
    let faults = read_bytes("m", text.as_bytes()).unwrap_err();
    assert_eq!(faults.error_count(), 5000);
    let shown = faults.render(false);
    assert_eq!(shown.matches("error[E201]").count(), 20);
    assert!(shown.ends_with("and 4980 more\n"), "{shown}");
}
