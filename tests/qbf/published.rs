//! Formulas whose answers are printed in the literature.

use crate::{assert_answer, engines, read};

/// The sample formula of the thesis on geography games and GhostQ.
const SAMPLE: &str = "#QCIR-G14
exists(x1,x2)
forall(y1,y2)
output(g1)
g2=xor(x1,x2)
u1=and(y1,y2)
u2=and(-y1,-y2)
u3=and(y1,-x1)
u4=and(y2,-x1)
g3=or(u1,u2,u3,u4)
g1=and(g2,g3)
";

#[test]
fn the_sample_of_the_thesis_is_true_only_with_x1_false_and_x2_true() {
    let program = read(SAMPLE).program;
    assert_answer(&program, true, &|| SAMPLE.to_owned());
    for (name, solve) in engines() {
        let outcome = solve(&program);
        let first: Vec<String> = outcome
            .first_stage
            .iter()
            .take(2)
            .map(|(_, value)| value.to_string())
            .collect();
        assert_eq!(first, ["0", "1"], "{name}");
    }
    for (values, answer) in [
        ("x1, x2", false),
        ("x1, -x2", false),
        ("-x1, -x2", false),
        ("-x1, x2", true),
    ] {
        let text = SAMPLE.replace("g1=and(g2,g3)", &format!("g1=and(g2,g3,{values})"));
        assert_answer(&read(&text).program, answer, &|| text.clone());
    }
}

#[test]
fn who_moves_last_decides_a_parity() {
    let text = "#QCIR-G14\nforall(x1)\nexists(x2)\noutput(g)\ng = xor(x1, x2)\n";
    assert_answer(&read(text).program, true, &|| text.to_owned());
    let text = "#QCIR-G14\nexists(x2)\nforall(x1)\noutput(g)\ng = xor(x1, x2)\n";
    assert_answer(&read(text).program, false, &|| text.to_owned());
}
