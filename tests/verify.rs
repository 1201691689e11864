//! Golden sessions of `quip verify`.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

#[allow(dead_code, reason = "the sessions of `solve` need more of it")]
mod session;

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;
use session::{Session, run};

const GAME: &str = "models/rules/crossdot.rules";
const RULES: &str = "models/rules/strategies.rules";

fn verify(typed: &[&str]) -> Session {
    run(&[&["verify", GAME, RULES], typed].concat())
}

fn json(typed: &[&str]) -> Value {
    let session = verify(&[typed, &["--json"]].concat());
    serde_json::from_str(&session.stdout).unwrap()
}

#[test]
fn all_rules_are_checked_for_all_players() {
    let session = verify(&[]);
    assert_eq!((session.code, &*session.stderr), (0, ""));
    insta::assert_snapshot!("verify_properties", session.transcript());
}

#[test]
fn a_guarantee_is_proved_or_refuted_by_a_play() {
    let proved = verify(&["-c", "m=6", "--follow", "1=thoughtful", "--goal", "wins(1)"]);
    assert_eq!(proved.code, 0);
    assert!(proved.stdout.starts_with("Guaranteed: wins(1)"));
    let rules = ["--follow", "1=fill_leftmost", "--follow", "2=thoughtful"];
    let refuted = verify(&[&["-c", "m=3", "--goal", "wins(1)"][..], &rules].concat());
    assert_eq!(refuted.code, 10);
    insta::assert_snapshot!("verify_refuted", refuted.transcript());
}

#[test]
fn both_ways_of_answering_say_the_same() {
    for (rules, question, code) in [
        (&["1=thoughtful"][..], &["--goal", "wins(1)"][..], 0),
        (&["1=fill_any"], &["--goal", "wins(1)"], 10),
        (&["2=cautious"], &["--best"], 0),
        (&["1=cautious"], &["--best", "-p", "2"], 10),
    ] {
        let follow: Vec<&str> = rules.iter().flat_map(|rule| ["--follow", rule]).collect();
        let typed = [&follow[..], question].concat();
        assert_eq!(verify(&typed).code, code, "{typed:?}");
        let by_program = verify(&[&typed[..], &["--program"]].concat());
        assert_eq!(by_program.code, code, "{typed:?}\n{}", by_program.stdout);
    }
}

#[test]
fn outcomes_and_best_responses_come_with_a_play() {
    let rules = ["--follow", "1=fill_leftmost", "--follow", "2=combined"];
    insta::assert_snapshot!("verify_outcomes", verify(&rules).transcript());
    let best = verify(&["--follow", "2=fill_leftmost", "--best"]);
    insta::assert_snapshot!("verify_best", best.transcript());
}

#[test]
fn the_moves_after_a_play_are_listed() {
    let session = verify(&[
        "--after", "a(1,1)", "--rule", "cautious", "--rule", "fill_any",
    ]);
    insta::assert_snapshot!("verify_after", session.transcript());
    let wrong = verify(&["--after", "a(2,1)"]);
    assert_eq!(wrong.code, 2);
    assert!(
        wrong
            .stderr
            .contains("a(2,1) is not legal after the beginning")
    );
}

#[test]
fn the_answer_is_json_on_request() {
    let answer = json(&["--follow", "1=thoughtful", "--goal", "wins(1)"]);
    assert_eq!(answer["schema"], "quip-verify/1");
    assert_eq!(answer["holds"], true);
    let answer = json(&["--rule", "defence"]);
    assert_eq!(answer["rules"][0]["complete"], false);
    assert_eq!(
        answer["rules"][0]["no_move_after"]
            .as_array()
            .unwrap()
            .len(),
        2
    );
}

#[test]
fn the_program_of_a_question_can_be_written_and_solved() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("question.qip");
    let path = path.to_str().unwrap();
    let session = verify(&["-c", "m=3", "--best", "--write", path]);
    assert_eq!((session.code, &*session.stdout), (0, ""));
    let solved = run(&["solve", "-q", path]);
    assert_eq!(solved.code, 0, "{}", solved.stdout);
}

#[test]
fn mistakes_are_located_and_end_with_their_codes() {
    let missing = run(&["verify", "no/such.rules"]);
    assert_eq!(missing.code, 66);
    let unknown = verify(&["--follow", "1=toughtful", "--goal", "wins(1)"]);
    assert_eq!(unknown.code, 65);
    assert!(
        unknown.stderr.contains("did you mean `thoughtful`?"),
        "{}",
        unknown.stderr
    );
    let no_game = run(&["verify", RULES]);
    assert_eq!(no_game.code, 65);
    for usage in [
        &["-c", "n=3"][..],
        &["--follow", "3=combined"],
        &["--follow", "combined"],
        &["--goal", "next wins(1)"],
        &["--program"],
    ] {
        assert_eq!(verify(usage).code, 2, "{usage:?}");
    }
}

#[test]
fn a_time_limit_is_kept() {
    let session = verify(&["-c", "m=14", "-c", "k=7", "-t", "0.05"]);
    assert_eq!(session.code, 21);
    assert!(session.stderr.contains("the time is up"));
}

#[test]
fn a_game_of_the_library_is_given_as_it_is_played() {
    let line = ["verify", "--game", "crossdot --boxes 5 --row 2", RULES];
    let checked = run(&[&line[..], &["--rule", "cautious", "--rule", "fill_any"]].concat());
    assert_eq!(checked.code, 0, "{}", checked.stderr);
    insta::assert_snapshot!("verify_game_properties", checked.transcript());
    let nim = ["verify", "--game", "nim --heaps 1,2,3", "--best"];
    let lost = run(&nim);
    assert_eq!(lost.code, 10);
    let won = run(&[&nim[..], &["--player", "2"]].concat());
    insta::assert_snapshot!("verify_game_best", won.transcript());
    // By the file and by the referee it is the same game.
    for question in [
        &["--follow", "1=thoughtful", "--goal", "wins(1)"][..],
        &["--follow", "2=cautious", "--best"],
        &["--follow", "1=fill_any", "--goal", "wins(1)"],
    ] {
        let by_file = verify(&[&["-c", "m=5"], question].concat());
        let by_referee = run(&[&line[..], question].concat());
        assert_eq!(by_referee.stdout, by_file.stdout, "{question:?}");
        assert_eq!(by_referee.code, by_file.code);
    }
}

#[test]
fn a_game_of_the_library_can_be_asked_for_by_a_program_too() {
    let folder = tempfile::tempdir().unwrap();
    let paths = ["question.qip", "proof.json"].map(|name| folder.path().join(name));
    let [model, proof] = paths.each_ref().map(|path| path.to_str().unwrap());
    let files = ["--write", model, "--certificate", proof];
    for (game, code) in [("nim --heaps 1,2", 0), ("nim --heaps 1,1", 10)] {
        let asked = ["verify", "--game", game, "--best"];
        let session = run(&[&asked[..], &files].concat());
        assert_eq!(session.code, code, "{}{}", session.stdout, session.stderr);
        assert!(
            session.stdout.contains("checked exactly"),
            "{}",
            session.stdout
        );
        let checked = run(&["check", model, proof]);
        assert_eq!(checked.code, 0, "{}", checked.stdout);
    }
}

#[test]
fn a_certificate_proves_what_a_rule_guarantees() {
    let folder = tempfile::tempdir().unwrap();
    let proof = folder.path().join("proof.json");
    let typed = ["-c", "m=3", "--follow", "1=thoughtful", "--goal", "wins(1)"];
    let proof = ["--certificate", proof.to_str().unwrap()];
    let session = verify(&[&typed[..], &proof].concat());
    assert_eq!(session.code, 0, "{}", session.stderr);
    assert!(
        session
            .stdout
            .ends_with("  proof      `feasible`, checked exactly\n"),
        "{}",
        session.stdout
    );
}

#[test]
fn a_game_that_is_wrong_is_refused_with_the_reason() {
    for (game, code, reason) in [
        ("checkers", 2, "checkers"),
        ("nim", 2, "--heaps"),
        ("nim --heaps 99", 2, "at most 24 stones"),
        ("nim --heaps '1,2", 2, "a quotation mark is missing"),
        ("geography nowhere.txt", 66, "cannot read `nowhere.txt`"),
        ("one-move-win board.txt", 2, "one-move-win"),
    ] {
        let session = run(&["verify", "--game", game]);
        assert_eq!(session.code, code, "{game}: {}", session.stderr);
        assert!(
            session.stderr.contains(reason),
            "{game}: {}",
            session.stderr
        );
    }
    let twice = run(&["verify", "--game", "nim --heaps 1", GAME]);
    assert_eq!(twice.code, 65);
    assert!(
        twice.stderr.contains("the game is given already"),
        "{}",
        twice.stderr
    );
    let fixed = run(&[
        "verify",
        "--game",
        "crossdot --boxes 4 --row 2",
        RULES,
        "-c",
        "m=5",
    ]);
    assert_eq!(fixed.code, 2);
    assert!(
        fixed.stderr.contains("the game says what `m` is"),
        "{}",
        fixed.stderr
    );
    assert_eq!(run(&["verify"]).code, 2);
}

/// A file with some rules beside those of the paper.
fn with_rules(text: &str, typed: &[&str]) -> Session {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("more.rules");
    fs::write(&path, text).unwrap();
    verify(&[&[path.to_str().unwrap()], typed].concat())
}

#[test]
fn a_rule_that_does_not_evaluate_is_listed_with_its_place() {
    for (rule, said) in [
        (
            "rule far(i) = does(a(i, 99));",
            "there is no action a(2,99)",
        ),
        (
            "rule wide(i) = some j in 1..m+1: does(a(i, j));",
            "there is no action a(2,5)",
        ),
    ] {
        let session = with_rules(rule, &[]);
        assert_eq!(session.code, 65, "{rule}");
        let listed = session
            .stdout
            .lines()
            .filter(|line| line.contains("error E702"));
        assert_eq!(listed.clone().count(), 2, "{}", session.stdout);
        for line in listed {
            assert!(line.contains("more.rules:1:"), "{line}");
        }
        assert!(session.stderr.contains(said), "{}", session.stderr);
        let after = with_rules(rule, &["--after", "a(1,1)"]);
        assert!(after.stdout.contains("error E702"), "{}", after.stdout);
    }
}

#[test]
fn a_rule_that_makes_sense_for_one_player_only_is_listed_for_the_other() {
    let session = with_rules(
        "rule first(i) = does(a(i, 6 - 2 * i)) | does(a(i, m - 4 * i + 4));",
        &[],
    );
    let lines = session.stdout.lines().filter(|line| line.contains("first"));
    let lines: Vec<&str> = lines.collect();
    assert_eq!(session.code, 0, "{}", session.stderr);
    assert!(lines[0].contains("yes"), "{lines:?}");
    assert!(lines[1].contains("error E702"), "{lines:?}");
}

#[test]
fn a_rule_that_never_holds_is_listed_as_not_valid() {
    let session = with_rules("rule never(i) = false;\nrule marked(j) = p(1, j);", &[]);
    assert_eq!(session.code, 0, "{}", session.stderr);
    let never = session.stdout.lines().filter(|line| line.contains("never"));
    for line in never.clone() {
        assert!(line.split_whitespace().nth(2) == Some("no"), "{line}");
    }
    assert_eq!(never.count(), 2, "{}", session.stdout);
    let rest = session
        .stdout
        .lines()
        .find(|line| line.contains("about states"));
    assert!(rest.unwrap().contains("marked"), "{}", session.stdout);
}

#[test]
fn nothing_that_is_typed_is_ignored() {
    for typed in [
        &["--rule", "cautious", "--follow", "1=cautious"][..],
        &["--rule", "cautious", "--best"],
        &["--rule", "cautious", "--goal", "wins(1)"],
        &["--after", "a(1,1)", "--follow", "1=cautious"],
    ] {
        let session = verify(typed);
        assert_eq!(session.code, 2, "{typed:?}");
        assert!(
            session.stderr.contains("cannot be used with"),
            "{}",
            session.stderr
        );
    }
}

#[test]
fn what_is_missing_or_circular_in_a_game_is_shown_at_an_axiom() {
    let game = "players 2;
action go(i) of i for i in 1..2;
proposition done;
init -> ~done;
does(go(1)) == next done;
wins(i) == done for i in 1..2;
";
    let missing = format!("{game}terminal == done;\nlegal(go(1)) == ~done;\n");
    let circular =
        format!("{game}terminal == legal(go(1));\nlegal(go(i)) == ~terminal for i in 1..2;\n");
    for (text, code, line) in [(missing, "E707", 8), (circular, "E709", 8)] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("game.rules");
        fs::write(&path, text).unwrap();
        let session = run(&["verify", path.to_str().unwrap()]);
        assert_eq!(session.code, 65);
        assert!(session.stderr.contains(code), "{}", session.stderr);
        assert!(
            session.stderr.contains(&format!("game.rules:{line}:")),
            "{}",
            session.stderr
        );
    }
}

#[test]
fn strategies_are_sets_that_are_listed_compared_and_spelled() {
    let rules = [
        "models/rules/crossdot.rules",
        "models/rules/strategies.rules",
    ];
    let asked = |more: &[&str]| run(&[&["verify"], &rules[..], more].concat());
    let listed = asked(&["--rule", "fill_leftmost", "--list"]);
    assert_eq!(listed.code, 0);
    assert!(
        listed
            .stdout
            .contains("fill_leftmost, player 1: 13 moves in 13 states")
    );
    assert!(
        listed.stdout.contains("after a(1,1) a(2,2): a(1,3)"),
        "{}",
        listed.stdout
    );

    let compared = asked(&["--rule", "fill_next(1)", "--compare", "fill_any(1)"]);
    assert_eq!(compared.code, 10);
    let said = &compared.stdout;
    assert!(
        said.contains("player 1: some of the moves of fill_any(1)"),
        "{said}"
    );
    assert!(
        said.contains("only fill_any(1) has a(1,1) after the beginning"),
        "{said}"
    );
    let both = asked(&[
        "--rule",
        "thoughtful",
        "--compare",
        "fill_leftmost",
        "--json",
    ]);
    let both: Value = serde_json::from_str(&both.stdout).unwrap();
    assert_eq!(both["rules"][0]["relation"], "different");
    assert_eq!(both["rules"][0]["only_here"]["action"], "a(1,2)");

    // A rule that is made of the moves of another is the same.
    for (rule, player) in [("thoughtful", 1), ("fill_leftmost", 0)] {
        let spelled = asked(&["--rule", rule, "--spell", "--json"]);
        let spelled: Value = serde_json::from_str(&spelled.stdout).unwrap();
        let formula = spelled["rules"][player]["formula"].as_str().unwrap();
        let again = asked(&["--rule", formula, "--compare", rule, "--json"]);
        let again: Value = serde_json::from_str(&again.stdout).unwrap();
        assert_eq!(again["rules"][player]["relation"], "equal", "{formula}");
    }

    let valid = asked(&["--valid", "p(1,1) -> next p(1,1)"]);
    assert_eq!(valid.code, 0, "{}", valid.stdout);
    let broken = asked(&["--valid", "~wins(2)"]);
    assert_eq!(broken.code, 10);
    assert!(
        broken
            .stdout
            .contains("not valid: after a(1,1) a(2,2) a(1,4) a(2,3)")
    );
    for wrong in [
        &["--list"][..],
        &["--rule", "thoughtful", "--list", "--best"],
    ] {
        assert_eq!(asked(wrong).code, 2, "{wrong:?}");
    }
}

#[test]
fn answer_sets_are_the_plays() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("plays.lp");
    let file = file.to_str().unwrap();
    let rules = [
        "models/rules/crossdot.rules",
        "models/rules/strategies.rules",
    ];
    let python = match Path::new("target/python/bin/python").exists() {
        true => "target/python/bin/python",
        false => "python3",
    };
    let has_clingo = Command::new(python).args(["-c", "import clingo"]).output();
    let has_clingo = has_clingo.is_ok_and(|it| it.status.success());
    for follow in [
        &[][..],
        &["--follow", "1=thoughtful"],
        &["--follow", "1=fill_any(1)", "--follow", "2=cautious"],
    ] {
        let typed = [&["verify"], &rules[..], follow, &["--asp", file, "--json"]].concat();
        let session = run(&typed);
        let said: Value = serde_json::from_str(&session.stdout).unwrap();
        let text = fs::read_to_string(file).unwrap();
        let edges = text
            .lines()
            .filter(|line| line.starts_with("edge("))
            .count();
        assert_eq!(edges as u64, said["moves"].as_u64().unwrap());
        assert_eq!(text.matches("follows(").count() - 2, follow.len() / 2);
        if !has_clingo {
            continue;
        }
        let script = "import clingo, sys\nc = clingo.Control(['0'])\nc.load(sys.argv[1])\nc.ground()\n\
                      print(sum(1 for _ in c.solve(yield_=True)))";
        let ran = Command::new(python)
            .args(["-c", script, file])
            .output()
            .unwrap();
        let sets = String::from_utf8(ran.stdout).unwrap();
        assert_eq!(sets.trim(), said["plays"].as_str().unwrap(), "{follow:?}");
    }
    let refused = run(&["verify", rules[0], "--asp", file, "--best"]);
    assert_eq!(refused.code, 2);
}
