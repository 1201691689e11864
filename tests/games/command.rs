//! Games on the command line: generated, and played over a pipe.

use std::fs;
use std::process::Output;

use quip::format::{parse_qip, write_qip};
use quip::games::{FAMILIES, family};

fn quip(arguments: &[&str], typed: &str) -> Output {
    assert_cmd::Command::new(env!("CARGO_BIN_EXE_quip"))
        .args(arguments)
        .write_stdin(typed)
        .output()
        .unwrap()
}

fn said(arguments: &[&str], typed: &str) -> String {
    let ran = quip(arguments, typed);
    let complaint = String::from_utf8_lossy(&ran.stderr);
    assert!(ran.status.success(), "{arguments:?}: {complaint}");
    String::from_utf8(ran.stdout).unwrap()
}

fn refused(arguments: &[&str], code: i32) -> String {
    let ran = quip(arguments, "");
    assert_eq!(ran.status.code(), Some(code), "{arguments:?}");
    String::from_utf8(ran.stderr).unwrap()
}

/// Families without two players at a board.
const OR: [&str; 17] = [
    "knapsack",
    "lotsizing",
    "selection",
    "assignment",
    "facility",
    "interdiction",
    "runway",
    "production",
    "location",
    "inventory",
    "hydro",
    "expansion",
    "surges",
    "setups",
    "crashing",
    "portfolio",
    "commitment",
];

#[test]
fn a_generated_game_is_what_the_library_builds() {
    let text = said(
        &[
            "generate", "gomoku", "--size", "2", "--row", "2", "--guard", "rows",
        ],
        "",
    );
    let given = [("size", "2"), ("row", "2"), ("guard", "rows")];
    let program = family("gomoku").unwrap().program(&given).unwrap();
    let (comment, text) = text.split_once('\n').unwrap();
    assert!(comment.starts_with("\\ game: "), "{comment}");
    assert_eq!(text, write_qip(&program));
}

#[test]
fn answers_speak_of_moves() {
    for (game, graph, shown) in [
        (
            &["gomoku", "--size", "2", "--row", "2"][..],
            "",
            ["black plays a1", "black wins at move 3"],
        ),
        (
            &["gomoku", "--size", "2", "--row", "2", "--guard", "rows"],
            "",
            ["game         black a1, white", "move 3"],
        ),
        (
            &[
                "gomoku",
                "--size",
                "2",
                "--row",
                "2",
                "--guard",
                "indicator",
            ],
            "",
            ["black plays", "move 3"],
        ),
        (
            &["nim", "--heaps", "1,2"],
            "",
            ["player 1 plays 2:1", "player 1 wins"],
        ),
        (&["tictactoe", "--size", "2"], "", ["X plays", "X wins"]),
        (
            &["geography", "-"],
            "2 / 0 2 3 / 1 0 2 / 2 0 1 3 / 3",
            ["player 1 plays", "wins"],
        ),
        (
            &["geography", "-"],
            "4 / Nice Essen Evian / Essen Narvik / Evian Nice / Narvik",
            ["player 1 plays Evian", "player 1 wins"],
        ),
        (&["hex", "--size", "2"], "", ["plays", "wins"]),
        (
            &["crossdot", "--boxes", "3", "--row", "2"],
            "",
            ["plays", "game"],
        ),
        (
            &["dgr", "-"],
            "source s / target t / edge a s t",
            ["the traveller plays a", "wins"],
        ),
    ] {
        let arguments = [&["generate"], game].concat();
        let text = said(&arguments, &graph.replace(" / ", "\n"));
        let answer = quip(&["solve", "-q", "-"], &text);
        let answer = String::from_utf8(answer.stdout).unwrap();
        for words in shown {
            assert!(answer.contains(words), "{game:?}: {words}\n{answer}");
        }
        let json = quip(&["solve", "-q", "--json", "-"], &text);
        let json: serde_json::Value = serde_json::from_slice(&json.stdout).unwrap();
        assert!(
            !json["game"]["play"].as_array().unwrap().is_empty(),
            "{game:?}\n{json}"
        );
        // A comment above another program is not believed.
        let other = text.replace("prefix\n", "prefix\n  exists binary more\n");
        let answer = quip(&["solve", "-q", "-"], &other);
        let answer = String::from_utf8(answer.stdout).unwrap();
        assert!(
            !answer.contains("next move") && !answer.contains("  game "),
            "{answer}"
        );
    }
}

#[test]
fn files_are_read_and_written_by_their_names() {
    let folder = tempfile::tempdir().unwrap();
    let graph = folder.path().join("graph.txt");
    fs::write(&graph, quip::games::dgr::Graph::figure_3().to_text()).unwrap();
    for ending in ["qip", "qlp"] {
        let out = folder.path().join(format!("game.{ending}"));
        let arguments = [
            "generate",
            "dgr",
            graph.to_str().unwrap(),
            "-o",
            out.to_str().unwrap(),
        ];
        assert_eq!(said(&arguments, ""), "");
        let answer = quip(&["solve", "-q", out.to_str().unwrap()], "");
        assert_eq!(answer.status.code(), Some(0), "{ending}");
    }
    // The games that are formulas in their documents are written as such.
    let thesis = folder.path().join("thesis.txt");
    fs::write(&thesis, quip::games::geography::Graph::thesis().to_text()).unwrap();
    let thesis = thesis.to_str().unwrap();
    for ending in ["qip", "qlp", "qcir", "qdimacs", "qcir.gz", "qip.gz"] {
        let out = folder.path().join(format!("formula.{ending}"));
        let out = out.to_str().unwrap();
        for arguments in [
            &["geography", thesis][..],
            &["tictactoe", "--size", "2"],
            &["tictactoe", "--size", "2", "--reading", "final-board"],
        ] {
            let arguments = [&["generate"], arguments, &["-o", out]].concat();
            assert_eq!(said(&arguments, ""), "");
            let answer = quip(&["solve", "-q", out], "");
            let is_formula = ending.starts_with("qc") || ending.starts_with("qd");
            let wanted = if is_formula { 10 } else { 0 };
            assert_eq!(answer.status.code(), Some(wanted), "{arguments:?}");
        }
    }
    let number = folder.path().join("nim.qcir");
    let refusal = refused(
        &[
            "generate",
            "nim",
            "--heaps",
            "1",
            "-o",
            number.to_str().unwrap(),
        ],
        65,
    );
    assert!(
        refusal.contains("cannot write this model as qcir"),
        "{refusal}"
    );
    let from_stream = said(&["generate", "geography", "-"], "1\n0 1\n1\n");
    assert!(parse_qip(&from_stream).is_ok());
}

#[test]
fn games_are_spelled_as_the_page_spells_them() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let board = file("board", "b.w\n.b.\n..w\n");
    let graph = file("dgr", &quip::games::dgr::Graph::figure_3().to_text());
    let thesis = file("thesis", &quip::games::geography::Graph::thesis().to_text());
    let rook = file("rook", "k..\n..R\n.K.\n");
    for spelled in [
        "gomoku --size 3 --row 3".to_owned(),
        "gomoku --size 3 --row 3 --horizon 7".to_owned(),
        format!("gomoku --size 3 --row 3 --horizon 7 --board {board}"),
        "tictactoe --size 3 --player x --reading first-line".to_owned(),
        "tictactoe --size 3 --player o --reading final-board".to_owned(),
        format!("dgr {graph}"),
        format!("dgr {graph} --guard rows"),
        format!("dgr {graph} --guard indicator"),
        format!("geography {thesis}"),
        "crossdot --boxes 5 --row 2".to_owned(),
        format!("chess --board {rook} --steps 3"),
    ] {
        let words: Vec<&str> = ["generate"].into_iter().chain(spelled.split(' ')).collect();
        let text = said(&words, "");
        assert!(parse_qip(&text).is_ok(), "{spelled}");
        for ending in ["qip", "qlp"] {
            let out = folder.path().join(format!("out.{ending}"));
            let words = [&words[..], &["-o", out.to_str().unwrap()]].concat();
            assert_eq!(said(&words, ""), "", "{spelled}");
            assert!(fs::metadata(&out).unwrap().len() > 0);
        }
    }
    let page = fs::read_to_string("docs/games.md").unwrap();
    for family in FAMILIES {
        let is_there = page.contains(&format!("`{}", family.name));
        assert!(
            is_there || OR.contains(&family.name),
            "{} is not on the page",
            family.name
        );
    }
}

#[test]
fn what_is_wrong_is_said_with_its_place() {
    assert!(
        refused(&["generate", "gomoku", "--size", "3", "--row", "7"], 2)
            .contains("--row: a row on this board has 1 to 3 stones, not 7")
    );
    assert!(refused(&["generate", "checkers"], 2).contains("checkers"));
    assert!(refused(&["generate", "dgr", "nowhere.txt"], 66).contains("cannot read `nowhere.txt`"));
    let folder = tempfile::tempdir().unwrap();
    let graph = folder.path().join("graph.txt");
    fs::write(&graph, "source s\nedge e s\n").unwrap();
    let complaint = refused(&["generate", "dgr", graph.to_str().unwrap()], 65);
    assert!(
        complaint.ends_with("graph.txt:2:10: a head is missing\n"),
        "{complaint}"
    );
    let unknown = ["generate", "nim", "--heaps", "1", "-o", "game.txt"];
    assert!(refused(&unknown, 2).contains("does not tell the format"));
}

#[test]
fn every_family_has_help() {
    for family in FAMILIES {
        let help = said(&["generate", family.name, "--help"], "");
        for parameter in family.parameters {
            assert!(
                help.contains(parameter.help),
                "{} {}",
                family.name,
                parameter.name
            );
        }
        if family.is_playable() {
            said(&["play", family.name, "--help"], "");
        }
    }
}

#[test]
fn a_won_game_of_nim_is_won_against_every_reply() {
    // 1 2 is won by taking one of the heap of two.
    let session = said(&["play", "nim", "--heaps", "1,2"], "hint\n2:1\n2:1\n");
    assert!(session.contains("Guaranteed: player 1 wins."), "{session}");
    assert!(session.contains("Best is 2:1."), "{session}");
    let session = said(
        &["play", "nim", "--heaps", "1,2"],
        "2:1\nmoves\nhint\nquit\n",
    );
    let last = session
        .lines()
        .rev()
        .find(|line| line.starts_with("Best is "))
        .unwrap();
    let reply = last
        .trim_start_matches("Best is ")
        .trim_end_matches('.')
        .to_owned();
    let session = said(
        &["play", "nim", "--heaps", "1,2"],
        &format!("2:1\n{reply}\n"),
    );
    assert!(session.ends_with("Over: player 1 has won.\n"), "{session}");
}

#[test]
fn the_program_wins_as_the_first_player() {
    let session = said(
        &[
            "play", "gomoku", "--size", "3", "--row", "2", "--side", "second",
        ],
        "a1\na2\na3\nc1\nc3\nb1\n",
    );
    assert!(
        session.contains("Guaranteed: black wins at move 3."),
        "{session}"
    );
    assert!(session.ends_with("Over: black has won.\n"), "{session}");
}

#[test]
fn illegal_moves_are_refused_with_the_rule_and_undo_takes_both_moves_back() {
    let session = said(
        &["play", "crossdot", "--boxes", "4", "--row", "3"],
        "9\nundo\n2\n2\nundo\nmoves\nhelp\n",
    );
    assert!(
        session.contains("`9` is not a legal move: name a box that is not full, one of 1 2 3 4."),
        "{session}"
    );
    assert!(
        session.contains("There is nothing to take back."),
        "{session}"
    );
    assert!(session.contains("`2` is not a legal move"), "{session}");
    assert!(session.contains("\n1 2 3 4\nplayer 1>"), "{session}");
}

#[test]
fn every_game_can_be_played() {
    for family in FAMILIES {
        // A puzzle without an opponent and the models of operations research are no games.
        let is_game = family.name != "one-move-win" && !OR.contains(&family.name);
        assert_eq!(family.is_playable(), is_game, "{}", family.name);
    }
}

#[test]
fn a_game_goes_on_from_a_given_board_with_the_side_to_move() {
    let folder = tempfile::tempdir().unwrap();
    let board = folder.path().join("board.txt");
    fs::write(&board, "b.w\nb..\n...\n").unwrap();
    let board = board.to_str().unwrap();
    let arguments = ["play", "gomoku", "--row", "3", "--board", board];
    // White, to move, must stop the column; the program does.
    let session = said(&arguments, "undo\n");
    assert!(session.contains("white plays a3\n"), "{session}");
    let session = said(&[&arguments[..], &["--side", "second"]].concat(), "b3\n");
    assert!(session.ends_with("Over: black has won.\n"), "{session}");
    let session = said(
        &[&arguments[..], &["--side", "both", "--horizon", "5"]].concat(),
        "a3\nb2\n",
    );
    assert!(session.ends_with("Over: nobody has won.\n"), "{session}");
}

#[test]
fn a_game_that_is_over_is_taken_up_again_by_undo() {
    let arguments = ["play", "nim", "--heaps", "1"];
    let session = said(&arguments, "1:1\nundo\n1:1\n");
    assert_eq!(session.matches("Over: ").count(), 2, "{session}");
    let session = said(&arguments, "1:1\nmoves\nundo\n");
    assert_eq!(session.matches("Over: ").count(), 1, "{session}");
}

#[test]
fn an_opponent_who_may_move_several_times_is_undone_as_a_whole() {
    let folder = tempfile::tempdir().unwrap();
    let graph = folder.path().join("graph.txt");
    fs::write(&graph, quip::games::dgr::Graph::figure_3().to_text()).unwrap();
    let arguments = ["play", "dgr", graph.to_str().unwrap()];
    let session = said(&arguments, "e9\ne1\nundo\ne2\n");
    assert!(
        session.contains("`e9` is not a legal move: the traveller names an edge"),
        "{session}"
    );
    assert!(
        session.contains("Guaranteed: the opponent wins."),
        "e2 loses: {session}"
    );
    assert_eq!(session.matches("\nat v1\n").count(), 2, "{session}");
    let typed = [&arguments[..], &["--side", "second"]].concat();
    let session = said(&typed, "e4\nundo\ndone\nquit\n");
    assert!(session.contains("the traveller plays e4"), "{session}");
}

#[test]
fn who_has_lost_holds_out() {
    let folder = tempfile::tempdir().unwrap();
    let graph = folder.path().join("square.txt");
    fs::write(&graph, "2\n0 1\n1 2\n2 3\n3 0\n").unwrap();
    let session = said(
        &["play", "cops", graph.to_str().unwrap(), "--cops", "2"],
        "0,2\nquit\n",
    );
    // On the square two cops at opposite corners win, but not by the robber's own step.
    assert!(session.contains("the robber plays 1\n"), "{session}");
}

#[test]
fn a_strategy_is_spelled_out_at_the_table() {
    let folder = tempfile::tempdir().unwrap();
    let graph = folder.path().join("graph.txt");
    fs::write(&graph, quip::games::geography::Graph::thesis().to_text()).unwrap();
    let session = said(
        &["play", "geography", graph.to_str().unwrap()],
        "1\nstrategy\nquit\n",
    );
    let printed = "x1_1 = true\n\
                   x3_6 = ite(x2_4, false, true)\n\
                   x3_7 = ite(x2_4, true, false)\n";
    assert!(session.contains(printed), "{session}");
    let session = said(&["play", "nim", "--heaps", "1,2"], "strategy\n");
    let lines = "after the beginning: 2:1\nafter 2:1 1:1: 2:1\nafter 2:1 2:1: 1:1\n";
    assert!(session.contains(lines), "{session}");
    let session = said(&["play", "nim", "--heaps", "1,1"], "strategy\n");
    assert!(
        session.contains("From the beginning player 1 is not sure to win."),
        "{session}"
    );
}

/// Everybody makes the first move that is listed; the library knows how that ends.
#[test]
fn every_game_is_played_to_its_end_by_typing_for_both_sides() {
    let folder = tempfile::tempdir().unwrap();
    let games: [(&str, &[(&str, &str)]); 13] = [
        ("cops", &[("graph", "1\n0 1\n1 2\n2 3\n3\n")]),
        ("gomoku", &[("size", "2"), ("row", "2")]),
        ("tictactoe", &[("size", "2"), ("player", "o")]),
        ("dgr-random", &[("seed", "3")]),
        (
            "dgr",
            &[(
                "graph",
                "source s\ntarget t\nedge e s t\nedge f s t\nfail s e\n",
            )],
        ),
        ("geography", &[("graph", "3\n0 1 2\n1 2\n2 1\n")]),
        ("geography-random", &[("nodes", "6")]),
        ("crossdot", &[("boxes", "4"), ("row", "2")]),
        ("chess", &[("board", "k..\n..R\n.K.\n"), ("steps", "3")]),
        (
            "connect",
            &[("columns", "2"), ("height", "2"), ("row", "2")],
        ),
        ("positional", &[("sets", "a b\nb c\n")]),
        ("hex", &[("size", "2")]),
        ("nim", &[("heaps", "1,2")]),
    ];
    for (name, given) in games {
        let mut arguments = vec!["play".to_owned(), name.to_owned()];
        for (number, (parameter, value)) in given.iter().enumerate() {
            let family = family(name).unwrap();
            let known = family
                .parameters
                .iter()
                .find(|known| known.name == *parameter);
            if !known.unwrap().positional {
                arguments.push(format!("--{parameter}"));
            }
            if value.contains('\n') {
                let path = folder.path().join(format!("{name}-{number}"));
                fs::write(&path, value).unwrap();
                arguments.push(path.to_str().unwrap().to_owned());
            } else {
                arguments.push((*value).to_owned());
            }
        }
        arguments.extend(["--side".to_owned(), "both".to_owned()]);
        let mut table = family(name).unwrap().table(given).unwrap();
        let mut typed = String::new();
        while table.mover().is_some() {
            let word = table.moves()[0].clone();
            table.play(&word).unwrap();
            // Taken back and made again: the game is the same.
            typed += &format!("{word}\n");
            if table.mover().is_some() {
                typed += &format!("undo\n{word}\n");
            }
        }
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let session = said(&arguments, &typed);
        let ends = format!("{}Over: ", table.draw());
        assert!(session.contains(&ends), "{arguments:?}\n{session}");
    }
}

#[test]
fn every_game_is_played_to_its_end_by_hints() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let thesis = file(
        "graph.txt",
        &quip::games::geography::Graph::thesis().to_text(),
    );
    let triangle = file("sets.txt", "a b\nb c\nc a\n");
    let rook = file("board.txt", "k..\n..R\n.K.\n");
    let figure = file("dgr.txt", &quip::games::dgr::Graph::figure_3().to_text());
    let path = file("path.txt", "1\n0 1\n1 2\n2\n");
    let position = file("position.txt", "b.w\n.b.\n...\n");
    let games: [(&[&str], &str); 12] = [
        (&["dgr", &figure], "the traveller has won"),
        (&["dgr-random", "--seed", "2"], "the opponent has won"),
        (&["cops", &path], "the patrol has won"),
        (&["tictactoe", "--size", "2"], "X has won"),
        (&["tictactoe", "--size", "2", "--player", "o"], "X has won"),
        (
            &["gomoku", "--row", "3", "--board", &position],
            "nobody has won",
        ),
        (&["geography", &thesis], "player 1 has won"),
        (&["positional", &triangle], "player 1 has won"),
        (
            &["connect", "--columns", "3", "--height", "2", "--row", "2"],
            "player 1 has won",
        ),
        (&["hex", "--size", "2"], "player 1 has won"),
        (
            &["chess", "--board", &rook, "--steps", "3"],
            "White has won",
        ),
        (
            &["crossdot", "--boxes", "3", "--row", "3"],
            "nobody has won",
        ),
    ];
    for (arguments, result) in games {
        let mut typed = String::new();
        let arguments = [&["play"][..], arguments].concat();
        for _ in 0..20 {
            let session = said(&arguments, &format!("{typed}hint\n"));
            if session.contains("Over: ") {
                assert!(
                    session.ends_with(&format!("Over: {result}.\n")),
                    "{session}"
                );
                break;
            }
            let hint = session
                .lines()
                .rev()
                .find(|line| line.starts_with("Best is "))
                .unwrap();
            typed += &format!(
                "{}\n",
                hint.trim_start_matches("Best is ").trim_end_matches('.')
            );
        }
        assert!(said(&arguments, &typed).contains("Over: "), "{arguments:?}");
    }
}

#[test]
fn a_move_that_stays_undecided_is_made_by_playouts_within_its_time() {
    let begun = std::time::Instant::now();
    let arguments = [
        "play", "gomoku", "--size", "5", "--row", "5", "--side", "second", "-t", "1",
    ];
    let session = said(&arguments, "quit\n");
    assert!(begun.elapsed().as_secs_f64() < 6.0, "{:?}", begun.elapsed());
    let played = session.split("black plays ").nth(1).expect("black moves");
    let line = played.lines().next().unwrap_or_default();
    assert!(line.ends_with(" playouts"), "{session}");
}

#[test]
fn help_says_how_a_won_game_of_geography_may_end() {
    let help = said(&["generate", "geography", "--help"], "");
    assert!(help.contains("exit 11"), "{help}");
}

#[test]
fn strategies_of_formulas_are_lists_without_gates() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (formula, strategy) = (file("game.qcir"), file("game.ghostq"));
    said(
        &[
            "generate",
            "geography",
            "docs/papers/geography.txt",
            "-o",
            &formula,
        ],
        "",
    );
    let solved = quip(&["solve", "-q", "--strategy", &strategy, &formula], "");
    assert_eq!(solved.status.code(), Some(10));
    let text = fs::read_to_string(&strategy).unwrap();
    assert!(
        text.starts_with("list(list(x1_1, true()), list(x1_2, false())"),
        "{text}"
    );
    let names: Vec<&str> = text.split("list(x").skip(1).collect();
    // Seven nodes in each of the two rounds that player 1 has.
    assert_eq!(names.len(), 14, "{text}");
    assert!(
        text.contains("ite(x2_4, ") && !text.contains("list(g"),
        "{text}"
    );
    let mut open = 0_i32;
    for letter in text.chars() {
        open += i32::from(letter == '(') - i32::from(letter == ')');
        assert!(open >= 0, "{text}");
    }
    assert_eq!(open, 0, "{text}");
    let refused = quip(
        &[
            "solve",
            "-q",
            "--strategy",
            &strategy,
            "models/or/lot-sizing.qip",
        ],
        "",
    );
    assert_eq!(refused.status.code(), Some(73));
    let said = String::from_utf8(refused.stderr).unwrap();
    assert!(said.contains("Boolean variables only"), "{said}");
}
