//! Connect-k, Hex, Nim, cops and robber.

use quip::games::connect::{self, Connect};
use quip::games::geography::Graph;
use quip::games::{cops, hex, nim, positional};
use quip::num::int;

use crate::perft;
use crate::positional::undecided;
use crate::solve::{large, report, solved, wins};

#[test]
fn small_boards_with_gravity_have_the_value_of_the_direct_game() {
    for (columns, height, row) in [
        (1, 1, 1),
        (2, 2, 2),
        (3, 2, 2),
        (3, 3, 3),
        (2, 4, 3),
        (4, 2, 3),
    ] {
        for cylinder in [false, true] {
            let board = Connect {
                columns,
                height,
                row,
                cylinder,
            };
            let game = board.game().unwrap();
            let wanted = connect::referee::value(&board);
            assert_eq!(positional::referee::value(&game), wanted, "{board:?}");
            let outcome = solved(&game.program().unwrap());
            assert_eq!(outcome.objective, Some(int(wanted)), "{board:?}");
        }
    }
}

#[test]
fn large_boards_with_gravity_have_the_value_of_the_direct_game() {
    if !large() {
        return;
    }
    for (columns, height, row, cylinder) in [(4, 4, 3, false), (4, 3, 4, true), (4, 4, 4, false)] {
        let board = Connect {
            columns,
            height,
            row,
            cylinder,
        };
        let program = board.game().unwrap().program().unwrap();
        let outcome = report(&format!("{board:?}"), &program);
        assert_eq!(
            outcome.objective,
            Some(int(connect::referee::value(&board)))
        );
    }
}

#[test]
fn gravity_leaves_one_cell_of_each_column() {
    let board = Connect {
        columns: 3,
        height: 2,
        row: 3,
        cylinder: false,
    };
    let game = board.game().unwrap();
    for depth in 1..=4 {
        let program = undecided(&game.clone().until(depth).program().unwrap());
        let early = |name: &str| {
            let time = name
                .strip_prefix("c[")
                .and_then(|rest| rest.split(',').next());
            time.is_some_and(|time| time.parse::<usize>().unwrap() <= depth)
        };
        assert_eq!(
            perft::plays(&program, early),
            positional::referee::plays(&game, depth)
        );
    }
}

#[test]
fn boards_that_cannot_be_are_refused() {
    let board = Connect {
        columns: 3,
        height: 2,
        row: 4,
        cylinder: false,
    };
    assert_eq!(
        board.game().unwrap_err().to_string(),
        "row: 4 in a row do not fit the board"
    );
    let board = Connect {
        columns: 0,
        ..board
    };
    assert_eq!(
        board.game().unwrap_err().to_string(),
        "columns: a board has 1 to 64 cells"
    );
}

#[test]
fn the_first_player_wins_small_hex() {
    for size in [1, 2, 3] {
        assert!(hex::referee::first_wins(size));
        assert!(wins(&hex::program(size).unwrap()), "{size}");
    }
}

#[test]
fn nim_is_won_as_bouton_says() {
    for heaps in [
        vec![0],
        vec![1],
        vec![2],
        vec![1, 1],
        vec![1, 2],
        vec![2, 2],
        vec![1, 2, 3],
        vec![1, 1, 2],
        vec![1, 1, 1],
        vec![4],
        vec![3, 3],
    ] {
        let wanted = nim::referee::mover_wins(&heaps);
        assert_eq!(nim::referee::by_theorem(&heaps), wanted, "{heaps:?}");
        assert_eq!(wins(&nim::program(&heaps).unwrap()), wanted, "{heaps:?}");
    }
}

#[test]
fn cops_catch_the_robber_as_the_direct_game_says() {
    let path = "0 1\n1 2\n2 3\n3\n";
    let cycle = "0 1\n1 2\n2 3\n3 0\n";
    let triangle = "0 1\n1 2\n2 0\n";
    for (graph, rounds, cops) in [
        (path, 1, 1),
        (path, 2, 1),
        (cycle, 1, 1),
        (cycle, 2, 1),
        (cycle, 1, 2),
        (triangle, 1, 1),
    ] {
        let graph = Graph::parse(&format!("{rounds}\n{graph}")).unwrap();
        let wanted = cops::referee::cops_win(&graph, cops);
        let program = cops::program(&graph, cops).unwrap();
        assert_eq!(
            wins(&program),
            wanted,
            "{rounds} rounds, {cops} cops\n{}",
            graph.to_text()
        );
    }
    for seed in 0..10 {
        let graph = Graph::random(4, 1 + seed as usize % 3, 1, seed);
        let wanted = cops::referee::cops_win(&graph, 1);
        let program = cops::program(&graph, 1).unwrap();
        assert_eq!(wins(&program), wanted, "seed {seed}");
    }
}
