//! Counted solutions, against trying everything.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

#[allow(dead_code, reason = "shared with the golden sessions")]
mod session;

use quip::budget::{Budget, Limits};
use quip::count::count;
use quip::format::{parse_qip, read_path};
use quip::num::{Rational, int};
use quip::program::{Id, Program, VarId};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use session::{quip, run};

/// A few rows over a few variables with few values.
fn random(random: &mut ChaCha8Rng) -> String {
    let variables = random.random_range(1..=5);
    let mut text = "subject to\n".to_owned();
    for _ in 0..random.random_range(0..=4) {
        let terms = (0..variables).map(|it| format!("{} x{it}", random.random_range(-3..=3)));
        let sum = terms.collect::<Vec<_>>().join(" + ").replace("+ -", "- ");
        let relation = ["<=", ">=", "="][random.random_range(0..3)];
        text += &format!("{sum} {relation} {}\n", random.random_range(-4..=4));
    }
    text += "prefix\n";
    for it in 0..variables {
        let low = random.random_range(-2..=1);
        let high = low + random.random_range(0..=3);
        text += &format!("exists integer x{it} in [{low}, {high}]\n");
    }
    text + "end\n"
}

/// Every solution, by trying all values.
fn tried(program: &Program) -> Vec<Vec<Rational>> {
    let mut all: Vec<Vec<Rational>> = vec![Vec::new()];
    for variable in program.variables() {
        let bounds = variable.domain();
        let end = |it: &Option<Rational>| it.clone().unwrap().to_integer().try_into().unwrap();
        let (low, high): (i64, i64) = (end(&bounds.lower), end(&bounds.upper));
        let longer = all.iter().flat_map(|before| {
            (low..=high).map(move |value| [&before[..], &[int(value)]].concat())
        });
        all = longer.collect();
    }
    all.retain(|values| {
        program.rows().iter().all(|row| {
            let terms = row.terms.iter();
            let sum: Rational = terms.map(|(var, by)| by * &values[var.index()]).sum();
            row.lower.as_ref().is_none_or(|side| sum >= *side)
                && row.upper.as_ref().is_none_or(|side| sum <= *side)
        })
    });
    all
}

#[test]
fn solutions_are_those_that_trying_finds() {
    for seed in 0..400 {
        let text = random(&mut ChaCha8Rng::seed_from_u64(seed));
        let program = parse_qip(&text).unwrap();
        let all = tried(&program);
        let shown: Vec<VarId> = program.variables().ids().collect();
        let counted = count(&program, &shown, 1_000, &mut Budget::unlimited()).unwrap();
        assert_eq!(
            counted.solutions.to_string(),
            all.len().to_string(),
            "{text}"
        );
        let mut listed: Vec<Vec<Rational>> = counted
            .listed
            .into_iter()
            .map(|moves| moves.into_iter().map(|(_, value)| value).collect())
            .collect();
        listed.sort();
        assert_eq!(listed, all, "{text}");
        // Of some variables: the others have values that fit.
        let (first, rest) = shown.split_at(shown.len().div_ceil(2));
        let mut projected: Vec<&[Rational]> = all.iter().map(|it| &it[..first.len()]).collect();
        projected.dedup();
        let counted = count(&program, first, 0, &mut Budget::unlimited()).unwrap();
        assert_eq!(
            counted.solutions.to_string(),
            projected.len().to_string(),
            "without {rest:?}: {text}"
        );
    }
}

#[test]
fn a_count_that_is_stopped_says_so() {
    let text = "subject to x + y + z + u + v = 4 prefix exists integer x y z u v in [0, 4] end";
    let program = parse_qip(text).unwrap();
    let shown: Vec<VarId> = program.variables().ids().collect();
    let limits = Limits {
        nodes: Some(20),
        ..Limits::default()
    };
    let mut budget = Budget::new(limits, Default::default(), None);
    let counted = count(&program, &shown, 0, &mut budget).unwrap();
    assert!(counted.stop.is_some());
    let counted = count(&program, &shown, 0, &mut Budget::unlimited()).unwrap();
    assert_eq!(
        (counted.solutions.to_string(), counted.stop),
        ("70".to_owned(), None)
    );
}

#[test]
fn formulas_and_their_parts_are_counted() {
    assert_eq!(
        read_path("docs/papers/formula-1.qdimacs".as_ref())
            .unwrap()
            .program
            .variables()
            .len(),
        5
    );
    let counted = run(&[
        "solve",
        "--count",
        "--all",
        "2",
        "docs/papers/formula-1.qdimacs",
    ]);
    assert_eq!(counted.code, 0);
    assert!(
        counted.stdout.starts_with("4 solutions.\n  1=1 2=1 3=1"),
        "{}",
        counted.stdout
    );
    assert_eq!(counted.stdout.lines().count(), 3);
    let none = run(&["solve", "--count", "docs/papers/formula-2.qdimacs"]);
    assert_eq!((none.code, none.stdout.as_str()), (10, "0 solutions.\n"));
    let refused = run(&["solve", "--count", "models/or/lot-sizing.qip"]);
    assert_eq!(refused.code, 65);
    assert!(
        refused.stderr.contains("`d1` is the opponent's"),
        "{}",
        refused.stderr
    );
    let folder = tempfile::tempdir().unwrap();
    let board = folder.path().join("board.txt");
    std::fs::write(&board, "k..\n...\nK.R\n").unwrap();
    let chess = ["chess", "--board", board.to_str().unwrap(), "--steps", "3"];
    let small = ["tictactoe", "--size", "2"];
    // Three pieces on nine squares or beside the board: 10³ places, 4⁹ · 2³ without two on one square. Of
    // the thirty variables of the last state the goal fixes two.
    for (family, part, count) in [
        (&chess[..], "I0", "1 "),
        (&chess, "phi", "1,000 "),
        (&chess, "psi", "2,097,152 "),
        (&chess, "G", "268,435,456 "),
        (&small, "start", "1 "),
        (&small, "theta", "256 "),
    ] {
        let typed = [&["generate"], family, &["--formula", part]].concat();
        let text = run(&typed).stdout;
        let ran = quip()
            .args(["solve", "--count", "-"])
            .write_stdin(text)
            .output()
            .unwrap();
        let said = String::from_utf8(ran.stdout).unwrap();
        assert!(said.starts_with(count), "{part}: {said}");
    }
    let refused = run(&[
        "generate",
        "chess",
        "--formula",
        "T",
        "--step",
        "3",
        "--steps",
        "3",
    ]);
    assert_eq!(refused.code, 2);
    let out = folder.path().join("part.qip");
    let refused = run(&[
        "generate",
        "chess",
        "--formula",
        "T",
        "-o",
        out.to_str().unwrap(),
    ]);
    assert!(
        refused.stderr.contains(".qcir or .qdimacs"),
        "{}",
        refused.stderr
    );
}
