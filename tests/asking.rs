//! Questions beyond the value: what if, how good is good enough, all first decisions, the value against a
//! number, what would win, what the answer rests on; and any model played in a pipe.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

#[expect(dead_code, reason = "sessions of other tests have more needs")]
mod session;

use std::fs;

use quip::explain::{ExplainOptions, Varied, all_first_moves, explain, vary};
use quip::format::parse_qip;
use quip::games::random::{RandomShape, random_program};
use quip::num::{Rational, int};
use quip::outcome::{Outcome, Score, Status, cost_of_objective};
use quip::program::{Bounds, Id, Kind, Program, Quantifier};
use quip::solver::{Known, Solver, fixed};
use serde_json::Value;
use session::{endless_model, quip, run};

const LOT: &str = "models/or/lot-sizing.qip";

fn score(program: &Program, outcome: &Outcome) -> Score {
    match outcome.status {
        Status::Infeasible => Score::Lost,
        Status::UniversalStuck => Score::Won,
        Status::Unbounded => Score::Unbounded,
        _ => Score::Cost(cost_of_objective(
            program,
            outcome.objective.clone().unwrap_or_default(),
        )),
    }
}

fn solved(program: &Program) -> Outcome {
    Solver::default().solve(program).unwrap()
}

fn random(seed: u64) -> Program {
    random_program(seed, &RandomShape::small())
}

#[test]
fn all_first_moves_are_those_that_enumeration_finds() {
    let mut several = 0;
    for seed in 0..150 {
        let program = random(seed);
        let Some(block) = program.blocks().iter().next().cloned() else {
            continue;
        };
        let vars: Vec<_> = block.variables().collect();
        let variables = program.variables();
        let whole = vars.iter().all(|var| variables[*var].kind == Kind::Integer);
        if !whole || program.first_empty_domain().is_some() {
            continue;
        }
        let found = all_first_moves(&program, 10_000, &ExplainOptions::default()).unwrap();
        assert!(found.is_complete, "seed {seed}");
        let best = score(&program, &found.outcome);
        let mut plays: Vec<Vec<(_, Rational)>> = vec![Vec::new()];
        for var in &vars {
            let Bounds { lower, upper } = variables[*var].domain();
            let (lower, upper) = (lower.unwrap(), upper.unwrap());
            let longer = plays.iter().flat_map(|play| {
                let mut values = vec![lower.clone()];
                while values[values.len() - 1] < upper {
                    values.push(&values[values.len() - 1] + int(1));
                }
                let play = play.clone();
                values.into_iter().map(move |value| {
                    let mut play = play.clone();
                    play.push((*var, value));
                    play
                })
            });
            plays = longer.collect();
        }
        let expected: Vec<_> = plays
            .into_iter()
            .filter(|play| {
                let worth = solved(&fixed(&program, play));
                score(&program, &worth) == best && best != Score::worst_for(block.quantifier)
            })
            .collect();
        several += usize::from(expected.len() > 1);
        assert_eq!(found.moves, expected, "seed {seed}");
    }
    assert!(several > 20, "{several}");
}

#[test]
fn a_sweep_says_what_each_number_is_worth_by_itself() {
    let mut varied = 0;
    for seed in 0..120 {
        let program = random(seed);
        for owner in [Quantifier::Exists, Quantifier::Forall] {
            let rows = program.system(owner);
            let Some((id, row)) = rows.pairs().next() else {
                continue;
            };
            if row.lower.is_some() && row.upper.is_some() && !row.is_equation() {
                continue;
            }
            let numbers: Vec<Rational> = (-3..6).map(int).collect();
            let what = Varied::Row(owner, id);
            let points = vary(&program, what, &numbers, &ExplainOptions::default()).unwrap();
            assert_eq!(points.len(), numbers.len());
            for (number, outcome) in points {
                let alone = what.at(&program, &number);
                let expected = score(&program, &solved(&alone));
                assert_eq!(
                    score(&program, &outcome),
                    expected,
                    "seed {seed} at {number}"
                );
                varied += 1;
            }
        }
    }
    assert!(varied > 500, "{varied}");
}

#[test]
fn what_is_known_beforehand_changes_no_answer() {
    for seed in 0..200 {
        let program = random(seed);
        let outcome = solved(&program);
        if outcome.status != Status::Optimal {
            continue;
        }
        let (value, worse) = (
            outcome.objective.clone(),
            cost_of_objective(&program, int(1)),
        );
        let better = value.clone().map(|value| value - &worse);
        let worse = value.clone().map(|value| value + worse);
        for (objective, bound) in [
            (worse.clone(), None),
            (value.clone(), None),
            (None, better.clone()),
            (worse, better),
            (value.clone(), value.clone()),
        ] {
            let known = Known { objective, bound };
            let again = Solver::default().with_known(known.clone());
            let again = again.solve(&program).unwrap();
            assert_eq!(again.status, Status::Optimal, "seed {seed} {known:?}");
            assert_eq!(again.objective, value, "seed {seed} {known:?}");
        }
    }
}

#[test]
fn a_relaxation_that_is_called_the_smallest_wins_and_less_does_not() {
    let mut relaxed = 0;
    for seed in 0..200 {
        let program = random(seed);
        if solved(&program).status != Status::Infeasible || program.first_empty_domain().is_some() {
            continue;
        }
        let explanation = explain(&program, &ExplainOptions::default()).unwrap();
        let Some(elastic) = explanation.elastic else {
            continue;
        };
        let with = |share: &Rational| {
            let mut data = program.clone().into_data();
            for (row, is_upper, by) in &elastic.rows {
                let row = &mut data.rows[row.index()];
                match is_upper {
                    true => row.upper = row.upper.as_ref().map(|side| side + by * share),
                    false => row.lower = row.lower.as_ref().map(|side| side - by * share),
                }
            }
            solved(&Program::new(data).unwrap()).status
        };
        assert_ne!(with(&int(1)), Status::Infeasible, "seed {seed}");
        let nearly = int(1) - Rational::new(1.into(), 1_000_000.into());
        assert_eq!(with(&nearly), Status::Infeasible, "seed {seed}");
        assert!(elastic.is_smallest);
        relaxed += 1;
    }
    assert!(relaxed > 10, "{relaxed}");
}

#[test]
fn variables_are_held_and_the_result_says_so() {
    let session = run(&["-q", "--json", "--fix", "d1=2, open=1", LOT]);
    let result: Value = serde_json::from_str(&session.stdout).unwrap();
    assert_eq!(result["objective"], "16");
    assert_eq!(
        result["fixed"],
        serde_json::json!([["open", "1"], ["d1", "2"]])
    );
    let session = run(&["-q", "--fix", "open=0", LOT]);
    assert_eq!(session.code, 10, "{}", session.stdout);
    for (moves, words) in [
        ("opne=1", "did you mean `open`?"),
        ("d1=7", "outside of its domain"),
        ("open", "write moves like"),
    ] {
        let session = run(&["-q", "--fix", moves, LOT]);
        assert_eq!(session.code, 2);
        assert!(session.stderr.contains(words), "{}", session.stderr);
    }
    // A certificate is one of the program that was solved.
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("lot.cert");
    let path = path.to_str().unwrap();
    run(&["-q", "--fix", "open=1", "--certificate", path, LOT]);
    assert_eq!(run(&["check", "--fix", "open=1", LOT, path]).code, 0);
    assert_ne!(run(&["check", LOT, path]).code, 0);
}

#[test]
fn good_enough_is_a_success() {
    let lots = "models/or/inventory-periods.qip";
    let value = run(&["-q", "--json", lots]);
    let value: Value = serde_json::from_str(&value.stdout).unwrap();
    for typed in [vec!["--first"], vec!["--gap", "1000%"]] {
        let typed = [&["-q", "--json"][..], &typed, &[lots]].concat();
        let session = run(&typed);
        assert_eq!(session.code, 0, "{}", session.stderr);
        let result: Value = serde_json::from_str(&session.stdout).unwrap();
        let status = result["status"].as_str().unwrap();
        assert!(["good_enough", "optimal"].contains(&status), "{status}");
        let cost = |it: &Value| it["objective"].as_str().unwrap().parse::<f64>().unwrap();
        assert!(cost(&result) >= cost(&value));
    }
    let session = run(&["-q", "--gap", "0", "--json", lots]);
    let result: Value = serde_json::from_str(&session.stdout).unwrap();
    assert_eq!(result["objective"], value["objective"]);
    assert_eq!(run(&["--gap", "-1%", lots]).code, 2);
}

#[test]
fn the_first_strategy_ends_a_solve_that_has_no_end() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("endless.qip");
    // The equations may be missed at a price, so that there is a strategy at once.
    let text = endless_model().replace("minimize ", "minimize 1000 miss + ");
    let text = text.replace(" = ", " + 9999 miss >= ");
    let text = text.replace("prefix\n", "prefix\n  exists binary miss\n");
    fs::write(&path, text).unwrap();
    let session = run(&[
        "-q",
        "--first",
        "-t",
        "60",
        "--json",
        path.to_str().unwrap(),
    ]);
    let result: Value = serde_json::from_str(&session.stdout).unwrap();
    assert_eq!(session.code, 0);
    assert!(result["objective"].is_string());
}

#[test]
fn a_start_is_priced_and_kept_where_nothing_better_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (text, result, strategy) = (file("start.txt"), file("r.json"), file("s.json"));
    fs::write(&text, "open = 1\n").unwrap();
    run(&["-q", "-o", &result, "--strategy", &strategy, LOT]);
    for start in [&text, &result, &strategy] {
        let session = run(&["--start", start, LOT]);
        assert!(
            session.stderr.contains("note: the start guarantees 16"),
            "{}",
            session.stderr
        );
        assert!(
            session.stdout.starts_with("Optimal: 16"),
            "{}",
            session.stdout
        );
        assert!(
            session.stdout.contains("decide now   open = 1"),
            "{}",
            session.stdout
        );
    }
    fs::write(&text, "open = 0").unwrap();
    let session = run(&["--start", &text, LOT]);
    assert!(
        session.stderr.contains("the start loses"),
        "{}",
        session.stderr
    );
    assert!(
        session.stdout.starts_with("Optimal: 16"),
        "{}",
        session.stdout
    );
    fs::write(&text, "s2 = 0").unwrap();
    let session = run(&["--start", &text, LOT]);
    assert_eq!(session.code, 65);
    assert!(session.stderr.contains("before the opponent's first move"));
}

#[test]
fn first_moves_and_sweeps_are_tables_json_and_pictures() {
    let session = run(&["-q", "--all-first-moves", "models/or/knapsack.qip"]);
    assert!(
        session
            .stdout
            .starts_with("Worth: 9. 6 first decisions are as good, and no other:")
    );
    let few = run(&[
        "-q",
        "--all-first-moves",
        "--most",
        "2",
        "models/or/knapsack.qip",
    ]);
    assert_eq!(few.code, 20);
    assert!(
        few.stdout.contains("At least 2 first decisions"),
        "{}",
        few.stdout
    );
    let folder = tempfile::tempdir().unwrap();
    let (svg, csv) = (folder.path().join("c.svg"), folder.path().join("c.csv"));
    for path in [&svg, &csv] {
        let typed = [
            "-q",
            "--vary",
            "budget=0..6",
            "-o",
            path.to_str().unwrap(),
            LOT,
        ];
        let session = run(&typed);
        assert_eq!(session.code, 0, "{}", session.stderr);
        let lines: Vec<&str> = session.stdout.lines().collect();
        assert_eq!(lines.len(), 9);
        assert!(
            lines[5].contains("16") && lines[5].contains("as it is"),
            "{}",
            lines[5]
        );
    }
    assert!(fs::read_to_string(svg).unwrap().starts_with("<svg"));
    assert!(fs::read_to_string(csv).unwrap().contains("3,optimal,16,16"));
    let session = run(&["-q", "--json", "--vary", "open=0,1", LOT]);
    let json: Value = serde_json::from_str(&session.stdout).unwrap();
    assert_eq!(json["points"][0]["status"], "infeasible");
    assert_eq!(json["points"][1]["objective"], "16");
    let session = run(&["--vary", "budgte=0..2", LOT]);
    assert!(
        session.stderr.contains("did you mean `budget`?"),
        "{}",
        session.stderr
    );
}

#[test]
fn explanations_say_what_would_win_and_what_is_taken_for_granted() {
    let lost = parse_qip(
        "subject to half: 2 x = y  prefix forall integer y in [0, 2] exists integer x in [0, 5] end",
    );
    assert!(
        explain(&lost.unwrap(), &ExplainOptions::default())
            .unwrap()
            .elastic
            .is_some()
    );
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("lost.qip");
    fs::write(
        &path,
        "subject to room: x <= 1\nneed: x >= y\nprefix forall integer y in [0, 3] exists integer x in [0, 5] end",
    )
    .unwrap();
    let session = run(&["explain", path.to_str().unwrap()]);
    assert!(
        session
            .stdout
            .contains("What would win\n  It is won with row `room` with its side raised by 2."),
        "{}",
        session.stdout
    );
    let session = run(&["explain", LOT]);
    assert!(
        session
            .stdout
            .contains("Row `budget` of the opponent: without it 18."),
        "{}",
        session.stdout
    );
}

#[test]
fn the_opponents_strategy_is_written_too() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("opponent.txt");
    let session = run(&["-q", "--refutation", path.to_str().unwrap(), LOT]);
    assert_eq!(session.code, 0, "{}", session.stderr);
    let text = fs::read_to_string(&path).unwrap();
    assert!(
        text.contains("universal player") && text.contains("d1 = "),
        "{text}"
    );
    let won = run(&[
        "-q",
        "--refutation",
        path.to_str().unwrap(),
        "models/hex/2.qip",
    ]);
    assert_eq!(won.code, 73);
    assert!(
        won.stderr.contains("the opponent has none"),
        "{}",
        won.stderr
    );
}

#[test]
fn two_models_and_two_results_are_compared() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (other, one_result, two_result) = (file("other.qip"), file("1.json"), file("2.json"));
    let text = fs::read_to_string(LOT).unwrap();
    fs::write(&other, text.replace("d1 + d2 <= 3", "d1 + d2 <= 4")).unwrap();
    assert_eq!(run(&["diff", LOT, LOT]).stdout, "They say the same.\n");
    let session = run(&["diff", "--solve", LOT, &other]);
    assert_eq!(session.code, 1);
    assert_eq!(
        session.stdout,
        format!(
            "uncertainty row\n  - budget: d1 + d2 <= 3\n  + budget: d1 + d2 <= 4\n\
             worth\n  - 16   {LOT}\n  + 18   {other}\n"
        )
    );
    run(&["-q", "-o", &one_result, LOT]);
    run(&["-q", "-o", &two_result, &other]);
    let session = run(&["diff", "--json", &one_result, &two_result]);
    let json: Value = serde_json::from_str(&session.stdout).unwrap();
    assert_eq!(json["same"], false);
    assert_eq!(json["differences"][1]["one"], "objective = 16");
    assert_eq!(run(&["diff", LOT, &one_result]).code, 2);
}

/// What a pipe that types these lines is told.
fn played(typed: &[&str], lines: &str) -> String {
    let typed = [&["play"], typed].concat();
    let ran = quip().args(&typed).write_stdin(lines).output().unwrap();
    assert_eq!(ran.status.code(), Some(0), "{typed:?}");
    String::from_utf8(ran.stdout).unwrap()
}

#[test]
fn any_model_is_played_block_by_block() {
    let told = played(&[LOT], "open=1\n9\nbest\nbest\n");
    assert!(
        told.contains("q1 = 9 is illegal: q1, a whole number in [0, 3]."),
        "{told}"
    );
    assert!(told.contains("Over: the play is worth 16."), "{told}");
    let told = played(&[LOT, "--side", "second"], "moves\n2\nundo\n1\n2\nshow\n");
    assert!(told.contains("planner plays open = 1"), "{told}");
    assert!(told.contains("d1 = 2\n"), "{told}");
    assert!(told.contains("Over: the play is worth 16."), "{told}");
    // The opponent keeps to its rules.
    let told = played(&[LOT, "--side", "second"], "2\n2\n1\n");
    assert!(
        told.contains("d2 = 2 is illegal: it breaks row `budget`"),
        "{told}"
    );
}

#[test]
fn who_has_no_legal_move_has_lost() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("half.qip");
    fs::write(
        &path,
        "subject to half: 2 x = y prefix forall integer y in [0, 2] exists binary x end",
    )
    .unwrap();
    let told = played(&[path.to_str().unwrap()], "0\n");
    assert!(told.contains("opponent plays y = 1"), "{told}");
    assert!(
        told.contains("opponent has won, planner has no legal move"),
        "{told}"
    );
}

#[test]
fn commands_without_anything_to_show_stop_in_time() {
    let folder = tempfile::tempdir().unwrap();
    let model = folder.path().join("wide.qip");
    let names: Vec<String> = (0..40).map(|place| format!("y{place} x{place}")).collect();
    let mut text = "subject to x0 >= y0\nprefix\n".to_owned();
    for pair in &names {
        let (y, x) = pair.split_once(' ').unwrap();
        text += &format!("forall integer {y} in [0, 9] exists integer {x} in [0, 9]\n");
    }
    fs::write(&model, text + "end").unwrap();
    let out = folder.path().join("out.lp");
    let typed = [
        "convert",
        "--equivalent",
        "-t",
        "1",
        model.to_str().unwrap(),
        out.to_str().unwrap(),
    ];
    let session = run(&typed);
    assert!([21, 65].contains(&session.code), "{}", session.stderr);
    assert!(!out.exists());
    assert_eq!(
        run(&["generate", "nim", "-t", "0", "--heaps", "1,2"]).code,
        21
    );
}
